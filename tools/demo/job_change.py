"""The change of the job in the demo: it names the column as the table does now."""

from pathlib import Path

OLD = "cust_id"
NEW = "customer_id"
_FIRST_LINE = "ORDERS = "
_DEFINITION = "columns="


def rename_in_job(file: Path) -> list[str]:
    """Write the new name where the job uses the column, not where the table was created. Return the changed lines."""
    lines = file.read_text("utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(_FIRST_LINE))
    changed = [_renamed(line) if number >= first else line for number, line in enumerate(lines)]
    file.write_text("\n".join([*changed, ""]), "utf-8")
    return [new for old, new in zip(lines, changed, strict=True) if old != new]


def _renamed(line: str) -> str:
    return line if _DEFINITION in line else line.replace(OLD, NEW)
