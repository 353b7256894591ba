"""No template, macro, function or class of the pages is left over: each is used, and each class has a rule of style."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.plugins.application import files
from airflow_provider_schemas.render.html.environment import TEMPLATES
from airflow_provider_schemas.render.html.template_functions import FUNCTIONS

PACKAGE = Path(files.__file__).parents[2]
FOLDERS = (TEMPLATES, files.PAGES)
# Names of parts, for whoever looks at a page: no rule of style is about them.
WITHOUT_STYLE = {"diff", "of-table"}
# Classes that are computed: verdicts, states of cells and lines, depths, and what the script and a host set.
COMPUTED = r"""d\d level-\d verdict-\w+ js dark light copied vscode-dark vscode-light
    absent added attributes changed comment default dropped moved nullability renamed restored retyped same unknown""".split()


def texts(pattern: str) -> dict[str, str]:
    """Return the files of both folders that have such a name."""
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for folder in FOLDERS for path in folder.rglob(pattern)}


def classes_of(html: str) -> Iterator[str]:
    """Yield the classes that a template writes out; what it computes is left out."""
    for value in re.findall(r'class="([^"]*)"', html):
        words = re.sub(r"\{\{.*?\}\}", "*", re.sub(r"\{%.*?%\}", " ", value)).split()
        yield from (word for word in words if "*" not in word)


def styled() -> set[str]:
    """Return the classes that a rule of style is about."""
    selectors = re.sub(r"\{[^{}]*\}", " ", "\n".join(texts("*.css").values()))
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))


HTML = texts("*.html")


@pytest.mark.parametrize("name", sorted(HTML))
def test_every_class_of_a_template_has_a_rule_of_style(name: str) -> None:
    assert set(classes_of(HTML[name])) - styled() - WITHOUT_STYLE == set()


def test_every_class_with_a_rule_of_style_is_used() -> None:
    used = {word for html in HTML.values() for word in classes_of(html)}
    computed = re.compile("|".join(COMPUTED))
    assert [name for name in sorted(styled() - used) if not computed.fullmatch(name)] == []


@pytest.mark.parametrize("name", sorted(HTML))
def test_every_template_is_used(name: str) -> None:
    callers = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")] + list(HTML.values())
    names = (f'"{name}"', f'"{name.removeprefix("values/")}"')
    assert any(quoted in text for text in callers for quoted in names)


def test_every_macro_is_called_or_imported() -> None:
    whole = "\n".join(HTML.values())
    macros = re.findall(r"{% macro (\w+)", whole)
    assert len(macros) > 20
    calls = {name: len(re.findall(rf"\b{name}\(", whole)) - macros.count(name) for name in macros}
    renamed = set(re.findall(r"(\w+) as \w+", whole))
    assert [name for name, number in calls.items() if not number and name not in renamed] == []


def test_every_function_is_called_by_a_template() -> None:
    whole = "\n".join(HTML.values())
    assert [name for name in FUNCTIONS if not re.search(rf"\b{name}\b", whole)] == []


def test_what_is_left_over_is_found() -> None:
    assert list(classes_of('<p class="card verdict-{{ verdict }}{% if a %} quiet{% endif %}">')) == ["card", "quiet"]


def test_every_operator_and_command_that_a_template_names_is_there() -> None:
    whole = "\n".join(HTML.values())
    operators = set(re.findall(r"\b\w+Operator\b", whole))
    assert operators
    sources = "\n".join(path.read_text("utf-8") for path in (PACKAGE / "operators").glob("*.py"))
    assert operators <= set(re.findall(r"^class (\w+)", sources, re.MULTILINE))
    commands = set(re.findall(r"airflow-schemas (\w+)", whole))
    assert commands
    assert commands <= set(COMMANDS)
