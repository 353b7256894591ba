"""The changes that stand behind `or undo it` are taken by the store, and take the finding away: in every case of every rule."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core.rules import Judges
from airflow_provider_schemas.errors import SchemaError
from tests.cases.reading import Case, cases
from tests.remedies.lake import Lake

OF_STEPS = [case for case in cases() if case.judges in (Judges.ONE, Judges.TWO, Judges.HISTORY) and not case.evidence]


def _taken(root: Path, case: Case) -> Lake | None:
    """The table after the step; nothing where a file of the table is one that nobody can read."""
    lake = Lake(root, [*case.history, case.before], case.values.get("policy", {}))
    for contract in case.contracts:
        lake.table.register(contract, consumer=contract.name or "job", pending=True)
    lake.written_by_another_tool(case.after)
    try:
        lake.table.schema()
    except SchemaError:
        return None
    return lake


@pytest.mark.parametrize("case", OF_STEPS, ids=str)
def test_what_undoes_a_finding_takes_it_away(tmp_path: Path, case: Case) -> None:
    broken = _taken(tmp_path / "broken", case)
    findings = [] if broken is None else broken.findings(broken.newest - 1, broken.newest)
    for number, finding in enumerate(one for one in findings if one["fix"]["changes"]):
        lake = _taken(tmp_path / str(number), case)
        assert lake is not None
        start = lake.newest - 1
        lake.table.evolve(finding["fix"]["changes"], override="the repair that was printed")
        left = [(one["rule"], one["path"]) for one in lake.findings(start, lake.newest)]
        assert (finding["rule"], finding["path"]) not in left
