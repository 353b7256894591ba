"""What another system would commit is what was judged, but for the ids of what is new; anything else is told."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.evolution.source_ids import equal_but_for_new_ids
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, RowType, children, field, rebuilt, row
from airflow_provider_schemas.core.types.parsing import parse_any
from tests.support.tables import batches, tables

ORDERS = TableSchema.create("id BIGINT NOT NULL, amount DECIMAL(10, 2), address ROW<city STRING, zip STRING>")
KNOWN = all_ids(ORDERS.fields)


def renumbered(schema: TableSchema, numbers: dict[int, int]) -> TableSchema:
    """The schema with other ids, its attributes with them."""
    keys = {f"schemas.field.{old}": f"schemas.field.{new}" for old, new in numbers.items()}
    options = Options({keys.get(key, key): value for key, value in schema.options.items()})
    return msgspec.structs.replace(schema, fields=tuple(_fields(schema.fields, numbers)), options=options)


def _fields(fields: Any, numbers: dict[int, int]) -> list[Field]:
    return [field(numbers.get(one.id, one.id), one.name, _type(one.type, numbers), one.description, one.default) for one in fields]


def _type(kind: DataType, numbers: dict[int, int]) -> DataType:
    if isinstance(kind, RowType):
        return row(_fields(kind.fields, numbers)).with_nullable(kind.nullable)
    return rebuilt(kind, [_type(part, numbers) for _, part in children(kind)])


def test_the_ids_of_new_fields_are_the_others_to_give() -> None:
    judged = evolve(ORDERS, ["ADD COLUMN tags ARRAY<ROW<a INT>>", "ADD COLUMN x BIGINT"])
    there = renumbered(judged, {5: 6, 6: 8, 7: 9})
    assert {*all_ids(judged.fields)} != {*all_ids(there.fields)}
    assert equal_but_for_new_ids(judged, there, KNOWN) == ()


def test_a_field_that_was_there_keeps_its_id() -> None:
    assert equal_but_for_new_ids(ORDERS, renumbered(ORDERS, {1: 7}), KNOWN) == ("the id of amount is 1; staged is 7.",)


def test_a_new_field_never_gets_the_id_of_an_earlier_one() -> None:
    """So that nobody sees the salaries of a column that was dropped under the name of the new one."""
    judged = evolve(ORDERS, ["ADD COLUMN opt_in BOOLEAN"])
    new = max(all_ids(judged.fields))
    (said,) = equal_but_for_new_ids(judged, renumbered(judged, {new: 99}), [*KNOWN, 99])
    assert "opt_in is new, and gets the id 99, which an earlier field had" in said


def test_two_fields_never_get_one_id() -> None:
    judged = evolve(ORDERS, ["ADD COLUMN a INT", "ADD COLUMN b INT"])
    first, second = sorted({*all_ids(judged.fields)} - {*KNOWN})
    said = f"b gets the id {first}, which another field has."
    assert equal_but_for_new_ids(judged, renumbered(judged, {second: first}), KNOWN) == (said,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("ALTER COLUMN amount TYPE DECIMAL(12, 2)", "amount is DECIMAL(12, 2); staged is DECIMAL(10, 2)."),
        ("ALTER COLUMN id DROP NOT NULL", "id is BIGINT; staged is BIGINT NOT NULL."),
        ("DROP COLUMN address.zip", "address has the fields city; staged are city, zip."),
        ("RENAME COLUMN amount TO total", "the table has the fields id, total, address; staged are id, amount, address."),
        ("ALTER COLUMN amount FIRST", "the table has the fields amount, id, address; staged are id, amount, address."),
        ("ALTER COLUMN amount COMMENT 'net'", "the comment of amount is 'net'; staged is None."),
        ("ALTER COLUMN amount SET DEFAULT 5", "the default of amount is '5'; staged is None."),
        ("SET OPTION a = b", "option a is 'b'; staged is None."),
        ("SET COMMENT 'orders'", "comment is 'orders'; staged is None."),
    ],
)
def test_a_change_that_was_judged_and_is_not_staged_is_told(change: str, said: str) -> None:
    assert equal_but_for_new_ids(evolve(ORDERS, [change]), ORDERS, KNOWN) == (said,)


def test_attributes_are_compared_with_their_fields_but_not_the_ids_of_elements() -> None:
    judged = evolve(ORDERS, ["ADD COLUMN token BINARY(16)", """SET OPTION schemas.field.5 = '{"logical": "uuid"}'"""])
    there = renumbered(judged, {5: 9})
    numbers = msgspec.structs.replace(there, options=Options({"schemas.field.9": '{"element_ids": {"element": 3}, "logical": "uuid"}'}))
    assert equal_but_for_new_ids(judged, there, KNOWN) == ()
    assert equal_but_for_new_ids(judged, numbers, KNOWN) == ()
    bare = msgspec.structs.replace(there, options=Options())
    assert equal_but_for_new_ids(judged, bare, KNOWN) == ("what is said about token is {'logical': 'uuid'}; staged is {}.",)


@given(st.data())
def test_any_batch_that_a_source_numbers_anew_is_the_same(data: st.DataObject) -> None:
    schema = data.draw(tables())
    judged = evolve(schema, data.draw(batches(schema, min_size=1)))
    known = {*all_ids(schema.fields)}
    new = [number for number in all_ids(judged.fields) if number not in known]
    step = data.draw(st.integers(1, 5))
    first = 1 + max([*known, *new, schema.highest_field_id])
    there = renumbered(judged, {number: first + place * step for place, number in enumerate(new)})
    assert equal_but_for_new_ids(judged, there, known) == ()


@given(st.data())
def test_what_differs_in_a_type_a_name_or_the_order_is_told(data: st.DataObject) -> None:
    judged = data.draw(tables())
    place = data.draw(st.integers(0, len(judged.fields) - 1))
    fields = list(judged.fields)
    one = fields[place]
    spoilt = [
        one.with_name(f"{one.name}_2"),
        one.with_type(one.type.with_nullable(not one.type.nullable)),
        one.with_type(parse_any("OPAQUE('other')")),
        field(one.id + 1_000, one.name, one.type, one.description, one.default),
        field(one.id, one.name, one.type, "another comment", one.default),
    ]
    fields[place] = data.draw(st.sampled_from(spoilt))
    there = msgspec.structs.replace(judged, fields=tuple(fields))
    assert equal_but_for_new_ids(judged, there, all_ids(judged.fields)) != ()
