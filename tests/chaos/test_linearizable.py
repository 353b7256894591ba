"""The judge of recorded histories is judged: it lets sound ones pass, and catches whatever is done to them."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.support.history import Answer, Operation, Recorder, Written, recorded
from tests.chaos.support.linearizable import violations

FIRST = Written(0, "d0")


def changed(one: Any, **members: Any) -> Any:
    return msgspec.structs.replace(one, **members)


def version(number: int, change: str) -> Written:
    return Written(number, f"d{number}", change, number - 1, f"d{number - 1}")


def write(actor: str, asked: str, start: int, stop: int, number: int) -> Operation:
    return Operation(actor, asked, start, stop, Answer.CREATED, number, f"d{number}")


def read(actor: str, start: int, stop: int, number: int) -> Operation:
    return Operation(actor, "", start, stop, Answer.READ, number, f"d{number}")


FINAL = [FIRST, version(1, "x"), version(2, "y"), version(3, "z")]
SOUND = [
    write("a", "x", 10, 40, 1),
    read("r", 20, 30, 1),  # seen before its writer was told
    write("b", "y", 15, 60, 2),
    read("r", 61, 62, 2),
    Operation("c", "z", 50),  # killed, and it was written
    Operation("c", "never", 55),  # killed, and it was not
    Operation("d", "no", 56, 57, Answer.REFUSED),
    read("r", 70, 80, 3),
    Operation("e", "x", 90, 95, Answer.HOLDS, 3, "d3"),
    Operation("a", "x", 90, 95, Answer.APPLIED, 1, "d1"),  # asked again with the key of the first time
]


def test_a_sound_history_passes() -> None:
    assert violations(SOUND, FINAL) == []


BAD: list[tuple[str, Sequence[Operation], Sequence[Written], str]] = [
    ("an acknowledged version is gone", SOUND, FINAL[:3], "which is not there"),
    ("two were told of one number", [*SOUND, write("f", "w", 96, 97, 3)], FINAL, "is its 'w'"),
    ("a version was overwritten", SOUND, [*FINAL[:2], changed(FINAL[2], digest="other"), FINAL[3]], "is d2, and it is other"),
    ("a change is there twice", SOUND, [*FINAL, version(4, "x")], "2 times"),
    ("a change came from nowhere", SOUND, [*FINAL, version(4, "ghost")], "nobody asked"),
    ("a refused change is there", SOUND, [*FINAL, version(4, "no")], "was refused"),
    ("a read is too old", [*SOUND, read("r", 81, 82, 2)], FINAL, "after r was told of version 3"),
    ("a read goes back", [*SOUND, read("s", 96, 97, 1)], FINAL, "was told of version 1"),
    ("a read sees the future", [read("r", 1, 2, 1), *SOUND], FINAL, "before anybody asked"),
    (
        "writes are in the wrong order",
        [write("a", "x", 1, 2, 2), write("b", "y", 3, 4, 1)],
        [FIRST, version(1, "y"), version(2, "x")],
        "asked for",
    ),
    ("a write is older than what was read", [read("r", 5, 6, 3), *SOUND], FINAL, "after r was told of version 3"),
    ("a version has another parent", SOUND, [*FINAL[:2], changed(FINAL[2], parent_digest="d0"), FINAL[3]], "was made of 1 d0"),
    ("a number is missing", [], [FIRST, version(2, "y")], "stands where version 1 should"),
    ("what is said to hold does not", [*SOUND, Operation("e", "never", 96, 97, Answer.HOLDS, 3, "d3")], FINAL, "holds in version 3"),
    ("a retry is told of another's version", [*SOUND, Operation("a", "x", 96, 97, Answer.APPLIED, 2, "d2")], FINAL, "is its 'x'"),
    ("a change was acknowledged twice", [*SOUND, write("f", "x", 41, 42, 1)], FINAL, "acknowledged as created 2 times"),
]


@pytest.mark.parametrize(("operations", "final", "told"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_an_unsound_history_is_caught(operations: Sequence[Operation], final: Sequence[Written], told: str) -> None:
    assert any(told in one for one in violations(operations, final))


# ---------------------------------------------------------------- made by the hundred


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Operation], list[Written]]:
    """What honest processes record of an honest register: each operation takes effect at one moment between question and answer."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    clocks = dict.fromkeys("abcd", 0)
    final, operations = [FIRST], list[Operation]()
    moment = 0
    for number in range(draw(st.integers(3, 25))):
        actor = chance.choice("abcd")
        effect = moment = max(moment, clocks[actor] + 2) + chance.randint(2, 9)
        start, stop = chance.randint(clocks[actor] + 1, effect - 1), effect + chance.randint(1, 30)
        clocks[actor] = stop
        asked = f"change {number}" if chance.random() < 0.6 else ""
        if asked and chance.random() < 0.1:
            operations.append(Operation(actor, asked, start, stop, Answer.REFUSED))
            continue
        if asked:
            final.append(version(len(final), asked))
        head = final[-1]
        kind = Answer.CREATED if asked else Answer.READ
        lost = asked and chance.random() < 0.15
        found = Operation(actor, asked, start) if lost else Operation(actor, asked, start, stop, kind, head.number, head.digest)
        operations.append(found)
    return operations, final


