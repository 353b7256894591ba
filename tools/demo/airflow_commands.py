"""Run one `airflow` command after another in one process, by the code that the program `airflow` runs.

To start Airflow takes several seconds; here it is started once. Standard input holds the commands, each a JSON list of arguments.
After each, a line with a mark and the exit code is written to both streams. At the end of the input the process ends at once, with
everything that it started: so nothing survives the demo, even one that was killed.
"""

import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable


def main(mark: str) -> None:
    """Run what comes on standard input until it ends."""
    commands: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(commands,), daemon=True).start()
    from airflow.__main__ import main as airflow

    _tell(mark, 0)
    while True:
        sys.argv = ["airflow", *commands.get()]
        _tell(mark, _exit_code(airflow))


def _receive(commands: "queue.SimpleQueue[list[str]]") -> None:
    for line in sys.stdin:
        commands.put(json.loads(line))
    os.killpg(0, signal.SIGTERM)  # the group of this process, in which the demo starts it
    os._exit(1)


def _exit_code(airflow: Callable[[], None]) -> int:
    try:
        airflow()
    except SystemExit as end:
        return _code(end)
    except Exception:  # noqa: BLE001  # the program would end with this traceback, too
        traceback.print_exc()
        return 1
    return 0


def _code(end: SystemExit) -> int:
    if isinstance(end.code, str):
        sys.stderr.write(f"{end.code}\n")
        return 1
    return end.code or 0


def _tell(mark: str, code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.write(f"\n{mark} {code}\n")
        stream.flush()


if __name__ == "__main__":
    main(sys.argv[1])
