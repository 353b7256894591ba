"""We are guests of plain Parquet folders: after everything that can be done to such a table, nothing of ours was ever there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.interop.support.plain_folders import COLUMNS, TABLE, adopted, everything, listing, typed
from tests.support.companion import Companion, RefusedThereError

ROWS = [{"id": number, "name": f"n{number}", "dt": f"2025-01-0{number}"} for number in (1, 2, 3)]
LAYOUTS: Mapping[str, list[str]] = {"partitioned": ["dt"], "flat": []}
SCHEMA = "id BIGINT, name STRING, dt STRING"


class Place(NamedTuple):
    """Where the data lie below a folder, the registry if it is not in the warehouse, and the layout if it is said."""

    data: str
    registry: str = ""
    layout: str = ""

    def store(self, top: Path) -> SchemaStore:
        return SchemaStore(top / "lake", registry=top / self.registry if self.registry else None, layout=self.layout or None)


PLACES: Mapping[str, Place] = {
    "a registry elsewhere": Place("bucket/orders", "registry"),
    "a registry alone": Place("bucket/orders", layout="registry"),
    "the warehouse above the data": Place("lake/orders"),
    "where a Paimon table would lie": Place("lake/shop.db/orders"),
    "where a Mini Paimon table would lie": Place("lake/shop/orders", layout="mini-paimon"),
}


class Guest(NamedTuple):
    """A store, and a folder of data that it is a guest of."""

    store: SchemaStore
    folder: Path
    layout: str


@pytest.fixture(params=LAYOUTS)
def partition(request: pytest.FixtureRequest) -> list[str]:
    return LAYOUTS[request.param]


@pytest.fixture(params=PLACES)
def guest(request: pytest.FixtureRequest, tmp_path: Path, spark: Companion, partition: list[str]) -> Guest:
    place = PLACES[request.param]
    spark.ask("write", folder=str(tmp_path / place.data), rows=ROWS, partition=partition)
    return Guest(place.store(tmp_path), tmp_path / place.data, place.layout)


def read(spark: Companion, folder: Path) -> list[Any]:
    """The rows in every way that plain readers read them."""
    return [
        spark.ask("pyarrow", folder=str(folder)),
        spark.ask("spark", folder=str(folder)),
        spark.ask("spark", folder=str(folder), schema=SCHEMA),
        spark.ask("spark", folder=str(folder), options={"mergeSchema": "true"}),
        spark.ask("spark sql", folder=str(folder)),
    ]


def test_after_everything_the_store_can_do_the_folder_is_as_it_was(guest: Guest, spark: Companion) -> None:
    store, folder, _ = guest
    rows, before = read(spark, folder), listing(folder)
    everything(store, str(folder))
    assert listing(folder) == before
    assert read(spark, folder) == rows


def test_after_every_command_the_folder_is_as_it_was(guest: Guest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, folder, layout = guest
    before = listing(folder)
    (tmp_path / "typed").mkdir()
    ended = typed(store, layout, tmp_path / "typed", str(folder))
    assert {line[0]: code for line, code in ended.items() if code == 2} == {}, capsys.readouterr().err
    assert listing(folder) == before


def test_after_an_overwrite_by_spark_every_version_is_still_there(guest: Guest, spark: Companion, partition: list[str]) -> None:
    store, folder, layout = guest
    adopted(store, str(folder))
    table = store.table(TABLE)
    table.evolve("ADD COLUMN coupon STRING")
    table.register("id BIGINT", consumer="report")
    known = table.versions()
    spark.ask("spark write", folder=str(folder), rows=ROWS[:1], schema=SCHEMA, mode="overwrite", partition=partition)
    anew = SchemaStore(store.url, registry=store.registry.url, layout=layout or None)
    assert [one.digest for one in anew.table(TABLE).versions()] == [one.digest for one in known]
    assert len(table.contracts()) == 1
    assert [row["id"] for row in spark.ask("spark", folder=str(folder))] == [1]
    spark.ask("spark write", folder=str(folder), rows=ROWS[1:], schema=SCHEMA, mode="append", partition=partition)
    assert table.evolve("ADD COLUMN more INT").number == 2
    assert [row["id"] for row in spark.ask("pyarrow", folder=str(folder))] == [1, 2, 3]


def test_one_schema_file_in_a_partitioned_folder_would_stop_its_readers(tmp_path: Path, spark: Companion) -> None:
    """Why nothing of ours may lie there."""
    spark.ask("write", folder=str(tmp_path / "orders"), rows=ROWS, partition=["dt"])
    (tmp_path / "orders/schema").mkdir()
    (tmp_path / "orders/schema/schema-0").write_text("{}")
    with pytest.raises(RefusedThereError, match="CONFLICTING_DIRECTORY_STRUCTURES"):
        spark.ask("spark", folder=str(tmp_path / "orders"))
    with pytest.raises(RefusedThereError, match="Parquet"):
        spark.ask("pyarrow", folder=str(tmp_path / "orders"))


def test_a_paimon_table_is_not_made_where_plain_files_lie(tmp_path: Path, spark: Companion, partition: list[str]) -> None:
    folder = tmp_path / "lake/shop.db/orders"
    spark.ask("write", folder=str(folder), rows=ROWS, partition=partition)
    before = listing(tmp_path)
    for layout in ("paimon", None):
        with pytest.raises(AlreadyThereError, match="Adopt the table") as refused:
            SchemaStore(tmp_path / "lake", layout=layout).create_table(TABLE, COLUMNS)
        assert refused.value.faults[0].code == "table.data-folder"
    assert listing(tmp_path) == before


OTHERS: Mapping[str, list[str]] = {
    "Iceberg": ["metadata/v1.metadata.json", "data/part-0.parquet"],
    "Iceberg without data": ["metadata/v1.metadata.json"],
    "Delta": ["_delta_log/00000000000000000000.json", "part-0.parquet"],
    "Delta without data": ["_delta_log/00000000000000000000.json"],
    "Hudi without data": [".hoodie/hoodie.properties"],
    "a job that failed": ["_temporary/0/part-0.parquet", "part-1.parquet"],
    "partitions in which nothing lies": ["dt=1/_SUCCESS"],
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("layout", ["paimon", "mini-paimon"])
def test_no_table_is_made_in_the_folder_of_another_format(tmp_path: Path, files: list[str], layout: str) -> None:
    for file in files:
        path = tmp_path / ("shop.db" if layout == "paimon" else "shop") / "orders" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}")
    before = listing(tmp_path)
    with pytest.raises(AlreadyThereError, match="Adopt the table"):
        SchemaStore(tmp_path, layout=layout).create_table(TABLE, COLUMNS)
    assert listing(tmp_path) == before


def test_a_table_without_data_is_made_in_a_folder_that_is_empty_or_hidden(tmp_path: Path) -> None:
    (tmp_path / "shop.db/orders").mkdir(parents=True)
    (tmp_path / "shop.db/orders/_SUCCESS").touch()
    assert SchemaStore(tmp_path).create_table(TABLE, COLUMNS).created


INSIDE: Mapping[str, tuple[str, str, str]] = {
    "the registry below the data": ("lake", "lake/_schemas", "lake"),
    "the registry deep below the data": ("other", "lake/orders/a/b", "lake/orders"),
    "the data where the registry would put the schemas": ("other", "lake", "lake/shop.db/orders"),
    "the data below that": ("other", "lake", "lake/shop.db/orders/data"),
}


@pytest.mark.parametrize(("warehouse", "registry", "location"), INSIDE.values(), ids=INSIDE)
@pytest.mark.parametrize("spelled", ["{}", "file://{}", "{}/", "{}/x/.."])
def test_a_registry_that_lies_with_the_data_is_refused(tmp_path: Path, warehouse: str, registry: str, location: str, spelled: str) -> None:
    folder = tmp_path / location
    folder.mkdir(parents=True)
    (folder / "part-0.parquet").write_bytes(b"PAR1")
    before = listing(tmp_path)
    store = SchemaStore(tmp_path / warehouse, registry=tmp_path / registry, layout="registry")
    with pytest.raises(SchemaError):
        store.adopt(TABLE, spelled.format(folder), COLUMNS)
    assert listing(tmp_path) == before
