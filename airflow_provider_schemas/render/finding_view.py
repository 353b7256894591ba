"""A finding as people read it: short plain texts, clean and without secrets, that text and Markdown lay out."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import MASK, without_credentials
from airflow_provider_schemas.core.compatibility.fixes import keeps, kept_names
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import SEVERITY, Consumer, Finding, Place, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges, Rule
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.wording import answers, listed

NAMELESS = "a reader or writer without a name"
# So many readers are named on the line of a finding; all of them stand below it.
_VICTIMS = 10
# What a finding calls a job that has no name.
_ANY_JOB = "this job"
# Whoever asks of one schema, or of rows, asks none of the three questions.
_UNASKED = frozenset({Judges.ONE, Judges.DATA})
_TABLE = re.compile(r"[^-\s/\\:@.][^\s/\\:@.]*\.[^\s/\\:@.]+(@[^\s/\\:@]+)?")
# A command that is longer is no help.
_COMMAND = 160
# What the line of a finding shows of its sentence anyway.
_SHOWN = frozenset({"path", "old", "new", "id"})
# What the sentence of a rule names.
_NAMED = re.compile(r"\{(\w+)\}")


class Step(Struct, frozen=True):
    """Something that is said or to be done, and the words in front of it."""

    label: str
    text: str
    typed: bool = False
    """Whether the text is something to type."""
    after: str = ""


class View(Struct, frozen=True, kw_only=True):
    """What is said about a finding."""

    verdict: Verdict
    rule: str
    what: str
    id: int | None
    """The id of a field with a new name, by which it is known to those who go by id."""
    message: str
    """The sentence of the finding, where the line above does not say it all."""
    why: str
    place: str
    answers: tuple[tuple[str, str], ...]
    """What holds for data, readers and writers; nothing where only one schema or job was asked about."""
    consumers: tuple[Consumer, ...]
    mends: tuple[Consumer, ...]
    steps: tuple[Step, ...]
    remarks: tuple[Step, ...]
    link: str
    of_job: bool = False
    """Whether it is about what one job needs."""

    @classmethod
    def of(cls, finding: Finding, table: str = "") -> Self:
        """The finding as it is shown; with the name of its table, what to type is a whole command."""
        found, rule = masked_finding(finding), RULES.get(finding.rule)
        asked = of_contract(rule)
        return cls(
            verdict=found.verdict,
            rule=clean(found.rule),
            what=clean(found.message.removesuffix(".")) if asked else compact(found),
            id=found.id if found.path == found.old and not asked else None,
            message="" if asked or (_says_it_all(rule) and not _returns(found)) else clean(found.message),
            why=clean(found.why) or (rule.why if rule else ""),
            place=_where(found.place),
            answers=answers(found) if rule and not asked and rule.judges not in _UNASKED else (),
            consumers=tuple(map(clean_consumer, found.consumers)),
            mends=tuple(map(clean_consumer, found.mends)),
            steps=tuple(_steps(found, asked, table)),
            remarks=tuple(_remarks(found)),
            link=clean(found.link),
            of_job=asked,
        )

    @property
    def identified(self) -> str:
        """What it is about, and the id by which engines still find it."""
        return self.what if self.id is None else f"{self.what} (field{JOINED}id{JOINED}{self.id})"

    @property
    def victims(self) -> str:
        """The names of the readers that break, or some of them."""
        return listed((one.name for one in self.consumers), _VICTIMS)

    @property
    def cured(self) -> str:
        """The names of the readers that it mends, or some of them."""
        return listed((one.name for one in self.mends), _VICTIMS)


def is_nameless(job: Consumer) -> bool:
    """Whether nothing is known of a job but that it asks."""
    return job.name == _ANY_JOB and not job.owner and not job.contact


def with_words(job: Consumer) -> Consumer:
    """The job as it is called behind the word job."""
    return replace(job, name="without a name") if job.name == _ANY_JOB else job


def of_contract(rule: Rule | None) -> bool:
    """Whether a rule speaks of one job and what it needs."""
    return rule is not None and rule.judges is Judges.CONTRACT


def _says_it_all(rule: Rule | None) -> bool:
    """Whether path and both sides tell as much as the sentence of the rule."""
    if rule is None or rule.judges is not Judges.TWO:
        return False
    return _SHOWN.issuperset(_NAMED.findall(rule.says))


def _returns(finding: Finding) -> bool:
    """Whether the sentence says more than both sides: what comes back, and what of it is readable."""
    return bool(finding.restores or (finding.why and not keeps(finding)))


def _where(place: Place | None) -> str:
    """The file and the line."""
    if place is None:
        return ""
    return clean(str(place)) if place.file else f"line {place.line}"


def clean_consumer(one: Consumer) -> Consumer:
    """The reader, as it may be shown."""
    shown = Consumer(*(clean(getattr(one, name)) for name in Consumer.__struct_fields__))
    return shown if shown.name else replace(shown, name=NAMELESS)


# ---------------------------------------------------------------- what


# What of the path has changed, where it is neither the field itself nor its type.
_OF: Mapping[str, str] = MappingProxyType({
    "FIELD_DOC_CHANGED": "comment of ",
    "WRITE_DEFAULT_CHANGED": "default of ",
    "WRITE_DEFAULT_REMOVED": "default of ",
})  # fmt: skip
# Rules whose two sides are sentences of people.
_PROSE = frozenset({"FIELD_DEPRECATED", "FIELD_DOC_CHANGED"})
# Paths that name no field, in words.
_PATHS: Mapping[str, str] = MappingProxyType({
    "": "the table",
    "highestFieldId": "highest field id",
    "partitionKeys": "partition keys",
    "primaryKeys": "primary key",
    "schemas.policy": "policy",
    "schemas.table": "attributes of the table",
})  # fmt: skip


def compact(finding: Finding) -> str:
    """What a finding is about, as short as it goes: the path, and both sides of a change."""
    path, old, new = clean(finding.path), clean(finding.old), clean(finding.new)
    name = _OF.get(finding.rule, "") + _PATHS.get(path, path)
    rule = RULES.get(finding.rule)
    if rule is None or rule.judges is not Judges.TWO or finding.rule in _PROSE:
        return name
    if not (path or old or new):
        return clean(finding.message.removesuffix("."))
    if path == old and new:
        return f"{old} -> {new}"
    sides = f"{old} -> {new}" if old and new else new or f"(was {old})"
    return f"{name}  {sides}" if old or new else name


def readers_answer(view: View, answer: str) -> str:
    """✖ breaks daily_report, ⚠ mends ltv_model: the answer about readers, with the names of the registered ones."""
    broken = f" breaks {view.victims}" if view.victims else ""
    return f"{answer}{broken}{' · ' if broken and view.mends else ' ' if view.mends else ''}{f'mends {view.cured}' if view.mends else ''}"


def by_urgency(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first; among equals in the order of the file, then in that of the report."""
    return sorted(findings, key=lambda one: (-SEVERITY[one.verdict], *_file_order(one)))


