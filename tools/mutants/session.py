"""One session of pytest that collects the tests once, learns, and tries each mutant in a fork of its own."""

import gc
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tools.mutants.forks import Fork, Forks, Note
from tools.mutants.nearness import nearness
from tools.mutants.places import Mutant
from tools.mutants.planting import Switch
from tools.mutants.trials import learn, try_out

SERVERS = frozenset(
    "s3_server azure_server gcs_server dishonest_gcs_server airflow_database classic_spark connect_server connect_spark".split()
)
"""Fixtures that start servers, Airflow or Spark, which takes long, and would have to be done for each mutant."""
EXAMPLES = 15
LEARNING = 0.5
"""The share of the minutes that learning may take."""
SECONDS_A_MUTANT = 20.0
"""A mutant is tried with as many tests as take so long together without it."""


class Limits(NamedTuple):
    """How long all may take, on how many processes at a time, how long a test may take, and whether it may start servers."""

    minutes: float
    workers: int
    seconds: float
    servers: bool


class Result(NamedTuple):
    """How a mutant fared: killed, time, survived, unreached, import (reached by imports only), unknown, or untried."""

    mutant: Mutant
    outcome: str
    ran: tuple[str, ...] = ()
    """The tests that ran with it."""
    reaching: int = 0
    """How many tests reach it."""


class Learned(NamedTuple):
    """A test that reaches mutants."""

    item: pytest.Item
    seconds: float


