"""Where a module can be changed, and where not: `places(path, module, text)`."""

import ast
import collections
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tools.mutants.operators import Edit, edits
from tools.mutants.source import Source

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Mutant:
    """One small change of one function. `key` names it, and names the same change in the next run."""

    key: str
    path: str
    module: str
    function: str
    lines: range
    """All lines of the function."""
    source: Source
    edit: Edit

    @property
    def line(self) -> int:
        return self.edit.node.lineno

    def difference(self) -> list[str]:
        """Return the lines that differ, as `- old` and `+ new`."""
        old, new = self.source.replaced(self.edit.node, self.edit.text)
        return [*(f"- {line.strip()}" for line in old), *(f"+ {line.strip()}" for line in new)]


@dataclass(frozen=True)
class Places:
    """The mutants of a module, and how many changes were left out, by reason."""

    mutants: list[Mutant]
    left_out: collections.Counter[str]


AT_IMPORT = "outside of functions: tables, defaults and decorators, which are computed once, by the import"


def places(path: str, text: str) -> Places:
    """Find every change of a module that can be switched on while it runs."""
    source = Source(text)
    finder = _Finder(source)
    finder.visit(source.tree)
    keys = collections.Counter[str]()
    mutants = [_mutant(path, source, place, keys) for place in finder.found]
    return Places(mutants, collections.Counter({AT_IMPORT: finder.at_import}))


def module_name(path: str) -> str:
    """Return the name under which a file is imported."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _mutant(path: str, source: Source, place: "_Place", keys: collections.Counter[str]) -> Mutant:
    node = place.edit.node
    key = f"{path}:{node.lineno}:{node.col_offset}:{place.edit.operator}"
    keys[key] += 1
    if keys[key] > 1:  # `a + b` begins where `a + b + c` does
        key += f".{keys[key]}"
    return Mutant(key, path, module_name(path), place.function, place.lines, source, place.edit)


@dataclass(frozen=True)
class _Place:
    edit: Edit
    function: str
    lines: range


class _Finder(ast.NodeVisitor):
    """Walks through a module and leaves out what is no code of a run: annotations, docstrings, patterns, texts of messages."""

    def __init__(self, source: Source) -> None:
        self.found: list[_Place] = []
        self.at_import = 0
        self._source = source
        self._names: list[str] = []
        self._functions: list[range] = []

    def visit(self, node: ast.AST) -> None:
        for edit in edits(self._source, node):
            if self._functions:
                self.found.append(_Place(edit, ".".join(self._names), self._functions[-1]))
            else:
                self.at_import += 1
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._each([*node.decorator_list, *_defaults(node.args)])
        self._inside(node, node.name, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  # ast names it

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._each(_defaults(node.args))
        self._inside(node, "lambda", [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        self.generic_visit(node)
        self._names.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._each([node.target, node.value])

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._each([part.value for part in node.values if isinstance(part, ast.FormattedValue)])

    def visit_match_case(self, node: ast.match_case) -> None:
        self._each([node.guard, *node.body])

    def visit_Call(self, node: ast.Call) -> None:
        """Visit the parts of a call, but not the type that `cast` names, and no `strict=` of `zip`: they have no effect."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        positional = node.args[1:] if name == "cast" else node.args
        named = [] if name == "zip" else node.keywords
        self._each([node.func, *positional, *named])

    def _inside(self, node: Function, name: str, body: Iterable[ast.AST]) -> None:
        self._names.append(name)
        self._functions.append(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        self._each(body)
        self._functions.pop()
        self._names.pop()

    def _each(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)


def _defaults(arguments: ast.arguments) -> Iterator[ast.expr]:
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
