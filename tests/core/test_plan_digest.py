"""The digest of a plan names what is done to which version and whom that breaks: it is the same wherever the plan is made."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.core import Contract, Plan, TableSchema, Version
from airflow_provider_schemas.core.report import Consumer, Finding, Place
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import PlanError

SCHEMA = replace(TableSchema.create("a INT, b STRING"), time_millis=0)
JOB = Contract.of("a INT", name="daily")
EARLIER = Path(__file__).parent / "support" / "plan_of_an_earlier_release.json"


def version(schema: TableSchema = SCHEMA, *, number: int = 0, branch: str = "main", **about: Any) -> Version:
    written = Provenance(**about).on(schema) if about else schema
    return Version.read(written.to_json().encode(), number, branch)


def plan(*changes: str, base: Version | None = None, **about: Any) -> Plan:
    return Plan.of(base or version(), list(changes or ["DROP COLUMN a"]), **{"table": "shop.orders", "contracts": [JOB], **about})


def reworded(finding: Finding, **about: Any) -> Finding:
    said = {"message": "said otherwise", "fix": "do otherwise", "owner": "raj", "contact": "#raj", "place": Place("/opt/dags/x.yaml", 7)}
    consumers = tuple(Consumer(name=one.name, rule=one.rule, last_seen="2026-11-19") for one in finding.consumers)
    return replace(finding, **{**said, "consumers": consumers, **about})


def with_findings(made: Plan, **about: Any) -> Plan:
    return replace(made, report=replace(made.report, findings=tuple(reworded(one, **about) for one in made.report.findings)))


def test_neither_who_wrote_the_base_nor_under_which_key_is_in_it() -> None:
    bases = [version(), version(key="ci/1", actor="ci"), version(replace(SCHEMA, time_millis=5), key="dag.run", run="scheduled__1")]
    assert len({one.digest for one in bases}) == 3
    assert len({plan(base=one).digest for one in bases}) == 1


def test_places_words_and_the_days_on_which_jobs_were_seen_are_not_in_it() -> None:
    made = plan()
    assert made.report.findings[0].consumers
    assert with_findings(made).digest == made.digest
    assert replace(made, report=replace(made.report, notes=("the registry /tmp/x is empty",), contracts=9)).digest == made.digest


OTHERS = {
    "another change": plan("DROP COLUMN b"),
    "one more change": plan("DROP COLUMN a", "ADD COLUMN c INT"),
    "another type": plan("ALTER COLUMN a TYPE BIGINT"),
    "another table": plan(table="shop.users"),
    "another number": plan(base=version(replace(SCHEMA, id=1), number=1)),
    "another branch": plan(base=version(branch="dev")),
    "another column in the base": plan(base=version(TableSchema.create("a INT, b STRING, c INT"))),
    "another type in the base": plan(base=version(TableSchema.create("a BIGINT, b STRING"))),
    "another option in the base": plan(base=version(TableSchema.create("a INT, b STRING", options={"x": "y"}))),
    "nobody to break": plan(contracts=[]),
    "another job to break": plan(contracts=[Contract.of("a INT", name="weekly")]),
    "one more job to break": plan(contracts=[JOB, Contract.of("a INT", name="weekly")]),
    "a finding that is let through": with_findings(plan(), waived="until 2999-12-31: moved on Friday"),
    "columns left alone": plan(left_alone=["z"]),
    "a new table": Plan.of(None, SCHEMA, table="shop.orders"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_plans_that_do_other_things_or_break_others_differ(name: str) -> None:
    digests = {plan().digest, *(one.digest for one in OTHERS.values())}
    assert len(digests) == len(OTHERS) + 1
    assert OTHERS[name].digest != plan().digest


def test_a_stored_plan_whose_words_or_base_were_touched_is_refused_all_the_same() -> None:
    made = plan()
    for touched in (
        with_findings(made),
        replace(made, report=replace(made.report, notes=("all is well",))),
        plan(base=version(key="of another")),
    ):
        assert touched.digest == made.digest
        value = json.loads(touched.to_json()) | {"seal": made.seal}
        with pytest.raises(PlanError) as refused:
            Plan.from_json(json.dumps(value))
        assert refused.value.code == "plan.tampered"


# ---------------------------------------------------------------- plans that were kept before


def test_a_plan_of_an_earlier_release_keeps_its_digest_and_is_applied() -> None:
    text = EARLIER.read_text("utf-8")
    kept = Plan.from_json(text)
    assert kept.digest == json.loads(text)["digest"] == kept.seal
    assert [(one.name, one.id) for one in kept.apply(version()).fields] == [("b", 1)]
    assert Plan.from_json(kept.to_json()).digest == kept.digest


@pytest.mark.parametrize("path", [("table",), ("report", "findings", 0, "message"), ("result", "options"), ("base", "digest"), ("digest",)])
def test_a_plan_of_an_earlier_release_that_was_touched_is_refused(path: tuple[Any, ...]) -> None:
    value = inside = json.loads(EARLIER.read_text("utf-8"))
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = {"x": "y"} if path[-1] == "options" else "other"
    with pytest.raises(PlanError) as refused:
        Plan.from_json(json.dumps(value))
    assert refused.value.code == "plan.tampered"


def test_the_seal_cannot_be_left_out_of_a_plan_of_today() -> None:
    value = json.loads(plan().to_json())
    del value["seal"]
    with pytest.raises(PlanError, match="changed after it was made"):
        Plan.from_json(json.dumps(value))
