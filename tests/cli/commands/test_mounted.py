"""Mounted databases on the command line: by an address, by a catalog of pyiceberg and by an Airflow connection, read and never written."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.store import SchemaStore
from tests.support import iceberg_catalog

CATALOG = "demo"


class Line:
    """A command line with a store and a mount of a catalog that pyiceberg's own configuration names."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.store = folder / "lake"
        self.store.mkdir()
        self.mount = f"shop=iceberg:catalog={CATALOG}/{iceberg_catalog.NAMESPACE}"
        self._capsys = capsys

    def __call__(self, *words: str, ends: int = 0, mount: str = "") -> str:
        """What is printed, standard error included."""
        code = main([*words, "--store", str(self.store), "--mount", mount or self.mount, "--width", "200"])
        said = self._capsys.readouterr()
        assert code == ends, said
        return said.out + said.err

    def json(self, *words: str, ends: int = 0) -> Any:
        code = main([*words, "--store", str(self.store), "--mount", self.mount, "--format", "json"])
        said = self._capsys.readouterr()
        assert code == ends, said
        return json.loads(said.out)


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A catalog that pyiceberg opens by its name, with the table prod.shop.orders."""
    from pyiceberg import catalog as module
    from pyiceberg.utils.config import Config

    made = iceberg_catalog.open_catalog(tmp_path / "iceberg", CATALOG)
    iceberg_catalog.make_orders(made)
    monkeypatch.setenv(f"PYICEBERG_CATALOG__{CATALOG.upper()}__URI", f"sqlite:///{tmp_path}/iceberg/catalog.db")
    monkeypatch.setattr(module, "_ENV_CONFIG", Config())  # read once, when pyiceberg is imported
    return made


@pytest.fixture
def line(catalog: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(tmp_path, capsys)


def test_a_listing_says_what_keeps_a_database(line: Line) -> None:
    SchemaStore(line.store).create_table("web.visits", "visit_id BIGINT")
    assert line("ls") == f"shop  iceberg, iceberg:{CATALOG}/prod.shop\nweb\n"
    assert line("ls", "shop") == "shop.orders\n"
    listed = line.json("ls")
    assert listed == {"databases": ["shop", "web"], "mounts": {"shop": {"kind": "iceberg", "url": f"iceberg:{CATALOG}/prod.shop"}}}


def test_names_that_cannot_be_asked_for_are_listed_by_themselves(line: Line, catalog: Any) -> None:
    iceberg_catalog.make_orders(catalog, "or%ders")
    assert "not addressable in shop: 'or%ders'" in line("ls", "shop")
    assert line.json("ls", "shop")["unaddressable"] == {"shop": ["or%ders"]}


def test_a_mount_that_is_down_hides_no_other_database(line: Line, tmp_path: Path) -> None:
    SchemaStore(line.store).create_table("web.visits", "visit_id BIGINT")
    (tmp_path / "iceberg/catalog.db").write_text("no database any more" * 1_000)
    said = line("ls", "--long", ends=2)
    assert "cannot be listed: " in said
    assert "1 table" in said


def test_a_table_is_shown_and_its_steps_are_told_a_return_too(line: Line, catalog: Any) -> None:
    orders = catalog.load_table("prod.shop.orders")
    iceberg_catalog.rename(orders, "cust_id", "customer_id")
    assert "shop.orders v1  4 columns" in line("show", "shop.orders")
    assert "RENAME COLUMN cust_id TO customer_id" in line("diff", "shop.orders:0", "shop.orders:1")
    iceberg_catalog.rename(orders, "customer_id", "cust_id")
    log = [words.split()[0] for words in line("log", "shop.orders").splitlines() if words.startswith("v")]
    assert log == ["v0", "v1", "v0"]


def test_a_check_says_that_it_judged_by_metadata_and_offers_the_engines_statement(line: Line, catalog: Any) -> None:
    wanted = ("check", "shop.orders", "--contract", "cust_id BIGINT")
    assert "judged by metadata" in line(*wanted)
    iceberg_catalog.rename(catalog.load_table("prod.shop.orders"), "cust_id", "customer_id")
    said = line(*wanted, ends=1)
    assert "EXPECT_FIELD_RENAMED" in said
    command = f"airflow-schemas plan --store {line.store} --mount {line.mount} shop.orders 'RENAME COLUMN customer_id TO cust_id'"
    assert f"{command} --sql spark" in said


@pytest.mark.parametrize("engine", ["spark", "spark-iceberg", "trino"])
def test_a_plan_prints_statements_under_the_name_that_the_catalog_has(engine: str, line: Line) -> None:
    said = line("plan", "shop.orders", "--drop", "amount", "--sql", engine)
    assert said.splitlines()[-1].startswith("ALTER TABLE")
    assert f"{CATALOG}`.`prod`.`shop`.`orders`" in said.replace('"', "`")


def test_a_change_is_refused_with_the_statement(line: Line) -> None:
    said = line("evolve", "shop.orders", "--add", "coupon STRING", ends=2)
    assert "ALTER TABLE" in said
    assert line.json("evolve", "shop.orders", "--add", "coupon STRING", ends=2)["error"]["code"] == "mount.read-only"


def test_contracts_lie_in_the_registry_of_the_store(line: Line, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text("job: daily\nreads:\n  shop.orders: cust_id BIGINT\n")
    assert "registered as contract 0" in line("contract", "register", str(tmp_path / "job.yaml"))
    assert "breaks daily" in line("plan", "shop.orders", "--drop", "cust_id", ends=1)


def test_an_adopted_table_is_handed_over_when_somebody_says_so(line: Line) -> None:
    SchemaStore(line.store).adopt("shop.orders", "file:///somewhere", "order_id BIGINT", format="iceberg", unchecked="a test")
    said = line("show", "shop.orders", ends=2)
    assert f"airflow-schemas mount --store {line.store} --mount {line.mount} shop.orders" in said
    assert "nothing was written: type the same line with --yes" in line("mount", "shop.orders")
    line("show", "shop.orders", ends=2)
    assert "was handed over" in line("mount", "shop.orders", "--yes")
    assert "shop.orders v0  4 columns" in line("show", "shop.orders")
    assert "there is nothing to hand over" in line("mount", "shop.orders", "--yes", ends=2)


def test_a_folder_of_tables_needs_no_catalog(line: Line, tmp_path: Path) -> None:
    metadata = next(path.parent for path in (tmp_path / "iceberg").rglob("*.metadata.json"))
    assert line("ls", "shop", mount=f"shop={metadata.parent.parent}") == "shop.orders\n"
    assert "shop.orders v0" in line("show", "shop.orders", mount=f"shop={metadata.parent.parent}")


def test_a_database_is_mounted_once(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ls", "--store", str(line.store), "--mount", line.mount, "--mount", "shop=/elsewhere"]
    assert main(words) == 2
    assert "'shop' is mounted 2 times. Keep one of them." in capsys.readouterr().err


def test_the_environment_may_name_the_mounts(line: Line, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("AIRFLOW_SCHEMAS_MOUNTS", line.mount)
    assert main(["ls", "shop", "--store", str(line.store)]) == 0
    assert capsys.readouterr().out == "shop.orders\n"
    monkeypatch.setenv("AIRFLOW_SCHEMAS_MOUNTS", "shop")
    assert main(["ls", "shop", "--store", str(line.store)]) == 2
    assert "AIRFLOW_SCHEMAS_MOUNTS: write it as DB=" in capsys.readouterr().err


def test_a_plan_keeps_no_old_name_where_nobody_would_find_it(line: Line, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text("job: daily\nreads:\n  shop.orders: cust_id BIGINT\n")
    line("contract", "register", str(tmp_path / "job.yaml"))
    for words in (("--format", "text"), ("--format", "markdown")):
        said = line("plan", "shop.orders", "--rename", "cust_id:customer_id", *words, ends=1)
        assert "daily" in said
        assert "alias" not in said


def test_who_saw_a_table_that_was_made_again_is_told_so(line: Line, catalog: Any) -> None:
    shown = line.json("ls", "shop", "--long")["tables"][0]
    seen = f"{shown['version']}:{shown['digest']}:{catalog.load_table('prod.shop.orders').metadata.table_uuid}"
    line("check", "shop.orders", "--since", seen)
    catalog.drop_table("prod.shop.orders")
    iceberg_catalog.make_orders(catalog)
    line("check", "shop.orders", "--since", seen.rpartition(":")[0])
    assert "TABLE_REPLACED" in line("check", "shop.orders", "--since", seen)


def typed(said: str) -> list[list[str]]:
    """The commands of a report, as a shell takes them apart; what people fill in is filled in."""
    lines = [words.strip().replace("--reason=WHY", "--reason='the job follows'") for words in said.splitlines()]
    return [shlex.split(words)[1:] for words in lines if words.startswith("airflow-schemas ")]


def test_each_command_of_a_report_works_as_it_stands_and_none_changes_the_table(
    line: Line, catalog: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "job.yaml").write_text("job: daily\nreads:\n  shop.orders: cust_id BIGINT\n")
    line("contract", "register", str(tmp_path / "job.yaml"))
    orders = catalog.load_table("prod.shop.orders")
    iceberg_catalog.rename(orders, "cust_id", "customer_id")
    judged = line("check", "shop.orders", "--for", "daily", "--width", "2000", ends=1)
    commands = typed(judged)
    assert [command[0] for command in commands] == ["plan", "waive"]
    before = orders.refresh().metadata_location
    for command in commands:
        assert main(command) == 0, capsys.readouterr()
    statement = "ALTER TABLE `demo`.`prod`.`shop`.`orders` RENAME COLUMN `customer_id` TO `cust_id`;"
    assert statement in capsys.readouterr().out
    assert orders.refresh().metadata_location == before
    assert "1 warn" in line("check", "shop.orders", "--for", "daily")


def test_a_table_that_the_catalog_lists_and_denies_is_no_folder(line: Line, catalog: Any) -> None:
    iceberg_catalog.make_orders(catalog, "private")
    for path in Path(catalog.load_table("prod.shop.private").metadata_location.removeprefix("file://")).parent.iterdir():
        path.unlink()
    said = line("ls", "shop", "--long", ends=2)
    assert "shop.private  ?" in said
    assert "shop.orders   v0" in said
