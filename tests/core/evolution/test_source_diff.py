"""What changed in a table that another system keeps is told as that system meant it, ids that came back included."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, diff, evolve
from airflow_provider_schemas.core.evolution.source_diff import SourceDiff, source_diff
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.nested import field
from airflow_provider_schemas.core.types.parsing import parse_any
from tests.support.tables import batches, tables

V0 = TableSchema.create(
    "id BIGINT NOT NULL, email STRING, address ROW<city STRING, zip STRING>", options={"schemas.table": '{"format": "iceberg"}'}
)
V1 = evolve(V0, ["DROP COLUMN email"])


def with_options(schema: TableSchema, **options: str) -> TableSchema:
    return msgspec.structs.replace(
        schema, options=Options({**schema.options, **{key.replace("__", "."): text for key, text in options.items()}})
    )


def test_a_field_that_came_back_with_its_id_is_told() -> None:
    found = source_diff(V1, V0, [V0])
    assert found.texts == ("ADD COLUMN email STRING AFTER id (back under its id 1)",)
    assert [(one.path, one.id, one.name_before) for one in found.returned] == [("email", 1, "email")]


def test_a_field_that_came_back_under_another_name_is_told_with_both() -> None:
    renamed = msgspec.structs.replace(V1, fields=(*V1.fields, field(1, "mail", parse_any("STRING"))))
    (text,) = source_diff(V1, renamed, [V0]).texts
    assert text == "ADD COLUMN mail STRING (back under its id 1, which was email)"


def test_without_the_earlier_versions_a_field_is_new() -> None:
    found = source_diff(V1, V0)
    assert found.texts == ("ADD COLUMN email STRING AFTER id",)
    assert found.returned == ()


def test_a_new_list_is_one_change_whatever_ids_its_elements_took() -> None:
    tags = parse_any({"type": "ARRAY", "element": {"type": "ROW", "fields": [{"id": 9, "name": "a", "type": "INT"}]}})
    after = msgspec.structs.replace(V0, fields=(*V0.fields, field(6, "tags", tags)), highest_field_id=9)
    assert diff(V0, after).remainder
    assert source_diff(V0, after).texts == ("ADD COLUMN tags ARRAY<ROW<`a` INT>>",)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('{"logical": "uuid"}', "{}", "email: logical uuid -> NULL"),
        ("{}", '{"initial_default": "none"}', "email: initial_default NULL -> none"),
        ('{"initial_default": 1}', '{"initial_default": {"a": 2}}', 'email: initial_default 1 -> {"a": 2}'),
    ],
)
def test_what_the_source_says_of_a_field_is_told(old: str, new: str, text: str) -> None:
    found = source_diff(with_options(V0, schemas__field__1=old), with_options(V0, schemas__field__1=new))
    assert found == SourceDiff((), (), (text,))


def test_the_ids_of_elements_are_nobodys_news() -> None:
    after = with_options(V0, schemas__field__1='{"element_ids": {"element": 5}}')
    assert source_diff(with_options(V0, schemas__field__1="{}"), after) == SourceDiff()


def test_what_the_source_says_of_the_table_is_told() -> None:
    after = with_options(V0, schemas__table='{"format": "iceberg", "identifier_fields": [1]}')
    assert source_diff(V0, after).texts == ("the table: identifier_fields NULL -> [1]",)


def test_fields_of_a_struct_that_moved_are_told() -> None:
    _, email, address = V0.fields
    swapped = address.with_type(type(address.type)(tuple(reversed(address.type.fields))))  # type: ignore[attr-defined]  # a ROW
    after = msgspec.structs.replace(V0, fields=(V0.fields[0], email, swapped))
    assert len(source_diff(V0, after).texts) == 1
    assert source_diff(V0, after).texts[0].startswith("address: ")


def test_secrets_are_not_told() -> None:
    (text,) = source_diff(V0, evolve(V0, ["SET OPTION fs.s3.secret-key = abc"])).texts
    assert "abc" not in text


@given(st.data())
def test_nothing_that_differs_goes_untold(data: st.DataObject) -> None:
    """Every change of the batch of an evolution shows, and nothing does where the schemas say the same."""
    schema = data.draw(tables())
    after = evolve(schema, data.draw(batches(schema, min_size=1)))
    found = source_diff(schema, after)
    same = _said(schema) == _said(after)
    assert bool(found.texts) is not same


def _said(schema: TableSchema) -> Any:
    return schema.fields, schema.partition_keys, schema.primary_keys, dict(schema.options), schema.comment
