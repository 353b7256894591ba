"""A description of data that lie elsewhere, compared with what lies there: what is refused, and what is only said."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from pyarrow import orc, parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.store import SchemaStore, judge

NAME = "shop.orders"
_AVRO = b"Obj\x01" + b"\x00" * 60


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    (tmp_path / "lake").mkdir()
    return SchemaStore(tmp_path / "lake")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def written(path: Path, kind: str = "parquet", *, age: int = 0, **columns: Any) -> None:
    """A data file with one row, so many seconds old."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({name: [value] for name, value in columns.items()})
    {"parquet": parquet.write_table, "orc": orc.write_table}[kind](table, path)
    _aged(path, age)


def junk(path: Path, content: bytes = b"nothing of a footer", *, age: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    _aged(path, age)


def _aged(path: Path, age: int) -> None:
    os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))


def refused(store: SchemaStore, folder: Path, kind: str = "parquet") -> IncompatibleSchemaError:
    """The refusal of an adoption, which a reason lifts."""
    with pytest.raises(IncompatibleSchemaError) as error:
        store.adopt(NAME, str(folder), "x BIGINT", format=kind)
    assert not store.exists(NAME)
    assert "--unchecked" in error.value.fix
    done = store.adopt(NAME, str(folder), "x BIGINT", format=kind, unchecked="INC-7")
    assert done.notes[-1] == "the description was not compared with the data, as was asked for"
    return error.value


# ---------------------------------------------------------------- files that cannot be read


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_what_can_be_read_is_compared_whichever_file_cannot_be(store: SchemaStore, data: Path, broken: int) -> None:
    for age in range(3):
        path = data / f"part-{age}.parquet"
        junk(path, age=age) if age == broken else written(path, age=age, y=1)
    error = refused(store, data)
    assert "x is described as BIGINT" in error.message
    assert "has no such column" in error.message


def test_the_file_that_cannot_be_read_is_named_where_the_others_fit(store: SchemaStore, data: Path) -> None:
    written(data / "part-0.parquet", x=1)
    junk(data / "part-1.parquet", age=-1)
    notes = " ".join(store.adopt(NAME, str(data), "x BIGINT").notes)
    assert "part-1.parquet was not compared" in notes
    assert "part-0" not in notes


def test_files_of_which_none_can_be_read_contradict_the_format(store: SchemaStore, data: Path) -> None:
    junk(data / "part-0.csv", b"order_id\n1\n")
    error = refused(store, data)
    assert error.path == "format"
    assert "part-0.csv" in error.message


@pytest.mark.parametrize("content", [b"PAR1 nothing PAR1", b"PAR1", b"ORC"])
def test_a_file_that_is_damaged_or_broken_off_is_a_note(store: SchemaStore, data: Path, content: bytes) -> None:
    junk(data / "part-0.parquet", content)
    assert "part-0.parquet was not compared" in " ".join(store.adopt(NAME, str(data), "x BIGINT").notes)


# ---------------------------------------------------------------- the stated format


@pytest.mark.parametrize("stated", ["parquet", "avro", "csv", "json", "text", "iceberg", "delta", "paimon"])
def test_a_format_that_the_files_do_not_have_is_refused(store: SchemaStore, data: Path, stated: str) -> None:
    written(data / "dt=2026-11-01/part-0.orc", "orc", x=1)
    error = refused(store, data, stated)
    assert error.path == "format"
    assert "part-0.orc" in error.message
    assert "orc" in error.fix


def test_a_file_of_another_format_among_files_that_fit_is_refused(store: SchemaStore, data: Path) -> None:
    written(data / "part-0.parquet", x=1)
    written(data / "part-1.bin", "orc", age=1, x=1)
    assert "part-1.bin" in refused(store, data).message


@pytest.mark.parametrize(("stated", "content"), [("avro", _AVRO), ("csv", b"x\n1\n"), ("json", b'{"x": 1}\n'), ("text", b"1\n")])
def test_what_has_no_footer_is_adopted_and_said_not_to_be_compared(store: SchemaStore, data: Path, stated: str, content: bytes) -> None:
    junk(data / "part-0", content)
    assert f"its data are {stated}" in " ".join(store.adopt(NAME, str(data), "x BIGINT", format=stated).notes)


