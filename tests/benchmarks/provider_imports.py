"""What each door of the provider costs whoever has loaded `airflow.sdk` already: processor time, modules of ours, and modules of others.

    python -m tests.benchmarks.provider_imports [--rounds 9]

The budget is 0.1 s for what DAG files, the triggerer and Airflow's commands import. What lies behind those is loaded once a task runs,
and stands in the second table. Nothing fails for time: on a machine that does other things as well, figures are for reading.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from airflow_provider_schemas._provider_info import get_provider_info
from tests.provider.support.import_costs import DOORS, PACKAGE, ROOMS, Opened, opened

BUDGET_MS = 100.0


def _modules(entry: Any) -> list[str]:
    """The modules that an entry of the metadata names."""
    if isinstance(entry, str):
        return [entry.rpartition(".")[0]]
    return [*entry.get("python-modules", ()), *(entry[key].rpartition(".")[0] for key in ("handler", "class-name") if key in entry)]


_LISTED = [name for value in get_provider_info().values() if isinstance(value, list) for one in value for name in _modules(one)]
# What is named to Airflow, and the rooms from which people import.
IN_FRONT = {*_LISTED, *(f"{PACKAGE.name}.{room}" for room in ROOMS if room not in ("tasks", "spark"))}


def main() -> None:
    """Open every door several times, in turns, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.provider_imports", description="What importing the provider costs.")
    parser.add_argument("--rounds", type=int, default=9, help="how often each door is opened")
    rounds = parser.parse_args().rounds
    os.environ |= {"AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AIRFLOW_HOME"] = folder
        turns = [opened(Path(folder), DOORS) for _ in range(rounds)]
    print(f"Python {sys.version.split()[0]}, {rounds} rounds, processor time; load of the machine {os.getloadavg()[0]:.1f}\n")
    lines = sorted((_Line([turn[number] for turn in turns]) for number in range(len(DOORS))), key=lambda one: -one.least)
    front = [line for line in lines if line.door in IN_FRONT]
    _table("door", front)
    print(f"\nbudget {BUDGET_MS:g} ms: {sum(line.least <= BUDGET_MS for line in front)} of {len(front)} doors are within it\n")
    _table("behind", [line for line in lines if line not in front])


def _table(title: str, lines: list["_Line"]) -> None:
    print(f"{title:50}{'min ms':>8}{'median':>8}{'ours':>6}{'others':>8}", *lines, sep="\n")


class _Line:
    """The figures of one door."""

    def __init__(self, found: list[Opened]) -> None:
        self.found, self.door = found, found[0].door
        self.least = min(one.took for one in found) * 1000

    def __str__(self) -> str:
        first = self.found[0]
        middle = median(one.took for one in self.found) * 1000
        return f"{first.door:50}{self.least:8.1f}{middle:8.1f}{len(first.ours):6}{len(first.others):8}"


if __name__ == "__main__":
    main()
