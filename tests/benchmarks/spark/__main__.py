"""The Spark part of `make bench`: each subject in a process and a session of its own, one after the other.

python -m tests.benchmarks.spark [--quick] [--folder FOLDER]
"""

import argparse
import subprocess
import sys
from pathlib import Path

# A subject, and what makes it quick: enough to see that it runs, too little for figures.
SUBJECTS = (
    ("evolved_read", "old files as new, beside plain Spark over files that are new", ("--rows", "200000", "--pairs", "1")),
    ("reads", "the fixed price of a read, beside plain Spark", ("--files", "300", "--rounds", "1")),
    ("validation", "checks of rows, beside a plain aggregation and pandera", ("--rows", "20000", "--pairs", "1", "--peer-rows", "2000")),
    ("audits", "an audit, beside a bare list-and-read", ("--tables", "200", "--rounds", "1")),
)


def main() -> int:
    """Run them; the exit code says whether one broke. Times are for reading, and break nothing."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.spark", description="Measure what runs in Spark.")
    parser.add_argument("--quick", action="store_true", help="little data, one round")
    parser.add_argument("--folder", type=Path, help="where the data are put; they are taken away again")
    options = parser.parse_args()
    broken = 0
    for name, about, quick in SUBJECTS:
        print(f"\n{name.replace('_', ' ')}: {about}", flush=True)
        more = [*(quick if options.quick else ()), *(("--folder", str(options.folder)) if options.folder else ())]
        broken |= subprocess.run([sys.executable, "-m", f"tests.benchmarks.spark.{name}", *more], check=False).returncode
    return int(broken != 0)


if __name__ == "__main__":
    sys.exit(main())
