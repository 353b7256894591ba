"""Answers from footers alone: whether a column has no NULL, and whether its integers fit a narrower type, without reading a row."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark.evidence.footer_statistics import UNKNOWN, Range, ranges
from airflow_provider_schemas.spark.evidence.questions import Question
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


class Said(Struct, frozen=True):
    """An answer: whether it is so, and why not."""

    holds: bool
    reason: str = ""


def by_footers(spark: "SparkSession", table: Table, found: FoundFiles, asked: Sequence[Question]) -> dict[Question, Said]:
    """What footers answer; what is not in it, only rows can tell."""
    simple = [one for one in asked if one.whole and (one.not_null or one.kind.root in BITS)]
    if not simple or is_connect(spark) or any(one.format != PARQUET for one in found.files):
        return {}
    read = read_footers(spark, found.files, table.name)
    sources = _sources(table, found, read)
    answers = {one: _answer(one, _ranges(spark, table.name, sources, read, one)) for one in simple}
    return {one: answer for one, answer in answers.items() if answer is not None}


def _sources(table: Table, found: FoundFiles, read: Sequence[Footer]) -> list[ResolvedFile]:
    """The files, each with what it holds."""
    known, bindings = KnownFields(table.versions()), table.bindings() if found.base else ()
    check_bindings(table.name, bindings, known.versions.values())
    return Origins(table.name, known, table.schema(), found.base, Bound(bindings, found.base)).resolve(found.files, read)


def _ranges(spark: "SparkSession", table: str, sources: Sequence[ResolvedFile], read: Sequence[Footer], asked: Question) -> list[Range]:
    """What each file says of a column; nothing, where its values are only made of what is in the file."""
    found = [_column(one, asked.id) for one in sources]
    kept = [None if one is None or not _is_kept(one.type, asked.now) else one for one in found]
    files = [(one.file, footer.columns, column.name) for one, footer, column in zip(sources, read, kept, strict=True) if column is not None]
    said = iter(ranges(spark, table, files))
    without = [UNKNOWN if column is not None or asked.id in _given(one) else _ABSENT for one, column in zip(sources, found, strict=True)]
    return [other if column is None else next(said) for column, other in zip(kept, without, strict=True)]


def _is_kept(there: DataType, now: DataType) -> bool:
    """Whether every value of a file is one now. What is converted may fail, or become NULL."""
    return alike(there, now) or lossless(there.with_nullable(True), now.with_nullable(True))


def _given(source: ResolvedFile) -> set[int]:
    """The columns that folders speak for."""
    return {one.id for one in source.written.keys}


def _column(source: ResolvedFile, number: int) -> Field | None:
    return next((one for one in source.written.columns if one.id == number), None)


def _answer(asked: Question, found: Sequence[Range]) -> Said | None:
    return _nulls(found) if asked.not_null else _fitting(asked, found)


def _nulls(found: Sequence[Range]) -> Said | None:
    holding = sum(1 for one in found if one.nulls)
    if holding:
        return Said(False, f"{holding:,} of {len(found):,} files hold NULL")
    return None if any(one.nulls is None for one in found) else Said(True)


def _fitting(asked: Question, found: Sequence[Range]) -> Said | None:
    half = 1 << BITS[asked.kind.root] - 1
    filled = [one for one in found if not one.empty]
    beyond = [one for one in filled if one.least is not None and one.most is not None and not -half <= one.least <= one.most < half]
    if beyond:
        ends = f"from {min(one.least or 0 for one in beyond)} to {max(one.most or 0 for one in beyond)}"
        return Said(False, f"{len(beyond):,} of {len(found):,} files hold values {ends}")
    return None if any(one.least is None or one.most is None for one in filled) else Said(True)
