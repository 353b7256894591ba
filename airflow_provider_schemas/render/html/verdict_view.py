"""The verdict of a gate as a page lays it out: the tables that need somebody, the worst first, and those that fit."""

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.render.findings.groups import ViewGroup, without_repetitions
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.verdict.entries import TableEntry, VerdictEntry
from airflow_provider_schemas.render.verdict.finding_entry import view_of
from airflow_provider_schemas.render.verdict.table_texts import (
    NamedTable,
    hidden_numbers,
    is_loud,
    numbers_text,
    requests_text,
    table_subject,
    verdict_numbers,
    worst_first,
)
from airflow_provider_schemas.render.wording import counted


class TableView(Struct, frozen=True):
    """One table of a verdict, and what is computed of it."""

    name: str
    entry: TableEntry
    subject: str
    groups: tuple[ViewGroup, ...]
    hidden: str
    """How many findings are not told here: 3 break."""
    counts: str
    written: str
    """When its version was written, by whom, in which run, by whose approval, from which commit."""
    writer_address: str
    """The page of the task that wrote it, in this Airflow."""


class VerdictView(Struct, frozen=True):
    """The verdict on the tables of a task, and what is computed of it."""

    entry: VerdictEntry
    verdict: Verdict
    """That of the whole, and none that is better than those of its tables."""
    title: str
    requests: str
    open: tuple[TableView, ...]
    """The tables that do not fit, warn, or fit because a finding is let through; the worst first."""
    folded: tuple[TableView, ...]
    """The tables that fit."""


def verdict_view(entry: VerdictEntry) -> VerdictView:
    """Return the verdict as it is laid out."""
    tables = worst_first(entry.tables.items())
    loud = [item for item in tables if _needs_somebody(item[1])]
    quiet = [item for item in tables if not _needs_somebody(item[1])]
    return VerdictView(
        entry,
        entry.earned,
        _title(entry),
        requests_text(entry),
        tuple(_table_view(item, entry) for item in loud),
        tuple(_table_view(item, entry) for item in quiet),
    )


def _needs_somebody(table: TableEntry) -> bool:
    return table.stands_out or table.verdict is not Verdict.OK or any(map(is_loud, table.findings))


def _title(entry: VerdictEntry) -> str:
    """Return who needs what: daily.gate needs 3 tables, 1 does not fit."""
    needs = f"{entry.consumer or 'The task'} needs {counted(len(entry.tables), 'table')}"
    unfit = sum(table.stands_out for table in entry.tables.values())
    if unfit:
        return f"{needs}, {unfit} {'does' if unfit == 1 else 'do'} not fit"
    if not entry.tables:
        return f"{needs}: nothing was looked at"
    return f"{needs}, {'it fits' if len(entry.tables) == 1 else 'all fit'}"


def _table_view(item: NamedTable, verdict: VerdictEntry) -> TableView:
    name, table = item
    loud = [finding for finding in table.findings if is_loud(finding)]
    groups = [ViewGroup((view_of(finding, verdict.rules),)) for finding in loud]
    hidden = hidden_numbers(table, loud)
    return TableView(
        name,
        table,
        table_subject(name, table).replace(JOINED, " "),
        tuple(_without_known_job(group) if table.job else group for group in without_repetitions(groups)),
        numbers_text(hidden) if any(hidden.values()) else "",
        numbers_text(verdict_numbers(table)),
        table.written or _written(table),
        _writer_address(table, verdict),
    )


def _without_known_job(group: ViewGroup) -> ViewGroup:
    """Return a finding about the job that stands above all findings, without that job."""
    views = tuple(replace(view, consumers=(), more_consumers=0) if view.of_job else view for view in group.views)
    return replace(group, views=views)


def _written(table: TableEntry) -> str:
    """Return who wrote the version, of a verdict that does not have it as one text."""
    change = table.changed
    if not change.at and not change.by:
        return ""
    circumstances = (("run", change.run), ("approved by", change.approval), ("commit", short_revision(change.commit)))
    reasons = ", ".join(f"{word} {text}" for word, text in circumstances if text)
    parts = (change.at, f"by {change.by}" if change.by else "", f"({reasons})" if reasons else "")
    return " ".join(part for part in parts if part)


def _writer_address(table: TableEntry, verdict: VerdictEntry) -> str:
    """Return the address of the task that wrote the newest version of those that do not fit, at the table of this version."""
    address = verdict.links.get("changed_by", "")
    if not address.startswith("/"):  # pages of this Airflow begin with its root
        return ""
    unfit = [other for other in verdict.tables.values() if other.stands_out]
    changes = [other.changed for other in unfit or verdict.tables.values()]
    newest = max((change.at for change in changes), default="")
    runs = {change.run for change in changes if change.at == newest}
    if runs == {table.changed.run} and table.changed.at == newest:
        return address
    return ""
