"""The log of a name tells why tables of it were taken away from the jobs that read them."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import fine, typed


@pytest.fixture
def lake(tmp_path: Path) -> str:
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", "amount INT")
    store.table("shop.orders").register("amount INT", consumer="daily", owner="team-bi")
    store.rename_table("shop.orders", "shop.bookings", override="INC-1")
    return str(tmp_path / "lake")


def test_a_rename_is_told_under_both_names(lake: str) -> None:
    told = "by ana, though daily (team-bi) read it: INC-1"
    assert told in " ".join(fine("log", "shop.bookings", "--store", lake).split())
    done = typed("log", "shop.orders", "--store", lake)
    assert (done.code, "shop.orders  is not there any more" in done.out) == (2, True)
    assert "shop.orders was renamed to shop.bookings at version 0" in " ".join(done.out.split())


def test_a_drop_is_told_before_what_happened_earlier(lake: str) -> None:
    SchemaStore(lake, actor="ben").drop_table("shop.bookings", override="INC-2")
    done = typed("log", "shop.bookings", "--store", lake, "--format=json")
    assert (done.code, done.json["versions"]) == (2, [])
    assert [(one["action"], one["by"], one["reason"]) for one in done.json["removals"]] == [
        ("drop", "ben", "INC-2"),
        ("rename", "ana", "INC-1"),
    ]


def test_a_new_table_of_the_name_has_its_versions_and_the_reason_beside_them(lake: str) -> None:
    fine("create", "shop.orders", "other INT", "--store", lake)
    told = fine("log", "shop.orders", "--store", lake)
    assert ("1 version" in told, "INC-1" in told) == (True, True)
    assert "INC-1" not in fine("log", "shop.orders", "--since", "tomorrow", "--store", lake)
    assert typed("log", "shop.orders", "--store", lake, "--format=json").json["removals"][0]["to"] == "shop.bookings"


def test_a_name_that_never_was_is_an_error_as_before(lake: str) -> None:
    done = typed("log", "shop.nothing", "--store", lake)
    assert (done.code, done.out, "there is no schema of shop.nothing" in done.err) == (2, "", True)


def test_a_registry_that_is_lost_keeps_no_versions_back_and_is_told(lake: str) -> None:
    Path(lake, "_schemas/registry-id.json").unlink()
    told = " ".join(fine("log", "shop.bookings", "--store", lake).split())
    assert "1 version" in told
    assert "whether a table of this name was dropped or renamed before is not known" in told
