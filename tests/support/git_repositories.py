"""Real repositories of git for tests: made in a folder of their own, without settings and variables of this machine."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from airflow_provider_schemas.cli.git import ci_variables

_IDENTITY = {
    "GIT_AUTHOR_NAME": "ana",
    "GIT_AUTHOR_EMAIL": "ana@localhost",
    "GIT_COMMITTER_NAME": "ana",
    "GIT_COMMITTER_EMAIL": "ana@localhost",
}
_OF_SYSTEMS = (
    "GITHUB_ACTIONS",
    "GITHUB_EVENT_NAME",
    "GITLAB_CI",
    "TF_BUILD",
    "TRAVIS",
    "DRONE",
    "BITBUCKET_BUILD_NUMBER",
    "PRE_COMMIT_TO_REF",
)

ORDERS = "table: shop.orders\ncolumns:\n  - {name: order_id, type: BIGINT NOT NULL}\n  - {name: cust_id, type: BIGINT}\n"
RENAMED = ORDERS.replace("{name: cust_id, type: BIGINT}", "{name: customer_id, type: BIGINT, was: cust_id}")
WIDER = ORDERS + "  - {name: coupon, type: STRING}\n"
DAILY = "job: daily\nowner: team-bi\nreads:\n  shop.orders: order_id BIGINT, cust_id BIGINT\n"


def about(table: str, text: str = ORDERS) -> str:
    """A table file about another table."""
    return text.replace("shop.orders", table)


class GitRepository(NamedTuple):
    """A work tree."""

    top: Path

    def git(self, *words: str) -> str:
        """Run git, which has to succeed."""
        done = subprocess.run(["git", *words], cwd=self.top, capture_output=True, text=True, check=False, errors="surrogateescape")
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files, or delete those whose text is None."""
        for name, text in files.items():
            path = self.top / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "a change") -> str:
        """Write files, commit all that is there, and return the id of the commit."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Make a branch and check it out."""
        self.git("checkout", "--quiet", "-B", name, start)


def repository(top: Path) -> GitRepository:
    """Make an empty repository whose branch is main."""
    top.mkdir(parents=True, exist_ok=True)
    made = GitRepository(top)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def clone(source: GitRepository, target: Path, *options: str) -> GitRepository:
    """Clone a repository over its transport, which can be shallow and partial."""
    source.git("config", "uploadpack.allowFilter", "true")
    subprocess.run(["git", "clone", "--quiet", *options, f"file://{source.top}", str(target)], check=True, capture_output=True)
    return GitRepository(target)


def alone_with_git(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Leave git and the command without any setting of this machine."""
    for name in (*ci_variables.VARIABLES, *ci_variables.COMMIT_VARIABLES, *_OF_SYSTEMS, "AIRFLOW_SCHEMAS_STORE", "AIRFLOW_SCHEMAS_CONN"):
        patch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        patch.delenv(name)
    for name, value in {**_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(home)}.items():
        patch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    """The current folder: a repository whose branch main has the file of shop.orders, with a branch `change` checked out."""
    alone_with_git(monkeypatch, tmp_path)
    made = repository(tmp_path / "work")
    made.commit({"schemas/shop/orders.yaml": ORDERS}, "the first")
    made.branch("change")
    monkeypatch.chdir(made.top)
    return made
