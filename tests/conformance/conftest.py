"""What the conformance tests say at the end of a run: how many vectors of each group passed, and how many deviate on purpose."""

from collections import defaultdict
from typing import Any

import pytest

OUTCOMES = ("passed", "failed", "error")


class Count:
    """The rows of one group."""

    def __init__(self) -> None:
        self.total = self.passed = self.deviating = 0

    def add(self, outcome: str, deviates: bool) -> None:
        self.total += 1
        self.passed += outcome == "passed" and not deviates
        self.deviating += outcome == "passed" and deviates

    def __str__(self) -> str:
        purpose = f", {self.deviating} answered differently on purpose" if self.deviating else ""
        return f"passed {self.passed}/{self.total}{purpose}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts: dict[str, Count] = defaultdict(Count)
    for outcome in OUTCOMES:
        for report in terminalreporter.stats.get(outcome, ()):
            noted: dict[str, Any] = dict(getattr(report, "user_properties", ()))
            if "conformance" in noted:
                counts[noted["conformance"]].add(outcome, "deviation" in noted)
    if counts:
        terminalreporter.section("conformance")
        width = max(map(len, counts))
        for group in sorted(counts):
            terminalreporter.write_line(f"{group:{width}}  {counts[group]}")
