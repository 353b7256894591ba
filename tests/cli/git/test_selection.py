"""What the arguments of a line mean: patterns mean what a shell with `**` would find, whether the files are there or not."""

import glob
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from airflow_provider_schemas.cli.git.repository import Repository
from airflow_provider_schemas.cli.git.selection import Selected, select
from airflow_provider_schemas.errors import SchemaError
from tests.support.git_repositories import GitRepository

NAMES = ("a", "b.yaml", "ab.yaml", "a.yml")
PARTS = st.sampled_from(["*", "**", "a*", "?.yaml", "[ab]*", "[!b].yaml", "a", "*.y*ml"])
FOLDERS = st.sampled_from(["*", "**", "d", "[de]", "?", "a*"])
PATHS = [path for first in NAMES for path in (f"s/{first}", *(f"s/d/{first}", f"s/d/e/{first}", f"t/{first}"))]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for path in PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    return tmp_path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(folders=st.lists(FOLDERS, max_size=2), last=PARTS.filter(lambda part: part != "a"))
def test_a_pattern_means_the_files_that_a_shell_finds(files: Path, folders: list[str], last: str) -> None:
    pattern = "/".join(["s", *folders, last])
    listed = glob.glob(pattern, root_dir=files, recursive=True)  # noqa: PTH207  # Path.glob takes ** for folders alone
    found = {path for path in listed if (files / path).is_file()}
    meant = Selected(pattern, pattern, is_pattern=True)
    assert {path for path in PATHS if meant.takes(path)} == found
    assert all(path.startswith(meant.listed) for path in found)


def test_the_names_of_a_line_are_looked_up_in_one_repository(repo: GitRepository) -> None:
    selection = select(["schemas", "schemas/shop/orders.yaml", "gone.yaml", "gone"])
    assert selection.repository == Repository(os.path.realpath(repo.top))
    assert sorted(selection.named_files) == ["gone.yaml", "schemas/shop/orders.yaml"]
    assert selection.paths == ()
    assert select(["schemas"]).paths == ["schemas"]


@pytest.mark.parametrize("name", ["a\0b", "../work.yaml", "/"])
def test_a_name_that_lies_nowhere_in_it_is_refused(repo: GitRepository, name: str) -> None:
    with pytest.raises(SchemaError):
        select([name])
