"""A mount as people type it: a connection, a catalog or an address, and a sentence for what is none of these."""

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.arguments.mount import MountOption, mount, mounts


def test_a_connection_and_a_namespace() -> None:
    assert mount("shop=iceberg:rest/prod.shop") == MountOption("shop=iceberg:rest/prod.shop", "shop", conn_id="rest", namespace="prod.shop")


def test_a_catalog_of_pyiceberg_and_a_namespace() -> None:
    assert mount("shop=iceberg:catalog=prod/a.b") == MountOption("shop=iceberg:catalog=prod/a.b", "shop", catalog="prod", namespace="a.b")


@pytest.mark.parametrize("typed", ["shop=iceberg:rest", "shop=iceberg:catalog=prod"])
def test_without_a_namespace_it_is_left_open(typed: str) -> None:
    assert mount(typed).namespace == ""


@pytest.mark.parametrize("typed", ["shop=s3://lake/shop", "shop=iceberg:s3://lake/shop"])
def test_an_address_is_kept_as_it_is(typed: str) -> None:
    assert (mount(typed).url, mount(typed).conn_id) == ("s3://lake/shop", "")


def test_a_path_begins_at_the_current_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert [mount(f"shop={path}").url for path in ("lake", "./lake", "~/lake", "/lake")] == [
        str(tmp_path / "lake"),
        str(tmp_path / "lake"),
        str(tmp_path / "home/lake"),
        "/lake",
    ]
    assert mount("shop=iceberg:./lake").url == str(tmp_path / "lake")


def test_an_address_may_hold_an_equals_sign() -> None:
    assert mount("shop=s3://lake/day=1").url == "s3://lake/day=1"


@pytest.mark.parametrize("typed", ["", "shop", "shop=", "=s3://lake", "shop=iceberg:", "shop=iceberg:rest/", "shop=iceberg:catalog="])
def test_what_names_no_place_is_refused_with_the_shapes(typed: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"write it as DB=iceberg:CONN/NAMESPACE"):
        mount(typed)


def test_delta_without_an_address_is_refused_with_the_shapes() -> None:
    with pytest.raises(ArgumentTypeError, match=r"or DB=delta:URL"):
        mount("shop=delta:")


def test_another_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(ArgumentTypeError, match="'hudi' cannot be mounted; there are: iceberg, delta"):
        mount("shop=hudi:rest/shop")


def test_tables_of_delta_are_found_by_an_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert mount("shop=delta:s3://lake/shop") == MountOption("shop=delta:s3://lake/shop", "shop", "delta", url="s3://lake/shop")
    assert [mount(f"shop=delta:{path}").url for path in ("/lake/shop", "./lake", "lake/shop", "catalog=x/y")] == [
        "/lake/shop",
        str(tmp_path / "lake"),
        str(tmp_path / "lake/shop"),
        str(tmp_path / "catalog=x/y"),
    ]


def test_a_variable_holds_several_with_blanks_between_them() -> None:
    assert [option.database for option in mounts(" shop=iceberg:rest/shop  web=s3://lake/web ")] == ["shop", "web"]
    assert mounts("") == []
