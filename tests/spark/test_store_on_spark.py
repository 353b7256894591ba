"""A store on a Spark session: the same answers as without Spark, read as the session reads; and what Spark cannot do, in words."""

import shutil
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import (
    NotThereError,
    ReadOnlyError,
    SchemaFileError,
    StorageError,
)
from airflow_provider_schemas.store import SchemaStore
from tests.spark.conftest import Ask

TABLE = "store(lake).table('shop.orders')"


def test_versions_and_history_are_those_that_the_files_hold(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    table = ours.table("shop.orders")
    assert ask(f"{TABLE}.latest()", lake=lake) == table.latest()
    assert ask(f"list({TABLE}.versions())", lake=lake) == list(table.versions())
    assert ask(f"str({TABLE}.history())", lake=lake) == str(table.history())
    assert ask(f"{TABLE}.version(0).digest", lake=lake) == table.version(0).digest


@pytest.mark.parametrize("about", [{}, {"layout": "paimon"}])
def test_the_newest_version_takes_one_listing_and_one_read(ask: Ask, ours: SchemaStore, lake: Path, about: dict[str, str]) -> None:
    asked = "[opened := store(lake, **about), opened.table('shop.orders').latest(), opened.warehouse.count.snapshot()][-1]"
    assert ask(asked, lake=lake, about=about) == (1, 1, 0)


def test_a_version_that_was_written_just_now_is_seen(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    assert ask(f"{TABLE}.latest().number", lake=lake) == 1
    ours.table("shop.orders").evolve("ADD COLUMN later STRING")
    assert ask(f"{TABLE}.latest().number", lake=lake) == 2


def test_tables_of_a_registry_and_branches_are_found(ask: Ask, ours: SchemaStore, lake: Path, tmp_path: Path) -> None:
    ours.adopt("ext.web", "/data/web", "id INT")
    ours.table("shop.orders").create_branch("dev").evolve("ADD COLUMN tried STRING")
    assert ask("store(lake).table('ext.web').schema().names", lake=lake) == ("id",)
    assert ask("store(lake).table('shop.orders').branch('dev').latest().number", lake=lake) == 2
    assert ask("store(lake).table('shop.orders').branches()", lake=lake) == ("dev",)
    elsewhere = SchemaStore(tmp_path / "empty", registry=tmp_path / "registry")
    elsewhere.adopt("ext.pages", "/data/pages", "id INT")
    opened = "store(lake, registry=registry).table('ext.pages').exists()"
    assert ask(opened, lake=tmp_path / "empty", registry=tmp_path / "registry")


def test_contracts_policies_and_waivers_are_read_and_a_job_is_judged(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    table = ours.table("shop.orders")
    table.register({"columns": {"cust_id": "BIGINT"}}, consumer="report")
    table.waive("FIELD_DROPPED", "amount", until="2999-01-01", reason="moved away")
    ours.save_policy({"protect": {"writers": "block"}})
    for one in ("contracts()", "waivers()", "policy()"):
        assert ask(f"{TABLE}.{one}", lake=lake) == getattr(table, one[:-2])()
    asked = "judge(store(lake), {'shop.orders': '@registered'}, consumer='report').fits"
    assert ask(asked, lake=lake)
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    assert not ask(asked, lake=lake)


def test_names_that_spark_could_read_otherwise_are_taken_as_they_are(ask: Ask, tmp_path: Path) -> None:
    odd = tmp_path / "a {b,c}[d]*? %20 é"
    SchemaStore(odd).create_table("shop.a b=c", "id INT")
    shutil.copytree(odd, tmp_path / "a b")  # what a pattern would find
    assert ask("store(lake).table('shop.a b=c').latest().number", lake=odd) == 0


def test_nothing_is_written(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    for attempt in (
        f"{TABLE}.evolve('ADD COLUMN x INT')",
        "store(lake).create_table('shop.new', 'id INT')",
        f"{TABLE}.waive('FIELD_DROPPED', until='2999-01-01', reason='none')",
        "files(lake).put('x', b'')",
        "files(lake).create('x', b'')",
        "files(lake).delete('shop.db/orders/schema/schema-1')",
    ):
        with pytest.raises(ReadOnlyError, match="read only"):
            ask(attempt, lake=lake)
    assert ours.table("shop.orders").numbers() == (0, 1)


# ---------------------------------------------------------------- what Spark hides


def test_mini_paimon_is_refused_in_words_where_a_version_is_whole_only_with_a_hidden_file(ask: Ask, lake: Path) -> None:
    SchemaStore(lake, layout="mini-paimon").create_table("shop.orders", "id INT")
    for about in ({}, {"layout": "mini-paimon"}):
        with pytest.raises(StorageError, match="hides files whose names begin with a dot") as caught:
            ask("store(lake, **about).table('shop.orders').latest()", lake=lake, about=about)
        assert caught.value.code == "spark.hidden"
    for hidden in (lake / "shop/orders/schema").glob(".more-*"):
        hidden.unlink()
    assert ask("store(lake).table('shop.orders').schema().names", lake=lake) == ("id",)


@pytest.mark.parametrize("asked", ["databases()", "tables('shop')"])
def test_folders_with_data_below_them_are_not_listed(ask: Ask, ours: SchemaStore, lake: Path, asked: str) -> None:
    with pytest.raises(StorageError, match="Spark lists a folder with all that lies below it") as caught:
        ask(f"store(lake).{asked}", lake=lake)
    assert caught.value.code == "spark.no-listing"


# ---------------------------------------------------------------- what is not there, or not readable


def test_a_table_or_version_that_is_not_there_is_said_to_be_missing(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    for asked in ("store(lake).table('shop.nope').latest()", f"{TABLE}.version(9)", "files(lake).read('shop.db/orders/nope')"):
        with pytest.raises(NotThereError):
            ask(asked, lake=lake)
    assert not ask("store(lake).exists('shop.nope')", lake=lake)


def test_an_empty_file_is_no_version_and_not_passed_over(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    (lake / "shop.db/orders/schema/schema-2").touch()
    assert ask(f"{TABLE}.numbers()", lake=lake) == (0, 1, 2)
    with pytest.raises(SchemaFileError):
        ask(f"{TABLE}.latest()", lake=lake)


def test_a_folder_that_bears_the_name_of_a_version_is_no_file(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    folder = lake / "shop.db/orders/schema/schema-7"
    folder.mkdir()
    (folder / "schema-7").write_text("{}")
    assert ask(f"{TABLE}.latest().number", lake=lake) == 1
    with pytest.raises(StorageError, match="is no file"):
        ask("files(lake).read('shop.db/orders/schema')", lake=lake)


def test_a_file_beyond_the_limit_is_not_read(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    with pytest.raises(StorageError) as caught:
        ask("files(lake).read('shop.db/orders/schema/schema-0', 10)", lake=lake)
    assert caught.value.code == "storage.too-large"


def test_of_several_files_each_says_what_is_wrong_with_it(ask: Ask, ours: SchemaStore, lake: Path) -> None:
    folder = "shop.db/orders/schema"
    paths = [f"{folder}/schema-0", f"{folder}/schema-1", f"{folder}/schema-5", "nope/a", "nope/b"]
    found = ask("dict(files(lake).read_many(paths))", lake=lake, paths=paths)
    assert [found[path] for path in paths[:2]] == [(lake / path).read_bytes() for path in paths[:2]]
    assert {type(found[path]) for path in paths[2:]} == {NotThereError}
    assert list(found) == paths


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("s3://bucket/lake", "storage.missing-extra"),
        ("s3a://bucket/lake", "storage.missing-extra"),
        ("memory://lake", "storage.missing-extra"),
        ("hdfs://nobody.invalid:8020/lake", "storage.unreachable"),
        ("lake", "storage.no-address"),
        ("", "storage.no-address"),
        (7, "storage.no-address"),
    ],
)
def test_a_storage_that_spark_cannot_read_is_an_error_and_no_missing_table(ask: Ask, url: object, code: str) -> None:
    with pytest.raises(StorageError) as caught:
        ask("store(url).table('shop.orders').latest()", url=url)
    assert caught.value.code == code


def test_no_secret_is_told(ask: Ask) -> None:
    with pytest.raises(StorageError) as caught:
        ask("store('s3://key:topsecret@bucket/lake').table('shop.orders').latest()")
    assert "topsecret" not in str(caught.value)
    assert "topsecret" not in ask("repr(store('s3://key:topsecret@bucket/lake'))")
