"""What a sub-package offers is what its `__all__` says, and the package itself offers its version and the extension of IPython."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import airflow_provider_schemas

ROOT = Path(airflow_provider_schemas.__file__).parent
TOP = ROOT.parent
READ_BY_USERS = [TOP / "README.md", TOP / "tools/story.py", *sorted(TOP.glob("docs/**/*.md")), *sorted(TOP.glob("example_dags/**/*.py"))]
IMPORT = re.compile(rf"^\s*(?:>>> )?from ({ROOT.name}[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
FOLDERS = sorted({path.parent for path in ROOT.rglob("*.py")} - {ROOT})


def public_names(module: ModuleType) -> set[str]:
    return {name for name, value in vars(module).items() if not name.startswith("_") and not isinstance(value, ModuleType)}


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.relative_to(ROOT).as_posix() for folder in FOLDERS])
def test_a_sub_package_lists_exactly_its_public_names(folder: Path) -> None:
    assert (folder / "__init__.py").is_file()
    module = importlib.import_module(".".join(folder.relative_to(ROOT.parent).parts))
    listed = list(getattr(module, "__all__", ()))
    assert len(listed) == len(set(listed))
    found_when_asked = "__getattr__" in vars(module)  # such a package says itself what it has, and has the means to find it
    assert set(listed) == (set(dir(module)) if found_when_asked else public_names(module))
    assert all(hasattr(module, name) for name in listed)


def test_the_package_itself_holds_its_version_and_what_ipython_calls() -> None:
    assert public_names(airflow_provider_schemas) == {"load_ipython_extension", "unload_ipython_extension"}
    assert airflow_provider_schemas.__version__


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of ours that a page or an example DAG imports from, each with a name that it imports."""
    for module, names in IMPORT.findall(path.read_text("utf-8")):
        for name in re.findall(r"\w+", names.partition("#")[0]):
            yield module, name


def folder_of(module: str) -> Path:
    return TOP.joinpath(*module.split("."))


def is_public(module: str, name: str) -> bool:
    """Tell whether a package lists the name, or holds it as a package or as one of the formats; or a module at the top has it."""
    folder = folder_of(module)
    if folder.parent == ROOT and not folder.is_dir():
        return hasattr(importlib.import_module(module), name)
    if name in getattr(importlib.import_module(module), "__all__", ()):
        return True
    is_format = ROOT / "formats" in (folder, *folder.parents)
    return (folder / name).is_dir() or (is_format and (folder / f"{name}.py").is_file())


def test_pages_and_example_dags_import_from_package_roots_only() -> None:
    imported = [(path, module, name) for path in READ_BY_USERS for module, name in imports(path)]
    assert len(imported) > 100
    deep = [f"{path.name}: {module}" for path, module, _ in imported if not folder_of(module).is_dir() and folder_of(module).parent != ROOT]
    assert deep == []
    assert [f"{path.name}: {module} {name}" for path, module, name in imported if not is_public(module, name)] == []
