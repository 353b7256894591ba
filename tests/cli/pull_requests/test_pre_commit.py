"""The hook of the page in the real pre-commit: it judges what a commit would hold, and nothing beside it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.pull_requests.support.blocks import TOP, hooks
from tests.cli.pull_requests.support.repositories import BROKEN, NAMES, ORDERS, PLAIN, REPORT, USERS, WIDER, Repository, git

ID = "airflow-schemas-check"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the cache of pre-commit, which holds the clone with its libraries."""
    return tmp_path_factory.mktemp("home")


class Hooked:
    """A repository with the hook of the page."""

    def __init__(self, repository: Repository, home: Path, path: str) -> None:
        self.repository = repository
        self.variables = {**os.environ, **PLAIN, **NAMES, "PATH": path, "PRE_COMMIT_HOME": str(home), "PRE_COMMIT_COLOR": "never"}

    def pre_commit(self, *words: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "pre_commit", *words]
        return subprocess.run(line, cwd=self.repository.folder, env=self.variables, capture_output=True, text=True, check=False)

    def commit(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Commit what is in the index, as somebody does who has run pre-commit install."""
        line = ["git", "commit", "--message", "a commit", *words]
        return subprocess.run(line, cwd=self.repository.folder, env=self.variables, capture_output=True, text=True, check=False)


@pytest.fixture
def hooked(tmp_path: Path, published: Path, home: Path, machine: str) -> Hooked:
    """Return a repository with two tables and a job, the hook of the page installed."""
    settings = hooks()
    (entry,) = settings["repos"]
    entry |= {"repo": str(published), "rev": git(published, "rev-parse", "HEAD")}
    repository = Repository(tmp_path / "lake")
    files = {"schemas/orders.yaml": ORDERS, "schemas/users.yaml": USERS, "schemas/daily_report.yaml": REPORT}
    repository.commit({**files, ".pre-commit-config.yaml": yaml.safe_dump(settings)})
    made = Hooked(repository, home, machine)
    assert made.pre_commit("install").returncode == 0
    return made


def write(hooked: Hooked, name: str, text: str, *, add: bool = True) -> None:
    (hooked.repository.folder / name).write_text(text, "utf-8")
    if add:
        git(hooked.repository.folder, "add", name)


def test_a_commit_that_adds_a_column_is_made(hooked: Hooked) -> None:
    write(hooked, "schemas/orders.yaml", WIDER)
    done = hooked.commit()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stderr


def test_a_commit_that_breaks_a_reader_is_not_made_and_names_the_reader(hooked: Hooked) -> None:
    write(hooked, "schemas/orders.yaml", BROKEN)
    done = hooked.commit()
    assert done.returncode == 1
    assert "daily_report" in done.stderr
    assert git(hooked.repository.folder, "rev-list", "--count", "HEAD") == "1"


def test_a_commit_that_deletes_a_table_file_is_looked_at(hooked: Hooked) -> None:
    git(hooked.repository.folder, "rm", "--quiet", "schemas/orders.yaml")
    done = hooked.commit()
    assert done.returncode == 1
    assert "TABLE_FILE_DELETED" in done.stderr


def test_what_is_not_part_of_the_commit_neither_breaks_it_nor_makes_it_fit(hooked: Hooked) -> None:
    write(hooked, "schemas/orders.yaml", BROKEN, add=False)
    write(hooked, "schemas/stray.yaml", "table: no.table\ncolumns: nonsense\n", add=False)
    write(hooked, "schemas/users.yaml", USERS + "  - {name: mail, type: STRING}\n")
    done = hooked.commit()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (hooked.repository.folder / "schemas/orders.yaml").read_text() == BROKEN


def test_a_file_that_cannot_be_read_stops_the_commit(hooked: Hooked) -> None:
    write(hooked, "schemas/orders.yaml", "table: shop.orders\ncolumns: [\n")
    done = hooked.commit()
    assert done.returncode == 1
    assert "exit code: 2" in done.stderr
    assert "schemas/orders.yaml" in done.stderr


def test_the_first_commit_of_a_repository_is_judged_as_new(hooked: Hooked) -> None:
    git(hooked.repository.folder, "update-ref", "-d", "HEAD")
    done = hooked.commit()
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_range_is_judged_from_where_it_begins(hooked: Hooked) -> None:
    folder = hooked.repository.folder
    start = git(folder, "rev-parse", "HEAD")
    hooked.repository.commit({"schemas/orders.yaml": BROKEN})
    end = hooked.repository.commit({"schemas/users.yaml": USERS + "  - {name: mail, type: STRING}\n"})
    done = hooked.pre_commit("run", ID, "--from-ref", start, "--to-ref", end)
    assert done.returncode == 1
    assert "daily_report" in done.stdout
    assert hooked.pre_commit("run", ID, "--from-ref", f"{end}^", "--to-ref", end).returncode == 0


def test_a_clean_tree_is_compared_with_the_commit_before_and_says_so(hooked: Hooked) -> None:
    hooked.repository.commit({"schemas/orders.yaml": BROKEN})
    done = hooked.pre_commit("run", ID, "--all-files", "--verbose")
    assert done.returncode == 1
    assert "HEAD^1" in done.stdout


def test_a_second_run_needs_no_network(hooked: Hooked) -> None:
    hooked.pre_commit("run", ID)
    hooked.variables |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "HTTPS_PROXY": "http://127.0.0.1:9", "UV_OFFLINE": "1"}
    write(hooked, "schemas/orders.yaml", WIDER)
    done = hooked.commit()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "installing" not in done.stderr


def test_pre_commit_knows_every_key_of_the_hook() -> None:
    line = [sys.executable, "-m", "pre_commit", "validate-manifest", str(TOP / ".pre-commit-hooks.yaml")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
