"""Fail a law whose examples seldom reach its last claim: hypothesis is content with a law that claims nothing.

A law is a test that hypothesis runs. Its last claim is the last `assert` or `with pytest.raises` of the function; a law
without either claims something by its last statement. The plugin compiles the module of the law a second time, with a call
before each such claim, and counts the examples that make this call. Examples that hypothesis rejects are not counted.

`LAWS_REPORT=file` writes the counts of a run; `python -m tests.plugins.laws file` lists them, the smallest share first.
"""

import functools
import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.plugins.claims import REACH, Modules

LEAST = 30  # of 100 examples
REPORT = "LAWS_REPORT"


@dataclass
class Count:
    """How many examples of a law there were, and how many reached its last claim."""

    line: int
    function: int
    """The first line of the law."""
    examples: int = 0
    reached: int = 0
    seen: bool = False

    def begin(self) -> None:
        self.seen = False

    def reach(self, function: int) -> bool:
        self.seen |= function == self.function
        return True

    def end(self) -> None:
        self.examples += 1
        self.reached += self.seen

    @property
    def numbers(self) -> dict[str, int]:
        return {"line": self.line, "examples": self.examples, "reached": self.reached}

    @property
    def enough(self) -> bool:
        return self.examples > 0 and self.reached * 100 >= self.examples * LEAST


class UncountableError(Exception):
    """Says why a law cannot be counted."""


# ---------------------------------------------------------------- a law that counts


def counting(law: Callable[..., Any], modules: Modules) -> tuple[Callable[..., Any], Count]:
    """Return a law that does the same and counts its examples, and the counts."""
    if not isinstance(law, FunctionType):
        raise UncountableError(f"it is a {type(law).__name__}. Write it as a function with def")
    if law.__code__.co_name != law.__name__ or hasattr(law, "__wrapped__"):
        raise UncountableError("a decorator below @given hides it. Put the decorator above @given, or do its work in the law")
    code, line = _marked(law, modules)
    count = Count(line, law.__code__.co_firstlineno)
    law.__globals__[REACH] = _reach
    twin = FunctionType(code, law.__globals__, law.__name__, law.__defaults__, law.__closure__)
    twin.__kwdefaults__ = law.__kwdefaults__

    @functools.wraps(law)
    def counted(*values: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        _current.append(count)
        count.begin()
        try:
            result = twin(*values, **named)
        finally:
            _current.pop()
        # Hypothesis rejects an example by an exception, so this line is not reached then.
        count.end()
        return result

    return counted, count


_current: list[Count] = []


def _reach(function: int) -> bool:
    return _current[-1].reach(function)


def _marked(law: FunctionType, modules: Modules) -> tuple[CodeType, int]:
    place = (law.__code__.co_name, law.__code__.co_firstlineno)
    try:
        module = modules.marked(law.__code__.co_filename)
        code, line = module.codes[place], module.lines[place]
    except (OSError, SyntaxError, KeyError) as error:
        raise UncountableError("its source cannot be found. Write it with def in a file of tests") from error
    if code.co_freevars != law.__code__.co_freevars:
        raise UncountableError("its file has changed since it was imported. Run it again")
    return code, line


# ---------------------------------------------------------------- pytest


def _law_of(item: pytest.Item) -> Any:
    return getattr(getattr(getattr(item, "obj", None), "hypothesis", None), "inner_test", None)


class Laws:
    """Counts the examples of each law, and fails a law that has passed with too few of them at its last claim."""

    def __init__(self, config: pytest.Config) -> None:
        self.modules = Modules(config)
        self.counts: dict[str, Count] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            law = _law_of(item)
            with suppress(OSError, AttributeError):  # the law itself will tell that it cannot be counted
                self.modules.read(law.__code__.co_filename)

    # First, so that hypothesis, which prepares the law for each of its parameters, sees the law that counts.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        test = getattr(item, "obj", None)
        if not getattr(test, "is_hypothesis_test", False):
            return (yield)
        handle = getattr(test, "hypothesis", None)
        if handle is None:
            pytest.fail(STATEFUL, pytrace=False)
        law = handle.inner_test
        try:
            handle.inner_test, count = counting(law, self.modules)
        except UncountableError as error:
            pytest.fail(f"the examples of this law cannot be counted: {error}", pytrace=False)
        try:
            result = yield
        finally:
            handle.inner_test = law
        self.counts[item.nodeid] = count
        if not count.enough:
            pytest.fail(sentence(count), pytrace=False)
        return result

    def pytest_sessionfinish(self) -> None:
        if path := os.environ.get(REPORT):
            found = {name: count.numbers for name, count in self.counts.items()}
            Path(path).write_text(json.dumps(found, indent=1), encoding="utf-8")


STATEFUL = "the examples of a state machine cannot be counted: write it as a law over a list of steps."


def sentence(count: Count) -> str:
    """Say how few examples reached the claim, and what to do."""
    share = f"only {count.reached} of {count.examples} examples of this law reach its last claim (line {count.line})"
    return f"{share}: draw examples that do, at least {LEAST} of 100"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Laws(config), "laws")


# ---------------------------------------------------------------- the list of a run


def listing(counts: dict[str, dict[str, int]]) -> list[str]:
    """Return a line for each law, the smallest share of examples first."""
    laws = sorted(counts.items(), key=lambda law: law[1]["reached"] / max(law[1]["examples"], 1))
    return [f"{count['reached']:5} of {count['examples']:5}  {name} (line {count['line']})" for name, count in laws]


if __name__ == "__main__":
    print("\n".join(listing(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))))
