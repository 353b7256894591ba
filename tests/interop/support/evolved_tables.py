"""Tables of pypaimon's, written and evolved step by step, and their rows as both sides have them."""

import datetime
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.store import SchemaStore
from tests.interop.test_our_tables import wire
from tests.support.companion import Warehouse

DAY = datetime.date(2026, 11, 18)
CLOCK = datetime.datetime(2026, 11, 18, 10, 11, 12, 345_678)  # noqa: DTZ001  # a clock time, in no zone

Rows = Sequence[Mapping[str, Any]]
# A statement, or the rows that are written next.
Step = str | Rows


def table_of(paimon: Warehouse, columns: str, *steps: Step, keys: Sequence[str] = (), options: Mapping[str, str] | None = None) -> None:
    """A table of pypaimon's, with what became of it."""
    fields = json.loads(TableSchema.create(columns=columns).to_json())["fields"]
    paimon.ask("create", "db.t", fields=fields, partition_keys=list(keys), options=dict(options or {}))
    evolved(paimon, *steps)


def evolved(paimon: Warehouse, *steps: Step, branch: str = "") -> None:
    for step in steps:
        if isinstance(step, str):
            paimon.ask("alter", "db.t", changes=wire(step), branch=branch)
        else:
            paimon.ask("write", "db.t", rows=list(step), branch=branch)


def plain(value: Any, *, ours: bool) -> Any:
    """A value as both sides have it: a row is a dict, and a map is pairs. Spark has a dict for a map, pypaimon one for a row."""
    if hasattr(value, "asDict"):
        return {key: plain(one, ours=ours) for key, one in value.asDict().items()}
    if isinstance(value, dict):
        pairs = [(key, plain(one, ours=ours)) for key, one in value.items()]
        return pairs if ours else dict(pairs)
    if isinstance(value, list | tuple):
        return type(value)(plain(one, ours=ours) for one in value)
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone().replace(tzinfo=None)  # Spark shows an instant on the clock of this machine
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def in_order(rows: Sequence[Any], *, ours: bool = True) -> list[dict[str, Any]]:
    return sorted((plain(one, ours=ours) for one in rows), key=lambda row: row["k"])


def both(paimon: Warehouse, store: SchemaStore, spark: Any, **said: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What pypaimon reads, and what we read."""
    theirs = paimon.ask("read", "db.t", **({"branch": said["branch"]} if "branch" in said else {}))
    ours = read_table(spark, store.table("db.t"), casts="paimon", **said).collect()
    return in_order(theirs, ours=False), in_order(ours)


def rows(values: Mapping[str, Sequence[Any]], first: int = 0) -> list[dict[str, Any]]:
    """Columns as rows; the shorter ones end in NULL."""
    longest = max(map(len, values.values()))
    return [
        {"k": first + place, **{name: one[place] if place < len(one) else None for name, one in values.items()}} for place in range(longest)
    ]
