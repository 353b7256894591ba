"""The order of columns when a table file is laid over a table.

What the file lists stands in its order. A column that it does not mention stays behind the one that it follows
today. A new column goes behind the one that precedes it in the file, and to the end if none of the columns that
are there comes after it.
"""

from collections.abc import Sequence


def ordered(there: Sequence[int], listed: Sequence[int], *, moving: bool) -> list[int]:
    """The ids of all fields, in order. Fields of a ROW cannot move, so that only new ones are put in."""
    known, mentioned = set(there), set(listed)
    spine = [one for one in (listed if moving else there) if one in known and one in mentioned]
    trail = _behind(there, mentioned)
    new = _behind(listed, known)
    last = _last(listed, known)
    found = [*_without(new.get(None, ()), last), *trail.get(None, ())]
    for one in spine:
        found += [one, *_without(new.get(one, ()), last), *trail.get(one, ())]
    return [*found, *last]


def _behind(row: Sequence[int], anchors: set[int]) -> dict[int | None, list[int]]:
    """What is no anchor, by the anchor before it."""
    found: dict[int | None, list[int]] = {}
    anchor: int | None = None
    for one in row:
        if one in anchors:
            anchor = one
        else:
            found.setdefault(anchor, []).append(one)
    return found


def _last(listed: Sequence[int], known: set[int]) -> list[int]:
    """The new ones behind which none comes that is there."""
    place = max((number for number, one in enumerate(listed) if one in known), default=-1)
    return list(listed[place + 1 :])


def _without(some: Sequence[int], others: Sequence[int]) -> Sequence[int]:
    return () if some and others and some[0] == others[0] else some
