"""Two versions of a table beside each other: what differs, whom it breaks, and any other two to choose."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.hidden_addresses import without_addresses
from airflow_provider_schemas.plugins.tables.judged_step import judge_step
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.render.html.table_diff import table_diff
from airflow_provider_schemas.store.layout.identifiers import MAIN
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
        way_back = _way_back(opened, choice, numbers)
        return {
            **page,
            "expired": (),
            "origin": Origin.of(new),
            "way_back": way_back,
            **_compare(opened, old, new, all_rows=choice.all_rows),
        }


def _compare(opened: OpenTable, old: Version, new: Version, *, all_rows: bool) -> Mapping[str, object]:
    if not opened.may_see_addresses:
        old, new = without_addresses(old), without_addresses(new)
    if new.number < old.number and not opened.is_mounted:
        new = _restored(old, new)
    step = judge_step(opened, old, new)
    # Two schemas of a table that others keep may share ids that mean nothing: the rows are then matched by name.
    shown = table_diff(old, new, table=opened.name, report=step.report, all_rows=all_rows, notes=step.notes)
    return {"compared": replace(shown, is_doubtful=step.is_doubtful), "step": step}


def _restored(head: Version, old: Version) -> Version:
    """Return an old version as a restore writes it: no id is ever given out again, so the highest one stays."""
    highest = max(head.schema.highest_field_id, old.schema.highest_field_id)
    return replace(old, schema=replace(old.schema, highest_field_id=highest))


def _way_back(opened: OpenTable, choice: Choice, numbers: Sequence[int]) -> str:
    """Return the command that tries to go back from the newest version; empty where the two are no way back."""
    if opened.is_mounted or choice.old != max(numbers) or choice.new >= choice.old:
        return ""
    branch = () if opened.branch == MAIN else ("--branch", opened.branch)
    return shlex.join(["airflow-schemas", "restore", "--conn", opened.conn_id, *branch, opened.name, str(choice.new), "--dry-run"])


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
    return opened.address("diff", a=choice.new, b=choice.old)
