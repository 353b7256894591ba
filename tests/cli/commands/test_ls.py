"""`ls` by names and patterns: what matches, sorted and one line a table; what matches nothing; and what it asks of the storage."""

import shlex
import sys
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.main import parse_line
from airflow_provider_schemas.cli.table_patterns import matches
from airflow_provider_schemas.render.layout import display_width
from airflow_provider_schemas.render.one_line import one_line_rows
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import fine, typed
from tests.support.terminals import Terminal

TABLES = ("crm.orders", "shop.order_items", "shop.orders", "shop.users", "stock.orders")


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    for name in TABLES:
        fine("create", name, "id BIGINT")
    return tmp_path / "lake"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["shop"], TABLES[1:4]),
        (["shop.orders"], ["shop.orders"]),
        (["shop.ord*"], ["shop.order_items", "shop.orders"]),
        (["*.orders"], ["crm.orders", "shop.orders", "stock.orders"]),
        (["s*"], TABLES[1:]),
        (["*"], TABLES),
        (["s?op.[ou]*s"], ["shop.order_items", "shop.orders", "shop.users"]),
        (["stock", "shop.orders", "*.orders", "crm"], ["crm.orders", "shop.orders", "stock.orders"]),
    ],
)
def test_names_and_patterns_list_what_matches_sorted_and_once(words: list[str], found: list[str]) -> None:
    assert fine("ls", *words).splitlines() == list(found)
    assert typed("ls", *words, "--format=json").json == {"tables": list(found)}
    assert [line.split()[0] for line in fine("ls", *words, "--long").splitlines()[1:]] == list(found)


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["shop.order"], "Did you mean shop.orders or shop.order_items?"),
        (["shpo"], "Did you mean shop?"),
        (["shop.odrers*"], "Did you mean shop.orders?"),
        (["x*"], "There are: crm, shop, stock."),
        (["*.nothing_like_it"], "There are: crm, shop, stock."),
        (["shop", "x*"], "There are: crm, shop, stock."),
        (["SHOP"], "Did you mean shop?"),
    ],
)
def test_what_matches_nothing_ends_with_2_and_names_what_is_near(words: list[str], near: str) -> None:
    done = typed("ls", *words)
    assert (done.code, done.out) == (2, "")
    assert near in done.err


@pytest.mark.parametrize("word", ["../etc", "*/..", "[", "shop.", ".orders", "shop.*.*", "a" * 5_000, "*" * 200 + "b", "shop.\x1b[31m*"])
def test_hostile_words_are_refused(word: str) -> None:
    done = typed("ls", word)
    assert (done.code, done.out, "Traceback" in done.err, "\x1b" in done.err) == (2, "", False, False)


def test_a_pattern_lists_no_more_than_it_needs(lake: Path) -> None:
    def lists(*words: str) -> int:
        store = SchemaStore(lake)
        store.databases()
        before = store.asked()
        found = matches(store, words)
        assert found.tables
        spent = store.asked() - before
        assert spent.puts == 0
        return spent.lists + spent.gets

    one_database = lists("shop")
    assert lists("shop.ord*") == one_database
    assert lists("shop.orders") <= one_database + 1
    assert lists("s*") <= 3 * one_database
    for number in range(30):
        fine("create", f"big.table_{number}", "id BIGINT")
    assert lists("shop.ord*") == one_database
    assert lists("big.table_3") <= one_database + 1


def test_a_table_that_cannot_be_read_has_one_line_and_its_reason_below(lake: Path) -> None:
    (lake / "shop.db/orders/schema/schema-0").write_text("{", "utf-8")
    done = typed("ls", "shop", "--long", "--width=80")
    assert done.code == 2
    rows = [line for line in done.out.splitlines() if line.startswith("shop.")]
    assert rows[1].split() == ["shop.orders", "?", "cannot", "be", "read"]
    assert rows[-1].startswith("shop.orders cannot be read:")


# ---------------------------------------------------------------- one line a table


@pytest.mark.parametrize("columns", [40, 80, 120, 160])
def test_a_terminal_shows_one_line_for_each_table(lake: Path, columns: int) -> None:
    name = "shop.a_table_with_a_name_that_is_longer_than_a_terminal_of_eighty_columns_is_wide_which_happens"
    fine("create", name, "id BIGINT")
    words = [sys.executable, "-m", "airflow_provider_schemas.cli", "--store", str(lake), "ls", "*", "--long"]
    lines = Terminal.run(words, columns=columns, environment={"CI": "1"}).text.splitlines()
    assert len(lines) == len(TABLES) + 2
    assert all(display_width(line) <= columns for line in lines)
    piped = Terminal.run(["sh", "-c", f"{' '.join(map(shlex.quote, words))} | cat"], columns=columns, environment={"CI": "1"}).text
    assert name in piped
    assert len(piped.splitlines()) == len(TABLES) + 2


def test_columns_are_left_out_from_the_right_and_the_first_is_cut_last() -> None:
    rows = [("表" * 30, "v1", "12", "2026-11-20 12:00 UTC", "by ana"), ("short", "?", "", "cannot be read: whatever", "")]
    assert one_line_rows(rows, None)[1].endswith("cannot be read: whatever")
    for width in range(8, 120):
        lines = one_line_rows(rows, width)
        assert all(display_width(line) <= width for line in lines)
        assert lines[0].startswith("表")
    assert one_line_rows([], 80) == []
    assert parse_line(["ls"]).databases == []
