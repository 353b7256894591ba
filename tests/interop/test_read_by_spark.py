"""Tables that pypaimon writes and evolves, read by Spark through `read_table`: row for row what pypaimon reads, or why not."""

import datetime
import math
import random
import shutil
from decimal import Decimal
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, ProjectionError
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.store import SchemaStore
from tests.interop.support.evolved_tables import CLOCK, DAY, Step, both, evolved, in_order, rows, table_of
from tests.interop.test_our_tables import wire
from tests.support.companion import Warehouse

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

# ---------------------------------------------------------------- as it was written

VALUES: dict[str, tuple[str, list[Any]]] = {
    "bo": ("BOOLEAN", [True, False]),
    "ti": ("TINYINT", [-128, 127]),
    "si": ("SMALLINT", [-32_768, 32_767]),
    "i": ("INT", [-(2**31), 2**31 - 1]),
    "bi": ("BIGINT", [-(2**63), 2**63 - 1]),
    "f": ("FLOAT", [1.5, -0.0, math.inf, math.nan]),
    "d": ("DOUBLE", [0.1, 1e308, -math.inf, math.nan]),
    "de": ("DECIMAL(10, 2)", [Decimal("99999999.99"), Decimal("-0.01")]),
    "dw": ("DECIMAL(38, 10)", [Decimal("1234567890123456789012345678.0123456789")]),
    "c": ("CHAR(3)", ["abc", "ä"]),
    "v": ("VARCHAR(20)", ["", "größer"]),
    "s": ("STRING", ["x" * 1000, "\0 \U0001f600"]),
    "b": ("BYTES", [b"\0\xff", b""]),
    "da": ("DATE", [DAY, datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]),
    "t3": ("TIMESTAMP(3)", [CLOCK.replace(microsecond=345_000), datetime.datetime(1969, 12, 31, 23, 59, 59)]),  # noqa: DTZ001
    "t6": ("TIMESTAMP(6)", [CLOCK, datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999)]),  # noqa: DTZ001
    "z6": ("TIMESTAMP(6) WITH LOCAL TIME ZONE", [CLOCK.replace(tzinfo=datetime.UTC)]),
    "l": ("ARRAY<INT>", [[1, None, 2], []]),
    "m": ("MAP<STRING, BIGINT>", [{"a": 1, "b": None}, {}]),
}


