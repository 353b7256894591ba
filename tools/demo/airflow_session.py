"""The Airflow of the demo, seen from outside: a process that runs `airflow` commands and hands over their lines as they come."""

import json
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tools.demo import streaming
from tools.demo.demo_error import DemoError

_PROGRAM = Path(__file__).with_name("airflow_commands.py")
_LAST = 15


class AirflowSession:
    """One process for all `airflow` commands."""

    def __init__(self, environment: Mapping[str, str], folder: Path, tick: Callable[[], None], program: Path = _PROGRAM) -> None:
        self._mark = f"@@{secrets.token_hex(8)}"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-u", str(program), self._mark],
            env=dict(environment),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        self._lines = streaming.lines(self._process, tick)

    def start(self, log: Path) -> None:
        """Wait until Airflow is loaded."""
        list(self._until_mark(log, []))

    def run(self, arguments: list[str], log: Path, on_line: Callable[[streaming.Line], None]) -> int:
        """Run `airflow ARGUMENTS`, add its output to the log, hand over each line. Return the exit code."""
        codes: list[int] = []
        self._send(arguments)
        for line in self._until_mark(log, codes):
            on_line(line)
        return codes[0]

    def end(self) -> None:
        """End the process and everything that it started."""
        streaming.end(self._process)

    def _send(self, arguments: list[str]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{json.dumps(arguments)}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # the process has ended; what it left to read says so

    def _until_mark(self, log: Path, codes: list[int]) -> Iterator[streaming.Line]:
        last: list[str] = []
        with log.open("a", encoding="utf-8") as file:
            for line in self._lines:
                if line.text.startswith(self._mark):
                    codes.append(int(line.text.split()[1]))
                    if len(codes) == 2:  # of each stream
                        return
                    continue
                file.write(f"{line.text}\n")
                file.flush()
                last = [*last[1 - _LAST :], line.text]
                yield line
        ended = streaming.how_it_ended(self._process.wait())
        raise DemoError(f"Airflow's process {ended}.", lines=last, log=log)
