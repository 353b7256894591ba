"""Completion: what is offered comes from the parsers and from the store of the line, and real shells offer it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.arguments.options import inner_parsers
from airflow_provider_schemas.cli.arguments.outputs import FORMATS
from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.candidates import candidates
from airflow_provider_schemas.cli.help.parsers import HELPERS, command_parser
from tests.support.command_line import fine, typed

TOP = Path(__file__).parents[3]


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store of three tables, as the store of the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("shop.orders", "shop.users", "web.visits"):
        fine("create", name, "id BIGINT", "--store", "lake")
    Path("shopping.yaml").write_text("x", "utf-8")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    return tmp_path


def offered(line: str) -> list[str]:
    """What is offered at the end of a line of bash."""
    return fine("__complete", "bash", line).split()


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("airflow-schemas ev", ["evolve"]),
        ("airflow schemas ev", ["evolve"]),
        ("airflow-schemas c", ["check", "completion", "contract", "convert", "create"]),
        ("airflow-schemas contract ", ["list", "publish", "register", "remove"]),
        ("airflow-schemas contract register --p", ["--pending"]),
        ("airflow-schemas help ev", ["evolve"]),
        ("airflow-schemas completion ", ["bash", "fish", "zsh"]),
        (
            "airflow-schemas explain FIELD_RE",
            ["FIELD_READDED", "FIELD_RENAMED", "FIELD_RENAMED_ALIASED", "FIELD_RENAMED_CASE", "FIELD_REORDERED"],
        ),
        ("airflow-schemas check --require ", ["git", "store"]),
        ("airflow-schemas check --require=", ["git", "store"]),
        ("airflow-schemas --format ", sorted(FORMATS)),
        ("airflow-schemas --format=j", ["json", "junit"]),
        ("airflow-schemas show shop.orders --format m", ["markdown"]),
        ("airflow-schemas --format json sho", ["show"]),
        ("airflow-schemas plan shop.orders --sql fl", ["flink"]),
        ("airflow-schemas evolve shop.orders --dry", ["--dry-run"]),
        ("airflow-schemas show shop.", ["shop.orders", "shop.users"]),
        ("airflow-schemas show ", ["shop.orders", "shop.users", "web.visits"]),
        ("airflow-schemas restore w", ["web.visits"]),
        ("airflow-schemas diff shop.orders shop.u", ["shop.users"]),
        ("airflow-schemas evolve shop.orders --add ", []),
        ("airflow-schemas show --store ", []),
        ("airflow-schemas show nothing", []),
        ("airflow-schemas nonsense ", []),
        ("airflow-schemas show 'shop.o", ["shop.orders"]),
        ("airflow-schemas blame shop.u", ["shop.users"]),
        ("airflow-schemas who shop.orders.", ["shop.orders.id"]),
        ("airflow-schemas who shop.nothing.", []),
        ("airflow-schemas show shop.orders.", []),
        ("", []),
    ],
)
def test_what_may_stand_next_is_offered(line: str, offers: list[str], lake: Path) -> None:
    assert offered(line) == offers
    assert lake.is_dir()


def test_every_command_and_every_option_of_each_is_offered() -> None:
    assert candidates([""]) == {*COMMANDS, *HELPERS}
    for name in COMMANDS:
        for parser in (command_parser("airflow-schemas", name), *inner_parsers(command_parser("airflow-schemas", name))):
            words = parser.prog.split()[1:]
            long = {option for option in parser._option_string_actions if option.startswith("--")}
            assert candidates([*words, "-"]) == long, words


def test_the_store_that_the_line_names_is_asked_and_not_another(lake: Path) -> None:
    fine("create", "mine.table", "id BIGINT", "--store", str(lake / "other"))
    assert offered(f"airflow-schemas show --store {lake / 'other'} ") == ["mine.table"]
    assert offered(f"airflow-schemas --store={lake / 'other'} show m") == ["mine.table"]


@pytest.mark.parametrize("store", ["nothing", "s3://nobody-knows-it-/x", "nonsense://x", "lake/shop.db/orders/schema/schema-0"])
def test_nothing_is_said_about_a_store_that_cannot_be_listed(store: str, lake: Path) -> None:
    done = typed("__complete", "bash", f"airflow-schemas show --store {store} shop")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert lake.is_dir()


@pytest.mark.parametrize("words", [[], ["bash"], ["csh", "x"], ["bash", "airflow-schemas show \x1b'"], ["zsh"], ["fish", "x", "--store"]])
def test_nothing_is_said_about_a_line_that_makes_no_sense(words: list[str]) -> None:
    done = typed("__complete", *words)
    assert (done.code, done.err) == (0, "")


SLOW = """
import sys, time
sys.argv = ["airflow-schemas", "__complete", "zsh", "airflow-schemas", "show", "sh"]
from airflow_provider_schemas.store.storage.local import LocalFiles
LocalFiles.list = lambda self, folder: time.sleep(3600)
from airflow_provider_schemas.cli.main import main
sys.exit(main())
"""


def test_a_store_that_does_not_answer_is_not_waited_for(lake: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=False, cwd=TOP, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert lake.is_dir()


def test_nothing_but_listings_is_read(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow_provider_schemas.store.storage.local import LocalFiles

    def never(*_: object) -> None:
        raise AssertionError("a file was read or written")

    for method in ("read", "read_many", "read_part", "put", "create", "delete"):
        monkeypatch.setattr(LocalFiles, method, never)
    assert offered("airflow-schemas show shop.o") == ["shop.orders"]
    assert lake.is_dir()


# ---------------------------------------------------------------- the shells

BASH = """
source <(airflow-schemas completion bash)
COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; _airflow_schemas; printf '%s\\n' "${COMPREPLY[@]}"
complete -p airflow-schemas airflow-provider-schemas
"""
FISH = """
airflow-schemas completion fish | source
complete -C $argv[1] | string replace -r '\\t.*' ''
"""
ZSH = """
autoload -Uz compinit; compinit -u -D
source <(airflow-schemas completion zsh)
function compadd { shift; print -l -- $@ }
function _files { print -l -- FILES }
words=(${(z)1}); [[ $1 == *' ' ]] && words+=('')
CURRENT=${#words}
_airflow_schemas
"""
SHELLS = {"bash": ["bash", "--norc", "-c", BASH, "bash"], "zsh": ["zsh", "-f", "-c", ZSH, "zsh"], "fish": ["fish", "-N", "-c", FISH]}


def needs(shell: str) -> pytest.MarkDecorator:
    """A shell that is not on this machine: the summary of the run names the test that is left out, and why."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed here, so its completion is not tried")


