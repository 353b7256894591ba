"""Print which branches of the package its quick tests take, by folder: `make coverage`, or `python -m tools.coverage_by_folder`.

Arguments are given to pytest; without any, pytest chooses what it always does: the quick suite. With `--report` nothing runs, and the
last run is printed again. The processes that tests start are counted, unless a signal kills them before coverage writes down what it
has seen. A test takes about twice the processor time that it takes without coverage.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = "build/coverage"
GAPS = 3
COLUMNS = ("num_statements", "num_branches", "missing_branches")
HEAD = ("folder", "statements", "branches", "missed", "covered")


def main(arguments: Sequence[str]) -> int:
    """Run the tests and print the table. It ends as pytest does."""
    ended = 0 if "--report" in arguments else _run(arguments)
    files = _measured()
    print(*table(files), "", *gaps(files), sep="\n")
    return ended


def table(files: Mapping[str, Any]) -> list[str]:
    """Return a line for each folder of the package, and one for all of it."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for path, file in files.items():
        for name in (_folder(path), "all"):
            sums[name].update({column: file["summary"][column] for column in COLUMNS})
    rows = [HEAD, *(_row(name, sums[name]) for name in sorted(sums, key=lambda name: (name == "all", name)))]
    return [f"{row[0]:<40}{row[1]:>12}{row[2]:>10}{row[3]:>8}{row[4]:>9}" for row in rows]


def gaps(files: Mapping[str, Any]) -> list[str]:
    """Return the modules and the functions with the most branches that no test takes."""
    modules = {path: file["summary"]["missing_branches"] for path, file in files.items()}
    functions = {
        f"{path}: {name}": function["summary"]["missing_branches"]
        for path, file in files.items()
        for name, function in file["functions"].items()
    }
    return [*_largest("modules", modules), *_largest("functions", functions)]


def _run(arguments: Sequence[str]) -> int:
    """Run pytest under coverage and gather what its processes have seen."""
    result = ROOT / FOLDER / "coverage.json"
    result.parent.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)  # an older one must not be taken for this one
    _coverage("erase")
    ended = _coverage("run", "-m", "pytest", "-q", *arguments)
    return ended or _coverage("combine", "--quiet") or _coverage("json", "--quiet", "-o", str(result))


def _coverage(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode


def _measured() -> Mapping[str, Any]:
    path = ROOT / FOLDER / "coverage.json"
    if not path.exists():
        raise SystemExit(f"{FOLDER}/coverage.json does not exist: run `make coverage` first.")
    files: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))["files"]
    return files


def _folder(path: str) -> str:
    """Return the folder of a module; two levels below the package are told apart, deeper ones are not."""
    return PurePosixPath(*PurePosixPath(path).parent.parts[:3]).as_posix()


def _row(name: str, numbers: Mapping[str, int]) -> tuple[str, ...]:
    branches = numbers["num_branches"]
    taken = branches - numbers["missing_branches"]
    covered = f"{100 * taken / branches:.1f} %" if branches else ""
    return (name, *(str(numbers[column]) for column in COLUMNS), covered)


def _largest(what: str, missed: Mapping[str, int]) -> Iterable[str]:
    yield f"{what} with the most missed branches:"
    for name in sorted(missed, key=lambda name: (-missed[name], name))[:GAPS]:
        yield f"  {missed[name]:>3}  {name}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
