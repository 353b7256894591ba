"""The tables as text: who, times at each size, growth from the least size to the largest, ratio to ours."""

from collections.abc import Collection, Iterable, Iterator

from tests.benchmarks.contest import OURS, Case, Op
from tests.benchmarks.results import Results

_WHO = 46
_CELL = 9


def table(results: Results, cases: Collection[Case]) -> str:
    """One subject. A dash is what a contestant cannot do; the reason stands below."""
    notes: list[str] = []
    lines = [*_head(results.sizes, timed=any(case in results.timings for case in cases))]
    for (op, shape), names in _groups(cases).items():
        lines += [f"{op}, {shape}", *_lines(results, op, shape, names, notes)]
    return "\n".join([*lines, *(f"  [{number}] {note}" for number, note in enumerate(notes, 1))])


def rates(results: Results, op: Op) -> str:
    """How often a second we do this, for every shape and size."""
    found = {case: timing.least for case, timing in results.timings.items() if case.op is op and case.who == OURS}
    return "; ".join(f"{case.shape} with {case.size:,} columns {number(1 / least)}" for case, least in found.items())


def _groups(cases: Iterable[Case]) -> dict[tuple[Op, str], list[str]]:
    groups: dict[tuple[Op, str], list[str]] = {}
    for case in cases:
        names = groups.setdefault((case.op, case.shape), [])
        names += [] if case.who in names else [case.who]
    return groups


def _lines(results: Results, op: Op, shape: str, names: list[str], notes: list[str]) -> Iterator[str]:
    """Those who can, a line each; those who cannot, on one line together."""
    idle = []
    for who in names:
        cases = [Case(op, shape, who, size) for size in results.sizes]
        label = who + _marks(results, cases, notes)
        if all(case in results.absent for case in cases):
            idle.append(label)
        else:
            cells = "".join(cell for case in cases for cell in _cells(results, case))
            yield f"{'  ' + label:{_WHO}}{cells}{_growth(results, op, shape, who)}{_ratio(results, op, shape, who)}".rstrip()
    if idle:
        yield f"{'  ' + ', '.join(idle):{_WHO}}" + f"{'-':>{_CELL}}" * 2 * len(results.sizes)


def _marks(results: Results, cases: list[Case], notes: list[str]) -> str:
    reasons = dict.fromkeys(results.absent[case] for case in cases if case in results.absent)
    notes += [one for one in reasons if one not in notes]
    return "".join(f" [{notes.index(one) + 1}]" for one in reasons)


def _head(sizes: list[int], *, timed: bool) -> Iterator[str]:
    yield " " * _WHO + "".join(f"{f'{size:,} columns':>{2 * _CELL}}" for size in sizes)
    words = f"{'min':>{_CELL}}{'median':>{_CELL}}" if timed else f"{'kept':>{2 * _CELL}}"
    yield " " * _WHO + words * len(sizes) + f"{'growth':>{_CELL}}{'':10}{'x ours':>{_CELL + 1}}"


def _cells(results: Results, case: Case) -> Iterator[str]:
    timing = results.timings.get(case)
    if timing is not None:
        yield from (f"{number(seconds * 1e3):>{_CELL}}" for seconds in (timing.least, timing.median))
    elif case in results.kept:
        yield f"{number(results.kept[case] / 1e6):>{2 * _CELL}}"
    else:
        yield f"{'-':>{_CELL}}{'-':>{_CELL}}"


def _growth(results: Results, op: Op, shape: str, who: str) -> str:
    growth = results.growth(op, shape, who)
    word = "" if growth is None else "linear" if growth <= results.linear else "> linear"
    return f"{'-' if growth is None else f'{growth:.1f}':>{_CELL}} {word:9}"


def _ratio(results: Results, op: Op, shape: str, who: str) -> str:
    ratio = None if who == OURS else results.ratio(op, shape, who)
    return "" if ratio is None else f"{number(ratio):>{_CELL}}x"


def number(value: float) -> str:
    """Three digits that count, and no more."""
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3}f}"
