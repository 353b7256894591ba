"""The sources of a dataset, as a manifest of kamu names them: where their schemas stand, and which of them is meant."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.serialization.envelopes import Document, Envelope
from airflow_provider_schemas.formats.odf.serialization.event_kinds import SPELLED_EVENTS, EventKind
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of

_SOURCES: Final = frozenset({EventKind.SET_POLLING_SOURCE, EventKind.ADD_PUSH_SOURCE})
_CHAIN: Final = "Name the folder of its chain, which has the schema once data was read."
_NOTHING: Final = "Pass a schema, a document with a SetDataSchema event, a manifest whose source has read.schema, or the folder of a chain."
_SHOWN: Final = 10


class Source(Struct, frozen=True):
    """A source that says how it is read, and where that stands."""

    path: str
    name: str
    schema: Any = None
    """What stands under read.schema."""
    ddl: tuple[str, ...] = ()
    """Columns as DDL: under read.ddlSchema, or under read.schema as kamu had it before 0.263."""
    preprocessed: bool = False

    def read(self) -> DataSchema:
        """The schema; a FormatError with all that is wrong with it. Whoever knows DDL reads that."""
        if not self.ddl:
            return schema_of(self.schema, self.path)
        fix = "Pass these columns to load_ddl, or the file to airflow-schemas convert --to odf-yaml."
        raise FormatError(f"source {shown(self.name)} has its schema as DDL.", code="odf.no-schema", path=self.path, fix=fix)

    @property
    def warning(self) -> Loss:
        """What the schema of a source is not: that of what is stored."""
        query = " and after its preprocess query" if self.preprocessed else ""
        return Loss(self.path, "schema of a source", f"what is stored has the system columns besides{query}.")


def only_source(documents: tuple[Document, ...]) -> Source:
    """The one source with a schema in documents that set none; a FormatError that says what else is there, and what to do."""
    found = [source for document in documents for source in sources_of(document)]
    told = [one for one in found if one.schema is not None or one.ddl]
    if len(told) == 1:
        return told[0]
    if told:
        raise _several(told)
    raise FormatError.of([_none(documents, found)])


def sources_of(document: Document) -> Iterator[Source]:
    """The sources that a document names; each says how it is read."""
    for place, event in _events(document):
        kind = event.get("kind")
        read = event.get("read")
        if isinstance(kind, str) and SPELLED_EVENTS.get(kind) in _SOURCES and isinstance(read, dict):
            yield _source(event, read, joined(place, "read"))


def _source(event: dict[str, Any], read: dict[str, Any], path: str) -> Source:
    name = event.get("sourceName")
    about: dict[str, Any] = {"name": name if isinstance(name, str) else "default", "preprocessed": event.get("preprocess") is not None}
    for key in ("schema", "ddlSchema"):
        columns = read.get(key)
        if isinstance(columns, list) and columns and all(isinstance(one, str) for one in columns):
            return Source(joined(path, key), ddl=tuple(columns), **about)
    return Source(joined(path, "schema"), schema=read.get("schema"), **about)


def _events(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a document, each with its place."""
    inside, path = document.value, ""
    for step in _INSIDE.get(document.envelope, ()):
        inside, path = inside.get(step) if isinstance(inside, dict) else None, joined(path, step)
    if isinstance(inside, dict):
        yield path, inside
    for number, one in enumerate(inside if isinstance(inside, list) else ()):
        if isinstance(one, dict):
            yield f"{path}[{number}]", one


_INSIDE: Final[dict[Envelope, tuple[str, ...]]] = {
    Envelope.METADATA_EVENT: ("content",),
    Envelope.DATASET_SNAPSHOT: ("content", "metadata"),
    Envelope.RESOURCE: ("spec", "metadata"),
}


def _several(told: list[Source]) -> FormatError:
    places = ", ".join(f"{shown(one.name)} at {one.path}" for one in told[:_SHOWN])
    more = ", ..." if len(told) > _SHOWN else ""
    fix = "Put what stands there for the source that is meant into a file of its own, and pass that."
    return FormatError(f"{len(told)} sources have a schema: {places}{more}.", code="odf.many-schemas", path=told[1].path, fix=fix)


def _none(documents: tuple[Document, ...], found: list[Source]) -> Fault:
    if found:
        message = f"the source {shown(found[0].name)} has no schema at {found[0].path}: kamu infers it when it first reads data."
        return Fault("odf.no-schema", found[0].path, message, f"Add it there, with a list of fields. {_CHAIN}")
    if any(_is_derived(document) for document in documents):
        return Fault("odf.no-schema", "", "the dataset is derived: its schema is what its query gives.", _CHAIN)
    return Fault("odf.no-schema", "", "no schema is in there.", _NOTHING)


def _is_derived(document: Document) -> bool:
    kinds = (event.get("kind") for _, event in _events(document))
    return any(isinstance(kind, str) and SPELLED_EVENTS.get(kind) is EventKind.SET_TRANSFORM for kind in kinds)
