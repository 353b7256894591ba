"""Explanations as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def page_of(explanations: Sequence[Mapping[str, Any]]) -> str:
    """Return explanations below each other."""
    return _joined(block for value in explanations for block in _BLOCKS[value["kind"]](value))


def list_of(families: Sequence[Mapping[str, Any]]) -> str:
    """Return all rules by their families."""
    return _joined(_list_blocks(families))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _list_blocks(families: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "# Rules"
    for family in families:
        yield f"## {family['name']}"
        yield "\n".join(f"- {rule['code']} `{rule['rule']}`: {rule['change']}" for rule in family["rules"])


def _rule(value: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {value['rule']}"
    yield f"{value['code']}: {value['change']}. A check finds it by looking at {value['looks_at']}."
    yield f"**Found by.** {', '.join(value['found_by'])}."
    if value["answers"]:
        rows = [f"| {answer['question']} | {answer['answer']} |" for answer in value["answers"]]
        yield "\n".join(["| question | answer |", "|---|---|", *rows])
    yield f"**Why.** {value['why']}"
    if value["fix"]:
        yield f"**What to do.** {value['fix']}"
    yield "## Example"
    yield from value["example"]
    yield "## To accept it"
    yield from value["accepts"]
    if value["waive"]:
        yield "Or until a day, from the command line:"
        yield f"```text\n{value['waive']}\n```"


def _error(value: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {value['code']}"
    if value["means"]:
        yield f"**{'Means' if value['exact'] else 'Its family'}.** {value['means']}"
    if value["classes"]:
        yield f"**Raised as** {', '.join(f'`{name}`' for name in value['classes'])}."
    if value["rule"]:
        yield f"**As a finding** it has the rule `{value['rule']}`."
    yield "What to do is said by the error itself: its last sentence."


def _family(value: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {value['family']}*"
    if value["means"]:
        yield value["means"]
    yield "\n".join(f"- `{entry['code']}` {entry['means']}".rstrip() for entry in value["codes"])


def _way(value: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {value['name']}"
    yield f"{value['code']}: {value['means']}. No finding has this code: it is a way of applying other rules."


_BLOCKS = {"rule": _rule, "error": _error, "family": _family, "way": _way}
