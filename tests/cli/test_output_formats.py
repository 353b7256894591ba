"""Every command in every form: text at any width, Markdown, JSON, coloured or not, also on names that somebody chose with care."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.output.result import Answer, Rows, TextLine
from airflow_provider_schemas.cli.output.writer import harmless, write_markdown
from airflow_provider_schemas.render.layout import display_width, longest
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import typed

EVIL = "a\x1b[2J\u202e|`b"
JOB = "job: daily\nreads:\n  shop.orders: order_id BIGINT\n"
LINES = [
    ["ls"],
    ["ls", "--long"],
    ["ls", "shop"],
    ["ls", "shop", "--long"],
    ["show", "shop.orders"],
    ["show", "shop.orders@b1"],
    ["log", "shop.orders"],
    ["log", "shop.orders@b1", "-n", "1"],
    ["diff", "shop.orders"],
    ["check", "shop.orders"],
    ["check", "shop.orders", "--for", "daily"],
    ["check", "shop.orders:0", "shop.orders:1"],
    ["plan", "shop.orders", "--add", "x INT"],
    ["plan", "shop.orders", "--add", "x INT", "--sql", "flink", "--save", "-o", "plan.json"],
    ["evolve", "shop.orders", "--add", "more INT"],
    ["evolve", "shop.orders", "--add", "note STRING"],
    ["create", "shop.new", "a INT"],
    ["restore", "shop.orders", "0", "--dry-run"],
    ["expire", "shop.orders", "--older-than", "0d"],
    ["contract", "register", "job.yaml"],
    ["contract", "list"],
    ["waive", "shop.orders", "FIELD_RENAMED", "--until", "3d", "--reason", EVIL],
    ["waive", "shop.orders", "--list"],
    ["show", "shop.nope"],
    ["evolve", "shop.orders", "--drop", "nope"],
]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """A store with a table of two versions and a branch, whose comments and names try everything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", EVIL)
    store = SchemaStore(tmp_path / "lake", actor=EVIL)
    columns = [{"name": "order_id", "type": "BIGINT"}, {"name": EVIL, "type": "STRING", "comment": EVIL}]
    store.create_table("shop.orders", columns, options={"password": "hunter2", "url": "s3://u:hunter2@x/y"}, comment=EVIL)
    store.table("shop.orders").evolve(["ADD COLUMN note STRING"], run=EVIL)
    store.table("shop.orders").create_branch("b1")
    Path("job.yaml").write_text(JOB, "utf-8")
    assert typed("contract", "register", "job.yaml").code == 0
    return store


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_every_command_answers_in_every_form(line: list[str]) -> None:
    for form in ("text", "markdown", "json"):
        done = typed(*line, "--format", form)
        assert done.code in ((2,) if "nope" in " ".join(line) else (0, 1)), done
        assert not {"\x1b", "\u202e"} & set(done.out + done.err)
        assert "hunter" not in done.out + done.err
        assert form != "json" or json.loads(done.out)


@pytest.mark.parametrize("line", [line for line in LINES if "--sql" not in line and "nope" not in line], ids=" ".join)
@pytest.mark.parametrize("width", [20, 40, 79])
def test_lines_are_no_wider_than_asked_but_for_words_that_are(line: list[str], width: int) -> None:
    done = typed(*line, "--width", str(width))
    wide = [one for one in done.out.splitlines() if display_width(one) > width and longest(one) <= width // 2]
    # What can be typed is never broken.
    assert [one for one in wide if not one.strip().startswith(("airflow-schemas ", "ADD ", "RENAME "))] == []


def test_a_branch_is_changed_by_itself(store: SchemaStore) -> None:
    assert "version 1 -> 2 of branch b1" in typed("evolve", "shop.orders@b1", "--add", "only_here INT").out
    assert "only_here" in typed("show", "shop.orders", "--branch", "b1").out
    assert "only_here" not in typed("show", "shop.orders").out
    assert store.table("shop.orders").latest().number == 1


def test_parts_in_markdown_are_blocks_and_lists() -> None:
    answer = Answer([TextLine("one"), TextLine("two", typed=True), Rows([("a|b", "c")], ("x", "y")), TextLine("three")])
    shown = write_markdown(answer.parts, verbose=False, now=datetime.now(UTC))
    assert shown == "- one\n- `two`\n\n| x | y |\n| --- | --- |\n| a\\|b | c |\n\n- three\n"


def test_what_is_said_has_no_passwords() -> None:
    assert harmless("\x07 s3://me:hunter2@bucket?token=hunter2") == "\\u0007 s3://****@bucket?****"
