"""A link to a folder in which it lies has no end: whoever walks such a folder sees each file once, and comes back."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store.storage.folder_print import folder_print
from airflow_provider_schemas.store.storage.local import LocalFiles


@pytest.fixture
def looped(tmp_path: Path) -> Path:
    """A folder with a file, and with links that lead back to it from two levels."""
    inside = tmp_path / "data" / "dt=1"
    inside.mkdir(parents=True)
    (inside / "part-0").write_bytes(b"x")
    for number in range(3):
        (tmp_path / "data" / f"again-{number}").symlink_to(tmp_path / "data")
        (inside / f"up-{number}").symlink_to(tmp_path / "data")
    return tmp_path


def test_a_walk_sees_each_file_once(looped: Path) -> None:
    assert [path for path, _ in LocalFiles(looped).walk("data")] == ["data/dt=1/part-0"]


def test_a_link_to_a_folder_beside_it_is_followed(looped: Path) -> None:
    (looped / "data" / "dt=2").symlink_to(looped / "data" / "dt=1")
    assert [path for path, _ in LocalFiles(looped).walk("data")] == ["data/dt=2/part-0", "data/dt=1/part-0"]


def test_the_print_of_all_below_a_folder_changes_with_its_files_alone(looped: Path) -> None:
    files = LocalFiles(looped)
    before = folder_print(files, "data", deep=True)
    assert before is not None
    assert folder_print(files, "data", deep=True) == before
    (looped / "data" / "dt=1" / "part-1").write_bytes(b"y")
    assert folder_print(files, "data", deep=True) != before
