"""Verdicts that hold hostile texts add no element, no attribute and no address to a page; whatever was pushed, there is a page."""

from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.cases.hostile_names import HARMLESS, HOSTILE_NAMES, replaced_texts
from tests.provider.plugins.support.database import Database

KEPT = frozenset({"verdict", "outcome", "layout", "spark", "digest"})
PAGES = ("gates", "dag?dag_id=daily", "task?dag_id=daily&run_id=run_1&task_id=gate")
CHANGE = {"conn_id": "lake", "table": "shop.orders", "outcome": "created", "version": 2, "previous": 1, "verdict": "ok", "notes": []}


class Tree(HTMLParser):
    """The elements of a document with the names of their attributes, and its addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action", "data", "formaction")]


def tree(browser: TestClient, page: str) -> Tree:
    answer = browser.get(f"/schemas/{page}")
    assert answer.status_code == 200, answer.text
    parsed = Tree()
    parsed.feed(answer.text)
    return parsed


def push(database: Database, verdict: Any, text: str) -> None:
    database.push(replaced_texts(verdict, text, keep=KEPT))
    database.push(replaced_texts(CHANGE, text, keep=KEPT), task="evolve", key="schema_change")


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_text_stays_a_text(database: Database, viewer: TestClient, verdicts: dict[str, Any], name: str) -> None:
    push(database, verdicts["breaks"], HARMLESS)
    known = {page: {*tree(viewer, page).elements} for page in PAGES}
    push(database, verdicts["breaks"], HOSTILE_NAMES[name])
    for page in PAGES:
        found = tree(viewer, page)
        assert {*found.elements} <= known[page] | {("a", ("href",)), ("a", ("data-airflow", "href"))}
        for address in found.addresses:
            assert address.startswith(("../dags/", "gates", "tables", "table?", "diff?", "readers?", "dag?", "task?", "page.", "#"))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_text_in_the_address_stays_a_text(database: Database, viewer: TestClient, name: str) -> None:
    text = HOSTILE_NAMES[name].encode("utf-8", "replace").decode()
    known = {*tree(viewer, f"task?dag_id={HARMLESS}&run_id=a&task_id=b").elements}
    for query in (
        {"dag_id": text, "run_id": text, "task_id": text, "map_index": text},
        {"dag_id": "a", "run_id": "b", "task_id": "c", "conn": text},
    ):
        answer = viewer.get("/schemas/task", params=query)
        assert answer.status_code in (200, 400)
        parsed = Tree()
        parsed.feed(answer.text)
        if answer.status_code == 200:
            assert {*parsed.elements} <= known | {("p", ("class",)), ("span", ("class",))}
    assert viewer.get("/schemas/gates", params={"q": text, "verdict": text, "page": text}).status_code in (200, 400)
