"""Files of a rehearsal answer as files that are written, and the storage beneath them gets no write."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import AlreadyThereError, NotThereError, ReadOnlyError, SchemaError, StorageError
from airflow_provider_schemas.store import IcebergMount, SchemaStore
from airflow_provider_schemas.store.storage.files import Files, Gone, Parent, PathTaken
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.rehearsal_files import RehearsalFiles
from tests.support import iceberg_catalog

PATHS = ("a/one", "a/two", "a/b/one", "c/one", "top")
FOLDERS = ("", "a", "a/b", "c", "nothing")
BYTES = st.sampled_from([b"x", b"longer", b""])
STEP = st.one_of(
    st.tuples(st.just("create"), st.sampled_from(PATHS), BYTES),
    st.tuples(st.just("put"), st.sampled_from(PATHS), BYTES),
    st.tuples(st.just("delete"), st.sampled_from(PATHS)),
    st.tuples(st.just("delete_folder"), st.sampled_from(["a", "a/b", "c"])),
    st.tuples(st.just("move_folder"), st.sampled_from(["a/b", "c"]), st.just("moved")),
    st.tuples(st.just("follow"), st.sampled_from(PATHS), st.sampled_from(PATHS), BYTES),
)


def write(folder: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def outcome(files: Files, step: Sequence[Any]) -> str:
    """What a step answers, in a word; a step is made where it can be made."""
    kind, *words = step
    try:
        match kind:
            case "move_folder":
                if not any(True for _ in files.walk(words[0])) or files.exists(words[1]):
                    return "left out"
                files.move_folder(*words)
            case "follow":
                path, parent, data = words
                digest = hashlib.sha256(files.read(parent)).hexdigest()
                files.create(path, data, Parent(parent, digest))
            case _:
                return str(getattr(files, kind)(*words))
    except (PathTaken, Gone, SchemaError) as error:
        return type(error).__name__
    return "done"


def view(files: Files) -> dict[str, Any]:
    """All that can be asked."""
    paths = sorted(path for path, _ in files.walk(""))
    read = {path: files.read(path) for path in paths}
    many = files.read_many(PATHS)
    return {
        "walk": paths,
        "read": read,
        "parts": {path: files.read_part(path, 1, 3) for path in paths},
        "many": {path: many[path] if isinstance(many[path], bytes) else type(many[path]).__name__ for path in PATHS},
        "exists": [files.exists(path) for path in PATHS],
        "refuses": [files.refuses(path, read[path]) for path in paths],
        "files": {folder: sorted(entry.name for entry in files.list(folder) if not entry.folder) for folder in FOLDERS},
        "walks": {folder: sorted(path for path, _ in files.walk(folder)) for folder in FOLDERS},
    }


@pytest.mark.law
@given(st.dictionaries(st.sampled_from(PATHS), BYTES), st.lists(STEP, max_size=8))
def test_a_rehearsal_answers_as_files_that_are_written_and_writes_none(content: dict[str, bytes], steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder:
        real, beneath = Path(folder, "real"), Path(folder, "beneath")
        for root in (real, beneath):
            root.mkdir()
            write(root, content)
        written, base = LocalFiles(real), LocalFiles(beneath)
        rehearsed = RehearsalFiles(base)
        assert [outcome(rehearsed, step) for step in steps] == [outcome(written, step) for step in steps]
        assert view(rehearsed) == view(written)
        assert {str(path.relative_to(beneath)): path.read_bytes() for path in beneath.rglob("*") if path.is_file()} == content
        assert base.count.puts == 0


def test_a_folder_is_listed_as_long_as_anything_is_in_it(tmp_path: Path) -> None:
    write(tmp_path, {"a/b/one": b"x", "a/two": b"y"})
    files = RehearsalFiles(LocalFiles(tmp_path))
    files.delete("a/b/one")
    assert [(entry.name, entry.folder) for entry in files.list("a")] == [("two", False)]
    files.put("a/b/three", b"z")
    assert sorted((entry.name, entry.folder) for entry in files.list("a")) == [("b", True), ("two", False)]
    with pytest.raises(NotThereError):
        files.read("a/b/one")


def test_what_was_rehearsed_proves_nothing_about_the_storage(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.rehearsing().create_table("shop.orders", "id BIGINT")
    assert store.guarantee() == "exclusive create by hard link, not asked yet"
    assert [*tmp_path.iterdir()] == []


# ---------------------------------------------------------------- a store


def test_a_rehearsal_sees_what_it_wrote_and_nobody_else_does(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "id BIGINT, note STRING")
    rehearsal = SchemaStore(tmp_path, read_only=True).rehearsing()
    table = rehearsal.table("shop.orders")
    assert table.evolve("ADD COLUMN coupon STRING").number == 1
    table.waive("FIELD_RENAMED", until="2999-01-01", reason="x")
    table.register("note STRING", consumer="daily")
    table.bind("dt=1", 1)
    with pytest.raises(SchemaError, match="breaks daily"):
        table.evolve("DROP COLUMN note")
    assert (len(table.waivers()), len(table.contracts()), len(table.bindings())) == (1, 1, 1)
    assert rehearsal.tables("shop") == ("orders",)
    mine = store.table("shop.orders")
    assert (mine.numbers(), mine.waivers(), mine.contracts(), mine.bindings()) == ((0,), (), (), ())
    with pytest.raises(ReadOnlyError):
        SchemaStore(tmp_path, read_only=True).table("shop.orders").evolve("ADD COLUMN x INT")


def test_a_first_table_can_be_rehearsed_where_no_warehouse_is(tmp_path: Path) -> None:
    rehearsal = SchemaStore(tmp_path / "lake").rehearsing()
    assert rehearsal.create_table("shop.orders", "id BIGINT").notes[0] == f"new warehouse at {tmp_path}/lake"
    assert rehearsal.tables("shop") == ("orders",)
    assert [*tmp_path.iterdir()] == []


def test_a_rehearsal_is_refused_where_the_line_would_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(StorageError):
        SchemaStore(tmp_path / "file").rehearsing().create_table("shop.orders", "id BIGINT")


def test_a_rehearsal_on_an_object_store_puts_nothing(s3_bucket: Any) -> None:
    store = SchemaStore(s3_bucket.url("lake"), storage_options=s3_bucket.storage_options)
    store.create_table("shop.orders", "id BIGINT, note STRING")
    before = store.asked()
    table = store.rehearsing().table("shop.orders")
    assert table.evolve("ADD COLUMN coupon STRING").number == 1
    assert table.restore(0, override="x").number == 2
    table.register("note STRING", consumer="daily")
    assert (store.asked() - before).puts == 0
    assert store.table("shop.orders").numbers() == (0,)


def test_no_commit_is_sent_to_the_catalog_of_a_mounted_table(tmp_path: Path) -> None:
    catalog = iceberg_catalog.open_catalog(tmp_path / "iceberg", "demo")
    iceberg_catalog.make_orders(catalog)
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", mounts={"shop": IcebergMount(catalog, iceberg_catalog.NAMESPACE, evolve=True)})
    before = store.table("shop.orders").latest()
    committed = store.rehearsing().table("shop.orders").evolve("ADD COLUMN coupon STRING")
    assert committed.plan is not None
    assert "coupon" in committed.plan.result.names
    assert store.table("shop.orders").latest().digest == before.digest
    with pytest.raises(SchemaError):
        store.rehearsing().table("shop.orders").evolve("DROP COLUMN nothing")


def test_a_name_that_is_taken_is_taken_in_a_rehearsal(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "id BIGINT")
    with pytest.raises(AlreadyThereError):
        store.rehearsing().create_table("shop.orders", "other STRING")
