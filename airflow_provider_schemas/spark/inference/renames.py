"""Columns that may be others under a new name, by what the data say: never a decision, only reasons for a person.

Of two columns of one type of which no row has both, one may have taken the other's place half way through the data. And
values of a new column that the missing one has held as well say more than names do.
"""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.inference.column_evidence import Asked, called
from airflow_provider_schemas.spark.inference.source import rows_of
from airflow_provider_schemas.spark.reading.read_table import read_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_PAIRS: Final = 64
_NEARLY_ALL: Final = 0.9
_COMPARED: Final = 5
_SAMPLE: Final = 1_000

Pair = tuple[str, str]


def pairs(known: TableSchema, schema: TableSchema) -> list[Pair]:
    """The columns of the table that the data have, each with the new ones of its type."""
    there = [one for one in known.fields if schema.field(one.name) is not None]
    fresh = [one for one in schema.fields if known.field(one.name) is None]
    return [(old.name, new.name) for old in there for new in fresh if same_type(old.type, new.type)][:_MOST_PAIRS]


def asked(pair: Pair, places: Mapping[str, int], F: ModuleType) -> Asked:  # noqa: N803  # Spark's functions are F everywhere
    """How many rows have one of the two, and both."""
    columns = tuple(called(places[name]) for name in pair)
    old, new = (F.col(name).isNotNull() for name in columns)
    return Asked(columns, {"old": F.count_if(old), "new": F.count_if(new), "both": F.count_if(old & new)})


def complements(answers: Mapping[Pair, Mapping[str, Any]], rows: int) -> Iterable[RenameCandidate]:
    """Pairs of which no row has both, and nearly all have one."""
    for (old, new), values in answers.items():
        either = values["old"] + values["new"]
        if values["old"] and values["new"] and not values["both"] and either >= _NEARLY_ALL * rows:
            share = "every row has" if either == rows else f"{either / rows:.0%} of the rows have"
            yield RenameCandidate(old, new, ("same type", "no row has both", f"{share} one of the two"))


def compared(
    candidates: Iterable[RenameCandidate], table: Any, known: TableSchema, frame: "DataFrame", places: Mapping[str, int]
) -> tuple[tuple[RenameCandidate, ...], list[str]]:
    """The candidates, with how many values of the new column the old one has held; and what could not be compared."""
    answer, notes = list[RenameCandidate](), list[str]()
    for number, one in enumerate(candidates):
        old = known.field(one.old)
        reason = ""
        if number < _COMPARED and one.new in places and old is not None and isinstance(old.type, AtomicType):
            try:
                reason = _overlap(table, one, frame, places)
            except SchemaError as error:
                notes.append(f"the values of {one.old} and {one.new} could not be compared: {error.faults[0]}")
        answer.append(RenameCandidate(one.old, one.new, (*one.reasons, reason)) if reason else one)
    return tuple(answer), notes


def _overlap(table: Any, one: RenameCandidate, frame: "DataFrame", places: Mapping[str, int]) -> str:
    """One scan of the old column: a few values of the new one are looked for in it."""
    sample = [row[0] for row in rows_of(_values(frame.select(called(places[one.new]))).limit(_SAMPLE))]
    if not sample:
        return ""
    old = read_table(frame.sparkSession, table, columns=[one.old]).toDF("v")
    found = rows_of(_values(old.where(old["v"].isin(sample))).limit(_SAMPLE))
    return f"{len(found) / len(sample):.0%} of {len(sample):,} values overlap"


def _values(frame: "DataFrame") -> "DataFrame":
    return frame.toDF("v").dropna().distinct()
