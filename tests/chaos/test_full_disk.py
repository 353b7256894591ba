"""A disk that is full, a folder that is read-only: the writer is told what to do, and leaves nothing behind; the next one goes on."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.chaos.support.failing_disk import Trouble, told

LAYOUTS = ("paimon", "registry", "mini-paimon")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can reach: those of pytest cannot be."""
    path = Path(tempfile.mkdtemp(prefix="schemas-"))
    path.chmod(0o755)
    yield path
    for one in [path, *path.rglob("*")]:
        if one.is_dir():
            one.chmod(0o755)
    shutil.rmtree(path)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("largest", [0, 100])
def test_a_full_disk_keeps_nothing_of_a_version(folder: Path, layout: str, largest: int) -> None:
    store = SchemaStore(folder, layout=layout)
    store.create_table("db.t", "id BIGINT")
    before = files(folder)
    answer = told(Trouble(str(folder), layout, largest=largest))
    assert (answer.error, answer.builtin) == ("StorageError", True)
    assert answer.message.endswith(".")
    assert "room" in answer.fix
    assert answer.reads == 0
    assert files(folder) == before
    assert store.table("db.t").evolve(["ADD COLUMN coupon STRING"]).number == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_full_disk_keeps_nothing_of_a_new_table(folder: Path, layout: str) -> None:
    store = SchemaStore(folder, layout=layout)
    store.create_table("db.t", "id BIGINT")
    before = files(folder)
    answer = told(Trouble(str(folder), layout, largest=100, create=True))
    assert answer.error == "StorageError"
    assert files(folder) == before
    assert not store.exists("db.new")
    assert store.create_table("db.new", "id BIGINT").number == 0


@pytest.mark.parametrize("create", [False, True], ids=["evolve", "create"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_read_only_folder_is_read_and_never_written(folder: Path, layout: str, create: bool) -> None:
    store = SchemaStore(folder, layout=layout)
    store.create_table("db.t", "id BIGINT")
    before = files(folder)
    for one in [folder, *folder.rglob("*")]:
        one.chmod(0o555 if one.is_dir() else 0o444)
    answer = told(Trouble(str(folder), layout, unprivileged=True, create=create))
    assert (answer.error, answer.builtin) == ("StorageError", True)
    assert answer.code == "storage.forbidden"
    assert "right" in answer.fix
    assert answer.reads == 0
    assert files(folder) == before
