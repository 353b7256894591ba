"""A schema from data, with what the data say for it: nulls, ranges, text that is really numbers or dates, renames.

    found = infer("s3a://landing/orders", spark=spark, against=store.table("shop.orders"))
    store.create_table("shop.orders", found.schema)        # or: store.table("shop.orders").plan(target=found.merged.schema)

All rows are looked at, once. Nothing of what is found is decided for you: text that looks like dates stays text in the
schema, and a column that may be a renamed one is a candidate with reasons.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.core.evolution.merge import merge
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.spark.inference import column_evidence, renames
from airflow_provider_schemas.spark.inference.result import ColumnEvidence, Inferred, Merged
from airflow_provider_schemas.spark.inference.schema import schema_of
from airflow_provider_schemas.spark.inference.source import FORMATS, frame_of, partitions
from airflow_provider_schemas.spark.session import functions_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_UNKNOWN: Final = "void"


def infer(
    data: Any,
    *,
    spark: "SparkSession | None" = None,
    against: Any = None,
    format: str = "",  # noqa: A002  # the word Spark's own readers use
    options: Mapping[str, str] | None = None,
    evidence: bool = True,
    distinct: bool = False,
) -> Inferred:
    """The schema of a frame, or of the files under a path (for which a session is needed), and what its rows say.

    Against is a Table or a TableSchema: what merging the data into it would do is said, and which column may be a renamed
    one; of a Table the values of such columns are compared too. Format is that of the files; without one it follows from
    their names. Without evidence no rows are read; with distinct they are read once more, to count different values. Files
    of CSV are taken to have a header, unless options say otherwise.
    """
    _check_format(format)
    table, known = _known(against)
    frame, path, about_lines = frame_of(data, spark, format, options or {})
    if getattr(frame, "isStreaming", False) and evidence:
        fix = "Pass evidence=False, or the files behind the stream."
        raise SparkError("the rows of a stream have no end.", code="spark.stream", path="data", fix=fix)
    schema, places, void, notes = schema_of(frame, known)
    keys, about_keys = partitions(frame, path)
    schema = msgspec.structs.replace(schema, partition_keys=tuple(one for one in keys if schema.field(one) is not None))
    look = _Look(frame, schema, places, known, table)
    rows, columns, complements = look.evidence(distinct) if evidence else (0, (), ())
    merged = None if known is None else _merged(known, schema)
    candidates, about_values = look.candidates(complements, compare=evidence)
    lost = tuple(ColumnEvidence(name, _UNKNOWN, nulls=rows) for name in void)
    return Inferred(schema, rows, (*columns, *lost), (*notes, *about_lines, *about_keys, *about_values), merged, candidates)


def _check_format(kind: str) -> None:
    if kind and kind not in FORMATS:
        fix = f"Use one of {', '.join(FORMATS)}; other sources are read into a DataFrame first."
        raise SparkError(f"{shown(kind)} is no format of files.", code="spark.format", path="format", fix=fix)


def _known(against: Any) -> tuple[Any, TableSchema | None]:
    """The table, if it is one, and the schema to compare with."""
    if against is None or isinstance(against, TableSchema):
        return None, against
    if not callable(getattr(against, "schema", None)):
        message = f"a {type(against).__name__} is nothing to compare with."
        raise SparkError(message, code="spark.against", path="against", fix="Pass a Table of a SchemaStore, or a TableSchema.")
    return against, against.schema()


def _merged(known: TableSchema, schema: TableSchema) -> Merged:
    try:
        result = merge(known, schema)
    except SchemaError as error:
        return Merged(None, faults=error.faults)
    return Merged(result, diff(known, result))


class _Look:
    """One look at the rows of a frame."""

    def __init__(self, frame: "DataFrame", schema: TableSchema, places: Mapping[str, int], known: TableSchema | None, table: Any) -> None:
        self.schema, self.places, self.known, self.table = schema, places, known, table
        # By place, because Spark takes names that differ in case for one.
        self.frame = frame.toDF(*map(column_evidence.called, range(len(frame.columns))))

    def evidence(self, count: bool) -> tuple[int, tuple[ColumnEvidence, ...], tuple[RenameCandidate, ...]]:
        """What the rows say of the columns, and which two may be one."""
        F = functions_of(self.frame)  # noqa: N806  # Spark's functions are F everywhere
        leaves = list(column_evidence.leaves(self.schema, self.places, F))
        pairs = [] if self.known is None else renames.pairs(self.known, self.schema)
        both = {pair: renames.asked(pair, self.places, F) for pair in pairs}
        rows, answers = column_evidence.measured(self.frame, leaves, both)
        different = column_evidence.distinct(self.frame, leaves) if count else {}
        columns = tuple(column_evidence.evidence(one, answers[number], rows, different.get(number)) for number, one in enumerate(leaves))
        return rows, columns, tuple(renames.complements({pair: answers[pair] for pair in pairs}, rows))

    def candidates(self, complements: tuple[RenameCandidate, ...], *, compare: bool) -> tuple[tuple[RenameCandidate, ...], list[str]]:
        """The columns that may be renamed ones, by their names and places, and by what the rows say."""
        if self.known is None:
            return (), []
        by_name = diff(self.known, self.schema, by_name=True).candidates
        if self.table is None or not compare:
            return (*by_name, *complements), []
        found, notes = renames.compared(by_name, self.table, self.known, self.frame, self.places)
        return (*found, *complements), notes
