"""The last verdict of a gate, as lists show it: how it is, about which tables, since when."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.plugins.verdicts.past import RED
from airflow_provider_schemas.plugins.verdicts.pushed import Gate, Pushed
from airflow_provider_schemas.render.html.marks import MARKS_IN_HTML
from airflow_provider_schemas.render.verdict.entries import TableEntry, VerdictEntry, read_verdict
from airflow_provider_schemas.render.wording import VERDICTS

MAX_TABLES = 3


class GateState(StrEnum):
    """How a gate is; the order is that of the list."""

    BROKEN = "broken"
    UNKNOWN = "unknown"
    """Its verdict lies elsewhere, or cannot be read, or a later run could not look: it may be a broken one."""
    WARNED = "warned"
    WAIVED = "waived"
    OK = "ok"


_ORDER = {state: place for place, state in enumerate(GateState)}
_STATE_OF = {Verdict.WARN: GateState.WARNED, Verdict.OK: GateState.OK}
_VERDICT_OF = {
    GateState.UNKNOWN: Verdict.INVALID,
    GateState.WARNED: Verdict.WARN,
    GateState.WAIVED: Verdict.WARN,
    GateState.OK: Verdict.OK,
}
_WORDS = {GateState.WAIVED: "waived"}
_NOT_READABLE = "not readable"
_NOT_KNOWN = "not known"
_MARKS = {GateState.UNKNOWN: "?"}


class GateTable(Struct, frozen=True):
    """A table of a gate, with the versions that were compared."""

    name: str
    verdict: Verdict
    conn_id: str = ""
    old: int | None = None
    new: int | None = None
    owner: str = ""
    written: str = ""


class GateRow(Struct, frozen=True):
    """A gate and its last verdict."""

    pushed: Pushed
    state: GateState
    verdict: Verdict
    sentence: str = ""
    outcome: str = ""
    tables: tuple[GateTable, ...] = ()
    """The worst first."""
    unknown: str = ""
    """How the verdict is not known: not readable, or not known any more."""

    @property
    def gate(self) -> Gate:
        return self.pushed.gate

    @property
    def name(self) -> str:
        """Return the name of the gate: daily.gate, or ltv.load[2] of a mapped one."""
        index = f"[{self.pushed.map_index}]" if self.pushed.map_index >= 0 else ""
        return f"{self.pushed.dag_id}.{self.pushed.task_id}{index}"

    @property
    def word(self) -> str:
        return self.unknown or _WORDS.get(self.state, VERDICTS[self.verdict])

    @property
    def mark(self) -> str:
        return _MARKS.get(self.state, MARKS_IN_HTML[self.verdict])

    @property
    def at(self) -> datetime:
        return self.pushed.at

    @property
    def shown_tables(self) -> tuple[GateTable, ...]:
        return self.tables[:MAX_TABLES]

    @property
    def more_tables(self) -> int:
        return max(0, len(self.tables) - MAX_TABLES)

    def mentions(self, text: str) -> bool:
        """Return whether the gate, a table of it or an owner has the text in its name."""
        names = [self.name, *(part for table in self.tables for part in (table.name, table.owner))]
        return any(text in name.casefold() for name in names)


def gate_rows(pushed: Iterable[Pushed], failed: Mapping[Gate, datetime] = MappingProxyType({})) -> list[GateRow]:
    """Return the gates, the broken ones first, of those the newest first; failed are those of which a later run could not look."""
    rows = [_as_of_now(gate_row(value), failed) for value in pushed]
    return sorted(rows, key=lambda row: (_ORDER[row.state], -row.at.timestamp(), row.name))


def gate_row(pushed: Pushed) -> GateRow:
    """Return a gate as lists show it. A verdict that cannot be read is shown as one that is not known."""
    if pushed.lies_elsewhere:
        sentence = "The verdict lies in another backend of XCom, which this page does not read: the log of the task has it."
        return _unknown(pushed, sentence)
    try:
        verdict = read_verdict(pushed.value)
    except FormatError:
        return _unknown(pushed, "What the task has pushed is no verdict that this release knows.")
    if not verdict.tables and verdict.verdict not in RED:
        return _unknown(pushed, "The verdict is about no table: nothing was looked at.", _NOT_KNOWN)
    state = _state(verdict)
    tables = tuple(_table(name, table, verdict) for name, table in _worst_first(verdict))
    return GateRow(pushed, state, _shown_verdict(state, verdict), verdict.sentence, verdict.outcome, tables)


def _unknown(pushed: Pushed, sentence: str, word: str = _NOT_READABLE) -> GateRow:
    return GateRow(pushed, GateState.UNKNOWN, Verdict.INVALID, sentence, unknown=word)


def _as_of_now(row: GateRow, failed: Mapping[Gate, datetime]) -> GateRow:
    """Return a gate whose verdict is as old as it is: what fitted then may not fit the run that could not look."""
    at = failed.get(row.gate)
    if at is None or at <= row.at or row.state in (GateState.BROKEN, GateState.UNKNOWN):
        return row
    sentence = f"A later run of the task failed at {at:%Y-%m-%d %H:%M} UTC without a verdict. The last verdict: {row.word}."
    return replace(row, state=GateState.UNKNOWN, verdict=Verdict.INVALID, sentence=sentence, unknown=_NOT_KNOWN)


def _state(verdict: VerdictEntry) -> GateState:
    if verdict.earned in RED:
        return GateState.BROKEN
    return GateState.WAIVED if _is_waived(verdict) else _STATE_OF[verdict.earned]


def _shown_verdict(state: GateState, verdict: VerdictEntry) -> Verdict:
    return _VERDICT_OF.get(state, verdict.earned)


def _worst_first(verdict: VerdictEntry) -> list[tuple[str, TableEntry]]:
    return sorted(verdict.tables.items(), key=lambda item: (-SEVERITY[item[1].verdict], item[1].position))


def _is_waived(verdict: VerdictEntry) -> bool:
    """Return whether findings are let through, and nothing else warns."""
    findings = [finding for table in verdict.tables.values() for finding in table.findings]
    others = any(finding.verdict is not Verdict.OK and not finding.waived for finding in findings)
    return not others and any(finding.waived for finding in findings)


def _table(name: str, table: TableEntry, verdict: VerdictEntry) -> GateTable:
    return GateTable(
        name,
        table.verdict,
        table.conn_id or verdict.conn_id,
        table.compared.version,
        table.version,
        " ".join(part for part in (table.owner, table.contact) if part),
        table.written,
    )
