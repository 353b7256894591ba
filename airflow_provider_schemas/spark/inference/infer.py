"""A schema from data, with what the data say for it: nulls, ranges, text that is really numbers or dates, renames.

    found = infer("s3a://landing/orders", spark=spark, against=store.table("shop.orders"))
    store.create_table("shop.orders", found.schema)        # or: store.table("shop.orders").plan(target=found.merged.schema)

All rows are looked at, once. Nothing of what is found is decided for you: text that looks like dates stays text in the
schema, and a column that may be a renamed one is a candidate with reasons.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.core.evolution.merge import merge
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.spark.inference import column_evidence, renames
from airflow_provider_schemas.spark.inference.result import ColumnEvidence, Inferred, Merged
from airflow_provider_schemas.spark.inference.schema import read_schema
from airflow_provider_schemas.spark.inference.source import FORMATS, Data, find_partitions, open_frame
from airflow_provider_schemas.spark.session import functions_of
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_UNKNOWN: Final = "void"


def infer(
    data: Data,
    *,
    spark: "SparkSession | None" = None,
    against: Table | TableSchema | None = None,
    format: str = "",  # noqa: A002  # the word Spark's own readers use
    options: Mapping[str, str] | None = None,
    evidence: bool = True,
    distinct: bool = False,
) -> Inferred:
    """Return the schema of a frame, or of the files under a path (for which a session is needed), and what its rows say.

    Against is a Table or a TableSchema: what merging the data into it would do is said, and which column may be a renamed
    one; of a Table the values of such columns are compared too. Format is that of the files; without one it follows from
    their names. Without evidence no rows are read; with distinct they are read once more, to count different values. Files
    of CSV are taken to have a header, unless options say otherwise.
    """
    _check_format(format)
    table, known = _read_known(against)
    frame, path, line_notes = open_frame(data, spark, format, options or {})
    if getattr(frame, "isStreaming", False) and evidence:
        fix = "Pass evidence=False, or the files behind the stream."
        raise SparkError("the rows of a stream have no end.", code="spark.stream", path="data", fix=fix)
    read = read_schema(frame, known)
    keys, key_notes = find_partitions(frame, path)
    schema = msgspec.structs.replace(read.schema, partition_keys=tuple(key for key in keys if read.schema.field(key) is not None))
    examination = _Examination(frame, schema, read.places, known, table)
    rows, columns, complements = examination.measure(count_distinct=distinct) if evidence else (0, (), ())
    merged = _merge(known, schema)
    candidates, value_notes = examination.find_renames(complements, compare=evidence)
    void = tuple(ColumnEvidence(name, _UNKNOWN, nulls=rows) for name in read.void)
    return Inferred(schema, rows, (*columns, *void), (*read.notes, *line_notes, *key_notes, *value_notes), merged, candidates)


def _check_format(kind: str) -> None:
    if kind and kind not in FORMATS:
        fix = f"Use one of {', '.join(FORMATS)}; other sources are read into a DataFrame first."
        raise SparkError(f"{shown(kind)} is no format of files.", code="spark.format", path="format", fix=fix)


def _read_known(against: Table | TableSchema | None) -> tuple[Table | None, TableSchema | None]:
    """Return the table, if it is one, and the schema to compare with."""
    if against is None or isinstance(against, TableSchema):
        return None, against
    if not callable(getattr(against, "schema", None)):
        message = f"a {type(against).__name__} is nothing to compare with."
        raise SparkError(message, code="spark.against", path="against", fix="Pass a Table of a SchemaStore, or a TableSchema.")
    return against, against.schema()


def _merge(known: TableSchema | None, schema: TableSchema) -> Merged | None:
    """Return what merging the data into the schema of a table would do; None if there is none."""
    if known is None:
        return None
    try:
        result = merge(known, schema)
    except SchemaError as error:
        return Merged(None, faults=error.faults)
    return Merged(result, diff(known, result))


class _Examination:
    """Examines the rows of a frame."""

    def __init__(
        self, frame: "DataFrame", schema: TableSchema, places: Mapping[str, int], known: TableSchema | None, table: Table | None
    ) -> None:
        self.schema = schema
        self.places = places
        self.known = known
        self.table = table
        # By place, because Spark takes names that differ in case for one.
        self.frame = frame.toDF(*map(column_evidence.place_name, range(len(frame.columns))))

    def measure(self, *, count_distinct: bool) -> tuple[int, tuple[ColumnEvidence, ...], tuple[RenameCandidate, ...]]:
        """Return how many rows there are, what they say of the columns, and which two columns may be one."""
        F = functions_of(self.frame)  # noqa: N806  # Spark's functions are F everywhere
        leaves = list(column_evidence.find_leaves(self.schema, self.places, F))
        pairs = [] if self.known is None else renames.find_pairs(self.known, self.schema)
        pair_measures = {pair: renames.pair_measures(pair, self.places, F) for pair in pairs}
        rows, answers = column_evidence.measure(self.frame, leaves, pair_measures)
        different = column_evidence.count_distinct(self.frame, leaves) if count_distinct else {}
        columns = tuple(
            column_evidence.make_evidence(leaf, answers[number], rows, different.get(number)) for number, leaf in enumerate(leaves)
        )
        return rows, columns, tuple(renames.find_complements({pair: answers[pair] for pair in pairs}, rows))

    def find_renames(self, complements: tuple[RenameCandidate, ...], *, compare: bool) -> tuple[tuple[RenameCandidate, ...], list[str]]:
        """Return the columns that may be renamed ones, by their names and places, and by what the rows say; and notes."""
        if self.known is None:
            return (), []
        by_name = diff(self.known, self.schema, by_name=True).candidates
        if self.table is None or not compare:
            return (*by_name, *complements), []
        compared, notes = renames.compare_values(by_name, self.table, self.known, self.frame, self.places)
        return (*compared, *complements), notes
