"""The sources of a dataset, as a manifest of kamu names them: their schemas, and the only one of them that has a schema."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined
from airflow_provider_schemas.formats.odf.serialization.envelopes import Envelope, OdfDocument
from airflow_provider_schemas.formats.odf.serialization.event_kinds import SPELLED_EVENTS, EventKind
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of

_Event: TypeAlias = dict[str, Any]

_SOURCES: Final = frozenset({EventKind.SET_POLLING_SOURCE, EventKind.ADD_PUSH_SOURCE})
_CHAIN: Final = "Name the folder of its chain, which has the schema once data was read."
_NOTHING: Final = "Pass a schema, a document with a SetDataSchema event, a manifest whose source has read.schema, or the folder of a chain."
_SHOWN: Final = 10


class DatasetSource(Struct, frozen=True):
    """A source with a `read` section, and the path of its schema."""

    path: str
    name: str
    schema: Any = None
    """The plain value under read.schema."""
    ddl: tuple[str, ...] = ()
    """Columns as DDL: under read.ddlSchema, or under read.schema as kamu had it before 0.263."""
    preprocessed: bool = False

    def read(self) -> DataSchema:
        """Return the schema, or raise a FormatError with every fault of it. A schema in DDL is for the caller to read."""
        if not self.ddl:
            return schema_of(self.schema, self.path)
        fix = "Pass these columns to load_ddl, or the file to airflow-schemas convert --to odf-yaml."
        raise FormatError(f"source {shown(self.name)} has its schema as DDL.", code="odf.no-schema", path=self.path, fix=fix)

    @property
    def warning(self) -> Loss:
        """Return the warning that stored data have other columns than the source."""
        message = "what is stored has the system columns besides"
        if self.preprocessed:
            message += " and after its preprocess query"
        return Loss(self.path, "schema of a source", f"{message}.")


def only_source(documents: tuple[OdfDocument, ...]) -> DatasetSource:
    """Return the one source with a schema, for documents without an event that sets one; else raise a FormatError with a way on."""
    sources = list(chain.from_iterable(map(sources_of, documents)))
    with_schema = [source for source in sources if source.schema is not None or source.ddl]
    if len(with_schema) == 1:
        return with_schema[0]
    if with_schema:
        raise _several(with_schema)
    raise FormatError.of([_none(documents, sources)])


def sources_of(document: OdfDocument) -> Iterator[DatasetSource]:
    """Yield the sources in a document that have a `read` section."""
    for path, event in _events(document):
        read = event.get("read")
        if _kind_of(event) in _SOURCES and isinstance(read, dict):
            yield _source(event, read, joined(path, "read"))


def _kind_of(event: _Event) -> EventKind | None:
    kind = event.get("kind")
    if not isinstance(kind, str):
        return None
    return SPELLED_EVENTS.get(kind)


def _source(event: _Event, read: dict[str, Any], path: str) -> DatasetSource:
    name = event.get("sourceName")
    if not isinstance(name, str):
        name = "default"
    preprocessed = event.get("preprocess") is not None
    for key in ("schema", "ddlSchema"):
        columns = read.get(key)
        if isinstance(columns, list) and columns and all(isinstance(column, str) for column in columns):
            return DatasetSource(joined(path, key), name, ddl=tuple(columns), preprocessed=preprocessed)
    return DatasetSource(joined(path, "schema"), name, schema=read.get("schema"), preprocessed=preprocessed)


def _events(document: OdfDocument) -> Iterator[tuple[str, _Event]]:
    """Yield the events of a document, each with its path."""
    value = document.value
    path = ""
    for step in _STEPS_TO_EVENTS.get(document.envelope, ()):
        value = value.get(step) if isinstance(value, dict) else None
        path = joined(path, step)
    if isinstance(value, dict):
        yield path, value
    elif isinstance(value, list):
        for number, event in enumerate(value):
            if isinstance(event, dict):
                yield f"{path}[{number}]", event


_STEPS_TO_EVENTS: Final[dict[Envelope, tuple[str, ...]]] = {
    Envelope.METADATA_EVENT: ("content",),
    Envelope.DATASET_SNAPSHOT: ("content", "metadata"),
    Envelope.RESOURCE: ("spec", "metadata"),
}


def _several(sources: list[DatasetSource]) -> FormatError:
    places = ", ".join(f"{shown(source.name)} at {source.path}" for source in sources[:_SHOWN])
    if len(sources) > _SHOWN:
        places += ", ..."
    fix = "Put what stands there for the source that is meant into a file of its own, and pass that."
    return FormatError(f"{len(sources)} sources have a schema: {places}.", code="odf.many-schemas", path=sources[1].path, fix=fix)


def _none(documents: tuple[OdfDocument, ...], sources: list[DatasetSource]) -> Fault:
    if sources:
        first = sources[0]
        message = f"the source {shown(first.name)} has no schema at {first.path}: kamu infers it when it first reads data."
        return Fault("odf.no-schema", first.path, message, f"Add it there, with a list of fields. {_CHAIN}")
    if any(_is_derived(document) for document in documents):
        return Fault("odf.no-schema", "", "the dataset is derived: its schema is what its query gives.", _CHAIN)
    return Fault("odf.no-schema", "", "no schema is in there.", _NOTHING)


def _is_derived(document: OdfDocument) -> bool:
    return any(_kind_of(event) is EventKind.SET_TRANSFORM for _, event in _events(document))
