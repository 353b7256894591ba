"""Answers from footers alone: whether a column has no NULL, and whether its integers fit a narrower type, without reading a row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark.evidence.footer_statistics import UNKNOWN, Range, read_ranges
from airflow_provider_schemas.spark.evidence.questions import ProofQuestion
from airflow_provider_schemas.spark.files.data_file import PARQUET
from airflow_provider_schemas.spark.files.discovery import FoundFiles
from airflow_provider_schemas.spark.files.file_schemas import Origins, ResolvedFile
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.store.footers.bound_folders import Bound, check_bindings
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.type_likeness import alike
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What a file says of a column that it does not have: every row of it is NULL.
_ABSENT: Final = Range(nulls=1, empty=True)


class ProofAnswer(Struct, frozen=True):
    """An answer: whether it is so, and why not."""

    holds: bool
    reason: str = ""


def answer_by_footers(
    spark: "SparkSession", table: Table, found: FoundFiles, questions: Sequence[ProofQuestion]
) -> dict[ProofQuestion, ProofAnswer]:
    """Return the answers that footers give; for the other questions the rows have to be read."""
    simple = [question for question in questions if question.whole and (question.not_null or question.kind.root in BITS)]
    if not simple or is_connect(spark) or any(file.format != PARQUET for file in found.files):
        return {}
    file_footers = read_footers(spark, found.files, table.name)
    sources = _read_sources(table, found, file_footers)
    answers = {}
    for question in simple:
        answer = _answer(question, _read_column(spark, table.name, sources, file_footers, question))
        if answer is not None:
            answers[question] = answer
    return answers


def _read_sources(table: Table, found: FoundFiles, file_footers: Sequence[Footer]) -> list[ResolvedFile]:
    """Return the files, each with what it holds."""
    known = KnownFields(table.versions())
    bindings = table.bindings() if found.base else ()
    check_bindings(table.name, bindings, known.versions.values())
    return Origins(table.name, known, table.schema(), found.base, Bound(bindings, found.base)).resolve(found.files, file_footers)


def _read_column(
    spark: "SparkSession", table: str, sources: Sequence[ResolvedFile], file_footers: Sequence[Footer], question: ProofQuestion
) -> list[Range]:
    """Return what each file says of a column; nothing, where its values are only made of what is in the file."""
    pending = []
    known: list[Range | None] = []
    for source, footer in zip(sources, file_footers, strict=True):
        column = _find_column(source, question.id)
        if column is not None and _keeps_values(column.type, question.now):
            pending.append((source.file, footer.columns, column.name))
            known.append(None)
        elif column is not None or _is_in_folders(source, question.id):
            known.append(UNKNOWN)
        else:
            known.append(_ABSENT)
    read = iter(read_ranges(spark, table, pending))
    return [next(read) if file_range is None else file_range for file_range in known]


def _find_column(source: ResolvedFile, number: int) -> Field | None:
    return next((column for column in source.written.columns if column.id == number), None)


def _keeps_values(written: DataType, now: DataType) -> bool:
    """Return whether every value of a file is one now. What is converted may fail, or become NULL."""
    return alike(written, now) or lossless(written.with_nullable(True), now.with_nullable(True))


def _is_in_folders(source: ResolvedFile, number: int) -> bool:
    """Return whether the names of folders give a column its values."""
    return any(column.id == number for column in source.written.keys)


def _answer(question: ProofQuestion, ranges: Sequence[Range]) -> ProofAnswer | None:
    if question.not_null:
        return _answer_not_null(ranges)
    return _answer_fits(question, ranges)


def _answer_not_null(ranges: Sequence[Range]) -> ProofAnswer | None:
    holding = sum(1 for column in ranges if column.nulls)
    if holding:
        return ProofAnswer(False, f"{holding:,} of {len(ranges):,} files hold NULL")
    if any(column.nulls is None for column in ranges):
        return None
    return ProofAnswer(True)


def _answer_fits(question: ProofQuestion, ranges: Sequence[Range]) -> ProofAnswer | None:
    half = 1 << BITS[question.kind.root] - 1
    ends = [(column.least, column.most) for column in ranges if not column.empty]
    known = [(least, most) for least, most in ends if least is not None and most is not None]
    beyond = [(least, most) for least, most in known if not -half <= least <= most < half]
    if beyond:
        values = f"from {min(least for least, _ in beyond)} to {max(most for _, most in beyond)}"
        return ProofAnswer(False, f"{len(beyond):,} of {len(ranges):,} files hold values {values}")
    if len(known) < len(ends):
        return None
    return ProofAnswer(True)
