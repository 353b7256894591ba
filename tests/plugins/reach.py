"""Find out whether a test reaches pypaimon's tables, by the functions that the test and its fixtures call."""

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest

_MODULE = "tests.support.paimon.made_by_pypaimon"
_KNOWN: dict[FunctionType, bool] = {}


def reaches_pypaimon(item: pytest.Item) -> bool:
    """Tell whether the test, or a fixture of it, calls something of `tests/support/paimon/made_by_pypaimon.py`."""
    return any(_reaches(function) for function in _functions(item))


def _functions(item: pytest.Item) -> Iterator[FunctionType]:
    function = getattr(item, "obj", None)
    law = getattr(function, "hypothesis", None)
    yield from _plain(law.inner_test if law else function)
    definitions: dict[str, Any] = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for fixtures in definitions.values():
        yield from _plain(fixtures[-1].func)


def _plain(function: Any) -> Iterator[FunctionType]:
    found = getattr(function, "__func__", function)
    if isinstance(found, FunctionType):
        yield found


def _reaches(function: FunctionType) -> bool:
    """Look at the names that a function uses, and at the functions of our tests behind them."""
    if function not in _KNOWN:
        _KNOWN[function] = False  # a function that calls itself ends here
        _KNOWN[function] = any(_is_pypaimon(used) or _leads_there(used) for used in _used(function))
    return _KNOWN[function]


def _used(function: FunctionType) -> Iterator[Any]:
    return (function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code uses, with those inside its comprehensions and its inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_pypaimon(used: Any) -> bool:
    return bool(getattr(used, "__module__", None) == _MODULE)


def _leads_there(used: Any) -> bool:
    return isinstance(used, FunctionType) and used.__module__.startswith("tests.") and _reaches(used)
