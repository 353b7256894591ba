"""Is a recorded history one that a single register, asked by one process after the other, could have given?

The register is the list of versions; a write appends one change to the version that it has seen. The numbers say in
which order the writes took place, so the question is whether that order agrees with the clock: whatever was answered
before something else was asked comes before it. Such an order exists if no two operations contradict each other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.chaos.support.history import Answer, Operation, Written

_SEEN = (Answer.CREATED, Answer.APPLIED, Answer.HOLDS, Answer.READ)


def violations(operations: Iterable[Operation], final: Sequence[Written]) -> list[str]:
    """What contradicts, in words; nothing if the history is sound."""
    done = list(operations)
    return [*_chain(final), *_answers(done, final), *_changes(done, final), *_order(done, final)]


# ---------------------------------------------------------------- the versions by themselves


def _chain(final: Sequence[Written]) -> Iterator[str]:
    """Each version follows the one before it, and says so."""
    for place, version in enumerate(final):
        before = final[place - 1] if place else None
        if version.number != place:
            yield f"version {version.number} stands where version {place} should"
        if before is not None and (version.parent_number, version.parent_digest) != (before.number, before.digest):
            made_of = f"{version.parent_number} {version.parent_digest}"
            yield f"version {version.number} was made of {made_of}, not of {before.number} {before.digest}"


# ---------------------------------------------------------------- what was acknowledged is there


def _answers(done: Iterable[Operation], final: Sequence[Written]) -> Iterator[str]:
    there = {version.number: version for version in final}
    for one in done:
        if one.answer not in _SEEN:
            continue
        version = there.get(one.number) if one.number is not None else None
        if version is None:
            yield f"{one.actor} was told of version {one.number}, which is not there"
        elif version.digest != one.digest:
            yield f"{one.actor} was told that version {one.number} is {one.digest}, and it is {version.digest}"
        elif one.answer in (Answer.CREATED, Answer.APPLIED) and version.change != one.asked:
            yield f"{one.actor} was told that version {one.number} is its {one.asked!r}, and it is {version.change!r}"
        elif one.answer is Answer.HOLDS and not any(each.change == one.asked for each in final[: version.number + 1]):
            yield f"{one.actor} was told that {one.asked!r} holds in version {one.number}, and it does not"


def _changes(done: Iterable[Operation], final: Sequence[Written]) -> Iterator[str]:
    """No change is there twice, none that nobody asked for, none that was refused every time."""
    made = Counter(version.change for version in final[1:])
    asked = {one.asked for one in done if one.writes}
    maybe = {one.asked for one in done if one.writes and one.answer is not Answer.REFUSED}
    creates = Counter(one.asked for one in done if one.answer is Answer.CREATED)
    yield from (f"{change!r} is there {count} times" for change, count in made.items() if count > 1)
    yield from (f"{change!r} was acknowledged as created {count} times" for change, count in creates.items() if count > 1)
    yield from (f"{change!r} is there, and nobody asked for it" for change in made.keys() - asked)
    yield from (f"{change!r} is there, and was refused" for change in made.keys() & (asked - maybe))


# ---------------------------------------------------------------- the order agrees with the clock


def _order(done: Sequence[Operation], final: Sequence[Written]) -> Iterator[str]:
    """What was answered before something was asked is not newer than it; a version is new to everybody before its writer asked."""
    writers = _writers(done, final)
    known = [(one.returned, one.number, one.actor) for one in done if one.answer in _SEEN and one.returned and one.number is not None]
    returns = iter(sorted(known))
    upcoming = next(returns, None)
    newest, teller = -1, ""
    for one in sorted(done, key=lambda each: each.invoked):
        while upcoming is not None and upcoming[0] < one.invoked:
            if upcoming[1] > newest:
                newest, teller = upcoming[1], upcoming[2]
            upcoming = next(returns, None)
        version = writers.get(id(one))
        if version is not None and version <= newest:
            yield f"{one.actor} asked for version {version} after {teller} was told of version {newest}"
        elif version is None and one.answer in (Answer.HOLDS, Answer.READ) and one.number is not None and one.number < newest:
            yield f"{one.actor} was told of version {one.number} after {teller} was told of version {newest}"
    yield from _too_early(done, final)


def _writers(done: Iterable[Operation], final: Sequence[Written]) -> dict[int, int]:
    """Of the operations that wrote a version, its number. One without an answer wrote what is there, if nobody else can have."""
    numbers = {version.change: version.number for version in final[1:]}
    found: dict[int, int] = {}
    claims: dict[str, list[Operation]] = {}
    for one in done:
        if one.writes and one.asked in numbers and one.answer in (Answer.CREATED, Answer.UNKNOWN):
            claims.setdefault(one.asked, []).append(one)
    for change, candidates in claims.items():
        sure = [one for one in candidates if one.answer is Answer.CREATED] or (candidates if len(candidates) == 1 else [])
        found |= {id(one): numbers[change] for one in sure}
    return found


def _too_early(done: Sequence[Operation], final: Sequence[Written]) -> Iterator[str]:
    """Nobody was told of a version before anybody asked for it."""
    first: dict[str, int] = {}
    for one in done:
        if one.writes:
            first[one.asked] = min(one.invoked, first.get(one.asked, one.invoked))
    changes = {version.number: version.change for version in final[1:]}
    for one in done:
        asked = first.get(changes.get(one.number, "")) if one.number is not None else None
        if asked is not None and one.answer in _SEEN and one.returned is not None and one.returned < asked:
            yield f"{one.actor} was told of version {one.number} before anybody asked for it"
