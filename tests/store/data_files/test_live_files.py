"""Which files a Paimon table consists of, where they lie, and what their manifests say of them: on tables that pypaimon writes."""

import datetime
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.casts.carriers import Timestamp
from airflow_provider_schemas.errors import ContractError, NotThereError, ProjectionError, SchemaError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.data_files.live_files import Live, live_files
from tests.support.companion import Companion
from tests.support.paimon.paimon_lake import DAY, Lake


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


@pytest.fixture
def lake(pypaimon: Companion, tmp_path: Path) -> Lake:
    return Lake(pypaimon, tmp_path / "lake")


# ---------------------------------------------------------------- which files


def test_each_file_comes_with_the_version_it_was_written_with(lake: Lake) -> None:
    lake.create().write().add("a").write({"k": 2, "a": "x"}, {"k": 3, "a": "y"}).add("b")
    assert [(one.version, one.rows, one.format, one.partition) for one in lake.check()] == [(0, 1, "parquet", ()), (1, 2, "parquet", ())]
    live = lake.live()
    # The newest version when the snapshot was made, and not the newest one.
    assert (live.table, live.branch, live.snapshot, live.version) == ("shop.orders", "main", 2, 1)


def test_files_that_were_overwritten_are_gone_and_still_there_in_an_older_snapshot(lake: Lake) -> None:
    lake.create().write().write(over=True)
    (now,) = lake.live().files
    (before,) = lake.live(snapshot=1).files
    assert now.path != before.path
    assert lake.live(snapshot=2).files == (now,)


def test_a_table_without_a_snapshot_has_no_files(lake: Lake) -> None:
    assert lake.create().live() == Live("shop.orders", "main", None, None, ())


def test_a_tag_keeps_its_files_and_its_version(lake: Lake) -> None:
    lake.create().write()
    lake.theirs.ask("tag", "shop.orders", tag="month end")
    lake.add("a").write(over=True)
    live = lake.live(tag="month end")
    assert (live.snapshot, live.version, [one.version for one in live.files]) == (None, 0, [0])


def test_a_branch_has_files_of_its_own_in_the_folder_of_the_table(lake: Lake) -> None:
    lake.create().write()
    lake.theirs.ask("tag", "shop.orders", tag="t")
    lake.theirs.ask("branch", "shop.orders", branch="dev", tag="t")
    lake.add("a", branch="dev").write({"k": 2, "a": "x"}, branch="dev")
    assert [one.version for one in lake.live("dev").files] == [0, 1]
    assert all((lake.folder / one.path).exists() and "branch" not in one.path for one in lake.live("dev").files)
    assert len(lake.live().files) == 1
    assert lake.live("dev", snapshot=1).files == lake.live().files


def test_files_outside_of_the_table_come_with_their_own_address(lake: Lake, tmp_path: Path) -> None:
    places = {"data-file.external-paths": f"file://{tmp_path}/out side", "data-file.external-paths.strategy": "round-robin"}
    lake.create(("dt",), options=places).write()
    (one,) = lake.live().files
    assert one.outside
    assert Path(one.path.removeprefix("file:")).stat().st_size == one.size
    assert one.partition == (("dt", 20_775),)


def test_data_may_have_a_folder_of_their_own_in_the_table(lake: Lake) -> None:
    lake.create(("dt",), options={"data-file.path-directory": "data"}).write()
    (one,) = lake.check()
    assert one.path.startswith("shop.db/orders/data/dt=20775/bucket-0/")


@pytest.mark.parametrize("kind", ["orc", "avro"])
def test_other_kinds_of_files_are_told_apart(lake: Lake, kind: str) -> None:
    lake.create(options={"file.format": kind}).write()
    assert [one.format for one in lake.check()] == [kind]


def test_many_manifests_are_read_once_each(lake: Lake) -> None:
    lake.create()
    for number in range(6):
        lake.write({"k": number})
    table = lake.table
    table.schema()
    before = table.place.files.count.snapshot()
    assert len(live_files(table).files) == 6
    # Listings of the versions and of the snapshots; the snapshot, its two lists, and six manifests.
    assert [now - then for now, then in zip(table.place.files.count.snapshot(), before, strict=True)] == [2, 9, 0]


