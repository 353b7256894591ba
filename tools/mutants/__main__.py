"""`python -m tools.mutants [--base REV] [--modules PATH ...] [--number N] [--seed S] [--minutes M]`: see `--help`."""

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import pytest

from tools.mutants import page
from tools.mutants.planting import plant
from tools.mutants.sample import Sample, only, sample
from tools.mutants.session import Limits, Session
from tools.mutants.touched import Lines, touched

PACKAGE = "airflow_provider_schemas"
TESTS = "tests/core tests/formats tests/store tests/render tests/cli tests/provider tests/conformance".split()
# What starts processes all the time, and would only be waited for.
WITHOUT = ["tests/provider/test_example_dags.py", "tests/cli/test_process.py"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try a sample of mutants and print the survivors. It ends with 0 whatever survives, and with 2 where tests fail without one."""
    options = _options(arguments)
    root = Path.cwd()
    chosen = only(root, options.only) if options.only else sample(root, _modules(root, options), options.number, options.seed)
    _print_sample(chosen, options)
    if not chosen.mutants:
        return 0
    signal.signal(signal.SIGTERM, _interrupted)
    session = Session(
        chosen.mutants, plant(root, chosen.mutants), Limits(options.minutes, options.workers, options.seconds, options.servers)
    )
    ended = pytest.main(_pytest_arguments(root, options.tests), plugins=[session])
    if ended == pytest.ExitCode.INTERRUPTED and not session.problems:
        return 130
    if session.problems or not session.results:
        print("\nThe tests must pass before a mutant is tried:", *session.problems[:20], sep="\n  ")
        return 2
    return _print_results(session, options)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=main.__doc__)
    parser.add_argument("--base", help="touched is what differs from this revision (where the branch left its upstream, or HEAD~1)")
    parser.add_argument("--modules", nargs="+", default=[], metavar="PATH", help="modules or folders, instead of what is touched")
    parser.add_argument("--only", nargs="+", default=[], metavar="KEY", help="exactly these mutants")
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="tests to run, instead of the fast ones of all rooms")
    parser.add_argument("--number", type=int, default=40, help="how many mutants (40)")
    parser.add_argument("--seed", type=int, default=7, help="the same seed and tree give the same mutants (7)")
    parser.add_argument("--minutes", type=float, default=4, help="minutes to learn, and to start mutants, once the tests are collected (4)")
    parser.add_argument("--seconds", type=float, default=10, help="leave tests out that take longer (10)")
    parser.add_argument("--workers", type=int, default=2, help="how many processes at a time (2)")
    parser.add_argument("--servers", action="store_true", help="also run tests that start servers, Airflow or Spark")
    parser.add_argument("--killers", action="store_true", help="also name the tests that noticed a mutant")
    parser.add_argument("--fail-over", type=int, metavar="N", help="end with 1 if more than so many survive")
    return parser.parse_args(arguments)


def _modules(root: Path, options: argparse.Namespace) -> dict[str, Lines]:
    if not options.modules:
        return touched(root, PACKAGE, options.base)
    files = [file for name in options.modules for file in _files(root / name)]
    return {file.relative_to(root).as_posix(): set() for file in files}


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _pytest_arguments(root: Path, tests: Sequence[str]) -> list[str]:
    # Laws are not counted: fifteen examples are too few for that.
    quiet = ["-qq", "--no-header", "--no-summary", "--capture=no", "-p", "no:cacheprovider", "-p", "no:laws"]
    if tests:
        return [*quiet, *tests]
    ignored = [f"--ignore={file}" for file in WITHOUT]
    return [*quiet, *ignored, *(folder for folder in TESTS if (root / folder).is_dir())]


def _print_sample(chosen: Sample, options: argparse.Namespace) -> None:
    modules = len({mutant.path for mutant in chosen.mutants})
    print(f"{len(chosen.mutants)} of {chosen.candidates} mutants in {modules} modules, seed {options.seed}")
    for reason, number in chosen.left_out.items():
        if number:
            print(f"left out: {number} places {reason}")
    if not chosen.mutants:
        print("No module is touched: name some with --modules, or a revision with --base.")
    sys.stdout.flush()


def _print_results(session: Session, options: argparse.Namespace) -> int:
    killers = page.killers(session.results) if options.killers or options.only else ()
    print(*killers, *page.survivors(session.results), sep="\n")
    if not options.servers:
        print("\nTests that start servers, Airflow or Spark did not run: --servers runs them.", end="")
    print("", *session.notes[:-1], page.summary(session.results, options.seed), sep="\n")
    number = page.counts(session.results)
    survive = number["survived"] + number["unreached"]
    return int(options.fail_over is not None and survive > options.fail_over)


def _interrupted(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
