"""A branch cannot take away the policy and the demands that it is judged by: those of the base count as well."""

from pathlib import Path

import pytest

from tests.support.command_line import Done, typed
from tests.support.git_repositories import GitRepository, repo  # noqa: F401  # pytest finds fixtures here by their names
from tests.support.project_files import table_file

STRICT = "protect: {data: block, jobs: block, writers: block}\n"
WEAK = "protect: {data: warn, jobs: warn, writers: warn}\n"
OWN = 'policy = "policy.yaml"\n'
TABLE = table_file("shop.x") + "  - {name: note, type: STRING}\n"
DROPPED = table_file("shop.x") + "dropped: [note]\n"
WIDE = ("--width", "400")


@pytest.fixture
def project(repo: GitRepository) -> GitRepository:  # noqa: F811  # the fixture
    """A project with a strict policy, and a branch that drops a column."""
    repo.branch("main")
    repo.commit({"schemas.toml": OWN, "policy.yaml": STRICT, "tables/x.yaml": TABLE})
    repo.branch("change")
    repo.commit({"tables/x.yaml": DROPPED})
    return repo


def checked(*more: str) -> Done:
    return typed("check", "tables", "--git=main", *WIDE, *more)


@pytest.mark.usefixtures("project")
def test_the_policy_breaks_the_branch_as_long_as_it_stands() -> None:
    done = checked()
    assert done.code == 1
    assert "FIELD_DROPPED" in done.out
    assert "differs from the base" not in done.out


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"policy.yaml": WEAK}, id="weaker text"),
        pytest.param({"schemas.toml": 'policy = "other.yaml"\n', "other.yaml": WEAK}, id="another file"),
        pytest.param({"schemas.toml": 'folder = "tables"\n'}, id="no policy"),
        pytest.param({"schemas.toml": None}, id="no project file"),
        pytest.param({"schemas.toml": None, "policy.yaml": None}, id="neither"),
        pytest.param({"tables/schemas.toml": 'policy = "weak.yaml"\n', "tables/weak.yaml": WEAK}, id="a nearer project file"),
    ],
)
def test_a_policy_that_the_branch_weakens_counts_as_it_was(project: GitRepository, changed: dict[str, str | None]) -> None:
    project.commit(changed)
    done = checked()
    assert done.code == 1
    assert "policy.yaml differs from the base: the stricter of both policies counts" in done.out


def test_a_policy_of_the_line_counts_as_it_was(project: GitRepository) -> None:
    project.commit({"policy.yaml": WEAK})
    assert checked("--no-project", "--policy", "policy.yaml").code == 1


def test_an_override_leaves_the_policy_of_the_base_out_and_says_nothing_of_it(project: GitRepository) -> None:
    project.commit({"policy.yaml": WEAK})
    done = checked("--override", "INC-1", "--policy", "policy.yaml")
    assert done.code == 0
    assert "the stricter of both" not in done.out


def test_demands_of_the_base_stay(project: GitRepository) -> None:
    project.branch("main")
    project.commit({"schemas.toml": OWN + 'strict = true\nrequire = ["store"]\n'})
    project.branch("other")
    project.commit({"schemas.toml": OWN, "tables/x.yaml": table_file("shop.x") + "  - {name: note, type: VARCHAR(9)}\n"})
    done = checked()
    assert done.code == 2
    assert "a store is required, and none is named" in done.err
    fine = typed("create", "tables/x.yaml", "--store", "lake")
    assert fine.code == 0
    assert "warnings fail this check, whatever the branch says" in checked("--store", str(Path("lake").absolute())).out


def test_a_project_file_of_the_base_that_cannot_be_read_hides_no_verdict(project: GitRepository) -> None:
    project.branch("main")
    project.commit({"schemas.toml": "policy = [\n", "tables/x.yaml": TABLE})
    project.branch("broken")
    project.commit({"schemas.toml": OWN, "tables/x.yaml": DROPPED})
    done = checked()
    assert done.code == 1
    assert "cannot be read" in done.out


def test_a_policy_that_became_a_link_counts_as_the_file_that_it_was(project: GitRepository) -> None:
    project.git("rm", "--quiet", "policy.yaml")
    (project.top / "policy.yaml").symlink_to("weak.yaml")
    project.commit({"weak.yaml": WEAK})
    done = checked()
    assert done.code == 1
    assert "policy.yaml differs from the base: the stricter of both policies counts" in done.out


def test_a_policy_outside_of_the_repository_is_none_of_the_base(project: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(STRICT)
    assert checked("--policy", str(tmp_path / "outside.yaml")).code == 1
    assert project


def test_the_folders_of_the_base_are_looked_at_whatever_the_branch_names(project: GitRepository) -> None:
    project.branch("main")
    project.commit({"schemas.toml": OWN + 'folder = "tables"\n', "tables/x.yaml": TABLE})
    project.branch("away")
    project.commit({"schemas.toml": OWN + 'folder = "other"\n', "other/y.yaml": table_file("shop.y"), "tables/x.yaml": DROPPED})
    done = typed("check", "--git=main", *WIDE)
    assert done.code == 1
    assert "FIELD_DROPPED" in done.out
    assert "the project file of the base names tables: it is looked at, whatever the branch says" in done.out
    assert "FIELD_DROPPED" not in typed("check", "other", "--git=main", *WIDE).out


def test_a_branch_can_correct_a_policy_that_cannot_be_read(project: GitRepository) -> None:
    project.branch("main")
    project.commit({"policy.yaml": "protect: {datta: block}\n", "tables/x.yaml": table_file("shop.x")})
    project.branch("correct")
    project.commit({"policy.yaml": STRICT, "tables/x.yaml": TABLE})
    done = checked()
    assert done.code == 0, done.err
    assert "policy.yaml of the base cannot be read as a policy, and does not count" in done.out
