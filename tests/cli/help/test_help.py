"""Help: its examples run, it fits the terminal, and the commands are found by what one wants."""

import shlex
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.examples import EXAMPLES
from airflow_provider_schemas.cli.help.parsers import HELPERS
from airflow_provider_schemas.cli.main import main
from tests.support import iceberg_catalog
from tests.support.command_line import fine, typed

SECONDS = ("contract register", "contract list", "contract remove")
LINES = [(name, line) for name, lines in EXAMPLES.items() for line in lines]
TABLE = """table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: note, type: STRING}
"""


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store and the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    Path("schemas").mkdir()
    Path("contracts").mkdir()
    Path("schemas/orders.yaml").write_text(TABLE, "utf-8")
    Path("contracts/daily_report.yaml").write_text("job: daily_report\nreads:\n  shop.orders: order_id BIGINT\n", "utf-8")
    Path("old.sql").write_text("order_id BIGINT", "utf-8")
    Path("new.sql").write_text("order_id BIGINT, coupon STRING", "utf-8")
    fine("create", "shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, coupon STRING")
    fine("evolve", "shop.orders", "--drop", "coupon", "--override", "x")
    fine("create", "raw.clicks", "user_id BIGINT, dt STRING", "--location", str(tmp_path / "clicks"))
    fine("contract", "register", "contracts/daily_report.yaml")
    fine("plan", "shop.orders", "--add", "planned STRING", "-o", "plan.json")
    return tmp_path


@pytest.mark.parametrize(("name", "line"), [pair for pair in LINES if pair[0] not in ("mount", "adopt", "create", "convert")])
def test_every_example_of_a_help_runs(name: str, line: str, prepared: Path) -> None:
    done = typed(*name.split(), *shlex.split(line))
    assert (done.code in (0, 1), done.err) == (True, ""), done
    assert (prepared / "lake").is_dir()


@pytest.mark.parametrize("line", EXAMPLES["create"])
def test_a_table_is_made_by_the_examples(line: str, prepared: Path) -> None:
    assert "created" in fine("create", *shlex.split(line), "--store", str(prepared / "another"))


@pytest.mark.parametrize("line", EXAMPLES["convert"])
def test_a_schema_is_converted_by_the_examples(line: str, prepared: Path) -> None:
    assert typed("convert", *shlex.split(line)).code == 0
    assert prepared.is_dir()


@pytest.mark.parametrize("line", EXAMPLES["adopt"])
def test_a_table_is_adopted_by_the_example_with_another_place(line: str, prepared: Path) -> None:
    words = shlex.split(line.replace("s3://bucket/clicks", str(prepared / "clicks")).replace("raw.", "web."))
    assert "created" in fine("adopt", *words)


@pytest.mark.parametrize("line", EXAMPLES["mount"])
def test_a_table_is_handed_over_by_the_examples(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = iceberg_catalog.open_catalog(tmp_path / "iceberg", "demo")
    iceberg_catalog.make_orders(made)
    table = made.load_table((iceberg_catalog.NAMESPACE, "orders"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    fine("adopt", "shop.orders", table.location(), "order_id BIGINT", "--data-format", "iceberg")
    assert "handed over" in fine("mount", *shlex.split(line), "--mount", f"shop={table.location()}")


# ---------------------------------------------------------------- what it looks like


@pytest.mark.parametrize("columns", ["80", "120", "160"])
@pytest.mark.parametrize("name", ["", *COMMANDS, *HELPERS, *SECONDS])
def test_a_help_fits_the_terminal(name: str, columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main([*name.split(), "--help"]) == 0
    said = capsys.readouterr().out
    examples = [line for line in said.splitlines() if line.startswith("  airflow-schemas ")]
    assert [line for line in said.splitlines() if len(line) > int(columns)] == []
    if name:
        assert 1 <= len(examples) <= 3 or name == "completion"
        assert said.splitlines()[2] == f"  airflow-schemas {name} {EXAMPLES[name][0]}".rstrip()


def test_all_commands_stand_on_one_screen() -> None:
    said = fine("--help")
    lines = said.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80
    for name in (*COMMANDS, *HELPERS):
        assert sum(name in line.split()[:2] for line in lines) == 1, name
    assert [line.split()[0] for line in lines if not line.startswith(" ") and line.split()[1:2] and line.split()[1] in COMMANDS] == [
        "look",
        "judge",
        "change",
        "keep",
        "readers",
    ]


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == {*COMMANDS, *HELPERS, *SECONDS}


def test_the_options_of_every_command_stand_once() -> None:
    said = fine("options")
    for option in ("--store URL", "--conn ID", "--strict", "--branch NAME", "--mount DB=PLACE", "--no-color"):
        assert said.count(option) >= 1
        assert all(option not in fine(name, "--help") for name in COMMANDS)


@pytest.mark.parametrize("name", [*COMMANDS, *SECONDS])
def test_help_before_a_command_is_its_help(name: str) -> None:
    assert fine("help", *name.split()) == fine(*name.split(), "--help")


@pytest.mark.parametrize("name", HELPERS)
def test_help_before_a_command_about_the_line_is_its_help_too(name: str) -> None:
    assert fine("help", name) == fine(name, "--help")


def test_help_of_nothing_is_the_help_of_all() -> None:
    assert fine("help") == fine("--help")
    assert fine("help", "options").startswith("The options of every command")
