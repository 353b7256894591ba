"""Where everything lies: pure strings, which never leave their root and never meet each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import RefusedNameError
from airflow_provider_schemas.store.layout import paths
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.store.layout.paths import Layout

ORDERS = TableName("shop", "orders")


@pytest.mark.parametrize(("kind", "folder"), [("paimon", "shop.db/orders"), ("mini-paimon", "shop/orders"), ("registry", "shop.db/orders")])
def test_each_layout_has_its_folder_of_a_table(kind: str, folder: str) -> None:
    assert paths.table_folder(ORDERS, Layout(kind)) == folder
    assert paths.schema_folder(folder) == f"{folder}/schema"
    assert paths.schema_folder(folder, "b1") == f"{folder}/branch/branch-b1/schema"
    assert paths.metadata_file(folder) == f"{folder}/metadata"
    assert paths.sidecar_file(folder, "0a") == f"{folder}/schema/.more-0a"
    assert paths.sidecar_file(folder, "0a", "b1") == f"{folder}/branch/branch-b1/schema/.more-0a"


def test_what_hangs_on_a_table_lies_under_its_name() -> None:
    assert paths.contract_folder(ORDERS, "bi", "daily") == "contracts/shop/orders/bi/daily"
    assert paths.waivers_folder(ORDERS) == "waivers/shop/orders"
    assert paths.plans_folder(ORDERS) == "plans/shop/orders"
    assert paths.bindings_folder(ORDERS) == "bindings/shop/orders"
    assert paths.manifests_file(ORDERS, "b1") == f"{paths.manifests_folder(ORDERS)}/b1.json" == "references/shop/orders/b1.json"


@pytest.mark.parametrize("kind", list(Layout))
def test_a_database_is_known_again_by_its_folder(kind: Layout) -> None:
    assert paths.database_of(paths.database_folder("shop", kind), kind) == "shop"
    for folder in (".hidden", "_schemas", ".db", "_x.db"):
        assert paths.database_of(folder, kind) is None


def test_a_folder_is_a_database_of_one_layout_only() -> None:
    for folder in ("shop.db", "shop"):
        known = {kind for kind in (Layout.PAIMON, Layout.MINI_PAIMON) if paths.database_of(folder, kind)}
        assert len(known) == 1


def test_parts_are_joined_by_one_slash_and_empty_ones_left_out() -> None:
    assert paths.joined("", "a/", "/b/", "", "c") == "a/b/c"
    assert paths.joined("", "") == ""


NAMES = st.text("ab._-$ é", min_size=1, max_size=6)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=2, max_size=5, unique=True))
def test_two_tables_never_share_a_folder(pairs: list[tuple[str, str]]) -> None:
    found = set()
    for database, table in pairs:
        try:
            found.add(table_name(f"{database}.{table}"))
        except RefusedNameError:
            continue
    for kind in Layout:
        assert len({paths.table_folder(name, kind) for name in found}) == len(found)
    assert len({paths.contracts_folder(name) for name in found}) == len(found)
