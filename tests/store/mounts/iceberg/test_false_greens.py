"""No gate over an Iceberg table is green about what was not looked at: whatever others do to it, the job that does not fit is stopped."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import IcebergMount, SchemaStore, judge
from tests.servers.iceberg_rest import Answer, IcebergRest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, metadata_files, sql_catalog
from tests.store.mounts.iceberg.support.other_writers import Json, OtherWriter, current
from tests.support.stores import lake

ORDERS = "shop.orders"
NEEDS = (
    "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2), addr ROW<city STRING>, tags ARRAY<BIGINT>, "
    "totals MAP<STRING, ROW<value BIGINT>>"
)


class World:
    """A table in a SQL catalog, a mount that reads it, and a job that has registered what it needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalog = sql_catalog(folder)
        self.other = OtherWriter(folder)
        self.create()
        self.mount = IcebergMount(sql_catalog(folder), NAMESPACE)
        self.store: SchemaStore = lake(folder / "registry", mounts={"shop": self.mount})
        self.store.table(ORDERS).register(NEEDS, consumer="daily")
        self.seen = self.store.table(ORDERS).latest()

    def create(self) -> None:
        from pyiceberg.schema import Schema
        from pyiceberg.types import DecimalType, ListType, LongType, MapType, NestedField, StringType, StructType

        value = StructType(NestedField(10, "value", LongType()))
        schema = Schema(
            NestedField(1, "order_id", LongType(), required=True),
            NestedField(2, "cust", StringType()),
            NestedField(3, "client", StringType()),
            NestedField(4, "amount", DecimalType(10, 2)),
            NestedField(5, "addr", StructType(NestedField(6, "city", StringType()))),
            NestedField(7, "tags", ListType(8, LongType(), element_required=False)),
            NestedField(9, "totals", MapType(11, StringType(), 12, value, value_required=False)),
        )
        self.catalog.create_table(ORDERS, schema)

    def change(self, *acts: Callable[[Any], Any]) -> None:
        for act in acts:
            with self.catalog.load_table(ORDERS).update_schema(allow_incompatible_changes=True) as update:
                act(update)

    def rules(self, needs: Any = "@registered") -> tuple[bool, list[str]]:
        """Return whether the table fits, and by which rules it does not."""
        since = {ORDERS: self.seen} if needs is None else None
        answer = judge(self.store, {ORDERS: needs}, consumer="daily", since=since)
        found = [finding.rule for finding in answer.reports[0].findings if finding.verdict is not Verdict.OK]
        return answer.fits, found


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def rename(old: str | tuple[str, ...], new: str) -> Callable[[Any], Any]:
    return lambda update: update.rename_column(old, new)


def drop(name: str | tuple[str, ...]) -> Callable[[Any], Any]:
    return lambda update: update.delete_column(name)


def add(name: str | tuple[str, ...]) -> Callable[[Any], Any]:
    from pyiceberg.types import StringType

    return lambda update: update.add_column(name, StringType())


def put(*place: str, value: object) -> Callable[[World], None]:
    """Return what writes another value into a column's JSON, as another writer would."""

    def edit(columns: dict[str, Json], schema: Json) -> None:
        node = columns[place[0]]
        for key in place[1:-1]:
            node = node[key]
        node[place[-1]] = value

    return lambda world: world.other.evolve(edit)


def old_schema_twice(world: World) -> None:
    """Commit another schema under the number of the first, as writers that lost a race have done."""

    def twin(file: Json) -> None:
        first = file["schemas"][0]
        file["schemas"].append(first | {"fields": first["fields"][1:]})

    world.change(add("coupon"))
    world.other.commit(twin)


def newest_metadata(world: World) -> Path:
    """Return the metadata file that another writer has just committed."""
    world.other.commit(lambda file: None)
    return Path(world.other.location().removeprefix("file://"))


