"""What tools/environment.sh starts where a call may have something to change.

usage: python -m tools.environments FOLDER REQUIREMENTS CONSTRAINTS editable|bare CALL
"""

import signal
import sys
from pathlib import Path
from types import FrameType

from tools.environments.errors import SetupError
from tools.environments.making import Request, make

_INTERRUPTED = 130
_ENDED = 143


def main(arguments: list[str]) -> int:
    """Make the environment; what stops it is one sentence."""
    folder, requirements, constraints, mode, call = arguments
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        make(Request(Path(folder), Path(requirements), Path(constraints), mode, call))
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Interrupted: {folder} is not finished. Run this again to make it.", file=sys.stderr)
        return _INTERRUPTED
    return 0


def _end(_number: int, _frame: FrameType | None) -> None:
    """End as after Ctrl-C: with the tool that runs."""
    raise SystemExit(_ENDED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
