"""What a catalog of tables does, asked by one process after the other: the sequential specification, and the search for an order.

Written from the documentation, and not from the code: docs/reference/store.md, docs/why/commits.md. A table is a chain of
versions under one name. A recorded history is sound if there is an order of its operations in which each gives the answer that
it gave, that agrees with the clock, and that ends in what lies there (the search of Wing and Gong, with a memory of dead ends).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from tests.chaos.support.history import Answer, Operation

FIRST_COLUMN = "id"
_FOREVER = 1 << 62
# An error that says neither, and a writer that was killed: it happened, or it did not. With GONE nothing of it holds in the end.
_UNSURE = (Answer.UNKNOWN, Answer.GONE)


class Link(NamedTuple):
    """One version: the key of the attempt that wrote it, and its columns."""

    key: str
    columns: tuple[str, ...]


class Stored(NamedTuple):
    """A version as it lies there in the end."""

    number: int
    digest: str
    key: str | None
    columns: tuple[str, ...]
    parent: str | None = None
    """The digest of the version that it was made of."""


Chain = tuple[Link, ...]
State = tuple[tuple[str, Chain], ...]
"""The tables that are there, by name, each with its versions."""


def unsound(operations: Iterable[Operation], final: Mapping[str, Sequence[Stored]]) -> list[str]:
    """What contradicts, in words; nothing if the history is sound."""
    done = list(operations)
    found = [*torn(final), *_two_files(done, final), *_groundless(done)]
    return found or _order(done, _state_of(final))


# ---------------------------------------------------------------- the specification


def after(state: State, one: Operation) -> Iterator[State]:
    """The states in which an operation with this answer may leave the tables; none, if it cannot have given that answer here."""
    tables = dict(state)
    if one.answer in _UNSURE:
        # The search goes on with the last one first: most of these did not happen, and to try all others before takes for ever.
        yield from _effect(tables, one, sure=False)
        yield state
    elif one.answer in (Answer.CREATED, Answer.DONE):
        yield from _effect(tables, one, sure=True)
    elif _observed(tables, one):
        yield state


def _effect(tables: dict[str, Chain], one: Operation, *, sure: bool) -> Iterator[State]:
    chain = tables.get(one.table, ())
    if one.action == "drop":
        if chain:
            yield _with(tables, one.table, ())
    elif one.action == "rename":
        if chain and one.target not in tables:
            yield _with({**tables, one.target: chain}, one.table, ())
    else:
        columns = _columns(chain, one)
        if columns and (not sure or one.number == len(chain)):
            yield _with(tables, one.table, (*chain, Link(one.asked, columns)))


def _columns(chain: Chain, one: Operation) -> tuple[str, ...]:
    """The columns of the version that a write makes; none, where it cannot make any."""
    if one.action == "create":
        return () if chain else (FIRST_COLUMN, one.asked)
    if not chain:
        return ()
    if one.action == "change":
        return (*chain[-1].columns, one.asked)
    number = one.version or 0
    return chain[number].columns if number < len(chain) else ()


def _with(tables: Mapping[str, Chain], name: str, chain: Chain) -> State:
    return tuple(sorted((key, found) for key, found in {**tables, name: chain}.items() if found))


def _observed(tables: Mapping[str, Chain], one: Operation) -> bool:
    """Whether an answer that changes nothing is true here."""
    chain = tables.get(one.table, ())
    if one.answer is Answer.REFUSED:
        return one.action == "rename"
    if one.answer is Answer.MISSING:
        return not chain or (one.action == "restore" and (one.version or 0) >= len(chain))
    if one.answer is Answer.EXISTS:
        return bool(tables.get(one.target or one.table))
    if not chain or one.number != len(chain) - 1 or chain[-1].key != one.key:
        return False
    if one.answer is Answer.READ:
        return chain[-1].columns == one.columns
    number = one.version or 0
    return one.action == "restore" and one.answer is Answer.HOLDS and number < len(chain) and chain[number].columns == chain[-1].columns


# ---------------------------------------------------------------- what lies there, by itself


def torn(final: Mapping[str, Sequence[Stored]]) -> list[str]:
    """Where a version does not follow the one before it, so that two tables stand under one name."""
    return [text for name, versions in final.items() for text in _torn(name, versions)]


def _torn(name: str, versions: Sequence[Stored]) -> Iterator[str]:
    for place, version in enumerate(versions):
        before = versions[place - 1].digest if place else None
        if version.number != place:
            yield f"version {version.number} of {name} stands where version {place} should"
        if version.parent != before:
            yield f"version {version.number} of {name} was made of {version.parent}, and stands on {before}: two tables under one name"


def _two_files(done: Iterable[Operation], final: Mapping[str, Sequence[Stored]]) -> Iterator[str]:
    """One attempt writes one file, and everybody who sees it sees the same."""
    seen: dict[str, set[str]] = defaultdict(set)
    for one in done:
        key = one.asked if one.answer is Answer.CREATED else one.key
        if key and one.digest:
            seen[key].add(one.digest)
    for version in (each for versions in final.values() for each in versions):
        if version.key:
            seen[version.key].add(version.digest)
    yield from (f"the version by {key!r} was seen as {len(digests)} files" for key, digests in seen.items() if len(digests) > 1)


def _groundless(done: Sequence[Operation]) -> Iterator[str]:
    """Who is told that somebody else is in the way is told so because somebody was, at that time."""
    for one in done:
        meanwhile = [each for each in done if each is not one and _overlap(one, each)]
        if one.answer is Answer.GONE and not any(map(partial(_removes, one.table), meanwhile)):
            yield f"{one.actor} was told that {one.table} went away while {one.asked!r} was written, and nobody took it away"
        if one.answer is Answer.REFUSED and not any(each.action == "create" and each.table == one.target for each in meanwhile):
            yield f"{one.actor} was told that a folder is in the way of {one.target}, and nobody was making any"


def _removes(table: str, one: Operation) -> bool:
    return one.action in ("drop", "rename") and one.table == table and one.answer in (Answer.DONE, Answer.UNKNOWN)


def _overlap(one: Operation, other: Operation) -> bool:
    return one.invoked < (other.returned or _FOREVER) and other.invoked < (one.returned or _FOREVER)


def _state_of(final: Mapping[str, Sequence[Stored]]) -> State:
    return _with({name: tuple(Link(one.key or "", one.columns) for one in versions) for name, versions in final.items()}, "", ())


# ---------------------------------------------------------------- the search for an order


class _Search:
    """Operations in lines, one for each process: the first of a line comes before all others of it."""

    def __init__(self, done: Sequence[Operation]) -> None:
        lines: dict[str, list[Operation]] = defaultdict(list)
        for one in sorted(done, key=lambda each: each.invoked):
            # What has no answer may happen at any time after it was asked for: it is in nobody's way.
            lines[f"{one.actor} {one.invoked}" if one.returned is None else one.actor].append(one)
        self.lines = list(lines.values())

    def start(self) -> tuple[int, ...]:
        return (0,) * len(self.lines)

    def waiting(self, places: tuple[int, ...]) -> Iterator[tuple[int, Operation]]:
        """The operations that may come next: none of the others was answered before they were asked for."""
        heads = [(line, self.lines[line][place]) for line, place in enumerate(places) if place < len(self.lines[line])]
        earliest = min((one.returned or _FOREVER for _, one in heads), default=_FOREVER)
        yield from ((line, one) for line, one in heads if one.invoked <= earliest)

    def settled(self, places: tuple[int, ...], state: State) -> tuple[int, ...]:
        """The places after all answers that change nothing and are true here: to take them now is never wrong."""
        moved = True
        while moved:
            moved = False
            for line, one in self.waiting(places):
                if one.answer not in _UNSURE and any(found == state for found in after(state, one)):
                    places, moved = _stepped(places, line), True
        return places

    def finished(self, places: tuple[int, ...]) -> bool:
        """Whether only operations are left of which nobody knows whether they ever happened."""
        return all(one.returned is None for _, one in self.left(places))

    def left(self, places: tuple[int, ...]) -> list[tuple[int, Operation]]:
        return [(line, one) for line, place in enumerate(places) for one in self.lines[line][place:]]


def _stepped(places: tuple[int, ...], line: int) -> tuple[int, ...]:
    return (*places[:line], places[line] + 1, *places[line + 1 :])


def _order(done: Sequence[Operation], end: State) -> list[str]:
    """Nothing, if there is an order; else how far the best one came.

    The search is quick without the changes of which nobody saw anything, and that is an order as well: these did not happen.
    """
    gone = {one.asked for one in done if one.answer is Answer.GONE}
    kept = [link.key for _, chain in end for link in chain if link.key in gone]
    if kept:
        return [f"{key!r} is there, and its writer was told that nothing of it holds" for key in kept]
    return _searched(list(_with_traces(done)), end) and _searched(done, end)


def _with_traces(done: Sequence[Operation]) -> Iterator[Operation]:
    """All but the changes that were refused because the table went away, and whose keys nobody saw."""
    seen = {key for one in done if one.answer is not Answer.GONE for key in (one.key, *one.columns)}
    yield from (one for one in done if one.answer is not Answer.GONE or one.asked in seen)


def _searched(done: Sequence[Operation], end: State) -> list[str]:
    search = _Search(done)
    first: tuple[tuple[int, ...], State] = (search.settled(search.start(), ()), ())
    stack: list[tuple[tuple[int, ...], State]] = [first]
    known, best = {first}, first
    while stack:
        places, state = stack.pop()
        best = max(best, (places, state), key=lambda each: sum(each[0]))
        if state == end and search.finished(places):
            return []
        for line, one in search.waiting(places):
            for found in after(state, one):
                step = (search.settled(_stepped(places, line), found), found)
                if step not in known:
                    known.add(step)
                    stack.append(step)
    return [_stuck(search, *best, end)]


def _stuck(search: _Search, places: tuple[int, ...], state: State, end: State) -> str:
    waiting = [one for _, one in search.waiting(places)]
    words = "; ".join(f"{one.actor} {one.action} {one.table} {one.asked} -> {one.answer} {one.number}" for one in waiting)
    here = f"after {sum(places)} operations there is {_shown(state)}, and next would be {words or 'the end'}"
    return f"no order explains the history: {here}; in the end there is {_shown(end)}"


def _shown(state: State) -> str:
    return ", ".join(f"{name}: {' '.join(link.key for link in chain)}" for name, chain in state) or "no table"
