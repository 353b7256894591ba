"""Two versions of a table beside each other: what differs, whom it breaks, and any other two to choose."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.addresses import address
from airflow_provider_schemas.plugins.tables.hidden_addresses import without_addresses
from airflow_provider_schemas.plugins.tables.judged_step import judge_step
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.render.html.table_diff import table_diff
from airflow_provider_schemas.store.versions.heads import versions_before

_MOST_CHOICES: Final = 500
_NOT_THERE: Final = "version.not-there"


class Choice(Struct, frozen=True):
    """The two versions that are compared, and those that could be."""

    old: int
    new: int
    numbers: tuple[int, ...]
    """The newest first."""
    all_rows: bool = False


def content(asked: Asked) -> Mapping[str, object]:
    """Return both versions, what differs and whom it breaks; where one is not there any more, what there is."""
    with open_table(asked, jobs=True) as opened:
        numbers = opened.table.numbers()
        if not numbers:
            raise opened.table.subject.missing()
        choice = _choice(opened, asked.query, numbers)
        page = {**opened.frame("diff"), "choice": choice, "swapped": _swapped(opened, choice)}
        try:
            old, new = opened.table.version(choice.old), opened.table.version(choice.new)
        except NotThereError as error:
            if error.code != _NOT_THERE:
                raise
            return {**page, "expired": _expired(choice, numbers), "compared": None, "step": None}
        return {**page, "expired": (), **_compare(opened, old, new, all_rows=choice.all_rows)}


def _compare(opened: OpenTable, old: Version, new: Version, *, all_rows: bool) -> Mapping[str, object]:
    if not opened.may_see_addresses:
        old, new = without_addresses(old), without_addresses(new)
    step = judge_step(opened, old, new)
    # Two schemas of a table that others keep may share ids that mean nothing: the rows are then matched by name.
    shown = table_diff(old, new, table=opened.name, report=step.report, all_rows=all_rows, notes=step.notes)
    return {"compared": replace(shown, is_doubtful=step.is_doubtful), "step": step}


# ---------------------------------------------------------------- which two


def _choice(opened: OpenTable, query: Mapping[str, str], numbers: Sequence[int]) -> Choice:
    """Return the versions that the query names; else the newest, and the one before it."""
    new = _number(query.get("b", ""))
    old = _number(query.get("a", ""))
    if new is None:
        new = opened.table.latest().number
    if old is None:
        old = _before(opened, new, numbers)
    return Choice(old, new, tuple(reversed(numbers))[:_MOST_CHOICES], bool(query.get("all")))


def _before(opened: OpenTable, new: int, numbers: Sequence[int]) -> int:
    """Return the version before another one; itself if it is the first."""
    if not opened.is_mounted:
        return max((number for number in numbers if number < new), default=new)
    if new not in numbers:
        return new
    table = opened.table
    earlier = versions_before(table.versions(), table.version(new), table.subject.versions.heads())
    return earlier[-1].number if earlier else new


def _number(text: str) -> int | None:
    digits = text.removeprefix("v")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def _expired(choice: Choice, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return which of the two are not there any more."""
    there = set(numbers)
    gone = tuple(number for number in dict.fromkeys((choice.old, choice.new)) if number not in there)
    return gone or (choice.old,)  # it was listed, and expired before it was read


def _swapped(opened: OpenTable, choice: Choice) -> str:
    """Return the address of the same two versions the other way round: what going back would break."""
    branch = "" if opened.branch == "main" else opened.branch
    return address("diff", conn=opened.conn_id, t=opened.name, branch=branch, a=choice.new, b=choice.old)
