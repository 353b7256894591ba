"""The examples of rules and the meanings of codes, as `facts.json` beside this module has them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("facts.json")


@cache
def _facts() -> dict[str, dict[str, Any]]:
    facts: dict[str, dict[str, Any]] = json.loads(_FILE.read_text("utf-8"))
    return facts


def of_rule(rule: str) -> dict[str, Any]:
    """Return the example of a rule, how it is accepted, and the path and job of a waiver."""
    facts: dict[str, Any] = _facts()["rules"].get(rule, {"example": [], "accepts": [], "waive": None})
    return facts


def codes() -> dict[str, dict[str, Any]]:
    """Return the codes of errors, each with its classes, and with its meaning and page where a page lists it."""
    return _facts()["codes"]


def families() -> dict[str, dict[str, Any]]:
    """Return the beginnings of codes that a page explains together, each with its meaning and page."""
    return _facts()["families"]
