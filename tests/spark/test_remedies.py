"""Every kind of remedy that reports print, carried out as it is printed: the job that it is offered to then gives the right rows.

`EXECUTED` has a case for each kind; a kind without one fails a test, and so does a kind that nothing prints any more.
"""

import ast
import inspect
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.core import Contract, Report
from airflow_provider_schemas.core.compatibility import fixes
from airflow_provider_schemas.core.contracts import column_lacks
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.findings import steps as finding_steps
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.spark import read_table, validate, write_files
from airflow_provider_schemas.store.check_tables import judge
from tests.spark.support.folders import NAME, Folder, rows
from tests.support.command_line import fine

Job = Callable[[Any, Folder], Any]
ALIAS = """SET OPTION schemas.field.1 = '{"alias": {"cust_id": "2999-12-31"}}'"""


class Case(NamedTuple):
    """A table and its job; what breaks the job, which remedy is offered, and what the job gives before and after."""

    columns: str
    contract: Any
    change: Any
    """What somebody does to the table."""
    job: Job
    right: Any
    label: str = "or undo it"


def query(sql: str) -> Job:
    """A job that asks the table in SQL: its rows, and the types of its columns."""

    def asked(spark: Any, folder: Folder) -> Any:
        read_table(spark, folder.table).createOrReplaceTempView("orders")
        found = spark.sql(sql)
        return found.schema.simpleString(), rows(found)

    return asked


def appended(sql: str) -> Job:
    """A job that writes rows of its own, once it has validated them, and what the table holds of them then."""

    def wrote(spark: Any, folder: Folder) -> Any:
        frame = spark.sql(sql)
        if not validate(frame, folder.table.schema()).fits:
            return "refused"
        write_files(frame, folder.table, str(folder.data / "more"), mode="overwrite")
        return rows(read_table(spark, folder.table).where("order_id > 100").select("order_id", "cust_id"))

    return wrote


def by_contract(contract: Any) -> Job:
    return lambda spark, folder: rows(read_table(spark, folder.table, contract=contract))


def checked(contract: str) -> Job:
    return lambda spark, folder: validate(read_table(spark, folder.table), Contract.of(contract)).fits


def of_schema(look: Callable[[Any], Any]) -> Job:
    """A job that takes something from the schema of the table: a default to write, a unit to count in."""
    return lambda _, folder: look(folder.table.schema())


ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount INT"
RENAME = "RENAME COLUMN cust_id TO customer_id"
NUMBERS = query("SELECT cust_id FROM orders")
RIGHT = ("struct<cust_id:bigint>", [(7,)])
WRITER = {
    "columns": [{"name": "order_id", "type": "BIGINT NOT NULL", "role": "write"}, {"name": "cust_id", "type": "BIGINT", "role": "write"}]
}
TIGHTENED = "ALTER COLUMN cust_id SET NOT NULL"
WITH_NULL = appended("SELECT 101L AS order_id, CAST(NULL AS BIGINT) AS cust_id, 3 AS amount")

# By the kind: the function that makes the changes, the change that a contract asks for, and what stands in front of a remedy.
EXECUTED: dict[str, Case] = {
    "_rename_back": Case(ORDERS, "cust_id BIGINT", RENAME, NUMBERS, RIGHT),
    "_retype_back": Case(
        ORDERS,
        "amount INT",
        "ALTER COLUMN amount TYPE BIGINT",
        query("SELECT amount FROM orders"),
        ("struct<amount:int>", [(5,)]),
    ),
    "_make_nullable": Case(ORDERS, WRITER, TIGHTENED, WITH_NULL, [(101, None)]),
    "_make_not_null": Case(
        ORDERS, "order_id BIGINT NOT NULL", "ALTER COLUMN order_id DROP NOT NULL", of_schema(lambda one: str(one.field("order_id").type)),
        "BIGINT NOT NULL",
    ),
    "_restore_default": Case(
        ORDERS, ["amount"], {"action": "updateColumnDefaultValue", "fieldNames": ["amount"], "newDefaultValue": "2"},
        of_schema(lambda one: one.field("amount").default), "1",
    ),
    "_restore_option": Case(
        ORDERS, ["amount"], "SET OPTION ignore-delete = 'true'", of_schema(lambda one: one.options.get("ignore-delete")), "false"
    ),
    "_restore_attributes": Case(
        ORDERS, ["amount"], """SET OPTION schemas.field.2 = '{"unit": "USD"}'""", of_schema(lambda one: one.attributes(2)["unit"]), "EUR"
    ),
    "RenameColumn": Case(ORDERS, "cust_id BIGINT", RENAME, NUMBERS, RIGHT, "fix in the table"),
    "UpdateColumnNullability": Case(ORDERS, WRITER, TIGHTENED, WITH_NULL, [(101, None)], "fix in the table"),
}  # fmt: skip


