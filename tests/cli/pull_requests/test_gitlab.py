"""The component of the page on scripted merge requests: its reports are always there, and its result is that of the check."""

import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.comments.support.servers import BOT, READER, Comments, gitlab
from tests.cli.pull_requests.support.blocks import TOP, component
from tests.cli.pull_requests.support.gitlab_runner import Job, job_of, run
from tests.cli.pull_requests.support.pull_request import LAKE
from tests.cli.pull_requests.support.repositories import BROKEN, PLAIN, WIDER, Repository, git

REPORTS = ("schemas.md", "schemas-code-quality.json", "schemas-junit.xml")


@pytest.fixture
def comments() -> Iterator[Comments]:
    with gitlab() as served:
        yield served


class MergeRequest:
    """A repository with two tables and a job, and a branch that wants to be merged."""

    def __init__(self, folder: Path, variables: dict[str, str], comments: Comments, wheel: Path) -> None:
        self.folder = folder
        self.variables = variables
        self.comments = comments
        self.wheel = wheel
        self.repository = Repository(folder / "origin")
        self.repository.commit(LAKE)
        self.repository.branch("change")
        self.checkout = folder / "none"

    def run(self, *, depth: int = 0, merge_request: bool = True, token: str = BOT, **given: Any) -> Job:
        """Run the job of the page on the branch."""
        folder = self.folder / f"run{len(list(self.folder.glob('run*')))}"
        branch = "change" if merge_request else "main"
        self.checkout = self.repository.checkout(folder / "checkout", f"refs/heads/{branch}", depth)
        base = git(self.repository.folder, "merge-base", "main", "change")
        ours = {
            "CI": "true",
            "GITLAB_CI": "true",
            "CI_API_V4_URL": self.comments.url,
            "CI_PROJECT_ID": "7",
            "CI_COMMIT_SHA": git(self.checkout, "rev-parse", "HEAD"),
            "CI_DEFAULT_BRANCH": "main",
            "CI_COMMIT_BRANCH": "" if merge_request else "main",
            "AIRFLOW_SCHEMAS_GITLAB_TOKEN": token,
        }
        if merge_request:
            ours |= {"CI_MERGE_REQUEST_IID": "1", "CI_MERGE_REQUEST_PROJECT_ID": "7"}
            ours |= {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
        _, job = job_of(TOP / "templates/check.yml", {**component()["inputs"], "package": str(self.wheel), **given})
        return run(job, self.checkout, {**self.variables, **ours})

    def report(self, name: str) -> str:
        return (self.checkout / name).read_text("utf-8")


@pytest.fixture(scope="module")
def variables(machine: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HOME", "SSL_", "HTTP", "http"))}
    return {**PLAIN, **pip, "PATH": machine, "CI_BUILDS_DIR": str(tmp_path_factory.mktemp("builds"))}


@pytest.fixture
def request_(tmp_path: Path, variables: dict[str, str], comments: Comments, wheel: Path) -> MergeRequest:
    return MergeRequest(tmp_path, variables, comments, wheel)


def test_a_break_fails_then_fits_and_the_comment_follows(request_: MergeRequest, comments: Comments) -> None:
    request_.repository.commit({"schemas/orders.yaml": BROKEN})
    job = request_.run()
    assert job.code == 1, job.log
    (comment,) = comments.bodies
    for told in (comment, request_.report("schemas-junit.xml"), request_.report("schemas-code-quality.json"), job.log):
        assert "daily_report" in told
    found = json.loads(request_.report("schemas-code-quality.json"))
    assert {entry["location"]["path"] for entry in found} == {"schemas/orders.yaml"}
    ET.fromstring(request_.report("schemas-junit.xml"))
    assert comment == request_.report("schemas.md")
    installed = {
        folder.name.partition("-")[0]
        for folder in Path(request_.variables["CI_BUILDS_DIR"]).glob("airflow-schemas/lib/python*/site-packages/*.dist-info")
    }
    assert len(installed - {"pip", "setuptools"}) == 9

    request_.repository.commit({"schemas/orders.yaml": WIDER})
    assert request_.run().code == 0
    (mended,) = comments.bodies
    assert "breaks daily_report" not in mended


def test_without_a_token_the_result_is_the_same_and_the_artifact_has_the_comment(request_: MergeRequest, comments: Comments) -> None:
    request_.repository.commit({"schemas/orders.yaml": BROKEN})
    for token in ("", READER):
        job = request_.run(token=token)
        assert job.code == 1
        assert "this token may not comment here" in job.after
        assert "daily_report" in request_.report("schemas.md")
    assert comments.bodies == []


def test_a_clone_of_one_commit_fails_with_2_and_every_report_has_it(request_: MergeRequest) -> None:
    request_.repository.commit({"schemas/orders.yaml": WIDER})
    job = request_.run(depth=1)
    assert job.code == 2
    assert "GIT_DEPTH" in job.log
    for name in REPORTS:
        assert request_.report(name)
    assert json.loads(request_.report("schemas-code-quality.json")) != []


def test_the_default_branch_is_compared_with_the_commit_before(request_: MergeRequest, comments: Comments) -> None:
    request_.repository.go("main")
    request_.repository.commit({"schemas/orders.yaml": BROKEN})
    assert request_.run(merge_request=False).code == 1
    assert comments.bodies == []


def test_the_job_clones_all_commits_and_keeps_its_reports_when_it_fails() -> None:
    _, job = job_of(TOP / "templates/check.yml", component()["inputs"])
    assert job["variables"]["GIT_DEPTH"] == "0"
    assert job["artifacts"]["when"] == "always"
    assert set(job["artifacts"]["paths"]) == set(REPORTS)
    assert set(job["artifacts"]["reports"].values()) <= set(REPORTS)


def test_inputs_are_words_and_no_code(request_: MergeRequest) -> None:
    request_.repository.commit({"schemas/orders.yaml": WIDER})
    job = request_.run(paths="schemas/ $(touch made) ; touch made", base="$(touch made)", name="'; touch made; '")
    assert job.code == 2
    assert not list(request_.folder.rglob("made"))
