"""What `airflow-schemas explain` tells besides the rules: an example of each, how it is accepted, and what the codes of errors mean.

python -m tools.explanations      writes airflow_provider_schemas/render/explain/facts.json anew

Examples come from the cases of the rules, meanings from the tables of docs/reference, and classes from the calls in the package.
"""

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core.policies.severity import NOT_LOOKED_AT
from airflow_provider_schemas.core.rules import CATALOGUE, Rule
from airflow_provider_schemas.formats import yaml
from tests.cases.reading import cases_of
from tools.rule_pages import acceptance, example

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "airflow_provider_schemas"
FILE = "airflow_provider_schemas/render/explain/facts.json"
COMMAND = "python -m tools.explanations"

_WORD = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_CODE = re.compile(rf"{_WORD}(?:\.{_WORD})+")
_PREFIX = re.compile(rf"{_WORD}\.")
_QUOTED = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def text() -> str:
    """Return the file as it has to be."""
    facts = {"rules": {rule.id: _of_rule(rule) for rule in CATALOGUE}, "codes": codes(), "families": _families()}
    return json.dumps(facts, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


# ---------------------------------------------------------------- rules


def _of_rule(rule: Rule) -> dict[str, Any]:
    case = cases_of(rule.id)[0]
    accepts = list(acceptance(rule, case))
    return {"example": list(example(case)), "accepts": accepts, "waive": _waiver(rule, accepts)}


def _waiver(rule: Rule, accepts: list[str]) -> list[str] | None:
    """Return the path and the job of the waiver that stands for the exception of a policy; None where nothing is waived."""
    if rule.id == NOT_LOOKED_AT:
        return ["*", ""]
    for block in accepts:
        if block.startswith("```yaml\nexceptions:"):
            (exception,) = yaml.read(block.removeprefix("```yaml").removesuffix("```")).value["exceptions"]
            return [exception["path"], exception.get("consumer", "")]
    return None


# ---------------------------------------------------------------- errors


class _Row(NamedTuple):
    """A row of a table of codes."""

    codes: list[str]
    prefixes: list[str]
    means: str
    page: str


def codes() -> dict[str, Any]:
    """Return every code that the pages list or the package has, with what is known of it."""
    classes = _classes()
    known: dict[str, Any] = {code: {"classes": names} for code, names in classes.items()}
    for row in _rows():
        for number, code in enumerate(row.codes):
            if "means" not in known.setdefault(code, {"classes": []}):
                known[code] |= {"means": _share(row, number), "page": row.page}
    for code, means in _defaults():
        known[code].setdefault("means", means)
    return known


def _families() -> dict[str, Any]:
    """Return the beginnings of codes that a page explains together."""
    families: dict[str, Any] = {}
    for row in _rows():
        for prefix in row.prefixes:
            families.setdefault(prefix, {"means": row.means, "page": row.page})
    return families


def _share(row: _Row, number: int) -> str:
    """Return what a row says of one of its codes; all that it says, if it is not divided by codes."""
    shares = row.means.split("; ")
    return shares[number] if len(shares) == len(row.codes) else row.means


def _rows() -> Iterator[_Row]:
    """Yield the rows of all tables of codes, those of the page about errors first."""
    folder = ROOT / "docs/reference"
    for path in sorted(folder.glob("*.md"), key=lambda path: (path.name != "errors.md", path.name)):
        page = path.relative_to(ROOT).as_posix()
        heading = ""
        column = None
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("#"):
                heading = re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
            if not cells:
                column = None
            elif column is None:
                column = next((number for number, cell in enumerate(cells) if cell in ("code", "codes", "codes that begin with")), -1)
            elif 0 <= column < len(cells):
                yield _row(cells, column, f"{page}#{heading}")


def _row(cells: list[str], column: int, page: str) -> _Row:
    words = _QUOTED.findall(cells[column])
    means = ": ".join(_LINK.sub(r"\1", cell) for number, cell in enumerate(cells) if number != column)
    if page.startswith("docs/reference/creating.md"):  # its tables ask what a check of a schema asks
        means = f"a check of one schema found that this is not so: {means}"
    return _Row([word for word in words if _CODE.fullmatch(word)], [word for word in words if _PREFIX.fullmatch(word)], means, page)


def _classes() -> dict[str, list[str]]:
    """Return the codes that stand in the package, each with the errors that are raised with it."""
    classes: dict[str, set[str]] = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for code, name in _named(node):
                classes[code] |= {name} - {""}
    return {code: sorted(names) for code, names in classes.items()}


def _defaults() -> Iterator[tuple[str, str]]:
    """Yield the codes of errors that are raised without one, each with what its class says of itself."""
    for node in ast.parse((PACKAGE / "errors.py").read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            for code, _ in _named(node):
                yield code, (ast.get_docstring(node) or "").partition("\n")[0].rstrip(".")


def _named(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the codes that a node of the syntax tree names, with the error if it says which one."""
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "default_code":
                yield ast.literal_eval(part.value), node.name
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        given = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        given += node.args[:1] if name == "Fault" else []
        for value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and _CODE.fullmatch(value.value):
                yield value.value, name if name.endswith("Error") else ""


# ---------------------------------------------------------------- writing


def write() -> None:
    """Write the file."""
    (ROOT / FILE).write_text(text(), "utf-8")


def main() -> int:
    write()
    print(f"{FILE} is written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
