"""What makes more of a Paimon table than its files: refused by name, with the line that reads it with Paimon's own connector."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fastavro
import pytest

from airflow_provider_schemas.errors import FormatError, NotThereError, ProjectionError, SchemaError, StorageError
from tests.support.companion import Companion
from tests.support.paimon.other_manifests import FORMATS, rewrite_lists
from tests.support.paimon.paimon_lake import Lake

EVOLVING = {"row-tracking.enabled": "true", "data-evolution.enabled": "true", "deletion-vectors.enabled": "true"}
KEYED = [{"id": 0, "name": "k", "type": "BIGINT NOT NULL"}, {"id": 1, "name": "v", "type": "STRING"}]
# Manifests that the tests can write anew.
UNPACKED = {"manifest.compression": "null"}
PLAIN = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "v", "type": "STRING"}]


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


@pytest.fixture
def lake(pypaimon: Companion, tmp_path: Path) -> Lake:
    return Lake(pypaimon, tmp_path / "lake")


def refused(lake: Lake, branch: str | None = None, **said: Any) -> ProjectionError:
    with pytest.raises(ProjectionError) as caught:
        lake.live(branch, **said)
    return caught.value


# ---------------------------------------------------------------- by its schema


def test_a_primary_key_is_refused_with_the_line_that_reads_the_table(lake: Lake) -> None:
    lake.create(fields=KEYED, primary=("k",), options={"bucket": "1"}).write({"k": 1, "v": "a"})
    error = refused(lake)
    assert error.code == "live.primary-key"
    assert str(error) == (
        "shop.orders has a primary key (k), by which rows of several files are merged. "
        f"""Read it with Paimon's own connector: spark.read.format("paimon").load("{lake.path}")"""
    )


def test_the_line_names_the_branch_and_the_snapshot_that_were_asked_for(lake: Lake) -> None:
    lake.create(fields=KEYED, primary=("k",), options={"bucket": "1"}).write({"k": 1, "v": "a"})
    lake.theirs.ask("tag", "shop.orders", tag="t")
    lake.theirs.ask("branch", "shop.orders", branch="dev", tag="t")
    assert '.option("branch", "dev").option("scan.snapshot-id", "1").load(' in refused(lake, "dev", snapshot=1).fix
    assert '.format("paimon").option("scan.tag-name", "t").load(' in refused(lake, tag="t").fix


def test_a_table_is_refused_before_it_has_data(lake: Lake) -> None:
    lake.create(fields=KEYED, primary=("k",), options={"bucket": "1"})
    assert refused(lake).code == "live.primary-key"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("type", "format-table"),
        ("scan.fallback-branch", "dev"),
        ("scan.primary-branch", "dev"),
        ("chain-table.enabled", "TRUE"),
        ("query-auth.enabled", "true"),
        ("scan.mode", "compacted-full"),
        ("scan.snapshot-id", "1"),
        ("incremental-between", "1,2"),
        ("fields.m.map.storage-layout", "shared-shredding"),
    ],
)
def test_an_option_that_makes_it_another_table_is_refused_by_its_name(lake: Lake, key: str, value: str) -> None:
    lake.create().write()
    _said(lake, {key: value})
    error = refused(lake)
    assert error.code == "live.option"
    assert error.path == key
    assert f"its option {key} is '{value}'" in str(error)


@pytest.mark.parametrize("options", [{"type": "TABLE"}, {"scan.mode": "latest"}, {"query-auth.enabled": "false"}, {"fields.v.x": "y"}])
def test_options_that_change_nothing_are_let_through(lake: Lake, options: dict[str, str]) -> None:
    lake.create().write()
    _said(lake, options)
    assert len(lake.live().files) == 1


def test_whoever_says_which_snapshot_is_not_told_another_by_an_option(lake: Lake) -> None:
    lake.create().write()
    _said(lake, {"scan.snapshot-id": "7"})
    assert len(lake.live(snapshot=1).files) == 1


def test_all_reasons_are_told_at_once(lake: Lake) -> None:
    lake.create(fields=KEYED, primary=("k",), options={"bucket": "1"}).write({"k": 1, "v": "a"})
    _said(lake, {"scan.fallback-branch": "dev", "query-auth.enabled": "true"})
    assert [one.code for one in refused(lake).faults] == ["live.primary-key", "live.option", "live.option"]


