"""ODF and Arrow: schemas to and from pyarrow, the upgrade of legacy schemas, and renderings of the Arrow schema.

pyarrow is loaded by the functions that take or return its values; the renderings do not need it.
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas.formats.arrow import json_form, language, parquet_text, rust_json
from airflow_provider_schemas.formats.odf.arrow.ipc_schema import read_raw_arrow
from airflow_provider_schemas.formats.odf.arrow.reader import Naive, data_schema
from airflow_provider_schemas.formats.odf.arrow.strip_encodings import strip_encoding
from airflow_provider_schemas.formats.odf.arrow.writer import PLAINEST, ArrowSettings, arrow_schema
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf

if TYPE_CHECKING:
    import pyarrow


def to_arrow(schema: DataSchema, settings: ArrowSettings = PLAINEST) -> "pyarrow.Schema":
    """Return the schema as pyarrow holds it."""
    return language.to_pyarrow(arrow_schema(schema, settings))


def from_arrow(schema: "pyarrow.Schema", *, naive: Naive = "utc", reference_compatible: bool = False) -> LoadedOdf:
    """Return the ODF schema of a pyarrow schema, with encodings, and the losses."""
    return data_schema(language.read(schema), naive=naive, reference_compatible=reference_compatible)


def upgrade(raw: bytes, *, naive: Naive = "utc", reference_compatible: bool = False) -> DataSchema:
    """Return the ODF schema of the bytes of a legacy `rawArrowSchema`, without encodings."""
    loaded = from_arrow(read_raw_arrow(raw), naive=naive, reference_compatible=reference_compatible)
    return strip_encoding(loaded.schema, reference_compatible=reference_compatible)


# ---------------------------------------------------------------- renderings


def parquet(schema: DataSchema) -> str:
    """Return the schema as the message of a Parquet file."""
    return parquet_text.parquet_text(arrow_schema(schema))


def arrow_text(schema: DataSchema) -> str:
    """Return the schema as Arrow's own JSON, which the format `arrow` reads."""
    return json_form.text_of_schema(arrow_schema(schema))


def parquet_json(schema: DataSchema) -> str:
    """Return the message of a Parquet file as JSON, on one line."""
    return parquet_text.parquet_json(arrow_schema(schema))


def arrow_json(schema: DataSchema) -> str:
    """Return the schema of Arrow as arrow-rs writes it in JSON, on one line."""
    return rust_json.arrow_json(arrow_schema(schema))
