"""One gate over Iceberg in a REST catalog, Iceberg in Glue, Paimon and Parquet, in a real Airflow, while the peers change their tables."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.provider.support.dag_runs import Run, told
from tests.provider.support.four_kinds import TABLES

DAGS = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaGateOperator
from tests.provider.support.four_kinds import NEEDS, TABLES

ABOUT = {"conn_id": "lake", "owner": "team-bi"}

def job():
    @task
    def daily(): print("RAN")
    return daily()

with DAG("gated", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=dict.fromkeys(TABLES.values(), NEEDS)) >> job()
with DAG("unsaid", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=list(TABLES.values())) >> job()
"""

STORY = """
import json, os
from pathlib import Path
from tests.provider.support.four_kinds import four_kinds
from tests.servers.s3 import s3

with s3() as server, four_kinds(Path(os.environ["AIRFLOW_HOME"]) / "kinds", server) as (peers, connections):
    for conn_id, fields in connections.items():
        os.environ[f"AIRFLOW_CONN_{conn_id.upper()}"] = json.dumps(fields)

    def change(kinds, *acts):
        for kind in kinds:
            for act in acts:
                getattr(peers[kind], act)()

    def tell(name, dag):
        note(name)
        run(dag)

    tell("first", "gated")
    for kind in peers:
        for act in ("add", "narrow", "drop", "rename"):
            change([kind], act)
            tell(f"{act} {kind}", "gated")
            change([kind], "remove", "create")
        change([kind], "rename", "rename_back")
        tell(f"revert {kind}", "gated")
        change([kind], "remove")
        tell(f"remove {kind}", "gated")
        change([kind], "create")
        tell(f"recreate {kind}", "gated")
        change([kind], "remove", "create_another")
        tell(f"replace {kind}", "gated")
        change([kind], "remove", "create")

    tell("first without a contract", "unsaid")
    for acts in (["write"], ["rename"], ["rename_back"], ["narrow"], ["drop"], ["remove", "create"], ["remove", "create_another"]):
        change(peers, *acts)
        tell(f"{acts[-1]} without a contract", "unsaid")
"""

MISSING: Final = {"EXPECT_FIELD_MISSING"}
RENAMED: Final = {"EXPECT_FIELD_RENAMED"}
ANOTHER: Final = {"EXPECT_TYPE_MISMATCH", "EXPECT_FIELD_MISSING"}
GONE: Final = {"TABLE_MISSING"}
# The gate has registered what the job needs, and asks whether it means the columns of the new table.
AGAIN: Final = {"TABLE_REPLACED"}
# What the gate finds when the peer of a table has done this to it; a plain file has no ids by which a rename could be told.
STOPS: Final[dict[str, dict[str, set[str]]]] = {
    "rename": {"rest": RENAMED, "glue": RENAMED, "paimon": RENAMED, "parquet": MISSING},
    "drop": dict.fromkeys(TABLES, MISSING),
    "replace": {"rest": ANOTHER | AGAIN, "glue": ANOTHER | AGAIN, "paimon": ANOTHER, "parquet": ANOTHER},
    "remove": {"rest": GONE, "glue": GONE, "paimon": GONE},
}
# Who reads an INT as BIGINT loses nothing, and a table that was made again as it was has all that the contract names.
HARMLESS: Final = ("add", "narrow", "revert", "recreate")
JUDGED_BY: Final = {"rest": "metadata", "glue": "metadata", "paimon": "schema files", "parquet": "footer (1 of 1)"}
# The same without a contract: what came since the gate was last green.
CAME: Final[dict[str, dict[str, tuple[str, set[str]]]]] = {
    "rename": {
        "rest": ("break", {"FIELD_RENAMED"}),
        "glue": ("break", {"FIELD_RENAMED"}),
        "paimon": ("break", {"FIELD_RENAMED"}),
        "parquet": ("break", MISSING),
    },
    "narrow": {
        "rest": ("break", {"TYPE_NARROWED", "COLUMN_TYPE_NOT_PROMOTED"}),
        "glue": ("break", {"TYPE_NARROWED", "COLUMN_TYPE_NOT_PROMOTED"}),
        "paimon": ("break", {"TYPE_NARROWED"}),
        "parquet": ("ok", set()),
    },
    "create": {
        "rest": ("warn", {"TABLE_REPLACED"}),
        "glue": ("warn", {"TABLE_REPLACED"}),
        "paimon": ("break", {"VERSION_REWOUND"}),
        "parquet": ("ok", set()),
    },
    "create_another": {
        "rest": ("break", {"TABLE_REPLACED"}),
        "glue": ("break", {"TABLE_REPLACED"}),
        "paimon": ("break", {"VERSION_REWOUND"}),
        "parquet": ("break", ANOTHER),
    },
}
STOPPED: Final = {"gate": "failed", "daily": "upstream_failed"}
RAN: Final = {"gate": "success", "daily": "success"}


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    names_and_runs = told(tmp_path_factory.mktemp("kinds"), airflow_database, STORY, gates=DAGS)
    return dict(zip(names_and_runs[::2], names_and_runs[1::2], strict=True))


