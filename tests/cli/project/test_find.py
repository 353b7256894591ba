"""Which project file is the nearest: upward from the current folder or from an object, inside the work tree."""

from pathlib import Path

import pytest

from airflow_provider_schemas.cli.project.find import Search, projects_below
from tests.support.command_line import fine, typed
from tests.support.project_files import table_file, write

SECTION = '[tool.airflow-schemas]\nstore = "shared"\n'


def nearest(folder: str | Path) -> str:
    project = Search().nearest(str(Path(folder).absolute()))
    return project.label if project else ""


def test_the_nearest_file_upward_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"schemas.toml": "", "a/schemas.toml": "", "a/b/c/x.yaml": "", "d/x.yaml": ""})
    assert (nearest("a/b/c"), nearest("a"), nearest("d"), nearest(".")) == (
        "a/schemas.toml",
        "a/schemas.toml",
        "schemas.toml",
        "schemas.toml",
    )
    monkeypatch.chdir("a/b")
    assert nearest(".") == "../schemas.toml"


def test_one_search_answers_every_folder_as_a_new_one_does() -> None:
    write({"schemas.toml": "", "a/schemas.toml": "", "a/b/c/x.yaml": "", "d/e/x.yaml": ""})
    search = Search()
    for folder in ("d/e", "a/b/c", "a/b", "d", "a", ".", "d/e", "a/b/c"):
        project = search.nearest(str(Path(folder).absolute()))
        assert project is not None
        assert project.label == nearest(folder)


def test_no_file_is_looked_for_above_the_work_tree(tree: Path) -> None:
    write({"inner/.git/HEAD": "", "inner/sub/x.yaml": "", "schemas.toml": "", "linked/.git": "gitdir: elsewhere\n"})
    (tree.parent / "schemas.toml").write_text("store = 7\n")
    assert (nearest("inner/sub"), nearest("linked"), nearest(".")) == ("", "", "schemas.toml")


def test_without_a_work_tree_the_search_ends_at_the_root_of_the_file_system(tree: Path) -> None:
    (tree / ".git").rmdir()
    (tree.parent / "schemas.toml").write_text("")
    assert nearest(".") == "../schemas.toml"


def test_a_pyproject_counts_with_our_section_alone() -> None:
    write({"schemas.toml": "", "a/pyproject.toml": SECTION, "b/pyproject.toml": '[project.scripts]\nairflow-schemas = "x:y"\n'})
    assert (nearest("a"), nearest("b")) == ("a/pyproject.toml", "schemas.toml")


def test_an_empty_section_is_a_project() -> None:
    write({"schemas.toml": "", "a/pyproject.toml": "[tool.airflow-schemas]\n"})
    assert nearest("a") == "a/pyproject.toml"


def test_schemas_toml_beats_a_section_beside_it_and_the_answer_says_so() -> None:
    write({"schemas.toml": 'store = "lake"\n', "pyproject.toml": SECTION, "orders.yaml": table_file("shop.orders")})
    fine("create", "orders.yaml")
    first = " ".join(fine("check", "orders.yaml", "--width", "400").splitlines()[0].split())
    assert first.endswith("/tree/lake; the section of the pyproject.toml beside it does not count")


def test_a_broken_pyproject_beside_schemas_toml_is_in_nobodys_way() -> None:
    write({"schemas.toml": 'store = "lake"\n', "pyproject.toml": "[tool.airflow-schemas\n"})
    assert fine("create", "a.b", "x INT")


def test_a_broken_pyproject_that_may_have_our_section_is_refused() -> None:
    write({"pyproject.toml": "[tool.airflow-schemas]\nstore = \n"})
    done = typed("ls")
    assert (done.code, "pyproject.toml:2: this is no TOML" in done.err) == (2, True)


def test_another_tools_broken_pyproject_is_none_of_ours() -> None:
    write({"pyproject.toml": "[tool.ruff\n", "schemas/x.yaml": ""})
    assert nearest("schemas") == ""


def test_the_search_begins_at_an_object_and_else_at_the_current_folder() -> None:
    write({"schemas.toml": 'store = "lake"\n', "a/schemas.toml": 'store = "lake"\n', "a/orders.yaml": table_file("shop.orders")})
    fine("create", "a/orders.yaml")
    fine("create", "other.t", "x INT")
    assert fine("ls", "shop", "--store", "a/lake") == "shop.orders\n"
    assert fine("ls", "other") == "other.t\n"


def test_an_object_outside_of_every_project_counts_for_that_of_the_current_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a/schemas.toml": 'store = "lake"\n', "free/orders.yaml": table_file("shop.orders")})
    monkeypatch.chdir("a")
    fine("create", "../free/orders.yaml")
    assert (tree / "a/lake/shop.db/orders").is_dir()


def test_files_of_several_projects_are_refused_where_one_store_is_meant() -> None:
    job = "job: daily\nreads:\n  shop.orders: id BIGINT\n"
    write({"a/schemas.toml": 'store = "lake"\n', "b/schemas.toml": 'store = "lake"\n', "a/j.yaml": job, "b/k.yaml": job})
    done = typed("contract", "register", "a/j.yaml", "b/k.yaml")
    assert (done.code, "the files belong to several projects, a/schemas.toml and b/schemas.toml." in done.err) == (2, True)
    assert not Path("a/lake").exists()


def test_hidden_folders_have_no_projects() -> None:
    write({".cache/schemas.toml": "", "a/.venv/schemas.toml": "", "a/b/schemas.toml": "", "c/pyproject.toml": SECTION})
    assert [project.label for project in projects_below(".")] == ["a/b/schemas.toml", "c/pyproject.toml"]


def test_a_folder_that_is_gone_has_no_project(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"schemas.toml": 'store = "lake"\n', "gone/x": ""})
    monkeypatch.chdir("gone")
    (tree / "gone/x").unlink()
    (tree / "gone").rmdir()
    done = typed("ls")
    assert (done.code, "none is named" in done.err) == (2, True)
