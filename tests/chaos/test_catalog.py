"""The judge of histories of whole tables is judged: it lets sound ones pass, and catches whatever must not be."""

import dataclasses
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.support.catalog import FIRST_COLUMN, State, Stored, after, unsound
from tests.chaos.support.history import Answer, Operation

History = tuple[list[Operation], dict[str, list[Stored]]]


def asked(action: str, start: int, stop: int | None, answer: Answer, number: int | None = None, **about: Any) -> Operation:
    """One operation on db.t, by an actor of its own; a version that was written bears the key that was asked for."""
    key = about.get("asked", "")
    if answer is Answer.CREATED:
        about = {"key": key, "digest": f"d {key}", **about}
    fixed = {"actor": f"actor {start}", "asked": "", "table": "db.t", **about}
    return Operation(action=action, invoked=start, returned=stop, answer=answer, number=number, **fixed)


def read(start: int, stop: int, number: int, key: str, *columns: str, **about: Any) -> Operation:
    return asked("read", start, stop, Answer.READ, number, key=key, digest=f"d {key}", columns=(FIRST_COLUMN, *columns), **about)


def stored(number: int, key: str, parent: str | None, *columns: str) -> Stored:
    return Stored(number, f"d {key}", key, (FIRST_COLUMN, *columns), None if parent is None else f"d {parent}")


# A table is made, changed, taken back, renamed, and made anew; and one is dropped while somebody changes it.
SOUND = [
    asked("create", 10, 20, Answer.CREATED, 0, asked="a"),
    asked("change", 21, 30, Answer.CREATED, 1, asked="b"),
    read(22, 40, 1, "b", "a", "b"),
    asked("restore", 41, 50, Answer.CREATED, 2, asked="c", version=0),
    asked("restore", 51, 52, Answer.HOLDS, 2, key="c", digest="d c", version=0),
    asked("create", 53, 54, Answer.EXISTS, asked="x"),
    asked("rename", 55, 60, Answer.DONE, target="db.u"),
    asked("change", 61, 62, Answer.MISSING, asked="x"),
    asked("create", 63, 70, Answer.CREATED, 0, asked="d"),
    asked("rename", 71, 72, Answer.EXISTS, target="db.u"),
    asked("change", 73, 90, Answer.GONE, asked="e"),
    read(74, 75, 1, "e", "d", "e"),  # it was there for a moment, and went with the table
    asked("drop", 76, 88, Answer.DONE),
    asked("create", 89, 95, Answer.CREATED, 0, asked="f"),
    asked("change", 96, None, Answer.UNKNOWN, asked="g"),
]
FINAL = {
    "db.t": [stored(0, "f", None, "f")],
    "db.u": [stored(0, "a", None, "a"), stored(1, "b", "a", "a", "b"), stored(2, "c", "b", "a")],
}


def without(place: int) -> list[Operation]:
    return [one for number, one in enumerate(SOUND) if number != place]


def final(**tables: list[Stored]) -> dict[str, list[Stored]]:
    return {name: found for name, found in (FINAL | {f"db.{key}": found for key, found in tables.items()}).items() if found}


def test_a_sound_history_passes() -> None:
    assert unsound(SOUND, FINAL) == []


def test_a_writer_that_was_killed_may_have_done_it() -> None:
    assert unsound(SOUND, final(t=[*FINAL["db.t"], stored(1, "g", "f", "f", "g")])) == []


U = FINAL["db.u"]
WRONG: list[tuple[str, Sequence[Operation], Mapping[str, Sequence[Stored]], str]] = [
    ("two tables stand under one name", SOUND, final(t=[*FINAL["db.t"], stored(1, "e", "d", "d", "e")]), "two tables under one name"),
    ("a late version stands above a gap", SOUND, final(t=[*FINAL["db.t"], stored(5, "e", "d", "d", "e")]), "where version 1 should"),
    ("a restore is lost", SOUND, final(u=U[:2]), "no order"),
    ("a restore brought back something else", SOUND, final(u=[*U[:2], stored(2, "c", "b", "a", "b")]), "no order"),
    ("a drop left a file", [*SOUND, asked("drop", 100, 110, Answer.DONE)], FINAL, "no order"),
    ("a dropped table is there again", SOUND, final(t=[stored(1, "e", "d", "d", "e")]), "where version 0 should"),
    ("an acknowledged change is gone", SOUND, final(u=U[:1]), "no order"),
    ("an acknowledged table is gone", SOUND, final(t=[]), "no order"),
    ("a rename lost a version", SOUND, final(u=[U[0], stored(1, "c", "a", "a")]), "no order"),
    ("a rename left the table behind", SOUND, final(t=U), "no order"),
    ("a rename went over another table", [*SOUND, asked("rename", 100, 110, Answer.DONE, target="db.u")], FINAL, "no order"),
    (
        "a table is there that was dropped",
        without(12),
        final(t=[stored(0, "d", None, "d"), stored(1, "e", "d", "d", "e")]),
        "nobody",
    ),
    ("a change that was told to be gone is kept", SOUND, final(u=[*U, stored(3, "e", "c", "a", "e")]), "nothing of it holds"),
    ("a table went away, and nobody took it", [*SOUND, asked("change", 100, 110, Answer.GONE, asked="h")], FINAL, "nobody took it away"),
    ("a folder is in the way that nobody made", [*SOUND, asked("rename", 100, 110, Answer.REFUSED, target="db.v")], FINAL, "in the way"),
    ("two were dropped where one was", [*SOUND[:13], asked("drop", 88, 89, Answer.DONE), *SOUND[13:]], FINAL, "no order"),
    ("two were made under one name", [*SOUND, asked("create", 100, 110, Answer.CREATED, 0, asked="h")], FINAL, "no order"),
    ("a table is missing while it is there", [*SOUND, asked("read", 100, 110, Answer.MISSING)], FINAL, "no order"),
    ("a name is taken by nobody", [*SOUND, asked("create", 100, 110, Answer.EXISTS, table="db.v", asked="h")], FINAL, "no order"),
    ("a read sees the table that was dropped", [*SOUND, read(100, 110, 0, "d", "d")], FINAL, "no order"),
    ("a read sees the columns of another table", [*SOUND, read(100, 110, 0, "f", "d")], FINAL, "no order"),
    ("two files bear one key", [*SOUND, msgspec.structs.replace(read(100, 110, 0, "f", "f"), digest="torn")], FINAL, "as 2 files"),
    ("what was taken back holds still", [*SOUND, asked("restore", 100, 110, Answer.HOLDS, 1, key="b", table="db.u")], FINAL, "no order"),
]


