"""Findings of one kind as one: one block says what happens and what to do, and names all the columns, or all the tables."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.wording import counted

FEW = 2
"""So few findings of one kind, or tables with the same findings, stand by themselves."""
_COLUMNS = ("FIELD_", "TYPE_", "EXPECT_FIELD_", "EXPECT_TYPE_")

Kind: TypeAlias = tuple[object, ...]


class ViewGroup(Struct, frozen=True):
    """Findings of one kind as people read them, with what they are about."""

    views: tuple[View, ...]
    """Those that are shown, at least one."""
    number: int = 1
    """How many there are."""
    labels: tuple[str, ...] = ()
    """The tables that they are about, where each is about another one."""

    @property
    def first(self) -> View:
        return self.views[0]

    @property
    def is_single(self) -> bool:
        """Return whether it is one finding, which stands by itself."""
        return self.number == 1

    @property
    def what(self) -> str:
        """Return what it is about: the column with its id, or the number of columns."""
        if self.is_single or self.labels:
            return self.first.identified
        return counted(self.number, "column" if self.first.rule.startswith(_COLUMNS) else "finding")

    @property
    def place(self) -> str:
        """Return the place of a single finding; of several, the file that all of them are in."""
        if self.is_single:
            return self.first.place
        files = {view.place.partition(":")[0] for view in self.views}
        return min(files) if len(files) == 1 else ""


class Grouped(Struct, frozen=True):
    """The groups of some findings, and what is not shown of them."""

    groups: tuple[ViewGroup, ...]
    hidden: tuple[Finding, ...] = ()


def grouped(findings: Sequence[Finding], limit: int, table: str = "", *, kept_elsewhere: bool = False) -> Grouped:
    """Return the findings in groups, in their order; so many groups, and so many findings of each, are shown."""
    blocks = _blocks(findings)
    groups = []
    for block in blocks[:limit]:
        views = tuple(View.of(finding, table, kept_elsewhere=kept_elsewhere) for finding in block[:limit])
        groups.append(ViewGroup(views, len(block)))
    hidden = tuple(finding for block in blocks[limit:] for finding in block)
    return Grouped(tuple(groups), hidden)


def _blocks(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Return the findings of one kind together, where the first of them stands; a few by themselves."""
    kinds: dict[Kind, list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(_kind(finding), []).append(finding)
    blocks: list[list[Finding]] = []
    for finding in findings:
        alike = kinds[_kind(finding)]
        if len(alike) <= FEW:
            blocks.append([finding])
        elif alike[0] is finding:
            blocks.append(alike)
    return blocks


def _kind(finding: Finding) -> Kind:
    """Return what findings have in common that say the same of different columns."""
    verdicts = (finding.verdict, finding.verdicts, finding.data, finding.jobs, finding.writers)
    return (finding.rule, verdicts, finding.why, finding.fault, bool(finding.waived), finding.proven)


# ---------------------------------------------------------------- tables


def reports_alike(reports: Sequence[Report]) -> list[list[Report]]:
    """Return the reports in their order; those that find the same in different tables together, a few by themselves."""
    kinds: dict[Kind, list[Report]] = {}
    keys = [_findings_of(report) for report in reports]
    for report, key in zip(reports, keys, strict=True):
        kinds.setdefault(key, []).append(report)
    alike: list[list[Report]] = []
    for report, key in zip(reports, keys, strict=True):
        if len(kinds[key]) <= FEW:
            alike.append([report])
        elif kinds[key][0] is report:
            alike.append(kinds[key])
    return alike


def _findings_of(report: Report) -> Kind:
    findings = map(masked_finding, report.findings)
    said = tuple((*_kind(finding), finding.path, finding.old, finding.new, finding.owner, finding.contact) for finding in findings)
    return (report.verdict, said, report.notes, report.kept_elsewhere, report.table == "")


def across_tables(findings: Sequence[Sequence[Finding]], reports: Sequence[Report], limit: int) -> Iterator[ViewGroup]:
    """Yield a group for each finding that all reports have; the first sequence of findings is that of the first report."""
    shown = reports[:limit]
    for number in range(min(len(findings[0]), limit)):
        views = tuple(
            View.of(of_report[number], report.table, kept_elsewhere=report.kept_elsewhere)
            for of_report, report in zip(findings, shown, strict=False)
        )
        yield ViewGroup(views, len(reports), tuple(report.table for report in shown))


def without_repetitions(groups: Sequence[ViewGroup], *, job_is_known: bool = False) -> Iterator[ViewGroup]:
    """Yield the groups without explanations that stand above already, and without a job that stands above all."""
    explained: set[str] = set()
    for group in groups:
        views: list[View] = []
        for view in group.views:
            why = "" if view.why in explained else view.why
            views.append(replace(view, why=why, consumers=() if job_is_known else view.consumers))
        yield replace(group, views=tuple(views))
        explained.update(view.why for view in group.views)
