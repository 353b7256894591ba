"""What the tests of planning share: a table, a file whose columns begin on line 3, and the plan or the fault that comes of them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, Version, evolve, short_text
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import TableFileError
from airflow_provider_schemas.formats.table_file import Planned, TableFile, changes_of, read

FILE = "schemas/shop/orders.yaml"
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
DAILY = Contract.of("order_id BIGINT, cust_id BIGINT", name="daily_report", owner="team-bi")


def table(columns: str = "id BIGINT, note STRING, amount DECIMAL(10, 2)", **more: Any) -> TableSchema:
    return TableSchema.create(columns, **more)


def file_of(*columns: str, rest: str = "") -> TableFile:
    """A table file whose columns begin on line 3."""
    lines = "".join(f"  - {{{one}}}\n" for one in columns)
    return read(f"table: shop.orders\n{'columns:' if columns else ''}\n{lines}{rest}", FILE)


def planned(schema: TableSchema, *columns: str, rest: str = "", history: Any = ()) -> Planned:
    return changes_of(file_of(*columns, rest=rest), schema, history, now=NOW)


def texts(found: Planned) -> list[str]:
    assert evolve(found.base, found.changes).content == found.target.content
    return list(map(short_text, found.changes))


def version(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


def stopped(schema: TableSchema, *columns: str, rest: str = "", history: Any = ()) -> tuple[str, str, str]:
    """The path, sentence and advice of the fault that stops the plan."""
    with pytest.raises(TableFileError) as caught:
        planned(schema, *columns, rest=rest, history=history)
    (fault,) = caught.value.faults
    return fault.path, fault.message, fault.fix


ID, NOTE, AMOUNT = "name: id, type: BIGINT", "name: note, type: STRING", "name: amount, type: 'DECIMAL(10, 2)'"