@pytest.mark.parametrize(("operations", "there", "told"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_an_unsound_history_is_caught(operations: Sequence[Operation], there: Mapping[str, Sequence[Stored]], told: str) -> None:
    assert told in "\n".join(unsound(operations, there))


# ---------------------------------------------------------------- histories that a catalog gave, and what becomes of them


@dataclasses.dataclass
class Told:
    """What a catalog answered that was asked by one after the other."""

    state: State
    operations: list[Operation]
    moment: int = 0


ANSWERS = {
    "create": (Answer.CREATED, Answer.EXISTS),
    "change": (Answer.CREATED, Answer.MISSING),
    "restore": (Answer.CREATED, Answer.MISSING),
    "rename": (Answer.DONE, Answer.MISSING, Answer.EXISTS),
    "drop": (Answer.DONE, Answer.MISSING),
    "read": (Answer.READ, Answer.MISSING),
}


def step(told: Told, chance: random.Random) -> None:
    """One more operation, with an answer that is true, at a moment within a time that overlaps others."""
    action, (table, target) = chance.choice(list(ANSWERS)), chance.sample(["db.t", "db.u"], 2)
    chain = dict(told.state).get(table, ())
    told.moment += 10
    start, stop = told.moment - chance.randrange(25), told.moment + chance.randrange(25)
    key = f"k{told.moment}" if action in ("create", "change", "restore") else ""
    about: dict[str, Any] = {"actor": f"actor {told.moment}", "table": table, "asked": key, "target": target if action == "rename" else ""}
    if action == "read" and chain:
        told.operations.append(read(start, stop, len(chain) - 1, chain[-1].key, *chain[-1].columns[1:], actor=about["actor"], table=table))
        return
    for answer in ANSWERS[action]:
        number = len(chain) if answer is Answer.CREATED else None
        one = asked(action, start, stop, answer, number, **about, version=0)
        if found := list(after(told.state, one)):
            told.state = found[0]
            told.operations.append(one)
            return


def lying_there(state: State) -> dict[str, list[Stored]]:
    """The files of a state."""
    found: dict[str, list[Stored]] = {}
    for name, chain in state:
        parents = [None, *(link.key for link in chain[:-1])]
        found[name] = [stored(number, link.key, parents[number], *link.columns[1:]) for number, link in enumerate(chain)]
    return found


def told_by(seed: int, count: int) -> Told:
    chance, told = random.Random(seed), Told((), [])
    for _ in range(count):
        step(told, chance)
    return told


@given(seed=st.integers(0, 2**32), count=st.integers(1, 40))
def test_what_a_catalog_answers_is_sound(seed: int, count: int) -> None:
    told = told_by(seed, count)
    assert unsound(told.operations, lying_there(told.state)) == []


@given(seed=st.integers(0, 2**32), count=st.integers(5, 40))
def test_a_version_that_is_not_there_any_more_is_missed(seed: int, count: int) -> None:
    told = told_by(seed, count)
    there = lying_there(told.state)
    for name in there:
        assert unsound(told.operations, {**there, name: there[name][:-1]} if there[name][1:] else {**there, name: []})


@given(seed=st.integers(0, 2**32), count=st.integers(5, 40))
def test_a_table_that_nobody_made_is_noticed(seed: int, count: int) -> None:
    told = told_by(seed, count)
    there = lying_there(told.state)
    assert unsound(told.operations, {**there, "db.v": [stored(0, "ghost", None, "ghost")]})
