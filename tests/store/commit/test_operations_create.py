"""A table is created once, from whatever says what it is; and the first version of a plain folder's table lies in the registry."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import AlreadyThereError, FormatError, InvalidSchemaError, ReadOnlyError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.storage import commit_steps
from tests.support.stores import COLUMNS, at, bytes_of, lake, orders, written

FILE = """
table: shop.orders
owner: team-orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
primary_key: [order_id]
"""


def test_a_new_table_has_version_0_where_paimon_looks_for_it(tmp_path: Path) -> None:
    made = lake(tmp_path).create_table("shop.orders", COLUMNS, primary_keys=["order_id"])
    assert (made.outcome, made.number, made.created) == ("created", 0, True)
    assert Path(made.place) == tmp_path / "lake/shop.db/orders/schema/schema-0"
    assert TableSchema.from_json(Path(made.place).read_bytes()).content == made.schema.content
    assert set(bytes_of(tmp_path)) == {"lake/shop.db/orders/schema/schema-0"}


def test_what_a_table_is_can_be_said_in_many_forms(tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text(FILE)
    schema = TableSchema.create(COLUMNS, primary_keys=["order_id"])
    rows = [
        {"name": "order_id", "type": "BIGINT NOT NULL"},
        {"name": "cust_id", "type": "BIGINT"},
        {"name": "amount", "type": "DECIMAL(10, 2)"},
    ]
    store = lake(tmp_path)
    made = [
        store.create_table("shop.text", COLUMNS, primary_keys=["order_id"]),
        store.create_table("shop.rows", rows, primary_keys=["order_id"]),
        store.create_table("shop.schema", schema),
    ]
    assert {one.schema.content for one in made} == {schema.content}
    paths: list[Path | str] = [file, str(file)]
    for number, path in enumerate(paths):
        other = lake(tmp_path / str(number)).create_table("shop.orders", path).schema
        assert other.fields == schema.fields
        assert other.table_attributes["owner"] == "team-orders"


def test_creating_the_same_table_again_is_nothing_to_do(tmp_path: Path) -> None:
    store = lake(tmp_path)
    first, before = store.create_table("shop.orders", COLUMNS), bytes_of(tmp_path)
    again = store.create_table("shop.orders", COLUMNS)
    assert (again.outcome, again.created, again.number, again.digest) == ("unchanged", False, 0, first.digest)
    assert bytes_of(tmp_path) == before


def test_creating_it_again_after_it_evolved_says_which_version_it_was(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    again = store.create_table("shop.orders", COLUMNS, primary_keys=["order_id"])
    assert (again.outcome, again.number) == ("unchanged", 1)
    assert again.notes == ("exists at version 1; this definition is its version 0: nothing to do",)


def test_another_definition_under_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    with pytest.raises(AlreadyThereError, match="no version of it is this definition"):
        store.create_table("shop.orders", "a INT")
    assert table.numbers() == (0,)


def test_a_create_with_a_key_is_done_once_whatever_came_later(tmp_path: Path) -> None:
    store = lake(tmp_path)
    store.create_table("shop.orders", COLUMNS, key="run 1")
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    again = store.create_table("shop.orders", COLUMNS, key="run 1")
    assert (again.outcome, again.number) == ("already applied", 0)


def test_of_two_who_create_at_once_the_second_finds_the_table_there(tmp_path: Path) -> None:
    first, second = lake(tmp_path), lake(tmp_path)
    with at(commit_steps.JUDGED, lambda: second.create_table("shop.orders", COLUMNS)):
        made = first.create_table("shop.orders", COLUMNS)
    assert (made.outcome, made.attempts) == ("unchanged", 2)
    with at(commit_steps.JUDGED, lambda: second.create_table("shop.users", "a INT")), pytest.raises(AlreadyThereError):
        first.create_table("shop.users", COLUMNS)
    assert second.table("shop.users").schema().names == ("a",)


def test_a_table_file_about_another_table_creates_nothing(tmp_path: Path) -> None:
    store = lake(tmp_path)
    store.create_table("shop.users", COLUMNS, primary_keys=["order_id"])
    before = bytes_of(tmp_path)
    for name in ("shop.users", "shop.new"):
        with pytest.raises(RefusedNameError, match=r"about shop\.orders"):
            store.create_table(name, written(FILE))
        with pytest.raises(RefusedNameError, match=r"about shop\.orders"):
            lake(tmp_path / "other").adopt(name, "/data/users", written(FILE))
    assert bytes_of(tmp_path) == before


def test_a_schema_that_makes_no_sense_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    store = lake(tmp_path)
    with pytest.raises(SchemaError):
        store.create_table("shop.orders", "a INT, a STRING")
    broken = TableSchema(TableSchema.create("a INT").fields, 0, (), ("nope",))
    with pytest.raises(InvalidSchemaError):
        store.create_table("shop.orders", broken)
    assert not any((tmp_path / "lake").iterdir())


def test_a_folder_of_plain_files_is_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "lake/shop.db/events/dt=2026-01-01"
    data.mkdir(parents=True)
    (data / "part-0.parquet").write_bytes(b"PAR1")
    store, before = lake(tmp_path), bytes_of(tmp_path)
    with pytest.raises(AlreadyThereError, match="Adopt the table into the registry") as error:
        store.create_table("shop.events", "a INT")
    assert error.value.code == "table.data-folder"
    assert bytes_of(tmp_path) == before


# ---------------------------------------------------------------- adopting


def test_an_adopted_table_lies_in_the_registry_and_nothing_at_its_location(tmp_path: Path) -> None:
    data = tmp_path / "events/dt=2026-01-01"
    data.mkdir(parents=True)
    (data / "part-0.parquet").write_bytes(b"PAR1")
    before = bytes_of(tmp_path / "events")
    store = lake(tmp_path)
    made = store.adopt("web.events", str(tmp_path / "events"), "id BIGINT, dt STRING", format="orc")
    assert Path(made.place) == tmp_path / "lake/_schemas/web.db/events/schema/schema-0"
    assert made.schema.table_attributes == {"location": str(tmp_path / "events"), "format": "orc"}
    assert store.table("web.events").policy().readers == ("spark-4-orc",)
    store.table("web.events").evolve("ADD COLUMN url STRING")
    assert bytes_of(tmp_path / "events") == before


def test_adopting_twice_is_once(tmp_path: Path) -> None:
    store = lake(tmp_path)
    store.adopt("web.events", "s3://a/events", "id BIGINT")
    assert store.adopt("web.events", "s3://a/events", "id BIGINT").outcome == "unchanged"
    with pytest.raises(AlreadyThereError):
        store.adopt("web.events", "s3://b/events", "id BIGINT")


def test_one_registry_keeps_the_tables_of_many_buckets(tmp_path: Path) -> None:
    store = lake(tmp_path)
    for bucket in "abc":
        store.adopt(f"web.{bucket}", f"s3://bucket-{bucket}/events", "id BIGINT")
    assert store.tables("web") == ("a", "b", "c")
    locations = {store.table(f"web.{one}").schema().table_attributes["location"] for one in "abc"}
    assert locations == {f"s3://bucket-{one}/events" for one in "abc"}


@pytest.mark.parametrize("location", ["", "   ", None, 5])
def test_a_table_without_a_location_is_not_adopted(tmp_path: Path, location: str) -> None:
    with pytest.raises(FormatError, match="no location") as error:
        lake(tmp_path).adopt("web.events", location, "id BIGINT")
    assert error.value.fix
    assert not any((tmp_path / "lake").iterdir())


def test_a_table_whose_schemas_lie_beside_its_data_is_not_adopted(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    with pytest.raises(AlreadyThereError) as error:
        store.adopt("shop.orders", "/data", COLUMNS)
    assert error.value.code == "table.twice"


def test_a_table_that_was_asked_for_before_it_was_adopted_is_found_then(tmp_path: Path) -> None:
    store = lake(tmp_path)
    table = store.table("web.events")
    assert not table.exists()
    store.adopt("web.events", "s3://a/events", "id BIGINT")
    assert table.exists()
    assert table.latest().number == 0


# ---------------------------------------------------------------- where a mini table is refused


def test_what_mini_paimon_cannot_say_is_refused_all_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    store = lake(tmp_path, layout="mini-paimon")
    with pytest.raises(FormatError) as error:
        store.create_table("db.t", "a INT, b DATE, c ROW<x INT>, d ARRAY<TINYINT>")
    assert [one.path for one in error.value.faults] == ["b", "c", "d.element"]
    assert all(one.fix for one in error.value.faults)
    assert not any((tmp_path / "lake").iterdir())


def test_a_database_is_a_folder(tmp_path: Path) -> None:
    store = lake(tmp_path)
    store.create_database("shop")
    store.create_database("shop")
    assert store.databases() == ("shop",)
    assert (tmp_path / "lake/shop.db").is_dir()
    with pytest.raises(ReadOnlyError):
        lake(tmp_path, read_only=True).create_database("other")
    assert store.databases() == ("shop",)
