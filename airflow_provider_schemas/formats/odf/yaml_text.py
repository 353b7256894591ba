"""ODF as YAML: read as the reference implementation reads it, and written byte for byte as it writes.

A schema by itself is read by what is expected: `name: 5` is the name "5", and the first `kind: Null` of a type
is its kind. Inside of anything else both are faults, as they are there.
"""

from typing import Any, Final

from airflow_provider_schemas.formats.odf.attributes import float_text
from airflow_provider_schemas.formats.odf.envelopes import Document, Envelope, envelope_of, read_document
from airflow_provider_schemas.formats.odf.loaded import Loaded, check_depth, only_schema
from airflow_provider_schemas.formats.odf.plain_values import of_schema
from airflow_provider_schemas.formats.odf.reading import Reader
from airflow_provider_schemas.formats.odf.schema import DataSchema
from airflow_provider_schemas.formats.shared import Dumped
from airflow_provider_schemas.formats.yaml import Dialect, Path, read_all, serde_style, serde_value, write
from airflow_provider_schemas.formats.yaml import Document as Yaml

# Nothing of a schema is lost: what would be listed here is a type that comes back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()

_EXTRA: Final = "extra"
DIALECT: Final = Dialect(
    value_of=serde_value,
    anchors=True,  # authors share types by name, and the reference takes that
    repeats=lambda path: _EXTRA in path,  # attributes are a map to the reference, and of a map the last entry counts
    texts=True,
    depth=320,  # a struct takes three levels of YAML, and attributes may lie deep in it
)
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
    """Read every document of a text, each with its schemas."""
    found, reader = read_all(source, DIALECT), Reader()
    read = tuple(_document(one, reader, f"[{place}]" if len(found) > 1 else "") for place, one in enumerate(found))
    reader.faults.settle()
    return read


def _document(yaml: Yaml, reader: Reader, path: str) -> Document:
    bare = envelope_of(yaml.value) is Envelope.SCHEMA
    for place, text in yaml.texts.items() if bare else ():
        if _takes_text(place):
            _put(yaml.value, place, text)
    for place in yaml.odd_keys:
        if _EXTRA in place[:-1] and not (bare and _EXTRA in (place[0], *place[2:3])):
            where = "".join(f"[{word}]" if isinstance(word, int) else f".{word}" for word in place)
            reader.faults.add("odf.attribute-key", f"{path}{where}".lstrip("."), "the key is no text.", "Put it in quotes.")
    return read_document(yaml.value, reader, path)


def _takes_text(place: Path) -> bool:
    return place[:1] == ("fields",) and place[2:] in {("name",), ("type", "kind")}


def _put(value: Any, place: Path, text: str) -> None:
    for step in place[:-1]:
        value = value[step]
    value[place[-1]] = text
