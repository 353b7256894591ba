"""The core answers as Java Paimon did, row by row, but for what deviations.toml lists."""

from collections.abc import Callable
from operator import attrgetter

import pytest

from tests.conformance import deviations, rows
from tests.conformance.harness import judge
from tests.conformance.paimon.groups import GROUPS

DEVIATIONS = deviations.load()
OURS = rows.folder().resolve() == rows.OWN


@pytest.mark.parametrize("row", rows.read("paimon"), ids=attrgetter("name"))
def test_the_answer_is_that_of_java(row: rows.Row, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", f"paimon {row.group}")
    verdict = judge(row, GROUPS, DEVIATIONS, all_listed=OURS)
    if verdict.deviation:
        record_property("deviation", verdict.deviation)
    if verdict.message:
        pytest.fail(verdict.message, pytrace=False)
