"""The answer of a check: findings, each with its rule, path, verdicts, broken readers, sentence and fix. Nothing is printed here."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain

from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named
from airflow_provider_schemas.errors import Fault


class Verdict(StrEnum):
    """How bad it is, from fine to impossible."""

    OK = "ok"
    WARN = "warn"
    BREAK = "break"
    INVALID = "invalid"


SEVERITY: dict[Verdict, int] = {verdict: number for number, verdict in enumerate(Verdict)}


VERDICT_WORDS: dict[Verdict, str] = {Verdict.OK: "fits", Verdict.WARN: "warns", Verdict.BREAK: "breaks", Verdict.INVALID: "invalid"}
"""The verdicts as sentences use them."""


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of some verdicts; ok if there are none."""
    return max(verdicts, key=SEVERITY.__getitem__, default=Verdict.OK)


def at_most(limit: Verdict, verdict: Verdict) -> Verdict:
    """Return the verdict, but no worse than the limit; what is invalid stays so."""
    if verdict is Verdict.INVALID or SEVERITY[verdict] <= SEVERITY[limit]:
        return verdict
    return limit


class Answers(Struct, frozen=True):
    """The answers to the three questions, the first of them for engines that find columns by id and for engines that go by name."""

    data_by_id: Verdict = Verdict.OK
    data_by_name: Verdict = Verdict.OK
    jobs: Verdict = Verdict.OK
    writers: Verdict = Verdict.OK

    def data(self, by: str) -> Verdict:
        """Return the answer about data for engines that find columns by id, or by name."""
        return self.data_by_id if by == "id" else self.data_by_name

    @property
    def full(self) -> Verdict:
        """Return the answer of FULL: old data is readable by id, and old jobs keep working."""
        return worst((self.data_by_id, self.jobs))


class Place(Struct, frozen=True):
    """Where something stands in a file that people wrote."""

    file: str
    line: int
    column: int = 0
    """The column of the line, counted from 1; 0 where only the line is known."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Consumer(Struct, frozen=True, omit_defaults=True):
    """A registered reader that a finding breaks: who it is, whom to call, and why."""

    name: str
    owner: str = ""
    contact: str = ""
    rule: str = ""
    message: str = ""
    last_seen: str = ""


def each_once(consumers: Sequence[Consumer]) -> tuple[Consumer, ...]:
    """Return the consumers, each once: with what is said of it first, at the place where it stands last."""
    by_name = {consumer.name: consumer for consumer in reversed(consumers)}
    return tuple(reversed(by_name.values()))


class Finding(ShortRepr, Struct, frozen=True, omit_defaults=True):
    """One thing that a check found.

    The verdict is that of the policy. The verdicts are those of the rule, whatever the policy; data, jobs and writers
    are the same for the engines and contracts at hand. Fix is what to do, in words, and changes do it where changes
    can: applied to the judged schema, they take the finding away.
    """

    rule: str
    path: str
    message: str
    fix: str = ""
    verdict: Verdict = Verdict.INVALID
    changes: tuple[SchemaChange, ...] = ()
    id: int | None = None
    old: str = ""
    new: str = ""
    verdicts: Answers = Answers()
    data: Verdict = Verdict.OK
    jobs: Verdict = Verdict.OK
    writers: Verdict = Verdict.OK
    consumers: tuple[Consumer, ...] = ()
    owner: str = ""
    contact: str = ""
    place: Place | None = None
    versions: tuple[int, ...] = ()
    """The schemas whose files it concerns, where those are not only the last one's."""
    proven: bool = False
    waived: str = ""
    fault: str = ""
    """The stable code of what makes a schema invalid; errors carry it."""
    why: str = ""
    """What happens to the readers at hand, where that is not what the rule says of all."""
    restores: tuple[int, ...] = ()
    """The schemas whose files could not be read rightly before the change, and can after it."""
    mends: tuple[Consumer, ...] = ()
    """The registered readers that did not fit before, and do now."""

    @property
    def link(self) -> str:
        """Return the path of the page about the rule."""
        return f"docs/rules/{self.rule}.md"

    def _short_text(self) -> str:
        verdict = "waived" if self.waived else VERDICT_WORDS[self.verdict]
        readers = self.consumers and f" for {counted(len(self.consumers), 'reader')}"
        return f"{self.rule} at {named(self.path, 'the table')}: {verdict}{readers or ''}; {self.message}"

    def as_fault(self) -> Fault:
        """Return the finding as an error carries it."""
        return Fault(self.fault or f"rule.{self.rule.lower().replace('_', '-')}", self.path, self.message, self.fix)


