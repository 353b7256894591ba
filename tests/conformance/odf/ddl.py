"""What we answer to the vectors of the DDL: as the reference, except that what it panics at is an error like all others."""

from typing import Any

from airflow_provider_schemas.formats.odf.ddl.reader import load_ddl
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from tests.conformance.rows import Content


def answer(content: Content) -> dict[str, Any]:
    """The schema as documents have it; a refusal is raised."""
    return of_schema(load_ddl(content["input"], reference_compatible=True))
