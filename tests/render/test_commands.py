"""The commands below a finding: whole lines that can be pasted into a shell, and none where that would not do."""

import shlex

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.core import Contract, TableSchema, check_contract, evolve, short_text
from airflow_provider_schemas.core.changes.schema_change import SetOption
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.render import markdown, text
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import body

NAMES = ["cust_id", "a b", "it's", '"; rm -rf x', "$(touch x)", "`touch x`", "a|b", "naïve", "\\", "-x", "--reason"]


def asked(name: str, *, job: str = "daily_report", table: str = "shop.orders") -> Report:
    """A job needs a column that has got another name."""
    old = TableSchema.create(columns=[{"name": "id", "type": "INT"}, {"name": name, "type": "BIGINT"}])
    new = evolve(old, [{"action": "renameColumn", "fieldNames": [name], "newName": "renamed"}])
    return check_contract(new, Contract.of([name], name=job), seen=old, table=table)


def lines(report: Report) -> list[list[str]]:
    """The commands below the findings, as a shell takes them apart."""
    shown = text(report, width=400, color=False).splitlines()
    return [shlex.split(line[line.index("airflow-schemas") :]) for line in shown if "airflow-schemas" in line]


@pytest.mark.parametrize("name", NAMES)
def test_a_shell_takes_each_name_as_it_is(name: str) -> None:
    report = asked(name)
    change = short_text(report.findings[0].changes[0])
    evolve_line, *waive_line = lines(report)
    assert evolve_line == ["airflow-schemas", "evolve", "shop.orders", change]
    wanted = ["airflow-schemas", "waive", "shop.orders", "EXPECT_FIELD_RENAMED", report.findings[0].path]
    assert [one[:5] for one in waive_line] == ([] if name.startswith("-") else [wanted])


@pytest.mark.parametrize("table", ["", "schemas/orders.json", "./orders.json", "-shop.orders", "shop.orders v2", "shop.or\u202eders"])
def test_there_is_no_command_for_what_is_no_table(table: str) -> None:
    assert lines(asked("cust_id", table=table)) == []


@pytest.mark.parametrize("name", ["a\nb", "a\x1bb", "a\u202eb", "x" * 200])
def test_there_is_no_command_that_could_not_be_typed_as_it_is_shown(name: str) -> None:
    assert "airflow-schemas" not in text(asked(name), width=400)


def test_a_job_without_a_name_lets_nothing_through() -> None:
    assert [one[1] for one in lines(asked("cust_id", job=""))] == ["evolve"]


def test_no_command_sets_a_masked_secret() -> None:
    report = asked("cust_id")
    finding = replace(report.findings[0], changes=(SetOption("password", "hunter2"),))
    shown = text(replace(report, findings=(finding,)), width=400)
    assert "evolve" not in shown
    assert "hunter2" not in shown


def test_markdown_shows_the_same_commands_as_code() -> None:
    assert "`airflow-schemas evolve shop.orders 'RENAME COLUMN renamed TO cust_id'`" in markdown(asked("cust_id"))


# ---------------------------------------------------------------- the connection of a task


@pytest.mark.parametrize(
    ("command", "connected"),
    [
        ("airflow-schemas evolve shop.orders 'ADD COLUMN a INT'", "airflow-schemas evolve --conn lake shop.orders 'ADD COLUMN a INT'"),
        ("airflow-schemas restore --column a shop.orders 3", "airflow-schemas restore --conn lake --column a shop.orders 3"),
        ("airflow-schemas check shop.orders", "airflow-schemas check shop.orders"),
        ("airflow-schemas bind", "airflow-schemas bind"),
    ],
)
def test_a_command_that_changes_a_store_names_the_connection_behind_its_verb(command: str, connected: str) -> None:
    assert Sheet(connection="--conn lake").connected(command) == connected
    assert Sheet().connected(command) == command


def test_with_a_connection_each_command_of_a_report_has_it() -> None:
    report = asked("cust_id")
    fix = "Or run `airflow-schemas restore --column a shop.orders 3`: it comes back."
    report = replace(report, findings=(replace(report.findings[0], fix=fix),))
    shown = "\n".join(body(report, Sheet(width=400, connection="--conn lake")))
    assert shown.count("airflow-schemas ") == shown.count(" --conn lake ") == 3
    assert "        airflow-schemas restore --conn lake --column a shop.orders 3\n" in shown


@pytest.mark.parametrize("command", ["airflow-schemas ls shop", "airflow-schemas evolve", "RENAME COLUMN a TO b", ""])
def test_what_changes_no_store_stays_as_it_is(command: str) -> None:
    assert Sheet(connection="--conn lake").connected(command) == command
    assert Sheet().connected("airflow-schemas evolve shop.orders") == "airflow-schemas evolve shop.orders"
