"""The examples do what their docstrings say: each is read without a complaint, and run in an Airflow of its own.

Those that need a scheduler, since somebody is asked or a version starts them, are run once more in tests/system.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import AirflowHome
from tools.airflow_home import BIN

EXAMPLES = Path(__file__).parents[2] / "example_dags"
FILES = [path for path in sorted(EXAMPLES.rglob("*.py")) if path.parent.name != "jobs" and path.name != "airflow_local_settings.py"]
READ = """
import json, sys
from airflow.dag_processing.dagbag import DagBag
from airflow.serialization.serialized_objects import DagSerialization
bag = DagBag(sys.argv[1])
print(json.dumps({
    "errors": bag.import_errors,
    "warnings": [one.message for many in bag.captured_warnings.values() for one in many],
    "files": {dag_id: dag.fileloc for dag_id, dag in bag.dags.items()},
    "serialised": [DagSerialization.from_dict(DagSerialization.to_dict(dag)).dag_id for dag in bag.dags.values()],
    "spark": "py4j" in sys.modules,
}))
"""


class Example:
    """One example in an Airflow of its own, with the table that the quickstart makes."""

    def __init__(self, file: str, airflow: AirflowHome, folder: Path) -> None:
        self.airflow, self.lake = airflow, SchemaStore(folder / "lake", actor="ana")
        (folder / "lake").mkdir()
        airflow.connect("lake", host=(folder / "lake").as_uri())
        airflow.environment |= {
            "AIRFLOW_CONN_SPARK_LOCAL": json.dumps({"conn_type": "spark", "host": "local[1]"}),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        for beside in ("contracts", "jobs", "schemas"):
            shutil.copytree(EXAMPLES / beside, airflow.dags / beside)
        # What lands does so in a folder of this test.
        (airflow.dags / Path(file).name).write_text((EXAMPLES / file).read_text("utf-8").replace("/tmp/schemas_", f"{folder}/"))
        self.dag = DAGS[file]

    def runs(self, *, ends: int = 0, **conf: Any) -> str:
        """What a run of it prints."""
        more = ("--conf", json.dumps(conf)) if conf else ()
        return self.airflow.run("dags", "test", self.dag, *more, ends=ends)


DAGS = {
    "quickstart.py": "schemas_quickstart",
    "evolution_on_schedule.py": "evolve_shop",
    "evolve_iceberg_tables.py": "evolve_iceberg_tables",
    "wait_for_a_column.py": "wait_for_a_column",
    "watch_a_table.py": "watch_a_table",
    "gate_many_tables.py": "gate_many_tables",
    "gate_iceberg_tables.py": "gate_iceberg_tables",
    "gate_delta_tables.py": "gate_delta_tables",
    "guard_spark_submit.py": "guard_spark_submit",
    "task_schema_gate.py": "task_schema_gate",
    "register_a_contract.py": "register_a_contract",
    "fleet_guard/fleet_guard.py": "fleet_guard",
    "validate_landed_files.py": "validate_landed_files",
    "infer_and_evolve.py": "infer_and_evolve",
    "audit_a_warehouse.py": "audit_a_warehouse",
}


@pytest.fixture
def example(request: pytest.FixtureRequest, airflow_home: AirflowHome, tmp_path: Path) -> Example:
    file: str = request.param
    return Example(file, airflow_home, tmp_path)


def of(file: str) -> pytest.MarkDecorator:
    """The test is about this example."""
    return pytest.mark.parametrize("example", [file], indirect=True, ids=[file])


def orders(store: SchemaStore) -> None:
    """The table as schemas_quickstart leaves it."""
    store.create_table(
        "shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(12, 2), coupon STRING", primary_keys=["order_id"]
    )


def test_every_example_is_read_without_a_complaint_and_serialises_and_starts_no_spark(airflow_home: AirflowHome) -> None:
    done = subprocess.run([sys.executable, "-c", READ, EXAMPLES], env=airflow_home.environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["errors"], found["warnings"]) == ({}, [])
    assert {Path(file).relative_to(EXAMPLES).as_posix(): dag for dag, file in found["files"].items()} == DAGS
    assert sorted(found["serialised"]) == sorted(DAGS.values())
    assert not found["spark"]


def test_every_example_says_what_it_shows_how_to_run_it_and_what_to_see() -> None:
    for file in FILES:
        text = file.read_text("utf-8")
        assert re.search(r'^"""\w.*?\n\nWhat it shows\n.*?\n\nRun it.*?\n.*?\n\nWhat you should see\n', text, re.DOTALL), file


