"""`diff`: both versions beside each other or one under the other, counts, and what machines get."""

import sys
from pathlib import Path

import pytest

from tests.support.command_line import fine, typed
from tests.support.terminals import Terminal

OLD = "id BIGINT NOT NULL, cust_id BIGINT, amount INT, note STRING"
BESIDE = "amount   INT              amount   BIGINT"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)
    Path("old.sql").write_text(OLD, "utf-8")
    Path("new.sql").write_text(OLD.replace("amount INT", "amount BIGINT") + ", coupon STRING", "utf-8")


@pytest.mark.parametrize(
    ("columns", "options", "beside"),
    [(80, [], False), (119, [], False), (120, [], True), (160, [], True), (160, ["--no-side-by-side"], False)],
)
def test_a_wide_terminal_shows_both_versions_beside_each_other(columns: int, options: list[str], beside: bool) -> None:
    words = [sys.executable, "-m", "airflow_provider_schemas.cli", "diff", "old.sql", "new.sql", *options]
    done = Terminal.run(words, columns=columns, environment={"CI": "1", "NO_COLOR": "1"})
    assert done.code == 0
    assert (BESIDE in done.text) is beside
    assert ("->" in done.text.partition("\n")[2]) is not beside


def test_the_line_can_ask_for_it_on_any_width() -> None:
    assert BESIDE in fine("diff", "old.sql", "new.sql", "--side-by-side", "--width=100")


def test_colours_come_to_a_log_that_forces_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in fine("diff", "old.sql", "new.sql")
    assert "\x1b[33mretyped\x1b[0m" in fine("diff", "old.sql", "new.sql", "--color=always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32madded\x1b[0m" in fine("diff", "old.sql", "new.sql")
    for option in ("--no-color", "--color=never"):
        assert "\x1b[" not in fine("diff", "old.sql", "new.sql", option)


def test_counts_are_one_line() -> None:
    assert fine("diff", "old.sql", "new.sql", "--stat") == "old.sql -> new.sql  1 added, 1 retyped, 3 unchanged\n"
    assert fine("diff", "old.sql", "old.sql", "--stat") == "old.sql -> old.sql  no difference\n"
    assert fine("diff", "old.sql", "new.sql", "--stat", "--format=markdown").count("\n") == 1


def test_machines_get_the_counts_beside_the_changes() -> None:
    data = typed("diff", "old.sql", "new.sql", "--format=json").json
    assert [*data] == ["old", "new", "changes", "remainder", "left_alone", "counts"]
    assert {word: number for word, number in data["counts"].items() if number} == {"added": 1, "retyped": 1, "unchanged": 3}
    assert data == typed("diff", "old.sql", "new.sql", "--format=json", "--stat").json


def test_markdown_lists_the_changes_alone() -> None:
    told = fine("diff", "old.sql", "new.sql", "--format=markdown")
    assert [line[:2] for line in told.splitlines()] == ["- "] * 3


def test_verbose_folds_and_cuts_nothing() -> None:
    columns = ", ".join(f"column_{number}_{'x' * 100} STRING" for number in range(6))
    Path("old.sql").write_text(columns, "utf-8")
    Path("new.sql").write_text(columns + ", last INT", "utf-8")
    assert "… 6 columns unchanged" in fine("diff", "old.sql", "new.sql", "--width=80")
    told = fine("diff", "old.sql", "new.sql", "--width=80", "--verbose")
    assert "…" not in told
    assert "".join(told.split()).count("x") >= 600


def test_ten_thousand_columns_are_compared() -> None:
    Path("old.sql").write_text(", ".join(f"c{number} STRING" for number in range(10_000)), "utf-8")
    Path("new.sql").write_text(", ".join(f"c{number} {'INT' if number % 2 else 'STRING'}" for number in range(5, 10_010)), "utf-8")
    told = fine("diff", "old.sql", "new.sql", "--width=160")
    assert told.count("retyped\n") == 4_998


def test_secrets_and_control_characters_are_not_shown() -> None:
    Path("old.sql").write_text("a INT", "utf-8")
    Path("new.sql").write_text("`a\x1b[31m\u202eb` INT COMMENT 'x'", "utf-8")
    done = typed("diff", "old.sql", "new.sql")
    assert "\x1b" not in done.out + done.err
    assert "\u202e" not in done.out + done.err
