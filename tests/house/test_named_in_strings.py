"""No module of ours is named in a string: import-linter and mypy do not see such an arrow, and a rename does not reach it."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.house.test_layers import NAME, ROOT, dotted

# Modules that may name others of ours in strings.
EXCEPTIONS = {
    "_lazy.py": "the one helper of package roots; test_lazy_names.py compares the tables that it is given with imports for type checkers",
    "_provider_info.py": "Airflow reads the paths of hooks, operators and links from it, and imports them itself",
}
IMPORTERS = frozenset({"__import__", "import_module", "resolve_name"})
# What `logging.getLogger` takes is the name of a logger, which users configure.
NAMERS = frozenset({"getLogger"})


class Text(NamedTuple):
    """What is known of a string before the program runs."""

    start: str
    whole: bool


UNKNOWN = Text("", False)


class Strings(ast.NodeVisitor):
    """The strings of a module that name a module of ours, and the imports whose module nobody can read off the code."""

    def __init__(self, module: str, *, is_package: bool) -> None:
        self.package = module if is_package else module.rpartition(".")[0]
        self.known = {"__name__": module, "__package__": self.package}
        self.findings: list[tuple[int, str]] = []

    def text_of(self, node: ast.expr) -> Text:
        """Return the string as far as constants, f-strings, sums and names of the module say it."""
        match node:
            case ast.Constant(value=str(value)):
                return Text(value, True)
            case ast.Name(id=name) if name in self.known:
                return Text(self.known[name], True)
            case ast.Attribute(value=ast.Name(id="__spec__"), attr="name" | "parent" as attribute):
                return Text(self.known["__name__" if attribute == "name" else "__package__"], True)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                parts = [value]
            case ast.JoinedStr(values=parts):
                pass
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                parts = [left, right]
            case _:
                return UNKNOWN
        return self.joined(parts)

    def joined(self, parts: list[ast.expr]) -> Text:
        start = ""
        for part in parts:
            text = self.text_of(part)
            start += text.start
            if not text.whole:
                return Text(start, False)
        return Text(start, True)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and is_ours(text := self.text_of(node).start):
            self.findings.append((node.lineno, text))
        super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Leave out docstrings, which are for people."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.remember(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.remember(node.target, node.value)
            self.visit(node.value)

    def remember(self, target: ast.expr, value: ast.expr) -> None:
        """Keep the text of a name, for the strings that are made of it."""
        text = self.text_of(value)
        if isinstance(target, ast.Name) and text.whole:
            self.known[target.id] = text.start

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func).rpartition(".")[2]
        if called in IMPORTERS and node.args:
            self.check_import(node, self.text_of(node.args[0]).start)
        if called in NAMERS:
            return
        self.generic_visit(node)

    def check_import(self, node: ast.Call, text: str) -> None:
        if not text:
            self.findings.append((node.lineno, f"{ast.unparse(node)}, which may be any module"))
        elif text.startswith("."):
            self.findings.append((node.lineno, f"{self.package}{text}"))


def is_ours(text: str) -> bool:
    """Tell whether a text is the dotted name of a module of ours, or of what stands in one: also its beginning, and `module:function`."""
    path = text.partition(":")[0].removesuffix(".")
    return path.partition(".")[0] == NAME and all(part.isidentifier() for part in path.split("."))


def findings_in(source: str, module: str, *, is_package: bool = False) -> list[tuple[int, str]]:
    strings = Strings(module, is_package=is_package)
    strings.visit(ast.parse(source))
    return sorted(set(strings.findings))


def named() -> Iterator[tuple[str, int, str]]:
    """Yield the file, the line and the text of every string that names a module of ours."""
    for path in sorted(ROOT.rglob("*.py")):
        for line, text in findings_in(path.read_text("utf-8"), dotted(path), is_package=path.name == "__init__.py"):
            yield path.relative_to(ROOT).as_posix(), line, text


NAMED = list(named())


def test_no_module_of_ours_is_named_in_a_string() -> None:
    assert [found for found in NAMED if found[0] not in EXCEPTIONS] == []


def test_each_exception_is_needed() -> None:
    assert set(EXCEPTIONS) - {file for file, _, _ in NAMED} == set()


@pytest.mark.parametrize(
    "code",
    [
        'resolve_name("airflow_provider_schemas.tasks.change.create:create")',
        'import_module("airflow_provider_schemas.store")',
        'def wait(path="airflow_provider_schemas.triggers.version_poller:VersionLook"): ...',
        'does: str = "airflow_provider_schemas.tasks.change.create:create"',
        'TABLE = {"yaml": "airflow_provider_schemas.formats.yaml"}',
        'ROOM = "airflow_provider_schemas."',
        'import_module(f"{__package__}.opening")',
        'import_module(f"{__name__}.{table[name]}")',
        'import_module(__package__ + ".opening")',
        'import_module(__spec__.parent + ".opening")',
        'import_module(".opening", __package__)',
        'importlib.import_module(".opening", package="airflow_provider_" + "schemas.hooks")',
        'ROOM = __package__\nimport_module(f"{ROOM}.opening")',
        'START = "airflow_"\nimport_module(f"{START}provider_schemas.hooks")',
        "import_module(path)",
        "__import__(TABLE[name])",
    ],
)
def test_a_module_of_ours_in_a_string_is_noticed(code: str) -> None:
    assert findings_in(code, "airflow_provider_schemas.hooks.schema_store") != []


@pytest.mark.parametrize(
    "code",
    [
        '"""The seam: airflow_provider_schemas.store."""',
        '"airflow_provider_schemas.store"',
        'log = logging.getLogger("airflow_provider_schemas.spark")',
        "log = logging.getLogger(__name__)",
        'raise ImportError("airflow_provider_schemas.store needs none")',
        'raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
        'path = f"{kind.__module__}.{kind.__qualname__}"',
        'import_module("pyspark.sql.types")',
        'SQL = "pyspark.sql."\nimport_module(f"{SQL}{name}")',
        'OURS = __name__.partition(".")[0]',
        'NAME = "airflow-provider-schemas"',
    ],
)
def test_other_strings_are_let_through(code: str) -> None:
    assert findings_in(code, "airflow_provider_schemas.hooks.schema_store") == []
