"""Reading what was written before 100 changes as it is wanted now: making the projection, and one row through it."""

from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core import Timestamp, project
from tests.benchmarks.contest import OURS, Call, Op, Subject
from tests.benchmarks.inputs import Batch, Input, Json

VALUES: dict[str, Any] = {
    "INT": 7,
    "BIGINT": 7_000_000_000,
    "STRING": "seven",
    "DECIMAL(10, 2)": Decimal("7.00"),
    "DOUBLE": 7.5,
    "FLOAT": 7.5,
    "BOOLEAN": True,
    "DATE": 7,
    "TIMESTAMP(6)": Timestamp(7, 0),
    "BYTES": b"seven",
}


def _project(one: Input) -> Call:
    written, wanted = one.schema, one.after(Batch.MIXED_100)
    return lambda: project(replace(written), replace(wanted))


def _row(one: Input) -> Call:
    projection = project(one.schema, one.after(Batch.MIXED_100))
    row = _cells(one.document["fields"])
    projection.row(row)  # puts the readers together
    return lambda: projection.row(row)


def _picked(one: Input) -> Call:
    wanted = one.after(Batch.MIXED_100)
    names = {old.id: old.name for old in one.schema.fields}
    sources = [(new.name, names.get(new.id, "")) for new in wanted.fields]
    row = _cells(one.document["fields"])
    return lambda: {name: row.get(source) for name, source in sources}


def _cells(fields: list[Json]) -> Json:
    return {field["name"]: _cell(field["type"]) for field in fields}


def _cell(kind: str | Json) -> Any:
    if isinstance(kind, str):
        return VALUES[kind]
    if kind["type"] == "ROW":
        return _cells(kind["fields"])
    if kind["type"] == "MAP":
        return [(_cell(kind["key"]), _cell(kind["value"]))] * 2
    return [_cell(kind["element"])] * 2


SUBJECT = Subject(
    "Reading old data as it is wanted now",
    {Op.PROJECT: {OURS: _project}, Op.ROW: {OURS: _row, "limit: columns picked as they are": _picked}},
)
