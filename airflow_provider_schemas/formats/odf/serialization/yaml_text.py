"""ODF as YAML: read as the reference implementation reads it, and written byte for byte as it writes.

A schema by itself is read as its fields are expected to be: `name: 5` is the name "5", and the first `kind: Null`
of a type is its kind. Inside an event or a manifest both are faults, as in the reference.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.base import Dumped
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue, float_text
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.serialization.envelopes import Envelope, OdfDocument, envelope_of, read_document
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf, check_depth, only_schema
from airflow_provider_schemas.formats.odf.serialization.reader import DocumentReader
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from airflow_provider_schemas.formats.yaml import Dialect, Path, path_text, read_all, serde_style, serde_value, write
from airflow_provider_schemas.formats.yaml import Document as Yaml

# The types that come back as others: none, since YAML keeps the whole schema.
LOSSY: tuple[tuple[str, str, str], ...] = ()

_EXTRA: Final = "extra"
# A second reading, with lines, would add nothing to these faults.
_TOO_MUCH: Final = frozenset({"yaml.too-large", "format.too-large"})
DIALECT: Final = Dialect(
    value_of=serde_value,
    anchors=True,  # authors share types by name, and the reference takes that
    repeats=lambda path: _EXTRA in path,  # attributes are a map to the reference, and of a map the last entry counts
    texts=True,
    lines=False,  # only faults need them, and then the text is read again
    weight=20_000_000,  # as many fields as a schema may have
    depth=320,  # a struct takes three levels of YAML, and attributes may lie deep in it
)
_WITH_LINES: Final = replace(DIALECT, lines=True)
STYLE: Final = serde_style(float_text)


def load(source: str | bytes) -> LoadedOdf:
    """Read the one schema of a text, which may be a document around it."""
    return only_schema(documents(source))


def dump(schema: DataSchema) -> Dumped:
    """Write a schema by itself."""
    check_depth(schema)
    return Dumped(plain_text(of_schema(schema)))


def plain_text(value: PlainValue) -> str:
    """Write the plain values of a document."""
    return write(value, STYLE)


def documents(source: str | bytes) -> tuple[OdfDocument, ...]:
    """Read every document of a text, each with its schemas; name faults with their lines."""
    try:
        return _read_documents(source, DIALECT)
    except FormatError as error:
        if error.code in _TOO_MUCH:
            raise
    return _read_documents(source, _WITH_LINES)


def _read_documents(source: str | bytes, dialect: Dialect) -> tuple[OdfDocument, ...]:
    yamls = read_all(source, dialect)
    documents: list[OdfDocument] = []
    faults: list[Fault] = []
    for place, yaml in enumerate(yamls):
        path = f"[{place}]" if len(yamls) > 1 else ""
        try:
            documents.append(_read_document(yaml, path))
        except FormatError as error:
            faults += _with_lines(error.faults, yaml, path)
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        raise FormatError.of(faults[:MAX_FAULTS])
    return tuple(documents)


def _read_document(yaml: Yaml, path: str) -> OdfDocument:
    reader = DocumentReader()
    is_bare = envelope_of(yaml.value) is Envelope.SCHEMA
    if is_bare:
        _put_texts(yaml)
    for place in yaml.odd_keys:
        if _is_attribute_key(place, is_bare=is_bare):
            reader.faults.add("odf.attribute-key", _joined(path, place), "the key is no text.", "Put it in quotes.")
    document = read_document(yaml.value, reader, path)
    reader.faults.settle()
    return document


def _put_texts(yaml: Yaml) -> None:
    """Replace values by the text that was written, where a schema by itself takes text: in names and kinds of fields."""
    for place, text in yaml.texts.items():
        if place[:1] == ("fields",) and place[2:] in {("name",), ("type", "kind")}:
            value = yaml.value
            for step in place[:-1]:
                value = value[step]
            value[place[-1]] = text


def _is_attribute_key(place: Path, *, is_bare: bool) -> bool:
    """Return whether a key is inside attributes that take text only; those of a schema by itself and of its fields take any key."""
    if _EXTRA not in place[:-1]:
        return False
    return not (is_bare and _EXTRA in (place[0], *place[2:3]))


def _with_lines(faults: Iterable[Fault], yaml: Yaml, path: str) -> Iterable[Fault]:
    """Return the faults with the lines of the nearest entries around them, if the text was read with lines."""
    if len(yaml.lines) < 2:
        return faults
    lines = {_joined(path, place): spot.line for place, spot in yaml.lines.items()}
    return [fault._replace(message=f"line {_line_around(fault.path, lines)}: {fault.message}") for fault in faults]


def _line_around(path: str, lines: Mapping[str, int]) -> int:
    while path not in lines and path:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path, 1)


def _joined(path: str, place: Path) -> str:
    """Return the path of an entry of a document that has a path itself."""
    if place and isinstance(place[0], str):
        return joined(path, path_text(place))
    return path + path_text(place)
