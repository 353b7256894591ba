"""A read with a predicate gives the rows of the read without it to which the predicate applies, and looks at no file that it leaves out."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.spark.files import footers
from tests.spark.support.folders import Folder, rows

HARD = "a b/c%d=e:ü'\"\\"
BY = ("country", "day", "hour", "price")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, classic_spark: Any) -> Folder:
    """Eight files in as many partitions; one of the keys was renamed after three of them were written, one has another type since."""
    made = Folder(tmp_path_factory.mktemp("lake"), "id INT, land STRING, day DATE, hour TINYINT, price DECIMAL(6, 2)")
    before = [
        (1, "no", date(2025, 1, 1), 1, Decimal("1.50")),
        (2, None, None, None, None),
        (3, HARD, date(2025, 1, 2), -2, Decimal("-0.05")),
    ]
    made.write(classic_spark, before, by=("land", "day", "hour", "price"))
    made.evolve("RENAME COLUMN land TO country")
    made.retype("hour", "INT")
    after = [
        (4, "se", date(2025, 1, 1), 300, Decimal("2.00")),
        (5, "no", date(2025, 1, 3), 1, None),
        (6, "12", None, 7, Decimal("2.00")),
        (7, None, date(2025, 1, 2), 8, Decimal("1.50")),
        (8, "NO", date(2024, 12, 31), None, Decimal("0.00")),
    ]
    made.write(classic_spark, after, by=BY)
    return made


def read(spark: Any, folder: Folder, where: Any, **asked: Any) -> list[tuple[Any, ...]]:
    return rows(read_table(spark, folder.table, where=where, **asked))


def looked_at(spark: Any, folder: Folder, where: Any) -> int:
    """How many files a read asks about their columns."""
    footers._remembered.clear()
    read_table(spark, folder.table, where=where)
    return len(footers._remembered)


# The predicate, and how many of eight files a read looks at.
PREDICATES = {
    "country = 'no'": 2,
    "COUNTRY = 'no' and id > 1": 2,
    "country is null": 2,
    "country <=> null or country = 'se'": 3,
    "not (country = 'no')": 4,
    "not (country = 'no' or id = 3)": 8,
    "hour in (1, 300)": 3,
    "hour not in (1, null)": 1,
    "day between '2025-01-01' and date'2025-01-02' and price < 2": 3,
    "(day = '2025-01-01' and id = 1) or (day = '2025-01-03' and id = 5)": 3,
    "day = '2025-01-01' or id = 2": 8,
    "id = 1": 8,
    "price = 1.5": 2,
    "price is not null and coalesce(country, 'none') = 'none'": 1,
    f"country = cast(X'{HARD.encode().hex()}' as string)": 1,
    "1 = 0": 1,
    "cast(null as boolean)": 1,
    "true": 8,
    "cast(country as int) = 12": 8,
    "try_cast(country as int) = 12": 1,
    "day < current_date()": 8,
    "rand() < 2 and hour = 8": 1,
    "country = (select 'se')": 8,
    "lower(country) like 'n%' and upper(country) = country": 1,
}


@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_rows_are_those_to_which_the_predicate_applies(classic_spark: Any, folder: Folder, predicate: str) -> None:
    frame = read_table(classic_spark, folder.table)
    if predicate == "cast(country as int) = 12":  # Spark fails on what is no number, whether it is asked before or afterwards
        for fails in (frame.where(predicate), read_table(classic_spark, folder.table, where=predicate)):
            with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
                fails.collect()
    else:
        assert read(classic_spark, folder, predicate) == rows(frame.where(predicate))
    assert looked_at(classic_spark, folder, predicate) == PREDICATES[predicate]


@pytest.mark.parametrize("predicate", ["country = 'no' and id > 1", "day = '2025-01-01' or id = 2", "country is null"])
def test_spark_connect_gives_the_same_rows(connect_spark: Any, folder: Folder, predicate: str) -> None:
    assert read(connect_spark, folder, predicate) == rows(read_table(connect_spark, folder.table).where(predicate))


@pytest.mark.parametrize("seed", range(6))
def test_so_it_is_with_predicates_made_at_random(classic_spark: Any, folder: Folder, seed: int) -> None:
    random = Random(seed)  # for tests
    atoms = [
        "country = 'no'", "country is null", "country > 'b'", "day = '2025-01-01'", "day >= '2025-01-02'", "day is not null",
        "hour = 1", "hour in (7, 8, null)", "hour between -5 and 7", "price = 2", "price is null", "id > 4", "id = 2", "id + hour > 8",
    ]  # fmt: skip

    def made(depth: int) -> str:
        if depth == 0:
            return random.choice(atoms)
        if random.random() < 0.25:
            return f"not ({made(depth - 1)})"
        return f"({made(depth - 1)}) {random.choice(['and', 'or'])} ({made(depth - 1)})"

    frame = read_table(classic_spark, folder.table)
    predicate = made(3)
    assert read(classic_spark, folder, predicate) == rows(frame.where(predicate)), predicate


def test_a_column_of_spark_is_a_predicate_too(classic_spark: Any, folder: Folder) -> None:
    from pyspark.sql import functions

    assert [row[0] for row in read(classic_spark, folder, functions.col("country") == "se")] == [4]
    assert looked_at(classic_spark, folder, functions.col("country") == "se") == 1


def test_a_predicate_speaks_of_the_columns_that_the_frame_has(spark: Any, folder: Folder) -> None:
    assert read(spark, folder, "country = 'se'", columns=["id", "Country"]) == [(4, "se")]
    assert read(spark, folder, "HOUR = 300", contract="hour BIGINT, id INT") == [(300, 4)]
    predicates: tuple[Any, ...] = ("land = 'se'", "nonsense((", 7)
    for predicate in predicates:
        with pytest.raises(ProjectionError) as caught:
            read_table(spark, folder.table, where=predicate)
        assert (caught.value.code, caught.value.faults[0].path) == ("read.where", "where")


def test_what_lies_in_a_partition_that_is_left_out_is_not_looked_at(classic_spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, "id INT, day STRING")
    made.write(classic_spark, [(1, "a"), (2, "b")], by=("day",))
    (made.data / "day=a" / "broken.parquet").write_bytes(b"no file of Parquet")
    assert read(classic_spark, made, "day > 'a'") == [(2, "b")]
    with pytest.raises(Exception, match=r"broken\.parquet"):
        read_table(classic_spark, made.table)


# ---------------------------------------------------------------- folders that do not tell


def test_a_folder_whose_name_two_columns_had_is_looked_into(classic_spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, "id INT, land STRING")
    made.write(classic_spark, [(1, "no")], by=("land",), ids=False)
    made.table.bind(str(made.data / "land=no"), 0)
    made.evolve("RENAME COLUMN land TO country", "ADD COLUMN land STRING")
    made.write(classic_spark, [(2, "se", "fi")], inside="plain")
    for predicate in ("country = 'no'", "land is null", "land = 'no'", "land = 'fi'"):
        assert read(classic_spark, made, predicate) == rows(read_table(classic_spark, made.table).where(predicate)), predicate


def test_files_that_hold_the_column_themselves_are_believed_and_not_their_folders(classic_spark: Any, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    made = Folder(tmp_path, "id INT, day STRING")
    ids = {one.name: str(one.id) for one in made.table.schema().fields}
    kinds = {"id": pa.int32(), "day": pa.string()}
    form = pa.schema([pa.field(name, kind, metadata={"PARQUET:field_id": ids[name]}) for name, kind in kinds.items()])
    for number, (said, held) in enumerate([("a", "b"), ("b", "a"), ("c", "c")]):
        (made.data / f"day={said}").mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist([{"id": number, "day": held}], form), made.data / f"day={said}" / "part.parquet")
    for predicate in ("day = 'a'", "day = 'b'", "day = 'c'", "day = 'd'"):
        assert read(classic_spark, made, predicate) == rows(read_table(classic_spark, made.table).where(predicate)), predicate


def test_what_is_read_bears_its_ids(spark: Any, folder: Folder) -> None:
    frame = read_table(spark, folder.table, where="country = 'se'")
    assert {one.name: one.metadata[FIELD_ID] for one in frame.schema} == {one.name: one.id for one in folder.table.schema().fields}
