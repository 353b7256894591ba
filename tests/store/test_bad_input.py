"""Whatever lies in a store and whatever is asked of it: a clear error that says what to do, nothing written, nothing lost."""

import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.errors import NotThereError, SchemaError, SchemaFileError, StorageError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.storage.numbered_files import MAX_NUMBER, Numbered
from airflow_provider_schemas.store.table import Table
from tests.support.stores import bytes_of, columns, lake, orders


def grown(folder: Path) -> Table:
    table = orders(lake(folder))
    table.evolve("ADD COLUMN coupon STRING")
    return table


def schema_folder(folder: Path) -> Path:
    return folder / "lake/shop.db/orders/schema"


def told(error: SchemaError) -> SchemaError:
    """The error, if each of its faults is a sentence and says what to do."""
    assert all(one.message and one.fix for one in error.faults), error.faults
    return error


def refused(call: Callable[[], object]) -> SchemaError:
    """The error of ours that comes; each of its faults says what to do."""
    with pytest.raises(SchemaError) as error:
        call()
    return told(error.value)


# ---------------------------------------------------------------- files that are no schemas

BAD: dict[str, bytes] = {
    "empty": b"",
    "truncated": b'{"version":3,"id":1,"fie',
    "no JSON": b"hello",
    "another JSON": b"[]",
    "a number": b"5",
    "no text": bytes(range(256)),
    "UTF-16": '{"id":1}'.encode("utf-16"),
    "Parquet": b"PAR1\x15\x04\x15",
    "nulls": b"\x00" * 4_096,
    "deep": b"[" * 100_000,
    "a huge number": b'{"version":3,"id":1' + b"0" * 10_000 + b"}",
    "half a character": b'{"version":3,"id":1,"fields":[{"id":0,"name":"\\ud800","type":"INT"}],"highestFieldId":0}',
    "another layout": b'{"schemaId":1,"fields":[],"primaryKeys":[],"partitionKeys":[]}',
    "no columns": b'{"version":3,"id":1}',
}


@pytest.mark.parametrize("kind", BAD)
def test_a_newest_file_that_is_no_schema_is_an_error_that_names_it(tmp_path: Path, kind: str) -> None:
    grown(tmp_path)
    (schema_folder(tmp_path) / "schema-1").write_bytes(BAD[kind])
    table, before = lake(tmp_path).table("shop.orders"), bytes_of(tmp_path)
    doors: list[Callable[[], object]] = [
        table.latest,
        table.schema,
        table.history,
        table.versions,
        table.policy,
        lambda: table.evolve("ADD COLUMN a INT"),
        lambda: table.plan("ADD COLUMN a INT"),
        lambda: table.restore(0),
        lambda: judge(lake(tmp_path), {"shop.orders": "order_id BIGINT"}),
        lambda: lake(tmp_path).create_table("shop.orders", "a INT"),
    ]
    for door in doors:
        assert str(schema_folder(tmp_path) / "schema-1") in str(refused(door))
    assert bytes_of(tmp_path) == before
    assert (table.numbers(), table.version(0).number, table.exists(), table.changed_since(0).newer) == ((0, 1), 0, True, (1,))


@pytest.mark.parametrize("kind", BAD)
def test_an_older_file_that_is_no_schema_stops_changes_and_no_reader_of_the_newest(tmp_path: Path, kind: str) -> None:
    grown(tmp_path)
    (schema_folder(tmp_path) / "schema-0").write_bytes(BAD[kind])
    table, before = lake(tmp_path).table("shop.orders"), bytes_of(tmp_path)
    assert list(columns(table)) == ["order_id", "cust_id", "amount", "coupon"]
    assert judge(lake(tmp_path), {"shop.orders": "order_id BIGINT"}).fits
    assert "schema-0" in str(refused(lambda: table.evolve("ADD COLUMN a INT")))
    assert bytes_of(tmp_path) == before


def test_a_file_under_another_number_is_no_version_of_it(tmp_path: Path) -> None:
    grown(tmp_path)
    (schema_folder(tmp_path) / "schema-2").write_bytes((schema_folder(tmp_path) / "schema-1").read_bytes())
    error = refused(lake(tmp_path).table("shop.orders").latest)
    assert isinstance(error, SchemaFileError)
    assert error.code == "schema.wrong-id"


