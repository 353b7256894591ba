"""Plant mutants into modules while they are imported: each behind a switch, all in one process, and no file is written.

`x < 3` becomes `(x <= 3 if __mutant__(7) else x < 3)`. The switch answers no, and notes that mutant 7 was reached.
"""

import ast
import builtins
import functools
import gc
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from tools.mutants.places import Mutant

NAME = "__mutant__"


class Switch:
    """Says whether a mutant is on, and remembers which were asked for."""

    def __init__(self) -> None:
        self.active: int | None = None
        self.reached: set[int] = set()

    def __call__(self, number: int) -> bool:
        self.reached.add(number)
        return number == self.active


def plant(root: Path, mutants: Sequence[Mutant]) -> Switch:
    """Make every later import of their modules hold the mutants. Their numbers are their places in the sequence."""
    by_path: dict[str, dict[int, Mutant]] = defaultdict(dict)
    for number, mutant in enumerate(mutants):
        by_path[mutant.path][number] = mutant
    trees = {next(iter(numbered.values())).module: (root / path, _planted(numbered)) for path, numbered in by_path.items()}
    early = sorted(trees.keys() & sys.modules.keys())
    if early:
        raise RuntimeError(f"imported before anything could be planted: {', '.join(early)}")
    switch = Switch()
    setattr(builtins, NAME, switch)
    sys.meta_path.insert(0, _Finder(trees))
    return switch


def cached_functions(package: str) -> "list[functools._lru_cache_wrapper[object]]":
    """Find the functions of a package that keep their answers: a kept answer hides a mutant."""
    cached = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
    return [function for function in cached if (function.__module__ or "").partition(".")[0] == package]


class _Finder(MetaPathFinder):
    """Finds the planted modules."""

    def __init__(self, trees: Mapping[str, tuple[Path, ast.Module]]) -> None:
        self._trees = trees

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in self._trees:
            return None
        file, tree = self._trees[fullname]
        folder = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(fullname, str(file), tree)
        return spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=folder)


class _Loader(SourceFileLoader):
    """Loads a tree; the file only gives its name, and the text of its lines to tracebacks."""

    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec", dont_inherit=True)


def _planted(numbered: Mapping[int, Mutant]) -> ast.Module:
    """Return the tree of a module with its mutants."""
    tree = next(iter(numbered.values())).source.tree
    _Planter(numbered).visit(tree)
    return ast.fix_missing_locations(tree)


class _Planter(ast.NodeTransformer):
    def __init__(self, numbered: Mapping[int, Mutant]) -> None:
        self._at: dict[int, list[int]] = defaultdict(list)
        self._texts = {number: mutant.edit.text for number, mutant in numbered.items()}
        for number, mutant in numbered.items():
            self._at[id(mutant.edit.node)].append(number)

    def visit(self, node: ast.AST) -> ast.AST:
        numbers = self._at.get(id(node), ())
        self.generic_visit(node)
        for number in numbers:
            node = ast.copy_location(self._switched(number, node), node)
        return node

    def _switched(self, number: int, node: ast.AST) -> ast.expr | ast.stmt:
        asked = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number)], [])
        if isinstance(node, ast.stmt):
            return ast.If(asked, [ast.Pass()], [node])
        assert isinstance(node, ast.expr)
        return ast.IfExp(asked, ast.parse(f"({self._texts[number]})", mode="eval").body, node)
