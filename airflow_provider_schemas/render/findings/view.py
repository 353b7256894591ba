"""A finding as people read it: short plain texts, clean and without secrets, that text and Markdown lay out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr
from airflow_provider_schemas.core.compatibility.fixes import keeps
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import SEVERITY, VERDICT_WORDS, Consumer, Finding, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges, Rule
from airflow_provider_schemas.render.consumer_text import clean_consumer
from airflow_provider_schemas.render.findings.steps import PATH_WORDS, LabelledText, of_contract, place_text, steps
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.wording import answers, listed

# So many readers are named on the line of a finding; all of them stand below it.
_NAMED_READERS = 10
_NAMED_VERSIONS = 10
# A judgement of one schema, or of rows, answers none of the three questions.
_WITHOUT_ANSWERS = frozenset({Judges.ONE, Judges.DATA})
# The parts of a rule's sentence that the line of a finding shows anyway.
_SHOWN = frozenset({"path", "old", "new", "id"})
# What the sentence of a rule names.
_NAMED = re.compile(r"\{(\w+)\}")


class View(ShortRepr, Struct, frozen=True, kw_only=True):
    """The texts of a finding."""

    verdict: Verdict
    rule: str
    what: str
    id: int | None
    """The id of a field with a new name, by which readers that use ids still find it."""
    message: str
    """The sentence of the finding, if the line above does not say all of it."""
    why: str
    place: str
    answers: tuple[tuple[str, str], ...]
    """The answers for data, readers and writers; empty where only one schema or job was judged."""
    consumers: tuple[Consumer, ...]
    mends: tuple[Consumer, ...]
    steps: tuple[LabelledText, ...]
    remarks: tuple[LabelledText, ...]
    link: str
    of_job: bool = False
    """Whether it is about what one job needs."""
    more_consumers: int = 0
    """How many readers break besides those that are named."""
    more_mends: int = 0

    def _short_text(self) -> str:
        return f"{self.rule} at {self.what}: {VERDICT_WORDS[self.verdict]}; {self.message}"

    @classmethod
    def of(cls, finding: Finding, table: str = "", *, kept_elsewhere: bool = False) -> Self:
        """Return the texts of a finding; with the name of its table, what to type is a whole command.

        A table that is kept elsewhere is changed by its engine: the command prints the engine's statement.
        """
        masked = masked_finding(finding)
        rule = RULES.get(finding.rule)
        of_job = of_contract(rule)
        return cls(
            verdict=masked.verdict,
            rule=clean(masked.rule),
            what=clean(masked.message.removesuffix(".")) if of_job else compact(masked),
            id=masked.id if masked.path == masked.old and not of_job else None,
            message="" if of_job or _line_says_all(masked, rule) else clean(masked.message),
            why=clean(masked.why) or (rule.why if rule else ""),
            place=place_text(masked.place),
            answers=_answers(masked, rule),
            consumers=tuple(map(clean_consumer, masked.consumers)),
            mends=tuple(map(clean_consumer, masked.mends)),
            steps=tuple(steps(masked, table, kept_elsewhere=kept_elsewhere)),
            remarks=tuple(_remarks(masked)),
            link=clean(masked.link),
            of_job=of_job,
        )

    @property
    def identified(self) -> str:
        """Return what it is about, with the id by which engines still find it."""
        if self.id is None:
            return self.what
        return f"{self.what} (field{JOINED}id{JOINED}{self.id})"

    @property
    def victims(self) -> str:
        """Return the names of the readers that break, or some of them."""
        return listed((consumer.name for consumer in self.consumers), _NAMED_READERS)

    @property
    def affected_readers(self) -> str:
        """Return the names of the registered readers that the finding is about: breaks daily_report."""
        parts: list[str] = []
        if self.victims:
            parts.append(f"breaks {self.victims}")
        if self.mends:
            parts.append(f"mends {listed((consumer.name for consumer in self.mends), _NAMED_READERS)}")
        return " · ".join(parts)


def _answers(finding: Finding, rule: Rule | None) -> tuple[tuple[str, str], ...]:
    if rule is None or of_contract(rule) or rule.judges in _WITHOUT_ANSWERS:
        return ()
    return answers(finding)


def _line_says_all(finding: Finding, rule: Rule | None) -> bool:
    """Return whether path and both sides tell as much as the sentence of the finding."""
    if rule is None or rule.judges is not Judges.TWO:
        return False
    # The sentence about what comes back also tells what of it is readable.
    if finding.restores or (finding.why and not keeps(finding)):
        return False
    return _SHOWN.issuperset(_NAMED.findall(rule.says))


# ---------------------------------------------------------------- what


# What of the path has changed, where it is neither the field itself nor its type.
_CHANGED_PARTS: Mapping[str, str] = MappingProxyType({
    "FIELD_DOC_CHANGED": "comment of ",
    "WRITE_DEFAULT_CHANGED": "default of ",
    "READ_DEFAULT_CHANGED": "old rows' value of ",
    "READ_DEFAULT_REMOVED": "old rows' value of ",
    "WRITE_DEFAULT_REMOVED": "default of ",
})  # fmt: skip
# What became of a file.
_OF_FILES: Mapping[str, str] = MappingProxyType({
    "TABLE_FILE_DELETED": "the file is gone",
    "TABLE_NAME_CHANGED": "the file names another table",
    "CONTRACT_FILE_DELETED": "the file of a job is gone",
})  # fmt: skip
# Rules whose two sides are sentences of people.
_PROSE = frozenset({"FIELD_DEPRECATED", "FIELD_DOC_CHANGED"})


def compact(finding: Finding) -> str:
    """Return what a finding is about, as short as it goes: the path, and both sides of a change."""
    path = clean(finding.path)
    name = _CHANGED_PARTS.get(finding.rule, "") + PATH_WORDS.get(path, path)
    rule = RULES.get(finding.rule)
    if rule is not None and rule.judges is Judges.REPOSITORY:
        return _OF_FILES.get(finding.rule, "the file")
    if rule is None or rule.judges is not Judges.TWO or finding.rule in _PROSE:
        return name
    return _change_text(finding, path, name)


def _change_text(finding: Finding, path: str, name: str) -> str:
    """Return both sides of a change, with what it is about where that is neither of them."""
    old = clean(finding.old)
    new = clean(finding.new)
    if not (path or old or new):
        return clean(finding.message.removesuffix("."))
    if path == old and new:
        return f"{old} -> {new}"
    if old and new:
        return f"{name}  {old} -> {new}"
    if new:
        return f"{name}  {new}"
    return f"{name}  (was {old})" if old else name


def readers_text(view: View, answer: str) -> str:
    """Return the answer about readers, with the names of the registered ones: ✖ breaks daily_report."""
    return " ".join(part for part in (answer, view.affected_readers) if part)


def by_urgency(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings, the worst first; equals in the order of the file, then in that of the report."""
    return sorted(findings, key=lambda finding: (-SEVERITY[finding.verdict], *_file_order(finding)))