def made(root: Path, spark: Any, case: Case) -> Folder:
    """The table with a row, before anything happens to it."""
    folder = Folder(root, case.columns)
    folder.write(spark, [(1, 7, 5)])
    for one in (
        "SET OPTION alter-column-null-to-not-null.disabled = 'false'",
        "SET OPTION ignore-delete = 'false'",
        """SET OPTION schemas.field.2 = '{"unit": "EUR"}'""",
    ):
        folder.evolve(one)
    if case is EXECUTED["_restore_default"]:
        folder.evolve({"action": "updateColumnDefaultValue", "fieldNames": ["amount"], "newDefaultValue": "1"})
    return folder


def offered(report: Report, label: str) -> list[str]:
    """What is to be typed behind a label, and behind none after it."""
    found: list[str] = []
    for view in (View.of(one, NAME) for one in report.findings):
        last = ""
        for step in view.steps:
            last = step.label or last
            found += [step.text] if step.typed and last == label else []
    return found


def typed(folder: Folder, command: str) -> None:
    """A command that is printed, pasted into a terminal."""
    program, *words = shlex.split(command)
    assert program == "airflow-schemas"
    fine(*words, "--store", folder.store.url, "--layout", "registry")


def result(job: Job, spark: Any, folder: Folder) -> Any:
    try:
        return job(spark, folder)
    except Exception as error:  # noqa: BLE001  # whatever it is, the job did not give its rows
        return type(error)


@pytest.mark.parametrize("kind", EXECUTED)
def test_the_remedy_gives_the_job_its_rows_again(classic_spark: Any, tmp_path: Path, kind: str) -> None:
    case = EXECUTED[kind]
    folder = made(tmp_path, classic_spark, case)
    assert result(case.job, classic_spark, folder) == case.right, "before anything happened"
    folder.table.register(case.contract, consumer="job")
    plan = folder.table.plan(case.change)
    folder.evolve(case.change)
    assert result(case.job, classic_spark, folder) != case.right, "broken"
    if case.label == "fix in the table":
        (command,) = offered(judge(folder.store, {NAME: "@registered"}, consumer="job").reports[0], case.label)
        typed(folder, command)
    else:
        assert kind in {fixes._FIXES[one.rule].__name__ for one in plan.report.findings if one.changes}
        folder.table.evolve(offered(plan.report, case.label), override="the repair that was printed")
    assert result(case.job, classic_spark, folder) == case.right, "after the remedy"


# ---------------------------------------------------------------- remedies in words


def renamed(root: Path, spark: Any, way: str = "", *changes: str) -> Folder:
    folder = made(root, spark, EXECUTED["_rename_back"])
    folder.table.register({"columns": "cust_id BIGINT", "read_with": way}, consumer="job")
    folder.evolve([RENAME, *changes])
    folder.write(spark, [(2, 8, 6)])
    return folder


def test_an_alias_that_is_offered_to_a_job_that_uses_read_table_gives_it_its_rows(classic_spark: Any, tmp_path: Path) -> None:
    folder = made(tmp_path, classic_spark, EXECUTED["_rename_back"])
    folder.table.register({"columns": "cust_id BIGINT", "read_with": "read_table"}, consumer="job")
    (finding,) = folder.table.plan(RENAME).report.findings
    assert finding.fix == fixes._FOR_ALIASES.format(old="cust_id", way="read_table")
    done = folder.table.evolve([RENAME, ALIAS])
    folder.write(classic_spark, [(2, 8, 6)])
    assert (done.report.verdict, by_contract("cust_id BIGINT")(classic_spark, folder)) == (Verdict.WARN, [(7,), (8,)])
    assert judge(folder.store, {NAME: "@registered"}, consumer="job").fits


@pytest.mark.parametrize("happened", [False, True], ids=["before the rename", "after it"])
def test_the_line_that_keeps_a_name_gives_a_job_that_uses_read_table_its_rows(
    classic_spark: Any, tmp_path: Path, *, happened: bool
) -> None:
    folder = made(tmp_path, classic_spark, EXECUTED["_rename_back"])
    folder.table.register({"columns": "cust_id BIGINT", "read_with": "read_table"}, consumer="job")
    (command,) = offered(folder.table.plan(RENAME).report, "keep the name")
    if happened:
        folder.evolve(RENAME)
    typed(folder, command)
    folder.write(classic_spark, [(2, 8, 6)])
    assert by_contract("cust_id BIGINT")(classic_spark, folder) == [(7,), (8,)]
    assert judge(folder.store, {NAME: "@registered"}, consumer="job").fits


