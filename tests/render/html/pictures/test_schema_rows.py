"""A schema by itself: every field at every depth, and no secret."""

from hypothesis import given

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.render.diff.rows import struct_shape
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.pictures.schema_rows import schema_facts, schema_options, schema_rows
from tests.render.html.support.html_tables import ReadHtml
from tests.support.tables import tables

ORDERS = TableSchema.create(
    [
        {"name": "id", "type": "BIGINT NOT NULL", "description": "the order"},
        {"name": "items", "type": "ARRAY<ROW<sku STRING, price DECIMAL(10, 2)>>"},
        {"name": "amount", "type": "INT", "default": "0"},
    ],
    primary_keys=["id"],
    options={"bucket": "4", "s3.secret-key": "hush", "note": "s3://ana:hush@lake/x", "schemas.table": '{"owner": "team-orders"}'},
    comment="orders, gross",
)


def test_fields_of_a_struct_stand_below_their_column() -> None:
    assert [(row.name, row.depth, row.type, row.remarks) for row in schema_rows(ORDERS)] == [
        ("id", "", "BIGINT NOT NULL", ("primary key",)),
        ("items", "", "ARRAY<ROW>", ()),
        ("sku", "d1", "STRING", ()),
        ("price", "d1", "DECIMAL(10, 2)", ()),
        ("amount", "", "INT", ("default 0",)),
    ]


def test_keys_comment_and_owner_stand_above_the_table() -> None:
    assert schema_facts(ORDERS) == [("primary key", "id"), ("comment", "orders, gross"), ("owner", "team-orders")]


def test_options_show_no_secret() -> None:
    assert schema_options(ORDERS) == [("bucket", "4"), ("note", "s3://****@lake/x"), ("s3.secret-key", "****")]
    assert "hush" not in fragment(ORDERS)


def ids(fields: tuple[Field, ...]) -> list[str]:
    found: list[str] = []
    for field in fields:
        found += [str(field.id), *ids(struct_shape(field.type)[1])]
    return found


@given(tables())
def test_every_field_stands_in_the_page_once(schema: TableSchema) -> None:
    shown = ReadHtml(fragment(schema)).rows_of("schema-table")
    assert [row.cells[0].text for row in shown] == ids(schema.fields)
