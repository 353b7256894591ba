"""The plan of the house, checked: rooms import only downwards, heavy libraries only behind a seam.

The plan itself is in pyproject.toml, and only there: floors and named seams with import-linter, heavy libraries with ruff.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAME = "airflow_provider_schemas"
TOP = Path(__file__).parents[2]
ROOT = TOP / NAME
TOOL: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]
ROOMS, CORE = TOOL["importlinter"]["contracts"][:2]
FLOOR = {room.strip(" ()"): floor for floor, rooms in enumerate(reversed(ROOMS["layers"])) for room in rooms.split("|")}
OUTSIDE = {NAME, *ROOMS.get("exhaustive_ignores", ())}
NAMED_SEAMS = {tuple(seam.split(" -> ")) for seam in CORE["ignore_imports"]}
LINT = TOOL["ruff"]["lint"]
HEAVY = LINT["flake8-tidy-imports"]["banned-module-level-imports"]
SEAM_FILES = [name.removesuffix("/*.py").removesuffix(".py") for name, rules in LINT["per-file-ignores"].items() if "TID253" in rules]
SEAMS = [name.replace("/", ".") for name in SEAM_FILES]
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem != "__init__")


def imported(node: ast.AST, *, eager: bool) -> Iterator[str]:
    """Dotted names imported under node; eager skips function bodies; what is imported for typing only never counts."""
    for child in ast.iter_child_nodes(node):
        if eager and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        if isinstance(child, ast.ImportFrom):
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        yield from imported(child, eager=eager)


def inside(name: str, parents: list[str]) -> bool:
    return any(name == parent or name.startswith(f"{parent}.") for parent in parents)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__")


def room(name: str) -> str:
    return name.split(".")[1]


def every_module(test: Any) -> Any:
    return pytest.mark.parametrize("path", MODULES, ids=[path.relative_to(ROOT).as_posix() for path in MODULES])(test)


@every_module
def test_a_module_imports_only_lower_floors(path: Path) -> None:
    here = room(dotted(path))
    if here in OUTSIDE:
        return
    assert here in FLOOR, "a new room needs a floor in pyproject.toml"
    names = imported(ast.parse(path.read_text("utf-8")), eager=False)
    ours = {room(name) for name in names if inside(name, [NAME])} - {here}
    assert not [other for other in ours if FLOOR[other] >= FLOOR[here]]


@every_module
def test_nothing_below_the_assets_knows_airflow(path: Path) -> None:
    names = imported(ast.parse(path.read_text("utf-8")), eager=False)
    below = FLOOR.get(room(dotted(path)), 0) < FLOOR.get("assets", len(FLOOR))
    assert not below or not [name for name in names if inside(name, ["airflow"])]


@every_module
def test_a_heavy_library_is_imported_by_the_function_that_needs_it(path: Path) -> None:
    names = imported(ast.parse(path.read_text("utf-8")), eager=True)
    assert inside(dotted(path), SEAMS) or not [name for name in names if inside(name, HEAVY + SEAMS)]


@every_module
def test_our_own_modules_are_imported_at_the_top(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    late = set(imported(tree, eager=False)) - set(imported(tree, eager=True))
    allowed = SEAMS + [target for source, target in NAMED_SEAMS if source == dotted(path)]
    assert not [name for name in late if inside(name, [NAME]) and not inside(name, allowed)], "only a named seam may import late"


def test_a_room_is_listed_once_it_stands() -> None:
    assert not [name for name in FLOOR if not (ROOT / f"{name}.py").is_file() and not (ROOT / name / "__init__.py").is_file()]
