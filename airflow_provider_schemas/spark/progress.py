"""Progress of long work: a line in the log now and then, and a description of the jobs in Spark's own pages."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.spark.session import described

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
EVERY: Final = 10.0

Step = Callable[..., None]


class Progress:
    """Counts steps, from any thread, and says how far it has come, at most every few seconds. Short work says nothing."""

    def __init__(self, what: str, total: int | None = None, *, every: float = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self.what, self.total, self.done = what, total, 0
        self._every, self._clock, self._lock = every, clock, Lock()
        self._began = self._said = clock()

    def __call__(self, steps: int = 1) -> None:
        """So many more are done."""
        with self._lock:
            self.done += steps
            now = self._clock()
            if now - self._said < self._every:
                return
            self._said, said = now, str(self)
        _log.info("%s", said)

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return self._clock() - self._began

    def __str__(self) -> str:
        total = "" if self.total is None else f" of {self.total:,}"
        return f"{self.what}: {self.done:,}{total} after {self.seconds:.0f} s"


@contextmanager
def progress(what: str, total: int | None = None, *, spark: "SparkSession | None" = None, every: float = EVERY) -> Iterator[Progress]:
    """While it lasts, call what it gives for each step that is done; with a session, its jobs bear this description."""
    step = Progress(what, total, every=every)
    with described(spark, what) if spark is not None else nullcontext():
        yield step
    if step.seconds >= every:
        _log.info("%s: done, %s in %.0f s", what, f"{step.done:,}", step.seconds)
