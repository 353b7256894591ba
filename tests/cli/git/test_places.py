"""Where files lie: subfolders, work trees, submodules, links, sparse checkouts, patterns, names of any bytes, and no repository at all."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.cli.git import program
from tests.support.command_line import Done, typed
from tests.support.git_repositories import ORDERS, RENAMED, WIDER, GitRepository, about, clone, repository

FILE = "schemas/shop/orders.yaml"


def check(*words: str) -> Done:
    return typed("check", *words, "--git=main", "--format=json")


def rules(done: Done) -> list[tuple[str, str]]:
    return [(finding["rule"], finding["verdict"]) for report in done.json["reports"] for finding in report["findings"]]


def files(done: Done) -> list[str]:
    return [report["file"] for report in done.json["reports"]]


def faults(done: Done) -> list[tuple[str, str]]:
    return [(error["code"], error["path"]) for error in done.json["errors"]]


# ---------------------------------------------------------------- from where


def test_paths_are_relative_to_the_current_folder(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({FILE: RENAMED})
    monkeypatch.chdir(repo.top / "schemas" / "shop")
    for name in (".", "orders.yaml", "../shop", str(repo.top / FILE)):
        done = check(name)
        assert (done.code, files(done)) == (1, ["orders.yaml"])
        assert done.json["reports"][0]["findings"][0]["place"]["file"] == "orders.yaml"
    monkeypatch.chdir(repo.top.parent)
    assert files(check("work/schemas")) == [f"work/{FILE}"]


def test_a_folder_of_a_monorepo_is_judged_by_itself(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({FILE: RENAMED, "teams/a/schemas/x.yaml": about("a.x"), "teams/b/schemas/x.yaml": about("b.x")})
    assert files(check("teams/a")) == ["teams/a/schemas/x.yaml"]
    monkeypatch.chdir(repo.top / "teams" / "b")
    assert files(check(".")) == ["schemas/x.yaml"]


def test_a_second_work_tree_is_a_work_tree(repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("worktree", "add", "--quiet", str(tmp_path / "second"), "-b", "second")
    second = GitRepository(tmp_path / "second")
    second.write({FILE: RENAMED})
    monkeypatch.chdir(second.top)
    assert check("schemas").code == 1
    assert check(str(repo.top / "schemas")).code == 2, "nothing changed there, and there is one commit"


def test_a_folder_outside_of_any_repository_is_refused(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text(ORDERS)
    assert faults(check("../orders.yaml")) == [("cli.git-outside", "../orders.yaml")]
    assert faults(check(FILE, "../orders.yaml")) == [("cli.git-outside", "../orders.yaml")]


def test_files_of_two_repositories_are_refused(repo: GitRepository, tmp_path: Path) -> None:
    repository(tmp_path / "second").commit({FILE: ORDERS})
    assert faults(check("schemas", "../second/schemas"))[0][0] == "cli.git-outside"


def test_a_repository_without_files_is_refused(repo: GitRepository, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", "--bare", str(repo.top), str(tmp_path / "bare")], check=True)
    for place in (tmp_path / "bare", repo.top / ".git"):
        assert faults(check(str(place)))[0][0] == "cli.git-outside"


def test_without_the_program_git_nothing_is_compared(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = check("schemas")
    assert faults(done) == [("cli.no-git", "")]
    assert "Install git" in done.json["errors"][0]["fix"]


def test_a_hook_of_git_with_its_own_variables_changes_nothing(repo: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = repository(tmp_path / "second")
    other.commit({"x": "x"})
    repo.commit({FILE: RENAMED})
    monkeypatch.setenv("GIT_DIR", str(other.top / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.top))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "no-index"))
    assert check("schemas").code == 1


# ---------------------------------------------------------------- what is no file


def test_a_link_is_not_followed_and_not_green(repo: GitRepository) -> None:
    repo.write({"elsewhere/users.txt": about("shop.users")})
    (repo.top / "schemas" / "users.yaml").symlink_to("../elsewhere/users.txt")
    assert faults(check("schemas")) == [("cli.git-link", "schemas/users.yaml")]
    repo.commit({})
    assert faults(check("schemas")) == [("cli.git-link", "schemas/users.yaml")]
    assert faults(typed("check", "schemas", "--git=main..HEAD", "--format=json")) == [("cli.git-link", "schemas/users.yaml")]


def test_a_linked_folder_is_named(repo: GitRepository) -> None:
    repo.commit({"elsewhere/users.yaml": about("shop.users")})
    (repo.top / "schemas" / "more").symlink_to("../elsewhere")
    repo.write({FILE: WIDER})
    assert "symbolic links are not followed: schemas/more" in check("schemas").json["notes"]


def test_a_link_that_the_line_names_is_what_it_leads_to(repo: GitRepository) -> None:
    repo.commit({FILE: RENAMED})
    (repo.top / "link").symlink_to("schemas")
    (repo.top / "orders.yaml").symlink_to(FILE)
    assert files(check("link")) == [FILE]
    assert files(check("orders.yaml")) == [FILE]


def test_a_folder_that_became_a_link_holds_other_files(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "orders.yaml").write_text(WIDER)
    repo.write({FILE: None})
    (repo.top / "schemas" / "shop").rmdir()
    (repo.top / "schemas" / "shop").symlink_to(tmp_path / "outside")
    done = check("schemas")
    assert done.code == 2
    assert ("cli.git-link", FILE) in faults(done)


def test_a_pipe_is_no_file(repo: GitRepository) -> None:
    os.mkfifo(repo.top / "schemas" / "users.yaml")
    done = check("schemas/users.yaml", "schemas/shop")
    assert done.code == 2


def test_a_submodule_is_another_repository(repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = repository(tmp_path / "inner")
    inner.commit({"schemas/users.yaml": about("shop.users")})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.top), "schemas/inner")
    repo.commit({FILE: WIDER})
    done = check("schemas")
    assert (files(done), faults(done)) == ([FILE], [("cli.git-submodule", "schemas/inner")])
    repo.branch("main")
    repo.branch("change")
    repo.commit({FILE: ORDERS})
    done = check("schemas")
    assert done.code == 0
    assert "repositories in the repository were not looked at: schemas/inner" in done.json["notes"]
    submodule = GitRepository(repo.top / "schemas" / "inner")
    submodule.branch("main")
    submodule.branch("change")
    submodule.commit({"schemas/users.yaml": about("shop.users", RENAMED)})
    assert files(check("schemas/inner")) == ["schemas/inner/schemas/users.yaml"]


def test_a_repository_that_lies_in_the_folder_untracked_is_named(repo: GitRepository) -> None:
    repository(repo.top / "schemas" / "inner").commit({"users.yaml": about("shop.users")})
    assert faults(check("schemas")) == [("cli.git-submodule", "schemas/inner")]


# ---------------------------------------------------------------- sparse checkouts, partial clones


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_deleted(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/users.yaml": about("shop.users")})
    repo.branch("change")
    repo.git("sparse-checkout", "set", "--no-cone", "/schemas/shop/")
    assert not (repo.top / "schemas" / "users.yaml").exists()
    repo.write({FILE: WIDER})
    done = check("schemas")
    assert rules(done) == [("FIELD_ADDED_NULLABLE", "ok")]


def test_a_file_that_is_only_in_the_index_of_a_sparse_checkout_is_compared(repo: GitRepository) -> None:
    repo.commit({FILE: RENAMED, "x/x.txt": "x"})
    repo.git("sparse-checkout", "set", "--no-cone", "/x/")
    assert not (repo.top / FILE).exists()
    assert rules(check("schemas")) == [("FIELD_RENAMED", "break")]


def test_a_partial_clone_that_lacks_a_text_ends_with_2_and_fetches_nothing(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({FILE: RENAMED})
    made = clone(repo, tmp_path / "partial", "--branch", "change", "--filter=blob:none")
    monkeypatch.chdir(made.top)
    done = typed("check", "schemas", "--git=origin/main", "--format=json")
    assert (done.code, done.json["reports"], faults(done)[0][0]) == (2, [], "cli.git-partial")
    made.git("diff", "--stat", "origin/main", "HEAD")
    assert typed("check", "schemas", "--git=origin/main").code == 1


def test_a_repository_with_longer_ids_is_compared_as_well(repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", "--object-format=sha256", "--initial-branch=main", str(tmp_path / "long")], check=True)
    made = GitRepository(tmp_path / "long")
    made.commit({FILE: ORDERS, "schemas/users.yaml": about("shop.users")})
    made.branch("change")
    made.write({FILE: RENAMED})
    monkeypatch.chdir(made.top)
    done = check("schemas")
    assert (files(done), len(done.json["git"]["base"])) == ([FILE], 64)


# ---------------------------------------------------------------- patterns and names


def test_a_pattern_means_files_of_both_states(repo: GitRepository) -> None:
    repo.branch("main")
    repo.commit({"schemas/a/x.yaml": about("a.x"), "schemas/b/y.yml": about("b.y"), "schemas/top.yaml": about("c.top")})
    repo.branch("change")
    repo.commit({"schemas/a/x.yaml": None, "schemas/b/y.yml": None, "schemas/top.yaml": None})
    assert files(check("schemas/**/*.yaml")) == ["schemas/a/x.yaml", "schemas/top.yaml"]
    assert files(check("schemas/*.yaml")) == ["schemas/top.yaml"]
    assert files(check("schemas/[ab]/?.y*")) == ["schemas/a/x.yaml", "schemas/b/y.yml"]
    assert files(check("schemas/[!a]/**")) == ["schemas/b/y.yml"]
    assert faults(check("schemas/[z-a]*.yaml"))[0][0] == "cli.pattern"


@pytest.mark.parametrize(
    "name",
    [
        'a"b.yaml',
        "a'b $(touch x).yaml",
        "two\nlines.yaml",
        "tab\there.yaml",
        "--output=x.yaml",
        ":(top)x.yaml",
        ":!x.yaml",
        "*.yaml",
        "[a].yaml",
        "übung.yaml",
        os.fsdecode(b"caf\xe9.yaml"),
        "-.yaml",
        "x" * 240 + ".yaml",
    ],
)
def test_a_file_may_be_called_anything(repo: GitRepository, name: str) -> None:
    repo.branch("main")
    repo.commit({f"schemas/{name}": about("shop.odd")})
    repo.branch("change")
    repo.write({f"schemas/{name}": about("shop.odd", RENAMED)})
    for words in (["schemas"], [f"schemas/{name}"]):
        done = check(*words)
        assert (done.code, rules(done)) == (1, [("FIELD_RENAMED", "break")])
        assert typed("check", *words, "--git=main").code == 1
    repo.commit({f"schemas/{name}": None})
    assert rules(check(f"schemas/{name}")) == [("TABLE_FILE_DELETED", "warn")]


def test_a_path_may_be_very_long(repo: GitRepository) -> None:
    name = "/".join(["schemas", *["d" * 200] * 18, "x.yaml"])
    repo.git("config", "core.longpaths", "true")
    repo.commit({name: about("shop.deep")})
    assert files(check("schemas")) == [name]


def test_files_that_differ_in_case_are_two(repo: GitRepository) -> None:
    repo.commit({"schemas/A.yaml": about("shop.a"), "schemas/a.YAML": about("shop.b")})
    assert files(check("schemas")) == ["schemas/A.yaml", "schemas/a.YAML"]


def test_hidden_folders_are_left_out(repo: GitRepository) -> None:
    repo.commit({"schemas/.drafts/x.yaml": about("shop.x"), FILE: WIDER})
    assert files(check("schemas")) == [FILE]


def test_a_file_in_conflict_is_refused(repo: GitRepository) -> None:
    repo.commit({FILE: WIDER})
    repo.branch("other", "main")
    repo.commit({FILE: WIDER.replace("coupon", "voucher")})
    subprocess.run(["git", "merge", "change"], cwd=repo.top, check=False, capture_output=True)
    done = check("schemas")
    assert done.code == 2
    assert done.json["errors"][0]["path"].startswith(FILE)


def test_more_names_than_git_takes_at_once_and_no_more_runs_of_git_for_them(repo: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    run = program.run

    def counted(folder: str, *words: str, **more: Any) -> program.GitOutput:
        runs.append(words[0])
        return run(folder, *words, **more)

    monkeypatch.setattr(program, "run", counted)
    names = {f"schemas/t{number}.yaml": about(f"shop.t{number}") for number in range(600)}
    repo.branch("main")
    repo.commit({**names})
    repo.branch("change")
    repo.commit({"schemas/t7.yaml": about("shop.t7", RENAMED)})
    assert files(check("schemas/t7.yaml", "schemas/t8.yaml")) == ["schemas/t7.yaml"]
    for_two = runs.copy()
    assert files(check(*names)) == ["schemas/t7.yaml"]
    assert runs[len(for_two) :] == for_two
