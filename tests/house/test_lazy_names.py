"""A package whose names are imported at their first use shows the same names to the program, to type checkers and to import-linter."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TOP = Path(__file__).parents[2]
ROOT = TOP / "airflow_provider_schemas"
HELPER = "lazy_names"
TREES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(ROOT.rglob("__init__.py"))}


def calls_helper(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Call) and ast.unparse(node.func) == HELPER for node in ast.walk(tree))


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(TOP).parent.parts)


LAZY = {dotted(path): tree for path, tree in TREES.items() if calls_helper(tree)}


@pytest.fixture(params=LAZY)
def package(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(str(request.param))


def typed_imports(tree: ast.Module) -> Iterator[tuple[str, str | None, str]]:
    """Yield what is imported for type checkers: the name, the name as which it is offered, and the module."""
    for block in tree.body:
        if not isinstance(block, ast.If) or ast.unparse(block.test) != "TYPE_CHECKING":
            continue
        for node in block.body:
            assert isinstance(node, ast.ImportFrom)
            for alias in node.names:
                yield alias.name, alias.asname, str(node.module)


def test_no_package_finds_names_in_a_way_of_its_own() -> None:
    own = [dotted(path) for path, tree in TREES.items() for node in tree.body if getattr(node, "name", "") == "__getattr__"]
    assert own == []
    assert "airflow_provider_schemas.spark" in LAZY


def test_the_table_and_the_imports_for_type_checkers_are_the_same(package: ModuleType) -> None:
    imports = list(typed_imports(LAZY[package.__name__]))
    assert {name: module for name, _, module in imports} == {
        name: f"{package.__name__}.{module}" for name, module in package._MODULES.items()
    }
    assert [name for name, offered, _ in imports if name != offered] == []


def test_every_name_is_listed_and_is_there(package: ModuleType) -> None:
    assert package.__all__ == dir(package) == sorted(package._MODULES)
    assert all(hasattr(package, name) for name in package.__all__)


def test_a_name_that_is_not_there_is_refused_in_the_words_of_python(package: ModuleType) -> None:
    with pytest.raises(AttributeError) as caught:
        package.nothing  # noqa: B018  # the lookup is what is tested
    assert str(caught.value) == f"module {package.__name__!r} has no attribute 'nothing'"


def test_importing_the_package_loads_none_of_its_modules(package: ModuleType) -> None:
    code = f"import sys, {package.__name__}; print(*(name for name in sys.modules if name.startswith('{package.__name__}.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")
