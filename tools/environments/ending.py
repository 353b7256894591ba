"""End a setup as its caller expects: with one sentence, and with the tool that still runs."""

import signal
import sys
from collections.abc import Callable
from types import FrameType

from tools.environments.errors import SetupError

_INTERRUPTED = 130
_ENDED = 143


def ended_by_a_sentence(work: Callable[[], None], *, what: str) -> int:
    """Do the work and return the code to exit with; what stops it is one sentence."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        work()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Interrupted: {what} is not finished. Run this again to make it.", file=sys.stderr)
        return _INTERRUPTED
    return 0


def _end(_number: int, _frame: FrameType | None) -> None:
    """End as after Ctrl-C: with the tool that runs."""
    raise SystemExit(_ENDED)
