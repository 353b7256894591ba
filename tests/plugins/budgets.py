"""Record what each test file costs, and fail a run in which a file costs four times its budget.

Costs are processor time in units of a calibration loop of the same run, those of servers, Sparks and Airflows included. What a fixture
of the whole run costs counts for the fixture, whoever asks for it first. Budgets stand in `tests/budgets.toml`; `--costs FILE` records
costs, and judges them. What costs too much is measured once more by itself, and the smaller cost counts: threads that race, and
neighbours on a busy machine, cost what no test asked for.
`python -m tests.plugins.budgets FILES` prints the table that recorded costs make.
"""

import json
import sys
import tomllib
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.plugins import second_measurement
from tests.plugins.calibration import Calibration
from tests.plugins.processor_time import Meter

TABLE = Path(__file__).parents[1] / "budgets.toml"
# A file or a fixture that the table does not name may cost this much.
DEFAULT = 2.0
# A file fails at this many times its budget. On a slow machine the processes of Airflow and Spark, which work while a test waits, were
# measured at more than twice; what a suite costs in all is judged more strictly.
TOLERANCE = 4.0
COLLECTION = "(collection)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the file of the costs."""
    parser.addoption("--budgets", metavar="SECTION", help="the section of the table of budgets (default: the suite)")
    parser.addoption("--costs", metavar="FILE", help="record the processor time of each test file, and fail far beyond its budget")
    second_measurement.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record where somebody asks for it."""
    if path := config.getoption("--costs"):
        config.pluginmanager.register(Recorder(Path(path), config))


class Recorder:
    """Charge processor time to test files and to the fixtures of the whole run."""

    def __init__(self, path: Path, config: pytest.Config) -> None:
        self._path, self._config = path, config
        self._calibration = Calibration()
        self._calibration.sample()
        self._seconds: dict[str, float] = {}
        self._file = ""
        self._users: dict[str, str] = {}
        self._again: dict[str, float] = {}
        self._meter = Meter()
        self._since = self._meter.read()
        self._fixtures = 0.0

    def pytest_collection_finish(self) -> None:
        """Charge what it took to import the tests."""
        self._charge(COLLECTION)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Charge a fixture of the whole run for itself, less what the fixtures below it cost."""
        if fixturedef.scope != "session":
            return (yield)
        began, below = self._meter.read(), self._fixtures
        try:
            return (yield)
        finally:
            cost = self._meter.read() - began - (self._fixtures - below)
            name = f"fixture {fixturedef.argname}"
            self._users[name] = self._file
            self._add(name, cost)
            self._fixtures += cost

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """Charge the last file before its servers and sessions end, since some of them take their time along."""
        if nextitem is None:
            self._charge(self._name(item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
        """Charge a file once its last test has ended."""
        self._file = self._name(item)
        result = yield
        if nextitem is None or nextitem.path != item.path:
            self._charge(self._name(item))
            self._calibration.sample()
            self._since = self._meter.read()
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the costs of a run that was not cut off, and fail the run where one is beyond its budget, the second time as well."""
        if session.exitstatus not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            return
        if session.exitstatus == pytest.ExitCode.OK:
            self._measure_again()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps({"suite": self._suite, "unit": self._calibration.unit, "costs": self.costs()}, indent=1))
        if self._too_dear() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the files that cost too much, and those that did so once."""
        for name, cost in self._again.items():
            terminalreporter.write_line(f"{name} was measured again by itself: {cost:.1f} units")
        for line in self._too_dear():
            terminalreporter.write_line(line, red=True)

    def costs(self) -> dict[str, float]:
        """Return the cost of each file and each fixture, in units: the smaller one of what was measured twice."""
        measured = {name: round(seconds / self._calibration.unit, 2) for name, seconds in sorted(self._seconds.items())}
        return measured | {name: min(cost, measured[name]) for name, cost in self._again.items()}

    def _measure_again(self) -> None:
        """Measure what is beyond its budget once more: a file by itself, a fixture in the file that asked for it first."""
        for name in too_dear(self.costs(), budgets(self._suite)):
            cost = second_measurement.measure(self._config, name, self._file_of(name))
            if cost is not None:
                self._again[name] = cost

    def _file_of(self, name: str) -> str | None:
        """Return the file to run for a cost; None for the import of all tests."""
        if name == COLLECTION:
            return None
        return self._users.get(name, name)

    @property
    def _suite(self) -> str:
        return str(self._config.option.budgets or self._config.option.suite)

    def _name(self, item: pytest.Item) -> str:
        return item.path.relative_to(self._config.rootpath).as_posix()

    def _charge(self, name: str) -> None:
        now = self._meter.read()
        self._add(name, now - self._since - self._fixtures)
        self._since, self._fixtures = now, 0.0

    def _add(self, name: str, seconds: float) -> None:
        self._seconds[name] = self._seconds.get(name, 0.0) + max(seconds, 0.0)

    def _too_dear(self) -> list[str]:
        costs, allowed = self.costs(), budgets(self._suite)
        return [sentence(name, costs[name], allowed) for name in too_dear(costs, allowed)]


def budgets(suite: str) -> dict[str, float]:
    """Return the budgets of a suite. Those of the whole are the sums of both parts."""
    table: dict[str, dict[str, float]] = tomllib.loads(TABLE.read_text("utf-8"))
    if suite != "whole":
        return table[suite]
    names = table["quick"] | table["rest"]
    return {name: table["quick"].get(name, DEFAULT) + table["rest"].get(name, DEFAULT) for name in names}


def too_dear(costs: dict[str, float], allowed: dict[str, float]) -> list[str]:
    """Return the names of what costs so many times its budget that a run fails."""
    return [name for name, cost in costs.items() if cost >= TOLERANCE * allowed.get(name, DEFAULT)]


def sentence(name: str, cost: float, allowed: dict[str, float]) -> str:
    """Return what to do about a cost that is too high."""
    return (
        f"{name} costs {cost:.1f} units, and its budget is {allowed.get(name, DEFAULT):g}. Make it cheaper, or raise its budget in "
        f"{TABLE.relative_to(TABLE.parents[1])} and say why in the commit."
    )


def table_of(recorded: Iterable[Path]) -> str:
    """Return the lines of the table that recorded costs make: what exceeds the default, rounded up."""
    suites: dict[str, dict[str, float]] = {"quick": {}, "rest": {}, "newest": {}}
    for path in recorded:
        record = json.loads(path.read_text("utf-8"))
        costs = suites.get(record["suite"], {})  # the whole has no budgets of its own
        for name, cost in record["costs"].items():
            costs[name] = max(cost, costs.get(name, 0.0))
    return "\n".join(line for suite, costs in suites.items() for line in _section(suite, costs))


def _section(suite: str, costs: dict[str, float]) -> list[str]:
    dear = {name: cost for name, cost in sorted(costs.items()) if cost >= DEFAULT}
    return [f"[{suite}]", *(f'"{name}" = {int(cost) + 1}' for name, cost in dear.items()), ""]


if __name__ == "__main__":
    print(table_of(map(Path, sys.argv[1:])))
