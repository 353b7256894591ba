"""One word for one thing, in pages and in what the package prints: reader and writer for jobs, engine for what reads files."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "airflow_provider_schemas"
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

# What nobody writes, and the word for it, as docs/start/words.md defines it.
FORBIDDEN = {
    r"consumers?": "reader, or writer",
    r"producers?": "writer",
    r"victims?": "reader, or the readers that break",
    r"query engines?|processing engines?": "engine",
    r"old jobs": "old readers",
    r"registered jobs?": "registered reader, or registered contract",
    r"jobs? that (?:only )?reads?": "reader",
    r"jobs? that (?:only )?writes?": "writer",
    r"the job (?:takes|writes) \{": "the {who} {verb}",
    r"move the jobs": "move the readers",
    r"(?:listed|vectorized|Python|Parquet|ORC|foreign) readers?": "engine, or decoder",
    r"readers? by (?:field )?id\b": "engine by id",
    r"readers? (?:turns?|widens?|converts?) ": "engine",
    r"(?:Spark|Paimon|Iceberg|Delta|Trino|Flink)'s (?:own )?readers?": "engine, or the name alone",
}
# Where a word is somebody else's: the words of an option, of another tool, of a protocol; and the row that defines ours.
ALLOWED = (
    re.compile(r"changelog[- ]producer"),  # an option of Paimon
    re.compile(r"datacontract consumer|datacontract producer|\| consumer \||\| producer \||perspectives?"),  # words of datacontract-cli
    re.compile(r"\{consumer\}"),  # a part of a path
    re.compile(r"consumer\.[a-z-]+"),  # options of Paimon
    re.compile(r"A job that (?:reads|writes) a table\b"),  # the definition
    re.compile(r"Pass consumer,|, consumer="),  # the argument
)
_FORBIDDEN = re.compile("|".join(rf"\b(?:{words})" for words in FORBIDDEN), re.IGNORECASE)
_CODE = re.compile(r"^ *(`{3,})[^\n]*\n.*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`[^`\n]*`")
_ADDRESS = re.compile(r"\]\([^)]*\)")


def _forbidden(text: str) -> Iterator[str]:
    """Find the words that are not ours."""
    for allowed in ALLOWED:
        text = allowed.sub("", text)
    return (found.group() for found in _FORBIDDEN.finditer(text))


def _prose(page: str) -> str:
    """Keep what people read: no code, no address of a link."""
    return _ADDRESS.sub("]", _INLINE.sub("", _CODE.sub("", page)))


def _texts(module: Path) -> Iterator[str]:
    """Read the sentences of a module: strings with a space that are no docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value and id(node) not in notes:
            yield node.value


def test_pages_have_one_word_for_one_thing() -> None:
    read = ((page, _prose(page.read_text(encoding="utf-8"))) for page in PAGES)
    assert not [(page.name, word) for page, text in read for word in _forbidden(text)]


def test_messages_have_one_word_for_one_thing() -> None:
    said = ((module, text) for module in sorted(PACKAGE.rglob("*.py")) for text in _texts(module))
    assert not [(module.name, word, text) for module, text in said for word in _forbidden(text)]


@pytest.mark.parametrize("text", ["the consumer breaks", "old jobs stop", "a job that reads it", "a listed reader", "Spark's own readers"])
def test_another_word_is_found(text: str) -> None:
    assert list(_forbidden(text))


@pytest.mark.parametrize("text", ["a reader breaks", "the job of the audit failed", "Set changelog-producer = none.", "the engine stops"])
def test_our_words_and_those_of_others_are_left_alone(text: str) -> None:
    assert not list(_forbidden(text))
