"""What every text of ODF shares: from a document to its one schema, and what must hold before a schema is written."""

from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH
from airflow_provider_schemas.formats.odf.serialization.envelopes import Document
from airflow_provider_schemas.formats.odf.serialization.events import PlacedSchema
from airflow_provider_schemas.formats.odf.serialization.sources import only_source

_SHOWN = 10


class Loaded(Struct, frozen=True):
    """A schema of ODF, read from a text or made from another schema: what was left behind, and what to look at."""

    schema: DataSchema
    losses: tuple[Loss, ...] = ()


def only_schema(documents: tuple[Document, ...]) -> Loaded:
    """The one schema in these documents, or a FormatError that says where there are others."""
    found = [one for document in documents for one in document.schemas]
    warnings = tuple(one for document in documents for one in document.warnings)
    if not found:
        source = only_source(documents)
        return Loaded(source.read(), (*warnings, source.warning))
    if len(found) != 1:
        raise _not_one(found)
    if found[0].schema is None:
        fix = "Upgrade it: the document has its bytes as raw_arrow_schema."
        raise FormatError("there is an Arrow schema only.", code="odf.raw-arrow-schema", path=found[0].path, fix=fix)
    return Loaded(found[0].schema, warnings)


def _not_one(found: list[PlacedSchema]) -> FormatError:
    places = ", ".join(one.path for one in found[:_SHOWN])
    message = f"{len(found)} schemas are in there: {places}{', ...' if len(found) > _SHOWN else ''}."
    return FormatError(message, code="odf.many-schemas", path=found[1].path, fix="Read the documents, and take the one that is meant.")


def check_depth(schema: DataSchema) -> None:
    """Refuse a schema, made by hand, that no reader takes."""
    level, types = 1, [one.type for one in checked_schema(schema).fields]
    while types := [part for one in types for part in one.parts]:
        level += 1
        if level > MAX_DEPTH:
            raise FormatError(f"types are nested deeper than {MAX_DEPTH} levels.", code="odf.too-deep", fix="Flatten the schema.")
