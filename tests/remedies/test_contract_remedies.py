"""What a rule about contracts proposes to a reader or writer makes the table fit it."""

from pathlib import Path

import pytest

from tests.cases.reading import cases_of
from tests.remedies.lake import Lake
from tests.remedies.of_contracts import OF_CONTRACTS


@pytest.mark.parametrize("rule", OF_CONTRACTS)
def test_the_table_fits_a_job_that_followed_the_remedy(tmp_path: Path, rule: str) -> None:
    case, mended = cases_of(rule)[0], OF_CONTRACTS[rule]
    lake = Lake(tmp_path / "lake", [case.before], {})
    lacks = lake.lacks(case.values["contracts"][0])
    assert {one["rule"] for one in lacks} == {rule}
    assert mended.says in lacks[0]["fix"]["text"], lacks
    assert lake.lacks(mended.contract) == []


@pytest.mark.parametrize("rule", OF_CONTRACTS)
def test_a_change_that_is_printed_makes_the_table_fit_as_well(tmp_path: Path, rule: str) -> None:
    case = cases_of(rule)[0]
    lake = Lake(tmp_path / "lake", [case.before], {})
    changes = [change for lack in lake.lacks(case.values["contracts"][0]) for change in lack["fix"]["changes"]]
    if changes:
        lake.table.evolve(changes)
    assert bool(lake.lacks(case.values["contracts"][0])) is not bool(changes)
