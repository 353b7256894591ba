"""Of many folders, those that a format of tables may keep are found at once; the others are taken as they were listed."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.spark.files.folder import many_folders
from airflow_provider_schemas.spark.files.kept_suspects import kept_suspects

SIGNS = {
    "delta": "_delta_log/00000000000000000000.json",
    "hudi": ".hoodie/hoodie.properties",
    "iceberg": "metadata/v1.metadata.json",
    "paimon": "snapshot/snapshot-1",
}


def put(path: Path, text: str = "x") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def suspects(spark: Any, *folders: Path) -> set[str]:
    found = many_folders(spark, {str(folder): "parquet" for folder in folders})
    return kept_suspects(spark, {folder: [file.path for file in listed.files] for folder, listed in found.items()})


@pytest.fixture
def plain(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / f"plain{number}" for number in range(52)]
    for folder in folders:
        put(folder / "part-0.parquet")
    return folders


def test_folders_with_a_sign_are_found_among_many(spark: Any, plain: list[Path], tmp_path: Path) -> None:
    kept = [tmp_path / kind for kind in SIGNS]
    for folder in kept:
        put(folder / "part-0.parquet")
        put(folder / SIGNS[folder.name])
    assert suspects(spark, *plain, *kept) == set(map(str, kept))


def test_a_folder_inside_of_one_that_is_kept_is_found(spark: Any, tmp_path: Path) -> None:
    put(tmp_path / "orders" / SIGNS["delta"])
    put(tmp_path / "events" / SIGNS["iceberg"])
    inside = [tmp_path / "orders/dt=1", tmp_path / "events/data"]
    beside = [tmp_path / "users/data", tmp_path / "clicks/dt=1"]
    for folder in (*inside, *beside):
        put(folder / "part-0.parquet")
    assert suspects(spark, *inside, *beside) == set(map(str, inside))