@given(histories())
def test_what_an_honest_register_gives_is_sound(history: tuple[list[Operation], list[Written]]) -> None:
    assert violations(*history) == []


History = tuple[list[Operation], list[Written]]


def _lose_a_version(history: History, chance: random.Random) -> History | None:
    """The newest acknowledged version is overwritten by the next: the numbers close up, one acknowledgement remains."""
    operations, final = history
    known = [one for one in operations if one.answer is Answer.CREATED]
    if not known:
        return None
    lost = chance.choice(known)
    rest = [one for one in final if one.number != lost.number]
    return operations, [FIRST, *(version(number, one.change) for number, one in enumerate(rest) if number)]


def _swap_two(history: History, chance: random.Random) -> History | None:
    """Two versions of which the first was acknowledged before the second was asked for trade places."""
    operations, final = history
    writes = [one for one in operations if one.answer is Answer.CREATED]
    pairs = [(one, other) for one in writes for other in writes if one.returned is not None and one.returned < other.invoked]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    places = {one.number: other.asked, other.number: one.asked}
    swapped = [FIRST, *(version(each.number, places.get(each.number, each.change)) for each in final[1:])]
    numbers = {each.change: each.number for each in swapped}
    told = [
        changed(each, number=numbers[each.asked], digest=f"d{numbers[each.asked]}") if each.answer is Answer.CREATED else each
        for each in operations
    ]
    return told, swapped


def _age_a_read(history: History, chance: random.Random) -> History | None:
    """A read is answered with what was old news when it was asked."""
    operations, final = history
    for place in chance.sample(range(len(operations)), len(operations)):
        one = operations[place]
        seen = [each.number for each in operations if each.number is not None and each.returned is not None and each.returned < one.invoked]
        if one.answer is Answer.READ and seen and max(seen) > 0:
            old = chance.randrange(max(seen))
            return [*operations[:place], changed(one, number=old, digest=f"d{old}"), *operations[place + 1 :]], final
    return None


def _copy_a_number(history: History, chance: random.Random) -> History | None:
    """Two writers are told of the same number."""
    operations, final = history
    writes = [place for place, one in enumerate(operations) if one.answer is Answer.CREATED]
    if len(writes) < 2:
        return None
    one, other = chance.sample(writes, 2)
    copied = changed(operations[other], number=operations[one].number, digest=operations[one].digest)
    return [*operations[:other], copied, *operations[other + 1 :]], final


def _tear_a_version(history: History, chance: random.Random) -> History | None:
    """Somebody saw bytes that are no version."""
    operations, final = history
    known = [place for place, one in enumerate(operations) if one.number is not None]
    if not known:
        return None
    place = chance.choice(known)
    return [*operations[:place], changed(operations[place], digest="half of it"), *operations[place + 1 :]], final


MUTATIONS: list[Callable[[History, random.Random], History | None]] = [
    _lose_a_version,
    _swap_two,
    _age_a_read,
    _copy_a_number,
    _tear_a_version,
]


@pytest.mark.parametrize("mutate", MUTATIONS, ids=[one.__name__.strip("_") for one in MUTATIONS])
@given(history=histories(), seed=st.integers(0, 2**32))
def test_whatever_is_done_to_a_history_is_caught(mutate: Callable[..., History | None], history: History, seed: int) -> None:
    broken = mutate(history, random.Random(seed))
    if broken is not None:
        assert violations(*broken)


def test_a_process_that_was_killed_leaves_a_question_without_an_answer(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, "a")
    recorder.answer(recorder.ask("x"), Answer.CREATED, 1, "d1")
    recorder.ask("y")
    first, second = recorded(tmp_path)
    assert (first.asked, first.answer, first.number) == ("x", Answer.CREATED, 1)
    assert first.invoked < (first.returned or 0)
    assert (second.asked, second.answer, second.returned) == ("y", Answer.UNKNOWN, None)