# What others do, the rule of the registered job, the rule of a job that compares with what it has seen.
DONE: dict[str, tuple[Callable[[World], object], str, str]] = {
    "rename": (lambda world: world.change(rename("cust", "customer")), "EXPECT_FIELD_RENAMED", "FIELD_RENAMED"),
    "two columns change their names": (
        lambda world: world.change(rename("cust", "x"), rename("client", "cust"), rename("x", "client")),
        "EXPECT_FIELD_RENAMED",
        "FIELD_RENAMED",
    ),
    "drop": (lambda world: world.change(drop("cust")), "EXPECT_FIELD_MISSING", "FIELD_DROPPED"),
    "drop, and add under the same name": (lambda world: world.change(drop("cust"), add("cust")), "EXPECT_STALE_PIN", "FIELD_READDED"),
    "nested rename": (lambda world: world.change(rename(("addr", "city"), "town")), "EXPECT_FIELD_RENAMED", "FIELD_RENAMED"),
    "nested drop, and add": (
        lambda world: world.change(drop(("addr", "city")), add(("addr", "city"))),
        "EXPECT_STALE_PIN",
        "FIELD_READDED",
    ),
    "rename in the values of a map": (
        lambda world: world.change(rename(("totals", "value", "value"), "sum")),
        "EXPECT_FIELD_RENAMED",
        "FIELD_RENAMED",
    ),
    "optional": (
        lambda world: world.change(lambda update: update.make_column_optional("order_id")),
        "EXPECT_MAY_BE_NULL",
        "NULLABILITY_RELAXED",
    ),
    "wider": (put("amount", "type", value="decimal(12, 2)"), "EXPECT_TYPE_UNSAFE", "TYPE_WIDENED"),
    "other scale": (put("amount", "type", value="decimal(10, 4)"), "EXPECT_TYPE_UNSAFE", "DECIMAL_DIGITS_REDUCED"),
    "other element": (put("tags", "type", "element", value="string"), "EXPECT_TYPE_MISMATCH", "TYPE_STRINGIFIED"),
    "a type that nobody knows": (put("cust", "type", value="interval"), "EXPECT_TYPE_MISMATCH", "TYPE_CHANGED"),
    "unknown": (put("cust", "type", value="unknown"), "EXPECT_TYPE_MISMATCH", "TYPE_CHANGED"),
    "another id": (put("cust", "id", value=70), "EXPECT_STALE_PIN", "FIELD_READDED"),
    "dropped table": (lambda world: world.catalog.drop_table(ORDERS), "TABLE_MISSING", "TABLE_MISSING"),
    "an old schema twice": (old_schema_twice, "SCHEMA_ID_DUPLICATE", ""),
}


@pytest.mark.parametrize("done", DONE)
def test_what_others_do_to_a_table_stops_the_job_that_it_does_not_fit(world: World, done: str) -> None:
    act, of_contract, of_change = DONE[done]
    assert world.rules() == (True, [])
    assert world.rules(None) == (True, [])
    act(world)
    for needs in ("@registered", NEEDS):  # the same needs in the text of a DAG mean the fields that they meant
        fits, rules = world.rules(needs)
        assert not fits
        assert of_contract in rules
    if of_change:
        fits, rules = world.rules(None)
        assert not fits
        assert of_change in rules


# What is seen by who compares with what was there: a contract by names and types cannot tell.
CHANGED: dict[str, tuple[Callable[[World], object], str]] = {
    "narrower": (put("order_id", "type", value="int"), "TYPE_NARROWED"),
    # Spark reads a uuid as a string; that files of strings are there is a warning, as of each change that Iceberg never allows.
    "uuid": (put("cust", "type", value="uuid"), "TYPE_CHANGED"),
    "fewer digits": (put("amount", "type", value="decimal(8, 2)"), "DECIMAL_DIGITS_REDUCED"),
    "another id of elements": (put("tags", "type", "element-id", value=70), "FIELD_READDED"),
    "another id of keys": (put("totals", "type", "key-id", value=70), "FIELD_READDED"),
    "old rows have another value": (put("cust", "initial-default", value="none"), "READ_DEFAULT_CHANGED"),
    "another schema under the same number": (
        lambda world: world.other.commit(lambda file: current(file)["fields"].pop(2)),
        "VERSION_REWOUND",
    ),
}


@pytest.mark.parametrize("done", CHANGED)
def test_what_changed_since_is_told_where_names_and_types_still_fit(world: World, done: str) -> None:
    act, rule = CHANGED[done]
    act(world)
    assert world.rules()[0]
    fits, rules = world.rules(None)
    assert not fits
    assert rule in rules


