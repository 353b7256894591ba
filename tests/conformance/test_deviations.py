"""The list of what we answer differently on purpose: it is explained, it is in use, and each entry says exactly what happens.

The rows of examples.jsonl are our own: the answers in them stand for those of Java, but no run of Java has printed them.
"""

import re
from operator import attrgetter
from pathlib import Path

import pytest

from tests.conformance import deviations, rows
from tests.conformance.harness import Deviation, judge
from tests.conformance.paimon.groups import GROUPS

TOP = Path(__file__).parents[2]
DEVIATIONS = deviations.load()
OWN_ROWS = rows.read("paimon", rows.OWN)
EXAMPLES = rows.read("examples", Path(__file__).parent)
by_name = pytest.mark.parametrize("deviation", DEVIATIONS, ids=attrgetter("name"))


@pytest.mark.parametrize("row", EXAMPLES, ids=attrgetter("id"))
def test_an_example_deviates_as_its_entry_says(row: rows.Row) -> None:
    verdict = judge(row, GROUPS, DEVIATIONS)
    assert verdict.message == ""
    assert verdict.deviation == row.content["deviation"]


@by_name
def test_every_entry_has_an_example(deviation: Deviation) -> None:
    assert deviation.name in {row.content["deviation"] for row in EXAMPLES}


@by_name
def test_every_entry_is_explained(deviation: Deviation) -> None:
    path, _, anchor = deviation.reason.partition("#")
    headings = re.findall(r"^#+ (.*)$", (TOP / path).read_text("utf-8"), re.MULTILINE)
    assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@by_name
def test_in_our_own_files_an_entry_describes_the_rows_that_it_lists_and_no_other(deviation: Deviation) -> None:
    described = [row.id for row in OWN_ROWS if row.group in deviation.groups and deviation.applies(row.content)]
    assert sorted(deviation.ids) == described


def test_names_are_used_once() -> None:
    names = [one.name for one in DEVIATIONS]
    assert len(names) == len(set(names))
