"""The plain values of a verdict as typed ones. Every member has a default: verdicts of earlier releases have fewer of them."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import VERDICT_WORDS, Consumer, Report, Verdict, worst
from airflow_provider_schemas.errors import FormatError

VERDICT_KEY = "schema_verdict"
"""The key of XCom under which a verdict lies."""


class StepEntry(ShortRepr, Struct, frozen=True):
    """A line below a finding or a table: a label, and a text or a command."""

    label: str = ""
    text: str = ""
    command: str = ""

    def _short_text(self) -> str:
        return f"{named(self.label)}: {self.command or self.text}"


class RuleEntry(Struct, frozen=True):
    """What a rule says of all findings that have it."""

    why: str = ""
    link: str = ""


class FindingEntry(ShortRepr, Struct, frozen=True):
    """A finding. Without `what`, there was room for its sentence alone."""

    rule: str = ""
    verdict: Verdict = Verdict.INVALID
    path: str = ""
    message: str = ""
    fix: str = ""
    waived: str = ""
    what: str = ""
    """What it is about, on one line."""
    tells_more: bool = False
    """Whether the sentence says more than that line."""
    id: int | None = None
    place: str = ""
    answers: Mapping[str, str] = {}
    why: str = ""
    """What happens, where that is not what the rule says."""
    of_job: bool = False
    readers: tuple[Consumer, ...] = ()
    more_readers: int = 0
    mended: tuple[Consumer, ...] = ()
    more_mended: int = 0
    remarks: tuple[StepEntry, ...] = ()
    steps: tuple[StepEntry, ...] = ()
    more_steps: int = 0

    def _short_text(self) -> str:
        verdict = "waived" if self.waived else VERDICT_WORDS[self.verdict]
        return f"{self.rule} at {named(self.path, 'the table')}: {verdict}; {self.message}"


class FineEntry(Struct, frozen=True):
    """The findings that are fine."""

    count: int = 0
    text: str = ""


class ChangeEntry(Struct, frozen=True):
    """Who wrote a version, when, in which run, from which commit, and who approved it."""

    by: str = ""
    at: str = ""
    run: str = ""
    approval: str = ""
    commit: str = ""


class ComparedEntry(Struct, frozen=True):
    """The version that the judged one is compared with, and the run of the task that saw it, if one did."""

    version: int | None = None
    digest: str = ""
    run: str = ""
    at: str = ""


class OverrideEntry(Struct, frozen=True):
    """Who wrote a version past the policy of its table, and why."""

    by: str = ""
    why: str = ""


class PolicyEntry(Struct, frozen=True):
    """The policy that decided."""

    name: str = ""
    found: str = ""


class TableEntry(ShortRepr, Struct, frozen=True, kw_only=True, rename={"compared": "from"}):
    """The verdict on one table."""

    verdict: Verdict = Verdict.INVALID
    fits: bool = False
    version: int | None = None
    position: int = 0
    """Its place among the tables of the task."""
    subject: str = ""
    sentence: str = ""
    written: str = ""
    owner: str = ""
    contact: str = ""
    job: str = ""
    how: str = ""
    judged_by: str = ""
    at: str = ""
    contracts: int = 0
    counts: Mapping[str, int] = {}
    fine: FineEntry = FineEntry()
    findings: tuple[FindingEntry, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()
    more_notes: int = 0
    steps: tuple[StepEntry, ...] = ()
    again: str = ""
    conn_id: str = ""
    branch: str = "main"
    changed: ChangeEntry = ChangeEntry()
    compared: ComparedEntry = ComparedEntry()
    """What it was compared with: `from` in the plain values."""
    override: OverrideEntry = OverrideEntry()
    policy: PolicyEntry = PolicyEntry()
    without_contract: bool = False

    def _short_text(self) -> str:
        if self.is_missing:
            return f"{VERDICT_WORDS[self.verdict]}, no version to be judged"
        return f"v{self.version}: {VERDICT_WORDS[self.verdict]}, {counted(len(self.findings) + self.more, 'finding')}"

    @property
    def basis(self) -> str:
        """Return what the verdict rests on, in words."""
        return Report(judged_by=self.judged_by, at=self.at).basis

    @property
    def is_missing(self) -> bool:
        """Return whether there is no such table, or no such version of it."""
        return self.version is None

    @property
    def stands_out(self) -> bool:
        """Return whether the table does not fit, or is not there."""
        return not self.fits or self.is_missing


class VerdictEntry(ShortRepr, Struct, frozen=True, kw_only=True):
    """The verdict on the tables of a task."""

    tables: Mapping[str, TableEntry]
    verdict: Verdict = Verdict.INVALID
    fits: bool = False
    outcome: str = ""
    consumer: str = ""
    conn_id: str = ""
    sentence: str = ""
    lists: int = 0
    gets: int = 0
    puts: int = 0
    millis: int = 0
    notes: tuple[str, ...] = ()
    more_notes: int = 0
    rules: Mapping[str, RuleEntry] = {}
    next_steps: tuple[str, ...] = ()
    run: str = ""
    map_index: int = -1
    at: str = ""
    guard: bool = False
    links: Mapping[str, str] = {}
    """Addresses in this Airflow: `changed_by`, of the task that wrote what does not fit."""

    @property
    def earned(self) -> Verdict:
        """Return the verdict, but none that is better than what it says of its tables: others may push such a value as well."""
        known = worst((self.verdict, *(table.verdict for table in self.tables.values())))
        if known in (Verdict.BREAK, Verdict.INVALID):
            return known
        if not self.fits or any(table.stands_out for table in self.tables.values()):
            return Verdict.BREAK
        return known if self.tables else Verdict.INVALID

    def _short_text(self) -> str:
        unfit = [table for table, entry in self.tables.items() if entry.stands_out]
        names = f"{len(unfit)} of {len(self.tables)} stand out: {listed(unfit)}" if unfit else ""
        verdict = VERDICT_WORDS[self.verdict] if self.tables else "nothing was looked at"
        return f"{named(self.consumer, 'of a job without a name')}: {joined(verdict, counted(len(self.tables), 'table'), names)}"


def read_verdict(value: object) -> VerdictEntry:
    """Read a verdict out of the plain values that XCom holds; FormatError if they are something else."""
    try:
        return msgspec.convert(value, VerdictEntry)
    except (msgspec.ValidationError, RecursionError) as error:
        message = f"this is no verdict of a gate: {shown(str(error))[1:-1]}."
        fix = f"Pass what XCom {VERDICT_KEY} of a gate, a guard or a contract sensor holds."
        raise FormatError(message, code="verdict.unreadable", path=VERDICT_KEY, fix=fix) from None
