"""The findings of an audit in a few lines: by rule, with whose tables they are, and what was looked at."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import SEVERITY, Verdict, worst
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.render.wording import MARKS
from airflow_provider_schemas.spark.auditing.frames import counts_of, rows_of
from airflow_provider_schemas.spark.auditing.rows import Row
from airflow_provider_schemas.spark.session import functions_of, session_of_frame

UNREAD: Final = "TABLE_UNREAD"
_NEEDED: Final = frozenset({"table", "rule", "verdict", "owner"})
# How many tables and owners a line names.
_NAMED: Final = 3


class Line(Struct, frozen=True):
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
        named = ", ".join(self.examples) + (", ..." if self.tables > len(self.examples) else "")
        owners = f" ({', '.join(self.owners)})" if self.owners else ""
        tables = f"{self.tables:>7,} {_word(self.tables, 'table'):<6}"
        return f"  {MARKS[self.verdict]} {self.findings:>7,}  {self.rule:<28} {tables} {named}{owners}"


class Summary(Struct, frozen=True):
    """How many findings of what, the worst first. Its text is what people read; `to_dict` is small enough for XCom."""

    lines: tuple[Line, ...] = ()
    tables: int | None = None
    """How many tables were looked at; None if the findings do not say so any more."""
    versions: int | None = None
    files: int | None = None
    """How many data files were looked at."""
    unread: int = 0
    """How many tables could not be read, or not all of them."""

    @property
    def verdict(self) -> Verdict:
        """The worst of all findings."""
        return worst(one.verdict for one in self.lines)

    @property
    def findings(self) -> int:
        """How many findings there are."""
        return sum(one.findings for one in self.lines)

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values only."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {"verdict": self.verdict.value, "findings": self.findings, **plain}

    def __str__(self) -> str:
        looked = [f"{count:,} {_word(count, what)}" for count, what in self._looked if count is not None]
        found = f"{self.findings:,} {_word(self.findings, 'finding')}" if self.lines else "nothing was found"
        unread = f"; {self.unread:,} {_word(self.unread, 'table')} could not be read, or not all of them" if self.unread else ""
        return "\n".join([f"{' · '.join([*looked, found])}{unread}", *map(str, self.lines)])

    @property
    def _looked(self) -> tuple[tuple[int | None, str], ...]:
        return (self.tables, "table"), (self.versions, "version"), (self.files or None, "data file")


def _word(count: int | None, what: str) -> str:
    return what if count == 1 else f"{what}s"


def summarize(findings: Any) -> Summary:
    """The summary of what `audit` returned, or of what was kept of it: one small job, or none."""
    session_of_frame(findings)
    lacking = _NEEDED - set(findings.columns)
    if lacking:
        message = f"this frame has no column {', '.join(map(shown, sorted(lacking)))}, so it is none of findings."
        raise SparkError(message, code="audit.no-findings", path="findings", fix="Pass what audit(...) returned.")
    lines, unread = _lines(findings)
    counts = counts_of(findings)
    looked = {} if counts is None else {"tables": counts.tables, "versions": counts.versions, "files": counts.files}
    return Summary(lines, unread=unread, **looked)


def _lines(findings: Any) -> tuple[tuple[Line, ...], int]:
    """A line for each rule and verdict."""
    rows = rows_of(findings)
    lines = _by_spark(findings) if rows is None else _by_hand(rows)
    unread = sum(line.tables for line in lines if line.rule == UNREAD)
    return tuple(sorted(lines, key=lambda line: (-SEVERITY[line.verdict], -line.findings, line.rule))), unread


def _by_spark(findings: Any) -> list[Line]:
    """One job, whatever the number of findings."""
    F = functions_of(findings)  # noqa: N806  # as everybody calls it
    tables = F.array_sort(F.collect_set("table"))
    owners = F.array_sort(F.collect_set(F.when(F.col("owner") != "", F.col("owner"))))
    counts = F.count(F.lit(1)), F.countDistinct("table"), F.slice(owners, 1, _NAMED), F.slice(tables, 1, _NAMED)
    rows = findings.groupBy("rule", "verdict").agg(*counts).collect()
    return [Line(row[0], Verdict(row[1]), row[2], row[3], tuple(row[4]), tuple(row[5])) for row in rows]


def _by_hand(rows: Sequence[Row]) -> list[Line]:
    """The same of rows that are at hand."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.rule, row.verdict), []).append(row)
    return [_line(rule, Verdict(verdict), group) for (rule, verdict), group in groups.items()]


def _line(rule: str, verdict: Verdict, rows: Sequence[Row]) -> Line:
    tables = sorted({row.table for row in rows})
    owners = sorted({row.owner for row in rows if row.owner})
    return Line(rule, verdict, len(rows), len(tables), tuple(owners[:_NAMED]), tuple(tables[:_NAMED]))
