"""Project files in a check against git: what a branch changed in them is told, and each project sees its own files alone."""

from pathlib import Path

import pytest

from tests.support.command_line import Done, fine, typed
from tests.support.git_repositories import GitRepository, repo  # noqa: F401  # pytest finds fixtures here by their names
from tests.support.project_files import table_file

OWN = 'store = "lake"\nstrict = true\n'
WIDE = ("--width", "400")


@pytest.fixture
def two(repo: GitRepository) -> GitRepository:  # noqa: F811  # the fixture
    """Two projects on main, with a change of a table in one of them on a branch."""
    repo.branch("main")
    files = {"a/schemas.toml": OWN, "a/x.yaml": table_file("shop.x"), "b/schemas.toml": OWN, "b/y.yaml": table_file("crm.y")}
    repo.commit({**files, "free/t.yaml": table_file("lone.t"), ".gitignore": "lake\n"})
    for name in ("a/x.yaml", "b/y.yaml"):
        fine("create", name)
    repo.branch("change")
    repo.commit({"a/x.yaml": table_file("shop.x") + "  - {name: note, type: STRING}\n"})
    return repo


def lines(done: Done, beginning: str) -> list[str]:
    return [line for line in done.out.splitlines() if line.startswith(beginning)]


def test_each_project_sees_its_own_files_alone(two: GitRepository) -> None:
    two.commit({"free/t.yaml": None})
    done = typed("check", ".", "--git=main", *WIDE)
    compared = [line.split(" with ")[0] + line.rpartition(";")[2] for line in lines(done, "compared ")]
    assert compared == ["compared no file no project", *["compared a/x.yaml project a/schemas.toml"] * 2]


@pytest.mark.usefixtures("two")
def test_a_project_file_that_is_as_it_was_is_not_told() -> None:
    assert "differs from the base" not in typed("check", "a", "--git=main", *WIDE).out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OWN.replace("true", "false"), "strict was true, and is false now."),
        ("", "strict is gone: it was true."),
        (None, "store is gone: it was 'lake'."),
    ],
)
def test_a_project_file_that_the_branch_changes_is_told(two: GitRepository, text: str | None, sentence: str) -> None:
    two.commit({"a/schemas.toml": text})
    (note,) = [line for line in lines(typed("check", "a", "--git=main", *WIDE), "note: ") if "differs from the base" in line]
    assert note.startswith("note: a/schemas.toml differs from the base; its policy, strict and require count as they were, too: ")
    assert sentence in note


def test_a_change_that_is_not_committed_is_told(two: GitRepository) -> None:
    Path("a/schemas.toml").write_text(OWN + 'base = "x"\n')
    assert "base is new: 'x'." in typed("check", "a", "--git=main", *WIDE).out
    assert two


def test_the_file_of_another_project_is_none_of_its_business(two: GitRepository) -> None:
    two.commit({"b/schemas.toml": 'store = "lake"\n'})
    assert "differs from the base" not in typed("check", "a", "--git=main", *WIDE).out
    assert lines(typed("check", ".", "--git=main", *WIDE), "note: b/schemas.toml differs")[0].endswith("; project b/schemas.toml")


def test_a_file_above_that_goes_is_told(two: GitRepository) -> None:
    two.branch("main")
    two.commit({"schemas.toml": "strict = true\n"})
    two.branch("other")
    two.commit({"schemas.toml": None, "free/t.yaml": table_file("lone.t") + "  - {name: note, type: STRING}\n"})
    assert lines(typed("check", "free", "--git=main", *WIDE), "note: schemas.toml differs from the base")