# ---------------------------------------------------------------- partitions

ZERO = datetime.datetime(2026, 11, 18, 10, 0)  # noqa: DTZ001  # a clock time, in no zone
MILLIS = 1_794_996_000_000
KEYS: dict[str, list[tuple[Any, Any]]] = {
    "BOOLEAN": [(True, True), (False, False)],
    "TINYINT": [(-128, -128), (127, 127)],
    "SMALLINT": [(-32_768, -32_768)],
    "INT": [(-5, -5), (2**31 - 1, 2**31 - 1)],
    "BIGINT": [(-(2**63), -(2**63)), (2**40, 2**40)],
    "FLOAT": [(1.5, 1.5), (-0.0, -0.0)],
    "DOUBLE": [(0.1, 0.1), (1e23, 1e23), (-2.5e-9, -2.5e-9), (2e-44, 2e-44), (1e7, 1e7), (123456.7, 123456.7)],
    "DECIMAL(10, 2)": [(Decimal("12.30"), Decimal("12.30")), (Decimal("-0.05"), Decimal("-0.05"))],
    "DECIMAL(30, 5)": [(Decimal("-1234567890123456789.12345"),) * 2, (Decimal("0.00000"),) * 2],
    "CHAR(5)": [("ab", "ab")],
    "VARCHAR(50)": [("seven77", "seven77"), ("eight888", "eight888"), ("größer als sieben", "größer als sieben")],
    "STRING": [
        ("a/b=c:d%20 e", "a/b=c:d%20 e"),
        ("..", ".."),
        ("{x}[y]*?", "{x}[y]*?"),
        ("tab\there", "tab\there"),
        ("'\"\\^#", "'\"\\^#"),
    ],
    "DATE": [(DAY, 20_775), (datetime.date(1969, 12, 31), -1)],
    "TIME": [(datetime.time(1, 2, 3), 3_723_000)],
    "TIMESTAMP(0)": [(ZERO, Timestamp(MILLIS))],
    "TIMESTAMP(3)": [(ZERO.replace(microsecond=120_000), Timestamp(MILLIS + 120))],
    "TIMESTAMP(6)": [(ZERO.replace(second=5, microsecond=1), Timestamp(MILLIS + 5_000, 1_000)), (ZERO, Timestamp(MILLIS))],
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": [(ZERO.replace(tzinfo=datetime.UTC), Timestamp(MILLIS))],
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("legacy", ["true", "false"])
def test_the_values_of_a_partition_are_those_that_were_written(lake: Lake, kind: str, legacy: str) -> None:
    fields = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "p", "type": kind}]
    lake.create(("p",), fields=fields, options={"partition.legacy-name": legacy})
    lake.write(*({"k": number, "p": written} for number, (written, _) in enumerate(KEYS[kind])), {"k": 9, "p": None})
    found = {repr(one.partition[0][1]) for one in lake.check()}
    assert found == {repr(said) for _, said in KEYS[kind]} | {"None"}


def test_blanks_and_null_share_a_folder_and_stay_what_they_are(lake: Lake) -> None:
    lake.create(("s",)).write({"k": 1, "s": None}, {"k": 2, "s": "  "}, {"k": 3, "s": ""})
    found = lake.check()
    assert {one.path.split("/")[2] for one in found} == {"s=__DEFAULT_PARTITION__"}
    assert {one.partition for one in found} == {(("s", None),), (("s", "  "),), (("s", ""),)}


def test_a_blank_that_java_takes_for_a_letter_has_a_folder_of_its_own(lake: Lake) -> None:
    lake.create(("s",)).write({"k": 1, "s": "\u00a0"})
    shutil.move(lake.path / "s=__DEFAULT_PARTITION__", lake.path / "s=\u00a0")
    (one,) = lake.check()
    assert one.partition == (("s", "\u00a0"),)


