"""The lines that a log says to type: a real shell takes every name in them as it is, and runs nothing else."""

import os
import subprocess
from pathlib import Path

import pytest

from airflow_provider_schemas.core import Finding, Report, TableSchema, Version
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store.check_tables import TableAnswer
from airflow_provider_schemas.tasks.output import cli_commands
from airflow_provider_schemas.tasks.task_run import Run

# What would end a word, run another command, be replaced, be taken for an option, or run a formula.
HOSTILE = [
    "it's",
    '"',
    '"; touch canary; "',
    "'; touch canary; '",
    "$(touch canary)",
    "`touch canary`",
    "${HOME}",
    "a|touch canary",
    "a && touch canary",
    "a > canary",
    "\\",
    "!!",
    "*",
    "~",
    "#",
    "--reason=x",
    "=cmd|' /C calc'!A0",
    "{{ conn.lake.password }}",
    "<script>alert(1)</script>",
    "naïve größe",
    "",
]
UNTYPABLE = ["a\nb", "a\x1b[31m", "a\u202eb", "a\x00b", "a\u2028b"]


def words_of(line: str, folder: Path) -> list[str]:
    """What the program is given when a shell runs the line; the shell has no other program, and the folder is left as it was."""
    for name in ("airflow-schemas", "airflow"):
        program = folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n", "utf-8")
        program.chmod(0o755)
    before = sorted(folder.rglob("*"))
    where = {"PATH": f"{folder}/bin{os.pathsep}{os.defpath}", "HOME": "home"}
    done = subprocess.run(["/bin/sh", "-c", line], cwd=folder, env=where, capture_output=True, check=True)
    assert (done.stderr, sorted(folder.rglob("*"))) == (b"", before)
    return done.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_shell_takes_each_name_as_it_is(name: str, tmp_path: Path) -> None:
    line = cli_commands.format_command("check", name, f"--for={name}", name, conn_id=name)
    connection = ["--conn", name] if name else []
    assert words_of(line, tmp_path) == ["check", *connection, name, f"--for={name}", name]


@pytest.mark.parametrize("name", HOSTILE)
def test_so_it_does_the_names_of_a_dag_a_task_and_a_run(name: str, tmp_path: Path) -> None:
    run = Run(name, name, name, map_index=3)
    assert words_of(cli_commands.format_task_test(run), tmp_path) == ["tasks", "test", "--map-index", "3", name, name, name]


@pytest.mark.parametrize("name", UNTYPABLE)
def test_what_could_not_be_typed_as_it_is_shown_is_no_line(name: str) -> None:
    assert cli_commands.format_command("check", name, conn_id="lake") == ""
    assert cli_commands.format_command("check", "shop.orders", conn_id=name) == ""
    assert cli_commands.format_task_test(Run("dag", name, "run")) == ""


def test_the_check_of_a_table_that_was_made_again_names_the_table_that_was_seen() -> None:
    digest = "0" * 64
    finding = Finding("TABLE_REPLACED", "table", "the table was dropped and made again.", "Judge again.", Verdict.BREAK)
    version = Version(0, digest, TableSchema.create("order_id BIGINT"), table_id="t-2")
    answer = TableAnswer(table="shop.orders", version=version, report=Report((finding,), table="shop.orders", new=0))
    check = cli_commands.TableCheck(answer, "gate", "lake", None, (0, digest, "t-1"))
    assert cli_commands.format_check(check) == f"airflow-schemas check --conn lake shop.orders --since=0:{digest}:t-1 --for=gate"