@of("quickstart.py")
def test_the_quickstart_makes_a_table_changes_it_once_and_stops_its_job_when_the_table_breaks(example: Example) -> None:
    said = example.runs()
    table = example.lake.table("shop.orders")
    assert [version.number for version in table.versions()] == [0, 1]
    assert "customer 7 has ordered for 15.00" in said
    example.runs()
    assert table.latest().number == 1
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="what another engine would do without asking")
    said = example.runs(ends=1)
    assert "EXPECT_FIELD_RENAMED" in said
    assert "has ordered for" not in said


@of("evolution_on_schedule.py")
def test_tables_follow_their_files(example: Example) -> None:
    example.runs()
    names = {name: [field.name for field in example.lake.table(name).schema().fields] for name in ("shop.orders", "shop.users")}
    assert names == {"shop.orders": ["order_id", "cust_id", "amount", "coupon"], "shop.users": ["user_id", "country", "since"]}
    file = example.airflow.dags / "schemas/shop/users.yaml"
    file.write_text(file.read_text("utf-8").replace("  - {name: since", "  - {name: language, type: STRING}\n  - {name: since"))
    example.runs()
    assert [example.lake.table(name).latest().number for name in names] == [0, 1]
    example.runs()
    assert [example.lake.table(name).latest().number for name in names] == [0, 1]


@of("wait_for_a_column.py")
def test_a_job_runs_once_the_column_is_there(example: Example) -> None:
    orders(example.lake)
    file = example.airflow.dags / "wait_for_a_column.py"
    file.write_text(file.read_text("utf-8").replace("poke_interval=60", "poke_interval=1"))
    said = example.airflow.folder / "said.txt"
    with said.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "airflow", "dags", "test", example.dag],
            env=example.airflow.environment,
            cwd=example.airflow.folder,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for("no channel", said, process)
            example.lake.table("shop.orders").evolve("ADD COLUMN channel STRING")
            assert process.wait(120) == 0, said.read_text()
        finally:
            process.kill()
            process.wait()
    assert "shop.orders has a channel: the job may run" in said.read_text()


