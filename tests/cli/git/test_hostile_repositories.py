"""A repository of somebody else: its configuration, attributes and hooks name programs, and none of them runs."""

import os
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.git import program
from airflow_provider_schemas.errors import SchemaError
from tests.support.command_line import typed
from tests.support.git_repositories import RENAMED, WIDER, GitRepository, clone

FILE = "schemas/shop/orders.yaml"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark where it ran."""
    path = tmp_path / "trap.sh"
    path.write_text(f"#!/bin/sh\ntouch {tmp_path / 'it-ran'}\ncat\n")
    path.chmod(0o755)
    return path


def ran(trap: Path) -> bool:
    return (trap.parent / "it-ran").exists()


@pytest.mark.parametrize(
    "key",
    ["core.fsmonitor", "core.pager", "pager.ls-tree", "core.sshCommand", "core.editor", "diff.external", "core.gitProxy", "alias.ls-tree"],
)
def test_no_program_of_the_configuration_runs(repo: GitRepository, trap: Path, key: str) -> None:
    repo.git("config", key, str(trap))
    repo.write({FILE: RENAMED})
    assert typed("check", "schemas", "--git=main").code == 1
    assert not ran(trap)


def test_no_filter_and_no_converter_of_the_attributes_runs(repo: GitRepository, trap: Path) -> None:
    for key in ("filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command"):
        repo.git("config", key, str(trap))
    repo.write({".gitattributes": "*.yaml filter=x diff=x\n", FILE: RENAMED})
    assert typed("check", "schemas", "--git=main").code == 1
    assert not ran(trap)


def test_no_hook_runs(repo: GitRepository, trap: Path) -> None:
    hooks = repo.top / ".git" / "hooks"
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"):
        (hooks / name).symlink_to(trap)
    repo.write({FILE: RENAMED})
    assert typed("check", "schemas", "--git=main").code == 1
    assert not ran(trap)


def test_no_program_that_fetches_runs(repo: GitRepository, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({FILE: RENAMED})
    made = clone(repo, tmp_path / "partial", "--branch", "change", "--filter=blob:none")
    made.git("config", "remote.origin.uploadpack", str(trap))
    made.git("config", "remote.origin.url", f"ext::{trap}")
    made.git("config", "protocol.ext.allow", "always")
    monkeypatch.chdir(made.top)
    assert typed("check", "schemas", "--git=origin/main").code == 2
    assert not ran(trap)


def test_nothing_is_written_into_the_repository(repo: GitRepository) -> None:
    repo.write({FILE: RENAMED})
    before = snapshot(repo.top)
    typed("check", "schemas", "--git=main")
    assert snapshot(repo.top) == before


def snapshot(folder: Path) -> dict[str, tuple[int, float]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_is_refused_with_the_line_that_trusts_it(repo: GitRepository) -> None:
    repo.write({FILE: WIDER})
    for path in (repo.top, repo.top / ".git"):
        os.chown(path, 12345, 12345)
    done = typed("check", "schemas", "--git=main")
    assert done.code == 2
    assert "git config --global --add safe.directory" in done.err


def test_a_git_that_does_not_answer_is_an_error_with_a_sentence(
    repo: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    with pytest.raises(SchemaError, match="did not end within") as raised:
        program.run(str(repo.top), "status", timeout=0.2)
    assert raised.value.code == "cli.git-timeout"


def test_a_git_that_fails_is_an_error_with_what_it_said(repo: GitRepository) -> None:
    (repo.top / ".git" / "index").write_bytes(b"no index")
    done = typed("check", "schemas", "--git=main", "--format=json")
    assert (done.code, done.json["errors"][0]["code"]) == (2, "cli.git-failed")
    assert "index" in done.json["errors"][0]["message"]


def test_no_reference_puts_another_text_in_the_place_of_one(repo: GitRepository) -> None:
    repo.commit({FILE: RENAMED})
    repo.git("replace", repo.git("rev-parse", f"main:{FILE}"), repo.git("rev-parse", f"HEAD:{FILE}"))
    assert typed("check", "schemas", "--git=main").code == 1
    assert typed("check", "schemas", "--git=main..HEAD").code == 1


@pytest.mark.parametrize(
    ("variable", "value"),
    [("GIT_OBJECT_DIRECTORY", "/nowhere"), ("GIT_COMMON_DIR", "/nowhere"), ("GIT_GLOB_PATHSPECS", "1"), ("GIT_ICASE_PATHSPECS", "1")],
)
def test_no_variable_of_git_changes_which_repository_is_meant(
    repo: GitRepository, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    repo.commit({FILE: RENAMED})
    monkeypatch.setenv(variable, value)
    assert typed("check", "schemas", "--git=main").code == 1
