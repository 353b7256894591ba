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
    """Counts steps, from any thread, and logs how far the work has come, at most every few seconds. Short work logs nothing."""

    def __init__(self, what: str, total: int | None = None, *, every: float = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._every = every
        self._clock = clock
        self._lock = Lock()
        self._began = clock()
        self._logged_at = self._began

    def __call__(self, steps: int = 1) -> None:
        """Count so many steps more."""
        with self._lock:
            self.done += steps
            now = self._clock()
            if now - self._logged_at < self._every:
                return
            self._logged_at = now
            line = str(self)
        _log.info("%s", line)

    @property
    def seconds(self) -> float:
        """Return how long the work has been going on."""
        return self._clock() - self._began

    def __str__(self) -> str:
        total = "" if self.total is None else f" of {self.total:,}"
        return f"{self.what}: {self.done:,}{total} after {self.seconds:.0f} s"


@contextmanager
def progress(what: str, total: int | None = None, *, spark: "SparkSession | None" = None, every: float = EVERY) -> Iterator[Progress]:
    """Give what is to be called for each step that is done; with a session, its jobs have this description while the context lasts."""
    step = Progress(what, total, every=every)
    with nullcontext() if spark is None else described(spark, what):
        yield step
    if step.seconds >= every:
        _log.info("%s: done, %s in %.0f s", what, f"{step.done:,}", step.seconds)
