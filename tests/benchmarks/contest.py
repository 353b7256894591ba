"""Who is measured at what: operations, contestants, subjects.

A maker prepares an operation on an input and returns the call that is timed, so that nothing but the
operation itself is in the time. Small inputs come in as many copies as are as large as the largest input
together: all sizes then go through the same amount of memory, and none has a better time of the caches.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from tests.benchmarks.inputs import Input

OURS = "ours"

Call = Callable[[], object]
Maker = Callable[[Input], Call]


class Op(StrEnum):
    """The operations that are measured."""

    DECODE = "read a file"
    ENCODE = "write a file"
    DIGEST = "digest"
    ADD = "add one column"
    RENAME = "rename one column"
    WIDEN = "widen one column"
    ADD_100 = "add 100 columns"
    MIXED_100 = "100 changes: add, rename, widen"
    VALIDITY = "validity alone"
    DIFF_EQUAL = "equal schemas"
    DIFF_1 = "one change"
    DIFF_100 = "100 changes"
    DIFF_FILES = "two files, one change"
    VERDICT = "two files to a verdict, one change"
    VERDICT_100 = "two files to a verdict, 100 changes"
    CHECK = "a verdict, one change"
    CHECK_SAME = "a verdict on equal digests"
    CONTRACTS = "1,000 contracts against one change"
    MERGE = "ten columns more and ten wider"
    PROJECT = "a projection over 100 changes"
    ROW = "one row through it"
    MEMORY = "memory of what was read"


class CannotError(Exception):
    """What a contestant cannot do, with the reason."""


class Contestant(NamedTuple):
    """A library that is measured."""

    name: str
    makers: Mapping[Op, Maker]
    cannot: Mapping[Op, str] = {}


class Subject(NamedTuple):
    """One table: its operations, each with our maker and those of the physical limits."""

    title: str
    makers: Mapping[Op, Mapping[str, Maker]]


class Case(NamedTuple):
    """One line and one size of a table."""

    op: Op
    shape: str
    who: str
    size: int


# One call for each copy of the input.
Calls = list[Call]


def prepare(subject: Subject, peers: list[Contestant], inputs: Iterable[list[Input]]) -> dict[Case, Calls | str]:
    """The calls of a subject on every input and its copies; the reason instead where a contestant cannot."""
    found: dict[Case, Calls | str] = {}
    for (op, ours), copies in product(subject.makers.items(), inputs):
        shape, size = copies[0].shape.name, copies[0].size
        for who, maker in ours.items():
            found[Case(op, shape, who, size)] = [maker(one) for one in copies]
        for peer in peers:
            calls = _of_peer(peer, op, copies)
            if calls:
                found[Case(op, shape, peer.name, size)] = calls
    return found


def _of_peer(peer: Contestant, op: Op, copies: list[Input]) -> Calls | str | None:
    maker = peer.makers.get(op)
    if maker is None:
        return peer.cannot.get(op)
    try:
        return [maker(one) for one in copies]
    except CannotError as error:
        return str(error)
