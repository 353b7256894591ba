"""A file is below a folder by whole steps and by where it really lies, in whatever spelling its address comes."""

from pathlib import Path

import pytest

from airflow_provider_schemas.tasks.address_prefixes import locate

# The root of the file system, by the way of whoever asks.
PROCESS = "/proc/self/root"


def is_below(address: str, folder: str) -> bool:
    place, prefix = locate(address), locate(folder)
    assert prefix is not None
    return place is not None and place.is_below(prefix)


@pytest.mark.parametrize(
    ("address", "folder"),
    [
        ("https://acme.org/dags/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/job.yaml", "https://acme.org/dags/"),
        ("https://acme.org/dags/job.yaml", "https://acme.org"),
        ("https://acme.org/dags/job.yaml", "https://acme.org/dags/job.yaml"),
        ("HTTPS://ACME.org/dags/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/a/b.yaml?X-Sig=/../x&u=http://y", "https://acme.org/dags"),
        ("https://ana:pw@acme.org/dags/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/..hidden/job.yaml", "https://acme.org/dags"),
        ("s3a://bucket/dags/job.yaml", "s3://bucket/dags"),
        ("s3://bucket/dags/100%.yaml", "S3N://bucket/dags"),
        ("memory://needs/job.yaml", "memory://needs"),
        ("ftp://ana:pw@acme.org/dags/job.yaml", "ftp://acme.org/dags"),
        ("abfss://lake@acme.dfs.core.windows.net/dags/job.yaml", "abfs://lake@acme.dfs.core.windows.net/dags"),
        ("hdfs:///apps/dags/job.yaml", "hdfs:///apps"),
        ("/srv/dags/a/../job.yaml", "/srv/dags"),
        ("file:///srv/dags/job.yaml", "/srv/dags"),
        ("FILE:///srv/dags/job.yaml", "file:///srv/dags/"),
        ("local:///srv//dags/./job.yaml", "/srv/dags"),
    ],
)
def test_what_lies_in_a_folder_is_below_it(address: str, folder: str) -> None:
    assert is_below(address, folder)


@pytest.mark.parametrize(
    ("address", "folder"),
    [
        ("https://acme.org/dags-evil/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dagsjob.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/../job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/%2e%2e/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/%252E%252e/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/%25252E%2525252e/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/x%2f..%2f..%2fjob.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/..%5cjob.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/..;a=b/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/..\\job.yaml", "https://acme.org/dags"),
        ("https://acme.org.evil.net/dags/job.yaml", "https://acme.org"),
        ("https://acme.org:8443/dags/job.yaml", "https://acme.org"),
        ("https://acme.org@evil.net/dags/job.yaml", "https://acme.org"),
        ("https://acme.org\\@evil.net/dags/job.yaml", "https://acme.org"),
        ("https://evil.net#@acme.org/dags/job.yaml", "https://acme.org"),
        ("https://evil.net?@acme.org/dags/job.yaml", "https://acme.org"),
        ("https://evil.net/https://acme.org/dags/job.yaml", "https://acme.org"),
        ("http://acme.org/dags/job.yaml", "https://acme.org/dags"),
        ("https://acme.org/dags/job.yaml\x00", "https://acme.org/dags"),
        ("abfs://other@acme.dfs.core.windows.net/dags/job.yaml", "abfs://lake@acme.dfs.core.windows.net/dags"),
        ("s3://bucket-evil/dags/job.yaml", "s3://bucket"),
        ("s3://bucket/dags/job.yaml::file:///etc/passwd", "s3://bucket/dags"),
        ("zip://job.yaml::s3://bucket/dags/a.zip", "s3://bucket/dags"),
        ("gs://bucket/dags/job.yaml", "s3://bucket/dags"),
        ("s3:///bucket/dags/job.yaml", "s3://bucket"),
        ("/srv/dags-evil/job.yaml", "/srv/dags"),
        ("/srv/dags/../job.yaml", "/srv/dags"),
        ("/srv/dags/job.yaml\x00", "/srv/dags"),
        ("file:///srv/dags/../../etc/passwd", "/srv/dags"),
        ("FiLe:///etc/passwd", "/srv/dags"),
        ("LOCAL:///etc/passwd", "/srv/dags"),
        ("file://localhost/srv/dags/job.yaml", "/srv/dags"),
        ("file:////etc/passwd", "/srv/dags"),
        (f"{PROCESS}/etc/passwd", f"{PROCESS}/srv"),
    ],
)
def test_what_only_looks_like_it_is_not(address: str, folder: str) -> None:
    assert not is_below(address, folder)


def test_links_are_followed_on_both_sides(tmp_path: Path) -> None:
    for name in ("dags", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "job.yaml").write_text("x")
    (tmp_path / "dags/out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "dags/one.yaml").symlink_to("../elsewhere/job.yaml")
    (tmp_path / "current").symlink_to("dags")
    dags = str(tmp_path / "dags")
    assert is_below(str(tmp_path / "current/job.yaml"), dags)
    assert is_below(f"{dags}/job.yaml", str(tmp_path / "current"))
    for name in ("out/job.yaml", "one.yaml", "out/../job.yaml", "none/../../elsewhere/job.yaml"):
        assert is_below(f"{dags}/{name}", dags) is (name == "out/../job.yaml"), name


def test_a_home_is_found_as_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert is_below("file://~/job.yaml", str(tmp_path / "home"))
    assert not is_below("file://~/job.yaml", str(tmp_path / "dags"))
