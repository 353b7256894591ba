"""The order of columns when a table file is applied to a table.

The columns of the file stand in its order. A column that it does not mention stays behind the one that it follows
today. A new column goes behind the one that precedes it in the file, and to the end if none of the existing columns
comes after it.
"""

from collections.abc import Sequence


def ordered(existing: Sequence[int], listed: Sequence[int], *, moving: bool) -> list[int]:
    """Return the ids of all fields, in order. Fields of a ROW cannot move, so that only new ones are put in."""
    known = set(existing)
    mentioned = set(listed)
    kept = [number for number in (listed if moving else existing) if number in known and number in mentioned]
    unmentioned = _grouped_behind(existing, mentioned)
    new = _grouped_behind(listed, known)
    last = _last_new(listed, known)
    # Behind the anchor that the last new ones follow, they are left out: they go to the end.
    order: list[int] = []
    for anchor in (None, *kept):
        if anchor is not None:
            order.append(anchor)
        order += _unless_last(new.get(anchor, ()), last)
        order += unmentioned.get(anchor, ())
    return [*order, *last]


def _grouped_behind(row: Sequence[int], anchors: set[int]) -> dict[int | None, list[int]]:
    """Return the fields that are not anchors, by the anchor before them; None stands for the beginning."""
    groups: dict[int | None, list[int]] = {}
    anchor: int | None = None
    for number in row:
        if number in anchors:
            anchor = number
        else:
            groups.setdefault(anchor, []).append(number)
    return groups


def _last_new(listed: Sequence[int], known: set[int]) -> list[int]:
    """Return the new fields behind which no existing one comes."""
    place = max((place for place, number in enumerate(listed) if number in known), default=-1)
    return list(listed[place + 1 :])


def _unless_last(group: Sequence[int], last: Sequence[int]) -> Sequence[int]:
    """Return a group of new fields; nothing for the group that goes to the end."""
    if group and last and group[0] == last[0]:
        return ()
    return group
