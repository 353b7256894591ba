"""Pages of tables as HTML: texts from outside stay texts, every state has its sentence, and no page is too large."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.plugins.application.answer import render
from airflow_provider_schemas.plugins.application.page_links import PageLinks
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.connections.open_connections import OPENED
from airflow_provider_schemas.plugins.tables.pages import PAGES
from airflow_provider_schemas.store import SchemaStore
from tests.cases.hostile_names import HARMLESS, HOSTILE_NAMES
from tests.provider.conftest import CONN_ID, Connect
from tests.provider.plugins.tables.conftest import Ask
from tests.render.html.support.html_tables import ReadHtml
from tests.support import iceberg_catalog

PAGE = {page.path: page for page in PAGES}
ORDERS = {"t": "shop.orders"}
QUERIES: Mapping[str, Mapping[str, str]] = {
    "tables": {"details": "yes"},
    "rows": {},
    "table": ORDERS,
    "diff": {**ORDERS, "a": "0", "b": "1"},
    "columns": ORDERS,
    "readers": ORDERS,
    "references": ORDERS,
}
# The pieces are tried with every text where they are made; here with those that would break out of a page.
TEXTS = [
    "script",
    "end of title",
    "end of details",
    "image",
    "form",
    "comment",
    "double quote",
    "single quote",
    "unquoted",
    "entities",
    "address of script",
    "address without scheme",
    "template",
    "statement",
    "right to left",
    "controls",
    "long",
    "query",
]
LARGEST = 150_000


def html_of(path: str, asked: Asked) -> str:
    page = PAGE[path]
    return render(page.template, "nonce", asked, page=path, **page.content(asked))


def with_texts(folder: Path, text: str) -> None:
    """Make a table in which people have written a text wherever they may."""
    store = SchemaStore(folder)
    about = json.dumps({"owner": text, "contact": text})
    columns: list[dict[str, Any]] = [{"name": "a", "type": "INT", "comment": text}, {"name": "b", "type": "INT"}]
    store.create_table("shop.orders", columns, comment=text, options={"schemas.table": about}, actor=text, run=text)
    table = store.table("shop.orders")
    table.register("a INT", consumer="daily", owner=text, contact=text)
    table.evolve("DROP COLUMN a", override=text, actor=text, run=text, approval=text)
    table.waive("FIELD_DROPPED", text[:50], until="2999-01-01", reason=text, by=text)


@pytest.mark.parametrize("kind", TEXTS)
def test_what_people_write_stays_text(kind: str, connect: Connect, tmp_path: Path, ask: Ask) -> None:
    made = {}
    for name, text in (("harmless", HARMLESS), ("hostile", HOSTILE_NAMES[kind])):
        folder = tmp_path / name
        folder.mkdir()
        with_texts(folder, text)
        connect(host=folder.as_uri())
        OPENED.clear()
        made[name] = {path: ReadHtml(html_of(path, ask(**query))).elements for path, query in QUERIES.items()}
    for path, elements in made["hostile"].items():
        known = {(tag, frozenset(attributes)) for tag, attributes in made["harmless"][path]}
        assert {(tag, frozenset(attributes)) for tag, attributes in elements} <= known, path
        for _, attributes in elements:
            address = attributes.get("href", "")
            assert ":" not in address.split("?")[0], address
            assert not address.startswith("//")


@pytest.mark.parametrize("kind", ["script", "double quote", "single quote", "template", "address of script", "right to left"])
def test_what_stands_in_the_address_stays_text(kind: str, orders: SchemaStore, ask: Ask) -> None:
    text = HOSTILE_NAMES[kind]
    for path, query in (("tables", {"q": text}), ("columns", {**ORDERS, "q": text}), ("tables", {"q": text, "page": text})):
        tags = {tag for tag, _ in ReadHtml(html_of(path, ask(**query))).elements}
        assert not tags & {"img", "svg", "iframe"}
        assert [tag for tag, _ in ReadHtml(html_of(path, ask(**query))).elements].count("script") == 1


@pytest.mark.parametrize("path", QUERIES)
def test_no_page_runs_script_or_style_of_its_own(path: str, orders: SchemaStore, ask: Ask) -> None:
    for tag, attributes in ReadHtml(html_of(path, ask(**QUERIES[path]))).elements:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]


@pytest.mark.parametrize("path", QUERIES)
def test_a_mounted_table_has_every_page(path: str, connect: Connect, tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "lake").mkdir()
    table = iceberg_catalog.make_orders(iceberg_catalog.open_catalog(tmp_path / "iceberg"))
    iceberg_catalog.rename(table, "cust_id", "customer_id")
    connect(iceberg_catalog.CONN_ID, **iceberg_catalog.connection(tmp_path / "iceberg"))
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": iceberg_catalog.MOUNT}})
    html = html_of(path, ask(**QUERIES[path]))
    assert "shop.orders" in html
    assert str(tmp_path) not in html


def test_the_past_of_a_mounted_table_says_what_its_source_says_of_a_version(connect: Connect, tmp_path: Path, ask: Ask) -> None:
    import pyarrow as pa
    from deltalake import write_deltalake

    (tmp_path / "lake").mkdir()
    write_deltalake(str(tmp_path / "delta" / "orders"), pa.table({"id": [1]}))
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": {"source": "delta", "url": str(tmp_path / "delta")}}})
    html = html_of("table", ask(t="shop.orders"))
    assert "by an outside writer (WRITE, delta-rs:" in html


@pytest.mark.parametrize(("path", "query", "sentence"), [
    ("tables", {"q": "nothing"}, "No table has “nothing” in its name."),
    ("diff", {**ORDERS, "a": "0", "b": "9"}, "v9 is not there: expired, or never written. There are v0 to v2"),
    ("readers", {"t": "shop.users"}, "No contract is registered here."),
    ("diff", {"t": "shop.users"}, "it is the only version"),
    ("columns", {"t": "shop.users"}, "No column ever changed."),
])  # fmt: skip
def test_each_state_has_its_sentence(path: str, query: dict[str, str], sentence: str, orders: SchemaStore, ask: Ask) -> None:
    orders.create_table("shop.users", "id BIGINT")
    assert sentence in html_of(path, ask(**query))


def test_an_empty_warehouse_says_how_the_first_table_is_made(lake: SchemaStore, ask: Ask) -> None:
    assert "The warehouse is empty" in html_of("tables", ask())


def test_without_a_connection_the_setting_is_told() -> None:
    html = html_of("tables", Asked(query={}, links=PageLinks()))
    assert "AIRFLOW__SCHEMAS__UI_CONNECTIONS" in html


def test_a_wide_table_with_a_past_makes_no_page_too_large(lake: SchemaStore, ask: Ask) -> None:
    lake.create_table("shop.orders", ", ".join(f"column_{number} DECIMAL(10, 2)" for number in range(1000)))
    table = lake.table("shop.orders")
    table.evolve([f"ADD COLUMN new_{number} STRING" for number in range(218)])
    table.evolve([f"RENAME COLUMN column_{number} TO renamed_{number}" for number in range(140)], override="INC-1")
    for path, query in QUERIES.items():
        assert len(html_of(path, ask(**{**query, "b": "2"})).encode()) < LARGEST, path


def test_a_page_of_names_is_small(connect: Connect, tmp_path: Path, ask: Ask) -> None:
    folder = tmp_path / "lake"
    for number in range(2_000):
        (folder / f"shop.db/table_{number:05}/schema").mkdir(parents=True)
    SchemaStoreHook(connect(CONN_ID, host=folder.as_uri()))
    html = html_of("tables", ask(q="table_01"))
    assert "1,000 of 2,000 tables, page 1 of 20" in html
    assert len(html.encode()) < 30_000


@pytest.mark.parametrize("path", ["table", "diff", "columns", "readers", "references"])
def test_every_link_about_a_branch_keeps_to_it(path: str, orders: SchemaStore, ask: Ask) -> None:
    orders.table("shop.orders").create_branch("dev")
    asked = replace(ask(t="shop.orders", branch="dev"), links=PageLinks(CONN_ID))
    elements = ReadHtml(html_of(path, asked)).elements
    addresses = [attributes["href"] for tag, attributes in elements if tag == "a" and "t=shop.orders" in attributes["href"]]
    assert len(addresses) >= 5
    to_main = [address for address in addresses if "branch=dev" not in address]
    assert to_main == (["table?conn=lake&t=shop.orders"] if path == "table" else [])


def test_what_holds_for_all_readers_is_said_once(orders: SchemaStore, ask: Ask) -> None:
    assert html_of("readers", ask(**ORDERS)).count("of a job that has registered none nothing is known") == 1


def test_a_diff_says_who_wrote_the_version_and_leads_to_the_way_back(orders: SchemaStore, ask: Ask) -> None:
    there = html_of("diff", ask(**ORDERS, a="0", b="2"))
    assert "<strong>v2</strong>" in there
    assert "<span>by raj</span>" in there
    assert "approved by mia" in there
    assert "what would going back break?" in there
    back = html_of("diff", ask(**ORDERS, a="2", b="0"))
    assert 'data-copy="airflow-schemas restore --conn lake shop.orders 0 --dry-run"' in back
