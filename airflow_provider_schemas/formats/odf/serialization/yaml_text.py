"""ODF as YAML: read as the reference implementation reads it, and written byte for byte as it writes.

A schema by itself is read by what is expected: `name: 5` is the name "5", and the first `kind: Null` of a type
is its kind. Inside of anything else both are faults, as they are there.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError
from airflow_provider_schemas.formats.base import Dumped
from airflow_provider_schemas.formats.odf.model.attributes import float_text
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.serialization.envelopes import Document, Envelope, envelope_of, read_document
from airflow_provider_schemas.formats.odf.serialization.loaded import Loaded, check_depth, only_schema
from airflow_provider_schemas.formats.odf.serialization.reader import Reader
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from airflow_provider_schemas.formats.yaml import Dialect, Path, path_text, read_all, serde_style, serde_value, write
from airflow_provider_schemas.formats.yaml import Document as Yaml

# Nothing of a schema is lost: what would be listed here is a type that comes back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()

_EXTRA: Final = "extra"
# What reading once more would say no better.
_TOO_MUCH: Final = frozenset({"yaml.too-large", "format.too-large"})
DIALECT: Final = Dialect(
    value_of=serde_value,
    anchors=True,  # authors share types by name, and the reference takes that
    repeats=lambda path: _EXTRA in path,  # attributes are a map to the reference, and of a map the last entry counts
    texts=True,
    lines=False,  # they are wanted for faults alone, and then the text is read again
    weight=20_000_000,  # as many fields as a schema may have
    depth=320,  # a struct takes three levels of YAML, and attributes may lie deep in it
)
_WITH_LINES: Final = replace(DIALECT, lines=True)
STYLE: Final = serde_style(float_text)


def load(source: str | bytes) -> Loaded:
    """Read the one schema of a text, which may be a document around it."""
    return only_schema(documents(source))


def dump(schema: DataSchema) -> Dumped:
    """Write a schema by itself."""
    check_depth(schema)
    return Dumped(plain_text(of_schema(schema)))


def plain_text(value: Any) -> str:
    """Write the plain values of a document."""
    return write(value, STYLE)


def documents(source: str | bytes) -> tuple[Document, ...]:
    """Read every document of a text, each with its schemas; faults are named with their lines."""
    try:
        return _documents(source, DIALECT)
    except FormatError as error:
        if error.code in _TOO_MUCH:
            raise
    return _documents(source, _WITH_LINES)


def _documents(source: str | bytes, dialect: Dialect) -> tuple[Document, ...]:
    found, faults = read_all(source, dialect), list[Fault]()
    read = []
    for place, one in enumerate(found):
        read.append(_document(one, f"[{place}]" if len(found) > 1 else "", faults))
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        raise FormatError.of(faults[:MAX_FAULTS])
    return tuple(one for one in read if one is not None)


def _document(yaml: Yaml, path: str, faults: list[Fault]) -> Document | None:
    reader = Reader()
    try:
        bare = envelope_of(yaml.value) is Envelope.SCHEMA
        _settle_texts(yaml, path, reader, bare=bare)
        read = read_document(yaml.value, reader, path)
        reader.faults.settle()
        return read
    except FormatError as error:
        faults += error.faults if len(yaml.lines) < 2 else _with_lines(error.faults, yaml, path)
        return None


def _settle_texts(yaml: Yaml, path: str, reader: Reader, *, bare: bool) -> None:
    """Put text where a schema by itself takes it; note the keys that are none where they must be."""
    for place, text in yaml.texts.items() if bare else ():
        if _takes_text(place):
            _put(yaml.value, place, text)
    for place in yaml.odd_keys:
        if _EXTRA in place[:-1] and not (bare and _EXTRA in (place[0], *place[2:3])):
            reader.faults.add("odf.attribute-key", _joined(path, place), "the key is no text.", "Put it in quotes.")


def _with_lines(faults: Iterable[Fault], yaml: Yaml, path: str) -> Iterator[Fault]:
    lines = {_joined(path, place): spot.line for place, spot in yaml.lines.items()}
    for fault in faults:
        around = fault.path
        while around not in lines and around:
            around = around[: max(around.rfind("."), around.rfind("["), 0)]
        yield fault._replace(message=f"line {lines.get(around, 1)}: {fault.message}")


def _joined(path: str, place: Path) -> str:
    """The path of an entry of a document that has a path itself."""
    return joined(path, path_text(place)) if place[:1] and isinstance(place[0], str) else path + path_text(place)


def _takes_text(place: Path) -> bool:
    return place[:1] == ("fields",) and place[2:] in {("name",), ("type", "kind")}


def _put(value: Any, place: Path, text: str) -> None:
    for step in place[:-1]:
        value = value[step]
    value[place[-1]] = text
