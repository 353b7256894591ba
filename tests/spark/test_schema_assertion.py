"""The check at the door of a job: what was checked before it is still there, or the job does not begin."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import ContractError, FormatError, IncompatibleSchemaError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore
from tests.spark.conftest import Ask


def checked(store: SchemaStore, *tables: str, **more: Any) -> dict[str, dict[str, Any]]:
    """What a gate hands over about tables."""
    found = {}
    for name in tables:
        table = store.table(name)
        version, place = table.latest(), f"{store.url}/{table.place.folder}/schema"
        found[name] = {
            "version": version.number,
            "digest": version.digest,
            "branch": "main",
            "place": place,
            "layout": table.place.layout.value,
        }
        found[name] |= more
    return found


@pytest.fixture
def verdict(ours: SchemaStore) -> dict[str, Any]:
    return checked(ours, "shop.orders")


def test_the_same_file_lets_the_job_in_and_says_which_version_it_is(ask: Ask, ours: SchemaStore, verdict: dict[str, Any]) -> None:
    assert ask("door(verdict)", verdict=verdict) == {"shop.orders": ours.table("shop.orders").latest().identity}


@pytest.mark.parametrize(
    "form",
    [
        lambda tables: tables,
        json.dumps,
        lambda tables: {"tables": tables, "fits": True},
        lambda tables: {"spark": json.dumps(tables)},
        lambda tables: json.dumps({"tables": tables, "spark": json.dumps(tables)}),
    ],
    ids=["tables", "text", "verdict", "for spark", "verdict as text"],
)
def test_a_verdict_may_come_whole_or_in_parts_as_values_or_as_json(ask: Ask, verdict: dict[str, Any], form: Any) -> None:
    assert list(ask("door(verdict)", verdict=form(verdict))) == ["shop.orders"]


def test_without_a_verdict_the_configuration_of_the_session_tells(ask: Ask, verdict: dict[str, Any]) -> None:
    ask("handed(text)", text=json.dumps(verdict))
    assert list(ask("door()")) == ["shop.orders"]
    ask("handed(None)")
    with pytest.raises(NotThereError, match="schema_guard") as caught:
        ask("door()")
    assert caught.value.code == "door.no-verdict"


def test_a_table_that_has_moved_stops_the_job_and_the_error_says_who_moved_it(ask: Ask, ours: SchemaStore, verdict: dict[str, Any]) -> None:
    ours.table("shop.orders").evolve("RENAME COLUMN cust_id TO customer_id", run="dag/run/task", approval="raj", override="a test")
    with pytest.raises(IncompatibleSchemaError) as caught:
        ask("door(verdict)", verdict=verdict)
    said = str(caught.value)
    for part in (
        "shop.orders",
        "version 1 (",
        "version 2 (",
        "by ana (run dag/run/task, approved by raj)",
        "RENAME COLUMN cust_id TO customer_id",
        "breaks readers of what was checked: FIELD_RENAMED cust_id",
        "Clear the gate",
    ):
        assert part in said
    assert not caught.value.report.fits


@pytest.mark.parametrize(("change", "stopped"), [("ADD COLUMN later STRING", {"fail"}), ("DROP COLUMN amount", {"fail", "judge"})])
def test_what_another_version_means_is_for_the_job_to_say(
    ask: Ask, ours: SchemaStore, verdict: dict[str, Any], change: str, stopped: set[str]
) -> None:
    ours.table("shop.orders").evolve(change, override="a test")
    asked = "door(verdict, on_moved=on_moved)['shop.orders'][1]"
    assert {ask(asked, verdict=verdict, on_moved=one) for one in {"judge", "warn"} - stopped} == {2}
    for one in stopped:
        with pytest.raises(IncompatibleSchemaError):
            ask(asked, verdict=verdict, on_moved=one)


def test_every_table_that_has_moved_is_told_at_once(ask: Ask, ours: SchemaStore) -> None:
    ours.create_table("shop.users", "user_id BIGINT")
    ours.create_table("shop.stays", "id BIGINT")
    verdict = checked(ours, "shop.orders", "shop.users", "shop.stays")
    for name in ("shop.orders", "shop.users"):
        ours.table(name).evolve("ADD COLUMN x INT")
    with pytest.raises(IncompatibleSchemaError) as caught:
        ask("door(verdict)", verdict=verdict)
    assert [fault.path for fault in caught.value.faults] == ["shop.orders", "shop.users"]


@pytest.mark.parametrize("on_moved", ["fail", "judge"])
def test_a_table_that_went_back_or_is_gone_stops_the_job(
    ask: Ask, ours: SchemaStore, lake: Path, verdict: dict[str, Any], on_moved: str
) -> None:
    asked = "door(verdict, on_moved=on_moved)"
    (lake / "shop.db/orders/schema/schema-1").unlink()
    with pytest.raises(IncompatibleSchemaError, match="rolled the table back"):
        ask(asked, verdict=verdict, on_moved=on_moved)
    other = SchemaStore(lake.with_name("other"))
    other.create_table("shop.orders", "order_id STRING")
    other.table("shop.orders").evolve("ADD COLUMN x INT")
    shutil.copy(lake.with_name("other") / "shop.db/orders/schema/schema-1", lake / "shop.db/orders/schema")
    with pytest.raises(IncompatibleSchemaError, match="somebody wrote over it"):
        ask(asked, verdict=verdict, on_moved=on_moved)
    shutil.rmtree(lake / "shop.db")
    with pytest.raises(IncompatibleSchemaError, match="there is no schema file of it") as caught:
        ask(asked, verdict=verdict, on_moved=on_moved)
    assert caught.value.code == "door.gone"


def test_a_job_that_reads_an_older_version_is_not_stopped_by_newer_ones(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    verdict = checked(ours, "shop.orders", pinned=True)
    ours.table("shop.orders").evolve("DROP COLUMN amount", override="a test")
    assert ask("door(verdict)['shop.orders'][1]", verdict=verdict) == 1
    (lake / "shop.db/orders/schema/schema-1").unlink()
    with pytest.raises(IncompatibleSchemaError, match="no schema file"):
        ask("door(verdict)", verdict=verdict)


def test_a_table_of_mini_paimon_is_compared_by_its_own_file(ask: Ask, lake: Path) -> None:
    store = SchemaStore(lake, layout="mini-paimon")
    store.create_table("shop.orders", "id INT")
    verdict = checked(store, "shop.orders")
    assert ask("door(verdict)['shop.orders'][1]", verdict=verdict) == 0
    store.table("shop.orders").evolve("ADD COLUMN x INT")
    with pytest.raises(IncompatibleSchemaError):
        ask("door(verdict)", verdict=verdict)


def test_tables_that_were_let_pass_without_being_there_are_not_compared(ask: Ask, verdict: dict[str, Any]) -> None:
    missing = {"verdict": "warn", "fits": True, "findings": []}
    assert list(ask("door(verdict)", verdict={"tables": {**verdict, "shop.nope": missing}})) == ["shop.orders"]
    with pytest.raises(NotThereError, match="no table was handed over"):
        ask("door(verdict)", verdict={"tables": {"shop.nope": missing}})


DIGEST = "0" * 64


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", FormatError),
        ("{", FormatError),
        ("[]", FormatError),
        ("[" * 100_000, FormatError),
        (3, FormatError),
        ({}, NotThereError),
        ({"tables": [1]}, FormatError),
        ({"shop.orders": {"version": -1, "digest": DIGEST, "place": "/x"}}, FormatError),
        ({"shop.orders": {"version": "1", "digest": DIGEST, "place": "/x"}}, FormatError),
        ({"shop.orders": {"version": 1, "digest": "short", "place": "/x"}}, FormatError),
        ({"shop.orders": {"version": 1, "digest": DIGEST}}, FormatError),
        ({"shop.orders": {"version": 1, "digest": DIGEST, "place": "/x", "layout": "hudi"}}, FormatError),
        ({"../x": {"version": 1, "digest": DIGEST, "place": "/x"}}, FormatError),
        ({"shop.orders": {"version": 1, "digest": DIGEST, "place": "s3://key:topsecret@b/x/schema"}}, StorageError),
    ],
)
def test_what_is_no_verdict_never_opens_the_door(ask: Ask, said: object, kind: type[SchemaError]) -> None:
    with pytest.raises(kind) as caught:
        ask("door(verdict)", verdict=said)
    assert "topsecret" not in str(caught.value)
    assert caught.value.fix


def test_a_word_that_means_nothing_is_refused(ask: Ask, verdict: dict[str, Any]) -> None:
    with pytest.raises(ContractError, match="fail, judge, warn"):
        ask("door(verdict, on_moved='ignore')", verdict=verdict)


@pytest.mark.parametrize("nothing", [None, 3, "spark"])
def test_what_is_no_session_is_refused(ask: Ask, nothing: object, verdict: dict[str, Any]) -> None:
    for asked in ("assert_schema(nothing, verdict)", "assert_schema(nothing)"):
        with pytest.raises(StorageError) as caught:
            ask(asked, nothing=nothing, verdict=verdict)
        assert caught.value.code == "spark.no-session"


def test_a_job_needs_no_airflow_and_no_client_of_a_storage(classic: Any, verdict: dict[str, Any]) -> None:
    classic.ask("evaluate", expression="door(verdict)", verdict=verdict)
    loaded = {name.partition(".")[0] for name in classic.ask("evaluate", expression="modules()")}
    assert not loaded & {"airflow", "s3fs", "boto3", "gcsfs", "adlfs"}
