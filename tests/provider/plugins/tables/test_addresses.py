"""Addresses of pages have their names in the query, and the main branch is not one of them."""

from airflow_provider_schemas.plugins.tables.addresses import address, tabs


def test_what_is_empty_and_the_main_branch_are_left_out() -> None:
    assert address("table", conn="lake", t="shop.orders", branch="main", q="", page=None) == "table?conn=lake&t=shop.orders"
    assert address("table", conn="lake", t="shop.orders", branch="dev") == "table?conn=lake&t=shop.orders&branch=dev"
    assert address("gates") == "gates"


def test_a_search_for_main_is_a_search() -> None:
    assert address("tables", conn="lake", q="main") == "tables?conn=lake&q=main"


def test_names_are_quoted() -> None:
    assert address("table", t='a&b="<x>/y') == "table?t=a%26b%3D%22%3Cx%3E%2Fy"


def test_the_pages_about_a_table_keep_to_its_branch_and_one_of_them_is_here() -> None:
    assert [tab.title for tab in tabs("diff", "lake", "shop.orders", "main") if tab.is_here] == ["Differences"]
    assert all("branch" not in tab.address for tab in tabs("diff", "lake", "shop.orders", "main"))
    assert all(tab.address.endswith("&branch=dev") for tab in tabs("diff", "lake", "shop.orders", "dev"))
