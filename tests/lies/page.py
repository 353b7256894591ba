"""The page of the documentation about the run."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.lies.cases import LOST, REFUSED, SHAPES, TYPES, Case
from tests.lies.probes import PROBES, Probe
from tests.lies.record import ZONE, Record, key
from tests.lies.showing import ERROR, REFUSED_CHANGE

PAGE = Path(__file__).parents[2] / "docs" / "why" / "what-spark-does-not-tell.md"

_HEAD = """# What Spark does not tell

This page shows what plain Spark reads when a table has changed and its files have not, beside what
[`read_table`](../how-to/read-old-files.md) reads. Everything in it is the outcome of a run with Spark {spark}: rows are written, the table
is changed, and the same files are read in several ways. `python -m tests.lies` makes it again, and the tests compare.

In {wrong} of {all} cases vectorized Spark does not read what is true, in {silent} of these without an error.

**Bold** is what is not true and not an error. An error is honest, but late: it stops the job at the first old file.
"""

_TYPES = """
## Another type

A file with a column `v` of the first type holds one row; the table says the second type now, and the job reads it so. Parquet has two
readers in Spark, ORC one. `read_table` reads the Parquet files, with `casts="checked"`, which fails on any value that would not survive the
way back, and with `casts="paimon"`, which answers as Paimon's Java code does. The session's zone is {zone}.

| file → table | the row | what is true | vectorized | row by row | ORC | `checked` | `paimon` |
|---|---|---|---|---|---|---|---|
"""

_SHAPES = """
## Another shape

Two generations of Parquet files, or one; Spark is handed the schema of the table as it is now. Where a setting is named, it is switched
on.

| what happened | what is true | plain Spark | `read_table` |
|---|---|---|---|
"""

_PROBES = """
## Without any old file

| what happened | plain Spark | [`validate`](../how-to/validate-data.md) finds |
|---|---|---|
"""

_TAIL = """
## What to make of it

- **`spark.sql.parquet.fieldId.read.enabled` is not the way out.** It makes renames right, and then loses rows where a filter meets a
  swapped name, since filters are still pushed down by name; where a column was widened, it may end in an error. `read_table` does not use
  it: it learns the ids from the footers, and reads each group of files by the names that they have.
- **ORC hands out NULL** where Parquet stops.
- **Plain ORC is wrong even where nothing has changed.** Written and read back by Spark alone, with its own types, in vectors and row by
  row: a MAP with DATE keys of three entries comes back with one (`{2020-01-01 -> 3}`: the first key, the last value); the TIMESTAMP
  1969-12-31 23:59:59.999999 comes back as 1970-01-01 00:00:00.999999 (TIMESTAMP_NTZ does not); a column or field called `` a`b `` comes
  back as `a`. Use Parquet for such columns.
- What is [wrong without an error in `paimon`](../reference/casts.md) is so in Java, too: that mode is for agreement with other engines.
"""


def page(record: Record) -> str:
    """The page."""
    cases = [*TYPES, *SHAPES]
    wrong = [one for one in cases if not right(record.answers[key(one)]["vectorized"], one)]
    silent = [one for one in wrong if not record.answers[key(one)]["vectorized"].startswith(ERROR)]
    parts = [_HEAD.format(spark=record.spark, all=len(cases), wrong=len(wrong), silent=len(silent)), _TYPES.format(zone=ZONE)]
    parts += _lines(_type_row(one, record) for one in TYPES)
    parts += [_SHAPES, *_lines(_shape_row(one, record) for one in SHAPES)]
    parts += [
        _PROBES,
        *_lines([one.title, *(record.answers[one.title][name] for name in ("vectorized", "checked"))] for one in PROBES),
        _TAIL,
    ]
    return "".join(parts)


def _lines(rows: Iterable[list[str]]) -> Iterator[str]:
    return (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _type_row(case: Case, record: Record) -> list[str]:
    found = record.answers[key(case)]
    answers = [_shown(found[name], case) for name in ("vectorized", "row", "ORC", "checked", "paimon")]
    return [case.title, f"`{case.written[0].rows}`", case.expected, *answers]


def _shape_row(case: Case, record: Record) -> list[str]:
    found = record.answers[key(case)]
    title = case.title + (f", with `{case.conf}`" if case.conf else "")
    return [title, case.expected, _shown(found["vectorized"], case), _shown(found["checked"], case)]


def _probe_row(probe: Probe, record: Record) -> list[str]:
    found = record.answers[probe.title]
    return [probe.title, f"**{found['vectorized']}**", found["checked"]]


def right(answer: str, case: Case) -> bool:
    """Whether that is what is true; where no value is, whether that is said."""
    return answer.startswith((ERROR, REFUSED_CHANGE)) if case.expected in {LOST, REFUSED} else answer == case.expected


def _shown(answer: str, case: Case) -> str:
    if answer.startswith((ERROR, REFUSED_CHANGE)):
        return answer if " " in answer.removeprefix(ERROR) else ERROR.rstrip(": ")
    return answer if right(answer, case) else f"**{answer}**"
