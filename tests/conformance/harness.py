"""What a vector expects, what we answer, and the verdict.

The answer that Java gave is asked first. Only where ours is another one may a deviation excuse it, and
then ours must be the very answer that the deviation states. A row that is listed under a deviation has to
deviate: an excuse that nothing needs any more is a failure.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from airflow_provider_schemas.errors import SchemaError
from tests.conformance.rows import ANY, Content, Row

# Where a row states its answer.
ANSWERS = ("expect", "expectRows", "error")


def as_it_is(content: Content, value: Any) -> Any:
    """The expected value where the vectors have one form for it."""
    del content
    return value


class Group(NamedTuple):
    """A kind of vector: how we answer it, and the one form of an expected value that may be written in several."""

    answer: Callable[[Content], Any]
    settled: Callable[[Content, Any], Any] = as_it_is


class Accepted(NamedTuple):
    """A value, in the form that the vectors use."""

    value: Any


class Refused(NamedTuple):
    """An error, by its code and, where that is known, the column it speaks of."""

    code: str
    column: str | None = None


Answer = Accepted | Refused


class Deviation(NamedTuple):
    """A kind of input to which we give another answer than Java, on purpose."""

    name: str
    groups: frozenset[str]
    applies: Callable[[Content], bool]
    answer: Callable[[Content], Answer]
    ids: frozenset[str]
    reason: str


class Verdict(NamedTuple):
    """What a test has to say about a row: `message` if it failed, `deviation` if it is excused."""

    message: str = ""
    deviation: str = ""


def ours(group: Group, content: Content) -> Answer:
    """Our answer. Any error that is not of our tree is let through, and fails the test."""
    try:
        return Accepted(group.answer(content))
    except SchemaError as error:
        return Refused(error.code, error.path)


def expected(group: Group, content: Content) -> Answer:
    """The answer that the row states."""
    if "error" in content:
        return Refused(content["error"]["code"], content["error"].get("column"))
    return Accepted(group.settled(content, content["expectRows"] if "expectRows" in content else content["expect"]))


def agree(found: Answer, wanted: Answer) -> bool:
    """Whether the answer is the wanted one, which may leave the column of an error open, and its code."""
    if isinstance(found, Refused) and isinstance(wanted, Refused):
        return wanted.code in (ANY, found.code) and wanted.column in (None, found.column)
    if isinstance(found, Accepted) and isinstance(wanted, Accepted):
        return _text(found.value) == _text(wanted.value)
    return False


def judge(row: Row, groups: Mapping[str, Group], deviations: Iterable[Deviation], *, all_listed: bool = False) -> Verdict:
    """The verdict on a row. With all_listed, a deviation must name the row and not only describe it."""
    if row.fault or row.group not in groups:
        return Verdict(row.fault or f"no test knows the group {row.group!r}; there are {', '.join(groups)}.")
    if not row.content.keys() & set(ANSWERS):
        return Verdict(f"{row.id} states no answer: it has none of {', '.join(ANSWERS)}.")
    group = groups[row.group]
    found, wanted = ours(group, row.content), expected(group, row.content)
    known = [one for one in deviations if row.group in one.groups]
    if agree(found, wanted):
        stale = [one.name for one in known if row.id in one.ids]
        return Verdict(f"{row.id} is answered as Java does: take it off the list of {stale[0]}." if stale else "")
    applying = [one for one in known if one.applies(row.content)]
    for one in applying:
        if agree(found, one.answer(row.content)):
            unlisted = all_listed and row.id not in one.ids
            return Verdict(f"{row.id} deviates by {one.name}, which does not list it." if unlisted else "", one.name)
    return Verdict(_difference(row, found, wanted, applying))


def _difference(row: Row, found: Answer, wanted: Answer, applying: Iterable[Deviation]) -> str:
    purpose = [f"by {one.name}: {_shown(one.answer(row.content))}" for one in applying]
    given = {key: value for key, value in row.content.items() if key not in ("id", "group", *ANSWERS)}
    return "\n".join([f"input:    {_text(given)}", f"expected: {_shown(wanted)}", *purpose, f"answered: {_shown(found)}"])


def _shown(answer: Answer) -> str:
    if isinstance(answer, Refused):
        return f"error {answer.code or 'of any code'}" + (f" at {answer.column!r}" if answer.column else "")
    return _text(answer.value)


def _text(value: Any) -> str:
    """JSON text, by which values are compared: to Python 1, 1.0 and true are equal."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
