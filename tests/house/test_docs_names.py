"""Every name in the tables of the page about Python is a name of the library: the builder runs examples, and sees no table."""

import builtins
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs/reference/python.md"
PACKAGE = "airflow_provider_schemas"
CODE = re.compile(r"`([^`]+)`")
NAME = re.compile(r"\.?[A-Za-z_]\w*(?:\.\w+)*")


def rows(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """The rows of the tables: the number of the line, the module of the heading above, and the cells."""
    module = PACKAGE
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            module = next((word for word in CODE.findall(line) if word.startswith(PACKAGE)), module)
        elif line.startswith("|") and not set(line) <= set("|-: "):
            yield number, module, line.strip("|").split("|")


def names(cell: str) -> list[str]:
    """The names in the code of a cell, without the brackets behind them."""
    return [found[0] for code in CODE.findall(cell) if (found := NAME.match(code))]


def unknown(text: str) -> list[str]:
    """The names that are neither in their module nor members of the classes that their row, or the one above, speaks of."""
    wrong: list[str] = []
    classes: list[type] = []
    for number, heading, (first, *others) in rows(text):
        labels = names(first)
        module = imported(f"{PACKAGE}.{labels[0]}") if labels else None
        if module is not None or not labels or not labels[0].startswith("."):
            classes = []
        owners = [module or importlib.import_module(heading), builtins]
        row = list(classes)
        for place, name in enumerate([*([] if module else labels), *(name for cell in others for name in names(cell))]):
            found = path_of(name, [*row] if name.startswith(".") else [*owners, *row])
            if not found:
                wrong.append(f"line {number}: {name}")
            row += [one for one in found if isinstance(one, type) and one.__module__ != "builtins"]
            classes = row[:] if place < len(labels) and not module else classes
    return wrong


def imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def path_of(name: str, owners: list[Any]) -> list[Any]:
    """What the steps of a dotted name stand for, beginning with one of the owners; nothing if there is no such name."""
    found: list[Any] = []
    for step in name.removeprefix(".").split("."):
        owner = next((one for one in (found[-1:] or owners) if has(one, step)), None)
        if owner is None:
            return []
        found.append(getattr(owner, step, None))
    return found


def has(owner: Any, name: str) -> bool:
    """A class has what all classes below it have, too."""
    below: list[type] = owner.__subclasses__() if isinstance(owner, type) and owner is not type else []
    return hasattr(owner, name) or (bool(below) and all(has(one, name) for one in below))


def test_every_name_in_the_tables_exists() -> None:
    assert unknown(PAGE.read_text("utf-8")) == []


CORE = f"## `{PACKAGE}.core`\n\n| name | is |\n|---|---|\n"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("| `parse_type(source)` | the type, or `None` |", []),
        ("| `DataType` | what all share: `nullable`, `length` |", ["length"]),
        ("| `TableSchema.create(columns)`, `.names`, `.titles` | `digest`, `sum_of_all` |", [".titles", "sum_of_all"]),
        ("| `TableSchema.made(columns)` | a `Diff`: `changes`, `change` |", ["TableSchema.made", "change"]),
        ("| `load(format, source)` | a `Loaded` |", ["load", "Loaded"]),
        ("| `core.changes` | `Move`, `MoveType.FIRST`, `Moved`, `set_attributes(id, values)` |", ["Moved"]),
        ("| `core.nothing` | `Diff` |", ["core.nothing"]),
        (
            "| `TableSchema.id` | a number |\n| `.names`, `.nomes` | texts |\n| `diff(a, b)` | a `Diff` |\n| `.names` | of no class |",
            [".nomes", ".names"],
        ),
    ],
)
def test_names_that_do_not_exist_are_found(row: str, wrong: list[str]) -> None:
    assert [one.partition(": ")[2] for one in unknown(CORE + row)] == wrong
