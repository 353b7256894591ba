"""What import-linter and ruff do not see of the plan of the house: when a module is imported, and that the lists name what stands.

The plan itself is in pyproject.toml, and only there: floors with import-linter, heavy libraries with ruff,
imports of ours inside functions in [tool.house].
"""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

NAME = "airflow_provider_schemas"
TOP = Path(__file__).parents[2]
ROOT = TOP / NAME
TOOL: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]
ROOMS = TOOL["importlinter"]["contracts"][0]
FLOORS = [room.strip(" ()") for rooms in ROOMS["layers"] for room in rooms.split("|")]
LINT = TOOL["ruff"]["lint"]
HEAVY = LINT["flake8-tidy-imports"]["banned-module-level-imports"]
SEAM_FILES = [name.removesuffix("/*.py").removesuffix(".py") for name, rules in LINT["per-file-ignores"].items() if "TID253" in rules]
SEAMS = [name.replace("/", ".") for name in SEAM_FILES]
LATE_IMPORTS: list[str] = TOOL["house"]["late_imports"]


def imported(node: ast.AST, *, eager: bool) -> Iterator[str]:
    """Yield dotted names imported under node; eager skips function bodies; what is imported for typing only never counts."""
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


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the dotted name and the tree of every module below the root package."""
    for path in sorted(ROOT.rglob("*.py")):
        if path != ROOT / "__init__.py":
            yield dotted(path), ast.parse(path.read_text("utf-8"))


def test_heavy_libraries_are_imported_by_the_functions_that_need_them() -> None:
    early = {
        module: [name for name in imported(tree, eager=True) if inside(name, HEAVY + SEAMS)]
        for module, tree in modules()
        if not inside(module, SEAMS)
    }
    assert {module: names for module, names in early.items() if names} == {}


@cache
def late_imports() -> set[tuple[str, str]]:
    """Return what functions import of ours: the module, and the name that only a function of it imports."""
    return {
        (module, name)
        for module, tree in modules()
        for name in set(imported(tree, eager=False)) - set(imported(tree, eager=True))
        if inside(name, [NAME])
    }


def allowed_by(row: str) -> set[tuple[str, str]]:
    """Return the late imports that a row of the list allows: both ends are a room or a module, with all that it holds."""
    source, target = (f"{NAME}.{end}" for end in row.split(" -> "))
    return {(module, name) for module, name in late_imports() if inside(module, [source]) and inside(name, [target])}


def test_only_what_is_listed_is_imported_inside_a_function() -> None:
    assert late_imports() - {late for row in LATE_IMPORTS for late in allowed_by(row)} == set()


def test_every_listed_late_import_is_still_there() -> None:
    assert [row for row in LATE_IMPORTS if not allowed_by(row)] == []


def test_a_room_is_listed_once_it_stands() -> None:
    assert [name for name in FLOORS if not (ROOT / f"{name}.py").is_file() and not (ROOT / name / "__init__.py").is_file()] == []
