"""Find the last claim of each function of a module, and compile the module with a call before each."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import pytest
from _pytest.assertion.rewrite import rewrite_asserts

REACH = "@law_reaches_its_claim"  # no name that a module can have

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


def mark(function: Function) -> int:
    """Insert the call before the last claim of a function, and return the line of the claim."""
    block, place = last_claim(function)
    claim = block[place]
    element = _element_of_all(claim)
    if element is None:
        block.insert(place, ast.copy_location(ast.Expr(_call(function, claim)), claim))
    else:
        element.elt = ast.copy_location(ast.BoolOp(ast.And(), [_call(function, element.elt), element.elt]), element.elt)
    return claim.lineno


def _call(function: Function, place: ast.AST) -> ast.Call:
    """Return the call. Its argument is the function, because a function inside a law is marked too."""
    call = ast.Call(ast.Name(REACH, ast.Load()), [ast.Constant(first_line(function))], [])
    return ast.fix_missing_locations(ast.copy_location(call, place))


def _element_of_all(claim: ast.stmt) -> ast.GeneratorExp | None:
    """Return the generator of `assert all(... for ...)`, which claims nothing where it is empty."""
    if not isinstance(claim, ast.Assert) or not isinstance(claim.test, ast.Call):
        return None
    call = claim.test
    if ast.unparse(call.func) != "all" or not call.args or not isinstance(call.args[0], ast.GeneratorExp):
        return None
    return call.args[0]


# ---------------------------------------------------------------- a module that calls

Place = tuple[str, int]


@dataclass
class Marked:
    """The functions of a module with the call in each, and the lines of their claims, by name and first line."""

    codes: dict[Place, CodeType]
    lines: dict[Place, int]


class Modules:
    """Compiles each module once, with the call in all its functions."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.sources: dict[str, bytes] = {}
        self.known: dict[str, Marked] = {}

    def read(self, path: str) -> bytes:
        """Return the source of a module as it was when it was first asked for: somebody may edit the file during a run."""
        if path not in self.sources:
            self.sources[path] = Path(path).read_bytes()
        return self.sources[path]

    def marked(self, path: str) -> Marked:
        if path not in self.known:
            self.known[path] = self._compiled(path)
        return self.known[path]

    def _compiled(self, path: str) -> Marked:
        source = self.read(path)
        tree = ast.parse(source, path)
        functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
        lines = {(node.name, first_line(node)): mark(node) for node in functions}
        # As pytest does for test modules, so that an assert that fails explains itself.
        rewrite_asserts(tree, source, path, self.config)
        code = compile(tree, path, "exec", dont_inherit=True)
        return Marked({(found.co_name, found.co_firstlineno): found for found in _codes(code)}, lines)


def first_line(function: Function) -> int:
    return min(node.lineno for node in (function, *function.decorator_list))


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
