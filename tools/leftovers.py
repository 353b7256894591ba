"""Run something so that nothing is left of it, however it ends: no server, no JVM, no Airflow.

    with guarded():
        process = subprocess.Popen(...)
        process.wait()

The run marks itself and with that all its descendants (tools/processes.py), takes the signals that end it as KeyboardInterrupt, and has a
watchman that outlives it (tools/watchman.py). Runs may stand inside each other: make's runner, pytest, a demo. Standard library only.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType

from tools import watchman
from tools.processes import NO_LIMIT, RUNS, WATCHED_RUNS, marked, new_mark, parent_and_command, set_limit, tell, wait_until

# `timeout` and terminals send one signal twice: to a process, and to its group. Pytest hears of an interrupt from its runner as well.
_REPEATED = 2.0

Handler = Callable[[int, FrameType | None], object] | int | signal.Handlers | None


class Guard:
    """The mark, the watchman and the signals of this process."""

    def __init__(self, grace: float = watchman.GRACE) -> None:
        self.mark = new_mark()
        self._grace = grace
        self._watchman = 0
        self._pipe = -1
        self._ending: float | None = None
        self._handlers: dict[signal.Signals, Handler] = {}

    def begin(self) -> None:
        """Start the watchman, bear the mark, and take the signals."""
        marks = ",".join(filter(None, [os.environ.get(RUNS), str(self.mark)]))
        set_limit(NO_LIMIT)  # the watchman must not bear the mark of an outer run either
        self._watchman, self._pipe = watchman.start(self.mark, marks, self._grace)
        set_limit(self.mark)
        os.environ[RUNS] = marks
        self._take_signals()
        os.register_at_fork(after_in_child=self._forget)

    @property
    def ending(self) -> bool:
        """Whether the run was told to end, or is at its end."""
        return self._ending is not None

    def holds(self, number: int) -> bool:
        """Whether the run has taken this signal; a forked child has not."""
        return number in self._handlers

    def end(self) -> None:
        """End what is left of the run: first the runs inside it, which have something to tear down, then all that bears the mark."""
        self._ending = self._ending or time.monotonic()
        runs = self._inner_runs()
        tell(runs, self.mark, signal.SIGTERM)
        wait_until(lambda: not runs.intersection(marked(self.mark)), watchman.GRACE + watchman.PATIENCE)
        watchman.end(self.mark)

    def dismiss(self) -> None:
        """Wait for the watchman and for those of inner runs, bear the mark no more, and give the signals back."""
        os.close(self._pipe)
        self._pipe = -1
        with contextlib.suppress(ChildProcessError):  # the run has waited for all its children
            os.waitpid(self._watchman, 0)
        wait_until(lambda: not marked(self.mark, WATCHED_RUNS), 2 * watchman.PATIENCE)
        self._unmark()
        self._give_signals(self._handlers)

    def _inner_runs(self) -> set[int]:
        """Return the runs inside this one: each is the parent of a watchman."""
        parents = {parent_and_command(pid)[0] for pid in marked(self.mark, WATCHED_RUNS)}
        return parents.intersection(marked(self.mark))

    def _unmark(self) -> None:
        outer, inside, _own = os.environ.pop(RUNS).rpartition(",")
        if inside:
            os.environ[RUNS] = outer
        set_limit(int(outer.rpartition(",")[2]) if inside else NO_LIMIT)

    def _take_signals(self) -> None:
        # A shell lets what runs in its background ignore SIGINT: it is taken nevertheless. A run that ignores SIGHUP was started by nohup.
        taken = [number for number in watchman.SIGNALS if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN]
        self._handlers = {number: signal.signal(number, self._interrupt) for number in taken}

    def _give_signals(self, handlers: Mapping[signal.Signals, Handler]) -> None:
        self._handlers = {}
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def _interrupt(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._ending is None:
            self._ending = now
            os.write(self._pipe, b".")
            raise KeyboardInterrupt(f"{signal.Signals(number).name} ended the run")
        if now > self._ending + _REPEATED:
            os._exit(128 + number)

    def _forget(self) -> None:
        """Make a forked child an ordinary process, which dies of a signal and does not hold the pipe."""
        if self._pipe >= 0:
            os.close(self._pipe)
        self._pipe = -1
        self._give_signals(dict.fromkeys(self._handlers, signal.SIG_DFL))


@contextlib.contextmanager
def guarded(grace: float = 2 * watchman.GRACE) -> Iterator[Guard]:
    """Run the block; however it ends, end every process that it has started. A signal raises KeyboardInterrupt in the block.

    The runs inside it are waited for, and have less time to end than this one.
    `subprocess.run` kills its child a quarter of a second after a signal; `Popen.wait` leaves it to this guard, which lets it end in order.
    """
    guard = Guard(grace)
    guard.begin()
    try:
        yield guard
    finally:
        guard.end()
        guard.dismiss()
