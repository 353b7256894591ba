"""`make bench`: measure the library against its peers and against physical limits, and print one table a subject.

    python -m tests.benchmarks [--quick] [--store] [--sizes 1000 10000] [--json FILE]

BENCH_SLOW=1 in the environment also measures what takes a peer minutes. Times are for reading: whatever
they are, the command succeeds.
"""

import argparse
import json
import os
import platform
from pathlib import Path

from tests.benchmarks.apart import SUBJECTS, apart
from tests.benchmarks.contest import Op
from tests.benchmarks.inputs import GROUP
from tests.benchmarks.memory import kept
from tests.benchmarks.peers.installed import peers, versions
from tests.benchmarks.results import Results
from tests.benchmarks.store import many, measuring, tables
from tests.benchmarks.store.memory import kept as kept_of_stores
from tests.benchmarks.table import rates, table
from tests.benchmarks.timing import Effort, pin
from tests.benchmarks.verdicts import verdicts

THOROUGH = Effort(rounds=15, seconds=1.5)
QUICK = Effort(rounds=2, seconds=0.1)


def main() -> None:
    """Measure, print, and write the file if one is wanted."""
    options = _options()
    sizes = sorted(set(options.sizes))
    effort = QUICK if options.quick else THOROUGH
    print(_about(pin(), effort), _load("start"), sep="\n", flush=True)
    if options.store:
        print("\nBudgets of a store", *tables.verdicts(_stores(effort, measuring.SOME if options.quick else 1)), _load("end"), sep="\n")
        return
    here, results = peers(), Results(sizes)
    for number, subject in enumerate(SUBJECTS):
        measured = apart(number, sizes, effort)
        results.timings |= measured.timings
        results.absent |= measured.absent
        print(f"\n{subject.title}, ms\n{table(results, measured.cases)}", flush=True)
    results.kept = kept(here, sizes)
    print(f"\nRows a second, {rates(results, Op.ROW)}\n\nMemory, MB\n{table(results, results.kept)}")
    stores = _stores(effort, measuring.SOME if options.quick else 1)
    found = [*verdicts(results), *tables.verdicts(stores)]
    print(f"\nBudgets, at {sizes[-1]:,} columns", *found, _load("end"), sep="\n")
    if options.json:
        lines = {"measured": list(results.records()), "stores": [line for one in stores for line in one.records()]}
        content = {"versions": versions(), **lines, "budgets": [one._asdict() for one in found]}
        options.json.write_text(json.dumps(content, indent=1), "utf-8")


def _stores(effort: Effort, part: float) -> list[tables.Measured]:
    """What a store does, and the memory that many tables take."""
    found = []
    for number, subject in enumerate(measuring.SUBJECTS):
        found.append(tables.Measured(subject, measuring.apart(number, effort, part)))
        print(f"\n{subject.title}, ms\n{tables.table(found[-1])}", flush=True)
    count = measuring.sizes(many.SUBJECT, part)[-1]
    said = "; ".join(f"{job} {held / 1e6:.1f}, at most {most / 1e6:.1f} on the way" for job, (held, most) in kept_of_stores(count).items())
    print(f"\nMemory of {count:,} tables, MB: {said}", flush=True)
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure the library against its peers.")
    parser.add_argument("--quick", action="store_true", help="a few rounds only")
    parser.add_argument("--store", action="store_true", help="what a store does, and nothing else")
    parser.add_argument("--sizes", type=_size, nargs="+", default=[1_000, 10_000], metavar="COLUMNS", help="how wide the schemas are")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file")
    return parser.parse_args()


def _size(text: str) -> int:
    size = int(text) // GROUP * GROUP
    if size < GROUP:
        raise argparse.ArgumentTypeError(f"at least {GROUP} columns")
    return size


def _about(core: int | None, effort: Effort) -> str:
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores" + ("" if core is None else f", pinned to core {core}")
    how = f"processor time, min and median of up to {effort.rounds} interleaved rounds, {effort.seconds:g} s a line at most"
    return f"{where}; {how}, garbage collector off, a process a subject\n" + ", ".join(
        f"{name} {version}" for name, version in versions().items()
    )


def _load(when: str) -> str:
    """How busy the machine is: figures taken while others work are noisy."""
    return f"load of the machine at the {when}: " + (f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown")


if __name__ == "__main__":
    main()