def test_a_file_that_is_too_large_is_not_read_into_memory(tmp_path: Path) -> None:
    table = grown(tmp_path)
    with (schema_folder(tmp_path) / "schema-2").open("wb") as file:
        file.truncate(MAX_BYTES * 40)  # a hole that takes no room
    error = refused(table.latest)
    assert isinstance(error, StorageError)
    assert error.code == "storage.too-large"


# ---------------------------------------------------------------- names that are no versions


@pytest.mark.parametrize(
    "name",
    [
        "schema-007",
        "schema-+2",
        "schema--2",
        "schema-2 ",
        "schema-2.json",
        "schema-２",
        "schema-1_0",
        "schema-0x2",
        "schema-2e0",
        "Schema-2",
        "schema2",
        "schema-99999999999999999999",
        f"schema-{MAX_NUMBER + 1}",
        "schema-",
        ".schema-2",
        "xschema-2",
        "schema-2\n",
    ],
)
def test_a_name_that_is_no_number_is_ignored(tmp_path: Path, name: str) -> None:
    table = grown(tmp_path)
    (schema_folder(tmp_path) / name).write_text("not ours")
    assert table.numbers() == (0, 1)
    assert table.evolve("ADD COLUMN a INT").number == 2
    assert (schema_folder(tmp_path) / name).read_text() == "not ours"


def test_a_folder_in_the_place_of_the_next_version_is_told_and_left_alone(tmp_path: Path) -> None:
    table = grown(tmp_path)
    (schema_folder(tmp_path) / "schema-2/inside").mkdir(parents=True)
    assert table.latest().number == 1
    assert refused(lambda: table.evolve("ADD COLUMN a INT")).code == "version.in-the-way"
    assert (schema_folder(tmp_path) / "schema-2/inside").is_dir()
    (schema_folder(tmp_path) / "schema-9").mkdir()
    assert table.numbers() == (0, 1)


@pytest.mark.parametrize("target", ["/nowhere/at/all", "schema-2"])
def test_a_link_that_leads_nowhere_or_to_itself_is_told_and_left_alone(tmp_path: Path, target: str) -> None:
    table = grown(tmp_path)
    link = schema_folder(tmp_path) / "schema-2"
    link.symlink_to(target)
    error = refused(lambda: table.evolve("ADD COLUMN a INT"))
    assert "schema-2" in str(error)
    assert link.readlink() == Path(target)
    assert sorted(os.listdir(schema_folder(tmp_path))) == ["schema-0", "schema-1", "schema-2"]  # noqa: PTH208  # links that lead nowhere, too


def test_folders_that_lead_in_a_circle_are_told(tmp_path: Path) -> None:
    store = lake(tmp_path)
    (tmp_path / "lake/shop.db").mkdir(parents=True)
    (tmp_path / "lake/shop.db/orders").symlink_to("orders")
    refused(lambda: store.create_table("shop.orders", "a INT"))
    assert (tmp_path / "lake/shop.db/orders").is_symlink()


def test_a_file_where_a_folder_should_be_is_told(tmp_path: Path) -> None:
    store = lake(tmp_path)
    (tmp_path / "lake/shop.db").mkdir(parents=True)
    (tmp_path / "lake/shop.db/orders").write_text("a file")
    refused(lambda: store.create_table("shop.orders", "a INT"))
    assert bytes_of(tmp_path) == {"lake/shop.db/orders": b"a file"}
    (tmp_path / "other").write_text("a file")
    refused(lambda: SchemaStore(tmp_path / "other").create_table("shop.orders", "a INT"))


def test_no_schema_file_at_all_is_no_table(tmp_path: Path) -> None:
    schema_folder(tmp_path).mkdir(parents=True)
    store = lake(tmp_path)
    assert (store.exists("shop.orders"), store.tables("shop")) == (False, ("orders",))
    assert isinstance(refused(store.table("shop.orders").latest), NotThereError)


def test_the_highest_number_that_there_is_has_no_successor(tmp_path: Path) -> None:
    store = lake(tmp_path)
    numbers = Numbered(store.registry, "plans/x", "n-")
    numbers.create(MAX_NUMBER, b"x")
    assert refused(lambda: numbers.add(b"y")).code == "version.no-number"
    assert numbers.numbers() == [MAX_NUMBER]


# ---------------------------------------------------------------- arguments

NONSENSE: list[Any] = [5, 1.5, b"x", [5], {"a": 5}, object(), {1, 2}, (1, 2, 3)]


