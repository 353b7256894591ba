"""Findings and faults as all formats tell them: plain texts without secrets, worst first, each with a fingerprint.

A fingerprint says what a finding is about, and not where it stands: it stays when lines move. It is made of the rule,
the table, the path and both sides of the change; of rules about one job also of that job. The readers that a change
breaks are no part of it, or every registration of a reader would make an old finding a new one. Entries that would
have the same one are numbered.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.locations import Location, of_fault, of_finding
from airflow_provider_schemas.render.consumer_text import clean_consumer, who
from airflow_provider_schemas.render.findings.steps import LabelledText, of_contract
from airflow_provider_schemas.render.findings.text import labelled_texts
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.wording import listed

NOT_JUDGED = "NOT_JUDGED"
"""Stands for a rule where something could not be judged."""
UNREAD = frozenset({"TABLE_UNREAD"})
"""Rules whose findings say that something was not looked at."""

Completed = Callable[[str], str]
"""Completes the commands in a text, so that they can be pasted."""

_NAMED_READERS = 20
_DAY = len("2026-11-20")
_FAULT_RANK = 1 + max(SEVERITY.values())


class Entry(Struct, frozen=True, kw_only=True):
    """One thing to tell: a finding, or what could not be judged."""

    rule: str
    verdict: Verdict
    table: str
    subject: str
    """What it is about, as short as it goes."""
    message: str
    """What was found, in a sentence."""
    texts: tuple[LabelledText, ...] = ()
    """Everything else: the readers, what happens, what to do."""
    readers: tuple[str, ...] = ()
    """The registered readers that break, each with whom to call."""
    location: Location
    fingerprint: str = ""
    code: str = ""
    """The stable code of a fault."""
    finding: Finding | None = None
    """The finding, without secrets."""
    report: Report | None = None
    number: int = -1
    """The number of its report in the run."""

    @property
    def is_fault(self) -> bool:
        """Whether something was not looked at."""
        return self.finding is None or self.rule in UNREAD

    @property
    def is_suppressed(self) -> bool:
        """Whether somebody accepted it. What still breaks is not accepted, whatever was let through of it."""
        return self.finding is not None and bool(self.finding.waived) and self.verdict in (Verdict.OK, Verdict.WARN)

    @property
    def fails(self) -> bool:
        """Whether it fails the run, warnings aside."""
        return self.is_fault or self.verdict in (Verdict.BREAK, Verdict.INVALID)

    @property
    def title(self) -> str:
        """The table, and what of it: shop.orders: cust_id -> customer_id."""
        return ": ".join(part for part in (self.table, self.subject) if part)

    @property
    def details(self) -> list[LabelledText]:
        """The texts to stand below the message, which is not told again."""
        return [text for text in self.texts if text.text != self.message]

    @property
    def sentence(self) -> str:
        """What was found, whom it breaks and what to do, as one text without markup."""
        message = _ended(self.message)
        parts = [f"{self.table}: {message}" if self.table and self.table not in message else message]
        if self.readers:
            parts.append(f"Breaks {listed(self.readers, _NAMED_READERS)}.")
        parts += [f"{text.label[:1].upper()}{text.label[1:]}: {_ended(full(text))}" for text in self.texts if text.label in _SENTENCES]
        return " ".join(parts)


# What to do, and why it counts less, as labels of texts.
_SENTENCES = frozenset({"do instead", "next step", "fix in the job", "waived", "proven", "check"})


def _ended(text: str) -> str:
    """Return a text with a full stop, where others follow it."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def full(text: LabelledText) -> str:
    """Return a text with the words behind it."""
    return f"{text.text} {text.after}".rstrip()


