"""The budgets, and whether this run kept them. For reading: no test depends on them."""

from collections.abc import Callable
from typing import NamedTuple

from tests.benchmarks.contest import OURS, Case, Op
from tests.benchmarks.inputs import SHAPES
from tests.benchmarks.results import Results
from tests.benchmarks.subjects import judging, limits
from tests.benchmarks.table import number


class Budget(NamedTuple):
    """What is promised for the largest size of a run: the figure of each shape, and what it may be."""

    text: str
    figure: Callable[[Results, str], float | None]
    keeps: Callable[[float], bool]
    unit: str


class Verdict(NamedTuple):
    """Whether a budget was kept; None where the run could not tell."""

    budget: str
    met: bool | None
    figures: str

    def __str__(self) -> str:
        word = {True: "met", False: "NOT MET", None: "not measured"}[self.met]
        return f"  {word:14}{self.budget}: {self.figures}"


def _times(op: Op, limit: str) -> Callable[[Results, str], float | None]:
    return lambda results, shape: results.ratio(op, shape, OURS, limit)


def _largest(op: Op, factor: float) -> Callable[[Results, str], float | None]:
    def figure(results: Results, shape: str) -> float | None:
        value = results.value(Case(op, shape, OURS, results.sizes[-1]))
        return None if value is None else value * factor

    return figure


BUDGETS = (
    Budget("reading takes at most 2x typed msgspec", _times(Op.DECODE, limits.LIMIT), lambda found: found <= 2, "x"),
    Budget("two files to a verdict take at most 2x the limit", _times(Op.VERDICT, judging.FILES), lambda found: found <= 2, "x"),
    Budget("equal digests take at most 10 microseconds", _largest(Op.CHECK_SAME, 1e6), lambda found: found <= 10, " us"),
    Budget(
        "adding one column takes a fifth of pypaimon's time, both without a commit",
        lambda results, shape: results.ratio(Op.ADD, shape, "pypaimon"),
        lambda found: found >= 5,
        "x below",
    ),
    Budget("a merge takes less than 50 ms", _largest(Op.MERGE, 1e3), lambda found: found < 50, " ms"),
    Budget("a schema that was read keeps less than 10 MB", _largest(Op.MEMORY, 1e-6), lambda found: found < 10, " MB"),
)


def verdicts(results: Results) -> list[Verdict]:
    """All budgets."""
    return [*(_verdict(one, results) for one in BUDGETS), _linear(results)]


def _verdict(budget: Budget, results: Results) -> Verdict:
    found = {shape.name: budget.figure(results, shape.name) for shape in SHAPES}
    known = [value for value in found.values() if value is not None]
    figures = [f"{shape} {number(value)}{budget.unit}" for shape, value in found.items() if value is not None]
    return Verdict(budget.text, all(map(budget.keeps, known)) if known else None, ", ".join(figures) or "-")


def _linear(results: Results) -> Verdict:
    groups = {(case.op, case.shape) for case in (*results.timings, *results.kept) if case.who == OURS}
    growths = {f"{op}, {shape}": results.growth(op, shape, OURS) or 0 for op, shape in groups}
    worse = [f"{name} grows {growth:.1f}x" for name, growth in sorted(growths.items()) if growth > results.linear]
    text = f"everything of ours is linear, which is growth up to {results.linear:.1f}x"
    return Verdict(text, not worse, "; ".join(worse) or f"at most {max(growths.values()):.1f}x")
