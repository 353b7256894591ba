"""What a cell shows of our values: the short line, and HTML without a script; nothing raises into the notebook."""

import builtins
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import airflow_provider_schemas
from airflow_provider_schemas import notebooks
from airflow_provider_schemas.core import TableSchema, check, diff
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.store import SchemaStore, Table, judge
from tests.notebooks.support.cells import problems

HOSTILE = "<script>alert(1)</script>\u202e"


def bare_shell() -> SimpleNamespace:
    """Return a shell with IPython's own formatters, and nothing of ours."""
    from IPython.core.formatters import DisplayFormatter

    return SimpleNamespace(display_formatter=DisplayFormatter())


@pytest.fixture
def shell() -> SimpleNamespace:
    """A shell with IPython's own formatters, into which the extension is loaded."""
    made = bare_shell()
    airflow_provider_schemas.load_ipython_extension(made)
    return made


@pytest.fixture
def orders() -> Table:
    store = SchemaStore("memory://notebooks", actor="ana")
    if not store.exists("shop.orders"):
        store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
        table = store.table("shop.orders")
        table.evolve(["ADD COLUMN coupon STRING"])
        table.register("cust_id BIGINT", consumer="daily.gate", owner="team-sales")
    return store.table("shop.orders")


def cell(shell: SimpleNamespace, value: object) -> dict[str, str]:
    """Return what a cell that ends in the value shows, by the kind of its text."""
    shown: dict[str, str] = shell.display_formatter.format(value)[0]
    return shown


VALUES: dict[str, tuple[Callable[[Table], object], str]] = {
    "table": (lambda table: table, "shop.orders v1"),
    "version": (Table.latest, "coupon"),
    "schema": (Table.schema, "coupon"),
    "versions": (Table.versions, "ADD COLUMN coupon"),
    "list of versions": (lambda table: list(table.versions()), "ADD COLUMN coupon"),
    "history": (Table.history, "ADD COLUMN coupon"),
    "plan": (lambda table: table.plan(["DROP COLUMN cust_id"]), "daily.gate"),
    "report": (lambda table: table.plan(["DROP COLUMN cust_id"]).report, "breaks"),
    "reports": (lambda table: [table.plan(["DROP COLUMN cust_id"]).report], "FIELD_DROPPED"),
    "diff": (lambda table: diff(table.schema(0), table.schema(1)), "ADD COLUMN coupon"),
    "blame": (Table.blame, "shop.orders"),
    "lifelines": (Table.lifelines, "shop.orders"),
    "who": (lambda table: table.who("cust_id"), "daily.gate"),
    "readers by version": (Table.readers_by_version, "daily.gate"),
    "judgement": (lambda table: judge(SchemaStore("memory://notebooks"), ["shop.orders"], consumer="a.b"), "shop.orders"),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_cell_shows_a_short_line_and_html(shell: SimpleNamespace, orders: Table, name: str) -> None:
    make, word = VALUES[name]
    value = make(orders)
    shown = cell(shell, value)
    assert shown["text/plain"].split() == repr(value).split()  # IPython breaks lists into lines
    assert word in shown["text/html"]
    assert problems(shown["text/html"]) == []


def test_a_table_that_cannot_be_read_says_why(shell: SimpleNamespace, orders: Table) -> None:
    shown = cell(shell, SchemaStore("memory://notebooks").table("shop.orderz"))
    assert shown["text/plain"] == "Table('shop.orderz')"
    assert "there is no schema of shop.orderz" in shown["text/html"]


def test_what_is_not_ours_is_left_alone(shell: SimpleNamespace) -> None:
    for value in ([1, 2], (), {"a": 1}, "text", [TableSchema.create("a INT")]):
        assert "text/html" not in cell(shell, value)


def test_hostile_names_are_shown_and_never_obeyed(shell: SimpleNamespace) -> None:
    schema = TableSchema.create([{"name": HOSTILE, "type": "INT", "comment": HOSTILE}], comment=HOSTILE)
    for value in (schema, diff(TableSchema.create("a INT"), schema), check(TableSchema.create("a INT"), schema)):
        html = cell(shell, value)["text/html"]
        assert "&lt;script&gt;alert" in html
        assert "\u202e" not in html
        assert problems(html) == []


def test_a_wide_table_is_shown_by_what_changed_and_by_counts(shell: SimpleNamespace) -> None:
    old, new = (TableSchema.create(", ".join(f"c{number} {kind}" for number in range(10_000))) for kind in ("INT", "BIGINT"))
    for value in (old, diff(old, new), check(old, new)):
        html = cell(shell, value)["text/html"]
        assert len(html) < notebooks.MAX_HTML
        assert "10,000" in html or "10000" in html
        assert "more" in html


def test_wide_blame_says_how_many_columns_there_are(shell: SimpleNamespace) -> None:
    store = SchemaStore("memory://wide")
    store.create_table("shop.wide", ", ".join(f"c{number} INT" for number in range(1_000)))
    wide = store.table("shop.wide")
    wide.evolve(["ALTER COLUMN c7 TYPE BIGINT"])
    for value in (wide.blame(), wide.lifelines()):
        html = cell(shell, value)["text/html"]
        assert "Shown are 1 of 1 columns that changed; there are 1,000 columns." in html
        assert "c7" in html


def test_a_value_that_html_cannot_be_made_of_is_shown_by_its_line(shell: SimpleNamespace) -> None:
    broken: Any = TableSchema(None, 1)  # type: ignore[arg-type]
    assert cell(shell, broken) == {"text/plain": "<TableSchema (its members cannot be shown)>"}


def test_the_formatters_that_a_shell_had_come_back(orders: Table) -> None:
    shell = bare_shell()
    shell.display_formatter.formatters["text/html"].for_type(tuple, lambda value: f"<p>{len(value)} values</p>")
    airflow_provider_schemas.load_ipython_extension(shell)
    airflow_provider_schemas.load_ipython_extension(shell)
    assert cell(shell, (1, 2))["text/html"] == "<p>2 values</p>"
    assert "ADD COLUMN" in cell(shell, orders.versions())["text/html"]
    airflow_provider_schemas.unload_ipython_extension(shell)
    assert cell(shell, orders.versions())["text/html"] == "<p>2 values</p>"
    assert "text/html" not in cell(shell, orders)


def test_without_jinja2_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch, orders: Table) -> None:
    real = builtins.__import__

    def without_jinja2(name: str, *rest: Any) -> Any:
        if name == "jinja2":
            raise ImportError(name)
        return real(name, *rest)

    environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without_jinja2)
    shell = bare_shell()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        airflow_provider_schemas.load_ipython_extension(shell)
    assert [str(warning.message).count("airflow-provider-schemas[html]") for warning in caught] == [1]
    assert cell(shell, orders) == {"text/plain": "Table('shop.orders')"}


def test_the_extension_costs_nothing_until_it_is_loaded() -> None:
    code = "import sys, json, airflow_provider_schemas; print(json.dumps([name for name in sys.modules if name.startswith('airflow_')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["airflow_provider_schemas"]
