"""The fewest moves that bring a list of columns into another order."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeVar

from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange, UpdateColumnPosition

Item = TypeVar("Item")


def moved(have: Sequence[Item], want: Sequence[Item]) -> list[Item]:
    """The fewest items that have to move, in the wanted order; both hold the same ones."""
    place = {one: number for number, one in enumerate(have)}
    still = _longest_rising([place[one] for one in want])
    return [one for number, one in enumerate(want) if number not in still]


def moves(have: Sequence[str], want: Sequence[str]) -> list[SchemaChange]:
    """Moves of single columns, each behind the one that shall stand before it. Columns of one list only are left alone."""
    if list(have) == list(want):
        return []
    place = {name: number for number, name in enumerate(have)}
    order = [name for name in want if name in place]
    still = _longest_rising([place[name] for name in order])
    changes: list[SchemaChange] = []
    for number, name in enumerate(order):
        if number in still:
            continue
        before = order[number - 1] if number else None
        move = Move(name, MoveType.FIRST) if before is None else Move(name, MoveType.AFTER, before)
        changes.append(UpdateColumnPosition(move))
    return changes


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The places of a longest rising run within the numbers; what is not in it has to move."""
    tails: list[int] = []  # the least last number of a run of each length
    ends: list[int] = []  # and where it stands
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        tails[length:] = [number] if length == len(tails) else [number, *tails[length + 1 :]]
        ends[length:] = [place] if length == len(ends) else [place, *ends[length + 1 :]]
    found, place = set(), ends[-1] if ends else -1
    while place >= 0:
        found.add(place)
        place = before[place]
    return found
