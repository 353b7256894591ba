"""The fewest moves that bring a list of columns into another order."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeVar

from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange, UpdateColumnPosition

Item = TypeVar("Item")


def moved(have: Sequence[Item], want: Sequence[Item]) -> list[Item]:
    """Return the fewest items that have to move, in the wanted order; both lists hold the same ones."""
    place = {name: number for number, name in enumerate(have)}
    still = _longest_rising([place[name] for name in want])
    return [name for number, name in enumerate(want) if number not in still]


def moves(have: Sequence[str], want: Sequence[str]) -> list[SchemaChange]:
    """Return moves of single columns, each behind the one that shall stand before it. Columns of one list only are left alone."""
    if list(have) == list(want):
        return []
    place = {name: number for number, name in enumerate(have)}
    order = [name for name in want if name in place]
    still = _longest_rising([place[name] for name in order])
    return [UpdateColumnPosition(_move(number, order)) for number in range(len(order)) if number not in still]


def _move(number: int, order: Sequence[str]) -> Move:
    if number == 0:
        return Move(order[0], MoveType.FIRST)
    return Move(order[number], MoveType.AFTER, order[number - 1])


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """Return the places of a longest rising run within the numbers; what is not in it has to move."""
    least_ends: list[int] = []  # the least last number of a run of each length
    end_places: list[int] = []  # and where it stands
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(least_ends, number)
        before.append(end_places[length - 1] if length else -1)
        if length == len(least_ends):
            least_ends.append(number)
            end_places.append(place)
        else:
            least_ends[length] = number
            end_places[length] = place
    run: set[int] = set()
    place = end_places[-1] if end_places else -1
    while place >= 0:
        run.add(place)
        place = before[place]
    return run
