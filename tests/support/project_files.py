"""What the tests of project files share: files of a work tree, and the texts of table files."""

from pathlib import Path

COLUMNS = "columns:\n  - {name: id, type: BIGINT NOT NULL}\n  - {name: amount, type: BIGINT}\n"


def table_file(table: str, columns: str = COLUMNS) -> str:
    """Return the text of a table file."""
    return f"table: {table}\n{columns}"


BROKEN = COLUMNS.replace("amount, type: BIGINT", "amount, type: DATE")


def write(files: dict[str, str]) -> None:
    """Write files below the current folder."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
