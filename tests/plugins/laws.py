"""Fail a law whose examples seldom reach its last claim: hypothesis is content with a law that claims nothing.

A law is a test that hypothesis runs. Its last claim is the last `assert` or `with pytest.raises` of the function; a law
without either claims something by its last statement. The plugin compiles the module of the law a second time, with a call
before each such claim, and counts the examples that make this call. Examples that hypothesis rejects are not counted.

`LAWS_REPORT=file` writes the counts of a run; `python -m tests.plugins.laws file` lists them, the smallest share first.
"""

import ast
import functools
import json
import os
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.assertion.rewrite import rewrite_asserts

LEAST = 30  # of 100 examples
REACH = "@law_reaches_its_claim"  # no name that a module can have
REPORT = "LAWS_REPORT"


@dataclass
class Count:
    """How many examples of a law there were, and how many reached its last claim."""

    line: int
    examples: int = 0
    reached: int = 0
    seen: bool = field(default=False, repr=False)

    def begin(self) -> None:
        self.seen = False

    def reach(self) -> bool:
        self.seen = True
        return True

    def end(self) -> None:
        self.examples += 1
        self.reached += self.seen

    @property
    def enough(self) -> bool:
        return self.examples > 0 and self.reached * 100 >= self.examples * LEAST


class UncountableError(Exception):
    """Says why a law cannot be counted."""


# ---------------------------------------------------------------- the last claim of a function

Function = ast.FunctionDef | ast.AsyncFunctionDef
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NO_CLAIM = (*_OWN_SCOPE, ast.Return, ast.Pass, ast.Continue, ast.Break)


def last_claim(function: Function) -> tuple[list[ast.stmt], int]:
    """Return the block that holds the last claim of a function, and its place there."""
    places = [(block, place) for block, place in _statements(function.body) if _is_claim(block[place])]
    if not places:
        places = [(block, place) for block, place in _statements(function.body) if _does(block[place])]
    if not places:
        return function.body, len(function.body) - 1
    return max(places, key=lambda found: _position(found[0][found[1]]))


def _position(statement: ast.stmt) -> tuple[int, int]:
    return statement.lineno, statement.col_offset


def _statements(block: list[ast.stmt]) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield every statement in a block as its block and place, at any depth, but none of a function or class in it."""
    for place, statement in enumerate(block):
        yield block, place
        for inner in _blocks(statement):
            yield from _statements(inner)


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    if isinstance(statement, _OWN_SCOPE):
        return []
    holders = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    blocks = [getattr(holder, name, None) for holder in holders for name in ("body", "orelse", "finalbody")]
    return [block for block in blocks if block]


def _is_claim(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.With):
        return any(_is_raises(item.context_expr) for item in statement.items)
    return isinstance(statement, ast.Assert)


def _does(statement: ast.stmt) -> bool:
    """Whether the statement does something by itself: `return` in an `except` is no claim."""
    return not _blocks(statement) and not isinstance(statement, _NO_CLAIM)


def _is_raises(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and ast.unparse(expression.func) in {"pytest.raises", "raises"}


# ---------------------------------------------------------------- a module that counts


def mark(function: Function) -> int:
    """Insert the call before the last claim of a function, and return the line of the claim."""
    block, place = last_claim(function)
    claim = block[place]
    element = _element_of_all(claim)
    if element is None:
        block.insert(place, ast.fix_missing_locations(ast.copy_location(ast.Expr(_call(claim)), claim)))
    else:
        element.elt = ast.copy_location(ast.BoolOp(ast.And(), [_call(element.elt), element.elt]), element.elt)
    return claim.lineno


def _call(place: ast.AST) -> ast.Call:
    call = ast.Call(ast.Name(REACH, ast.Load()), [], [])
    return ast.fix_missing_locations(ast.copy_location(call, place))


def _element_of_all(claim: ast.stmt) -> ast.GeneratorExp | None:
    """Return the generator of `assert all(... for ...)`, which claims nothing where it is empty."""
    if not isinstance(claim, ast.Assert) or not isinstance(claim.test, ast.Call):
        return None
    call = claim.test
    if ast.unparse(call.func) != "all" or not call.args or not isinstance(call.args[0], ast.GeneratorExp):
        return None
    return call.args[0]


Place = tuple[str, int]


@dataclass
class Counted:
    """The functions of a module with the call in each, and the lines of their claims, by name and first line."""

    codes: dict[Place, CodeType]
    lines: dict[Place, int]


class Modules:
    """Compiles each module once, with the call in all its functions."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.sources: dict[str, bytes] = {}
        self.known: dict[str, Counted] = {}

    def read(self, path: str) -> bytes:
        """Return the source of a module as it was when it was first asked for: somebody may edit the file during a run."""
        if path not in self.sources:
            self.sources[path] = Path(path).read_bytes()
        return self.sources[path]

    def counted(self, path: str) -> Counted:
        if path not in self.known:
            self.known[path] = self._compiled(path)
        return self.known[path]

    def _compiled(self, path: str) -> Counted:
        source = self.read(path)
        tree = ast.parse(source, path)
        # Before marking: a call moves no line, but the functions must be known by their first lines.
        functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
        lines = {(node.name, _first_line(node)): mark(node) for node in functions}
        # As pytest does for test modules, so that an assert that fails explains itself.
        rewrite_asserts(tree, source, path, self.config)
        code = compile(tree, path, "exec", dont_inherit=True)
        return Counted({(found.co_name, found.co_firstlineno): found for found in _codes(code)}, lines)


def _first_line(function: Function) -> int:
    return min(node.lineno for node in (function, *function.decorator_list))


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


# ---------------------------------------------------------------- a law that counts


def counting(law: Callable[..., Any], modules: Modules) -> tuple[Callable[..., Any], Count]:
    """Return a law that does the same and counts its examples, and the counts."""
    if not isinstance(law, FunctionType):
        raise UncountableError(f"it is a {type(law).__name__}, not a function: give @given to a function written with def")
    code, line = _marked(law, modules)
    count = Count(line)
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


def _reach() -> bool:
    return _current[-1].reach()


def _marked(law: FunctionType, modules: Modules) -> tuple[CodeType, int]:
    place = (law.__code__.co_name, law.__code__.co_firstlineno)
    try:
        module = modules.counted(law.__code__.co_filename)
        code, line = module.codes[place], module.lines[place]
    except (OSError, SyntaxError, KeyError) as error:
        raise UncountableError("its source cannot be found: write it with def in a file, and without a decorator below @given") from error
    if code.co_freevars != law.__code__.co_freevars:
        raise UncountableError("its file is another one than when it was imported: run it again")
    return code, line


# ---------------------------------------------------------------- pytest


class Laws:
    """Counts the examples of each law, and fails a law that has passed with too few of them at its last claim."""

    def __init__(self, config: pytest.Config) -> None:
        self.modules = Modules(config)
        self.counts: dict[str, Count] = {}

    # First, so that hypothesis, which prepares the law for each of its parameters, sees the law that counts.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        test = getattr(item, "obj", None)
        if not getattr(test, "is_hypothesis_test", False):
            return (yield)
        handle = getattr(test, "hypothesis", None)
        if handle is None:
            pytest.fail(f"{STATEFUL} {item.name}", pytrace=False)
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
            found = {name: asdict(count) for name, count in self.counts.items()}
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
