"""`airflow schemas ...`: the commands as a part of Airflow's own command line, and connections out of its database."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from airflow.cli import cli_parser

from airflow_provider_schemas.cli.airflow_plugin import commands
from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.parsers import HELPERS
from airflow_provider_schemas.cli.main import main

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT"
LIGHT = """
import sys
from airflow.cli import cli_config
before = set(sys.modules)
from airflow_provider_schemas.cli.airflow_plugin import commands
commands()
print(*sorted(set(sys.modules) - before))
"""


class Done(NamedTuple):
    """What came of a line."""

    code: object
    out: str
    err: str


def airflow(*words: str) -> Done:
    """Type `airflow ...`, read by Airflow's own parser, in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            args = cli_parser.get_parser().parse_args(words)
            args.func(args)
        except SystemExit as end:
            code = end.code
    return Done(code or 0, out.getvalue(), err.getvalue())


@pytest.fixture
def store(tmp_path: Path) -> tuple[str, str]:
    """A store with a table, as it is typed."""
    found = ("--store", str(tmp_path / "lake"))
    assert airflow("schemas", "create", "shop.orders", COLUMNS, *found).code == 0
    return found


# ---------------------------------------------------------------- the group


def test_airflow_knows_every_command_and_says_what_it_does() -> None:
    done = airflow("schemas", "--help")
    assert done.code == 0
    for name, command in COMMANDS.items():
        assert name in done.out
        assert command.summary[:30] in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_the_same_options_and_help(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    out = io.StringIO()
    with redirect_stdout(out):
        main([name, "--help"])
    theirs = airflow("schemas", name, "--help").out
    assert theirs.split("options:")[1].split("Options of")[0] == out.getvalue().split("options:")[1].split("Options of")[0]
    assert f"\n\nusage: airflow schemas {name}" in theirs
    assert theirs.endswith("Without --store and --conn, the store is that of the connection schema_store_default.\n")


def test_the_parser_of_airflow_loads_nothing_but_names_and_the_width_of_the_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    ours = [one for one in done.stdout.split() if one.startswith("airflow_provider_schemas.")]
    modules = (
        "airflow_plugin",
        "arguments",
        "arguments.mount",
        "arguments.options",
        "arguments.outputs",
        "arguments.required_text",
        "arguments.usage_errors",
        "command_registry",
        "help",
        "help.examples",
        "help.overview",
        "help.parsers",
        "help.verbs",
        "main",
        "output",
        "output.result",
    )
    terminal = ("_lazy", "render", "render.terminal")
    named = [f"cli.{module}" for module in modules]
    assert set(ours) == {f"airflow_provider_schemas.{module}" for module in ("cli", *named, *terminal)}


def test_every_part_is_what_airflow_expects() -> None:
    group, *more = commands()
    assert more == []
    assert [one.name for one in group.subcommands] == [*COMMANDS, *HELPERS]


# ---------------------------------------------------------------- what comes of a line


def test_codes_and_answers_are_those_of_the_command(store: tuple[str, str]) -> None:
    assert airflow("schemas", "evolve", "shop.orders", "--rename", "cust_id:customer_id", *store).code == 0
    assert airflow("schemas", "check", "shop.orders", "--contract", "cust_id BIGINT", *store).code == 1
    done = airflow("schemas", "show", "shop.users", *store, "--format", "json")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (2, "table.not-there")
    done = airflow("schemas", "show", "--nonsense")
    assert done.code == 2
    assert "airflow schemas show: there is no option --nonsense." in done.err


def test_the_default_connection_is_meant_where_nothing_is_named(default_lake: str, store: tuple[str, str]) -> None:
    done = airflow("schemas", "ls", "shop")
    assert (done.code, done.out) == (0, "shop.orders\n")
    assert airflow("schemas", "check", "shop.orders", "--contract", "x INT").code == 1
    assert default_lake == "schema_store_default"
    assert store


def test_a_connection_in_the_environment_goes_before_the_default(
    lake: str, store: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_CONN", lake)
    assert airflow("schemas", "ls", "shop").out == "shop.orders\n"
    assert store


# ---------------------------------------------------------------- connections of the database


def test_a_connection_of_the_database_serves_both_command_lines(airflow_home: Any, tmp_path: Path) -> None:
    said = json.dumps({"conn_type": "schema_store", "host": (tmp_path / "lake").as_uri()})
    airflow_home.run("connections", "add", "lake", "--conn-json", said)

    def ran(*line: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", *line], env=airflow_home.environment, capture_output=True, text=True, check=False)

    done = ran("airflow", "schemas", "create", "shop.orders", COLUMNS, "--conn", "lake", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["created"]) == (0, True), done.stderr
    done = ran("airflow_provider_schemas.cli", "check", "shop.orders", "--contract", "x INT", "--conn", "lake", "--format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["reports"][0]["table"] == "shop.orders"