def tables_of(run: Run) -> dict[str, Any]:
    tables: dict[str, Any] = run.verdicts["gate"]["tables"]
    return {kind: tables[name] for kind, name in TABLES.items()}


def rules(table: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in table["findings"]}


def test_one_gate_over_four_kinds_says_of_each_by_what_it_was_judged(story: dict[str, Run]) -> None:
    run = story["first"]
    assert run.states == RAN
    assert {kind: table["judged_by"] for kind, table in tables_of(run).items()} == JUDGED_BY
    assert "RAN" in run.log


@pytest.mark.parametrize(("act", "kind"), [(act, kind) for act, kinds in STOPS.items() for kind in kinds])
def test_a_change_of_one_table_by_its_peer_stops_the_job_and_the_others_are_not_blamed(act: str, kind: str, story: dict[str, Run]) -> None:
    run = story[f"{act} {kind}"]
    assert run.states == STOPPED
    assert "RAN" not in run.log
    tables = tables_of(run)
    assert {name for name, table in tables.items() if table["verdict"] != "ok"} == {kind}
    assert (tables[kind]["verdict"], rules(tables[kind])) == ("break", STOPS[act][kind])
    assert "gated.gate needs 4 tables, 1 does not fit" in run.log


@pytest.mark.parametrize("act", HARMLESS)
@pytest.mark.parametrize("kind", TABLES)
def test_a_change_that_the_job_does_not_notice_lets_it_run(act: str, kind: str, story: dict[str, Run]) -> None:
    run = story[f"{act} {kind}"]
    assert run.states == RAN
    assert all(table["verdict"] == "ok" or (table["verdict"], rules(table)) == ("warn", AGAIN) for table in tables_of(run).values())


def test_a_folder_that_is_gone_is_not_taken_for_one_that_fits(story: dict[str, Run]) -> None:
    table = tables_of(story["remove parquet"])["parquet"]
    assert (table["verdict"], table["judged_by"], rules(table)) == ("warn", "description", {"TABLE_NOT_LOOKED_AT"})


@pytest.mark.parametrize("kind", ["rest", "glue"])
def test_the_moment_of_a_change_of_iceberg_is_said_and_never_said_to_be_unknown(kind: str, story: dict[str, Run]) -> None:
    log = story[f"rename {kind}"].log
    assert "cust_id is now customer_id (field id 2)" in log
    assert re.search(r"note: version 1 is current since 20\d\d-\d\d-\d\d \d\d:\d\d UTC", log)
    assert "unknown time" not in log


def test_who_changed_a_paimon_table_and_when_is_said(story: dict[str, Run]) -> None:
    assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC by flink", story["rename paimon"].log)


@pytest.mark.parametrize("kind", ["rest", "glue"])
def test_the_way_back_is_the_statement_of_the_engine_over_the_same_connection(kind: str, story: dict[str, Run]) -> None:
    log = story[f"rename {kind}"].log
    assert f"airflow-schemas plan --conn lake {TABLES[kind]} 'RENAME COLUMN customer_id TO cust_id' --sql spark" in log


@pytest.mark.parametrize("act", CAME)
@pytest.mark.parametrize("kind", TABLES)
def test_without_a_contract_it_is_what_came_since(act: str, kind: str, story: dict[str, Run]) -> None:
    table = tables_of(story[f"{act} without a contract"])[kind]
    assert (table["verdict"], rules(table)) == CAME[act][kind]


@pytest.mark.parametrize("name", ["first", "write", "rename_back"])
def test_rows_and_a_rename_that_was_taken_back_let_the_job_run(name: str, story: dict[str, Run]) -> None:
    assert story[f"{name} without a contract"].states == RAN


@pytest.mark.parametrize("name", CAME)
def test_what_came_since_stops_the_job(name: str, story: dict[str, Run]) -> None:
    assert story[f"{name} without a contract"].states == STOPPED
