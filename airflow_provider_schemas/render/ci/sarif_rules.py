"""The rules of a SARIF file: from `core/rules.py`, each with its help, so that a host shows it without a link."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from airflow_provider_schemas.core.report import Answers, Verdict, worst
from airflow_provider_schemas.core.rules import RULES, Judges, Rule
from airflow_provider_schemas.render.ci.entries import NOT_JUDGED
from airflow_provider_schemas.render.escaping import prose

LEVELS: Mapping[Verdict, str] = MappingProxyType({
    Verdict.OK: "note",
    Verdict.WARN: "warning",
    Verdict.BREAK: "error",
    Verdict.INVALID: "error",
})  # fmt: skip
_SEVERITIES = {"note": "recommendation", "warning": "warning", "error": "error"}
# No host shows more of a description.
_LONGEST = 1_000
_TEXTS_OF_UNKNOWN = ("A rule that this release does not describe.", "")
_FAULT_CHANGE = "something could not be judged"
_FAULT_WHY = "What nobody looked at may break anything: the run is no proof that a change fits until this is judged."
_FAULT_FIX = "Follow the sentence of the result, and run the check again."
_NAMED = re.compile(r"\{(\w+)\}")
_QUESTIONS = ("data, read by id", "data, read by name", "old readers", "old writers")


def descriptors(names: Iterable[str], docs: str) -> list[dict[str, Any]]:
    """Return the descriptions of rules, in the order of their names."""
    return [_descriptor(name, docs) for name in names]


def _descriptor(name: str, docs: str) -> dict[str, Any]:
    rule = RULES.get(name)
    if rule is None:
        return _special(name)
    level = LEVELS[worst(_verdicts(rule.answers()))]
    described: dict[str, Any] = {
        "id": name,
        "name": _title(name),
        "shortDescription": {"text": _sentence(rule.change)},
        "fullDescription": {"text": f"{_sentence(rule.change)} {rule.why}"[:_LONGEST]},
        "help": {"text": _help_text(rule), "markdown": _help_markdown(rule, docs)},
        "defaultConfiguration": {"level": level},
        "properties": {
            "code": rule.code,
            "precision": "very-high",
            "problem.severity": _SEVERITIES[level],
            "tags": ["schema", "compatibility", f"judges-{rule.judges.value}"],
        },
    }
    if docs:
        described["helpUri"] = page(name, docs)
    return described


def _special(name: str) -> dict[str, Any]:
    """Return the description of what is no rule of the catalogue: something that was not judged, or a rule of another release."""
    change, why = _TEXTS_OF_UNKNOWN
    fix = ""
    if name == NOT_JUDGED:
        change, why, fix = _sentence(_FAULT_CHANGE), _FAULT_WHY, _FAULT_FIX
    text = " ".join(part for part in (change, why, fix) if part)
    return {
        "id": name,
        "name": _title(name),
        "shortDescription": {"text": change},
        "fullDescription": {"text": text},
        "help": {"text": text, "markdown": prose(text)},
        "defaultConfiguration": {"level": "error"},
        "properties": {"precision": "very-high", "problem.severity": "error", "tags": ["schema"]},
    }


def page(name: str, docs: str) -> str:
    """Return the address of the page about a rule."""
    return f"{docs}docs/rules/{name}.md"


def _help_text(rule: Rule) -> str:
    lines = [_sentence(rule.change), rule.why]
    if rule.fix:
        lines.append(f"What to do: {_fix(rule)}")
    lines += [*_answer_lines(rule), f"Offline: airflow-schemas explain {rule.id}"]
    return "\n\n".join(lines)


def _help_markdown(rule: Rule, docs: str) -> str:
    lines = [f"**{prose(_sentence(rule.change))}**", prose(rule.why)]
    if rule.fix:
        lines.append(f"**What to do:** {prose(_fix(rule))}")
    lines += [*map(prose, _answer_lines(rule)), f"Offline: `airflow-schemas explain {rule.id}`"]
    if docs:
        lines.append(f"[The page of the rule]({page(rule.id, docs)})")
    return "\n\n".join(lines)


def _fix(rule: Rule) -> str:
    """Return the fix of a rule, with words in capitals where the fix of a finding has names."""
    return _NAMED.sub(lambda match: match[1].upper(), rule.fix)


def _answer_lines(rule: Rule) -> list[str]:
    """Return the line with the answers to the questions, for a rule about a step from one schema to the next."""
    if rule.judges not in (Judges.TWO, Judges.HISTORY):
        return []
    answered = zip(_QUESTIONS, _verdicts(rule.answers()), strict=True)
    return ["; ".join(f"{question}: {verdict.value}" for question, verdict in answered)]


def _verdicts(answers: Answers) -> tuple[Verdict, ...]:
    return answers.data_by_id, answers.data_by_name, answers.jobs, answers.writers


def _title(name: str) -> str:
    """Return the name of a rule as hosts want them: FieldRenamed."""
    return "".join(word.capitalize() for word in name.split("_"))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
