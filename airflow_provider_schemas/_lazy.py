"""Names of a package that are imported at their first use, so that importing the package loads none of its modules.

A package root that uses it has the same names twice: in a table, for the running program, and as imports under `if TYPE_CHECKING`, for
type checkers and for the tools that read arrows between modules. tests/house/test_lazy_names.py compares the two.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

Lookup = Callable[[str], Any]
Listing = Callable[[], list[str]]


def lazy_names(package: str, modules: Mapping[str, str]) -> tuple[Lookup, Listing, list[str]]:
    """Make `__getattr__`, `__dir__` and `__all__` of a package from the names that it offers, each with the module that defines the name.

    Modules are named as seen from the package: `"gate"` is the module `gate` of the package.
    """
    names = sorted(modules)

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def listed() -> list[str]:
        return names

    return get, listed, names
