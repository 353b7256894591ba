"""The command as a process of its own: what it imports, how it ends, pipes, encodings and signals."""

import gc
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.main import main
from tests.support.command_line import SCHEMA_FILE, typed

TOP = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "airflow_provider_schemas.cli"]
HEAVY = set(
    tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-module-level-imports"]
)
LOADED = """
import sys
from airflow_provider_schemas.cli.main import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def run(*words: str, **about: object) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*COMMAND, *words], capture_output=True, check=False, cwd=TOP, **about)  # type: ignore[call-overload,no-any-return]  # whatever a test asks for


def loaded_by(*words: str) -> set[str]:
    """The modules that a process has loaded when it has run this line."""
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=False, cwd=TOP)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_loads_no_library(words: list[str]) -> None:
    loaded = loaded_by(*words)
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "pydantic", "msgspec", "yaml", "fsspec", "airflow"}
    assert not [name for name in loaded if name.startswith("airflow_provider_schemas.core")]


@pytest.mark.parametrize(
    "words", [["show", SCHEMA_FILE], ["diff", SCHEMA_FILE, SCHEMA_FILE], ["check", SCHEMA_FILE, SCHEMA_FILE], ["log", SCHEMA_FILE]]
)
def test_plain_files_need_neither_a_store_nor_a_heavy_library(words: list[str]) -> None:
    loaded = loaded_by(*words)
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "fsspec", "airflow"}
    assert not [name for name in loaded if name.startswith("airflow_provider_schemas.store")]


def test_table_files_are_checked_by_what_table_files_need(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("old.yaml", "new.yaml")]
    for file in files:
        file.write_text("table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT}\n", "utf-8")
    loaded = loaded_by("check", *map(str, files))
    ours = {name for name in loaded if name.startswith("airflow_provider_schemas.")}
    rooms = (
        "formats.odf",
        "formats.spark",
        "formats.engine_sql",
        "formats.table_file.editor_schema",
        "core.projection",
        "core.evolution.merge",
    )
    assert [name for name in ours if name.removeprefix("airflow_provider_schemas.").startswith(rooms)] == []
    assert len(ours) <= 226
    # What reads policies, contracts and faults; what reads archives, for the width of a terminal; what reads values, for defaults.
    assert loaded & {"pydantic", "shutil", "difflib", "airflow_provider_schemas.core.casts.cast_value"} == set()


def test_garbage_is_looked_for_again_once_a_command_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text("table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT}\n", "utf-8")
    code = "import gc, sys; from airflow_provider_schemas.cli.main import main; main(); print(gc.isenabled(), gc.get_freeze_count() > 0)"
    for words, frozen in ((["show", str(file)], "True"), (["--version"], "False"), (["nonsense"], "False")):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, cwd=TOP)
        assert done.stdout.splitlines()[-1] == f"True {frozen}", done.stderr


def test_a_command_inside_another_process_leaves_its_garbage_collector_alone(tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text("table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT}\n", "utf-8")
    gc.disable()
    frozen = gc.get_freeze_count()
    try:
        assert main(["show", str(file)]) == 0
        assert (gc.isenabled(), gc.get_freeze_count()) == (False, frozen)
    finally:
        gc.enable()


def test_a_local_store_needs_no_heavy_library(tmp_path: Path) -> None:
    loaded = loaded_by("--store", str(tmp_path), "create", "a.b", "x INT")
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "airflow"}


def test_only_the_module_of_the_command_that_runs_is_imported() -> None:
    loaded = loaded_by("show", SCHEMA_FILE)
    room = "airflow_provider_schemas.cli.commands."
    assert [name.removeprefix(room) for name in loaded if name.startswith(room)] == ["show"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(name: str) -> None:
    done = typed(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"\nusage: airflow-schemas {name}" in done.out
    assert "--store URL" not in done.out
    assert done.out.endswith("airflow-schemas options\n")


def test_both_names_run_the_same_function() -> None:
    scripts = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert scripts == dict.fromkeys(("airflow-schemas", "airflow-provider-schemas"), "airflow_provider_schemas.cli.main:main")


# ---------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", SCHEMA_FILE], 0),
        (["check", SCHEMA_FILE, "--contract", "nothing INT"], 1),
        (["show", "nothing.json"], 2),
        (["show"], 2),
    ],
)
def test_the_exit_code_says_how_it_went(words: list[str], code: int) -> None:
    done = run(*words)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error_that_anybody_sees() -> None:
    line = f"set -o pipefail; {' '.join(COMMAND)} show {SCHEMA_FILE} | true"
    done = subprocess.run(["/bin/bash", "-c", line], capture_output=True, text=True, check=False, cwd=TOP)
    assert (done.returncode, done.stdout, done.stderr) == (141, "", "")


def test_a_terminal_without_our_letters_gets_escapes() -> None:
    done = run("check", SCHEMA_FILE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2714 fits" in done.stdout


def test_control_c_ends_it_quietly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    waiting = subprocess.Popen([*COMMAND, "show", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=TOP)
    with pipe.open("wb"):  # goes on once the command has opened it, and waits for what comes
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, out, err) == (130, b"", b"")


def test_what_is_typed_has_to_be_no_text() -> None:
    done = run(os.fsdecode(b"show"), os.fsdecode(b"\xff\xfe.json"))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"show {SCHEMA_FILE} >&-", 0),
        (f"check {SCHEMA_FILE} --contract 'nothing INT' >&-", 1),
        ("show nothing.json 2>&-", 2),
        ("show nothing.json 2>/dev/full", 2),
    ],
)
def test_a_stream_that_is_closed_or_full_changes_no_exit_code(line: str, code: int) -> None:
    done = subprocess.run(["/bin/sh", "-c", f"{' '.join(COMMAND)} {line}"], capture_output=True, text=True, check=False, cwd=TOP)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)


def test_a_fault_of_the_program_is_no_verdict() -> None:
    code = (
        "import sys\n"
        "from airflow_provider_schemas.cli import main as entry\n"
        "def fail(*_): raise RuntimeError('a bug')\n"
        "entry.parse_line = fail\n"
        "sys.argv = ['airflow-schemas', 'ls']\n"
        "sys.exit(entry.main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=TOP)
    assert done.returncode == 2
    assert "RuntimeError: a bug" in done.stderr
    assert done.stderr.endswith("no table was judged. Report it with the lines above.\n")
