"""What was measured, and how it is looked up."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.contest import OURS, Case, Op
from tests.benchmarks.timing import Timing

# Caches of the processor may cost a little more per column in a large schema; a square cannot hide in this.
_SLACK = 1.3


@dataclass
class Results:
    """Times and memory by case, and why a contestant has none."""

    sizes: list[int]
    timings: dict[Case, Timing] = field(default_factory=dict)
    absent: dict[Case, str] = field(default_factory=dict)
    kept: dict[Case, int] = field(default_factory=dict)

    def value(self, case: Case) -> float | None:
        """The least seconds, or the bytes."""
        if case in self.timings:
            return self.timings[case].least
        return self.kept.get(case)

    def growth(self, op: Op, shape: str, who: str) -> float | None:
        """How much more the largest size takes than the smallest."""
        return _ratio(*(self.value(Case(op, shape, who, size)) for size in (self.sizes[-1], self.sizes[0])))

    def ratio(self, op: Op, shape: str, who: str, other: str = OURS) -> float | None:
        """How much more one takes than the other, at the largest size that both have."""
        for size in reversed(self.sizes):
            found = _ratio(*(self.value(Case(op, shape, name, size)) for name in (who, other)))
            if found is not None:
                return found
        return None

    @property
    def linear(self) -> float:
        """The growth up to which a time counts as linear."""
        return _SLACK * self.sizes[-1] / self.sizes[0]

    def records(self) -> Iterator[dict[str, Any]]:
        """Everything, for a file."""
        for case, timing in self.timings.items():
            yield case._asdict() | {"min_ms": timing.least * 1e3, "median_ms": timing.median * 1e3, "samples": timing.samples}
        for case, count in self.kept.items():
            yield case._asdict() | {"bytes": count}
        for case, reason in self.absent.items():
            yield case._asdict() | {"absent": reason}


def _ratio(one: float | None, other: float | None) -> float | None:
    return None if one is None or not other else one / other
