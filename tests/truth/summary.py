"""What came out of a run, counted: the confusion of green and right, the cells of the grid, and why a red was not deserved."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.truth.pairs import RULES
from tests.truth.verdicts import Judged, Outcome

FILE = Path(__file__).with_name("summary.json")


class Summary(msgspec.Struct, frozen=True):
    """The counts of one run, and those of the run with the code as it was before contracts were compared at all depths."""

    spark: str
    seed: int
    pairs: int
    confusion: dict[str, int]
    """`right green` and so on."""
    cells: dict[str, dict[str, int]]
    """A rule and a kind of job -> the same counts."""
    depths: dict[str, int]
    """The fewest pairs of any rule, kind of job and depth, by depth."""
    red: dict[str, int]
    """Why jobs that run correctly were called red."""
    before: dict[str, int] = {}
    before_cells: dict[str, dict[str, int]] = {}


def counted(outcome: Outcome, *, green: bool) -> str:
    """The name of a cell of the confusion table."""
    return f"{outcome} {'green' if green else 'red'}"


def summed(spark: str, seed: int, several: Iterable[Judged], before: Summary | None = None) -> Summary:
    """The counts of a run; those of before are taken over from the summary that is there."""
    confusion, red, grid = Counter[str](), Counter[str](), Counter[tuple[str, str, int]]()
    cells: dict[str, Counter[str]] = {}
    for one in several:
        name = counted(one.outcome, green=one.green)
        confusion[name] += 1
        cells.setdefault(f"{one.pair.rule} | {one.pair.job.kind}", Counter())[name] += 1
        grid[one.pair.rule, one.pair.job.kind, one.pair.depth] += 1
        if one.outcome is Outcome.RIGHT and not one.green:
            red[explained(one)] += 1
    return Summary(
        spark=spark,
        seed=seed,
        pairs=confusion.total(),
        confusion=_sorted(confusion),
        cells={key: _sorted(cells[key]) for key in sorted(cells)},
        depths=_fewest(grid),
        red=_sorted(red),
        before={} if before is None else before.before,
        before_cells={} if before is None else before.before_cells,
    )


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {key: counts[key] for key in sorted(counts)}


def _fewest(grid: Counter[tuple[str, str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for (rule, _, depth), number in sorted(grid.items()):
        if rule in RULES and rule != "nothing":
            found[str(depth)] = min(found.get(str(depth), number), number)
    return found


# ---------------------------------------------------------------- reds that were not deserved


class Reason(NamedTuple):
    """Why a job that runs is called red."""

    holds: Callable[[Judged, str], bool]
    """The pair, and the first rule that it was found to break."""
    text: str


UNEXPLAINED = "not explained"
REASONS: tuple[Reason, ...] = (
    Reason(
        lambda one, rule: rule in {"EXPECT_EXTRA_FIELD", "EXPECT_ORDER"} and one.pair.job.own_schema,
        "The job reads files with a schema of its own, and its contract does not say so: `read_with: spark-4-parquet` makes it green.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_EXTRA_FIELD" and one.pair.job.name == "SELECT names",
        "A struct has a field more. This job only looks at it; one that moves it stops. Naming the fields that it needs makes it green.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_ORDER" and "MAP" in one.pair.container and not one.pair.job.by_position,
        "Fields of a struct in a map stand in another order. INSERT BY NAME finds them, unionByName does not; a contract may be of either.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_ORDER" and one.pair.job.by_position,
        "Fields stand in another order, and the rows happen to have the same values in both.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_FIELD_RENAMED" and "MAP" in one.pair.container,
        "A field of a struct in a map has another name. unionByName goes by position there; every other job by name stops.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_FIELD_MISSING" and one.pair.rule == "rename" and not one.pair.knows_before,
        "A field has another name, and the job goes by position: only the schema that it was written for shows that it is the same one.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_TYPE_UNSAFE" and _is_misread(one),
        "Nothing is lost, but one of Spark's two ways cannot read the type from files, and the contract may be that of a job that asks it.",
    ),
    Reason(
        lambda one, rule: rule.startswith("EXPECT_TYPE"),
        "The type is another one. In these rows every value has survived; not every value of the type would.",
    ),
    Reason(
        lambda one, rule: rule == "EXPECT_MAY_BE_NULL",
        "A field may be NULL where it must not be; in these rows it is not.",
    ),
)


def explained(one: Judged) -> str:
    """The reason; or that nobody knows it."""
    rule = one.findings[0].split()[0] if one.findings else ""
    return next((reason.text for reason in REASONS if reason.holds(one, rule)), UNEXPLAINED)


def _is_misread(one: Judged) -> bool:
    return one.misread


# ---------------------------------------------------------------- the file


def read(file: Path = FILE) -> Summary:
    """What was written down."""
    return msgspec.json.decode(file.read_bytes(), type=Summary)


def write(summary: Summary, file: Path = FILE) -> None:
    """Write it down."""
    file.write_text(json.dumps(msgspec.to_builtins(summary), indent=1) + "\n", "utf-8")
