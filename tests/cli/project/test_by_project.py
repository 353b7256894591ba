"""A check whose objects belong to several projects: each is judged by its own settings, and none hides another."""

import os
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli import fix_hints
from tests.support.command_line import Done, fine, typed
from tests.support.project_files import BROKEN, table_file, write

WIDE = ("--width", "400")


@pytest.fixture
def two(tree: Path) -> Path:
    """Two projects of a repository, each with a store of its own that has its table."""
    write(
        {
            "a/schemas.toml": 'store = "lake"\nfolder = "schemas"\n',
            "a/schemas/orders.yaml": table_file("shop.orders"),
            "b/pyproject.toml": '[tool.airflow-schemas]\nstore = "lake"\n',
            "b/users.yaml": table_file("crm.users"),
        }
    )
    fine("create", "a/schemas/orders.yaml")
    fine("create", "b/users.yaml")
    write({"job.yaml": "job: daily\nreads:\n  crm.users: amount BIGINT\n"})
    fine("contract", "register", "job.yaml", "--store", "b/lake")
    assert (tree / "b/lake/crm.db").is_dir()
    return tree


def compared(done: Done) -> list[str]:
    return [line for line in done.out.splitlines() if line.startswith("compared ")]


@pytest.mark.parametrize("objects", [["."], ["a", "b"], ["a/schemas", "b/users.yaml"], ["a/schemas/orders.yaml", "b/users.yaml"]])
def test_each_file_is_compared_with_the_store_of_its_project(two: Path, objects: list[str]) -> None:
    done = typed("check", *objects, *WIDE)
    assert (done.code, done.err) == (0, ""), done
    assert compared(done) == [
        f"compared a/schemas/orders.yaml with shop.orders version 0 of {two}/a/lake; project a/schemas.toml",
        f"compared b/users.yaml with crm.users version 0 of {two}/b/lake; project b/pyproject.toml",
    ]
    assert done.out.startswith(f"project a/schemas.toml: store {two}/a/lake\nproject b/pyproject.toml: store {two}/b/lake\n")
    projects = typed("check", *objects, "--format", "json").json["projects"]
    assert [project["file"] for project in projects] == ["a/schemas.toml", "b/pyproject.toml"]


@pytest.mark.usefixtures("two")
def test_what_breaks_in_one_project_breaks_the_line() -> None:
    write({"b/users.yaml": table_file("crm.users", BROKEN)})
    done = typed("check", ".", *WIDE)
    assert (done.code, "crm.users" in done.out, "shop.orders" in done.out) == (1, True, True)


@pytest.mark.usefixtures("two")
def test_a_store_that_is_away_does_not_hide_the_verdicts_of_others() -> None:
    Path("b/lake").rename("b/away")
    done = typed("check", ".", *WIDE)
    assert (done.code, len(compared(done))) == (2, 1)
    assert "b/pyproject.toml: " in done.err
    assert "b/lake is not there" in done.err


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("text", ["[tool.airflow-schemas]\nstore = 7\n", "[tool.airflow-schemas]\nstor = 'x'\nstrict = 1\n"])
def test_a_project_file_that_is_wrong_does_not_hide_the_verdicts_of_others(text: str) -> None:
    write({"b/pyproject.toml": text})
    done = typed("check", ".", *WIDE)
    assert (done.code, len(compared(done)), "b/pyproject.toml:2: " in done.err) == (2, 1, True)
    assert "b/users.yaml" not in done.out


@pytest.mark.usefixtures("two")
def test_files_below_no_project_are_judged_by_the_line_alone() -> None:
    write({"free/t.yaml": table_file("lone.t")})
    done = typed("check", ".", *WIDE)
    assert (done.code, len(compared(done))) == (2, 2)
    assert "free/t.yaml: no store is named" in done.err
    done = typed("check", ".", "--new", "lone.t", *WIDE)
    assert (done.code, done.err) == (0, "")
    assert compared(done)[0].endswith("no store was asked for lone.t; no project")


@pytest.mark.usefixtures("two")
def test_a_new_table_that_no_file_is_about_is_told_once() -> None:
    done = typed("check", ".", "--new", "shop.nothing", *WIDE)
    assert (done.code, done.err.count("--new shop.nothing")) == (2, 1)


@pytest.mark.usefixtures("two")
def test_a_new_file_is_new_in_its_own_project_alone() -> None:
    write({"b/fresh.yaml": table_file("crm.fresh")})
    for objects in ([".", "--new", "b/fresh.yaml"], ["a/schemas", "--new", "b/fresh.yaml"]):
        done = typed("check", *objects, *WIDE)
        assert (done.code, done.err) == (0, "")
        assert [line for line in compared(done) if line.startswith("compared b/fresh.yaml with nothing: it is --new")]


def test_files_outside_of_the_folder_of_a_project_below_are_named(two: Path) -> None:
    write({"a/tests/case.yaml": table_file("shop.case")})
    done = typed("check", ".", *WIDE)
    assert done.out.splitlines()[0] == (
        f"project a/schemas.toml: store {two}/a/lake; outside of its folder, and not looked at: a/tests/case.yaml"
    )
    assert typed("check", "a").code == 2  # whoever names the folder means all that is in it


