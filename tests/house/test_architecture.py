"""ARCHITECTURE.md and CONTRIBUTING.md name what is there: paths exist, and the pictures show every room that pyproject.toml orders."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.test_layers import ROOT, TOOL, TOP

PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
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
    links = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)) if "://" not in target]
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


@pytest.mark.parametrize("contract", LAYERS, ids=[contract["name"] for contract in LAYERS])
def test_the_pictures_show_every_room_that_has_a_place(contract: dict[str, Any]) -> None:
    shown = set(re.findall(r"\w+", pictures((TOP / "ARCHITECTURE.md").read_text("utf-8"))))
    rooms = {room.strip() for rooms in contract["layers"] for room in rooms.split("|")}
    assert rooms - shown == set()


def modules_below(folder: Path) -> set[str]:
    return {path.stem for path in folder.rglob("*.py")} | {path.name for path in folder.rglob("*") if path.is_dir()}


def test_the_pictures_name_no_module_that_is_gone() -> None:
    """What a picture writes as a path, `name/` or `name.py`, is a folder or a module of the package."""
    named = {name for name, _ in re.findall(r"(?<![\w/])(\w+)(/|\.py)(?!\w)", pictures((TOP / "ARCHITECTURE.md").read_text("utf-8")))}
    assert named - modules_below(ROOT) == set()