@pytest.mark.parametrize("wrong", NONSENSE, ids=lambda one: type(one).__name__)
def test_what_no_argument_can_be_is_told_so_and_nothing_is_written(tmp_path: Path, wrong: Any) -> None:
    table = grown(tmp_path)
    store, before = lake(tmp_path), bytes_of(tmp_path)
    add = "ADD COLUMN a INT"
    doors: list[Callable[[], object]] = [
        *(lambda what=what: table.evolve(add, **{what: wrong}) for what in ("actor", "run", "approval", "override", "key", "policy")),
        *(
            lambda what=what: store.create_table("shop.t", "a INT", **{what: wrong})
            for what in ("actor", "run", "approval", "override", "key")
        ),
        lambda: table.evolve(wrong),
        lambda: table.plan(wrong),
        lambda: table.plan(target=wrong),
        lambda: table.evolve(add, evidence=wrong),
        lambda: table.plan(add, policy=wrong),
        lambda: table.plan(add, override=wrong),
        lambda: table.restore_plan(wrong),
        lambda: table.restore(wrong),
        lambda: table.evolve(add, expected_version=wrong),
        lambda: table.version(wrong),
        lambda: table.apply(wrong),
        lambda: table.saved_plan(wrong),
        lambda: table.expire(wrong),
        lambda: table.bind(wrong, 0),
        lambda: table.bind("/x", wrong),
        lambda: table.create_branch(wrong),
        lambda: table.create_branch("b", wrong),
        lambda: table.register(wrong, consumer="c"),
        lambda: table.register("amount DECIMAL(10, 2)", consumer=wrong),
        lambda: table.remove_contract(wrong),
        lambda: table.waive(wrong, until="2999-01-01", reason="x"),
        lambda: table.waive("FIELD_DROPPED", until=wrong, reason="x"),
        lambda: store.create_table(wrong, "a INT"),
        lambda: store.create_table("shop.t", wrong),
        lambda: store.create_table("shop.t", "a INT", primary_keys=wrong),
        lambda: store.create_table("shop.t", "a INT", comment=wrong),
        lambda: store.adopt("web.e", wrong, "a INT"),
        lambda: store.adopt("web.e", "/x", wrong),
        lambda: store.adopt("web.e", "/x", "a INT", format=wrong),
    ]
    for door in doors:
        refused(door)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize("what", ["actor", "run", "approval", "override", "key"])
@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_character_is_no_text(tmp_path: Path, what: str, text: str) -> None:
    table = grown(tmp_path)
    refused(lambda: table.evolve("ADD COLUMN a INT", **{what: text}))  # type: ignore[arg-type]  # any of them
    assert table.numbers() == (0, 1)


@pytest.mark.parametrize("text", ["a\0b", "é" * 500, "\n\t", '"}{', "*/ drop", "x" * 4_096])
def test_any_other_text_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    table = grown(tmp_path)
    table.evolve("ADD COLUMN a INT", key=text, run=text, actor="ana")
    again = lake(tmp_path).table("shop.orders")
    provenance = again.latest().provenance
    assert provenance is not None
    assert (provenance.key, provenance.actor) == (text, "ana")
    assert again.evolve("ADD COLUMN a INT", key=text).outcome == "already applied"


def test_a_key_that_is_no_key_but_a_document_is_refused(tmp_path: Path) -> None:
    table = grown(tmp_path)
    assert refused(lambda: table.evolve("ADD COLUMN a INT", key="x" * 5_000)).code == "argument.too-long"


def test_a_table_file_that_is_not_there_or_none_is_told_so(tmp_path: Path) -> None:
    table = grown(tmp_path)
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "broken.yaml").write_text("table: [")
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    for path in ("nowhere.yaml", "folder.yaml", "broken.yaml", "binary.yaml", "a\0b.yaml"):
        refused(lambda path=path: table.plan(target=str(tmp_path / path)))  # type: ignore[misc]  # the path of this round


# ---------------------------------------------------------------- any bytes, anything


def in_memory(data: bytes, layout: str) -> tuple[SchemaStore, Table]:
    store = SchemaStore(f"memory://{uuid.uuid4().hex}", layout=layout)
    store.create_table("shop.orders", "a INT, b STRING")
    table = store.table("shop.orders")
    store.table("shop.orders").place.files.put(f"{table.place.folder}/schema/schema-1", data)
    return store, table