def wait_for(words: str, said: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait until they have been printed."""
    end = time.monotonic() + 120
    while words not in said.read_text():
        assert process.poll() is None, said.read_text()
        assert time.monotonic() < end, said.read_text()
        time.sleep(0.1)


@of("watch_a_table.py")
def test_a_watching_dag_started_by_hand_says_that_no_version_started_it(example: Example) -> None:
    orders(example.lake)
    assert "Started by hand" in example.runs()


@of("gate_many_tables.py")
def test_only_the_job_of_the_broken_table_does_not_run(example: Example) -> None:
    assert loaded(example.runs()) == ["mart.orders", "mart.users", "mart.visits"]
    example.lake.table("mart.users").evolve("DROP COLUMN day", override="to see the gate stop a job")
    assert loaded(example.runs(ends=1)) == ["mart.orders", "mart.visits"]


def loaded(said: str) -> list[str]:
    return sorted(re.findall(r"^(\S+) fits: loading it$", said, re.MULTILINE))


@of("gate_iceberg_tables.py")
def test_one_gate_over_iceberg_paimon_and_parquet_stops_the_job_when_another_program_changes_one(example: Example, tmp_path: Path) -> None:
    catalog = {"conn_type": "iceberg", "host": f"sqlite:///{tmp_path}/iceberg.db"}
    example.airflow.connect("iceberg_local", **catalog, extra={"type": "sql", "warehouse": (tmp_path / "iceberg").as_uri()})
    mounts = {"web": {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web"}}
    example.airflow.connect("lake", host=(tmp_path / "lake").as_uri(), extra={"mounts": mounts})
    said = example.runs()
    judged = dict(re.findall(r"^(\S+) fits, judged by (.+)$", said, re.MULTILINE))
    assert judged == {"web.visits": "metadata", "shop.orders": "schema files", "raw.clicks": "footer (1 of 1)"}
    said = example.runs(ends=1, rename="page")
    assert "EXPECT_FIELD_RENAMED" in said
    assert "page is now page_name" in said
    assert "fits, judged by" not in said


@of("evolve_iceberg_tables.py")
def test_an_iceberg_table_follows_its_file_and_what_others_do_to_it_stays(example: Example, tmp_path: Path) -> None:
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.types import StringType

    catalog = {"conn_type": "iceberg", "host": f"sqlite:///{tmp_path}/iceberg.db"}
    example.airflow.connect("iceberg_local", **catalog, extra={"type": "sql", "warehouse": (tmp_path / "iceberg").as_uri()})
    mounts = {"web": {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web", "evolve": True}}
    example.airflow.connect("lake", host=(tmp_path / "lake").as_uri(), extra={"mounts": mounts})
    # The id of the connection is the name under which a SQL catalog keeps its tables.
    peer = SqlCatalog("iceberg_local", uri=catalog["host"], warehouse=(tmp_path / "iceberg").as_uri())

    def columns() -> dict[str, str]:
        return {field.name: str(field.field_type) for field in peer.load_table("prod.web.visits").schema().fields}

    example.runs()
    wanted = {"visit_id": "long", "page": "string", "seconds": "long", "country": "string"}
    assert columns() == wanted
    example.runs()
    assert peer.load_table("prod.web.visits").metadata.current_schema_id == 1
    with peer.load_table("prod.web.visits").update_schema() as update:
        update.add_column("device", StringType())
    example.runs()
    assert columns() == wanted | {"device": "string"}


@of("gate_delta_tables.py")
def test_one_gate_over_delta_iceberg_and_paimon_stops_the_job_whichever_another_program_changes(example: Example, tmp_path: Path) -> None:
    catalog = {"conn_type": "iceberg", "host": f"sqlite:///{tmp_path}/iceberg.db"}
    example.airflow.connect("iceberg_local", **catalog, extra={"type": "sql", "warehouse": (tmp_path / "iceberg").as_uri()})
    raw = {"source": "delta", "url": (tmp_path / "delta").as_uri()}
    web = {"source": "iceberg", "conn_id": "iceberg_local", "namespace": "prod.web"}
    example.airflow.connect("lake", host=(tmp_path / "lake").as_uri(), extra={"mounts": {"raw": raw, "web": web}})
    judged = dict(re.findall(r"^(\S+) fits, judged by (.+)$", example.runs(), re.MULTILINE))
    by_metadata = dict.fromkeys(("raw.payments", "raw.clicks", "web.visits"), "metadata")
    assert judged == {**by_metadata, "shop.orders": "schema files"}
    for table, told in (("raw.clicks", "url is now page"), ("raw.payments", "amount"), ("web.visits", "page is now path")):
        said = example.runs(ends=1, change=table)
        assert told in said
        assert "fits, judged by" not in said
    assert "EXPECT_FIELD_MISSING" in said
    assert "EXPECT_FIELD_RENAMED" in said


@of("guard_spark_submit.py")
def test_a_guarded_job_is_submitted_if_its_table_fits_and_asks_again_at_its_door(example: Example) -> None:
    orders(example.lake)
    assert "daily_report: 3 orders of 2 customers" in example.runs()
    example.lake.table("shop.orders").evolve("DROP COLUMN cust_id", override="to see the guard stop a job")
    said = example.runs(ends=1)
    assert "EXPECT_FIELD_MISSING" in said
    assert "spark-submit" not in said


@of("task_schema_gate.py")
def test_the_verdict_of_a_decorated_gate_reaches_the_job(example: Example) -> None:
    orders(example.lake)
    assert "shop.orders v0: order_id, cust_id, amount, coupon" in example.runs()


@of("register_a_contract.py")
def test_a_registered_job_is_named_to_whoever_would_break_it(example: Example) -> None:
    orders(example.lake)
    assert "team-bi) reads order_id, cust_id, amount" in example.runs()
    table = example.lake.table("shop.orders")
    with pytest.raises(ValueError, match="daily_report"):
        table.evolve("DROP COLUMN cust_id")
    assert table.latest().number == 0


@of("fleet_guard/fleet_guard.py")
def test_a_policy_guards_tasks_that_know_nothing_of_it(example: Example) -> None:
    orders(example.lake)
    assert "shop.orders v0" not in example.runs()
    (example.airflow.folder / "config").mkdir()
    shutil.copy(EXAMPLES / "fleet_guard/airflow_local_settings.py", example.airflow.folder / "config")
    assert example.runs().count("shop.orders v0") == 3


@of("validate_landed_files.py")
def test_rows_that_do_not_fit_are_put_aside_and_are_not_loaded(example: Example) -> None:
    orders(example.lake)
    assert "loading 3 rows into shop.orders v0" in example.runs()
    said = example.runs(ends=1, order=None, customer=None)
    assert "order_id is NULL in 1 of 3 rows" in said
    assert "loading 3 rows" not in said
    kept = re.search(r"bad rows +(?:file://)?(\S+)", said)
    assert kept is not None
    assert list(Path(kept[1]).glob("*.parquet"))


@of("infer_and_evolve.py")
def test_a_table_follows_the_files_that_arrive(example: Example) -> None:
    example.runs()
    table = example.lake.table("web.visits")
    assert sorted(table.schema().names) == ["page", "seconds", "visit_id"]
    example.runs(device="phone")
    assert (table.latest().number, "device" in table.schema().names) == (1, True)


@of("audit_a_warehouse.py")
def test_an_audit_tells_what_it_looked_at(example: Example) -> None:
    orders(example.lake)
    assert "1 tables, 0 not to be read" in example.runs()