def test_several_keys_come_in_the_order_of_the_table(lake: Lake) -> None:
    lake.create(("s", "dt")).write()
    (one,) = lake.check()
    assert one.partition == (("s", "a"), ("dt", 20_775))


def test_null_may_be_called_otherwise(lake: Lake) -> None:
    lake.create(("s",), options={"partition.default-name": "none at all"}).write({"k": 1, "s": None})
    (one,) = lake.check()
    assert "s=none at all" in one.path


def test_folders_that_older_writers_spelled_otherwise_are_found(lake: Lake) -> None:
    lake.create(("dt", "s")).write({"k": 1, "dt": DAY, "s": "a:b"}).write({"k": 2, "dt": DAY, "s": "c"})
    shutil.move(lake.path / "dt=20775/s=a%3Ab", lake.path / "dt=2026-11-18/s=a:b")
    paths = [one.path for one in lake.check()]
    assert [one.split("/")[2:4] for one in paths] == [["dt=2026-11-18", "s=a:b"], ["dt=20775", "s=c"]]


def test_one_partition_may_lie_in_two_folders_of_two_writers(lake: Lake) -> None:
    lake.create(("dt",)).write().write()
    folder = lake.path / "dt=20775/bucket-0"
    other = lake.path / "dt=2026-11-18/bucket-0"
    other.mkdir(parents=True)
    moved = min(folder.iterdir())
    shutil.move(moved, other / moved.name)
    assert len(lake.check()) == 2


def test_a_partition_whose_folder_is_gone_is_named(lake: Lake) -> None:
    lake.create(("dt",)).write()
    shutil.rmtree(lake.path / "dt=20775")
    with pytest.raises(NotThereError, match="no folder of them: neither dt=20775 nor dt=2026-11-18") as caught:
        lake.live()
    assert caught.value.code == "live.no-folder"


def test_folders_are_listed_once_a_table_and_not_once_a_partition(lake: Lake) -> None:
    lake.create(("dt",)).write(*({"k": number, "dt": DAY + datetime.timedelta(number)} for number in range(30)))
    table = lake.table
    table.schema()
    before = table.place.files.count.snapshot()[0]
    assert len(live_files(table).files) == 30
    assert table.place.files.count.snapshot()[0] - before == 3


# ---------------------------------------------------------------- what is asked for is not there


def test_a_snapshot_that_is_not_there_is_told_with_those_that_are(lake: Lake) -> None:
    lake.create().write().write()
    with pytest.raises(NotThereError, match=r"shop.orders has no snapshot 7. There are 2: 1 to 2."):
        lake.live(snapshot=7)


def test_a_tag_that_is_not_there_is_told_with_those_that_are(lake: Lake) -> None:
    lake.create().write()
    with pytest.raises(NotThereError, match="It has no tags"):
        lake.live(tag="x")
    lake.theirs.ask("tag", "shop.orders", tag="t")
    with pytest.raises(NotThereError, match=r"has no tag 'x'. It has t."):
        lake.live(tag="x")


@pytest.mark.parametrize("said", [{"snapshot": 0}, {"snapshot": True}, {"snapshot": "1"}, {"tag": 3}, {"snapshot": 1, "tag": "t"}])
def test_what_names_no_snapshot_is_refused(lake: Lake, said: dict[str, Any]) -> None:
    lake.create().write()
    with pytest.raises(ContractError):
        lake.live(**said)


@pytest.mark.parametrize("tag", ["../../x", "", "a/b", "x" * 300, "\0"])
def test_a_tag_is_no_way_out_of_its_folder(lake: Lake, tag: str) -> None:
    lake.create().write()
    with pytest.raises(SchemaError):
        lake.live(tag=tag)


def test_a_branch_that_is_not_there_is_not_there(lake: Lake) -> None:
    lake.create().write()
    with pytest.raises(NotThereError, match="on branch 'nope'"):
        lake.live("nope")


def test_a_table_that_is_no_paimon_table_has_no_manifests(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path, layout="registry")
    store.create_table("shop.orders", "k INT")
    with pytest.raises(ProjectionError, match="no manifests that name its files"):
        live_files(store.table("shop.orders"))