def test_every_type_reads_as_it_was_written(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    columns = ", ".join(["k BIGINT", *(f"{name} {kind}" for name, (kind, _) in VALUES.items())])
    table_of(paimon, columns, rows({name: values for name, (_, values) in VALUES.items()}))
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs
    assert len(ours) == 4


def test_files_of_orc_are_read_the_same(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    steps: list[Step] = [rows({"a": [1, 2]}), "RENAME COLUMN a TO b", "ALTER COLUMN b TYPE BIGINT", rows({"b": [2**40]}, 10)]
    table_of(paimon, "k BIGINT, a INT", *steps, options={"file.format": "orc"})
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs


# ---------------------------------------------------------------- as it became

TEN_STEPS: list[Step] = [
    rows({"a": [1, None], "b": ["x", "y"], "c": [1.5, 2.5], "d": [10, 20]}),
    "ADD COLUMN e INT",
    rows({"a": [3], "b": ["z"], "c": [3.5], "d": [30], "e": [7]}, 10),
    "RENAME COLUMN a TO a1",
    "ALTER COLUMN e TYPE BIGINT",
    rows({"a1": [4], "e": [2**40]}, 20),
    "DROP COLUMN b",
    rows({"a1": [5], "d": [50]}, 30),
    "ADD COLUMN b INT",
    rows({"a1": [6], "b": [66]}, 40),
    "ALTER COLUMN d FIRST",
    "RENAME COLUMN a1 TO swap",
    "RENAME COLUMN d TO a1",
    "RENAME COLUMN swap TO d",
    rows({"a1": [70], "d": [7]}, 50),
    "ALTER COLUMN a1 TYPE STRING",
    rows({"a1": ["text"]}, 60),
]


def test_ten_steps_later_all_rows_are_what_pypaimon_reads(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, a INT, b STRING, c DOUBLE, d INT", *TEN_STEPS)
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs
    assert ours[0] == {"a1": "10", "k": 0, "d": 1, "c": 1.5, "e": None, "b": None}
    assert list(ours[0]) == list(theirs[0])


WIDER = {"TINYINT": "INT", "INT": "BIGINT", "BIGINT": "STRING", "FLOAT": "DOUBLE", "DATE": "STRING"}
SOME = {"TINYINT": 7, "INT": -70_000, "BIGINT": 2**40, "STRING": "ä", "FLOAT": 1.5, "DOUBLE": 0.1, "DATE": DAY}


class Wandering:
    """A table that is changed at random, and written to in between; names are few, so that they come again with other meanings."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.columns = {"a": "INT", "b": "TINYINT"}
        self.written = 0

    def step(self) -> list[Step]:
        return self.chance.choice([self.add, self.drop, self.rename, self.swap, self.widen, self.move, self.write, self.write])()

    def _one(self) -> str:
        return self.chance.choice(sorted(self.columns))

    def _free(self) -> list[str]:
        return sorted(set("abcdef") - self.columns.keys())

    def add(self) -> list[Step]:
        if not self._free():
            return []
        name, kind = self.chance.choice(self._free()), self.chance.choice(sorted(SOME))
        self.columns[name] = kind
        return [f"ADD COLUMN {name} {kind}"]

    def drop(self) -> list[Step]:
        if len(self.columns) == 1:
            return []
        name = self._one()
        del self.columns[name]
        return [f"DROP COLUMN {name}"]

    def rename(self) -> list[Step]:
        if not self._free():
            return []
        name, new = self._one(), self.chance.choice(self._free())
        self.columns[new] = self.columns.pop(name)
        return [f"RENAME COLUMN {name} TO {new}"]

    def swap(self) -> list[Step]:
        one, other = self._one(), self._one()
        if one == other:
            return []
        self.columns[one], self.columns[other] = self.columns[other], self.columns[one]
        return [f"RENAME COLUMN {one} TO swap", f"RENAME COLUMN {other} TO {one}", f"RENAME COLUMN swap TO {other}"]

    def widen(self) -> list[Step]:
        name = self._one()
        if self.columns[name] not in WIDER:
            return []
        self.columns[name] = WIDER[self.columns[name]]
        return [f"ALTER COLUMN {name} TYPE {self.columns[name]}"]

    def move(self) -> list[Step]:
        return [f"ALTER COLUMN {self._one()} AFTER k"]

    def write(self) -> list[Step]:
        self.written += 10
        values = {name: [SOME[kind], None] for name, kind in self.columns.items()}
        return [rows({**values, "dt": [self.chance.choice([DAY, None]), DAY]}, self.written)]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_became_of_a_table_its_rows_are_what_pypaimon_reads(
    paimon: Warehouse, store: SchemaStore, classic_spark: Any, seed: int
) -> None:
    wandering = Wandering(seed)
    steps = [step for _ in range(40) for step in wandering.step()]
    table_of(paimon, "k BIGINT, dt DATE, a INT, b TINYINT", *steps, *wandering.write(), keys=("dt",) if seed % 2 else ())
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs
    assert len(ours) == 2 * wandering.written // 10


def test_a_filter_on_a_column_that_was_swapped_loses_no_row(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    swap = ["RENAME COLUMN a TO swap", "RENAME COLUMN b TO a", "RENAME COLUMN swap TO b"]
    table_of(paimon, "k BIGINT, a INT, b INT", rows({"a": [1], "b": [2]}), *swap, rows({"a": [2], "b": [1]}, 10))
    frame = read_table(classic_spark, store.table("db.t"))
    assert [row.k for row in frame.where("a = 2").orderBy("k").collect()] == [0, 10]
    assert frame.where("a = 1").count() == 0


def test_nested_columns_follow_their_ids(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    columns = "k BIGINT, r ROW<x INT, y STRING>, l ARRAY<ROW<x INT, y STRING>>, m MAP<STRING, ROW<x INT, y STRING>>"
    one, two = {"x": 1, "y": "a"}, {"x": None, "y": None}
    first = rows({"r": [one, two, None], "l": [[one, None], [], None], "m": [{"p": one, "q": None}, {}, None]})
    now = {"x1": 2**40, "z": DAY}
    table_of(
        paimon,
        columns,
        first,
        *(f"RENAME COLUMN {path}.x TO x1" for path in ("r", "l.element", "m.value")),
        *(f"ALTER COLUMN {path}.x1 TYPE BIGINT" for path in ("r", "l.element", "m.value")),
        *(f"DROP COLUMN {path}.y" for path in ("r", "l.element", "m.value")),
        *(f"ADD COLUMN {path}.z DATE" for path in ("r", "l.element", "m.value")),
        rows({"r": [now], "l": [[now]], "m": [{"p": now}]}, 10),
    )
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs
    assert ours[0]["l"] == [{"x1": 1, "z": None}, None]


# ---------------------------------------------------------------- partitions, branches, snapshots


def test_partitions_are_what_their_manifest_says(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    some: dict[str, list[Any]] = {
        "dt": [DAY, DAY, None, DAY, DAY],
        "s": ["a/b=c:d%20 e", "ä", "x", None, "  "],
        "n": [1, -2, 3, None, 4],
        "v": ["p", "q", "r", "s", "t"],
    }
    table_of(paimon, "k BIGINT, dt DATE, s STRING, n INT, v STRING", rows(some), "RENAME COLUMN v TO w", keys=("dt", "s", "n"))
    evolved(paimon, rows({"dt": [DAY], "s": ["ä"], "n": [-2], "w": ["u"]}, 10))
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs
    frame = read_table(classic_spark, store.table("db.t"))
    assert [row.k for row in frame.where("s = 'ä' and dt = date'2026-11-18'").orderBy("k").collect()] == [1, 10]
    assert [row.k for row in frame.where("s is null").collect()] == [3]
    assert frame.where("s = '__DEFAULT_PARTITION__'").count() == 0
    predicates = {"s = 'ä' and n < 0": [1, 10], "s is null or n is null": [3], "not (dt = '2026-11-18') and k > 1": [], "w = 'u'": [10]}
    for predicate, keys in predicates.items():
        left = read_table(classic_spark, store.table("db.t"), where=predicate)
        assert [row.k for row in left.orderBy("k").collect()] == [row.k for row in frame.where(predicate).orderBy("k").collect()] == keys
    assert len(read_table(classic_spark, store.table("db.t"), where="n = 4").inputFiles()) == 1


PARTITIONS: dict[str, list[Any]] = {
    "BOOLEAN": [True, False],
    "TINYINT": [-128],
    "SMALLINT": [300],
    "BIGINT": [2**40],
    "DOUBLE": [1e23, 0.1],
    "DECIMAL(10, 2)": [Decimal("12.30")],
    "DECIMAL(30, 5)": [Decimal("-1234567890123456789.12345")],
    "CHAR(5)": ["ab"],
    "VARBINARY(5)": [b"ab"],
    "TIMESTAMP(3)": [CLOCK.replace(microsecond=120_000), CLOCK.replace(second=0, microsecond=0)],
    "TIMESTAMP(6)": [CLOCK],
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": [CLOCK.replace(tzinfo=datetime.UTC)],
}


def test_a_partition_may_be_of_any_type(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    names = {f"p{place}": kind for place, kind in enumerate(PARTITIONS)}
    columns = ", ".join(["k BIGINT", *(f"{name} {kind}" for name, kind in names.items())])
    table_of(paimon, columns, rows({name: PARTITIONS[kind] for name, kind in names.items()}), keys=list(names))
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs


def test_dates_are_read_whatever_their_folders_are_called(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, dt DATE", rows({"dt": [DAY, None]}), keys=("dt",), options={"partition.legacy-name": "false"})
    evolved(paimon, "SET OPTION partition.default-name = none", rows({"dt": [DAY]}, 10))
    assert {one.name for one in (paimon.folder / "db.db/t").iterdir()} >= {"dt=2026-11-18"}
    ours = read_table(classic_spark, store.table("db.t")).where("k <> 1").orderBy("k").collect()
    assert [(row.k, row.dt) for row in ours] == [(0, DAY), (10, DAY)]


def test_branches_tags_and_snapshots_are_read_as_they_were(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, a INT", rows({"a": [1]}))
    paimon.ask("tag", "db.t", tag="one")
    paimon.ask("branch", "db.t", branch="dev", tag="one")
    evolved(paimon, "RENAME COLUMN a TO b", "ADD COLUMN c INT", rows({"b": [2], "c": [3]}, 10))
    evolved(paimon, "ALTER COLUMN a TYPE STRING", rows({"a": ["x"]}, 20), branch="dev")
    for branch in ("", "dev"):
        theirs, ours = both(paimon, store, classic_spark, **({"branch": branch} if branch else {}))
        assert ours == theirs

    def read(**said: Any) -> list[dict[str, Any]]:
        return in_order(read_table(classic_spark, store.table("db.t"), **said).collect())

    assert read() == [{"k": 0, "b": 1, "c": None}, {"k": 10, "b": 2, "c": 3}]
    assert read(branch="dev", casts="paimon") == [{"k": 0, "a": "1"}, {"k": 20, "a": "x"}]
    # An older snapshot and a tag as they were: with the version that was the newest then.
    assert read(snapshot=1) == read(tag="one") == [{"k": 0, "a": 1}]
    # A version is only how the newest files are read.
    assert read(version=0) == [{"k": 0, "a": 1}, {"k": 10, "a": 2}]
    assert read(snapshot=1, version=2) == [{"k": 0, "b": 1, "c": None}]
    with pytest.raises(NotThereError, match="no snapshot 9"):
        read(snapshot=9)


def test_files_outside_of_the_table_are_read(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    places = {"data-file.external-paths": f"file://{paimon.folder}/out", "data-file.external-paths.strategy": "round-robin"}
    table_of(paimon, "k BIGINT, dt DATE, a INT", rows({"dt": [DAY, None], "a": [1]}), "RENAME COLUMN a TO b", keys=("dt",), options=places)
    theirs, ours = both(paimon, store, classic_spark)
    assert ours == theirs == [{"k": 0, "dt": DAY, "b": 1}, {"k": 1, "dt": None, "b": None}]


def test_a_table_without_rows_has_its_columns(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, a INT", "RENAME COLUMN a TO b")
    frame = read_table(classic_spark, store.table("db.t"))
    assert (frame.columns, frame.count()) == (["k", "b"], 0)


def test_what_the_session_reads_is_read_with_its_own_credentials(paimon: Warehouse, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, dt DATE, a INT", rows({"dt": [DAY, DAY], "a": [1, 2]}), "RENAME COLUMN a TO b", keys=("dt",))
    store = SchemaStore.on(classic_spark, str(paimon.folder))
    assert in_order(read_table(classic_spark, store.table("db.t")).collect()) == [
        {"k": 0, "dt": DAY, "b": 1},
        {"k": 1, "dt": DAY, "b": 2},
    ]


def test_folders_of_older_writers_are_found_by_the_session_too(paimon: Warehouse, classic_spark: Any) -> None:
    table_of(paimon, "k BIGINT, dt DATE", rows({"dt": [DAY, DAY + datetime.timedelta(1)]}), keys=("dt",))
    for days, name in ((20_775, "2026-11-18"), (20_776, "2026-11-19")):
        shutil.move(paimon.folder / f"db.db/t/dt={days}", paimon.folder / f"db.db/t/dt={name}")
    found = read_table(classic_spark, SchemaStore.on(classic_spark, str(paimon.folder)).table("db.t")).collect()
    assert [row["dt"] for row in in_order(found)] == [DAY, DAY + datetime.timedelta(1)]


def test_a_session_of_spark_connect_reads_the_same(paimon: Warehouse, connect_spark: Any) -> None:
    steps: list[Step] = [rows({"dt": [DAY, None], "a": [1, 2]}), "RENAME COLUMN a TO b", rows({"dt": [DAY], "b": [3]}, 10)]
    table_of(paimon, "k BIGINT, dt DATE, a INT", *steps, keys=("dt",))
    ours = in_order(read_table(connect_spark, SchemaStore.on(connect_spark, str(paimon.folder)).table("db.t")).collect())
    assert ours == in_order(paimon.ask("read", "db.t"), ours=False)


def test_a_primary_key_is_refused_with_the_line_that_reads_the_table(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    fields = [{"id": 0, "name": "k", "type": "BIGINT NOT NULL"}, {"id": 1, "name": "v", "type": "STRING"}]
    paimon.ask("create", "db.t", fields=fields, primary_keys=["k"], options={"bucket": "1"})
    with pytest.raises(ProjectionError, match=r"""spark.read.format\("paimon"\).load\("""):
        read_table(classic_spark, store.table("db.t"))


# ---------------------------------------------------------------- casts, and where pypaimon answers otherwise

# From a type to others: the values that are tried, and the types that pypaimon changes the column to.
CASTS: dict[str, tuple[list[Any], str]] = {
    "TINYINT": ([-128, 0, 127], "SMALLINT;INT;BIGINT;FLOAT;DOUBLE;DECIMAL(10, 2);STRING"),
    "INT": ([-(2**31), -1, 0, 383, 2**31 - 1], "TINYINT;SMALLINT;BIGINT;FLOAT;DOUBLE;DECIMAL(20, 2);STRING"),
    "BIGINT": ([-(2**63), 0, 2**40, 2**63 - 1], "INT;TINYINT;DOUBLE;DECIMAL(38, 0);STRING"),
    "FLOAT": ([1.5, -2.75, 0.0], "DOUBLE;INT;STRING"),
    "DOUBLE": ([1.5, 1e10, -2.75, 0.0], "FLOAT;INT;BIGINT;STRING"),
    "DECIMAL(10, 4)": ([Decimal("4.5678"), Decimal("-99999.9999")], "DECIMAL(20, 6);DECIMAL(10, 2);DECIMAL(4, 2);INT;BIGINT;DOUBLE;STRING"),
    "STRING": (["12", "7", None], "INT;BIGINT;DOUBLE;DECIMAL(10, 2);VARCHAR(1);BYTES"),
    "BOOLEAN": ([True, False], "INT;STRING"),
    "DATE": ([DAY, datetime.date(1969, 12, 31)], "STRING;TIMESTAMP(6)"),
    "TIMESTAMP(6)": ([CLOCK, CLOCK.replace(microsecond=0)], "DATE;STRING;TIMESTAMP(3)"),
}

# Where pypaimon gives something else than Java's rule, which is ours: by old type, new type and the value as it lies in the file, what
# pypaimon reads, what Java and we read, and why.
DIFFERENCES: dict[tuple[str, str, str], tuple[Any, Any, str]] = {
    ("FLOAT", "STRING", "0.0"): ("0", "0.0", "Arrow prints no point where nothing stands behind it; Java always does"),
    ("DOUBLE", "STRING", "0.0"): ("0", "0.0", "the same"),
    ("DOUBLE", "STRING", "10000000000.0"): ("1e+10", "1.0E10", "the same, and Java writes exponents its own way"),
    ("DOUBLE", "INT", "10000000000.0"): (-(2**31), 2**31 - 1, "in C too large a number becomes the smallest one, in Java the largest"),
    ("DECIMAL(10, 4)", "DOUBLE", "-99999.9999"): (-99999.99990000001, -99999.9999, "Arrow multiplies; Java takes the nearest number"),
    ("STRING", "VARCHAR(1)", "12"): ("12", "1", "Java cuts off what is too long; pypaimon does not look at lengths"),
}


def test_casts_give_what_pypaimon_gives_or_what_java_does(paimon: Warehouse, store: SchemaStore, classic_spark: Any) -> None:
    pairs = [(kind, other) for kind, (_, others) in CASTS.items() for other in others.split(";")]
    names = {f"c{place}": pair for place, pair in enumerate(pairs)}
    columns = ", ".join(["k BIGINT", *(f"{name} {kind}" for name, (kind, _) in names.items())])
    table_of(paimon, columns, rows({name: CASTS[kind][0] for name, (kind, _) in names.items()}))
    paimon.ask("alter", "db.t", changes=wire(*(f"ALTER COLUMN {name} TYPE {other}" for name, (_, other) in names.items())))
    theirs, ours = both(paimon, store, classic_spark)
    found = {}
    for their, our in zip(theirs, ours, strict=True):
        for name, (kind, other) in names.items():
            if their[name] != our[name]:
                found[kind, other, str(CASTS[kind][0][our["k"]])] = (their[name], our[name])
    assert found == {pair: (their, our) for pair, (their, our, _) in DIFFERENCES.items()}


def test_a_row_of_which_nothing_is_left_is_null_as_in_java_and_no_row_of_nulls(
    paimon: Warehouse, store: SchemaStore, classic_spark: Any
) -> None:
    """So is the array, or the map, that holds such rows; pypaimon keeps them, with NULL in each field."""
    columns = "k BIGINT, r ROW<x INT>, l ARRAY<ROW<x INT>>, m MAP<STRING, ROW<x INT>>"
    changes = [change for path in ("r", "l.element", "m.value") for change in (f"ADD COLUMN {path}.n INT", f"DROP COLUMN {path}.x")]
    table_of(paimon, columns, rows({"r": [{"x": 1}], "l": [[{"x": 1}]], "m": [{"p": {"x": 1}}]}), *changes)
    theirs, ours = both(paimon, store, classic_spark)
    assert theirs == [{"k": 0, "r": {"n": None}, "l": [{"n": None}], "m": [("p", {"n": None})]}]
    assert ours == [{"k": 0, "r": None, "l": None, "m": None}]


def test_a_chain_that_java_cannot_read_is_refused_though_pypaimon_reads_something(
    paimon: Warehouse, store: SchemaStore, classic_spark: Any
) -> None:
    chain = ["ALTER COLUMN a TYPE STRING", "ALTER COLUMN a TYPE INT"]
    table_of(paimon, "k BIGINT, a DATE", rows({"a": [DAY]}), *chain)
    assert paimon.ask("read", "db.t") == [{"k": 0, "a": 20_775}]
    with pytest.raises(ProjectionError, match="DATE"):
        read_table(classic_spark, store.table("db.t"), casts="paimon")
