"""Measure one cost of a run once more, in a run of its own beside which no other test of the run works."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

_OPTION = "--measured-once"


def add_option(parser: pytest.Parser) -> None:
    """Add the option of a second run, which starts no third one."""
    parser.addoption(_OPTION, action="store_true", help="believe each cost at its first measurement")


def measure(config: pytest.Config, name: str, file: str | None) -> float | None:
    """Return what a run of this file alone costs under this name, or the import of all tests; None where that cannot be learned."""
    if config.getoption(_OPTION):
        return None
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "costs.json"
        subprocess.run(
            _command(config, file, record), cwd=config.invocation_params.dir, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if not record.is_file():
            return None
        costs: dict[str, float] = json.loads(record.read_text("utf-8"))["costs"]
    return costs.get(name)


def _command(config: pytest.Config, file: str | None, record: Path) -> list[str]:
    arguments = [str(argument) for argument in config.invocation_params.args]
    line = [sys.executable, "-m", "pytest", _OPTION, f"--costs={record}"]
    if file is None:
        return [*line, "--collect-only", *_without_costs(arguments)]
    return [*line, *_without_paths(_without_costs(arguments), config.args), str(config.rootpath / file)]


def _without_costs(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments but for the file of the costs, written `--costs=FILE` or `--costs FILE`."""
    before = ""
    for argument in arguments:
        if before != "--costs" and not argument.startswith("--costs"):
            yield argument
        before = argument


def _without_paths(arguments: Iterator[str], paths: Sequence[str]) -> list[str]:
    return [argument for argument in arguments if argument not in paths]
