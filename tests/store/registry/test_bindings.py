"""Bindings: folders of data, and the version with which they were written."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError, RefusedNameError
from airflow_provider_schemas.store.registry import bindings
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.support.table_versions import FIRST, NOW, ORDERS, RENAMED, version

OLD, NEW = version(FIRST), version(RENAMED)


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path)


def bound(files: LocalFiles) -> dict[str, int]:
    return {one.folder: one.version for one in bindings.listed(files, ORDERS).bindings}


def test_a_folder_is_bound_to_a_version_with_who_and_when(files: LocalFiles) -> None:
    one = bindings.bind(files, ORDERS, "dt=2025-03-1*/", OLD, actor="ana", now=NOW)
    assert one == bindings.Binding("dt=2025-03-1*", 0, OLD.digest, "ana", "2026-11-18T12:00:00+00:00", 0)
    assert bindings.listed(files, ORDERS) == bindings.Bindings((one,))
    assert str(one) == "dt=2025-03-1* was written with version 0"


def test_the_same_binding_twice_is_one_and_another_one_takes_its_place(files: LocalFiles) -> None:
    assert bindings.bind(files, ORDERS, "dt=1", OLD) == bindings.bind(files, ORDERS, "dt=1/", OLD)
    bindings.bind(files, ORDERS, "s3://bucket/orders", OLD)
    assert bindings.bind(files, ORDERS, "dt=1", NEW).number == 2
    assert bound(files) == {"dt=1": 1, "s3://bucket/orders": 0}


def test_a_binding_can_be_taken_back_and_made_again(files: LocalFiles) -> None:
    bindings.bind(files, ORDERS, "dt=1", OLD)
    bindings.unbind(files, ORDERS, "dt=1", actor="raj")
    assert bound(files) == {}
    with pytest.raises(NotThereError):
        bindings.unbind(files, ORDERS, "dt=1")
    assert bindings.bind(files, ORDERS, "dt=1", OLD).number == 2
    with pytest.raises(NotThereError, match="bound are dt=1"):
        bindings.unbind(files, ORDERS, "dt=2")


def test_folders_that_are_bound_at_once_are_all_there(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: bindings.bind(LocalFiles(tmp_path), ORDERS, f"dt={number}", OLD), range(16)))
    assert len(bound(LocalFiles(tmp_path))) == 16


@pytest.mark.parametrize("folder", ["", " ", "/", "../x", "a/../b", "a\nb", "x" * 1_001, "\ud800", None, "s3://key:secret@bucket/x"])
def test_what_is_no_folder_is_refused_and_nothing_is_written(files: LocalFiles, folder: str) -> None:
    with pytest.raises(RefusedNameError) as refused:
        bindings.bind(files, ORDERS, folder, OLD)
    assert "secret" not in str(refused.value)
    assert list(files.walk("")) == []


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"folder": "x", "version": "1", "digest": "d", "at": "2026-11-18"}', b'{"version": 1, "digest": "d"}', b"\xff"]
)
def test_a_binding_that_cannot_be_read_is_handed_on(files: LocalFiles, data: bytes) -> None:
    bindings.bind(files, ORDERS, "dt=1", OLD)
    files.put("bindings/shop/orders/binding-1", data)
    found = bindings.listed(files, ORDERS)
    assert [one.folder for one in found.bindings] == ["dt=1"]
    assert [one.path for one in found.unreadable] == ["bindings/shop/orders/binding-1"]
    assert not found.complete
    assert bindings.bind(files, ORDERS, "dt=2", OLD).number == 2
