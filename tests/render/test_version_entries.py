"""Who wrote a version is told as its file says, and of a copied file nobody knows."""

from airflow_provider_schemas.core import TableSchema, Version
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.render.version_entries import OUTSIDE, origin

SCHEMA = TableSchema.create("a INT")


def version(number: int, *, parent: int | None, table_id: str = "") -> Version:
    schema = Provenance(actor="ana", parent_id=parent).on(SCHEMA)
    return Version(number, "digest", schema, table_id=table_id)


def test_the_writer_of_a_version_is_the_one_in_its_file() -> None:
    assert origin(version(4, parent=3)) == "by ana"
    assert origin(version(0, parent=None)) == "by ana"


def test_a_copied_file_tells_nobody_since_its_writer_wrote_another_version() -> None:
    assert origin(version(5, parent=3)) == OUTSIDE


def test_the_numbers_of_a_table_that_others_keep_are_their_own() -> None:
    assert origin(version(9, parent=3, table_id="uuid")) == "by ana"