class Session:
    """The plugin of pytest. `results` and `problems` are there when pytest has ended."""

    def __init__(self, mutants: Sequence[Mutant], switch: Switch, limits: Limits) -> None:
        self.results: list[Result] = []
        self.problems: list[str] = []
        """Tests that fail without any mutant, or cannot be collected."""
        self.notes: list[str] = []
        self._mutants = mutants
        self._switch = switch
        self._limits = limits
        self._started = 0.0
        self._complete = False
        self._package = mutants[0].module.partition(".")[0]
        self._at_import: set[int] = set()

    # ---------------------------------------------------------------- hooks of pytest

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        _few_examples()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.problems.append(f"{report.nodeid}: {str(report.longrepr).splitlines()[-1]}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: "pytest.FixtureDef[object]") -> None:
        if fixturedef.argname in SERVERS and not self._limits.servers:
            # Where a hook raises the skip itself, pytest does not remember that the fixture was set up.
            fixturedef.func = _skip  # type: ignore[misc]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._at_import = set(self._switch.reached)
        gc.collect()
        self._started = time.monotonic()  # how long it takes to collect says nothing about the minutes that are left
        gc.freeze()  # the forks share what they do not write to
        if not self.problems:
            self._work(session.items)
        return True

    # ---------------------------------------------------------------- work

    def _work(self, items: Sequence[pytest.Item]) -> None:
        with Forks(self._limits.workers) as forks:
            reaching = self._learn(forks, items)
            if not self.problems:
                self._try_all(forks, reaching)

    def _learn(self, forks: Forks, items: Sequence[pytest.Item]) -> dict[int, list[Learned]]:
        """Run the tests, near ones first, for as long as learning may take."""
        ordered = self._near_first(items)
        until = self._started + self._limits.minutes * 60 * LEARNING
        print(f"learning which of {len(ordered)} tests reach them, for at most {until - time.monotonic():.0f} s", flush=True)
        for part in range(forks.most):
            work = learn(_part(ordered, part, forks.most), self._switch, self._package, until, self._limits.seconds)
            forks.start(f"learning {part}", work, until - time.monotonic() + 30)
        notes: list[Note] = []
        while forks.running:
            notes += [note for _, written in forks.ended() for note in written]
        self._report(notes, len(ordered))
        self._complete = len(notes) == len(ordered)
        return _reaching(notes, ordered)

    def _near_first(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        files = dict.fromkeys(item.path for item in items)
        modules = {mutant.path for mutant in self._mutants}
        near = {file: nearness(file, file.read_text(encoding="utf-8"), modules) for file in files}
        return sorted(items, key=lambda item: -near[item.path])

    def _report(self, notes: Sequence[Note], collected: int) -> None:
        outcomes = [note["outcome"] for note in notes]
        failed = [note for note in notes if note["outcome"] == "failed"]
        self.problems += [f"{note['test']}: {note['reason']}" for note in failed if note["reached"]]
        beside = [note["test"] for note in failed if not note["reached"]]
        if beside:
            self.notes.append(f"{len(beside)} tests that reach no mutant fail: {', '.join(beside[:3])} ...")
        seconds = time.monotonic() - self._started
        learned = f"learned from {outcomes.count('passed')} of {collected} tests in {seconds:.0f} s"
        left = {
            "need a server, Airflow or Spark, or skip themselves": outcomes.count("skipped"),
            f"take more than {self._limits.seconds:g} s": outcomes.count("time"),
            "were not asked, those far from these modules, since the time was up": collected - len(outcomes),
        }
        self.notes.append("; ".join([learned, *(f"{number} {why}" for why, number in left.items() if number)]))
        print(self.notes[-1], flush=True)

    def _try_all(self, forks: Forks, reaching: dict[int, list[Learned]]) -> None:
        until = self._started + self._limits.minutes * 60
        outcomes: dict[int, Result] = {}
        for number, mutant in enumerate(self._mutants):
            if not reaching[number]:
                outcomes[number] = Result(mutant, self._unreached(number))
                continue
            while forks.full:
                outcomes |= self._ended(forks, reaching)
            if time.monotonic() > until:
                outcomes[number] = Result(mutant, "untried", reaching=len(reaching[number]))
                continue
            tests = _fastest(reaching[number])
            seconds = 2 * SECONDS_A_MUTANT + sum(test.seconds for test in tests)
            forks.start(number, try_out(tests, self._switch, number, self._package, self._limits.seconds), seconds)
        while forks.running:
            outcomes |= self._ended(forks, reaching)
        print(flush=True)
        self.results = [outcomes[number] for number in range(len(self._mutants))]

    def _unreached(self, number: int) -> str:
        """Tell why no test is known to reach a mutant."""
        if not self._complete:
            return "unknown"
        return "import" if number in self._at_import else "unreached"

    def _ended(self, forks: Forks, reaching: dict[int, list[Learned]]) -> dict[int, Result]:
        results = {fork.label: self._result(fork, notes, reaching) for fork, notes in forks.ended()}
        for result in results.values():
            print({"killed": ".", "time": "t"}.get(result.outcome, "S"), end="", flush=True)
        return results

    def _result(self, fork: Fork, notes: Sequence[Note], reaching: dict[int, list[Learned]]) -> Result:
        number = fork.label
        ran = tuple(note["test"] for note in notes)
        last = notes[-1]["outcome"] if notes else ""
        expected = len(_fastest(reaching[number]))
        # A process that ended before its tests did was ended by the mutant.
        outcome = "survived" if last in ("passed", "skipped") and len(ran) == expected else "killed"
        if last == "time" or fork.ended_by_deadline:
            outcome = "time"
        return Result(self._mutants[number], outcome, ran, len(reaching[number]))


def _skip(**fixtures: object) -> None:
    pytest.skip("needs a server")


def _part(items: Sequence[pytest.Item], part: int, parts: int) -> list[pytest.Item]:
    """Return every second file, so that fixtures of modules are made once."""
    files = {file: number for number, file in enumerate(dict.fromkeys(item.path for item in items))}
    return [item for item in items if files[item.path] % parts == part]


def _reaching(notes: Sequence[Note], items: Sequence[pytest.Item]) -> dict[int, list[Learned]]:
    """Return the tests that reach each mutant and pass."""
    by_id = {item.nodeid: item for item in items}
    reaching: dict[int, list[Learned]] = defaultdict(list)
    for note in notes:
        if note["outcome"] == "passed":
            for number in note["reached"]:
                reaching[number].append(Learned(by_id[note["test"]], note["seconds"]))
    return reaching


def _fastest(tests: Sequence[Learned]) -> list[Learned]:
    """Return the fastest tests, as many as the seconds of a mutant hold, and one at least."""
    chosen: list[Learned] = []
    seconds = 0.0
    for test in sorted(tests, key=lambda test: (test.seconds, test.item.nodeid)):
        seconds += test.seconds
        if chosen and seconds > SECONDS_A_MUTANT:
            break
        chosen.append(test)
    return chosen


def _few_examples() -> None:
    """Let hypothesis try few examples, the same on every run, before any test of it is defined."""
    try:
        from hypothesis import HealthCheck, settings
    except ImportError:
        return
    settings.register_profile(
        "mutants", deadline=None, derandomize=True, database=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck)
    )
    settings.load_profile("mutants")
