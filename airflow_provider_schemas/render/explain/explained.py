"""Explanations as plain values: what JSON holds, and what text and Markdown are made of."""

import shlex
from typing import Any

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.rules import CATALOGUE, RULE_OF_FAULT, Rule
from airflow_provider_schemas.render.explain import facts
from airflow_provider_schemas.render.explain.names import CodeFamily, ErrorCode, Named, Way
from airflow_provider_schemas.render.explain.words import FAMILIES, LOOKED_AT, QUESTIONS, answers_of, found_by, has_questions

EXAMPLE_TABLE = "shop.orders"
_ERRORS_PAGE = "docs/reference/errors.md"


def explained(named: Named) -> dict[str, Any]:
    """Return the explanation of what a name means."""
    match named:
        case Rule():
            return _rule(named)
        case ErrorCode():
            return _error(named.code)
        case CodeFamily():
            return _code_family(named)
        case Way():
            return {"kind": "way", "code": named.code, "name": named.name, "means": named.comes_out_as}


def catalogue() -> list[dict[str, Any]]:
    """Return all rules by their families."""
    return [
        {"family": letter, "name": name, "rules": [_entry(rule) for rule in CATALOGUE if rule.code[0] == letter]}
        for letter, name in FAMILIES.items()
    ]


def _entry(rule: Rule) -> dict[str, str]:
    return {"code": rule.code, "rule": rule.id, "change": rule.change}


# ---------------------------------------------------------------- rules


def _rule(rule: Rule) -> dict[str, Any]:
    known = facts.of_rule(rule.id)
    return {
        "kind": "rule",
        **_entry(rule),
        "family": FAMILIES[rule.code[0]],
        "looks_at": LOOKED_AT[rule.judges],
        "found_by": list(found_by(rule)),
        "answers": _answers(rule),
        "why": rule.why,
        "fix": "" if "{" in rule.fix else rule.fix,
        "example": known["example"],
        "accepts": known["accepts"],
        "waive": _waive_command(rule, known["waive"]),
        "faults": list(rule.faults),
        "link": Finding(rule.id, "", "").link,
    }


def _answers(rule: Rule) -> list[dict[str, str]]:
    if not has_questions(rule):
        return []
    usual = rule.answers()
    rows = zip(QUESTIONS, answers_of(rule), strict=True)
    return [{"about": key, "verdict": getattr(usual, key).value, "question": question, "answer": text} for key, (question, text) in rows]


def _waive_command(rule: Rule, waiver: list[str] | None) -> str:
    """Return the command that lets the finding of the example through; empty where nothing does."""
    if waiver is None:
        return ""
    path, job = waiver
    words = ["airflow-schemas", "waive", EXAMPLE_TABLE, rule.id, path]
    if job:
        words.append(f"--for={job}")
    return shlex.join([*words, "--until=3d", "--reason=WHY"])


# ---------------------------------------------------------------- errors


def _error(code: str) -> dict[str, Any]:
    known = facts.codes().get(code, {"classes": []})
    family = facts.families().get(f"{code.partition('.')[0]}.", {})
    return {
        "kind": "error",
        "code": code,
        "means": known.get("means") or family.get("means", ""),
        "exact": "means" in known,
        "classes": known["classes"],
        "rule": RULE_OF_FAULT.get(code, ""),
        "link": known.get("page") or family.get("page") or _ERRORS_PAGE,
    }


def _code_family(family: CodeFamily) -> dict[str, Any]:
    known = facts.families().get(family.prefix, {})
    codes = [{"code": code, "means": facts.codes()[code].get("means", "")} for code in family.codes]
    return {
        "kind": "family",
        "family": family.prefix,
        "means": known.get("means", ""),
        "codes": codes,
        "link": known.get("page") or _ERRORS_PAGE,
    }
