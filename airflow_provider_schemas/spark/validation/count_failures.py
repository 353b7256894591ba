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
"""Rows are shown of so many checks at most: whoever has more has other work to do first."""
_LONGEST: Final = 200
_PLAIN: Final = (Root.BOOLEAN, Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT)
NOTE_TYPE: Final = "struct<column: string, rule: string>"
_KEYS: Final = "how many"
_PLACE: Final = "the place of the row"


class Counted(Struct, frozen=True):
    """What one pass gave."""

    rows: int
    counts: tuple[int, ...]
    """By check, in its order."""
    shared_keys: int = 0
    """Keys that more than one row has."""
    sharing: int = 0
    """Rows that have such a key."""
    key_samples: tuple[Row, ...] = ()


def counted(frame: "DataFrame", checks: Sequence[Check], key: Sequence[tuple[str, DataType]] = (), samples: int = 0) -> Counted:
    """How many rows break each check; and how many share a key, where one is named."""
    counters = ", ".join(f"count_if({one.condition})" for one in checks)
    frames = [frame.selectExpr(f"array(count(1){', ' if counters else ''}{counters}) as numbers", "cast(array() as array<string>) as rows")]
    if key:
        frames.append(_sharing(frame, key, samples))
    answers = [one.collect()[0] for one in frames] if len(frames) == 1 else sorted(_union(*frames).collect(), key=lambda one: one[2])
    rows, *counts = answers[0][0]
    shared, sharing = answers[1][0] if key else (0, 0)
    shown = tuple(json.loads(one) for one in answers[1][1]) if key else ()
    return Counted(rows, tuple(counts), shared, sharing, shown)


def _union(one: "DataFrame", other: "DataFrame") -> "DataFrame":
    """Both in one job, told apart by their places."""
    return one.selectExpr("*", "0 as place").unionAll(other.selectExpr("*", "1 as place"))


def _sharing(frame: "DataFrame", key: Sequence[tuple[str, DataType]], samples: int) -> "DataFrame":
    """Keys without NULL that more than one row has."""
    names, columns = [name(one) for one, _ in key], [one for one, _ in key]
    many, place = free(_KEYS, columns), free(_PLACE, columns)
    there = frame.where(" and ".join(f"{one} is not null" for one in names)).selectExpr(*names)
    grouped = there.groupBy(*names).agg(functions_of(frame).expr("count(1)").alias(many)).where(f"{name(many)} > 1")
    shown = _as_json([*key, (many, None)])
    firsts = ", ".join(f"any_value({shown}) filter (where {name(place)} % {samples} = {one})" for one in range(samples))
    return grouped.selectExpr("*", _placed(place)).selectExpr(
        f"array(count(1), coalesce(sum({name(many)}), 0L)) as numbers",
        f"array_compact(array({firsts})) as rows" if samples else "cast(array() as array<string>) as rows",
    )


# ---------------------------------------------------------------- rows that are shown


def shown_rows(
    frame: "DataFrame", checks: Sequence[Check], columns: Mapping[str, DataType], key: Sequence[str], samples: int
) -> list[list[Row]]:
    """Some of the rows that break each of these checks, which do occur; of the first ones, if there are many checks."""
    asked = checks[:_SHOWN_CHECKS] if samples > 0 else []
    if not asked:
        return [[] for _ in checks]
    needed = dict.fromkeys([*key, *(one.column for one in asked)])
    place = free(_PLACE, needed)
    placed = frame.selectExpr(*map(name, needed), _placed(place))
    buckets = [f"{name(place)} % {samples} = {one}" for one in range(samples)]  # rows are spread over them, and one of each is shown
    found = placed.selectExpr(*[_some(one, columns, key, buckets) for one in asked]).collect()[0]
    return [[json.loads(row) for row in one] for one in found] + [[] for _ in checks[len(asked) :]]


def _placed(place: str) -> str:
    return f"monotonically_increasing_id() as {name(place)}"


def _some(check: Check, columns: Mapping[str, DataType], key: Sequence[str], buckets: Sequence[str]) -> str:
    wanted = [(one, columns.get(one, STRING)) for one in dict.fromkeys([*key, check.column])]
    shown = _as_json(wanted)
    firsts = (f"any_value({shown}) filter (where {bucket} and ({check.condition}))" for bucket in buckets)
    return f"array_compact(array({', '.join(firsts)}))"


def _as_json(columns: Sequence[tuple[str, DataType | None]]) -> str:
    """Some columns of a row as a JSON text, long values cut."""
    values = ", ".join(part for one, kind in columns for part in (literal(one), _shown(name(one), kind)))
    return f"to_json(named_struct({values}), map('ignoreNullFields', 'false'))"


def _shown(v: str, kind: DataType | None) -> str:
    if kind is None or kind.root in _PLAIN:
        return v
    if kind.root in (Root.BINARY, Root.VARBINARY):
        return f"concat('0x', hex(substring({v}, 1, {_LONGEST // 2})))"
    return f"substring(try_cast({v} as string), 1, {_LONGEST})"


# ---------------------------------------------------------------- rows that are kept apart


def notes(checks: Sequence[Check], more: Sequence[str] = ()) -> str:
    """An array of what a row breaks, as SQL; empty if it breaks nothing. In groups, for Java's methods are short."""
    parts = [*more, *(f"if({one.condition}, {note(one.path, one.rule)}, null)" for one in checks)]
    if not parts:
        return f"cast(array() as array<{NOTE_TYPE}>)"
    arrays = ", ".join(f"array({', '.join(group)})" for group in _groups(parts))
    return f"filter(concat({arrays}), `a note` -> `a note` is not null)"


def note(path: str, rule: str) -> str:
    """One thing that a row breaks."""
    return f"named_struct('column', {literal(path)}, 'rule', '{rule}')"


def _groups(parts: Sequence[str], size: int = 100) -> Iterator[Sequence[str]]:
    return (parts[start : start + size] for start in range(0, len(parts), size))
