"""Delta tables on the command line, by an address: read and judged, and changed by the statements that are printed."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.main import main
from tests.support import delta_tables
from tests.support.delta_tables import MappedTable


class Line:
    """A command line with a store and a folder of Delta tables."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.store = folder / "lake"
        self.store.mkdir()
        self.mount = f"shop=delta:{folder}/delta"
        self._capsys = capsys

    def __call__(self, *words: str, ends: int = 0, mount: str = "") -> str:
        """What is printed, standard error included."""
        code = main([*words, "--store", str(self.store), "--mount", mount or self.mount, "--width", "200"])
        said = self._capsys.readouterr()
        assert code == ends, said
        return said.out + said.err


@pytest.fixture
def clicks(tmp_path: Path) -> MappedTable:
    return MappedTable(tmp_path / "delta")


@pytest.fixture
def orders(tmp_path: Path) -> Any:
    return delta_tables.make_orders(tmp_path / "delta")


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], clicks: MappedTable, orders: Any) -> Line:
    return Line(tmp_path, capsys)


def test_a_listing_says_what_keeps_a_database(line: Line, tmp_path: Path) -> None:
    assert line("ls") == f"shop  delta, {tmp_path}/delta\n"
    assert line("ls", "shop") == "shop.clicks\nshop.orders\n"


def test_the_address_of_one_table_is_a_database_of_one(line: Line, tmp_path: Path) -> None:
    assert line("ls", "shop", mount=f"shop=delta:{tmp_path}/delta/orders") == "shop.orders\n"


def test_a_log_says_who_changed_what_as_the_table_does(line: Line, clicks: MappedTable) -> None:
    clicks.rename("url", "page")
    clicks.drop("at")
    said = line("log", "shop.clicks")
    assert "RENAME COLUMN url TO page" in said
    assert "DROP COLUMN at" in said
    assert "ana" in said


def test_a_log_of_a_table_without_ids_tells_a_rename_as_a_drop_and_an_add(line: Line, tmp_path: Path, orders: Any) -> None:
    import pyarrow as pa
    from deltalake import write_deltalake

    columns = [pa.field("order_id", pa.int64(), nullable=False), pa.field("buyer", pa.int64()), pa.field("amount", pa.decimal128(10, 2))]
    write_deltalake(tmp_path / "delta" / "orders", pa.schema(columns).empty_table(), mode="overwrite", schema_mode="overwrite")
    for words in (("log", "shop.orders"), ("log", "shop.orders", "--format", "json")):
        said = line(*words)
        assert "DROP COLUMN cust_id" in said
        assert "ADD COLUMN buyer BIGINT AFTER order_id" in said
        assert "no change" not in said
        assert "highestFieldId" not in said


def test_a_check_says_that_it_judged_by_metadata_and_offers_a_statement(line: Line, clicks: MappedTable) -> None:
    wanted = ("check", "shop.clicks", "--contract", "url STRING")
    assert "judged by metadata" in line(*wanted)
    clicks.rename("url", "page")
    said = line(*wanted, ends=1)
    assert "EXPECT_FIELD_RENAMED" in said
    command = f"airflow-schemas plan --store {line.store} --mount {line.mount} shop.clicks 'RENAME COLUMN page TO url' --sql spark"
    assert command in said


@pytest.mark.parametrize("engine", ["spark", "spark-delta", "trino"])
def test_a_plan_prints_the_statement_of_an_engine(engine: str, line: Line) -> None:
    assert line("plan", "shop.clicks", "--drop", "at", "--sql", engine).splitlines()[-1].endswith("at`;" if engine != "trino" else 'at";')


def test_a_plan_says_what_has_to_be_switched_on(line: Line) -> None:
    assert "'delta.columnMapping.mode' = 'name'" in line("plan", "shop.orders", "--drop", "amount", "--sql", "spark", ends=2)


def test_a_change_is_refused_with_the_statement(line: Line, tmp_path: Path) -> None:
    said = line("evolve", "shop.orders", "--add", "coupon STRING", ends=2)
    assert f"ALTER TABLE `delta`.`{tmp_path}/delta/orders` ADD COLUMN `coupon` STRING;" in said
