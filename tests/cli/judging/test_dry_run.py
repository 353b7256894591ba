"""`--dry-run`, the one word for "do nothing yet": the verdict of what would be written, and a store that stays as it is, byte by byte."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.arguments.options import inner_parsers
from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.parsers import command_parser
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage.files import Count
from tests.support.command_line import fine, typed

# The commands that write nothing to a store, whatever their line says.
READERS = {"ls", "show", "log", "diff", "convert", "check", "audit", "plan", "contract list", "explain", "blame", "who"}
JOB = "job: daily\nreads:\n  shop.orders: cust_id BIGINT\n"
OTHER = "job: hourly\nreads:\n  shop.orders: order_id BIGINT\n"
TABLE = "table: shop.users\ncolumns:\n  - {name: user_id, type: BIGINT NOT NULL}\n"

# A line of each way to write, with its code.
LINES = [
    ("create shop.users 'user_id BIGINT'", 0),
    ("create users.yaml", 0),
    ("create shop.orders 'order_id BIGINT NOT NULL, cust_id BIGINT, note STRING'", 0),
    ("adopt raw.clicks /data/clicks 'url STRING'", 0),
    ("evolve shop.orders --add 'coupon STRING'", 0),
    ("evolve shop.orders --drop cust_id", 1),
    ("evolve shop.orders --drop cust_id --override INC-1", 0),
    ("evolve shop.orders --drop cust_id --strict --override INC-1", 1),
    ("evolve shop.orders --add 'coupon STRING' --expect 99", 2),
    ("evolve shop.orders --drop nothing", 2),
    ("apply plan.json", 0),
    ("restore shop.orders 0 --override INC-1", 0),
    ("bind shop.orders dt=1 1", 0),
    ("bind shop.orders dt=0 --remove", 0),
    ("bind shop.orders dt=1 99", 2),
    ("expire shop.orders --older-than 0m --delete", 0),
    ("contract register other.yaml", 0),
    ("contract publish other.yaml", 0),
    ("contract remove shop.orders daily", 0),
    ("contract remove shop.orders nobody", 2),
    ("waive shop.orders FIELD_DROPPED cust_id --until 2999-01-01 --reason INC-1", 0),
    ("waive shop.orders FIELD_DROPED --until 2999-01-01 --reason INC-1", 2),
]


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a table of two versions, the contract of a job, a binding and a plan."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"job.yaml": JOB, "other.yaml": OTHER, "users.yaml": TABLE}.items():
        Path(name).write_text(text, "utf-8")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    fine("create", "shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, note STRING")
    fine("evolve", "shop.orders", "--add", "amount INT")
    fine("contract", "register", "job.yaml")
    fine("bind", "shop.orders", "dt=0", "0")
    fine("plan", "shop.orders", "--add", "planned INT", "-o", "plan.json")
    return tmp_path / "lake"


@pytest.fixture
def puts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The write requests that a line makes."""
    made: list[int] = []
    add = Count.add

    def counted(self: Count, *, lists: int = 0, gets: int = 0, puts: int = 0) -> None:
        made.extend([1] * puts)
        add(self, lists=lists, gets=gets, puts=puts)

    monkeypatch.setattr(Count, "add", counted)
    return made  # type: ignore[return-value]  # a list that grows


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Everything that lies in a folder, with the time of its last change."""
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("line", "code"), LINES)
@pytest.mark.parametrize("more", [[], ["--read-only", "--format=json"]], ids=str)
def test_a_dry_run_writes_nothing_at_all(line: str, code: int, more: list[str], lake: Path, puts: list[int]) -> None:
    before = files(lake)
    done = typed(*shlex.split(line), "--dry-run", *more)
    assert done.code == code, done
    assert (files(lake), puts) == (before, [])


@pytest.mark.parametrize(("line", "code"), LINES)
def test_the_same_line_without_it_ends_as_it_said(line: str, code: int, lake: Path) -> None:
    """A dry run ends with the code of its verdict: a warning that --strict counts is written all the same."""
    before = files(lake)
    done = typed(*shlex.split(line))
    assert done.code == (0 if "--strict" in line else code), done
    assert (files(lake) == before) is (code == 2 or line[-14:] == "--drop cust_id" or "create shop.orders" in line or "expire" in line)


@pytest.mark.parametrize("line", [line for line, code in LINES if code == 0])
def test_it_says_that_nothing_was_written(line: str) -> None:
    said = fine(*shlex.split(line), "--dry-run")
    assert said.rstrip().endswith("Nothing was written.") or "would be deleted; nothing was" in said


def test_every_command_that_writes_has_the_option() -> None:
    for name in COMMANDS:
        parser = command_parser("airflow-schemas", name)
        for each in [*inner_parsers(parser)] or [parser]:
            words = each.prog.removeprefix("airflow-schemas ")
            assert ("--dry-run" in each._option_string_actions) is (words not in READERS), words


def test_the_old_ways_to_do_nothing_stay_and_win() -> None:
    assert "would be deleted" in fine("expire", "shop.orders")
    assert "would be deleted" in fine("expire", "shop.orders", "--delete", "--dry-run")
    assert "Nothing was written." in fine("restore", "shop.orders", "0", "--dry-run", "--override", "x")


@pytest.mark.parametrize("option", ["-n", "--plan", "--check", "--dryrun", "--noop"])
@pytest.mark.parametrize("command", ["evolve", "create", "restore", "waive", "bind"])
def test_other_words_for_it_are_led_to_it(command: str, option: str) -> None:
    done = typed(command, "shop.orders", option)
    assert (done.code, "Did you mean --dry-run?" in done.err) == (2, True), done


# ---------------------------------------------------------------- the verdict


def test_what_breaks_is_told_with_its_readers_and_the_refusal() -> None:
    done = typed("evolve", "shop.orders", "--drop", "cust_id", "--dry-run")
    said = " ".join(done.out.split())
    assert (done.code, done.err) == (1, "")
    assert "breaks 1 of 1 registered reader: daily" in said
    assert "note: this is refused: shop.orders v2 breaks daily" in said
    assert "pass --override REASON" in said


@pytest.mark.parametrize("line", ["evolve shop.orders --add 'coupon STRING'", "create shop.users 'id BIGINT'", "apply plan.json"])
def test_its_json_has_the_shape_of_verdicts_and_holds_the_plan(line: str) -> None:
    answer = typed(*shlex.split(line), "--dry-run", "--format=json").json
    assert set(answer) >= {"format", "compared", "reports", "errors"}
    (report,) = answer["reports"]
    assert (report["verdict"], report["plan"]["verdict"], answer["errors"]) == ("ok", "ok", [])


def test_a_refusal_has_the_shape_of_verdicts_too() -> None:
    answer = typed("evolve", "shop.orders", "--drop", "cust_id", "--dry-run", "--format=json").json
    assert [report["verdict"] for report in answer["reports"]] == ["break"]
    assert typed("evolve", "shop.order", "--drop", "x", "--dry-run", "--format=json").json["errors"][0]["code"] == "table.not-there"
    assert typed("evolve", "--bogus", "--dry-run", "--format=json").json["errors"][0]["code"] == "cli.usage"


@pytest.mark.parametrize("line", ["bind shop.orders dt=1 1", "contract register other.yaml", "expire shop.orders"])
def test_what_is_no_version_keeps_its_json_and_says_that_it_was_none(line: str) -> None:
    answer = typed(*line.split(), "--dry-run", "--format=json").json
    assert answer["dry_run"] is True
    assert "reports" not in answer


def test_the_plan_is_what_the_line_then_writes() -> None:
    plan: dict[str, Any] = typed("evolve", "shop.orders", "--add", "coupon STRING", "--dry-run", "--format=json").json["reports"][0]["plan"]
    done = typed("evolve", "shop.orders", "--add", "coupon STRING", "--format=json").json
    assert done["plan"]["digest"] == plan["digest"]


def test_a_line_that_changes_nothing_says_so() -> None:
    said = fine("evolve", "shop.orders", "--add", "amount INT", "--dry-run")
    assert "unchanged: these changes are version 1" in said


def test_a_first_table_is_rehearsed_where_no_warehouse_is(tmp_path: Path) -> None:
    said = fine("create", "shop.users", "id BIGINT", "--dry-run", "--store", str(tmp_path / "none"))
    assert "new warehouse at" in said
    assert not (tmp_path / "none").exists()
    assert "registry_id" not in said


def test_a_store_that_is_not_there_is_no_fit(tmp_path: Path) -> None:
    assert typed("evolve", "shop.orders", "--add", "a INT", "--dry-run", "--store", str(tmp_path / "none")).code == 2
    assert SchemaStore(tmp_path / "lake").table("shop.orders").latest().number == 1