def readers(findings: Iterable[Finding]) -> list[str]:
    """The names of the readers that these findings break, each once."""
    return list(dict.fromkeys(clean(one.name) for finding in findings for one in finding.consumers if one.name))


def _file_order(finding: Finding) -> tuple[str, int]:
    return ("", 0) if finding.place is None else (finding.place.file, finding.place.line)


# ---------------------------------------------------------------- what to do


def _row(row: Mapping[str, Any]) -> str:
    """A row as people read it: id 17, amount NULL."""
    return ", ".join(f"{name} {'NULL' if value is None else value}" for name, value in row.items())


def _steps(finding: Finding, asked: bool, table: str = "") -> Iterator[Step]:
    """The next steps. Where a job was asked about, the table is there, and commands change it or let the finding through."""
    if finding.fix:
        grave = finding.verdict in (Verdict.BREAK, Verdict.INVALID)
        yield Step("fix in the job" if asked else "do instead" if grave else "next step", clean(finding.fix))
    if keeps(finding):
        yield from _keeping(finding, table)
        return
    texts = list(map(change_text, finding.changes))
    exact = texts == list(map(short_text, finding.changes))
    command = _command("evolve", table, *texts) if asked and texts and exact else ""
    for number, one in enumerate([command] if command else texts):
        yield Step("" if number else "fix in the table" if asked else "or undo it", one, typed=True)
    if asked and (through := _waive(finding, table)):
        yield Step("let it through", through, typed=True)
    if finding.place is not None and finding.verdict is Verdict.BREAK and _of_column(finding):
        accepts = f'accepts: {{{clean(finding.rule)}: "why", until: YYYY-MM-DD}}'
        yield Step("or accept it", accepts, typed=True, after=f"at {_where(finding.place)}")


def _keeping(finding: Finding, table: str) -> Iterator[Step]:
    """What keeps the old name of a column as an alias: at its entry of a table file, as a command, or as a change."""
    for change in finding.changes if keeps(finding) else ():
        ends = kept_names(change)
        until = ends.get(finding.old, "")
        if until and finding.place is not None:
            yield Step("keep the name", f"alias: {{{clean(finding.old)}: {until}}}", typed=True, after=f"at {_where(finding.place)}")
            return
        bare = until and finding.new.isidentifier() and finding.old.isidentifier()
        command = _command("evolve", table, "--alias", f"{finding.old}:{finding.new}", "--until", until) if bare else ""
        yield Step("keep the name", command or change_text(change), typed=True)


def _waive(finding: Finding, table: str) -> str:
    """The command that lets a finding through for the job that it breaks; nothing where no job has a name."""
    job = finding.consumers[0].name if len(finding.consumers) == 1 else ""
    if finding.verdict is not Verdict.BREAK or job in ("", _ANY_JOB) or finding.path.startswith("-"):
        return ""
    return _command("waive", table, finding.rule, finding.path, f"--for={job}", "--until=3d", "--reason=WHY")


def _command(verb: str, table: str, *words: str) -> str:
    """What to type; nothing where no table has a name, where a secret is masked, and where it could not be typed as it is shown."""
    found = shlex.join(["airflow-schemas", verb, table, *words])
    typable = _TABLE.fullmatch(table) and found.isprintable() and MASK not in found
    return found if typable and len(found) <= _COMMAND else ""


def _of_column(finding: Finding) -> bool:
    """Whether it is about a column, which is where a table file accepts rules; keys and options have no place to say it."""
    return finding.path not in _PATHS and not finding.rule.startswith("OPTION_")


def change_text(change: SchemaChange) -> str:
    """The change as people type it, without secrets."""
    return clean(without_credentials(short_text(masked_change(change))))


def _remarks(finding: Finding) -> Iterator[Step]:
    """What else has to be known about a finding."""
    if finding.fault:
        yield Step("check", clean(finding.fault))
    if finding.waived:
        yield Step("waived", clean(finding.waived))
    if finding.proven:
        yield Step("proven", "there is evidence about all live files, so it only warns")
    if isinstance(finding, DataFinding) and finding.samples:
        yield Step("rows", "; ".join(clean(_row(one)) for one in finding.samples))
    if finding.versions:
        yield Step("concerns", f"files of {listed((f'v{one}' for one in finding.versions), 10)}")