# ---------------------------------------------------------------- by its manifests


def test_deletion_vectors_are_refused_once_there_are_any(lake: Lake) -> None:
    lake.create(fields=PLAIN, options=EVOLVING).write(*({"k": number, "v": "a"} for number in range(4)))
    assert len(lake.live().files) == 1
    lake.theirs.ask("delete rows", "shop.orders", rows=[1])
    error = refused(lake)
    assert error.code == "live.deletion-vectors"
    assert "still hold rows that were deleted" in str(error)
    assert len(lake.live(snapshot=1).files) == 1


def test_columns_that_were_written_beside_their_rows_are_refused(lake: Lake) -> None:
    lake.create(fields=PLAIN, options=EVOLVING).write(*({"k": number, "v": "a"} for number in range(4)))
    lake.write({"k": 9, "v": "b"})
    assert len(lake.live().files) == 2
    lake.theirs.ask("update column", "shop.orders", column="v", values={1: "x"})
    error = refused(lake)
    assert error.code == "live.parts-of-rows"
    assert "(data evolution)" in str(error)


def test_files_of_large_objects_are_refused_by_their_kind(lake: Lake) -> None:
    fields = [*PLAIN, {"id": 2, "name": "b", "type": "BLOB"}]
    lake.create(fields=fields, options=EVOLVING).write({"k": 1, "v": "a", "b": b"x" * 100})
    assert "live.format" in {one.code for one in refused(lake).faults}
    assert ".blob" in str(refused(lake))


def test_a_version_whose_file_is_missing_is_told_before_anything_is_read(lake: Lake) -> None:
    lake.create().write().add("a").write()
    (lake.path / "schema/schema-0").unlink()
    error = refused(lake)
    assert error.code == "live.no-version"
    assert "has files of version 0, and no schema file of it" in str(error)
    assert "Restore it" in error.fix


# ---------------------------------------------------------------- broken, newer, hostile


def _said(lake: Lake, options: dict[str, str]) -> None:
    """Options in the newest schema file, whoever put them there."""
    path = max((lake.path / "schema").iterdir())
    about = json.loads(path.read_text())
    about["options"] |= options
    path.write_text(json.dumps(about))


def _manifests(lake: Lake, kind: str) -> list[Path]:
    return sorted(one for one in (lake.path / "manifest").iterdir() if one.name.startswith("manifest-list-") is (kind == "list"))


def _rewritten(lake: Lake, path: Path, change: Callable[[dict[str, Any]], Any], times: int = 1) -> None:
    """Every record of a manifest or of a list of them, changed; whoever names it says no size any more."""
    with path.open("rb") as file:
        reader: Any = fastavro.reader(file)
        schema, found = reader.writer_schema, list(reader)
    for one in found:
        change(one)
    out = io.BytesIO()
    fastavro.writer(out, schema, found * times)
    path.write_bytes(out.getvalue())
    for snapshot in (lake.path / "snapshot").glob("snapshot-*"):
        about = json.loads(snapshot.read_text())
        snapshot.write_text(json.dumps({key: value for key, value in about.items() if not key.endswith("Size")}))
    if not path.name.startswith("manifest-list-"):
        for each in _manifests(lake, "list"):
            _rewritten(lake, each, lambda one: one.update(_FILE_SIZE=path.stat().st_size))


@pytest.mark.parametrize("kind", ["list", "manifest"])
@pytest.mark.parametrize("version", [1, 3])
def test_another_version_of_a_manifest_is_refused_by_its_number(lake: Lake, kind: str, version: int) -> None:
    lake.create(options=UNPACKED).write()
    for path in _manifests(lake, kind):
        _rewritten(lake, path, lambda one: one.update(_VERSION=version))
    with pytest.raises(FormatError, match=f"of version {version}, and only version 2 is known") as caught:
        lake.live()
    assert caught.value.path.startswith("manifest-")


def test_another_version_of_a_snapshot_is_refused_by_its_number(lake: Lake) -> None:
    lake.create(options=UNPACKED).write()
    path = lake.path / "snapshot/snapshot-1"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 4}))
    with pytest.raises(FormatError, match="its format version 4 is not known"):
        lake.live()


