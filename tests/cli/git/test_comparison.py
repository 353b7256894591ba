"""Which base a check against git takes, why, and that it takes no other one where that is not sure."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.git import ci_variables, comparison
from airflow_provider_schemas.cli.git.comparison import GitComparison
from airflow_provider_schemas.cli.git.repository import Repository
from airflow_provider_schemas.errors import SchemaError
from tests.support.command_line import Done, typed
from tests.support.git_repositories import ORDERS, RENAMED, WIDER, GitRepository, about, clone, repository

FILE = "schemas/shop/orders.yaml"
ZEROS = "0" * 40


def check(*words: str) -> Done:
    return typed("check", "schemas", "--format=json", *words)


def found(repo: GitRepository, wanted: str = "", *, exact: bool = False, default: str = "") -> GitComparison:
    return comparison.find(Repository(str(repo.top)), wanted, exact=exact, default=default)


def refusal(*words: str) -> str:
    """Type a line that ends with 2, and return its error with its fix; nothing may have been judged."""
    done = check(*words)
    assert (done.code, done.json["reports"]) == (2, []), done
    (error,) = done.json["errors"]
    return f"{error['code']} {error['message']} {error['fix']}"


# ---------------------------------------------------------------- the merge base


def test_a_stale_branch_is_not_blamed_for_what_others_did_since(repo: GitRepository) -> None:
    repo.commit({"schemas/users.yaml": about("shop.users")})
    repo.branch("main", "main")
    repo.commit({FILE: RENAMED})
    repo.git("checkout", "--quiet", "change")
    assert check("--git=main").code == 0
    assert check("--git=main", "--git-exact").code == 2, "the tip has a column that the branch calls otherwise: a rename back asks"


def test_a_merged_branch_is_compared_with_what_was_merged(repo: GitRepository) -> None:
    repo.commit({FILE: WIDER})
    repo.branch("main", "main")
    newer = repo.commit({"schemas/users.yaml": about("shop.users")})
    repo.git("checkout", "--quiet", "change")
    repo.git("merge", "--quiet", "main", "--message", "merged")
    assert found(repo, "main").base == newer


def test_of_several_merge_bases_the_one_of_git_is_taken_and_said(repo: GitRepository) -> None:
    one = repo.commit({FILE: WIDER})
    repo.branch("main", "main")
    two = repo.commit({"schemas/users.yaml": about("shop.users")})
    repo.git("merge", "--quiet", one, "--message", "crossed")
    repo.branch("change", one)
    repo.git("merge", "--quiet", two, "--message", "crossed")
    repo.commit({"x.txt": "x"})
    compared = found(repo, "main")
    assert compared.base == repo.git("merge-base", "main", "HEAD")
    assert compared.notes == (f"main and HEAD have 2 merge bases: {compared.base[:7]} is the one that git takes first",)


def test_histories_without_a_common_commit_are_refused(repo: GitRepository) -> None:
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.commit({FILE: RENAMED})
    assert "cli.git-unrelated main and HEAD have no commit in common: their histories are not related." in refusal("--git=main")
    assert check("--git=main", "--git-exact").code == 1


def test_the_tip_is_compared_where_the_line_wants_it(repo: GitRepository) -> None:
    tip = repo.commit({FILE: WIDER})
    repo.branch("main", "main")
    compared = found(repo, "change", exact=True)
    assert (compared.base, compared.exact, compared.base_words) == (tip, True, f"{tip[:7]}, change")


# ---------------------------------------------------------------- a base that is HEAD


def test_a_clean_tree_on_the_base_is_compared_with_the_commit_before_and_that_is_said(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({FILE: RENAMED})
    done = check("--git=main")
    assert done.code == 1
    assert any(
        note.startswith("nothing differs from main, which is HEAD: compared with the commit before it") for note in done.json["notes"]
    )
    assert done.json["git"]["named"] == "HEAD^1"


def test_a_changed_tree_on_the_base_is_compared_with_it(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({FILE: RENAMED})
    repo.write({FILE: RENAMED + "  - {name: coupon, type: STRING}\n"})
    done = check("--git=main")
    assert (done.code, done.json["git"]["base"]) == (0, repo.git("rev-parse", "HEAD"))


def test_a_repository_of_one_commit_has_nothing_to_compare_with_unless_something_changed(repo: GitRepository) -> None:
    assert "the only commit there is" in refusal("--git=main")
    repo.write({FILE: RENAMED})
    assert check("--git=main").code == 1


def test_a_repository_without_a_commit_is_refused(tmp_path: Path, repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = repository(tmp_path / "empty")
    empty.write({FILE: ORDERS})
    monkeypatch.chdir(empty.top)
    assert "the repository has no commit yet" in refusal("--git")
    assert "the repository has no commit yet" in refusal("--git=main")


# ---------------------------------------------------------------- who names the base


def test_the_default_branch_of_origin_is_the_base_of_a_line_that_names_none(repo: GitRepository) -> None:
    assert "no commit is known to compare with" in refusal("--git")
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.commit({FILE: WIDER})
    done = check("--git")
    assert done.code == 0
    assert done.json["notes"] == ["the base is origin/main, from origin's default branch"]
    repo.git("update-ref", "refs/remotes/origin/master", "main")
    assert "origin has origin/main and origin/master" in refusal("--git")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
    assert check("--git").json["git"]["named"] == "origin/master"


def test_the_settings_name_a_base_below_the_variables_of_a_system(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("branch", "release", "main")
    assert found(repo, default="release").named == "release"
    monkeypatch.setenv("CI_COMMIT_BEFORE_SHA", repo.git("rev-parse", "main"))
    assert found(repo, default="release").named == repo.git("rev-parse", "main")
    assert found(repo, "main", default="release").named == "main"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GITHUB_BASE_REF", "trunk"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "trunk"),
        ("CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME", "trunk"),
        ("BITBUCKET_PR_DESTINATION_BRANCH", "trunk"),
        ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/trunk"),
        ("CHANGE_TARGET", "trunk"),
        ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "trunk"),
        ("CI_COMMIT_TARGET_BRANCH", "trunk"),
    ],
)
def test_the_target_of_a_pull_request_is_the_base(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/trunk", "main")
    repo.git("tag", "origin/trunk", repo.commit({FILE: WIDER}))
    monkeypatch.setenv(variable, value)
    done = check("--git")
    assert done.json["git"]["base"] == repo.git("rev-parse", "main"), "the branch, and not a tag that is called so"
    assert done.json["notes"] == [f"the base is origin/trunk, from {variable}"]


@pytest.mark.parametrize(
    "variable",
    [
        "PRE_COMMIT_FROM_REF",
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA",
        "CI_COMMIT_BEFORE_SHA",
        "BITBUCKET_PR_DESTINATION_COMMIT",
    ],
)
def test_so_is_the_commit_that_a_system_names(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    before = repo.git("rev-parse", "main")
    repo.commit({FILE: WIDER})
    for value in (before, before[:12]):
        monkeypatch.setenv(variable, value)
        assert check("--git").json["git"]["base"] == before


@pytest.mark.parametrize("value", ["", " ", ZEROS, "0" * 64])
def test_a_variable_that_is_empty_or_all_zeros_is_not_set(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    for variable in ("CI_COMMIT_BEFORE_SHA", "PRE_COMMIT_FROM_REF", "GITHUB_BASE_REF"):
        monkeypatch.setenv(variable, value)
    assert found(repo).named == "origin/main"


def test_a_variable_that_names_what_the_clone_does_not_have_never_falls_through_to_another_base(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    monkeypatch.setenv("GITHUB_BASE_REF", "release")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    said = refusal("--git")
    assert "the clone has no commit 'origin/release', which GITHUB_BASE_REF names." in said
    assert "`fetch-depth: 0` on the step actions/checkout, or run `git fetch origin release:refs/remotes/origin/release`" in said


def test_a_variable_that_needs_another_one_is_left_alone_without_it(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.git("update-ref", "refs/remotes/origin/trunk", "main")
    repo.commit({FILE: WIDER})
    monkeypatch.setenv("TRAVIS_BRANCH", "trunk")
    monkeypatch.setenv("TRAVIS_PULL_REQUEST", "false")
    monkeypatch.setenv("DRONE_TARGET_BRANCH", "trunk")
    assert found(repo).named == "origin/main"
    monkeypatch.setenv("TRAVIS_PULL_REQUEST", "17")
    assert found(repo).named == "origin/trunk"


@pytest.mark.parametrize("event", [("push", {"before": "BASE"}), ("merge_group", {"merge_group": {"base_sha": "BASE"}})])
def test_the_event_of_a_run_on_github_names_the_commit_before(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, event: tuple[str, object]
) -> None:
    before = repo.git("rev-parse", "main")
    name, values = event
    place = tmp_path / "event.json"
    place.write_text(json.dumps(values).replace("BASE", before))
    repo.commit({FILE: WIDER})
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(place))
    monkeypatch.setenv("GITHUB_EVENT_NAME", name)
    assert check("--git").json["git"]["base"] == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"before": 3}', f'{{"before": "{ZEROS}"}}', "[" * 100_000])
def test_an_event_that_says_nothing_leaves_the_default_branch(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    (tmp_path / "event.json").write_text(text)
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    assert found(repo).named == "origin/main"


def test_a_pull_request_none_of_whose_commits_is_checked_out_is_no_green(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.branch("main")
    repo.commit({FILE: WIDER})
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    assert "of the pull request nothing is checked out" in refusal("--git")


def test_a_push_that_pre_commit_looks_at_is_compared_by_its_trees(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", repo.git("rev-parse", "main"))
    monkeypatch.setenv("PRE_COMMIT_TO_REF", repo.commit({FILE: WIDER}))
    repo.write({FILE: RENAMED})
    assert check("--git").code == 0
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "f" * 40)
    assert "which PRE_COMMIT_TO_REF names" in refusal("--git")


def test_a_second_push_to_a_branch_does_not_hide_the_first(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    first = repo.commit({FILE: RENAMED})
    repo.commit({"README.md": "more"})
    event = {"ref": "refs/heads/change", "before": first, "repository": {"default_branch": "main"}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    with monkeypatch.context() as github:
        github.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
        github.setenv("GITHUB_EVENT_NAME", "push")
        assert check("--git").code == 1
        assert found(repo).notes == ("the base is origin/main, from `repository.default_branch` of the event",)
        assert found(repo, default="main").named == "main", "the settings count before the default branch"
    for variable, value in {"CI_COMMIT_BEFORE_SHA": first, "CI_COMMIT_BRANCH": "change", "CI_DEFAULT_BRANCH": "main"}.items():
        monkeypatch.setenv(variable, value)
    assert check("--git").code == 1
    assert found(repo).notes == ("the base is origin/main, from CI_DEFAULT_BRANCH",)
    monkeypatch.setenv("CI_COMMIT_BRANCH", "main")
    assert found(repo).named == first


def test_a_tag_that_is_called_as_a_branch_of_origin_is_not_taken_for_it(repo: GitRepository) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.git("tag", "origin/main", repo.commit({FILE: RENAMED}))
    assert "something else is called so as well" in refusal("--git=origin/main")
    assert check("--git=refs/remotes/origin/main").code == 1


def test_the_page_names_every_variable() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/command-line.md").read_text("utf-8")
    named = [variable for variable in ci_variables.VARIABLES if variable != "GITHUB_EVENT_PATH"]
    assert [variable for variable in named if f"`{variable}`" not in page] == []


# ---------------------------------------------------------------- shallow clones


def cloned(repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> GitRepository:
    """A clone of the branch `change`, as the current folder."""
    made = clone(repo, tmp_path / "clone", "--branch", "change", *options)
    monkeypatch.chdir(made.top)
    return made


@pytest.mark.parametrize("depth", [1, 2])
def test_a_shallow_clone_that_does_not_have_the_merge_base_ends_with_2_and_the_line_that_deepens_it(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    for number in range(3):
        repo.commit({FILE: WIDER, "n.txt": str(number)})
    made = cloned(repo, tmp_path, monkeypatch, "--depth", str(depth), "--no-single-branch")
    assert "git fetch --unshallow origin" in refusal("--git=origin/main")
    monkeypatch.setenv("GITLAB_CI", "true")
    monkeypatch.setenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
    assert 'GIT_DEPTH: "0"' in refusal("--git")
    made.git("fetch", "--quiet", "--unshallow", "origin")
    assert check("--git").code == 0


def test_a_base_that_cut_history_hides_is_not_replaced_by_an_older_one(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch was merged with main since: a clone that lacks the merge sees the first common commit alone."""
    repo.branch("main", "main")
    repo.commit({FILE: RENAMED})
    repo.commit({"one.txt": "1"})
    repo.branch("change", "main")
    for number in range(4):
        repo.commit({"n.txt": str(number)})
    made = cloned(repo, tmp_path, monkeypatch)
    whole = found(made, "origin/main").base
    (made.top / ".git/shallow").write_text(f"{repo.git('rev-parse', 'change~2')}\n")
    with pytest.raises(SchemaError, match="shallow") as raised:
        found(made, "origin/main")
    assert raised.value.code == "cli.git-shallow"
    (made.top / ".git/shallow").write_text(f"{repo.git('rev-parse', 'main~1')}\n")
    assert found(made, "origin/main").base == whole, "what is cut below the merge base hides nothing"