@pytest.mark.usefixtures("two")
def test_a_project_inside_a_project_has_its_own_files() -> None:
    write(
        {
            "schemas.toml": 'store = "toplake"\n',
            "top.yaml": table_file("top.t"),
            "b/deep/schemas.toml": "",
            "b/deep/d.yaml": table_file("deep.d"),
        }
    )
    fine("create", "top.yaml")
    done = typed("check", ".", "--new", "deep.d", *WIDE)
    assert (done.code, done.err) == (0, "")
    assert [line.rpartition("; ")[2] for line in compared(done)] == [
        "project schemas.toml",
        "project a/schemas.toml",
        "project b/pyproject.toml",
        "project b/deep/schemas.toml",
    ]


@pytest.mark.usefixtures("two")
def test_a_deleted_file_of_a_project_is_still_named() -> None:
    fine("create", "shop.gone", "x INT", "--store", "a/lake")
    assert any("nothing in a/schemas with shop.gone of " in line for line in compared(typed("check", ".", *WIDE)))


@pytest.mark.usefixtures("two")
def test_strict_of_one_project_is_about_its_own_warnings() -> None:
    warned = table_file("crm.users") + "dropped: [old]\n"
    fine("evolve", "crm.users", "--add", "old INT", "--store", "b/lake")
    write({"b/users.yaml": warned})
    assert typed("check", ".").code == 0
    write({"a/schemas.toml": 'store = "lake"\nfolder = "schemas"\nstrict = true\n'})
    assert typed("check", ".").code == 0
    write({"b/pyproject.toml": '[tool.airflow-schemas]\nstore = "lake"\nstrict = true\n'})
    assert typed("check", ".").code == 1


def test_a_store_on_the_line_is_that_of_all_projects(two: Path) -> None:
    fine("create", "a/schemas/orders.yaml", "--store", "both")
    fine("create", "b/users.yaml", "--store", "both")
    done = typed("check", ".", "--store", "both", *WIDE)
    assert (done.code, done.out.count(f"of {two}/both; project ")) == (0, 2)
    assert done.out.count("its store is not asked: --store names one") == 2


@pytest.mark.usefixtures("two")
def test_a_pattern_that_reaches_into_projects_is_refused() -> None:
    done = typed("check", "*/schemas/*.yaml")
    assert (done.code, "Name the folders themselves: check ." in done.err) == (2, True)
    done = typed("check", "a/schemas/*.yml")
    assert (done.code, "several projects" in done.err) == (2, False)


# ---------------------------------------------------------------- OLD and NEW


@pytest.mark.usefixtures("two")
def test_a_pair_stays_a_pair_wherever_the_old_file_is(tmp_path: Path) -> None:
    write({"../old.yaml": table_file("shop.orders", BROKEN)})
    for old in ("../old.yaml", "-"):
        done = typed("check", old, "a/schemas/orders.yaml", *WIDE, stdin=Path("../old.yaml").read_bytes())
        label = "standard input" if old == "-" else old
        assert compared(done)[0] == f"compared a/schemas/orders.yaml with {label}"
    assert (tmp_path / "old.yaml").is_file()


@pytest.mark.usefixtures("two")
def test_two_files_of_two_tables_are_no_pair() -> None:
    write({"free/t.yaml": table_file("lone.t")})
    done = typed("check", "free/t.yaml", "a/schemas/orders.yaml", *WIDE)
    assert (done.code, len(compared(done)), "free/t.yaml: no store is named" in done.err) == (2, 1, True)


# ---------------------------------------------------------------- commands that can be pasted


def test_commands_in_what_cannot_be_judged_name_the_store_of_its_project(two: Path) -> None:
    (two / "b/lake/crm.db/raw").mkdir()
    write({"b/raw.yaml": table_file("crm.raw")})
    done = typed("check", ".", *WIDE)
    assert done.code == 2
    assert f"airflow-schemas create --store {two}/b/lake crm.raw " in done.err


def test_commands_about_a_table_that_was_judged_name_the_store_of_its_project() -> None:
    """A table that two projects have is of no one store."""
    fields: dict[str, Any] = {
        "read_only": False,
        "conn": None,
        "store_known": False,
        "registry": "",
        "registry_id": "",
        "layout": None,
        "team": "",
    }
    fields |= {"storage_option": [], "mounts_known": True, "branch": None}
    a, b = (Namespace(store=f"/{name}", lines_of_tables={}, **fields) for name in "ab")
    args = Namespace(**{**vars(a), "store": None, "lines_of_tables": {"shop.orders": a, "crm.users": b, "both.t": None}})
    text = "`airflow-schemas restore --column 'x y' crm.users:4 1`, airflow-schemas log both.t\nairflow-schemas log shop.orders@b"
    assert fix_hints.with_store(text, args) == (
        "`airflow-schemas restore --store /b --column 'x y' crm.users:4 1`, airflow-schemas log both.t\n"
        "airflow-schemas log --store /a shop.orders@b"
    )


def test_a_check_from_a_folder_of_a_project_names_files_from_there(two: Path) -> None:
    os.chdir("a/schemas")
    assert compared(typed("check", *WIDE)) == [f"compared orders.yaml with shop.orders version 0 of {two}/a/lake"]
    done = typed("check", "orders.yaml", "../../b/users.yaml", *WIDE)
    assert (done.code, len(compared(done))) == (0, 2)