@pytest.mark.parametrize(
    "change",
    [
        {"_KIND": 2},
        {"_PARTITION": b""},
        {"_PARTITION": b"\0\0\0\7" + bytes(80)},
        {"_FILE": {"_FILE_NAME": "../../../x.parquet"}},
        {"_FILE": {"_FILE_SIZE": -1}},
        {"_FILE": {"_ROW_COUNT": -1}},
        {"_FILE": {"_SCHEMA_ID": 2**40}},
    ],
    ids=["kind", "no-partition", "other-keys", "a-way-out", "size", "rows", "version"],
)
def test_entries_that_mean_nothing_are_broken(lake: Lake, change: dict[str, Any]) -> None:
    lake.create(("dt",), options=UNPACKED).write()
    file = change.pop("_FILE", {})
    _rewritten(lake, _manifests(lake, "manifest")[0], lambda one: (one.update(change), one["_FILE"].update(file)))
    with pytest.raises(SchemaError):
        lake.live()


def test_a_file_that_came_twice_is_not_read_twice(lake: Lake) -> None:
    lake.create(options=UNPACKED).write()
    _rewritten(lake, _manifests(lake, "manifest")[0], lambda one: None, times=2)
    with pytest.raises(FormatError, match="came twice"):
        lake.live()


def test_a_file_that_went_and_came_again_is_there(lake: Lake) -> None:
    """So says whoever writes an index beside it: it went without, and came with it."""
    lake.create(options=UNPACKED).write()
    kinds = iter([0, 1, 0])
    path = _manifests(lake, "manifest")[0]
    _rewritten(lake, path, lambda one: None, times=3)
    with pytest.raises(FormatError):
        lake.live()
    _rewritten(lake, path, lambda one: one.update(_KIND=next(kinds)))
    assert len(lake.live().files) == 1


def test_a_manifest_that_is_gone_is_named(lake: Lake) -> None:
    lake.create(options=UNPACKED).write()
    (path,) = _manifests(lake, "manifest")
    path.unlink()
    with pytest.raises(NotThereError, match=path.name):
        lake.live()


def test_a_manifest_that_is_cut_off_is_named(lake: Lake) -> None:
    lake.create(options=UNPACKED).write()
    (path,) = _manifests(lake, "manifest")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatError, match=path.name):
        lake.live()


def test_a_snapshot_that_expires_meanwhile_is_looked_for_anew(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.create(options=UNPACKED).write().write()
    table = lake.table
    path, real = lake.path / "snapshot/snapshot-2", type(table.place.files).read
    held = path.read_bytes()
    asked: list[str] = []

    def read(self: Any, name: str, *limit: Any) -> bytes:
        if name.endswith("snapshot-2") and not asked:
            asked.append(name)
            (path.parent / "snapshot-3").write_bytes(held.replace(b'"id": 2', b'"id": 3'))
            path.unlink()
        return real(self, name, *limit)

    monkeypatch.setattr(type(table.place.files), "read", read)
    assert lake.live().snapshot == 3


def test_snapshots_that_change_faster_than_they_are_read_are_given_up(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.create().write()
    kind, path = type(lake.table.place.files), lake.path / "snapshot/snapshot-1"
    real, numbers = kind.read, iter(range(1, 100))

    def read(self: Any, name: str, *limit: Any) -> bytes:
        if "/snapshot/" in name:
            number = next(numbers)
            (path.parent / f"snapshot-{number}").rename(path.parent / f"snapshot-{number + 1}")
        return real(self, name, *limit)

    monkeypatch.setattr(kind, "read", read)
    with pytest.raises(StorageError, match="change faster than they can be read"):
        lake.live()


@pytest.mark.parametrize("kind", FORMATS)
def test_manifests_in_another_format_are_healthy_and_read_by_the_connector(lake: Lake, kind: str) -> None:
    lake.create(options=UNPACKED).write()
    names = rewrite_lists(lake.path, kind)
    error = refused(lake)
    assert (error.code, error.path) == ("live.manifest-format", "shop.orders")
    assert any(name in error.message for name in names)
    assert f"manifest.format={kind}" in error.message
    assert "The table is healthy" in error.message
    assert f'spark.read.format("paimon").load("{lake.path}")' in error.fix
    assert "backup" not in str(error)
