"""What no file of the project may contain: addresses of package registries, and paths of the machine it was written on."""

import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
HOSTS = r"(?:py[p]i|pythonhoste[d]|npmj[s]|crate[s]|debia[n]|ubunt[u]|fedoraprojec[t]|conda|anacond[a])\.(?:org|com|io)|repo1?\.maven"
# Only where a path begins: a folder of this name further down is no machine path.
HOMES = r"(?<![\w.*$}/-])/(?:work|root|farm|home|Users)/[\w.]"


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=TOP, capture_output=True, text=True, check=True
    )
    return [path for name in listed.stdout.split("\0") if (path := TOP / name).is_file()]


@pytest.mark.parametrize("pattern", [HOSTS, HOMES], ids=["registry hosts", "paths of a machine"])
def test_no_file_names(pattern: str) -> None:
    found = [
        f"{path.relative_to(TOP)}:{number}: {line.strip()[:120]}"
        for path in files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert found == []


def test_no_test_is_judged_by_a_clock() -> None:
    """A busy machine would fail it: what files of tests may cost is judged by budgets (tests/plugins/budgets.py)."""
    judged = re.compile(r"assert .*\btime\.(?:monotonic|perf_counter|process_time|time)\(\) - \w+ <")
    assert [path.name for path in (TOP / "tests").rglob("test_*.py") if judged.search(path.read_text("utf-8"))] == []
