"""What commands print at 80, 120 and 160 columns, word for word; `GOLDEN=write` writes the files anew."""

import os
import re
from pathlib import Path

import pytest

from tests.support.command_line import fine, typed

FOLDER = Path(__file__).parent / "golden"
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?")
COLUMNS = """\
order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2), net DECIMAL(10, 2), tax DECIMAL(10, 2), currency STRING,
address ROW<street STRING, city STRING, zip INT, country STRING>, legacy STRING, note STRING, 数量 INT
"""
CHANGES = [
    "RENAME COLUMN cust_id TO customer_id",
    "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
    "ALTER COLUMN address.zip TYPE BIGINT",
    "ADD COLUMN address.region STRING",
    "DROP COLUMN legacy",
    "ALTER COLUMN note FIRST",
    "ADD COLUMN the_name_of_a_column_that_came_out_of_a_generator_and_is_long MAP<STRING, ARRAY<DECIMAL(38, 18)>>",
    "ALTER COLUMN net COMMENT 'without tax'",
    "SET OPTION file.format = orc",
]
OLD = "table: raw.{name}\ncolumns:\n  - {{name: id, type: BIGINT}}\n  - {{name: tenant, type: STRING}}\n"
NEW = "table: raw.{name}\ncolumns:\n  - {{name: id, type: BIGINT}}\ndropped: [tenant]\n"
TABLES = ("clicks", "impressions", "sales", "views")
WIDE = "table: shop.wide\ncolumns:\n  - {{name: id, type: BIGINT}}\n{}"
MANY = "id BIGINT, {}, tail STRING"


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warehouse with tables, some of which have long names, and files that drop columns of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", "lake")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", "ana@team-orders.example")
    fine("create", "shop.orders", COLUMNS, "--option", "bucket=2", "--primary-key", "order_id")
    fine("evolve", "shop.orders", *CHANGES, "--override", "a golden file needs it")
    fine("create", "shop.wide", ", ".join(["id BIGINT", *(f"column_{number} STRING" for number in range(12))]))
    fine("create", "shop.a_table_whose_name_is_nearly_as_long_as_a_terminal_is_wide_and_still_one_line", "id BIGINT")
    for name in TABLES:
        fine("create", f"raw.{name}", "id BIGINT, tenant STRING, day DATE")
        for folder, text in (("old", OLD), ("new", NEW)):
            Path(folder).mkdir(exist_ok=True)
            Path(folder, f"{name}.yaml").write_text(text.format(name=name), "utf-8")
    Path("old.sql").write_text(MANY.format(", ".join(f"column_{number} STRING" for number in range(12))), "utf-8")
    Path("new.sql").write_text("id INT, tail STRING", "utf-8")
    Path("old-wide.yaml").write_text(
        WIDE.format("".join(f"  - {{name: column_{number}, type: STRING}}\n" for number in range(12))), "utf-8"
    )
    dropped = ", ".join(f"column_{number}" for number in range(12))
    Path("new-wide.yaml").write_text(WIDE.format("") + f"dropped: [{dropped}]\n", "utf-8")


STORED = {
    "diff": ["diff", "shop.orders"],
    "diff-stat": ["diff", "shop.orders", "--stat"],
    "ls": ["ls", "*", "--long"],
}
FILES = {
    "check-sql": ["check", "old.sql", "new.sql"],
    "check-columns": ["check", "old-wide.yaml", "new-wide.yaml"],
    "check-tables": ["check", "old", "new"],
}
LINES = STORED | FILES


def printed(name: str, option: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        if name in FILES:
            patch.delenv("AIRFLOW_SCHEMAS_STORE")
        return MOMENT.sub("2026-11-20 12:00", typed(*LINES[name], option).out)


def compare(name: str, shown: str) -> None:
    """The text is that of the file."""
    path = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8"), f"if it should read so, GOLDEN=write pytest {__file__}"


@pytest.mark.parametrize("width", [80, 120, 160])
@pytest.mark.parametrize("name", LINES)
def test_it_reads_well_on_a_terminal(name: str, width: int) -> None:
    compare(f"{name}.{width}.txt", printed(name, f"--width={width}"))


@pytest.mark.parametrize("name", LINES)
def test_it_reads_well_as_markdown(name: str) -> None:
    compare(f"{name}.md", printed(name, "--format=markdown"))