UNCLEAR: dict[str, Callable[[World], object]] = {
    "the current schema twice": lambda world: world.other.commit(
        lambda file: file["schemas"].append(current(file) | {"fields": current(file)["fields"][1:]})
    ),
    "no current schema": lambda world: world.other.commit(lambda file: file.update({"current-schema-id": 12})),
    "a version of the format that nobody knows": lambda world: world.other.commit(lambda file: file.update({"format-version": 9})),
    "two columns of one name": lambda world: world.other.evolve(
        lambda columns, schema: schema["fields"].append(columns["cust"] | {"id": 60})
    ),
    "metadata that are none": lambda world: newest_metadata(world).write_text("{"),
    "metadata that are gone": lambda world: newest_metadata(world).rename(world.folder / "elsewhere"),
    "a catalog that is none": lambda world: (world.folder / "catalog.db").write_bytes(b"no database" * 500),
}


@pytest.mark.parametrize("done", UNCLEAR)
def test_what_is_not_clear_is_an_error_and_no_answer(world: World, done: str) -> None:
    assert world.rules() == (True, [])
    UNCLEAR[done](world)
    for needs in ("@registered", None, NEEDS):
        with pytest.raises(SchemaError) as caught:
            world.rules(needs)
        assert caught.value.fix


def test_needs_of_nobody_and_other_needs_are_judged_by_name(world: World) -> None:
    world.change(drop("cust"), add("cust"))
    assert judge(world.store, {ORDERS: NEEDS}).fits
    assert judge(world.store, {ORDERS: "cust STRING"}, consumer="daily").fits
    assert judge(world.store, {ORDERS: NEEDS}, consumer="hourly").fits
    assert judge(world.store, {ORDERS: NEEDS}, consumer="no/name").fits


def test_a_table_that_went_there_and_back_fits_again(world: World) -> None:
    world.change(rename("cust", "customer"))
    assert not world.rules()[0]
    world.change(rename("customer", "cust"))
    assert world.rules() == (True, [])
    assert world.rules(None) == (True, [])


def test_a_table_that_was_dropped_and_made_again_alike_is_asked_about(world: World) -> None:
    world.catalog.drop_table(ORDERS)
    world.create()
    assert world.rules() == (True, ["TABLE_REPLACED"])
    assert world.rules(None) == (True, ["TABLE_REPLACED"])


def test_a_counter_of_columns_that_is_too_small_is_told(world: World) -> None:
    world.other.commit(lambda file: file.update({"last-column-id": 3}))
    assert world.rules() == (True, ["LAST_COLUMN_ID_LOW"])


def test_a_table_that_is_mounted_by_one_file_says_so_and_is_read_again(world: World) -> None:
    place = Path(world.other.location().removeprefix("file://"))
    fixed = lake(world.folder / "fixed", mounts={"shop": IcebergMount(f"file://{place}")})
    answer = judge(fixed, {ORDERS: NEEDS})
    assert (answer.fits, answer.verdict) == (True, Verdict.WARN)
    assert answer.reports[0].findings[0].fault == "iceberg.head-by-file"
    place.write_text(place.read_text().replace('"cust"', '"customer"'))
    assert not judge(fixed, {ORDERS: NEEDS}).fits


@pytest.mark.parametrize("etag", ['"always the same"', ""])
def test_an_answer_of_a_rest_catalog_counts_and_not_the_name_that_it_has(rested: Lake, rest: IcebergRest, etag: str) -> None:
    table = rested.create()
    store = SchemaStore(rested.folder, mounts={"shop": rested.mount})
    for name, fits in (("cust", True), ("customer", False)):
        metadata = json.loads(table.metadata.model_dump_json().replace('"cust"', f'"{name}"'))
        rest.forged = Answer(200, {"metadata-location": table.metadata_location, "metadata": metadata}, etag)
        assert judge(store, {ORDERS: "cust STRING"}).fits is fits


def test_a_file_of_a_folder_that_was_written_again_is_read_again(folder: Lake) -> None:
    folder.create()
    (place,) = metadata_files(folder.folder)
    store = SchemaStore(folder.folder, mounts={"shop": folder.mount})
    assert judge(store, {ORDERS: "cust STRING"}).fits
    place.write_text(place.read_text().replace('"cust"', '"customer"'))
    assert not judge(store, {ORDERS: "cust STRING"}).fits
