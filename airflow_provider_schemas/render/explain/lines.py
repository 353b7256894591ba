"""Explanations as lines of text, each with its indent; typed lines are never broken."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

# How the questions are called where there is little room.
_ABOUT: Mapping[str, str] = MappingProxyType({
    "data_by_id": "old data, by field id",
    "data_by_name": "old data, by name",
    "jobs": "old readers",
    "writers": "old writers",
})  # fmt: skip
_WIDEST = max(map(len, _ABOUT.values()))
_FENCE = "```"
# The sentence in front of what a check prints, which is read and not typed.
_FINDING = "The finding:"
# A label and the blanks before its text, below which later lines of the text begin.
_LABEL = re.compile(r"[a-z]+(?: [a-z]+)* {2,}")
_HANG = 4


class ExplainedLine(NamedTuple):
    """A line of words; `typed` marks what is written so, blanks included."""

    text: str
    indent: int = 0
    typed: bool = False
    hang: int = _HANG


def lines_of(explanations: Sequence[Mapping[str, Any]]) -> Iterator[ExplainedLine]:
    """Yield the lines of explanations, with an empty one between two."""
    for number, value in enumerate(explanations):
        if number:
            yield ExplainedLine("")
        yield from _LINES[value["kind"]](value)


def _rule(value: Mapping[str, Any]) -> Iterator[ExplainedLine]:
    yield ExplainedLine(f"{value['rule']}  {value['code']}: {value['change']}")
    yield ExplainedLine(f"found by {', '.join(value['found_by'])}, looking at {value['looks_at']}", 2)
    if value["answers"]:
        yield ExplainedLine("")
    for answer in value["answers"]:
        yield ExplainedLine(f"{_ABOUT[answer['about']]:{_WIDEST}}  {answer['answer']}", 2)
    yield from (ExplainedLine(""), ExplainedLine(f"why: {value['why']}", 2))
    if value["fix"]:
        yield ExplainedLine(f"what to do: {value['fix']}", 2)
    yield from _section("for example:", value["example"])
    yield from _section("to accept it:", value["accepts"])
    if value["waive"]:
        yield ExplainedLine("Or until a day, from the command line:", 4)
        yield ExplainedLine(value["waive"], 6, typed=True)
    if value["faults"]:
        yield from (ExplainedLine(""), ExplainedLine(f"codes of the checks: {', '.join(value['faults'])}", 2))
    yield from (ExplainedLine(""), ExplainedLine(f"page: {value['link']}", 2))


def _section(title: str, blocks: Sequence[str]) -> Iterator[ExplainedLine]:
    """Yield the blocks of a page below a title; code is indented, and stays as it is."""
    if not blocks:
        return
    yield from (ExplainedLine(""), ExplainedLine(title, 2))
    before = ""
    for block in blocks:
        if block.startswith(_FENCE):
            yield from _code(block, typed=before != _FINDING)
        else:
            yield ExplainedLine(block, 4)
        before = block


def _code(block: str, *, typed: bool) -> Iterator[ExplainedLine]:
    for line in block.splitlines()[1:-1]:
        text = line.lstrip(" ")
        label = _LABEL.match(text)
        hang = label.end() if label else _HANG
        yield ExplainedLine(text, 6 + len(line) - len(text), typed, hang)


def _error(value: Mapping[str, Any]) -> Iterator[ExplainedLine]:
    yield ExplainedLine(value["code"])
    if value["means"]:
        yield ExplainedLine(f"{'means' if value['exact'] else 'its family'}: {value['means']}", 2)
    if value["classes"]:
        yield ExplainedLine(f"raised as {', '.join(value['classes'])}, which is a SchemaError", 2)
    if value["rule"]:
        yield ExplainedLine("as a finding it has the rule:", 2)
        yield ExplainedLine(f"airflow-schemas explain {value['rule']}", 4, typed=True)
    yield ExplainedLine("what to do is said by the error itself: its last sentence", 2)
    yield ExplainedLine(f"page: {value['link']}", 2)


def _family(value: Mapping[str, Any]) -> Iterator[ExplainedLine]:
    means = f": {value['means']}" if value["means"] else ""
    yield ExplainedLine(f"{value['family']}*  {len(value['codes'])} codes of errors{means}")
    for entry in value["codes"]:
        yield ExplainedLine(f"{entry['code']}: {entry['means']}" if entry["means"] else entry["code"], 2)


def _way(value: Mapping[str, Any]) -> Iterator[ExplainedLine]:
    yield ExplainedLine(f"{value['name']}  {value['code']}: {value['means']}")
    yield ExplainedLine("no finding has this code: it is a way of applying other rules", 2)


_LINES = {"rule": _rule, "error": _error, "family": _family, "way": _way}
