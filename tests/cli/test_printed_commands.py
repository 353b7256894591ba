"""Every command that an answer or an error prints can be pasted: it names the store, the branch and the team of its line, and is read."""

import io
import json
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.main import parse_line
from tests.support.command_line import fine, typed

READ = {"ls", "show", "log", "diff", "convert", "check", "audit", "plan"}
# Words in capitals stand for what a person knows: they are not run, and are read as they are.
PLACEHOLDER = re.compile(r"\b(TABLE|CHANGES|COLUMNS|FOLDER|RULE|WHEN|WHY|NAME|N|PLAN|db)\b")
_PRINTED = re.compile(r"`(airflow-schemas [^`\n]+)`|(?<![`\w])(airflow-schemas (?:" + "|".join(COMMANDS) + r") [^`\n]*?)(?=\.(?:\s|$)|;|$)")

JOB = "job: daily\nreads:\n  shop.orders: cust_id BIGINT\n"
LATER = "job: later\nreads:\n  shop.order: cust_id BIGINT\n"
TABLE = "table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT NOT NULL}\n  - {name: email, type: STRING}\n"

# Lines whose answers print commands, or should.
LINES = [
    "show shop.order",
    "show shop.nothing",
    "show shop.orders:x",
    "log shop.orders:1",
    "log shop.nothing",
    "diff shop.fresh",
    "plan shop.orders --add 'email STRING'",
    "plan shop.orders --add 'email STRING' -o plan.json",
    "plan shop.orders --add 'coupon STRING' --save",
    "plan shop.orders --rename cust_id:customer_id",
    "plan orders.yaml",
    "evolve shop.orders --add 'email STRING' --dry-run",
    "evolve shop.orders --drop cust_id",
    "evolve shop.orders --drop cust_id --dry-run",
    "check shop.orders",
    "check shop.orders --for nobody",
    "check shop.orders:1 --for nobody",
    "check orders.yaml",
    "check shop.orders:0 --since 0",
    "check shop.orders:1 shop.orders:2",
    "restore shop.orders:1 0",
    "restore shop.orders 99",
    "restore shop.orders 0 --dry-run",
    "expire shop.orders:1",
    "mount shop.orders:1",
    "bind shop.orders",
    "bind shop.orders:1 a 0",
    "waive shop.orders",
    "waive shop.orders FIELD_DROPPED",
    "waive shop.orders --list --reason x",
    "waive shop.orders:1 X",
    "show shop.zzzzzz",
    "apply a b c",
    "apply orders.yaml",
    "contract remove shop.orders nobody",
    "contract register later.yaml",
    "create shop.more",
    "create schema.json",
    "adopt raw.clicks",
    "audit shop.nothing",
    "audit --branch x",
    "show plan.json",
]


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store in a folder whose name a shell would split, with a column that was dropped and another one that came."""
    monkeypatch.chdir(tmp_path)
    lake = tmp_path / "my lake"
    for name, text in {"job.yaml": JOB, "later.yaml": LATER, "orders.yaml": TABLE}.items():
        Path(name).write_text(text, "utf-8")
    store = ["--store", str(lake)]
    fine("create", "shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, email STRING", *store)
    fine("create", "shop.fresh", "id BIGINT", *store)
    (lake / "shop.db/nothing").mkdir()
    fine("evolve", "shop.orders", "--drop", "email", "--override", "x", *store)
    fine("evolve", "shop.orders", "--add", "note STRING", *store)
    fine("contract", "register", "job.yaml", *store, "--team", "bi")
    fine("plan", "shop.orders", "--add", "planned INT", "-o", "plan.json", *store)
    Path("schema.json").write_text(typed("show", "shop.orders", "--format=json", *store).out, "utf-8")
    return lake


def texts(value: Any) -> Iterator[str]:
    """The texts in an answer for machines, but those of a plan, whose digest is that of its bytes."""
    if isinstance(value, str):
        yield value
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key != "plan":
            yield from texts(entry)


def printed(text: str) -> list[str]:
    """The commands in a text that is not wrapped."""
    found = [quoted or plain for line in text.splitlines() for quoted, plain in _PRINTED.findall(line)]
    return [command.strip() for command in found if " --help" not in command]


def commands_of(line: str, *options: str) -> list[str]:
    """The commands that the answer to a line prints, for people and for machines."""
    words = [*shlex.split(line), *options]
    plain = typed(*words, "--width", "10000")
    markdown = typed(*words, "--format=markdown")
    machine = typed(*words, "--format=json")
    strings = [*texts(json.loads(machine.out))] if machine.out.startswith("{") else []
    found = [*printed(plain.out), *printed(plain.err), *printed(markdown.err)]
    return [*dict.fromkeys([*found, *(command for text in strings for command in printed(text))])]


def read_line(command: str) -> Any:
    """A printed command, as the command line reads it."""
    with redirect_stderr(io.StringIO()) as said:
        try:
            return parse_line(shlex.split(command)[1:])
        except SystemExit as end:
            raise AssertionError(f"{command}: {said.getvalue()}") from end


@pytest.mark.parametrize("line", LINES)
def test_a_printed_command_names_the_store_of_its_line_and_can_be_read(line: str, lake: Path) -> None:
    for command in commands_of(line, "--store", str(lake), "--team", "bi"):
        args = read_line(command)
        assert (args.store, args.team) == (str(lake), "bi"), command
        if args.command in READ and not PLACEHOLDER.search(command):
            assert typed(*shlex.split(command)[1:]).code in (0, 1), command


def test_the_corpus_prints_commands_of_most_kinds(lake: Path) -> None:
    found = {shlex.split(command)[1] for line in LINES for command in commands_of(line, "--store", str(lake))}
    assert found >= {"show", "log", "diff", "plan", "apply", "evolve", "restore", "bind", "waive", "contract", "create", "ls", "check"}


@pytest.mark.parametrize("line", ["restore shop.orders@side 0 --dry-run", "plan shop.orders@side --add 'email STRING'", "log shop.x@side"])
def test_a_printed_command_names_the_branch_of_its_line(line: str, lake: Path) -> None:
    from airflow_provider_schemas.store import SchemaStore

    SchemaStore(lake).table("shop.orders").create_branch("side")
    for command in commands_of(line, "--store", str(lake)):
        assert read_line(command).branch == "side", command


def test_the_environment_is_not_repeated_and_what_the_line_adds_to_it_is(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(lake))
    (command,) = commands_of("waive shop.orders FIELD_DROPPED", "--team", "bi", "--registry", str(lake / "_schemas"))
    words = shlex.split(command)
    assert "--store" not in words
    assert words[words.index("--team") + 1] == "bi"
    assert words[words.index("--registry") + 1] == str(lake / "_schemas")


def test_no_secret_of_a_line_is_printed(lake: Path) -> None:
    for line in LINES:
        done = typed(*shlex.split(line), "--store", str(lake), "--storage-option", "secret_key=hunter2")
        assert "hunter2" not in done.out + done.err