@pytest.mark.parametrize(
    ("stated", "inside"),
    [
        ("iceberg", ["metadata/v1.metadata.json", "data/part-0.parquet"]),
        ("delta", ["_delta_log/00000000000000000000.json", "part-0.parquet"]),
        ("paimon", ["schema/schema-0"]),
    ],
)
def test_a_table_of_the_stated_format_is_adopted_and_said_not_to_be_compared(
    store: SchemaStore, data: Path, stated: str, inside: list[str]
) -> None:
    for path in inside:
        junk(data / path)
    assert f"its data are {stated}" in " ".join(store.adopt(NAME, str(data), "x BIGINT", format=stated).notes)


@pytest.mark.parametrize("stated", ["parquet", "csv", "iceberg"])
@pytest.mark.parametrize(
    ("inside", "fix"), [("_delta_log/0.json", "--data-format delta"), (".hoodie/hoodie.properties", "Hudi is no format")]
)
def test_a_folder_that_another_format_of_tables_keeps_is_refused(
    store: SchemaStore, data: Path, stated: str, inside: str, fix: str
) -> None:
    junk(data / inside)
    written(data / "part-0.parquet", x=1)
    assert fix in refused(store, data, stated).fix


@pytest.mark.parametrize("below", ["dt=2026-11-01", "data", "data/dt=2026-11-01"])
@pytest.mark.parametrize("inside", ["_delta_log/0.json", "metadata/v1.metadata.json"])
def test_a_folder_inside_a_table_of_another_format_is_refused(store: SchemaStore, data: Path, below: str, inside: str) -> None:
    junk(data / inside)
    written(data / below / "part-0.parquet", x=1)
    assert "is kept by" in refused(store, data / below).message


def test_a_folder_around_a_table_of_another_format_is_refused(store: SchemaStore, data: Path) -> None:
    junk(data / "orders/_delta_log/0.json")
    written(data / "orders/part-0.parquet", x=1)
    assert "orders is kept by Delta" in refused(store, data).message


@pytest.mark.parametrize("spelled", ["data//dt=1", "data///dt=1", "data/dt=1/.", "data/./dt=1", "other/../data/dt=1", "link"])
@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_part_of_a_table_is_known_however_its_folder_is_spelled(store: SchemaStore, data: Path, spelled: str, scheme: str) -> None:
    junk(data / "_delta_log/0.json")
    written(data / "dt=1/part-0.parquet", x=1)
    (data.parent / "link").symlink_to(data / "dt=1")
    with pytest.raises(IncompatibleSchemaError, match="data is kept by Delta"):
        store.adopt(NAME, f"{scheme}{data.parent}/{spelled}", "x BIGINT")


@pytest.mark.parametrize("below", ["2026/11", "2026", "."])
@pytest.mark.parametrize("mark", [".hoodie_partition_metadata", ".hoodie_partition_metadata.parquet"])
def test_a_partition_of_hudi_is_known_by_the_file_that_marks_it(store: SchemaStore, data: Path, below: str, mark: str) -> None:
    junk(data / ".hoodie/hoodie.properties")
    written(data / "2026/11/part-0.parquet", x=1)
    junk(data / "2026/11" / mark)
    assert "is kept by Hudi" in refused(store, data / below).message


@pytest.mark.parametrize("place", ["dt=1", "dt=1/part-0.parquet", "."])
def test_the_advice_about_a_kept_folder_is_accepted(store: SchemaStore, data: Path, place: str) -> None:
    junk(data / "orders/_delta_log/0.json")
    written(data / "orders/dt=1/part-0.parquet", x=1)
    with pytest.raises(IncompatibleSchemaError) as error:
        store.adopt(NAME, str(data / "orders" / place if place != "." else data), "x BIGINT")
    assert f"location, with its format: {data}/orders, format='delta'" in error.value.fix
    assert store.adopt(NAME, f"{data}/orders", "x BIGINT", format="delta").created


