"""The tables about a store as text: on the processor and on the clock at each size, growth, ratio to ours; and the budgets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.benchmarks.contest import OURS
from tests.benchmarks.store import judgements, lives, paimon
from tests.benchmarks.store.measuring import Line, Took
from tests.benchmarks.store.subject import COMMIT, Subject
from tests.benchmarks.table import number
from tests.benchmarks.verdicts import Verdict

_WHO = 46
_CELL = 9
_SLACK = 1.3
_FASTER = 5
_LIFELONG = 1.5
_NO_LONGER = 3


@dataclass
class Measured:
    """What one subject came to."""

    subject: Subject
    found: Mapping[Line, Took | str]
    kept: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def sizes(self) -> list[int]:
        return sorted({line.size for line in self.found})

    def took(self, job: str, who: str, size: int) -> Took | None:
        found = self.found.get(Line(job, who, size))
        return found if isinstance(found, Took) else None

    def ratio(self, job: str, who: str, other: str = OURS) -> float | None:
        """How much more processor time one takes than the other, at the largest size."""
        one, two = (self.took(job, name, self.sizes[-1]) for name in (who, other))
        return None if one is None or two is None else one.processor / two.processor

    def growth(self, job: str, who: str) -> float | None:
        """How much more the largest size takes than the one before it."""
        less, more = (self.took(job, who, size) for size in self.sizes[-2:])
        return None if less is None or more is None else more.processor / less.processor

    @property
    def linear(self) -> float:
        """The growth up to which a time counts as linear."""
        return _SLACK * self.sizes[-1] / self.sizes[-2]

    def records(self) -> Iterator[dict[str, Any]]:
        """Everything, for a file."""
        for line, found in self.found.items():
            about = {"subject": self.subject.title, "unit": self.subject.unit, **line._asdict()}
            if isinstance(found, str):
                yield about | {"absent": found}
            else:
                yield about | {"processor_ms": found.processor * 1e3, "clock_ms": found.clock * 1e3, "samples": found.samples}


def table(measured: Measured) -> str:
    """One subject."""
    sizes = measured.sizes
    lines = [
        " " * _WHO + "".join(f"{f'{size:,} {measured.subject.unit}':>{2 * _CELL + 2}}" for size in sizes),
        " " * _WHO + f"  {'processor':>{_CELL}}{'clock':>{_CELL}}" * len(sizes) + f"{'growth':>{_CELL}}{'':10}{'x ours':>{_CELL + 1}}",
    ]
    for job, makers in measured.subject.jobs.items():
        lines += [job, *(_line(measured, job, who) for who in makers)]
    absent = dict.fromkeys(found for found in measured.found.values() if isinstance(found, str))
    return "\n".join([*lines, *(f"  - {one}" for one in absent)])


def _line(measured: Measured, job: str, who: str) -> str:
    cells = "".join(_cells(measured.took(job, who, size)) for size in measured.sizes)
    growth, ratio = measured.growth(job, who), measured.ratio(job, who)
    word = "" if growth is None else "linear" if growth <= measured.linear else "> linear"
    grown = f"{'-' if growth is None else f'{growth:.1f}':>{_CELL}} {word:9}"
    return f"{'  ' + who:{_WHO}}{cells}{grown}{'' if who == OURS or ratio is None else f'{number(ratio):>{_CELL}}x'}".rstrip()


def _cells(took: Took | None) -> str:
    if took is None:
        return f"  {'-':>{_CELL}}{'-':>{_CELL}}"
    return "  " + "".join(f"{number(seconds * 1e3):>{_CELL}}" for seconds in (took.processor, took.clock))


def verdicts(all_measured: list[Measured]) -> list[Verdict]:
    """Whether the budgets of a store were kept."""
    found = [_commit(one) for one in all_measured if COMMIT in one.subject.jobs and one.subject.unit == "columns"]
    found += [verdict(one) for one in all_measured for subject, verdict in _LIVES if one.subject == subject]
    growths = {f"{job}, {one.subject.unit}": (one.growth(job, OURS) or 0) / one.linear for one in all_measured for job in one.subject.jobs}
    worse = [f"{name} grows {_SLACK * 10 * share:.1f}x" for name, share in growths.items() if share > 1]
    text = "everything of a store is linear"
    return [*found, Verdict(text, not worse, "; ".join(worse) or "all of it")]


def _commit(measured: Measured) -> Verdict:
    ratio = measured.ratio(COMMIT, paimon.NAME)
    size = measured.sizes[-1]
    text = f"add one column and commit at {size:,} columns takes a fifth of pypaimon's time"
    return Verdict(text, None if ratio is None else ratio >= _FASTER, "-" if ratio is None else f"{number(ratio)}x below")


def _life(measured: Measured) -> Verdict:
    """A commit to a long table costs what its listing costs, and a commit to a short one."""
    short, long = measured.sizes[0], measured.sizes[-1]
    late, early, listing = (measured.took(COMMIT, who, size) for who, size in ((OURS, long), (OURS, short), (lives.STAT, long)))
    text = f"a commit at {long:,} versions takes at most {_LIFELONG}x a listing with stat and a commit at {short} versions"
    if late is None or early is None or listing is None:
        return Verdict(text, None, "-")
    ratio = late.processor / (listing.processor + early.processor)
    return Verdict(text, ratio <= _LIFELONG, f"{number(ratio)}x ({number(late.processor * 1e3)} ms)")


def _wide_life(measured: Measured) -> Verdict:
    """A wide table stays ahead of pypaimon."""
    text = f"adding one of {lives.WIDE:,} columns takes a fifth of pypaimon's time at each of {measured.sizes} versions"
    pairs = [(measured.took(COMMIT, paimon.NAME, size), measured.took(COMMIT, OURS, size)) for size in measured.sizes]
    ratios = [theirs.processor / ours.processor for theirs, ours in pairs if theirs is not None and ours is not None]
    figures = ", ".join(f"{number(ratio)}x below" for ratio in ratios) or "-"
    return Verdict(text, all(ratio >= _FASTER for ratio in ratios) if ratios else None, figures)


def _judgement(measured: Measured) -> Verdict:
    """A change is judged by what columns were, and not by each version that had them."""
    few, many = measured.sizes[0], measured.sizes[-1]
    text = f"100 changes are judged against {many:,} versions in at most {_NO_LONGER}x the time against {few:,}"
    ratios = {}
    for job in measured.subject.jobs:
        less, more = measured.took(job, OURS, few), measured.took(job, OURS, many)
        if less is not None and more is not None:
            ratios[job.removeprefix("judge: ")] = more.processor / less.processor
    figures = ", ".join(f"{job} {number(ratio)}x" for job, ratio in ratios.items()) or "-"
    return Verdict(text, all(ratio <= _NO_LONGER for ratio in ratios.values()) if ratios else None, figures)


_LIVES: tuple[tuple[Subject, Callable[[Measured], Verdict]], ...] = (
    (lives.LIFE, _life),
    (lives.WIDE_LIFE, _wide_life),
    (judgements.SUBJECT, _judgement),
)
