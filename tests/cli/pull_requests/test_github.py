"""The action of the page on scripted pull requests: whom it names, and that nothing is green because something was missing."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.comments.support.servers import READER, Comments, github
from tests.cli.pull_requests.support.blocks import block
from tests.cli.pull_requests.support.pull_request import LAKE, PullRequest
from tests.cli.pull_requests.support.repositories import BROKEN, ORDERS, USERS, WIDER, git

DOCS = "https://github.example/acme/airflow-provider-schemas/blob/v0.1.0/docs/rules/"


@pytest.fixture
def comments() -> Iterator[Comments]:
    with github() as served:
        yield served


@pytest.fixture
def request_(tmp_path: Path, published: Path, machine: str, comments: Comments) -> PullRequest:
    return PullRequest(tmp_path, published, machine, comments)


def rules(sarif: str) -> set[str]:
    """Return the rules of the results of a SARIF file."""
    (run,) = json.loads(sarif)["runs"]
    return {result["ruleId"] for result in run["results"]}


def test_a_break_fails_and_every_output_names_the_reader(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    run = request_.run()
    assert (run.failed, run.code) == (True, "1")
    (comment,) = comments.bodies
    for told in (comment, run.summary, run.output("sarif"), run.output("junit"), run.log):
        assert "daily_report" in told
    assert "team-bi" in comment
    assert "FIELD_RENAMED" in rules(run.output("sarif"))
    assert DOCS + "FIELD_RENAMED.md" in comment
    assert "::error file=schemas/orders.yaml,line=" in run.log
    ET.fromstring(run.output("junit"))


def test_a_new_column_fits_and_the_comment_says_what_was_compared(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": WIDER})
    run = request_.run()
    assert (run.failed, run.code) == (False, "0")
    (comment,) = comments.bodies
    assert "shop.orders" in comment
    assert "origin/main" in comment
    assert "::error" not in run.log


def test_the_next_push_replaces_the_comment(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    request_.run()
    (broken,) = comments.bodies
    request_.commit({"schemas/orders.yaml": WIDER})
    assert request_.run().code == "0"
    (mended,) = comments.bodies
    assert "breaks daily_report" in broken
    assert "breaks daily_report" not in mended


def test_a_file_that_moved_is_the_same_table(request_: PullRequest) -> None:
    request_.commit({"schemas/orders.yaml": None, "schemas/shop/orders.yaml": ORDERS})
    run = request_.run()
    assert (run.failed, run.code) == (False, "0"), run.log
    assert rules(run.output("sarif")) == set()


def test_a_file_that_moved_and_breaks_is_compared_with_what_it_was(request_: PullRequest) -> None:
    request_.commit({"schemas/orders.yaml": None, "schemas/shop/orders.yaml": BROKEN})
    run = request_.run()
    assert run.code == "1"
    assert "FIELD_RENAMED" in rules(run.output("sarif"))


def test_a_deleted_table_file_breaks_its_readers(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": None})
    run = request_.run()
    assert run.code == "1"
    assert "TABLE_FILE_DELETED" in rules(run.output("sarif"))
    assert "daily_report" in comments.bodies[0]


def test_a_deleted_table_file_without_readers_warns(request_: PullRequest) -> None:
    request_.commit({"schemas/users.yaml": None})
    run = request_.run()
    assert run.code == "0", run.log
    assert "TABLE_FILE_DELETED" in rules(run.output("sarif"))
    assert request_.run(strict="true").code == "1"


def test_a_stale_branch_is_not_blamed_for_what_others_added(request_: PullRequest) -> None:
    request_.commit({"schemas/users.yaml": USERS + "  - {name: mail, type: STRING}\n"})
    request_.repository.go("main")
    request_.repository.commit({"schemas/orders.yaml": WIDER})
    merged, branch = request_.run(), request_.run_on("refs/heads/change")
    for run in (merged, branch):
        assert run.code == "0", run.log
        assert "coupon" not in run.output("sarif")


def test_a_clone_of_one_commit_fails_with_2_and_says_how_to_deepen_it(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    run = request_.run(depth=1)
    assert (run.failed, run.code) == (True, "2")
    assert "fetch-depth: 0" in run.log
    assert "fetch-depth: 0" in comments.bodies[0]
    assert rules(run.output("sarif")) != set()


def test_a_fork_cannot_comment_and_its_result_is_the_same(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    run = request_.run(token=READER)
    assert (run.failed, run.code) == (True, "1")
    assert comments.bodies == []
    assert "::warning title=airflow-schemas::The comment was not written: this token may not comment here" in run.log
    assert "daily_report" in run.summary
    request_.commit({"schemas/orders.yaml": WIDER})
    assert request_.run(token=READER).failed is False


def test_a_fork_without_the_secret_of_the_store_is_judged_by_git_alone(request_: PullRequest) -> None:
    request_.commit({"schemas/orders.yaml": WIDER})
    assert request_.run(store="").code == "0"
    run = request_.run(store="", require="git,store")
    assert (run.failed, run.code) == (True, "2")


def test_a_store_that_cannot_be_reached_is_not_green(request_: PullRequest) -> None:
    request_.commit({"schemas/orders.yaml": WIDER})
    run = request_.run(store="s3://there-is-none/registry")
    assert (run.failed, run.code) == (True, "2")


def test_a_push_to_the_default_branch_judges_all_its_commits(request_: PullRequest, comments: Comments) -> None:
    main = request_.repository
    main.go("main")
    before = git(main.folder, "rev-parse", "main")
    main.commit({"schemas/orders.yaml": BROKEN})
    main.commit({"README.md": "something else\n"})
    assert request_.push(before).code == "1"
    assert comments.bodies == []


def test_a_push_without_its_beginning_is_compared_with_the_commit_before_and_says_so(request_: PullRequest) -> None:
    main = request_.repository
    main.go("main")
    main.commit({"schemas/orders.yaml": BROKEN})
    run = request_.push("0" * 40)
    assert run.code == "1"
    assert "HEAD^1" in run.summary


def test_two_projects_of_a_repository_are_judged_each_by_its_own_settings(
    tmp_path: Path, published: Path, machine: str, comments: Comments
) -> None:
    settings = 'folder = "schemas"\n'
    files = {f"{team}/{name}": text for team in ("web", "shop") for name, text in LAKE.items()} | {
        f"{team}/schemas.toml": settings for team in ("web", "shop")
    }
    request = PullRequest(tmp_path, published, machine, comments, files)
    request.commit({"shop/schemas/orders.yaml": BROKEN})
    run = request.run(paths="shop/schemas web/schemas")
    assert run.code == "1"
    assert "shop/schemas/orders.yaml" in run.output("sarif")
    assert "web/schemas/orders.yaml" not in run.output("sarif")
    assert request.run(paths="web/schemas").code == "0"


def test_a_pull_request_that_weakens_the_policy_of_a_table_is_judged_by_the_stricter_one(request_: PullRequest) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN + "policy:\n  protect: {data: off, jobs: off, writers: off}\n"})
    assert request_.run().code == "1"


def test_a_pull_request_that_weakens_the_settings_of_the_project_is_told(
    tmp_path: Path, published: Path, machine: str, comments: Comments
) -> None:
    files = {**LAKE, "schemas.toml": 'folder = "schemas"\n'}
    request = PullRequest(tmp_path, published, machine, comments, files)
    weak = "protect: {data: off, jobs: off, writers: off}\n"
    settings = 'folder = "schemas"\npolicy = "policy.yaml"\n'
    request.commit({"schemas.toml": settings, "policy.yaml": weak, "schemas/orders.yaml": BROKEN})
    request.run(paths="")
    assert "schemas.toml differs from the base" in comments.bodies[0]
    assert "policy is new: policy.yaml" in comments.bodies[0].replace("\\", "").replace("`", "").replace("'", "")
    request.commit({"schemas.toml": None})
    request.run()
    assert "folder is gone" in comments.bodies[0]


def test_a_break_that_the_file_accepts_as_the_page_shows_fits_and_is_told(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": block("schemas/orders.yaml")})
    run = request_.run()
    assert run.code == "0", run.log
    assert "daily_report follows today" in comments.bodies[0]
    assert "FIELD_RENAMED" in rules(run.output("sarif"))


def test_on_pull_request_target_nothing_is_judged_and_that_is_no_green(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    run = request_.run_on("refs/heads/main", event="pull_request_target")
    assert (run.failed, run.code) == (True, "2")
    assert "Run the check on pull_request." in run.log
    assert "Nothing was judged" in comments.bodies[0]


def test_hostile_names_become_neither_commands_of_the_shell_nor_of_the_log(request_: PullRequest, tmp_path: Path) -> None:
    name = "schemas/$(touch made)`touch made`;touch made %0A::error::\n::set-output name=x::y.yaml"
    column = '  - {name: "a\\n::error::b $(touch made)", type: STRING, comment: "x\\n::stop-commands::z"}\n'
    request_.commit({name: "table: shop.hostile\ncolumns:\n" + column, "schemas/orders.yaml": BROKEN})
    run = request_.run()
    assert run.code in ("1", "2")
    commands = [line for line in run.log.splitlines() if line.startswith("::")]
    assert commands
    assert all(
        line.startswith(("::error file=", "::error title=", "::warning file=", "::notice ", "::warning title=")) for line in commands
    )
    assert not list(tmp_path.rglob("made"))


def test_inputs_are_words_and_no_code(request_: PullRequest, tmp_path: Path) -> None:
    request_.commit({"schemas/orders.yaml": WIDER})
    run = request_.run(paths="schemas/ $(touch made) `touch made` ; touch made", base="$(touch made)", name="'; touch made; '")
    assert run.code == "2"
    assert not list(tmp_path.rglob("made"))


def test_a_comment_that_fails_changes_no_result(request_: PullRequest, comments: Comments) -> None:
    comments.status = 500
    request_.commit({"schemas/orders.yaml": WIDER})
    assert request_.run().failed is False
    request_.commit({"schemas/orders.yaml": BROKEN})
    assert request_.run().failed is True


def test_without_python_nothing_is_green(request_: PullRequest, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "mktemp", "git"):
        (programs / name).symlink_to(Path("/usr/bin") / name)
    request_.path = str(programs)
    request_.commit({"schemas/orders.yaml": WIDER})
    run = request_.run()
    assert (run.failed, run.code) == (True, "127")


def test_comment_false_writes_none(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"schemas/orders.yaml": BROKEN})
    assert request_.run(comment="false").code == "1"
    assert comments.requests == []


def test_a_strictness_that_is_neither_true_nor_false_is_not_taken_for_false(request_: PullRequest) -> None:
    request_.commit({"schemas/users.yaml": None})
    for value in ("True", "yes", "", "0"):
        run = request_.run(strict=value)
        assert (run.failed, run.code) == (True, "2"), value


def test_a_pull_request_without_table_files_says_that_nothing_was_judged(request_: PullRequest, comments: Comments) -> None:
    request_.commit({"README.md": "another text\n"})
    run = request_.run()
    assert run.code == "0"
    (comment,) = comments.bodies
    assert "nothing was judged" in comment
    assert "fits" not in comment