EVERY_SHELL = [pytest.param(shell, marks=needs(shell)) for shell in SHELLS]


def ask(shell: str, line: str) -> list[str]:
    """What a real shell offers at the end of a line."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([*SHELLS[shell], line], capture_output=True, text=True, check=False, env=environment, timeout=100)
    assert done.stderr == ""
    return [row for row in done.stdout.splitlines() if row and not row.startswith("complete ")]


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("airflow-schemas evo", ["evolve"]),
        ("airflow-schemas show shop.o", ["shop.orders"]),
        ("airflow-schemas show --format ", sorted(FORMATS)),
        ("airflow-schemas evolve shop.orders --dry", ["--dry-run"]),
    ],
)
def test_a_shell_offers_what_may_stand_next(shell: str, line: str, offers: list[str], lake: Path) -> None:
    assert ask(shell, line) == offers
    assert lake.is_dir()


@pytest.mark.parametrize("shell", ["bash", pytest.param("zsh", marks=needs("zsh")), pytest.param("fish", marks=needs("fish"))])
def test_the_script_of_airflow_completes_its_group_as_well(shell: str) -> None:
    from airflow_provider_schemas.cli.help.scripts import script

    whole = script(shell, "airflow schemas")
    checked = subprocess.run([shell, "-n"], input=whole, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert whole.startswith(script(shell, "airflow-schemas"))
    assert whole != script(shell, "airflow-schemas")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed here, so that it offers files is not tried")
def test_files_are_offered_where_nothing_else_is(lake: Path) -> None:
    assert ask("fish", f"airflow-schemas check {lake}/shopp") == [f"{lake}/shopping.yaml"]
