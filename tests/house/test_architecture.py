"""Pages about the code name what is there, and ARCHITECTURE.md is one page; packages list every room that pyproject.toml orders."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.test_layers import ROOT, TOOL, TOP

PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/why/five-stories.md", "docs/why/what-always-holds.md"]
MOST_WORDS = 1500
# Made by commands, so that a fresh clone has none of it.
MADE = ("build/",)
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")
LAYERS: list[dict[str, Any]] = [contract for contract in TOOL["importlinter"]["contracts"] if contract["type"] == "layers"]


def prose(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def pictures(text: str) -> str:
    return "\n".join(re.findall(r"^```text\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))


def is_path(text: str) -> bool:
    """Tell whether a text in backticks is a path: it ends in `.py`, or begins with a folder of the repository or of the package."""
    if PATH.fullmatch(text) is None or text.startswith(MADE):
        return False
    first, slash, _ = text.partition("/")
    return text.endswith(".py") or (bool(slash) and any((parent / first).is_dir() for parent in (TOP, ROOT)))


def paths(text: str) -> list[str]:
    """Return the paths in backticks, pytest's ids without the test, and the targets of links inside the repository."""
    quoted = [code.partition("::")[0] for code in re.findall(r"`([^`\n]+)`", prose(text))]
    # `make docs` follows the links of pages in docs, which lead up.
    links = [
        target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)) if "://" not in target and target[:2] != ".."
    ]
    return sorted({code for code in quoted if is_path(code)} | {link for link in links if link})


def stands(path: str) -> bool:
    """Tell whether a path is one of the repository or of the package; a bare file name may be one of any folder of the package."""
    parents = [TOP, ROOT]
    if "/" not in path:
        return any(any(parent.glob(path)) for parent in parents) or any(ROOT.rglob(path))
    return any(any(parent.glob(path.rstrip("/"))) for parent in parents)


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    named = paths((TOP / page).read_text("utf-8"))
    assert len(named) > 20
    assert [path for path in named if not stands(path)] == []


@pytest.mark.parametrize(
    "text",
    ["`core/judging.py`", "`store/phases.py`", "`effects.py`", "`tests/core/test_diff.py`", "`core/checks_*.py`", "[here](docs/gone.md)"],
)
def test_a_path_that_is_gone_is_noticed(text: str) -> None:
    (path,) = paths(text)
    assert not stands(path)


@pytest.mark.parametrize(
    "text", ["`core/rules.py`", "`tests/store/storage/test_local*.py`", "`formats/yaml/`", "[here](docs/index.md#top)"]
)
def test_a_path_that_is_there_is_seen(text: str) -> None:
    (path,) = paths(text)
    assert stands(path)


@pytest.mark.parametrize("text", ["`SparkSession.read`", "`build/logs`", "`make test`", "`n/a`", "[there](https://example.org/core/x.py)"])
def test_what_is_no_path_of_ours_is_left_alone(text: str) -> None:
    assert paths(text) == []


def docstring(package: str) -> str:
    """Return the docstring of a package, named with dots."""
    source = TOP.joinpath(*package.split("."), "__init__.py").read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def listing(package: str) -> str:
    """Return the indented lines of the docstring of a package."""
    return "\n".join(line for line in docstring(package).splitlines() if line.startswith("    "))


def rooms(contract: dict[str, Any]) -> set[str]:
    """Return the rooms that a contract of layers orders."""
    return {room.strip() for layer in contract["layers"] for room in layer.split("|")}


def modules_below(folder: Path) -> set[str]:
    return {path.stem for path in folder.rglob("*.py")} | {path.name for path in folder.rglob("*") if path.is_dir()}


def named_paths(text: str) -> set[str]:
    """Return what a text writes as a path: `name/` or `name.py`."""
    return {name for name, _ in re.findall(r"(?<![\w/])(\w+)(/|\.py)(?!\w)", text)}


@pytest.mark.parametrize("contract", LAYERS[1:], ids=[contract["name"] for contract in LAYERS[1:]])
def test_a_package_lists_every_room_that_has_a_place(contract: dict[str, Any]) -> None:
    (package,) = contract["containers"]
    shown = set(re.findall(r"\w+", listing(package)))
    assert rooms(contract) - shown == set()


def test_the_page_shows_every_floor() -> None:
    shown = set(re.findall(r"\w+", pictures((TOP / "ARCHITECTURE.md").read_text("utf-8"))))
    assert LAYERS[0]["containers"] == [ROOT.name]
    assert rooms(LAYERS[0]) - shown == set()


def test_the_page_is_one_page() -> None:
    assert len((TOP / "ARCHITECTURE.md").read_text("utf-8").split()) <= MOST_WORDS


def test_the_pictures_name_no_module_that_is_gone() -> None:
    named = named_paths(pictures((TOP / "ARCHITECTURE.md").read_text("utf-8")))
    assert named - modules_below(ROOT) == set()


@pytest.mark.parametrize("package", sorted(contract["containers"][0] for contract in LAYERS[1:]))
def test_a_package_lists_no_module_that_is_gone(package: str) -> None:
    named = named_paths(listing(package))
    assert len(named) > 3
    assert named - modules_below(ROOT) == set()
