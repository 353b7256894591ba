"""One subject after the other, each measured in a process of its own: what the others leave in the memory would slow it down."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from tests.benchmarks.contest import Case, Subject, prepare
from tests.benchmarks.inputs import SHAPES, Input, Shape
from tests.benchmarks.peers.installed import peers
from tests.benchmarks.subjects import diffing, evolving, judging, merging, projecting, reading, writing
from tests.benchmarks.timing import Effort, Timing, measure, pin

SUBJECTS: tuple[Subject, ...] = (
    reading.SUBJECT,
    writing.SUBJECT,
    evolving.SUBJECT,
    diffing.SUBJECT,
    judging.SUBJECT,
    merging.SUBJECT,
    projecting.SUBJECT,
)


class Found(NamedTuple):
    """What one subject came to: every case in order, the times of those who can, the reasons of those who cannot."""

    cases: list[Case]
    timings: dict[Case, Timing]
    absent: dict[Case, str]


def apart(number: int, sizes: list[int], effort: Effort) -> Found:
    """Measure the subject of this number."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured, number, sizes, effort).result()


def _measured(number: int, sizes: list[int], effort: Effort) -> Found:
    pin()
    prepared = prepare(SUBJECTS[number], peers(), [_copies(shape, size, sizes[-1]) for shape in SHAPES for size in sizes])
    calls = {case: found for case, found in prepared.items() if not isinstance(found, str)}
    absent = {case: found for case, found in prepared.items() if isinstance(found, str)}
    return Found(list(prepared), measure(calls, effort), absent)


def _copies(shape: Shape, size: int, largest: int) -> list[Input]:
    return [Input(shape, size) for _ in range(largest // size)]
