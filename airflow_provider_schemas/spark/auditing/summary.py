"""The findings of an audit in a few lines: by rule, with whose tables they are, and what was looked at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import SEVERITY, Verdict, worst
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.render.wording import MARKS, counted
from airflow_provider_schemas.spark.auditing.frames import read_counts, recall_rows
from airflow_provider_schemas.spark.auditing.rows import Row
from airflow_provider_schemas.spark.session import functions_of, session_of_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

UNREAD: Final = "TABLE_UNREAD"
_NEEDED: Final = frozenset({"table", "rule", "verdict", "owner"})
# How many tables and owners a line names.
_NAMED: Final = 3


class SummaryLine(Struct, frozen=True):
    """One rule of the summary."""

    rule: str
    verdict: Verdict
    findings: int
    tables: int
    owners: tuple[str, ...] = ()
    """The first of those whose tables they are."""
    examples: tuple[str, ...] = ()
    """The first tables it was found at."""

    def __str__(self) -> str:
        examples = ", ".join(self.examples)
        if self.tables > len(self.examples):
            examples += ", ..."
        owners = f" ({', '.join(self.owners)})" if self.owners else ""
        tables = f"{self.tables:>7,} {_plural(self.tables, 'table'):<6}"
        return f"  {MARKS[self.verdict]} {self.findings:>7,}  {self.rule:<28} {tables} {examples}{owners}"


class Summary(Struct, frozen=True):
    """How many findings of what, the worst first. Its text is what people read; `to_dict` is small enough for XCom."""

    lines: tuple[SummaryLine, ...] = ()
    tables: int | None = None
    """How many tables were looked at; None if the findings do not say so any more."""
    versions: int | None = None
    files: int | None = None
    """How many data files were looked at."""
    unread: int = 0
    """How many tables could not be read, or not all of them."""

    @property
    def verdict(self) -> Verdict:
        """Return the worst verdict of all findings."""
        return worst(line.verdict for line in self.lines)

    @property
    def findings(self) -> int:
        """Return how many findings there are."""
        return sum(line.findings for line in self.lines)

    def to_dict(self) -> Mapping[str, Any]:
        """Return the summary as plain values only."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {"verdict": self.verdict.value, "findings": self.findings, **plain}

    def __str__(self) -> str:
        found = counted(self.findings, "finding") if self.lines else "nothing was found"
        unread = f"; {counted(self.unread, 'table')} could not be read, or not all of them" if self.unread else ""
        return "\n".join([f"{' · '.join([*self._counts(), found])}{unread}", *map(str, self.lines)])

    def _counts(self) -> Iterator[str]:
        """Yield what was looked at, as far as the findings say so."""
        for count, word in ((self.tables, "table"), (self.versions, "version"), (self.files or None, "data file")):
            if count is not None:
                yield counted(count, word)


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def summarize(findings: "DataFrame") -> Summary:
    """Return the summary of what `audit` returned, or of what was kept of it: one small job, or none."""
    session_of_frame(findings)
    lacking = _NEEDED - set(findings.columns)
    if lacking:
        message = f"this frame has no column {', '.join(map(shown, sorted(lacking)))}, so it is none of findings."
        raise SparkError(message, code="audit.no-findings", path="findings", fix="Pass what audit(...) returned.")
    lines = _make_lines(findings)
    unread = sum(line.tables for line in lines if line.rule == UNREAD)
    counts = read_counts(findings)
    if counts is None:
        return Summary(lines, unread=unread)
    return Summary(lines, counts.tables, counts.versions, counts.files, unread)


def _make_lines(findings: "DataFrame") -> tuple[SummaryLine, ...]:
    """Make a line for each rule and verdict, the worst first."""
    rows = recall_rows(findings)
    lines = _group_with_spark(findings) if rows is None else _group_rows(rows)
    return tuple(sorted(lines, key=lambda line: (-SEVERITY[line.verdict], -line.findings, line.rule)))


def _group_with_spark(findings: "DataFrame") -> list[SummaryLine]:
    """Group the findings in one job, whatever their number."""
    F = functions_of(findings)  # noqa: N806  # as everybody calls it
    tables = F.array_sort(F.collect_set("table"))
    owners = F.array_sort(F.collect_set(F.when(F.col("owner") != "", F.col("owner"))))
    counts = F.count(F.lit(1)), F.countDistinct("table"), F.slice(owners, 1, _NAMED), F.slice(tables, 1, _NAMED)
    rows = findings.groupBy("rule", "verdict").agg(*counts).collect()
    return [SummaryLine(row[0], Verdict(row[1]), row[2], row[3], tuple(row[4]), tuple(row[5])) for row in rows]


def _group_rows(rows: Sequence[Row]) -> list[SummaryLine]:
    """Group rows that are in memory."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.rule, row.verdict), []).append(row)
    return [_make_line(rule, Verdict(verdict), group) for (rule, verdict), group in groups.items()]


def _make_line(rule: str, verdict: Verdict, rows: Sequence[Row]) -> SummaryLine:
    tables = sorted({row.table for row in rows})
    owners = sorted({row.owner for row in rows if row.owner})
    return SummaryLine(rule, verdict, len(rows), len(tables), tuple(owners[:_NAMED]), tuple(tables[:_NAMED]))