def test_the_commit_before_head_is_not_there_in_a_clone_of_depth_1(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({FILE: WIDER})
    cloned(repo, tmp_path, monkeypatch, "--depth", "1")
    assert "cli.git-shallow" in refusal("--git=HEAD")


# ---------------------------------------------------------------- what is no base


def test_a_folder_behind_git_is_no_base_and_the_line_is_corrected(repo: GitRepository) -> None:
    done = typed("check", "--git", "schemas/")
    assert done.code == 2
    assert "schemas/ is a path, and not a commit. Write: check schemas/ --git." in done.err
    assert "Write: check schemas/shop/*.yaml --git" in typed("check", "--git", "schemas/shop/*.yaml").err
    assert typed("check", "--git", "main").code == 2


@pytest.mark.parametrize(
    "base", ["--output=x", "-h", "--upload-pack=touch x", "main\0x", "$(touch x)", "main;touch x", "x" * 5_000, "main..a..b", "\udcff"]
)
def test_a_base_is_a_name_and_never_an_option_or_a_command(repo: GitRepository, base: str) -> None:
    said = refusal(f"--git={base}")
    assert "cli.git-no-base" in said
    assert sorted(path.name for path in repo.top.iterdir()) == [".git", "schemas"]


def test_an_empty_base_comes_from_a_variable_that_is_not_set(repo: GitRepository) -> None:
    assert "it is empty" in typed("check", "schemas", "--git=").err


def test_a_repository_without_a_remote_is_told_to_name_the_base_and_not_to_ask_origin(repo: GitRepository) -> None:
    repo.commit({"schemas/a.yaml": ORDERS})
    done = typed("check", "schemas", "--git")
    assert done.code == 2
    assert "Name it: --git=BASE, such as a branch, a tag, or HEAD^1." in done.err
    assert "set-head" not in done.err
