"""The one schema of the documents in a text, and the check of depth before a schema is written as a text."""

from itertools import chain

from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import MAX_DEPTH, DataType
from airflow_provider_schemas.formats.odf.serialization.envelopes import OdfDocument
from airflow_provider_schemas.formats.odf.serialization.events import PlacedSchema
from airflow_provider_schemas.formats.odf.serialization.sources import only_source

_SHOWN = 10


class LoadedOdf(Struct, frozen=True):
    """A schema of ODF, read from a text or made from another schema, with its losses and warnings."""

    schema: DataSchema
    losses: tuple[Loss, ...] = ()


def only_schema(documents: tuple[OdfDocument, ...]) -> LoadedOdf:
    """Return the one schema in these documents, or raise a FormatError that names the places of all of them."""
    schemas = list(chain.from_iterable(document.schemas for document in documents))
    warnings = tuple(chain.from_iterable(document.warnings for document in documents))
    if not schemas:
        source = only_source(documents)
        return LoadedOdf(source.read(), (*warnings, source.warning))
    if len(schemas) != 1:
        raise _several_schemas(schemas)
    (placed,) = schemas
    if placed.schema is None:
        fix = "Upgrade it: the document has its bytes as raw_arrow_schema."
        raise FormatError("there is an Arrow schema only.", code="odf.raw-arrow-schema", path=placed.path, fix=fix)
    return LoadedOdf(placed.schema, warnings)


def _several_schemas(schemas: list[PlacedSchema]) -> FormatError:
    places = ", ".join(placed.path for placed in schemas[:_SHOWN])
    if len(schemas) > _SHOWN:
        places += ", ..."
    message = f"{len(schemas)} schemas are in there: {places}."
    return FormatError(message, code="odf.many-schemas", path=schemas[1].path, fix="Read the documents, and take the one that is meant.")


def check_depth(schema: DataSchema) -> None:
    """Refuse a schema, made by hand, with types deeper than readers take."""
    level = 1
    types: list[DataType] = [field.type for field in checked_schema(schema).fields]
    while types := list(chain.from_iterable(kind.parts for kind in types)):
        level += 1
        if level > MAX_DEPTH:
            raise FormatError(f"types are nested deeper than {MAX_DEPTH} levels.", code="odf.too-deep", fix="Flatten the schema.")
