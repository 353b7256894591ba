"""Lines that name neither a base nor --git: files in a work tree are compared with git, and everything else is as it was."""

from pathlib import Path

import pytest

from tests.support.command_line import fine, typed
from tests.support.git_repositories import ORDERS, RENAMED, GitRepository, about

FILE = "schemas/shop/orders.yaml"


@pytest.fixture
def origin(repo: GitRepository) -> GitRepository:
    """The repository with a default branch of origin, and a renamed column since."""
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.commit({FILE: RENAMED})
    return repo


@pytest.mark.parametrize("names", [["schemas"], [FILE], [FILE, "schemas/users.yaml"], ["schemas", "contracts"]])
def test_files_without_a_base_are_compared_with_git(origin: GitRepository, names: list[str]) -> None:
    origin.write({"schemas/users.yaml": about("shop.users"), "contracts/x.yaml": "job: x\nreads:\n  shop.users: [order_id]\n"})
    done = typed("check", *names, "--width=200")
    assert done.code == 1
    assert "the merge base of origin/main and HEAD" in done.out


def test_a_file_that_was_deleted_is_found_at_the_base(origin: GitRepository) -> None:
    origin.write({FILE: None})
    assert "TABLE_FILE_DELETED" in typed("check", FILE).out


def test_two_files_of_one_table_are_old_and_new(origin: GitRepository) -> None:
    origin.write({"old.yaml": ORDERS, "was/orders.yaml": ORDERS, "is/orders.yaml": RENAMED})
    assert typed("check", "old.yaml", FILE).out.startswith(f"compared {FILE} with old.yaml\n")
    assert typed("check", "was", "is").out.startswith("compared is/orders.yaml with was/orders.yaml\n")


def test_so_are_two_files_whose_tables_only_parsing_tells(origin: GitRepository) -> None:
    origin.write(
        {
            "old.yaml": '{"table": "shop.orders", "columns": [{"name": "a", "type": "INT"}]}',
            "new.yaml": "table: 'shop.orders'\ncolumns: [{name: a, type: INT}]\n",
        }
    )
    assert typed("check", "old.yaml", "new.yaml").out.startswith("compared new.yaml with old.yaml\n")


def test_a_line_with_a_base_is_as_it_was(origin: GitRepository, tmp_path: Path) -> None:
    lake = str(tmp_path / "lake")
    assert "it was judged by itself" in fine("check", FILE, "--alone")
    assert "it is --new" in fine("check", FILE, "--new")
    fine("create", FILE, "--store", lake)
    assert f"shop.orders version 0 of {lake}" in fine("check", FILE, "--store", lake, "--width=300")


def test_schemas_of_other_kinds_are_as_they_were(origin: GitRepository) -> None:
    origin.write({"a.sql": "a INT", "b.sql": "a BIGINT"})
    assert typed("check", "a.sql", "b.sql").out.startswith("compared b.sql with a.sql\n")
    assert "judged by itself" in typed("check", "a.sql").out
    assert "compared new.yaml with standard input" not in typed("check", "-", stdin=ORDERS.encode()).out


def test_outside_of_a_work_tree_there_is_no_base(origin: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orders.yaml").write_text(ORDERS)
    monkeypatch.chdir(tmp_path)
    done = typed("check", "orders.yaml", "--format=json")
    assert (done.code, done.json["errors"][0]["code"]) == (2, "cli.no-base")
    assert typed("check", "nothing.yaml", "--format=json").json["errors"][0]["code"] == "cli.no-file"


def test_without_a_base_that_is_known_nothing_is_green(repo: GitRepository) -> None:
    done = typed("check", "schemas")
    assert done.code == 2
    assert "Name it: --git=BASE, such as a branch" in done.err