def test_a_rename_back_gives_plain_spark_what_the_report_says(classic_spark: Any, tmp_path: Path) -> None:
    folder = made(tmp_path, classic_spark, EXECUTED["_rename_back"])
    folder.evolve(RENAME)
    folder.write(classic_spark, [(2, 8, 6)])
    (finding,) = folder.table.plan("RENAME COLUMN customer_id TO cust_id").report.findings
    folder.evolve("RENAME COLUMN customer_id TO cust_id")
    plain = classic_spark.read.schema("order_id BIGINT, cust_id BIGINT").parquet(str(folder.data))
    assert rows(plain.where("order_id = 1").select("cust_id")) == [(7,)]
    assert rows(plain.where("order_id = 2").select("cust_id")) == [(None,)]
    assert 0 in finding.restores
    assert "hold customer_id, and give NULL" in finding.message
    assert rows(read_table(classic_spark, folder.table).select("cust_id")) == [(7,), (8,)]


def test_a_job_that_an_alias_does_not_help_is_helped_by_read_table_once_it_says_so(classic_spark: Any, tmp_path: Path) -> None:
    folder = renamed(tmp_path, classic_spark, "", ALIAS)
    own = classic_spark.read.schema("cust_id BIGINT").parquet(str(folder.data))
    assert rows(own) == [(7,), (None,)]
    assert not judge(folder.store, {NAME: "cust_id BIGINT"}).fits
    moved = {"columns": "cust_id BIGINT", "read_with": "read_table"}
    assert judge(folder.store, {NAME: moved}).fits
    assert by_contract(moved)(classic_spark, folder) == [(7,), (8,)]


def test_a_job_that_moves_to_the_new_name_has_its_rows(classic_spark: Any, tmp_path: Path) -> None:
    folder = renamed(tmp_path, classic_spark)
    (lack,) = judge(folder.store, {NAME: "@registered"}, consumer="job").reports[0].findings
    assert lack.fix == "Use customer_id instead of cust_id in the job."
    assert query("SELECT customer_id FROM orders")(classic_spark, folder)[1] == [(7,), (8,)]
    folder.table.register("customer_id BIGINT", consumer="job")
    assert judge(folder.store, {NAME: "@registered"}, consumer="job").fits


def test_a_waiver_that_is_printed_lets_that_job_through_and_no_other(classic_spark: Any, tmp_path: Path) -> None:
    folder = renamed(tmp_path, classic_spark)
    (command,) = offered(judge(folder.store, {NAME: "@registered"}, consumer="job").reports[0], "let it through")
    typed(folder, command.replace("--reason=WHY", "--reason=INC-4711"))
    assert judge(folder.store, {NAME: "@registered"}, consumer="job").fits
    assert not judge(folder.store, {NAME: [{"name": "cust_id", "id": 1}]}, consumer="another").fits


def test_a_view_over_plain_parquet_is_offered_to_nobody(classic_spark: Any, tmp_path: Path) -> None:
    folder = renamed(tmp_path, classic_spark, "view", ALIAS)
    plain = classic_spark.read.schema("order_id BIGINT, customer_id BIGINT").parquet(str(folder.data))
    plain.createOrReplaceTempView("plain")
    assert rows(classic_spark.sql("SELECT customer_id AS cust_id FROM plain")) == [(8,), (None,)]
    report = judge(folder.store, {NAME: "@registered"}, consumer="job").reports[0]
    assert report.verdict is Verdict.BREAK
    assert all("view" not in f"{one.message} {one.fix}".lower() for one in report.findings)


WORDS = {"do instead", "next step", "fix in the job"}
ELSEWHERE = {
    "or accept it": "tests/house/test_rule_pages.py",
    "let it through": __name__,
    "fix in the table": __name__,
    "or undo it": __name__,
}


def test_every_kind_of_remedy_is_executed() -> None:
    made_by_fixes = {one.__name__ for one in fixes._FIXES.values()}
    tree = ast.parse(inspect.getsource(column_lacks))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    made_by_contracts = called & {"RenameColumn", "UpdateColumnNullability", "UpdateColumnType", "AddColumn", "DropColumn", "SetOption"}
    assert made_by_fixes | made_by_contracts == set(EXECUTED)
    steps = ast.parse(inspect.getsource(finding_steps))
    labels = {node.value for node in ast.walk(steps) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    known = {one for one in labels if one.split(" ")[0] in ("fix", "do", "next", "or", "let")}
    assert known == WORDS | set(ELSEWHERE)