GOOD = {
    "version": 3,
    "id": 1,
    "fields": [{"id": 0, "name": "a", "type": "INT"}],
    "highestFieldId": 0,
    "partitionKeys": [],
    "primaryKeys": [],
}
PIECES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["INT", "a", "ROW<", {"type": "ROW"}]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "type", "fields", "x"]), inner, max_size=3),
    max_leaves=6,
)
NEARLY = st.dictionaries(st.sampled_from([*GOOD, "options", "timeMillis", "comment", "schemas", "schemaId"]), PIECES, max_size=3).map(
    lambda some: json.dumps(GOOD | {"options": {}, "timeMillis": 1} | some).encode()
)


@given(data=st.binary(max_size=80) | NEARLY, layout=st.sampled_from(["paimon", "mini-paimon", "registry"]))
@example(data=json.dumps(GOOD | {"schemas": 5}).encode(), layout="paimon")
@example(data=json.dumps(GOOD | {"schemas": {"changes": [5]}}).encode(), layout="paimon")
def test_whatever_bytes_a_version_has_every_door_answers_or_says_why_not(data: bytes, layout: str) -> None:
    store, table = in_memory(data, layout)
    doors: list[Callable[[], object]] = [
        table.latest,
        table.versions,
        lambda: str(table.history()),
        lambda: table.inspect(0, (1, "x")),
        lambda: table.changed_since(0),
        lambda: table.plan("ADD COLUMN c INT"),
        lambda: table.restore_plan(0),
        table.references,
        lambda: str(table.expire()),
        table.metadata,
        lambda: judge(store, {"shop.orders": "a INT"}).to_dict(),
        lambda: table.evolve("ADD COLUMN c INT", key="k", override="x"),
    ]
    for door in doors:
        try:
            door()
        except SchemaError as error:
            told(error)
    assert table.place.files.read(f"{table.place.folder}/schema/schema-1") == data
    assert table.numbers()[:2] == (0, 1)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(one=ANYTHING, other=ANYTHING)
@example(one="ADD COLUMN a INT", other=(0, "x"))
@example(one=["nope"], other=[None])
@example(one=[{"action": "addColumn"}], other=float("nan"))
@example(one=[], other=True)
def test_whatever_is_asked_every_door_answers_or_says_why_not(one: Any, other: Any) -> None:
    store = SchemaStore(f"memory://{uuid.uuid4().hex}")
    table = orders(store)
    doors: list[Callable[[], object]] = [
        lambda: store.table(one),
        lambda: store.tables(one),
        lambda: store.create_table(one, other),
        lambda: store.create_table("shop.t", one, key=other),
        lambda: store.adopt("web.e", one, other),
        lambda: store.drop_table(one, override=other),
        lambda: store.rename_table(one, other),
        lambda: table.plan(one),
        lambda: table.plan(target=one),
        lambda: table.evolve(one, policy=other),
        lambda: table.evolve(one, key=other),
        lambda: table.evolve("ADD COLUMN a INT", expected_version=one, evidence=other),
        lambda: table.restore(one, override=other),
        lambda: table.changed_since(one),
        lambda: table.version(one),
        lambda: table.branch(one),
        lambda: table.create_branch(one, other),
        lambda: table.apply(one),
        lambda: table.saved_plan(one),
        lambda: table.bind(one, other),
        lambda: table.expire(one),
        lambda: table.register(one, consumer=other),
        lambda: table.remove_contract(one, team=other),
        lambda: table.waive(one, other, until=one, reason=other),
        lambda: table.waive("FIELD_DROPPED", one, until="2999-01-01", reason=other),
        lambda: judge(store, one, other),
        lambda: judge(store, {"shop.orders": one}, consumer=other),
        lambda: judge(store, ["shop.orders"], since=one),
        lambda: SchemaStore("memory://x", layout=one, team=other),
    ]
    for door in doors:
        try:
            door()
        except SchemaError as error:
            told(error)
    assert table.version(0).schema.names == ("order_id", "cust_id", "amount")


@pytest.mark.parametrize("location", ["\x00bad", "/data/a\x00b", "/data/a\nb", "s3://bucket/\x1b[31m", "/data/\ud800"])
def test_a_location_with_what_no_address_holds_is_refused(tmp_path: Path, location: str) -> None:
    store = lake(tmp_path)
    table = orders(store)
    before = bytes_of(tmp_path)
    about = json.dumps({"location": location, "format": "parquet"})
    assert "control character" in str(refused(lambda: store.adopt("shop.adopted", location, "id BIGINT")))
    refused(lambda: store.create_table("shop.made", "id BIGINT", options={"schemas.table": about}))
    refused(lambda: table.bind(location, 0))
    assert bytes_of(tmp_path) == before