METADATA = "metadata"
"""What a mounted table is judged by."""


class Report(ShortRepr, Struct, frozen=True, omit_defaults=True):
    """Everything that a check found."""

    findings: tuple[Finding, ...] = ()
    table: str = ""
    old: int | None = None
    """The number of the schema that the judged one is compared with."""
    new: int | None = None
    contracts: int = 0
    """How many contracts were asked."""
    notes: tuple[str, ...] = ()
    """What a reader of the report has to know besides: exceptions that ended, a policy that was weakened, and why."""
    judged_by: str = ""
    """What was looked at: schema files, metadata, footer (1 of 12), description; empty where the caller handed in both sides."""
    at: str = ""
    """The moment of the look, in UTC."""
    file: str = ""
    """The file that the report is about, where people wrote one."""

    @property
    def verdict(self) -> Verdict:
        return worst(finding.verdict for finding in self.findings)

    @property
    def kept_elsewhere(self) -> bool:
        """Return whether the table is mounted: another catalog keeps it, so that its engine has to change it."""
        return self.judged_by == METADATA

    @property
    def basis(self) -> str:
        """Return what the verdict rests on, in words: judged by schema files, 2026-11-19 16:00:05 UTC."""
        if not self.judged_by:
            return ""
        moment = self.at.replace("T", " ").removesuffix("Z")
        return f"judged by {self.judged_by}, {moment} UTC"

    @property
    def fits(self) -> bool:
        return self.verdict in (Verdict.OK, Verdict.WARN)

    @property
    def consumers(self) -> tuple[Consumer, ...]:
        """Return the registered readers that break, each once."""
        return each_once(list(chain.from_iterable(finding.consumers for finding in self.findings)))

    @property
    def mended(self) -> tuple[Consumer, ...]:
        """Return the registered readers that the change mends, each once."""
        return each_once(list(chain.from_iterable(finding.mends for finding in self.findings)))

    def _short_text(self) -> str:
        basis = self.judged_by and f"judged by {named(self.judged_by)}"
        notes = self.notes and counted(len(self.notes), "note")
        subject = named(self.table or self.file, "of a table without a name")
        about = f"{subject} {self._versions_text()}".rstrip()
        return f"{about}: {joined(VERDICT_WORDS[self.verdict], self._findings_text(), basis, notes or '')}"

    def _versions_text(self) -> str:
        if self.old is not None and self.new is not None:
            return f"v{self.old} -> v{self.new}"
        number = self.old if self.new is None else self.new
        return "" if number is None else f"v{number}"

    def _findings_text(self) -> str:
        if not self.findings:
            return "no findings"
        counts = Counter(finding.verdict for finding in self.findings)
        worst_first = [f"{counts[verdict]} {verdict.value}" for verdict in reversed(Verdict) if verdict in counts]
        return f"{counted(len(self.findings), 'finding')} ({', '.join(worst_first)})"

    def faults(self) -> list[Fault]:
        """Return what forbids going on, as an error carries it."""
        return [finding.as_fault() for finding in self.findings if finding.verdict is Verdict.INVALID]


def verdicts_of_tables(reports: Iterable[Report]) -> list[Verdict]:
    """Return the worst verdict on each table, in the order of the reports; what has no name counts by itself."""
    tables: dict[str | int, list[Verdict]] = {}
    for number, report in enumerate(reports):
        tables.setdefault(report.table or number, []).append(report.verdict)
    return [worst(verdicts) for verdicts in tables.values()]
