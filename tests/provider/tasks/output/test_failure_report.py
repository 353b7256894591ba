"""The block at the end of a log: what it says is right, short, and can be typed as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.main import parse_line
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.tasks.output import cli_commands
from airflow_provider_schemas.tasks.output.failure_report import FailureReport, format_block, format_lines
from airflow_provider_schemas.tasks.task_run import Run

NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", NEEDS)
    return made


def renamed(store: SchemaStore) -> None:
    store.table("shop.orders").evolve("RENAME COLUMN cust_id TO customer_id", override="a test")


def told(store: SchemaStore, reads: Any, **more: Any) -> FailureReport:
    since = more.pop("since", None)
    found = judge(store, reads, consumer="reports.gate", since=since, on_missing=more.pop("on_missing", "fail"))
    return FailureReport(judgement=found, outcome=more.pop("outcome", "fail"), conn_id="lake", consumer=found.consumer, **more)


# ---------------------------------------------------------------- what is said


def test_where_all_fits_the_block_is_the_lines(store: SchemaStore) -> None:
    about = told(store, {"shop.orders": NEEDS}, outcome="fits", bases={"shop.orders": "2 of 2 columns needed"})
    line, _, moment = format_lines(about)[0][1].partition("  judged by schema files, ")
    assert line == "shop.orders v0 fits  2 of 2 columns needed"
    assert moment.endswith(" UTC")
    assert format_block(about).splitlines() == [line for _, line in format_lines(about)]


def test_a_table_that_is_not_there_is_told_also_where_it_only_warns(store: SchemaStore) -> None:
    about = told(store, {"shop.orders": NEEDS, "shop.gone": ["a"]}, outcome="warn", on_missing="warn")
    block = format_block(about)
    assert "needs 2 tables, 1 does not fit" in block
    assert "there is no schema of shop.gone" in block
    assert "fits       shop.orders v0" in block


def test_the_owner_of_a_table_is_named(tmp_path: Path, lake: str) -> None:
    from airflow_provider_schemas.formats import table_file

    text = b"table: shop.carts\nowner: team-carts\ncontact: '#carts'\ncolumns:\n  - {name: a, type: BIGINT}\n"
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.carts", table_file.read(text, "carts.yaml"))
    assert "\n  owner team-carts, #carts\n" in format_block(told(store, {"shop.carts": ["nope"]}))


def test_notes_stand_in_both(store: SchemaStore) -> None:
    renamed(store)
    note = ("GATE_BYPASSED: x\nSCHEMA GATE s3://a:secret@b/\x1b[31m",)
    block = format_block(told(store, {"shop.orders": NEEDS}, notes=note))
    assert "note: GATE_BYPASSED: x SCHEMA GATE" in block
    assert ("secret" in block, "\x1b" in block) == (False, False)
    about = told(store, {"shop.orders": ["order_id"]}, notes=note, outcome="fits")
    assert [outcome for outcome, line in format_lines(about) if "GATE_BYPASSED" in line] == ["warn"]


def test_without_a_contract_it_says_how_to_accept_what_is_there(store: SchemaStore) -> None:
    seen = store.table("shop.orders").latest()
    renamed(store)
    about = told(store, ["shop.orders"], since={"shop.orders": seen}, baseline_tables=frozenset({"shop.orders"}))
    block = format_block(about)
    assert "mark the task as success" in block
    assert "airflow-schemas evolve --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id'" in block
    assert "airflow-schemas waive --conn lake shop.orders FIELD_RENAMED cust_id --for=reports.gate --until=3d --reason=WHY" in block


BEHIND = "Clear the tasks behind it as well"
ACCEPTS = "mark the task as success: what it saw just now"


@pytest.mark.parametrize("outcome", ["fail", "skip"])
@pytest.mark.parametrize("seen", [False, True], ids=["contract", "by sight"])
def test_of_a_gate_it_says_that_marked_as_success_it_lets_the_tasks_behind_it_run(store: SchemaStore, outcome: str, seen: bool) -> None:
    last = _way_out(store, outcome=outcome, seen=seen)
    assert (ACCEPTS in last) is seen
    assert ("Marked as success, this gate lets the tasks behind it run in this run." in last) is not seen
    assert (BEHIND in last) is (outcome == "skip")
    assert "does not run" not in last


@pytest.mark.parametrize("outcome", ["fail", "skip"])
@pytest.mark.parametrize("seen", [False, True], ids=["contract", "by sight"])
def test_of_a_guard_it_says_that_marked_as_success_nothing_runs(store: SchemaStore, outcome: str, seen: bool) -> None:
    last = _way_out(store, outcome=outcome, seen=seen, is_guard=True)
    assert "or what breaks is let through, clear the task." in last
    assert "Marked as success, this task does not run, and the tasks behind it work with what an earlier run left." in last
    assert ("Later runs are then judged by what it saw just now." in last) is seen
    assert "this gate lets" not in last
    assert ACCEPTS not in last


def _way_out(store: SchemaStore, *, seen: bool, **more: Any) -> str:
    """The lines that say what to do now, as one."""
    before = store.table("shop.orders").latest()
    renamed(store)
    if seen:
        about = told(store, ["shop.orders"], since={"shop.orders": before}, baseline_tables=frozenset({"shop.orders"}), **more)
    else:
        about = told(store, {"shop.orders": NEEDS}, **more)
    lines = format_block(about).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("what now"))
    return " ".join(line.strip() for line in lines[start:])


@pytest.mark.parametrize("seen", [False, True], ids=["contract", "by sight"])
@pytest.mark.parametrize("guard", [False, True])
def test_no_line_is_wider_than_the_log_view_but_for_commands_that_stand_alone(store: SchemaStore, seen: bool, guard: bool) -> None:
    before = store.table("shop.orders").latest()
    renamed(store)
    needs = ["shop.orders"] if seen else {"shop.orders": NEEDS}
    since, baseline_tables = ({"shop.orders": before}, frozenset({"shop.orders"})) if seen else (None, frozenset[str]())
    about = told(store, needs, since=since, baseline_tables=baseline_tables, is_guard=guard, notes=("a note " * 40,))
    lines = format_block(about).splitlines()
    wide = [line.strip() for line in lines if len(line) > 110]
    assert all(line.startswith("airflow-schemas ") for line in wide)
    assert any("airflow-schemas waive --conn lake" in line and line.endswith("--reason=WHY") for line in lines)


# ---------------------------------------------------------------- what can be typed


def asked(store: SchemaStore, need: Any, **more: Any) -> cli_commands.TableCheck:
    """A question about shop.orders that the table does not answer well."""
    since = {"shop.orders": seen} if (seen := more.pop("seen", None)) else None
    answer = told(store, {"shop.orders": need}, since=since).judgement.tables[0]
    return cli_commands.TableCheck(answer, "reports.gate", "lake", need, (seen.number, seen.digest) if seen else None, **more)


def typed(line: str) -> tuple[int, str]:
    """What a line prints and how it ends, in a shell, with the connection in the environment."""
    assert line
    shell = line.replace("airflow-schemas ", f"{shlex.quote(sys.executable)} -m airflow_provider_schemas.cli ")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[4])
    return done.returncode, done.stdout + done.stderr


NEEDED = [Contract.of(NEEDS), Contract.of(["order_id", "cust_id"]), Contract.of({"columns": NEEDS, "shape": "closed"})]


@pytest.mark.parametrize("need", NEEDED, ids=["sql", "names", "closed"])
def test_the_question_asked_again_gives_the_same_answer(store: SchemaStore, need: Contract) -> None:
    renamed(store)
    line = cli_commands.format_check(asked(store, need))
    assert line.startswith("echo ")
    ended, said = typed(line)
    assert (ended, "EXPECT_FIELD_RENAMED" in said) == (1, True), said


def test_so_it_does_by_the_registered_contract_and_from_what_was_seen(store: SchemaStore) -> None:
    table = store.table("shop.orders")
    seen, registered = table.latest(), table.register(NEEDS, consumer="reports.gate").contract
    renamed(store)
    line = cli_commands.format_check(asked(store, NEEDED[0]), [registered])
    assert line == "airflow-schemas check --conn lake shop.orders --for=reports.gate"
    ended, said = typed(line)
    assert (ended, "EXPECT_FIELD_RENAMED" in said) == (1, True), said
    line = cli_commands.format_check(asked(store, None, seen=seen))
    assert line == "airflow-schemas check --conn lake shop.orders --since=0 --for=reports.gate"
    ended, said = typed(line)
    assert (ended, "FIELD_RENAMED" in said) == (1, True), said


def test_a_table_that_went_back_is_asked_about_with_the_digest(store: SchemaStore, tmp_path: Path) -> None:
    table = store.table("shop.orders")
    table.evolve("ADD COLUMN a INT")
    seen = table.latest()
    (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink()
    line = cli_commands.format_check(asked(SchemaStore(tmp_path / "lake"), None, seen=seen))
    assert f"--since=1:{seen.digest}" in line
    ended, said = typed(line)
    assert (ended, "VERSION_REWOUND" in said) == (1, True), said


def test_a_registered_contract_that_says_something_else_is_not_the_question(store: SchemaStore) -> None:
    registered = store.table("shop.orders").register(["order_id"], consumer="reports.gate").contract
    renamed(store)
    assert "--for" not in cli_commands.format_check(asked(store, NEEDED[0]), [registered])


def test_an_older_version_is_asked_about_by_its_number(store: SchemaStore) -> None:
    line = cli_commands.format_check(asked(store, Contract.of(["nope"]), pinned=True))
    assert "shop.orders:0" in line
    ended, said = typed(line)
    assert (ended, "EXPECT_FIELD_MISSING" in said) == (1, True), said
    assert cli_commands.format_check(asked(store, None, pinned=True, seen=store.table("shop.orders").latest())) == ""


def test_a_waiver_that_is_typed_lets_the_task_through(store: SchemaStore) -> None:
    seen = store.table("shop.orders").latest()
    renamed(store)
    since = {"shop.orders": seen}
    about = told(store, ["shop.orders"], since=since, baseline_tables=frozenset({"shop.orders"}))
    line = next(found[0] for row in format_block(about).splitlines() if (found := re.search(r"airflow-schemas waive .*", row)))
    ended, said = typed(line.replace("WHY", "INC-7"))
    assert ended == 0, said
    assert told(store, ["shop.orders"], since=since).judgement.fits


@pytest.mark.parametrize("conn_id", ["lake\n--store=/", "l" * 700, "s3://a:secret@b/?sig=1"])
def test_what_could_not_be_typed_as_shown_is_not_shown(conn_id: str) -> None:
    assert cli_commands.format_command("check", "shop.orders", conn_id=conn_id) == ""


def test_what_is_too_long_to_type_is_run_again_instead() -> None:
    run = Run(dag_id="reports", task_id="gate", run_id="manual__2026-03-01T00:00:00+00:00", map_index=3)
    assert cli_commands.format_task_test(run) == "airflow tasks test --map-index 3 reports gate manual__2026-03-01T00:00:00+00:00"


@pytest.mark.parametrize(
    "line",
    [
        "check shop.orders",
        "waive shop.orders FIELD_DROPPED note --until=3d --reason=INC-7",
        "evolve shop.orders 'ADD COLUMN note INT'",
        "log shop.orders",
    ],
)
def test_the_words_of_a_command_are_those_of_the_cli(line: str) -> None:
    assert parse_line([*shlex.split(line), "--conn", "lake"]).conn == "lake"
