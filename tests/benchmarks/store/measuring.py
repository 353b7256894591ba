"""How a store is timed: on the processor and on the clock, since a commit waits for the disk. One process a subject."""

import gc
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.contest import CannotError
from tests.benchmarks.store import commits, fitting, histories, judgements, lives, many, references
from tests.benchmarks.store.subject import Maker, Prepared, Subject
from tests.benchmarks.timing import Effort, pin

SUBJECTS: tuple[Subject, ...] = (
    commits.SUBJECT,
    lives.LIFE,
    lives.WIDE_LIFE,
    histories.SUBJECT,
    judgements.SUBJECT,
    references.SUBJECT,
    many.SUBJECT,
    fitting.SUBJECT,
)

# How much of the sizes a quick run takes.
SOME = 0.02
# How often each is measured at least, however slow it is.
_LEAST = 3


class Line(NamedTuple):
    """One line and one size of a table."""

    job: str
    who: str
    size: int


class Took(NamedTuple):
    """Seconds of one call: on the processor, and on the clock."""

    processor: float
    clock: float
    median: float
    samples: int


def sizes(subject: Subject, part: float) -> list[int]:
    """This part of the sizes of a subject; different ones in any case, and of whole groups of columns."""
    return sorted({max(10 * place, int(one * part) // 10 * 10) for place, one in enumerate(subject.sizes, 1)})


def apart(number: int, effort: Effort, part: float = 1) -> dict[Line, Took | str]:
    """Measure the subject of this number, in a process of its own; the reason instead of the time where somebody cannot."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured, number, effort, part).result()


def _measured(number: int, effort: Effort, part: float) -> dict[Line, Took | str]:
    pin()
    subject, found = SUBJECTS[number], dict[Line, Took | str]()
    top = Path(tempfile.mkdtemp(prefix="bench-store-"))
    try:
        folders = {size: top / str(size) for size in sizes(subject, part)}
        for size, folder in folders.items():
            subject.scene(folder, size)
        for job, makers in subject.jobs.items():
            found |= _job(job, makers, folders, effort)
    finally:
        shutil.rmtree(top)
    return found


def _job(job: str, makers: Mapping[str, Maker], folders: Mapping[int, Path], effort: Effort) -> dict[Line, Took | str]:
    found: dict[Line, Took | str] = {}
    calls: dict[Line, Prepared] = {}
    for who, maker in makers.items():
        for size, folder in folders.items():
            try:
                calls[Line(job, who, size)] = maker(folder, size)
            except CannotError as error:
                found[Line(job, who, size)] = str(error)
    found |= _rounds(calls, effort)
    for one in calls.values():
        one.before()  # the next job finds everything as it was
    return found


def _rounds(calls: Mapping[Line, Prepared], effort: Effort) -> dict[Line, Took]:
    samples: dict[Line, list[tuple[float, float]]] = {line: [] for line in calls}
    left = dict.fromkeys(calls, effort.seconds)
    for number in range(effort.rounds):
        for line, one in calls.items():
            if number < _LEAST or left[line] > 0:
                samples[line].append(_timed(one))
                left[line] -= samples[line][-1][1]
        gc.collect()
    return {line: _took(found) for line, found in samples.items()}


def _timed(one: Prepared) -> tuple[float, float]:
    one.before()
    gc.disable()
    clock, processor = time.perf_counter(), time.process_time()
    one.call()
    times = time.process_time() - processor, time.perf_counter() - clock
    gc.enable()
    return times


def _took(samples: Iterable[tuple[float, float]]) -> Took:
    processor, clock = zip(*samples, strict=True)
    return Took(min(processor), min(clock), statistics.median(clock), len(clock))
