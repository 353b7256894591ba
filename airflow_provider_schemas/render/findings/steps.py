"""What to do about a finding: its fix, the changes that undo it, and the commands that keep a name or let it through."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import MASK, without_credentials
from airflow_provider_schemas.core.compatibility.fixes import keeps, kept_names
from airflow_provider_schemas.core.report import Finding, Place, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges, Rule
from airflow_provider_schemas.render.consumer_text import ANY_JOB
from airflow_provider_schemas.render.sanitize import clean

# Paths that name no field, in words.
PATH_WORDS: Mapping[str, str] = MappingProxyType({
    "": "the table",
    "highestFieldId": "highest field id",
    "partitionKeys": "partition keys",
    "primaryKeys": "primary key",
    "schemas.policy": "policy",
    "schemas.table": "attributes of the table",
})  # fmt: skip
_TABLE = re.compile(r"[^-\s/\\:@.][^\s/\\:@.]*\.[^\s/\\:@.]+(@[^\s/\\:@]+)?")
# What a table of another catalog has no place for is no step there: the fixes of these rules, without an alias.
_FIX_ELSEWHERE = {"FIELD_RENAMED": "Rename it back, or move the readers to the new name."}
MOUNTED_ENGINE = "spark"
"""The engine whose statements are offered for tables that others keep: Spark, as it writes for whoever keeps them."""
# A longer command is no help.
_MAX_COMMAND = 160


class LabelledText(Struct, frozen=True):
    """A text about a finding, and the words in front of it."""

    label: str
    text: str
    typed: bool = False
    """Whether the text is something to type."""
    after: str = ""


def steps(finding: Finding, table: str = "", *, kept_elsewhere: bool = False) -> Iterator[LabelledText]:
    """Yield the next steps; with the name of its table, what to type is a whole command."""
    fix = _fix_text(finding, kept_elsewhere)
    if fix:
        yield LabelledText(_fix_label(finding), clean(fix))
    if keeps(finding):
        if not kept_elsewhere:  # a table of another catalog has no place for an alias
            yield from _ways_to_keep_the_name(finding, table)
        return
    yield from _changes(finding, table, kept_elsewhere)
    if of_contract(RULES.get(finding.rule)):
        waiver = _waive_command(finding, table)
        if waiver:
            yield LabelledText("let it through", waiver, typed=True)
    if finding.place is not None and finding.verdict is Verdict.BREAK and _is_about_column(finding):
        accepts = f'accepts: {{{clean(finding.rule)}: "why", until: YYYY-MM-DD}}'
        yield LabelledText("or accept it", accepts, typed=True, after=f"at {place_text(finding.place)}")


def _fix_text(finding: Finding, kept_elsewhere: bool) -> str:
    """Return the fix of a finding; the one of the rule, where that offers what the table cannot do, in other words."""
    rule = RULES.get(finding.rule)
    if kept_elsewhere and rule is not None and finding.fix == rule.fix:
        return _FIX_ELSEWHERE.get(finding.rule, finding.fix)
    return finding.fix


def of_contract(rule: Rule | None) -> bool:
    """Return whether a rule is about one job and what it needs."""
    return rule is not None and rule.judges is Judges.CONTRACT


def place_text(place: Place | None) -> str:
    """Return the file and the line."""
    if place is None:
        return ""
    if place.file:
        return clean(str(place))
    return f"line {place.line}"


def change_text(change: SchemaChange) -> str:
    """Return the change as people type it, without secrets."""
    return clean(without_credentials(short_text(masked_change(change))))


def _fix_label(finding: Finding) -> str:
    if of_contract(RULES.get(finding.rule)):
        return "fix in the job"
    if finding.verdict in (Verdict.BREAK, Verdict.INVALID):
        return "do instead"
    return "next step"


def _changes(finding: Finding, table: str, kept_elsewhere: bool) -> Iterator[LabelledText]:
    """Yield the changes of the table that undo a finding; for a job as one command, if none of them is masked."""
    texts = [change_text(change) for change in finding.changes]
    label = "or undo it"
    if of_contract(RULES.get(finding.rule)):
        label = "fix in the table"
        if texts and texts == [short_text(change) for change in finding.changes]:
            command = _change_command(table, texts, kept_elsewhere)
            if command:
                texts = [command]
    for text in texts:
        yield LabelledText(label, text, typed=True)
        label = ""


def _change_command(table: str, texts: Sequence[str], kept_elsewhere: bool) -> str:
    """Return the command that changes the table, or that prints the statement for the engine that has to."""
    if kept_elsewhere:
        return _command("plan", table, *texts, "--sql", MOUNTED_ENGINE)
    return _command("evolve", table, *texts)


def _ways_to_keep_the_name(finding: Finding, table: str) -> Iterator[LabelledText]:
    """Yield what keeps the old name of a column as an alias: at its entry of a table file, as a command, or as a change."""
    for change in finding.changes:
        until = kept_names(change).get(finding.old, "")
        if until and finding.place is not None:
            alias = f"alias: {{{clean(finding.old)}: {until}}}"
            yield LabelledText("keep the name", alias, typed=True, after=f"at {place_text(finding.place)}")
            return
        command = ""
        if until and finding.new.isidentifier() and finding.old.isidentifier():
            command = _command("evolve", table, "--alias", f"{finding.old}:{finding.new}", "--until", until)
        yield LabelledText("keep the name", command or change_text(change), typed=True)


def _waive_command(finding: Finding, table: str) -> str:
    """Return the command that lets a finding through for the job that it breaks; empty without a job with a name."""
    job = finding.consumers[0].name if len(finding.consumers) == 1 else ""
    if finding.verdict is not Verdict.BREAK or job in ("", ANY_JOB) or finding.path.startswith("-"):
        return ""
    return _command("waive", table, finding.rule, finding.path, f"--for={job}", "--until=3d", "--reason=WHY")


def _command(verb: str, table: str, *words: str) -> str:
    """Return a command; empty without a table, with a masked secret, and where it could not be typed as it is shown."""
    command = shlex.join(["airflow-schemas", verb, table, *words])
    can_be_typed = _TABLE.fullmatch(table) and command.isprintable() and MASK not in command
    if can_be_typed and len(command) <= _MAX_COMMAND:
        return command
    return ""


def _is_about_column(finding: Finding) -> bool:
    """Return whether a finding is about a column: a table file accepts rules at columns, not at keys and options."""
    return finding.path not in PATH_WORDS and not finding.rule.startswith("OPTION_")
