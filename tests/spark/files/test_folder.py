"""Many folders are listed at once, and what each holds is what it holds when it is listed alone."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.spark.files.folder import many_folders, plain_files


def file(path: Path, content: bytes = b"x") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(40):
        file(tmp_path / f"t{number}" / f"{number}.parquet")
        file(tmp_path / f"t{number}" / "dt=a b" / "more.parquet")
        file(tmp_path / f"t{number}" / "_hidden" / "more.parquet")
    file(tmp_path / "t1" / "inner" / "deep.parquet")
    file(tmp_path / "o{d,d}" / "a.parquet")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_each_of_many_folders_holds_what_it_holds_alone(spark: Any, root: Path) -> None:
    named = [str(root / f"t{number}") for number in range(20)]
    named += [(root / f"t{number}").as_uri() for number in range(20, 40)]
    named += [str(root / "t1" / "inner"), f"{root}/t39/../t38", str(root / "o{d,d}"), str(root / "empty"), str(root / "not there")]
    found = many_folders(spark, dict.fromkeys(named, "parquet"))
    assert found.keys() == {one for one in named if Path(one).name not in ("o{d,d}", "empty", "not there")}
    assert {folder: plain_files(spark, folder, "parquet") for folder in found} == found
    assert [len(found[str(root / f"t{number}")].files) for number in (0, 1, 2)] == [2, 3, 2]


def test_folders_of_which_none_is_there_are_left_to_who_lists_them_alone(spark: Any, tmp_path: Path) -> None:
    missing = [f"{tmp_path}/a/b", f"{tmp_path}/a/c"]
    assert many_folders(spark, dict.fromkeys(missing, "parquet")) == {}
    with pytest.raises(NotThereError):
        plain_files(spark, missing[0], "parquet")


def test_a_setting_of_the_session_stays(classic_spark: Any, root: Path) -> None:
    name = "spark.sql.sources.parallelPartitionDiscovery.parallelism"
    before = classic_spark.conf.get(name)
    many_folders(classic_spark, {str(root / "t1"): "parquet", str(root / "t2"): "parquet"})
    assert classic_spark.conf.get(name) == before
