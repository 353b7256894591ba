"""What a rule about schemas proposes is carried out by the command line: the rule has nothing to say then, and nothing else breaks."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from tests.cases.reading import cases_of
from tests.remedies.lake import Lake
from tests.remedies.of_schemas import OF_SCHEMAS, OTHER_WAYS, Remedy

WAYS = [*OF_SCHEMAS.items(), *OTHER_WAYS.items()]


def begun(root: Path, rule: str, remedy: Remedy) -> Lake:
    """The table before the change that the finding is about, and those who use it."""
    case = cases_of(rule)[0]
    lake = Lake(root, [*case.history, case.before], remedy.policy)
    for contract in remedy.contracts:
        lake.register(contract)
    return lake


def grave(findings: list[dict[str, Any]], at_least: Verdict) -> list[tuple[str, str]]:
    """The rules of the findings that are at least that bad, with their verdicts."""
    return [(one["rule"], one["verdict"]) for one in findings if SEVERITY[Verdict(one["verdict"])] >= SEVERITY[at_least]]


@pytest.mark.parametrize(("rule", "remedy"), WAYS, ids=[f"{rule}-{remedy.says}" for rule, remedy in WAYS])
def test_the_remedy_of_a_rule_about_schemas_is_green(tmp_path: Path, rule: str, remedy: Remedy) -> None:
    broken = begun(tmp_path / "broken", rule, remedy)
    start = broken.newest
    broken.written_by_another_tool(cases_of(rule)[0].after)
    offered = [one for one in broken.findings(start, broken.newest) if one["rule"] == rule]
    assert offered
    assert remedy.says in offered[0]["fix"]["text"], offered
    lake = broken if remedy.undo else begun(tmp_path / "followed", rule, remedy)
    for step in remedy.steps:
        step.do(lake)
    made = [(start, lake.newest)] if remedy.undo else pairwise(range(start, lake.newest + 1))
    for old, new in made:
        said = [] if new in lake.proven else lake.findings(old, new)
        assert grave(said, Verdict.BREAK) == []
        assert remedy.stays or rule not in dict(grave(said, Verdict.WARN))
    assert lake.type("check", "shop.orders").code == 0
