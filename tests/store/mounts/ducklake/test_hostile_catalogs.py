"""What a catalog answers that is no sound catalog of DuckLake: an error of ours that says so, and never a schema."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store import DuckLakeMount
from airflow_provider_schemas.store.mounts.ducklake.leaf_types import FROM_DUCKLAKE, our_text

Row = tuple[Any, ...]
BASE: tuple[Row, ...] = (
    ("mark", "4", "9", "lake-1"),
    ("kept", "0"),
    ("data", "s3://lake/"),
    ("table", "2", "uuid-1", "2", None, "shop/", "true", "orders/", "true"),
    ("version", "2"),
    ("version", "5"),
    ("snapshot", "2", "2026-11-20 08:39:26.5+00", "ana", "made"),
)


def column(number: object, name: str, kind: str = "int64", parent: object = None, *, end: str | None = None) -> Row:
    return ("column", str(number), "2", end, str(number), name, kind, None, "NULL", "true", parent)


def rows_of(rows: tuple[Row, ...], sql: str) -> list[Row]:
    return [] if sql.startswith("SELECT t.table_name") else list(rows)


def mounted(*rows: Row) -> DuckLakeMount:
    return DuckLakeMount(partial(rows_of, (*BASE, *rows)), "shop")


def schema(*rows: Row) -> Any:
    look = mounted(*rows).look("orders")
    assert look is not None
    return look.version(look.head).schema


def test_a_sound_answer_gives_schema_place_and_author() -> None:
    look = mounted(column(1, "id"), column(2, "x", end="5")).look("orders")
    assert look is not None
    assert look.location == "s3://lake/shop/orders/"
    assert look.numbers == (2, 5)
    assert [field.name for field in look.version(2).schema.fields] == ["id", "x"]
    assert [field.name for field in look.version(5).schema.fields] == ["id"]
    assert [head.origin for head in look.heads().entries] == ["ana: made", ""]
    assert look.heads().entries[0].moment == 1_795_163_966_500
    assert look.live().numbers is None


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((column(1, "a"), column(1, "b")), "ducklake.duplicate-field-id"),
        ((column(1, "a"), column(2, "a")), "fields.duplicate-name-in-row"),
        ((column(1, "a"), column(2, "b", parent=9)), "ducklake.lost-field"),
        ((column(1, "a"), column(2, "b", kind="struct", parent=3), column(3, "c", kind="struct", parent=2)), "ducklake.lost-field"),
        ((column(1, "a", kind="list"),), "ducklake.parts"),
        ((column(1, "a", kind="map"), column(2, "key", parent=1)), "ducklake.parts"),
        ((column(2**40, "a"),), "ducklake.field-id"),
        ((column(0, "a"), *(column(n, "a", "struct", n - 1) for n in range(1, 5_000))), "ducklake.lost-field"),
        ((column(0, "a", "struct"), *(column(n, "a", "struct", n - 1) for n in range(1, 5_000))), "type.too-deep"),
    ],
)
def test_columns_that_make_no_sense_are_refused_by_name(rows: tuple[Row, ...], code: str) -> None:
    with pytest.raises(FormatError) as caught:
        schema(*rows)
    assert caught.value.code == code
    assert caught.value.fix


VALUES = st.none() | st.text(max_size=5) | st.integers(-2, 2**70) | st.sampled_from(["1", "2", "true", "struct", "list", "2026-01-01"])
WORDS = st.sampled_from(["mark", "kept", "table", "version", "column", "partition", "snapshot", "data", "else"])


@given(st.lists(st.tuples(WORDS, *[VALUES] * 10), max_size=12))
def test_whatever_rows_come_only_our_errors_go(rows: list[Row]) -> None:
    mount = DuckLakeMount(partial(rows_of, tuple(rows)), "shop")
    refused: list[SchemaError] = []
    try:
        look = mount.look("orders")
        if look is not None:
            look.heads()
            for number in look.numbers:
                look.version(number)
            assert look.head in look.numbers
    except SchemaError as error:
        refused.append(error)
    assert all(error.fix for error in refused)


def _raising(error: BaseException) -> Callable[[str], Any]:
    def run(_sql: str) -> Any:
        raise error

    return run


def test_what_the_database_raises_is_an_error_of_ours() -> None:
    for error in (RuntimeError("no such table: ducklake_snapshot"), ConnectionRefusedError("refused"), TypeError("boom")):
        with pytest.raises(StorageError) as caught:
            DuckLakeMount(_raising(error), "shop").look("orders")
        assert str(error) in caught.value.message
    with pytest.raises(KeyboardInterrupt):
        DuckLakeMount(_raising(KeyboardInterrupt()), "shop").tables()


def test_a_schema_that_is_not_there_is_not_a_table_that_is_not_there() -> None:
    with pytest.raises(NotThereError, match="no schema"):
        DuckLakeMount(partial(rows_of, (("mark", "1", "1", None), ("kept", "0"))), "shp").look("orders")


@pytest.mark.parametrize("arguments", [(None, "shop"), ("SELECT 1", "shop"), (print, "")])
def test_a_mount_says_at_once_what_it_cannot_be_made_of(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(FormatError):
        DuckLakeMount(*arguments)


def test_a_mount_goes_to_another_process_without_its_count() -> None:
    mount = mounted(column(1, "id"))
    mount.look("orders")
    copy = pickle.loads(pickle.dumps(mount))
    assert copy.count.lists == 0
    assert copy.look("orders") is not None


def test_types_that_are_not_ours_are_kept_as_their_text() -> None:
    assert our_text("uint64") == "OPAQUE('uint64')"
    assert our_text("decimal(99,2)") == "OPAQUE('decimal(99,2)')"
    assert our_text("decimal(10,2)") == "DECIMAL(10, 2)"
    assert not any(text.startswith("OPAQUE") for text in FROM_DUCKLAKE.values())
