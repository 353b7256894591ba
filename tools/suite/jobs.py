"""List what `make test` (quick) and `make test-all` (rest) run: each job is one command. As many run at a time as there are cores."""

import sys
from pathlib import Path
from typing import NamedTuple

from tests.plugins.folders import SMOKE

TOP = Path(__file__).parents[2]
BUILD = TOP / "build"
COSTS = BUILD / "costs"
_BIN = Path(sys.executable).parent
_PAIMON = TOP / ".venv-paimon" / "bin"
_EXAMPLES = "tests/provider/test_example_dags.py"
# What the newest Spark could answer otherwise than the one in .venv: all of reading, and a cluster, besides the smoke tests.
_NEWEST = (
    "tests/spark/test_cluster.py",
    "tests/spark/reading/test_read_failures.py",
    "tests/spark/reading/test_read_folders.py",
    "tests/spark/reading/test_read_table.py",
)


class Job(NamedTuple):
    """A command with a name; its output goes to NAME.log."""

    name: str
    command: tuple[str, ...]
    waits: bool = False
    """The job waits for other processes most of its time, and so takes no turn from the others."""
    logs: Path = BUILD / "logs"
    alone: bool = False
    """Nothing else runs meanwhile: the job says how soon a server answers."""

    @property
    def log(self) -> Path:
        """The file of its output."""
        return self.logs / f"{self.name}.log"


def pytest(name: str, suite: str, *arguments: str, binaries: Path = _BIN, waits: bool = False, alone: bool = False) -> Job:
    """Make a job of pytest, which records and judges what its files cost."""
    costs = COSTS / ("quick" if suite == "quick" else "rest") / f"{name}.json"
    line = (str(binaries / "python"), "-m", "pytest", f"--suite={suite}", f"--costs={costs}", "-p", "no:cacheprovider")
    return Job(name, (*line, *arguments), waits, alone=alone)


def tool(name: str, *command: str) -> Job:
    """Make a job of a program of the environment."""
    return Job(name, (str(_BIN / command[0]), *command[1:]))


def suites() -> dict[str, tuple[Job, ...]]:
    """Return the jobs of each suite, the longest first."""
    return {"quick": _quick(), "rest": _rest()}


def _quick() -> tuple[Job, ...]:
    return (
        pytest("quick-demo", "quick", "tests/tools/test_demo.py"),
        pytest("quick-provider", "quick", "tests/provider"),
        pytest("quick-store", "quick", "tests/store", "tests/servers"),
        pytest("quick-unit", "quick", "tests/core", "tests/formats", "tests/conformance", "tests/render", "tests/peers"),
        pytest("quick-spark", "quick", "tests/spark"),
        pytest("quick-chaos", "quick", "tests/chaos", "tests/cli", "tests/remedies"),
        pytest("quick-house", "quick", "tests/house", "tests/tools", "--ignore=tests/tools/test_demo.py"),
        tool("ruff", "ruff", "check"),
        tool("ruff-format", "ruff", "format", "--check"),
        tool("imports", "lint-imports", "--no-logo"),
    )


def _rest() -> tuple[Job, ...]:
    return (
        pytest("rest-system", "rest", "tests/system", waits=True),
        pytest("rest-ui", "rest", "tests/ui", alone=True),
        pytest("rest-provider", "rest", "tests/provider", f"--ignore={_EXAMPLES}"),
        pytest("rest-examples", "rest", _EXAMPLES),
        pytest("rest-spark", "rest", "tests/spark", "tests/truth"),
        pytest("rest-installs", "rest", "tests/installs", "tests/interop", "tests/lies"),
        pytest("rest-store", "rest", "tests/store", "tests/servers", "tests/chaos", "tests/cli", "tests/remedies"),
        pytest("newest-spark", "whole", *_newest(), "-k", "not connect", "--budgets=newest", binaries=_PAIMON),
        pytest("rest-unit", "rest", "tests/core", "tests/formats", "tests/conformance", "tests/render", "tests/peers", "tests/benchmarks"),
        pytest("rest-house", "rest", "tests/house", "tests/notebooks", "tests/tools"),
        tool("docs", "python", "-m", "tools.build_docs"),
        tool("mypy", "mypy"),
    )


def _newest() -> list[str]:
    return [*_NEWEST, *sorted(test for test in SMOKE if not test.startswith(_NEWEST))]
