"""Folders that are left out are not listed, nor is anything below them; where nothing is left out, the whole folder is."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from airflow_provider_schemas.spark.files.folder_tree import Keys, left_paths
from airflow_provider_schemas.store.storage.local import LocalFiles


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    places = [
        "dt=1/eu=a/1.p",
        "dt=1/eu=b/2.p",
        "dt=2/eu=a/3.p",
        "dt=2/eu=b/_x/4.p",
        "plain/5.p",
        "_dt=3/6.p",
        "_hidden/7.p",
        ".dt=8/8.p",
        "9.p",
    ]
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"x")
    return LocalFiles(str(tmp_path))


def without(*left_out: str) -> object:
    def possible(folders: Sequence[Keys]) -> list[bool]:
        return [not any(f"{key}={text}" in left_out for key, text in keys) for keys in folders]

    return possible


@pytest.mark.parametrize(
    ("left_out", "paths", "listings"),
    [
        ((), None, 8),
        (("dt=3",), None, 8),
        (("dt=1",), ["9.p", "_dt=3", "dt=2", "plain"], 5),
        (("dt=1", "_dt=3", "dt=2"), ["9.p", "plain"], 1),
        (("eu=b",), ["9.p", "_dt=3", "dt=1/eu=a", "dt=2/eu=a", "plain"], 6),
        (("dt=1", "eu=b", "_dt=3"), ["9.p", "dt=2/eu=a", "plain"], 3),
    ],
)
def test_only_what_is_left_is_listed(files: LocalFiles, left_out: tuple[str, ...], paths: list[str] | None, listings: int) -> None:
    before = files.count.snapshot()[0]
    found = left_paths(files, without(*left_out))  # type: ignore[arg-type]  # of the shape that is asked for
    assert (None if found is None else sorted(found)) == paths
    assert files.count.snapshot()[0] - before == listings
