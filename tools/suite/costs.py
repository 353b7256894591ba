"""Compare what all files of a suite cost together with what they may: many small files grow unseen, since each has a budget of its own."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

_TABLE = Path(__file__).parents[2] / "tests" / "budgets.toml"
# Above the sum by this much the suite fails.
_TOLERANCE = 1.4


def total(records: Iterable[Path]) -> float:
    """Return the units that the recorded jobs cost together."""
    return sum(sum(json.loads(path.read_text("utf-8"))["costs"].values()) for path in records)


def too_much(suite: str, records: Iterable[Path]) -> str | None:
    """Return a sentence where a whole suite costs too much."""
    allowed: float = tomllib.loads(_TABLE.read_text("utf-8"))["total"][suite]
    cost = total(records)
    if cost < _TOLERANCE * allowed:
        return None
    return (
        f"the suite {suite} costs {cost:.0f} units, and its budget is {allowed:g}. Make tests cheaper, or raise the total in "
        "tests/budgets.toml and say why in the commit."
    )
