"""The page of the documentation about the run."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.truth.jobs import KINDS
from tests.truth.pairs import CONTAINERS, RULES, TYPES
from tests.truth.summary import Summary

PAGE = Path(__file__).parents[2] / "docs" / "why" / "how-true-verdicts-are.md"

_HEAD = """# How true verdicts are

This page shows what contracts say of jobs, beside what Spark {spark} does with them. `make truth` makes it: {pairs:,} random pairs of a
job and a table, seed {seed}, each judged by `check_contract` and then executed. Green is false if the job raises, *or returns other values
than it means*. The oracle is Spark alone: rows of extremes and of NULL go in, and what comes out is compared field by field.

|  | green | red |
|---|---|---|
{confusion}

{share} % of the pairs run correctly. **{false} greens are false.** {red} reds were not deserved; each is explained below.

With the code as it was before contracts were compared inside structs, the same pairs gave {before_false} false greens and {before_red}
reds that were not deserved:

|  | green | red |
|---|---|---|
{before}
"""

_WHAT = """
## What is run

Each pair has a job, a table that differs from what the job means by one rule, and a depth: the columns themselves (0), a struct in a
container (1), a struct in a container in a container (2). Containers are {containers}; files are Parquet
and ORC. {types} types meet each other at the depths 0 and 1. Each rule, kind of job and depth is reached at least {fewest} times.
Half of the pairs and more know the schema that the job was written for, as `check` and the gates do.

| kind of contract | jobs |
|---|---|
{jobs}
"""

_CELLS = """
## By rule and kind of contract

Each cell says how many pairs run correctly, and how many of them are green; then how many greens were false, before and now.

| what differs | {kinds} |
|---|{line}|
{cells}

`types` puts any type against any other one; `type` takes pairs of which most lose nothing; `replaced` is a field that was dropped, and
another one of its name added.

## Reds that were not deserved

| reds | why |
|---|---|
{reasons}
"""

_TAIL = """
## What to make of it

- **A type that stands for a whole struct means that the job moves the struct.** Spark takes a struct into another one only with exactly its
  fields: INSERT, BY NAME or not, `insertInto`, `saveAsTable`, `unionByName` and CAST stop at a field more and at a field less. A job that
  needs some fields names them: `address.city`.
- **CAST and INSERT by position go by the order of fields**, inside structs as well, and swap values without an error. `shape: positional`
  says that a job does.
- **A job with a schema of its own says `read_with: spark-4-parquet` or `spark-4-orc`.** It finds fields by name at any depth, and does not
  mind new ones. Its types are looked up in [what engines make of old files](what-readers-make-of-old-files.md).
- Maps with DATE keys are not asked of ORC, since [a plain read loses their entries](what-spark-does-not-tell.md), whatever the schema.
"""


def page(summary: Summary) -> str:
    """The page."""
    head = _HEAD.format(
        spark=summary.spark,
        pairs=summary.pairs,
        seed=summary.seed,
        confusion=_confusion(summary.confusion),
        share=round(100 * share(summary.confusion)),
        false=false_greens(summary.confusion),
        red=summary.confusion.get("right red", 0),
        before=_confusion(summary.before),
        before_false=false_greens(summary.before),
        before_red=summary.before.get("right red", 0),
    )
    jobs = "\n".join(f"| {kind} | {'; '.join(job.name for job in some)} |" for kind, some in KINDS.items())
    what = _WHAT.format(containers=", ".join(CONTAINERS), types=len(TYPES), fewest=min(summary.depths.values()), jobs=jobs)
    kinds = list(KINDS)
    cells = "\n".join(f"| {rule} | {' | '.join(_cell(summary, rule, kind) for kind in kinds)} |" for rule in ("types", *RULES))
    table = _CELLS.format(kinds=" | ".join(kinds), line="|".join("---" for _ in kinds), cells=cells, reasons="\n".join(_reasons(summary)))
    return head + what + table + _TAIL


def _confusion(counts: Mapping[str, int]) -> str:
    outcomes = {"right": "runs correctly", "raised": "raises", "other values": "returns other values"}
    rows = (f"| {text} | {counts.get(f'{name} green', 0):,} | {counts.get(f'{name} red', 0):,} |" for name, text in outcomes.items())
    return "\n".join(rows)


def share(counts: Mapping[str, int]) -> float:
    """How many of the pairs run correctly."""
    return (counts.get("right green", 0) + counts.get("right red", 0)) / max(sum(counts.values()), 1)


def false_greens(counts: Mapping[str, int]) -> int:
    """How many greens are false."""
    return counts.get("raised green", 0) + counts.get("other values green", 0)


def _cell(summary: Summary, rule: str, kind: str) -> str:
    counts = summary.cells.get(f"{rule} | {kind}", {})
    if not counts:
        return ""
    before = summary.before_cells.get(f"{rule} | {kind}", {})
    right = counts.get("right green", 0) + counts.get("right red", 0)
    return f"{right} of {sum(counts.values())}, {counts.get('right green', 0)} green; {false_greens(before)} → {false_greens(counts)}"


def _reasons(summary: Summary) -> Iterator[str]:
    return (f"| {number} | {reason} |" for reason, number in sorted(summary.red.items(), key=lambda one: (-one[1], one[0])))
