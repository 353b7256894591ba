"""A pull request on GitHub, judged by the action with what the page hands to it."""

from pathlib import Path
from typing import Any

from tests.cli.comments.support.servers import BOT, Comments
from tests.cli.pull_requests.support.blocks import checkout, step_of_action
from tests.cli.pull_requests.support.github_runner import Run, Runner
from tests.cli.pull_requests.support.repositories import ORDERS, REPORT, USERS, Repository, git

LAKE: dict[str, str | None] = {"schemas/orders.yaml": ORDERS, "schemas/users.yaml": USERS, "schemas/daily_report.yaml": REPORT}
MERGED = "refs/pull/1/merge"


class PullRequest:
    """A repository with two tables and a job, and a branch that wants to be merged."""

    def __init__(self, folder: Path, action: Path, path: str, comments: Comments, files: dict[str, str | None] = LAKE) -> None:
        self.folder = folder
        self.action = action
        self.path = path
        self.comments = comments
        self.repository = Repository(folder / "origin")
        self.repository.commit({"README.md": "a lake\n", **files})
        self.repository.branch("change")
        self.runs = 0

    def commit(self, files: dict[str, str | None]) -> str:
        """Commit to the branch."""
        self.repository.go("change")
        return self.repository.commit(files)

    def run(self, *, depth: int | None = None, token: str = BOT, event: str = "pull_request", **given: str) -> Run:
        """Run the action on the pull request, with the inputs of the page and others."""
        self.repository.merge("change")
        return self.run_on(MERGED, depth=depth, token=token, event=event, **given)

    def run_on(self, ref: str, *, depth: int | None = None, token: str = BOT, event: str = "pull_request", **given: str) -> Run:
        """Run the action on a ref as it is."""
        base = {"base_ref": "main", "head_ref": "change", "ref": MERGED, "event_name": event}
        return self._run(ref, base, {"number": 1, "pull_request": {"node_id": "PR_1", "number": 1}}, depth=depth, token=token, given=given)

    def push(self, before: str, *, depth: int | None = None, **given: str) -> Run:
        """Run the action on a push to the default branch, which was at `before`."""
        after = git(self.repository.folder, "rev-parse", "main")
        github = {"base_ref": "", "head_ref": "", "ref": "refs/heads/main", "event_name": "push"}
        return self._run("refs/heads/main", github, {"before": before, "after": after}, depth=depth, token=BOT, given=given)

    def _run(self, ref: str, github: dict[str, str], event: dict[str, Any], *, depth: int | None, token: str, given: dict[str, str]) -> Run:
        self.runs += 1
        folder = self.folder / f"run{self.runs}"
        fetched = int(checkout()["fetch-depth"]) if depth is None else depth
        work = self.repository.checkout(folder / "checkout", ref, fetched)
        about = {
            **github,
            "sha": git(work, "rev-parse", "HEAD"),
            "repository": "acme/lake",
            "graphql_url": self.comments.url,
            "token": token,
            "action_repository": "acme/airflow-provider-schemas",
            "action_ref": "v0.1.0",
        }
        runner = Runner(self.action, folder / "runner", self.path, about, event)
        return runner.run(work, {**step_of_action()["with"], **given})
