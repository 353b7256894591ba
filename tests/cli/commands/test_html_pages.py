"""`diff`, `log`, `show`, `blame` and `who` as one HTML file: the same that a terminal shows, as tables."""

from pathlib import Path

import pytest

from tests.render.html.support.html_tables import ReadHtml
from tests.support.command_line import fine


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with a table of two versions."""
    monkeypatch.chdir(tmp_path)
    root = str(tmp_path / "lake")
    fine("create", "--store", root, "shop.orders", "id BIGINT NOT NULL, cust_id BIGINT, a INT, b INT, c INT")
    fine("evolve", "--store", root, "shop.orders", "RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING")
    return root


def page(*words: str) -> ReadHtml:
    return ReadHtml(fine(*words, "--format=html"))


def test_a_diff_is_both_versions_beside_each_other(store: str) -> None:
    shown = page("diff", "--store", store, "shop.orders")
    assert [(row.cells[0].text, row.classes) for row in shown.rows_of("beside")] == [
        ("0", ""),
        ("1", "changed"),
        ("", "hidden-rows"),
        ("5", "added"),
    ]
    assert "shop.orders v0 \u2192 shop.orders v1" in shown.text
    assert "Whom the changes break was not checked." in shown.text


def test_verbose_shows_the_columns_that_stay(store: str) -> None:
    assert len(page("diff", "--store", store, "shop.orders", "--verbose").rows_of("beside")) == 6


def test_counts_alone_are_a_line(store: str) -> None:
    shown = page("diff", "--store", store, "shop.orders", "--stat")
    assert shown.rows == []
    assert "1 added, 1 renamed, 4 unchanged" in shown.text


def test_a_log_is_a_timeline_of_the_versions_that_were_asked_for(store: str) -> None:
    shown = page("log", "--store", store, "shop.orders")
    assert "shop.orders: 2 versions" in shown.text
    assert "RENAME COLUMN cust_id TO customer_id" in shown.text
    newest = page("log", "--store", store, "shop.orders", "-n", "1")
    assert "RENAME COLUMN cust_id TO customer_id" in newest.text
    assert "created with" not in newest.text


def test_a_schema_has_its_name_its_origin_and_its_policy(store: str) -> None:
    shown = page("show", "--store", store, "shop.orders")
    assert [row.cells[1].text for row in shown.rows_of("schema-table")] == ["id", "customer_id", "a", "b", "c", "coupon"]
    assert "shop.orders v1" in shown.text
    assert "policy default: data block" in " ".join(shown.text.split())


def test_blame_is_a_row_for_each_column(store: str) -> None:
    shown = page("blame", "--store", store, "shop.orders")
    assert [row.cells[1].text for row in shown.rows_of("schema-table")] == ["id", "customer_id", "a", "b", "c", "coupon"]
    column = page("blame", "--store", store, "shop.orders.customer_id")
    assert "renamed cust_id -> customer_id" in column.rows_of("schema-table")[0].cells[-1].text


def test_who_says_that_no_job_is_known(store: str) -> None:
    assert "No job with a contract uses a." in page("who", "--store", store, "shop.orders.a").text