@pytest.mark.parametrize("kind", ["parquet", "orc"])
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("x BIGINT NOT NULL, s STRING", "whether x is without NULL"),
        ("x BIGINT NOT NULL, s STRING NOT NULL", "whether x, s is without NULL"),
        ("x BIGINT, s VARCHAR(3)", "whether the values of s are as short as described"),
        ("x BIGINT, s STRING", ""),
    ],
)
def test_what_no_footer_proves_is_said(store: SchemaStore, data: Path, kind: str, columns: str, said: str) -> None:
    table = pa.table({"x": pa.array([None], pa.int64()), "s": ["abcdef"]})
    {"parquet": parquet.write_table, "orc": orc.write_table}[kind](table, data / f"part-0.{kind}")
    looked = [note for note in store.adopt(NAME, str(data), columns, format=kind).notes if "nobody looked" in note]
    assert looked == ([f"nobody looked {said}: no footer tells, and `validate` looks at the rows"] if said else [])


def test_what_a_footer_proves_is_not_said(store: SchemaStore, data: Path) -> None:
    schema = pa.schema([pa.field("x", pa.int64(), nullable=False)])
    parquet.write_table(pa.table({"x": [1]}, schema=schema), data / "part-0.parquet")
    assert not [note for note in store.adopt(NAME, str(data), "x BIGINT NOT NULL").notes if "nobody looked" in note]


def test_a_column_of_which_the_file_knows_no_type_is_said(store: SchemaStore, data: Path) -> None:
    parquet.write_table(pa.table({"x": [1], "y": pa.nulls(1)}), data / "part-0.parquet")
    assert "nobody looked of which type y is" in " ".join(store.adopt(NAME, str(data), "x BIGINT, y DATE").notes)


@pytest.mark.parametrize("scheme", ["FILE", "File"])
def test_a_scheme_is_kept_in_small_letters(store: SchemaStore, data: Path, scheme: str) -> None:
    written(data / "part-0.parquet", x=1)
    done = store.adopt(NAME, f"{scheme}://{data}", "x BIGINT")
    assert done.schema.table_attributes["location"] == f"file://{data}"


# ---------------------------------------------------------------- the folder


def test_partitions_deeper_than_a_gate_looks_are_compared_and_said(store: SchemaStore, data: Path) -> None:
    deep = data / "a=1/b=1/c=1/d=1"
    written(deep / "part-0.parquet", y=1)
    assert "x is described" in refused(store, data).message
    notes = " ".join(store.adopt("shop.deep", str(data), "y BIGINT").notes)
    assert "TABLE_NOT_LOOKED_AT" in notes


def test_folders_without_an_end_are_refused(store: SchemaStore, data: Path) -> None:
    for number in range(120):
        (data / f"dt={number}").mkdir()
    written(data / "a/part-0.parquet", x=1)
    assert "listings" in refused(store, data).message


@pytest.mark.parametrize("content", [b"", b"PAR1 nothing PAR1"])
def test_a_file_where_a_folder_is_expected_is_refused_and_its_folder_named(store: SchemaStore, data: Path, content: bytes) -> None:
    junk(data / "part-0.parquet", content)
    error = refused(store, data / "part-0.parquet")
    assert error.path == "location"
    assert str(data) in error.fix


@pytest.mark.parametrize("place", ["later", "data/*"])
def test_a_folder_that_is_not_there_is_a_note(store: SchemaStore, data: Path, place: str) -> None:
    notes = store.adopt(NAME, str(data.parent / place), "x BIGINT").notes
    assert any("there is no folder" in one or "is a pattern" in one for one in notes)


# ---------------------------------------------------------------- columns that the newest file has no more


def test_a_column_in_whose_place_the_newest_file_has_another_is_refused_as_gates_refuse_it(store: SchemaStore, data: Path) -> None:
    written(data / "p0.parquet", age=60, x=1, n=2)
    written(data / "p1.parquet", x=1, m=2)
    with pytest.raises(IncompatibleSchemaError, match=r"n is described as BIGINT, and p1.parquet, .* no such column, but m"):
        store.adopt(NAME, str(data), "x BIGINT, n BIGINT", format="parquet")
    store.adopt(NAME, str(data), "x BIGINT, n BIGINT", format="parquet", unchecked="INC-7")
    assert not judge(store, [NAME]).fits


def test_a_column_that_the_newest_file_simply_leaves_out_is_fine(store: SchemaStore, data: Path) -> None:
    written(data / "p0.parquet", age=60, x=1, n=2, m=3)
    written(data / "p1.parquet", x=1)
    store.adopt(NAME, str(data), "x BIGINT, n BIGINT", format="parquet")
    assert judge(store, [NAME]).fits
