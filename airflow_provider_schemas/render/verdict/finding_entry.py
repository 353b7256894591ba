"""A finding as plain values with all that is printed of it, and these values as the texts that are laid out."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from airflow_provider_schemas.core.report import Consumer, Finding
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.findings.steps import LabelledText
from airflow_provider_schemas.render.findings.text import PROGRAM
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.layout import TYPED
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.verdict.entries import FindingEntry, RuleEntry, StepEntry

Shorten = Callable[[str], str]
Connect = Callable[[str], str]

MAX_READERS = 12
MAX_STEPS = 8


def finding_details(finding: Finding, view: View, *, shorten: Shorten, connect: Connect) -> dict[str, Any]:
    """Return what is printed of a finding besides its sentence; `connect` puts the connection into a command."""
    rule = RULES.get(finding.rule)
    why = shorten(view.why)
    steps = [step_entry(step, shorten, connect) for step in view.steps]
    remarks = [step_entry(remark, shorten, connect) for remark in view.remarks[:MAX_STEPS]]
    details: dict[str, Any] = {
        "what": shorten(view.what),
        "tells_more": bool(view.message),
        "id": view.id,
        "place": shorten(view.place),
        "answers": {question: answer.replace(JOINED, " ") for question, answer in view.answers},
        "why": "" if rule is not None and why == shorten(rule.why) else why,
        "of_job": view.of_job,
        **_readers("readers", view.consumers, len(finding.consumers), finding, shorten),
        **_readers("mended", view.mends, len(finding.mends), finding, shorten),
        "remarks": remarks,
        "steps": steps[:MAX_STEPS],
        "more_steps": max(0, len(steps) - MAX_STEPS),
    }
    return {key: value for key, value in details.items() if value or (key == "id" and value is not None)}


def rule_entries(rules: Iterable[str], shorten: Shorten) -> dict[str, dict[str, str]]:
    """Return what these rules say of all their findings, each once."""
    known = {name: RULES[name] for name in sorted(set(rules)) if name in RULES}
    return {name: {"why": shorten(rule.why), "link": f"docs/rules/{name}.md"} for name, rule in known.items()}


def step_entry(step: LabelledText, shorten: Shorten, connect: Connect) -> dict[str, str]:
    """Return a labelled text as plain values: a text, or a command to type."""
    if step.typed and step.text.startswith(PROGRAM):
        return {"label": step.label, "text": "", "command": connect(step.text)}
    text = f"{step.text} {step.after}" if step.after else step.text
    return {"label": step.label, "text": shorten(TYPED.sub(lambda typed: f"`{connect(typed['command'])}`", text)), "command": ""}


def _readers(key: str, named: tuple[Consumer, ...], number: int, finding: Finding, shorten: Shorten) -> dict[str, Any]:
    """Return the first readers, and how many more of them there are."""
    first = named[:MAX_READERS]
    return {key: [_reader(consumer, finding, shorten) for consumer in first], f"more_{key}": number - len(first)}


def _reader(consumer: Consumer, finding: Finding, shorten: Shorten) -> dict[str, str]:
    """Return a reader and whom to call; what it lacks only where the finding does not say so itself."""
    members = {name: shorten(getattr(consumer, name)) for name in Consumer.__struct_fields__}
    for name in ("rule", "message"):
        if getattr(consumer, name) == getattr(finding, name):
            del members[name]
    return {name: text for name, text in members.items() if text or name == "name"}


# ---------------------------------------------------------------- back


def view_of(entry: FindingEntry, rules: Mapping[str, RuleEntry]) -> View:
    """Return the texts of a finding, as they are laid out."""
    rule = rules.get(entry.rule, RuleEntry())
    is_told_whole = bool(entry.what)
    return View(
        verdict=entry.verdict,
        rule=entry.rule,
        what=entry.what or entry.message.removesuffix("."),
        id=entry.id,
        message=entry.message if entry.tells_more else "",
        why=(entry.why or rule.why) if is_told_whole else "",
        place=entry.place,
        answers=tuple((question, entry.answers[question].replace(" ", JOINED)) for question in _QUESTIONS if question in entry.answers),
        consumers=entry.readers,
        more_consumers=entry.more_readers,
        mends=entry.mended,
        more_mends=entry.more_mended,
        steps=tuple(_steps(entry)),
        remarks=tuple(map(labelled_text, entry.remarks)),
        link=rule.link,
        of_job=entry.of_job,
    )


_QUESTIONS = ("data", "readers", "writers")


def _steps(entry: FindingEntry) -> Iterable[LabelledText]:
    if not entry.what and entry.fix:
        yield LabelledText("next step", entry.fix)
    yield from map(labelled_text, entry.steps)
    if entry.more_steps:
        yield LabelledText("", f"... and {entry.more_steps:,} more")


def labelled_text(step: StepEntry) -> LabelledText:
    """Return a step as it is laid out."""
    return LabelledText(step.label, step.command or step.text, typed=bool(step.command))
