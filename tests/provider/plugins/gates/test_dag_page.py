"""The tab of a DAG: the tables that its gates judged and that its tasks changed."""

from typing import Any

from fastapi.testclient import TestClient

from tests.provider.plugins.support.database import Database

Verdicts = dict[str, dict[str, Any]]
CHANGE = {"conn_id": "lake", "table": "shop.orders", "outcome": "created", "version": 2, "previous": 1, "verdict": "ok", "notes": []}


def page(browser: TestClient) -> str:
    answer = browser.get("/schemas/dag?dag_id=daily")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_dag_without_any_says_so(database: Database, viewer: TestClient) -> None:
    text = page(viewer)
    assert "has run in this DAG yet" in text
    assert "<table" not in text


def test_it_shows_what_is_read_and_what_is_written(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    database.push(verdicts["breaks"], task="gate", hours=1)
    database.push(CHANGE, task="evolve", key="schema_change", hours=2)
    text = page(viewer)
    assert text.count('<th scope="row"><a href="table?conn=lake&amp;t=shop.orders">') == 1
    assert "evolve</a>: created v2" in text
    assert "v2 <span" in text


def test_a_table_has_the_verdict_on_itself_and_not_that_of_the_whole(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    value = verdicts["breaks"]
    users = {**value["tables"]["shop.orders"], "verdict": "ok", "fits": True, "findings": [], "position": 1}
    database.push({**value, "tables": {**value["tables"], "shop.users": users}})
    orders, fitting = page(viewer).split("<h2>Tables</h2>")[1].split('<th scope="row">')[1:]
    assert ">breaks</span> gate" in orders
    assert ">fits</span> gate" in fitting


def test_it_shows_no_other_dag(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    database.push(verdicts["breaks"], dag="other", task="elsewhere")
    database.push({**CHANGE, "table": "shop.secret"}, dag="other", task="evolve", key="schema_change")
    assert "shop." not in page(viewer)


def test_the_same_name_behind_two_connections_is_two_tables(database: Database, viewer: TestClient) -> None:
    database.push(CHANGE, task="here", key="schema_change")
    database.push({**CHANGE, "conn_id": "far"}, task="there", key="schema_change")
    text = page(viewer)
    assert "table?conn=lake&amp;t=shop.orders" in text
    assert "table?conn=far&amp;t=shop.orders" in text


def test_the_last_of_several_changes_counts(database: Database, viewer: TestClient) -> None:
    for hours in range(3):
        database.push({**CHANGE, "version": hours}, task=f"evolve_{hours}", key="schema_change", hours=hours)
    text = page(viewer)
    assert "evolve_2</a>: created v2" in text
    assert "evolve_1" not in text


def test_a_change_that_cannot_be_read_is_counted(database: Database, viewer: TestClient) -> None:
    database.push("s3://xcoms/reference", task="evolve", key="schema_change")
    assert "1 change cannot be read" in page(viewer)


def test_a_refused_change_is_no_version_of_the_table(database: Database, viewer: TestClient) -> None:
    refused = {"conn_id": "lake", "table": "shop.orders", "outcome": "refused", "previous": 1, "verdict": "break"}
    database.push(refused, task="evolve", key="schema_change")
    text = page(viewer)
    assert "evolve</a>: refused" in text
    assert '<span class="quiet">none</span>' in text
