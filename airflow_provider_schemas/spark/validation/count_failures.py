"""Counts the rows that break each check: one pass over the data, whatever the number of columns.

Every check is one counter of one aggregation, so that each column is read once and no row is moved. Whether a key is unique is another
question: its columns are read beside, in the same job, and shuffled. Rows are shown only where some were counted, by a second job.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.spark.session import functions_of
from airflow_provider_schemas.spark.sql import free, literal, name
from airflow_provider_schemas.spark.validation.row_checks import Check

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Row = Mapping[str, Any]

_SHOWN_CHECKS: Final = 40
"""Rows are shown of so many checks at most: of more nobody reads them."""
_LONGEST: Final = 200
_PLAIN: Final = (Root.BOOLEAN, Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT)
NOTE_TYPE: Final = "struct<column: string, rule: string>"
_KEYS: Final = "how many"
_PLACE: Final = "the place of the row"


class FailureCounts(Struct, frozen=True):
    """What one pass gave."""

    rows: int
    counts: tuple[int, ...]
    """By check, in its order."""
    shared_keys: int = 0
    """Keys that more than one row has."""
    sharing: int = 0
    """Rows that have such a key."""
    key_samples: tuple[Row, ...] = ()


def count_failures(
    frame: "DataFrame", checks: Sequence[Check], key: Sequence[tuple[str, DataType]] = (), samples: int = 0
) -> FailureCounts:
    """Count the rows that break each check; and those that share a key, where one is named."""
    numbers = ", ".join(["count(1)", *(f"count_if({check.condition})" for check in checks)])
    counters = frame.selectExpr(f"array({numbers}) as numbers", "cast(array() as array<string>) as rows")
    if not key:
        rows, *counts = counters.collect()[0][0]
        return FailureCounts(rows, tuple(counts))
    both = _union(counters, _find_shared_keys(frame, key, samples)).collect()
    failures, keys = sorted(both, key=lambda row: int(row[2]))
    rows, *counts = failures[0]
    shared, sharing = keys[0]
    return FailureCounts(rows, tuple(counts), shared, sharing, tuple(map(json.loads, keys[1])))


def _union(first: "DataFrame", second: "DataFrame") -> "DataFrame":
    """Return both in one job, told apart by their places."""
    return first.selectExpr("*", "0 as place").unionAll(second.selectExpr("*", "1 as place"))


def _find_shared_keys(frame: "DataFrame", key: Sequence[tuple[str, DataType]], samples: int) -> "DataFrame":
    """Count the keys without NULL that more than one row has, and their rows; and show some."""
    columns = [column for column, _ in key]
    names = [name(column) for column in columns]
    count = free(_KEYS, columns)
    place = free(_PLACE, columns)
    whole = frame.where(" and ".join(f"{column} is not null" for column in names)).selectExpr(*names)
    grouped = whole.groupBy(*names).agg(functions_of(frame).expr("count(1)").alias(count)).where(f"{name(count)} > 1")
    row = _as_json([*key, (count, None)])
    firsts = ", ".join(f"any_value({row}) filter (where {name(place)} % {samples} = {number})" for number in range(samples))
    return grouped.selectExpr("*", _with_place(place)).selectExpr(
        f"array(count(1), coalesce(sum({name(count)}), 0L)) as numbers",
        f"array_compact(array({firsts})) as rows" if samples else "cast(array() as array<string>) as rows",
    )


# ---------------------------------------------------------------- rows that are shown


def find_samples(
    frame: "DataFrame", checks: Sequence[Check], columns: Mapping[str, DataType], key: Sequence[str], samples: int
) -> list[list[Row]]:
    """Return some of the rows that break each of these checks, which do occur; of the first checks, if there are many."""
    sampled = checks[:_SHOWN_CHECKS]
    if samples <= 0 or not sampled:
        return [[] for _ in checks]
    needed = dict.fromkeys([*key, *(check.column for check in sampled)])
    place = free(_PLACE, needed)
    placed = frame.selectExpr(*map(name, needed), _with_place(place))
    buckets = [f"{name(place)} % {samples} = {number}" for number in range(samples)]  # rows are spread over them, and one of each is shown
    answers = placed.selectExpr(*[_sample(check, columns, key, buckets) for check in sampled]).collect()[0]
    found = [list(map(json.loads, texts)) for texts in answers]
    return found + [[] for _ in checks[len(sampled) :]]


def _with_place(place: str) -> str:
    return f"monotonically_increasing_id() as {name(place)}"


def _sample(check: Check, columns: Mapping[str, DataType], key: Sequence[str], buckets: Sequence[str]) -> str:
    row = _as_json([(column, columns.get(column, STRING)) for column in dict.fromkeys([*key, check.column])])
    firsts = (f"any_value({row}) filter (where {bucket} and ({check.condition}))" for bucket in buckets)
    return f"array_compact(array({', '.join(firsts)}))"


def _as_json(columns: Sequence[tuple[str, DataType | None]]) -> str:
    """Return some columns of a row as a JSON text, long values cut."""
    values = ", ".join(f"{literal(column)}, {_value(name(column), kind)}" for column, kind in columns)
    return f"to_json(named_struct({values}), map('ignoreNullFields', 'false'))"


def _value(sql: str, kind: DataType | None) -> str:
    """Return the SQL of a value as JSON shows it."""
    if kind is None or kind.root in _PLAIN:
        return sql
    if kind.root in (Root.BINARY, Root.VARBINARY):
        return f"concat('0x', hex(substring({sql}, 1, {_LONGEST // 2})))"
    return f"substring(try_cast({sql} as string), 1, {_LONGEST})"


# ---------------------------------------------------------------- rows that are kept apart


def all_notes(checks: Sequence[Check], more: Sequence[str] = ()) -> str:
    """Return an array of what a row breaks, as SQL; empty if it breaks nothing. In groups, for Java's methods are short."""
    parts = [*more, *(f"if({check.condition}, {note(check.path, check.rule)}, null)" for check in checks)]
    if not parts:
        return f"cast(array() as array<{NOTE_TYPE}>)"
    arrays = ", ".join(f"array({', '.join(group)})" for group in _groups(parts))
    return f"filter(concat({arrays}), `a note` -> `a note` is not null)"


def note(path: str, rule: str) -> str:
    """Return the SQL of one thing that a row breaks."""
    return f"named_struct('column', {literal(path)}, 'rule', '{rule}')"


def _groups(parts: Sequence[str], size: int = 100) -> Iterator[Sequence[str]]:
    return (parts[start : start + size] for start in range(0, len(parts), size))