def readers(findings: Iterable[Finding]) -> list[str]:
    """Return the names of the readers that these findings break, each once."""
    names: dict[str, None] = {}
    for finding in findings:
        names |= dict.fromkeys(clean(consumer.name) for consumer in finding.consumers if consumer.name)
    return list(names)


def _file_order(finding: Finding) -> tuple[str, int]:
    if finding.place is None:
        return "", 0
    return finding.place.file, finding.place.line


# ---------------------------------------------------------------- remarks


def _remarks(finding: Finding) -> Iterator[LabelledText]:
    """Yield what else has to be known about a finding."""
    if finding.fault:
        yield LabelledText("check", clean(finding.fault))
    if finding.waived:
        yield LabelledText("waived", clean(finding.waived))
    if finding.proven:
        yield LabelledText("proven", "there is evidence about all live files, so it only warns")
    if isinstance(finding, DataFinding) and finding.samples:
        yield LabelledText("rows", "; ".join(clean(_row_text(row)) for row in finding.samples))
    if finding.versions:
        numbers = listed((f"v{number}" for number in finding.versions), _NAMED_VERSIONS)
        yield LabelledText("concerns", f"files of {numbers}")


def _row_text(row: Mapping[str, Any]) -> str:
    """Return a row as people read it: id 17, amount NULL."""
    return ", ".join(f"{name} {'NULL' if value is None else value}" for name, value in row.items())
