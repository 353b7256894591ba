"""The same race with pypaimon, beside ours: 8 processes, each adds columns to one table and counts what it was told.

`.venv/bin/python -m tests.chaos.pypaimon_race` runs both and prints how many acknowledged changes each of them has
lost. Nothing is asserted: how often a race is lost depends on the machine.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

WRITERS, EACH, RUNS = 8, 20, 3
_THEIRS = "tests/chaos/support/pypaimon_writers.py"


def ours(folder: Path, seed: int) -> tuple[int, int]:
    """How many changes our writers were told are done, and how many of these are not there."""
    from tests.chaos.support.history import Answer, recorded
    from tests.chaos.support.writers import Race, started

    race = Race(str(folder / "ours"), str(folder), WRITERS, EACH, readers=0, seed=seed)
    race.store().create_table(race.table, "id BIGINT")
    started(race)
    there = set(race.store().table(race.table).schema().names)
    told = [one.asked for one in recorded(folder) if one.answer is Answer.CREATED]
    return len(told), len(set(told) - there)


def theirs(folder: Path) -> tuple[int, int]:
    """Likewise for pypaimon, in the environment that it needs."""
    from tests.support.paimon.made_by_pypaimon import ROOT, interpreter

    command = [str(interpreter()), str(ROOT / _THEIRS), str(folder / "theirs"), str(WRITERS), str(EACH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": "", "PATH": ""})
    if done.returncode:
        raise RuntimeError(done.stderr[-3_000:])
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["acknowledged"], answer["lost"]


def main() -> int:
    print(f"{WRITERS} processes x {EACH} columns, local disk: acknowledged, and lost of these")
    print(f"{'run':>4} {'ours':>14} {'pypaimon':>14}")
    for run in range(RUNS):
        with tempfile.TemporaryDirectory(prefix="race-") as folder:
            cells = [f"{told:>6}, {lost:>3} lost" for told, lost in (ours(Path(folder), run), theirs(Path(folder)))]
        print(f"{run + 1:>4} {cells[0]:>14} {cells[1]:>14}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