def cut(text: str, limit: int) -> str:
    """Return the text, or as much of it as hosts show, with a mark that there was more."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}…"


def entries(run: CheckRun, completed: Completed = str) -> list[Entry]:
    """Return everything that a run tells, the worst first: what could not be judged, then findings."""
    told = [*(_of_fault(fault, run, completed) for fault in run.faults), *_findings(run, completed)]
    return sorted(_with_fingerprints(told), key=_rank)


def _findings(run: CheckRun, completed: Completed) -> Iterator[Entry]:
    for number, report in enumerate(run.reports):
        for finding in report.findings:
            if run.verbose or finding.verdict is not Verdict.OK or finding.waived:
                yield replace(_of_finding(finding, report, run, completed), number=number)


def _rank(entry: Entry) -> tuple[int, bool, bool, str, int]:
    rank = _FAULT_RANK if entry.is_fault else SEVERITY[entry.verdict]
    return -rank, entry.is_suppressed, not entry.readers, entry.location.path, entry.location.line


def _of_finding(finding: Finding, report: Report, run: CheckRun, completed: Completed) -> Entry:
    masked = _with_days(masked_finding(finding))
    view = View.of(masked, report.table, kept_elsewhere=report.kept_elsewhere)
    sheet = Sheet(verbose=run.verbose)
    texts = [
        LabelledText(text.label, harmless(text.text, completed), text.typed, harmless(text.after, completed))
        for text in labelled_texts(view, report.contracts, sheet)
    ]
    owner = ", ".join(part for part in (masked.owner, masked.contact) if part)
    if owner:
        texts.append(LabelledText("owner of the table", harmless(owner)))
    return Entry(
        rule=clean(masked.rule),
        verdict=masked.verdict,
        table=harmless(report.table),
        subject=harmless(view.identified).replace("  ", " "),
        message=harmless(masked.message, completed),
        texts=tuple(texts),
        readers=tuple(harmless(who(clean_consumer(consumer))) for consumer in masked.consumers if consumer.name),
        location=of_finding(masked, report, run),
        finding=masked,
        report=report,
    )


def _with_days(finding: Finding) -> Finding:
    """Return the finding with the days on which readers were last seen: with times, every run would tell it in other words."""
    if not any(consumer.last_seen for consumer in finding.consumers):
        return finding
    return replace(finding, consumers=tuple(replace(consumer, last_seen=consumer.last_seen[:_DAY]) for consumer in finding.consumers))


def _of_fault(fault: Fault, run: CheckRun, completed: Completed) -> Entry:
    path = harmless(fault.path)
    message = harmless(fault.message, completed)
    texts: tuple[LabelledText, ...] = ()
    if fault.fix:
        texts = (LabelledText("next step", harmless(fault.fix, completed)),)
    return Entry(
        rule=NOT_JUDGED,
        verdict=Verdict.INVALID,
        table="",
        subject=path or "the run",
        message=f"{path}: {message}" if path and not message.startswith(path) else message,
        texts=texts,
        location=of_fault(fault, run),
        code=clean(fault.code),
    )


def harmless(text: str, completed: Completed = str) -> str:
    """Return a text from outside on one harmless line, without secrets."""
    return without_credentials(clean(completed(text).replace(JOINED, " ")))


# ---------------------------------------------------------------- fingerprints


def _with_fingerprints(told: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries with their fingerprints; those about the same are numbered in an order that lines do not change."""
    times: Counter[str] = Counter()
    for entry in sorted(told, key=_stable_order):
        identity = _identity(entry)
        number = times[identity]
        times[identity] += 1
        text = f"{identity}{number}" if number else identity
        yield replace(entry, fingerprint=sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32])


def _stable_order(entry: Entry) -> tuple[str, str, str]:
    return entry.location.path, entry.subject, entry.message


def _identity(entry: Entry) -> str:
    finding = entry.finding
    if finding is None:
        return json.dumps([entry.rule, entry.code, entry.location.path])
    jobs: list[str] = []
    if of_contract(RULES.get(finding.rule)):
        jobs = sorted(consumer.name for consumer in finding.consumers)
    return json.dumps([finding.rule, entry.table, finding.path, finding.old, finding.new, jobs])
