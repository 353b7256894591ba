"""A process beside the tests, in an environment of its own, which answers questions one after the other."""

import contextlib
import pickle
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.servers.process import TOP, plain_environment

# Less than the watchman of a run that was interrupted has (tools/watchman.py).
_PATIENCE = 10


class RefusedThereError(Exception):
    """The other side could not do what it was asked to; its own words."""


class Companion:
    """A module of ours that runs in another environment."""

    def __init__(self, environment: str, module: str, variables: Mapping[str, str] | None = None) -> None:
        python = TOP / environment / "bin" / "python"
        if not python.exists():
            raise FileNotFoundError(f"{environment} is not there: run `make test-all`, which makes it")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process lives
        self._process = subprocess.Popen(
            [str(python), "-m", module],
            cwd=TOP,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=plain_environment() | {"PYTHONPATH": ""} | dict(variables or {}),
        )

    def tell(self, what: str, **about: Any) -> None:
        """Put a question, whose answer is fetched later."""
        if self._process.stdin is None:
            raise AssertionError("it was opened with pipes")
        pickle.dump((what, about), self._process.stdin)
        self._process.stdin.flush()

    def hear(self) -> Any:
        """The answer to the question that was put first."""
        if self._process.stdout is None:
            raise AssertionError("it was opened with pipes")
        try:
            data = pickle.load(self._process.stdout)
        except EOFError:
            self._said.seek(0)
            raise RuntimeError(f"the process has ended: {self._said.read().decode(errors='replace')[-4000:]}") from None
        done, answer = pickle.loads(data)
        if not done:
            raise RefusedThereError(answer)
        return answer

    def ask(self, what: str, **about: Any) -> Any:
        """The answer to a question."""
        self.tell(what, **about)
        return self.hear()

    def end(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # it is gone, and a question was still to be sent
                    pipe.close()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()


class Warehouse:
    """A warehouse as another program sees it."""

    def __init__(self, companion: Companion, folder: Path) -> None:
        self.companion, self.folder = companion, folder

    def ask(self, what: str, table: str = "", **about: Any) -> Any:
        """Ask something about a table of the warehouse."""
        return self.companion.ask(what, warehouse=str(self.folder), **({"table": table} if table else {}), **about)
