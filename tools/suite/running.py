"""Start jobs as slots become free, and wait for them."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.suite.jobs import TOP, Job

_LOOK = 0.2


class Ended(NamedTuple):
    """A job that has ended: its exit code, and the seconds it took."""

    job: Job
    code: int
    seconds: float


class _Running(NamedTuple):
    job: Job
    process: "subprocess.Popen[bytes]"
    began: float


def run(jobs: Sequence[Job], slots: int, look: Callable[[Sequence[Job]], None], ended: Callable[[Ended], None]) -> list[Ended]:
    """Run all jobs, `slots` at a time; `look` is called now and then with those that run.

    Jobs that wait take no slot, and those that run alone come last.
    """
    waiting, running, done = list(jobs), list[_Running](), list[Ended]()
    while waiting or running:
        for job in _startable(waiting, running, slots):
            waiting.remove(job)
            running.append(_start(job))
        for one in [entry for entry in running if entry.process.poll() is not None]:
            running.remove(one)
            done.append(Ended(one.job, one.process.returncode, time.monotonic() - one.began))
            ended(done[-1])
        look([entry.job for entry in running])
        time.sleep(_LOOK)
    return done


def _startable(waiting: Sequence[Job], running: Sequence[_Running], slots: int) -> list[Job]:
    shared = [job for job in waiting if not job.alone]
    if not shared:
        return [] if running else [*waiting[:1]]
    free = slots - sum(not entry.job.waits for entry in running)
    workers = [job for job in shared if not job.waits]
    return [job for job in shared if job.waits] + workers[: max(free, 0)]


def _start(job: Job) -> _Running:
    job.log.parent.mkdir(parents=True, exist_ok=True)
    with job.log.open("wb") as log:
        process = subprocess.Popen(job.command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ))
    return _Running(job, process, time.monotonic())
