"""Every name in the tables of the page about Python is a name of the library: the builder runs examples, and sees no table.

The pages about Airflow list each argument with its default, and whether it is a template: so do the signatures.
"""

import builtins
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
        ("| `core.changes.schema_change` | `Move`, `MoveType.FIRST`, `Moved`, `set_attributes(id, values)` |", ["Moved"]),
        ("| `core.nothing` | `Diff` |", ["core.nothing"]),
        (
            "| `TableSchema.id` | a number |\n| `.names`, `.nomes` | texts |\n| `diff(a, b)` | a `Diff` |\n| `.names` | of no class |",
            [".nomes", ".names"],
        ),
    ],
)
def test_names_that_do_not_exist_are_found(row: str, wrong: list[str]) -> None:
    assert [one.partition(": ")[2] for one in unknown(CORE + row)] == wrong


# ---------------------------------------------------------------- arguments in Airflow

PAGES = [PAGE.with_name(name) for name in ("airflow.md", "airflow-waiting.md")]
ROOMS = ("operators", "sensors")
HEADING = re.compile(r"^## (\w+)$")


class Argument(NamedTuple):
    """An argument, as a page or a signature has it."""

    default: str
    template: bool


def documented(text: str) -> dict[str, dict[str, Argument]]:
    """The tables with the columns argument, default, t: by the heading above them."""
    found: dict[str, dict[str, Argument]] = {}
    heading, inside = "", False
    for line in text.splitlines():
        heading = here[1] if (here := HEADING.match(line)) else "" if line.startswith("#") else heading
        inside = line.startswith("| argument | default | t |") or (inside and line.startswith("|"))
        if inside and heading and line.startswith("| `"):
            labels, default, template, *_ = (cell.strip() for cell in line.strip("|").split("|"))
            about = Argument(default.strip("`"), template == "t")
            found.setdefault(heading, {}).update(dict.fromkeys(CODE.findall(labels), about))
    return found


def signature_of(made: Callable[..., Any]) -> dict[str, Argument]:
    """The arguments that a class, or a function, has of its own: not those of Airflow."""
    known = set(getattr(made, "template_fields", ()))
    own = [one for one in made.__mro__ if one.__module__.startswith(PACKAGE)] if isinstance(made, type) else [made]
    found: dict[str, Argument] = {}
    for one in own:
        call = vars(one).get("__init__") if isinstance(one, type) else one
        for name, about in inspect.signature(call).parameters.items() if call else ():
            if name != "self" and about.kind is not about.VAR_KEYWORD:
                found.setdefault(name, Argument(_written(about.default), name in known))
    return found


def _written(default: Any) -> str:
    """A default as the pages write it."""
    if default is inspect.Parameter.empty:
        return ""
    if type(default).__name__ == "timedelta":
        return f"timedelta(days={default.days})" if not default.seconds else f"timedelta(hours={default.seconds // 3600})"
    text = repr(default).replace("'", '"')
    return re.sub(r'AssetAlias\(name="(\w+)"[^)]*\)', r'AssetAlias("\1")', text)


def test_the_pages_about_airflow_have_every_argument_as_it_is() -> None:
    found = {name: table for page in PAGES for name, table in documented(page.read_text("utf-8")).items()}
    rooms = [importlib.import_module(f"{PACKAGE}.{room}") for room in ROOMS]
    made = {name: getattr(room, name) for room in rooms for name in room.__all__ if isinstance(getattr(room, name), type)}
    own = {name: signature_of(one) for name, one in made.items() if name.startswith(("Schema", "Spark")) and name != "SchemaGuard"}
    assert {name: found.get(name) for name in own} == own
    guard = signature_of(rooms[0].schema_guard)
    assert {name: about.default for name, about in found["schema_guard"].items()} == {name: about.default for name, about in guard.items()}
