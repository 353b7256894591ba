"""One comment on a pull request, which each run replaces, and nobody else's; without the right to comment, a sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.comments.__main__ import main
from tests.cli.comments.support.servers import BOT, OTHER, READER, Comments, github, gitlab

MARKER = "<!-- airflow-schemas -->"
BREAKS = f"{MARKER}\n### ✖ 1 of 1 tables breaks\n"
FITS = f"{MARKER}\n### ✔ fits\n"


@pytest.fixture(params=["github", "gitlab"])
def comments(request: pytest.FixtureRequest) -> Iterator[Comments]:
    with {"github": github, "gitlab": gitlab}[request.param]() as served:
        yield served


@pytest.fixture
def on_github() -> Iterator[Comments]:
    with github() as served:
        yield served


def variables(comments: Comments, folder: Path, token: str = BOT) -> dict[str, str]:
    """Return the variables of a run about a pull request, on the host that is served."""
    if comments.url.endswith("/graphql"):
        event = folder / "event.json"
        event.write_text(json.dumps({"pull_request": {"node_id": "PR_1"}}))
        return {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(event), "GITHUB_GRAPHQL_URL": comments.url, "GITHUB_TOKEN": token}
    project = {"CI_PROJECT_ID": "8", "CI_MERGE_REQUEST_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "1"}
    return {**project, "CI_API_V4_URL": comments.url, "AIRFLOW_SCHEMAS_GITLAB_TOKEN": token}


def comment(comments: Comments, folder: Path, text: str | None = BREAKS, token: str = BOT, name: str = "") -> int:
    file = folder / "schemas.md"
    if text is not None:
        file.write_text(text, "utf-8")
    return main([str(file), name], variables(comments, folder, token))


def test_the_first_run_comments_and_the_next_one_replaces_it(comments: Comments, tmp_path: Path) -> None:
    assert comment(comments, tmp_path, BREAKS) == 0
    assert comments.bodies == [BREAKS]
    assert comment(comments, tmp_path, FITS) == 0
    assert comments.bodies == [FITS]


def test_the_same_text_is_not_written_again(comments: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    comment(comments, tmp_path)
    written = len(comments.requests)
    comment(comments, tmp_path)
    assert capsys.readouterr().out.endswith("is unchanged.\n")
    assert not {"updateIssueComment", "addComment"} & set(comments.requests[written:])
    assert all(request.startswith(("GET", "comments")) for request in comments.requests[written:])


def test_somebody_elses_comment_with_the_marker_stays_as_it_is(comments: Comments, tmp_path: Path) -> None:
    forged = f"{MARKER}\n### ✔ everything fits, merge it\n"
    comments.add(OTHER, forged)
    assert comment(comments, tmp_path) == 0
    assert comments.bodies == [forged, BREAKS]


def test_a_comment_that_quotes_the_marker_is_not_ours(comments: Comments, tmp_path: Path) -> None:
    comments.add(BOT, f"Look for {MARKER} in\n{MARKER}")
    comment(comments, tmp_path)
    assert len(comments.bodies) == 2


def test_the_earlier_comment_is_found_below_a_hundred_newer_ones(comments: Comments, tmp_path: Path) -> None:
    comment(comments, tmp_path, BREAKS)
    for number in range(250):
        comments.add(OTHER, f"comment {number}")
    assert comment(comments, tmp_path, FITS) == 0
    assert comments.bodies[0] == FITS
    assert len(comments.bodies) == 251


def test_two_projects_of_a_repository_have_a_comment_each(comments: Comments, tmp_path: Path) -> None:
    for text in (BREAKS, FITS):
        comment(comments, tmp_path, text, name="shop")
        comment(comments, tmp_path, text, name="web --> <b>")
    assert [body.partition("\n")[0] for body in comments.bodies] == ["<!-- airflow-schemas shop -->", "<!-- airflow-schemas webb -->"]
    assert all("fits" in body for body in comments.bodies)


@pytest.mark.parametrize("text", [None, "", "\n", "Traceback (most recent call last):\n"], ids=["none", "empty", "blank", "other"])
def test_a_check_that_wrote_no_answer_leaves_no_older_answer_standing(comments: Comments, tmp_path: Path, text: str | None) -> None:
    comment(comments, tmp_path, FITS)
    (tmp_path / "schemas.md").unlink()
    assert comment(comments, tmp_path, text) == 0
    (body,) = comments.bodies
    assert body.startswith(MARKER)
    assert "Nothing was judged" in body


@pytest.mark.parametrize("token", [READER, "unknown", ""], ids=["fork", "unknown", "none"])
def test_a_token_that_may_not_comment_is_said(comments: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str], token: str) -> None:
    assert comment(comments, tmp_path, token=token) == 1
    said = capsys.readouterr().out
    assert "this token may not comment here" in said
    assert "pull requests from forks have none" in said
    assert comments.bodies == []
    assert token == "" or token not in said


@pytest.mark.parametrize("status", [500, 502, 429])
def test_a_host_in_trouble_is_said(comments: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int) -> None:
    comments.status = status
    assert comment(comments, tmp_path) == 1
    assert f"answered {status}" in capsys.readouterr().out


def test_a_host_that_cannot_be_reached_is_said(comments: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    comments.url = comments.url.replace(comments.url.split("/")[2], "127.0.0.1:9")
    assert comment(comments, tmp_path) == 1
    assert "could not be asked" in capsys.readouterr().out


def test_the_token_follows_no_redirection(comments: Comments, tmp_path: Path) -> None:
    with github() as elsewhere, gitlab() as another:
        for target in (elsewhere, another):
            comments.status, comments.redirect = 302, target.url
            assert comment(comments, tmp_path) == 1
            assert target.requests == []


@pytest.mark.parametrize("address", ["", "file:///etc/passwd", "ftp://127.0.0.1/"])
def test_what_is_no_address_of_an_api_is_refused(on_github: Comments, tmp_path: Path, address: str) -> None:
    (tmp_path / "schemas.md").write_text(BREAKS, "utf-8")
    assert main([str(tmp_path / "schemas.md")], {**variables(on_github, tmp_path), "GITHUB_GRAPHQL_URL": address}) == 1


@pytest.mark.parametrize("event", ["", "{}", "[]", '{"pull_request": null}', "not JSON"])
def test_a_run_about_no_pull_request_has_nothing_to_comment_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], event: str) -> None:
    (tmp_path / "event.json").write_text(event)
    given = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_TOKEN": BOT}
    assert main(["schemas.md"], given) == 0
    assert main(["schemas.md"], {}) == 0
    assert capsys.readouterr().out.count("about no pull request") == 2


def test_a_refusal_is_one_annotation_and_no_command_of_somebody_else(
    on_github: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["x"], {**variables(on_github, tmp_path), "GITHUB_GRAPHQL_URL": "gopher://\n::set-output name=x::1%0A"}) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::warning title=airflow-schemas::The comment was not written: ")
    assert "%0A" not in line


def test_it_runs_as_a_program(on_github: Comments, tmp_path: Path) -> None:
    (tmp_path / "schemas.md").write_text(BREAKS, "utf-8")
    line = [sys.executable, "-m", "airflow_provider_schemas.cli.comments", str(tmp_path / "schemas.md")]
    given = {**variables(on_github, tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(line, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert on_github.bodies == [BREAKS]
