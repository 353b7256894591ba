"""Which modules a change touches, and which of their lines: asked of git."""

import re
import subprocess
from pathlib import Path

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
Lines = set[int]


def touched(root: Path, folder: str, base: str | None) -> dict[str, Lines]:
    """Return the modules below a folder that differ from a revision, with the lines that do, uncommitted ones included."""
    base = base or default_base(root)
    changed = _git(root, "diff", "--name-only", "--diff-filter=d", "-z", base, "--", f"{folder}/*.py").split("\0")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", f"{folder}/*.py").split("\0")
    lines = {path: _lines(_git(root, "diff", "--unified=0", base, "--", path)) for path in changed if path}
    return lines | {path: _all_lines(root / path) for path in new if path}


def default_base(root: Path) -> str:
    """Return where the branch left its upstream; without one, or where nothing is new since, the commit before the last."""
    upstream = subprocess.run(["git", "merge-base", "HEAD", "@{upstream}"], cwd=root, capture_output=True, text=True, check=False)
    base = upstream.stdout.strip()
    return base if base and base != _git(root, "rev-parse", "HEAD").strip() else "HEAD~1"


def _lines(difference: str) -> Lines:
    lines: Lines = set()
    for first, count in HUNK.findall(difference):
        lines |= set(range(int(first), int(first) + int(count or 1)))
    return lines


def _all_lines(path: Path) -> Lines:
    return set(range(1, len(path.read_text(encoding="utf-8").splitlines()) + 1))


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout
