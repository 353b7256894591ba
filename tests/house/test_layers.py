"""What import-linter and ruff do not see of the plan of the house: when a module is imported, and that the lists name what stands.

The plan itself is in pyproject.toml, and only there: floors and named seams with import-linter, heavy libraries with ruff.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = "airflow_provider_schemas"
TOP = Path(__file__).parents[2]
ROOT = TOP / NAME
TOOL: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]
ROOMS, CORE = TOOL["importlinter"]["contracts"][:2]
FLOORS = [room.strip(" ()") for rooms in ROOMS["layers"] for room in rooms.split("|")]
NAMED_SEAMS = {tuple(seam.split(" -> ")) for seam in CORE["ignore_imports"]}
LINT = TOOL["ruff"]["lint"]
HEAVY = LINT["flake8-tidy-imports"]["banned-module-level-imports"]
SEAM_FILES = [name.removesuffix("/*.py").removesuffix(".py") for name, rules in LINT["per-file-ignores"].items() if "TID253" in rules]
SEAMS = [name.replace("/", ".") for name in SEAM_FILES]


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


def test_only_a_named_seam_imports_a_module_of_ours_inside_a_function() -> None:
    late = {}
    for module, tree in modules():
        allowed = SEAMS + [target for source, target in NAMED_SEAMS if source == module]
        names = set(imported(tree, eager=False)) - set(imported(tree, eager=True))
        late[module] = [name for name in names if inside(name, [NAME]) and not inside(name, allowed)]
    assert {module: names for module, names in late.items() if names} == {}


def test_a_room_is_listed_once_it_stands() -> None:
    assert [name for name in FLOORS if not (ROOT / f"{name}.py").is_file() and not (ROOT / name / "__init__.py").is_file()] == []
