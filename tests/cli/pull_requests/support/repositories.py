"""Repositories of git with a branch, a pull request, and the checkouts that CI systems make of them."""

import os
import subprocess
from pathlib import Path

NAMES = {f"GIT_{who}_{what}": f"{who.lower()}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
# Nothing of this machine: no settings of git, no variables of the CI that runs the tests.
PLAIN = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
ORDERS = """\
table: shop.orders
owner: team-orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
"""
USERS = """\
table: shop.users
columns:
  - {name: user_id, type: BIGINT NOT NULL}
  - {name: name, type: STRING}
"""
REPORT = """\
job: daily_report
owner: team-bi
contact: "#bi-oncall"
reads:
  shop.orders: order_id BIGINT NOT NULL, cust_id BIGINT
"""
BROKEN = ORDERS.replace("name: cust_id,", "name: customer_id, was: cust_id,")
WIDER = ORDERS + "  - {name: coupon, type: STRING}\n"


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return what it prints."""
    done = subprocess.run(["git", *words], cwd=folder, env={**PLAIN, **NAMES}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


class Repository:
    """A repository with a default branch, on which a pull request is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=main")

    def commit(self, files: dict[str, str | None], message: str = "a commit") -> str:
        """Write files, or delete them, commit everything, and return the commit."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", message)
        return git(self.folder, "rev-parse", "HEAD")

    def branch(self, name: str, start: str = "main") -> None:
        """Make a branch and go there."""
        git(self.folder, "checkout", "--quiet", "-B", name, start)

    def go(self, name: str) -> None:
        """Go to a branch."""
        git(self.folder, "checkout", "--quiet", name)

    def merge(self, head: str, base: str = "main") -> None:
        """Make the commit that GitHub makes of a pull request, which is head merged into base."""
        git(self.folder, "checkout", "--quiet", "--detach", base)
        git(self.folder, "merge", "--quiet", "--no-ff", "--no-edit", head)
        git(self.folder, "update-ref", "refs/pull/1/merge", "HEAD")
        git(self.folder, "checkout", "--quiet", base)

    def checkout(self, folder: Path, ref: str, depth: int = 0) -> Path:
        """Check a ref out as actions/checkout does: all branches with depth 0, else that commit alone."""
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet")
        git(folder, "remote", "add", "origin", self.folder.as_uri())
        if depth:
            git(folder, "fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", f"+{ref}:refs/remotes/pull/1/merge")
        else:
            git(folder, "fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*", f"+{ref}:refs/remotes/pull/1/merge")
        git(folder, "checkout", "--quiet", "--force", "--detach", "refs/remotes/pull/1/merge")
        return folder
