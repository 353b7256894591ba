"""A mount goes to other processes, and survives a fork: connections are opened anew."""

import multiprocessing
import os
import pickle
from functools import partial
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.store import IcebergMount
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, sql_catalog


def test_a_mount_is_pickled_and_opens_its_catalog_again(lake: Lake) -> None:
    lake.create()
    lake.look()
    other = pickle.loads(pickle.dumps(lake.mount))
    assert Lake(None, other, "").look().head == 0
    assert (other.url, other.identity, other.evolve) == (lake.mount.url, lake.mount.identity, False)


def test_a_function_that_opens_the_catalog_goes_along(tmp_path: Path) -> None:
    mount = IcebergMount(partial(sql_catalog, tmp_path), NAMESPACE)
    assert mount.look("orders") is None
    other = pickle.loads(pickle.dumps(mount))
    Lake(sql_catalog(tmp_path), other, "").create()
    assert Lake(None, other, "").look().head == 0
    assert other.identity == mount.identity


def test_a_catalog_whose_client_came_from_elsewhere_is_not_opened_again_by_guess() -> None:
    from pyiceberg.catalog.memory import InMemoryCatalog

    mount = IcebergMount(InMemoryCatalog("memory"), NAMESPACE)
    with pytest.raises(FormatError) as caught:
        pickle.dumps(mount)
    assert "function" in caught.value.fix


def test_mounts_of_different_catalogs_are_told_apart(tmp_path: Path) -> None:
    one = IcebergMount(sql_catalog(tmp_path / "one"), NAMESPACE)
    two = IcebergMount(sql_catalog(tmp_path / "two"), NAMESPACE)
    assert one.url == two.url
    assert one.identity != two.identity
    assert IcebergMount(lambda: None, NAMESPACE).identity != IcebergMount(lambda: None, NAMESPACE).identity


def _look_in_child(mount: IcebergMount, answers: "multiprocessing.Queue[object]") -> None:
    look = mount.look("orders")
    answers.put((os.getpid(), look.head if look is not None else None))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_that_was_forked_opens_the_catalog_for_itself(tmp_path: Path) -> None:
    mount = IcebergMount(partial(sql_catalog, tmp_path), NAMESPACE)
    Lake(sql_catalog(tmp_path), mount, "").create()
    assert mount.look("orders") is not None
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_look_in_child, args=(mount, answers))
    child.start()
    try:
        pid, head = answers.get(timeout=60)
    finally:
        child.join(60)
    assert (pid == os.getpid(), head) == (False, 0)
