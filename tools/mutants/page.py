"""What is printed: the survivors, each with its change and the command that repeats it; what was left out; and one line of figures."""

import collections
import shlex
from collections.abc import Iterator, Sequence

from tools.mutants.session import Result

SHOWN_TESTS = 3
SHOWN_FILES = 4
WHY = {
    "survived": "no test notices",
    "unreached": "no test runs it",
    "killed": "noticed",
    "time": "does not end",
    "import": "run by imports only, so that no test can see it here",
    "unknown": "not reached by the tests that ran before the time was up",
    "untried": "not tried, the time was up",
}


def survivors(results: Sequence[Result]) -> Iterator[str]:
    """Describe the mutants that no test noticed, those that tests ran first."""
    for outcome in ("survived", "unreached", "unknown"):
        for result in sorted(results, key=lambda result: result.mutant.key):
            if result.outcome == outcome:
                yield "\n".join(_survivor(result))


def killers(results: Sequence[Result]) -> Iterator[str]:
    """Name the tests that noticed."""
    for result in results:
        if result.outcome in ("killed", "time"):
            yield f"{result.mutant.key}: {WHY[result.outcome]} in {result.ran[-1] if result.ran else 'the first test'}"


def counts(results: Sequence[Result]) -> dict[str, int]:
    """Count the results by outcome."""
    return collections.Counter(result.outcome for result in results)


def summary(results: Sequence[Result], seed: int) -> str:
    """Return the figures in a line."""
    number = counts(results)
    parts = [
        f"killed {number['killed']}",
        f"by time {number['time']}",
        f"survive {number['survived'] + number['unreached']}",
    ]
    more = [f"{number[outcome]} {WHY[outcome]}" for outcome in ("unreached", "import", "unknown", "untried") if number[outcome]]
    return f"{', '.join(parts)} (seed {seed}){'; ' if more else ''}{'; '.join(more)}"


def _survivor(result: Result) -> Iterator[str]:
    mutant = result.mutant
    yield f"\n{mutant.path}:{mutant.line}  {mutant.function}, {mutant.edit.operator}: {WHY[result.outcome]}"
    yield from (f"    {line}" for line in mutant.difference())
    if result.ran:
        yield f"    ran {len(result.ran)} of {result.reaching} tests that reach it: {_some(result.ran)}"
    yield f"    again: python -m tools.mutants --only {shlex.quote(mutant.key)}{_tests(result.ran)}"


def _some(tests: Sequence[str]) -> str:
    more = len(tests) - SHOWN_TESTS
    return ", ".join(tests[:SHOWN_TESTS]) + (f" and {more} more" if more > 0 else "")


def _tests(tests: Sequence[str]) -> str:
    """Return the option that names the files of tests, if it is short."""
    files = sorted({test.partition("::")[0] for test in tests})
    return f" --tests {' '.join(files)}" if 0 < len(files) <= SHOWN_FILES else ""
