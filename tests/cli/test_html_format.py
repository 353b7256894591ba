"""`--format html`: every command that answers for people answers so, in one file; without Jinja2 nothing is done."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.store import SchemaStore
from tests.cases.hostile_names import HOSTILE_NAMES
from tests.render.html.support.page_tree import PageTree
from tests.support.command_line import Done, typed

JOB = "job: daily\nreads:\n  shop.orders: order_id BIGINT, cust_id BIGINT\n"
EVIL = HOSTILE_NAMES["image"] + HOSTILE_NAMES["double quote"] + HOSTILE_NAMES["right to left"]
LINES = [
    "ls",
    "ls shop --long",
    "show shop.orders",
    "log shop.orders",
    "diff shop.orders",
    "diff shop.orders --stat",
    "check shop.orders",
    "check shop.orders --for daily",
    "plan shop.orders --drop cust_id",
    "plan shop.orders --add x\u00a0INT --sql flink",
    "evolve shop.orders --add more\u00a0INT",
    "restore shop.orders 0 --dry-run",
    "expire shop.orders --older-than 0d",
    "contract list",
    "audit",
    "blame shop.orders",
    "who shop.orders",
    "explain FIELD_RENAMED",
    "convert shop.orders --to paimon -o schema.json",
]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """A store with a table of two versions, whose comments and authors try everything, and a job."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", EVIL)
    store = SchemaStore(tmp_path / "lake", actor=EVIL)
    columns = [{"name": "order_id", "type": "BIGINT"}, {"name": "cust_id", "type": "BIGINT", "comment": EVIL}]
    store.create_table("shop.orders", columns, options={"password": "hunter2"}, comment=EVIL)
    store.table("shop.orders").evolve(["ADD COLUMN note STRING"], run=EVIL)
    Path("job.yaml").write_text(JOB, "utf-8")
    assert typed("contract", "register", "job.yaml").code == 0
    return store


def html(line: str) -> tuple[Done, PageTree]:
    """Type a line whose answer is HTML."""
    done = typed(*(word.replace("\u00a0", " ") for word in line.split(" ")), "--format", "html")
    return done, PageTree(done.out)


@pytest.mark.parametrize("line", LINES)
def test_every_command_answers_with_one_page(line: str) -> None:
    done, tree = html(line)
    assert done.code in (0, 1), done
    assert done.out.startswith("<!DOCTYPE html>")
    assert [tag for tag, _ in tree.elements].count("h1") == 1
    assert "hunter2" not in done.out


@pytest.mark.parametrize("line", LINES)
def test_no_name_becomes_an_element(line: str) -> None:
    done, tree = html(line)
    assert [tag for tag, _ in tree.elements if tag in ("img", "iframe")] == []
    assert not [name for _, attributes in tree.elements for name in attributes if name.startswith("on") or name == "style"]
    assert "\u202e" not in done.out
    assert (tree.unclosed, tree.odd_ends) == ([], [])


def test_commands_name_the_store(tmp_path: Path) -> None:
    lake = str(tmp_path / "lake")
    typed("evolve", "shop.orders", "--drop", "cust_id", "--override", "INC-7")
    tree = PageTree(typed("check", "shop.orders", "--for", "daily", "--format", "html", "--store", lake).out)
    commands = tree.values("data-copy")
    assert commands
    assert [command for command in commands if command.startswith("airflow-schemas") and lake not in command] == []


def test_a_refused_check_is_a_page_that_says_so() -> None:
    done, tree = html("check shop.nope")
    assert done.code == 2
    assert "could not be judged" in tree.text
    assert "fits" not in tree.text


def test_a_refused_change_shows_the_verdict() -> None:
    done, tree = html("evolve shop.orders --drop cust_id")
    assert done.code == 1
    assert "FIELD_DROPPED" in tree.text
    assert "daily" in tree.text


def test_a_file_is_written_beside_the_text(tmp_path: Path) -> None:
    done = typed("check", "shop.orders", "--output=html=page.html")
    assert done.code == 0
    assert "✔ fits" in done.out
    assert "shop.orders" in PageTree((tmp_path / "page.html").read_text("utf-8")).text


def test_without_jinja2_nothing_is_done_and_the_extra_is_named(tmp_path: Path, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def without_jinja2(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "jinja2":
            raise ImportError(name)
        return known(name, *rest, **more)

    environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without_jinja2)
    (tmp_path / "page.html").write_text("green, and of yesterday", "utf-8")
    for words in (["evolve", "shop.orders", "--add", "more INT", "--format=html"], ["check", "shop.orders", "--output=html=page.html"]):
        done = typed(*words)
        assert done.code == 2
        assert "airflow-provider-schemas[html]" in done.err
    assert store.table("shop.orders").latest().number == 1
    assert "Nothing was judged" in (tmp_path / "page.html").read_text("utf-8")
