"""The table of branch coverage adds up by folder, and names the largest gaps."""

from typing import Any

from tools.coverage_by_folder import gaps, table


def file(statements: int, branches: int, missed: int, **functions: int) -> dict[str, Any]:
    by_function = {name: {"summary": numbers(9, 9, of)} for name, of in functions.items()}
    return {"summary": numbers(statements, branches, missed), "functions": by_function}


def numbers(statements: int, branches: int, missed: int) -> dict[str, Any]:
    return {"num_statements": statements, "num_branches": branches, "missing_branches": missed}


FILES = {
    "shop/__init__.py": file(1, 0, 0),
    "shop/core/prices.py": file(20, 8, 2, discounted=2, doubled=0),
    "shop/core/sizes.py": file(10, 2, 2, fits=2),
    "shop/formats/odf/a/b.py": file(5, 4, 1, read=1),
    "shop/formats/sql.py": file(5, 4, 0),
}


def test_the_table_has_a_line_for_each_folder_and_one_for_all() -> None:
    head, *rows = [line.split() for line in table(FILES)]
    assert head == ["folder", "statements", "branches", "missed", "covered"]
    assert rows == [
        ["shop", "1", "0", "0"],
        ["shop/core", "30", "10", "4", "60.0", "%"],
        ["shop/formats", "5", "4", "0", "100.0", "%"],
        ["shop/formats/odf", "5", "4", "1", "75.0", "%"],
        ["all", "41", "18", "5", "72.2", "%"],
    ]


def test_the_three_largest_gaps_are_named_largest_first() -> None:
    assert gaps(FILES) == [
        "modules with the most missed branches:",
        "    2  shop/core/prices.py",
        "    2  shop/core/sizes.py",
        "    1  shop/formats/odf/a/b.py",
        "functions with the most missed branches:",
        "    2  shop/core/prices.py: discounted",
        "    2  shop/core/sizes.py: fits",
        "    1  shop/formats/odf/a/b.py: read",
    ]
