"""`--conn`: the store of an Airflow connection on the command line, what it refuses, and that Airflow stays out of the answer."""

import json
import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli import fix_hints, main
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.parsers import command_parser
from airflow_provider_schemas.errors import Fault
from tests.support.command_line import fine, typed

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT"
WITHOUT_AIRFLOW = """
import sys
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "airflow":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nowhere())
from airflow_provider_schemas.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


class Shell:
    """A terminal whose Airflow has an empty home; `lake` is a connection in its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        rest = {name: text for name, text in os.environ.items() if not name.startswith(("AIRFLOW", "_AIRFLOW", "COLUMNS"))}
        self.environment = {**rest, "AIRFLOW_HOME": str(folder / "home"), "AIRFLOW_SCHEMAS_ACTOR": "ann"}
        self.store = ("--store", str(folder / "lake"))
        self.connect("lake", host=(folder / "lake").as_uri())

    def connect(self, conn_id: str, **fields: Any) -> None:
        self.environment[f"AIRFLOW_CONN_{conn_id.upper()}"] = json.dumps({"conn_type": "schema_store", **fields})

    def __call__(self, *words: str, ends: int = 0, code: str = "") -> tuple[str, str]:
        command = [sys.executable, *(["-c", code] if code else ["-m", "airflow_provider_schemas.cli"]), *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
        assert done.returncode == ends, done.stdout + done.stderr
        return done.stdout, done.stderr


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


# ---------------------------------------------------------------- over a connection


def test_a_connection_names_the_store_and_airflow_says_nothing(shell: Shell) -> None:
    out, err = shell("create", "shop.orders", COLUMNS, "--conn", "lake")
    assert (out.splitlines()[0], err) == ("shop.orders  created, version 0, 2 columns", "")
    out, err = shell("show", "shop.orders", "--conn", "lake", "--format", "json")
    assert [one["name"] for one in json.loads(out)["fields"]] == ["order_id", "cust_id"]
    assert err == ""
    assert (shell.folder / "lake/shop.db/orders/schema/schema-0").is_file()


def test_the_log_of_airflow_never_mixes_with_the_answer(shell: Shell) -> None:
    shell("create", "shop.orders", COLUMNS, "--conn", "lake")
    shell.environment["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "DEBUG"
    out, err = shell("ls", "--conn", "lake", "--format", "json", "--verbose")
    assert json.loads(out)
    assert "[debug" in err


def test_who_types_is_recorded_and_the_connection_comes_from_the_environment(shell: Shell) -> None:
    shell.environment["AIRFLOW_SCHEMAS_CONN"] = "lake"
    out, _ = shell("create", "shop.orders", COLUMNS, "--format", "json")
    assert json.loads(out)["created"]
    assert "by ann" in fine("log", "shop.orders", *shell.store)


def test_a_connection_may_be_made_stricter_and_spoken_of_for_another_team(shell: Shell) -> None:
    fine("create", "shop.orders", COLUMNS, *shell.store)
    _, err = shell("evolve", "shop.orders", "--add", "x INT", "--conn", "lake", "--read-only", ends=2)
    assert "Open it without --read-only." in err
    job = shell.folder / "job.yaml"
    job.write_text("job: daily\nreads: {shop.orders: order_id BIGINT}\n")
    shell("contract", "register", str(job), "--conn", "lake", "--team", "bi")
    out = fine("contract", "list", *shell.store)
    assert out.splitlines()[1].split()[:3] == ["shop.orders", "daily", "bi"]


def test_what_a_connection_forbids_is_mended_in_the_connection(shell: Shell) -> None:
    fine("create", "shop.orders", COLUMNS, *shell.store)
    shell.connect("quiet", host=(shell.folder / "lake").as_uri(), extra={"read_only": True})
    _, err = shell("evolve", "shop.orders", "--add", "x INT", "--conn", "quiet", ends=2)
    assert err.endswith("Open it without read_only in the extra of the connection.\n")


def test_the_commands_that_a_report_prints_name_the_connection(shell: Shell) -> None:
    fine("create", "shop.orders", COLUMNS, *shell.store)
    fine("evolve", "shop.orders", "--rename", "cust_id:customer_id", *shell.store)
    contract = ["--contract", "cust_id BIGINT", "--width", "200"]
    out, _ = shell("check", "shop.orders", "--conn", "lake", *contract, ends=1)
    assert "airflow-schemas evolve --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id'" in out
    shell.environment["AIRFLOW_SCHEMAS_CONN"] = "lake"
    out, _ = shell("check", "shop.orders", *contract, ends=1)
    assert "airflow-schemas evolve shop.orders 'RENAME COLUMN customer_id TO cust_id'" in out


# ---------------------------------------------------------------- what goes wrong


def test_an_unknown_connection_says_how_to_make_one(shell: Shell) -> None:
    shell.connect("other", conn_type="http", host="x")
    _, err = shell("ls", "--conn", "other", ends=2)
    assert "airflow connections add" in err
    out, err = shell("ls", "--conn", "other", "--format", "json", ends=2)
    assert json.loads(out)["error"]["code"] == "connection.type"
    assert err == ""


def test_without_airflow_a_connection_is_refused_in_one_sentence(shell: Shell) -> None:
    out, err = shell("ls", "--conn", "lake", code=WITHOUT_AIRFLOW, ends=2)
    assert err == (
        "airflow-schemas: the line names a connection of Airflow, which is not installed here. "
        "Run: pip install airflow-provider-schemas, which brings it; or pass --store URL, and mount by catalog= or a URL.\n"
    )
    assert out == ""
    shell("ls", "--store", str(shell.folder), code=WITHOUT_AIRFLOW)


def test_an_airflow_that_does_not_load_says_why(shell: Shell) -> None:
    (shell.folder / "airflow.cfg").write_text("no sections here\n")
    shell.environment["AIRFLOW_CONFIG"] = str(shell.folder / "airflow.cfg")
    _, err = shell("ls", "--conn", "lake", ends=2)
    assert err.startswith("airflow-schemas: Airflow could not be loaded: File contains no section headers.")
    assert "Traceback" not in err


# ---------------------------------------------------------------- which store is meant


def test_two_stores_on_one_line_are_refused() -> None:
    done = typed("ls", "--conn", "lake", "--store", "x")
    assert done.code == 2
    assert "--store and --conn both name a store: keep one of them" in done.err


@pytest.mark.parametrize("words", [["--layout", "paimon"], ["--registry", "x"], ["--storage-option", "a=b"], ["--single-writer"]])
def test_what_a_connection_says_is_not_said_again(words: list[str]) -> None:
    done = typed("ls", "--conn", "lake", "--format", "json", *words)
    assert done.code == 2
    assert done.json["error"]["message"] == f"the connection 'lake' says that itself: leave {words[0]} out."


def test_two_stores_in_the_environment_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", "x")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_CONN", "lake")
    assert "pass --store URL or --conn ID" in typed("ls").err


def test_what_is_typed_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", "from-env")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_REGISTRY", "registry-from-env")
    args = main.parse_line(["ls", "--conn", "lake"])
    assert (args.store, args.conn, args.registry) == (None, "lake", None)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_CONN", "lake")
    args = main.parse_line(["ls", "--store", "typed"])
    assert (args.store, args.conn, args.registry) == ("typed", None, "registry-from-env")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_a_connection(name: str) -> None:
    assert any(action.dest == "conn" for action in command_parser("airflow-schemas", name)._actions)


# ---------------------------------------------------------------- hints


def test_hints_speak_of_what_opened_the_store() -> None:
    fault = Fault("x", "", "it cannot be.", "Open the store with single_writer=True, or say which with layout=.")
    line, connection = Namespace(conn=None, read_only=False), Namespace(conn="lake", read_only=False)
    assert fix_hints.sentence(fault, line) == "it cannot be. Open the store with --single-writer, or say which with --layout."
    said = fix_hints.sentence(fault, connection)
    assert "with single_writer in the extra of the connection, or say which with layout in the extra of the connection." in said


def test_a_connection_is_quoted_and_named_once_in_a_command() -> None:
    args = Namespace(**{**options.defaults(), "conn": "my lake", "mounts_known": True})
    assert fix_hints.with_store("run airflow-schemas log a.b.", args) == "run airflow-schemas log --conn 'my lake' a.b."
    twice = "airflow-schemas log --conn other a.b"
    assert fix_hints.with_store(twice, args) == twice
    assert fix_hints.with_store("an airflow-schemas folder", args) == "an airflow-schemas folder"
