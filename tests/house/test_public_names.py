"""What a sub-package offers is what its `__all__` says, and the package itself offers its version only."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

import airflow_provider_schemas

ROOT = Path(airflow_provider_schemas.__file__).parent
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


def test_the_package_itself_holds_its_version_only() -> None:
    assert public_names(airflow_provider_schemas) == set()
    assert airflow_provider_schemas.__version__
