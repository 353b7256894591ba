"""Columns that may be others under a new name, by what the data say: never a decision, only reasons for a person.

Of two columns of one type of which no row has both, one may have taken the other's place half way through the data. And
values of a new column that the missing one has held as well say more than names do.
"""

from collections.abc import Iterable, Mapping
from itertools import islice, product
from types import ModuleType
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.inference.column_evidence import ColumnMeasures, Values, place_name
from airflow_provider_schemas.spark.inference.source import collect_rows
from airflow_provider_schemas.spark.reading.read_table import read_table
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_PAIRS: Final = 64
_NEARLY_ALL: Final = 0.9
_COMPARED: Final = 5
_SAMPLE: Final = 1_000

Pair = tuple[str, str]


def find_pairs(known: TableSchema, schema: TableSchema) -> list[Pair]:
    """Return the columns of the table that the data have, each with the new ones of its type."""
    present = [column for column in known.fields if schema.field(column.name) is not None]
    fresh = [column for column in schema.fields if known.field(column.name) is None]
    pairs = ((old.name, new.name) for old, new in product(present, fresh) if same_type(old.type, new.type))
    return list(islice(pairs, _MOST_PAIRS))


def pair_measures(pair: Pair, places: Mapping[str, int], F: ModuleType) -> ColumnMeasures:  # noqa: N803  # Spark's functions are F everywhere
    """Return the measures of how many rows have one of the two columns, and both."""
    columns = tuple(place_name(places[name]) for name in pair)
    old, new = (F.col(name).isNotNull() for name in columns)
    return ColumnMeasures(columns, {"old": F.count_if(old), "new": F.count_if(new), "both": F.count_if(old & new)})


def find_complements(answers: Mapping[Pair, Values], rows: int) -> Iterable[RenameCandidate]:
    """Yield pairs of which no row has both, and nearly all have one."""
    for (old, new), values in answers.items():
        either = values["old"] + values["new"]
        if values["old"] and values["new"] and not values["both"] and either >= _NEARLY_ALL * rows:
            share = "every row has" if either == rows else f"{either / rows:.0%} of the rows have"
            yield RenameCandidate(old, new, ("same type", "no row has both", f"{share} one of the two"))


def compare_values(
    candidates: Iterable[RenameCandidate], table: Table, known: TableSchema, frame: "DataFrame", places: Mapping[str, int]
) -> tuple[tuple[RenameCandidate, ...], list[str]]:
    """Return the candidates, with how many values of the new column the old one has held; and what could not be compared."""
    compared = []
    notes = []
    for number, candidate in enumerate(candidates):
        old = known.field(candidate.old)
        reason = ""
        if number < _COMPARED and candidate.new in places and old is not None and isinstance(old.type, AtomicType):
            try:
                reason = _count_overlap(table, candidate, frame, places)
            except SchemaError as error:
                notes.append(f"the values of {candidate.old} and {candidate.new} could not be compared: {error.faults[0]}")
        if reason:
            compared.append(RenameCandidate(candidate.old, candidate.new, (*candidate.reasons, reason)))
        else:
            compared.append(candidate)
    return tuple(compared), notes


def _count_overlap(table: Table, candidate: RenameCandidate, frame: "DataFrame", places: Mapping[str, int]) -> str:
    """Look for a few values of the new column in the old one, in one scan, and return how many are there; empty if there are none."""
    sample = [row[0] for row in collect_rows(_distinct_values(frame.select(place_name(places[candidate.new]))).limit(_SAMPLE))]
    if not sample:
        return ""
    old = read_table(frame.sparkSession, table, columns=[candidate.old]).toDF("v")
    found = collect_rows(_distinct_values(old.where(old["v"].isin(sample))).limit(_SAMPLE))
    return f"{len(found) / len(sample):.0%} of {len(sample):,} values overlap"


def _distinct_values(frame: "DataFrame") -> "DataFrame":
    return frame.toDF("v").dropna().distinct()
