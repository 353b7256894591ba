"""A version that the command line writes names the commit of the line, or the one that a CI system runs; no other is certain."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.git.ci_variables import COMMIT_VARIABLES, named_commit
from airflow_provider_schemas.core.schema.revision import MOST_REVISION
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import fine, typed

SHA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
OTHER = "f" * 40
ON_SYSTEMS: dict[str, dict[str, str]] = {
    "GitHub": {"GITHUB_ACTIONS": "true", "GITHUB_SHA": SHA},
    "GitLab": {"GITLAB_CI": "true", "CI_COMMIT_SHA": SHA},
    "Bitbucket": {"BITBUCKET_BUILD_NUMBER": "7", "BITBUCKET_COMMIT": SHA},
    "Azure Pipelines": {"TF_BUILD": "True", "BUILD_SOURCEVERSION": SHA},
    "Jenkins": {"JENKINS_URL": "http://localhost/", "GIT_COMMIT": SHA},
    "Buildkite": {"BUILDKITE": "true", "BUILDKITE_COMMIT": SHA},
    "CircleCI": {"CIRCLECI": "true", "CIRCLE_SHA1": SHA},
    "Woodpecker": {"CI": "woodpecker", "CI_COMMIT_SHA": SHA},
    "Drone": {"DRONE": "true", "DRONE_COMMIT_SHA": SHA},
    "Travis CI": {"TRAVIS": "true", "TRAVIS_COMMIT": SHA},
}


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """A warehouse without tables, in an environment without any CI system."""
    monkeypatch.chdir(tmp_path)
    for name in (*COMMIT_VARIABLES, *(name for system in ON_SYSTEMS.values() for name in system)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("AIRFLOW_SCHEMAS_ACTOR", "ana")
    return SchemaStore(tmp_path / "lake")


def revisions(store: SchemaStore, name: str = "shop.orders") -> list[str]:
    return [entry.revision for entry in store.table(name).history()]


def test_each_command_that_writes_a_version_takes_the_commit(warehouse: SchemaStore, tmp_path: Path) -> None:
    fine("create", "shop.orders", "id BIGINT", "--commit", "c0")
    fine("evolve", "shop.orders", "ADD COLUMN a INT", "--commit", "c1")
    fine("plan", "shop.orders", "ADD COLUMN b INT", "-o", "plan.json")
    fine("apply", "plan.json", "--commit", "c2")
    fine("restore", "shop.orders", "1", "--override", "a test", "--commit", "c3")
    assert revisions(warehouse) == ["c3", "c2", "c1", "c0"]
    fine("adopt", "shop.events", str(tmp_path / "events"), "id BIGINT", "--unchecked", "there is no data", "--commit", SHA)
    assert revisions(warehouse, "shop.events") == [SHA]


@pytest.mark.parametrize("system", ON_SYSTEMS)
def test_the_commit_of_a_ci_system_is_read_out_of_its_variable(system: str) -> None:
    variables = ON_SYSTEMS[system]
    named = named_commit(variables)
    assert named is not None
    assert (named.revision, variables[named.variable]) == (SHA, SHA)


@pytest.mark.parametrize("system", ON_SYSTEMS)
def test_a_variable_of_an_image_is_no_commit_where_the_system_does_not_run(system: str) -> None:
    only = {name: value for name, value in ON_SYSTEMS[system].items() if value == SHA}
    assert named_commit(only) is None
    assert named_commit({**only, **dict.fromkeys(ON_SYSTEMS[system].keys() - only.keys(), "false")}) is None


def run_by(patch: pytest.MonkeyPatch, variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        patch.setenv(name, value)


def test_in_ci_a_change_records_the_commit_that_runs_unless_the_line_names_another(
    warehouse: SchemaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_by(monkeypatch, ON_SYSTEMS["GitHub"])
    fine("create", "shop.orders", "id BIGINT")
    fine("evolve", "shop.orders", "ADD COLUMN a INT", "--commit", OTHER)
    assert revisions(warehouse) == [OTHER, SHA]


@pytest.mark.parametrize("value", ["HEAD", "main", SHA[:12], "C123", "\u202edcba", "a b", "x" * 5_000])
def test_what_a_ci_system_names_and_is_no_whole_commit_is_not_recorded_and_said(
    warehouse: SchemaStore, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    run_by(monkeypatch, {"BUILDKITE": "true", "BUILDKITE_COMMIT": value})
    printed = fine("create", "shop.orders", "id BIGINT")
    assert revisions(warehouse) == [""]
    assert "no commit is recorded: BUILDKITE_COMMIT is" in " ".join(printed.split())
    assert "no commit is recorded" not in fine("create", "shop.orders", "id BIGINT"), "nothing was written"


def test_the_commit_of_a_work_tree_is_not_guessed(warehouse: SchemaStore, tmp_path: Path) -> None:
    author = ["-c", "user.name=ana", "-c", "user.email=ana@localhost"]
    for words in (["init", "-q"], [*author, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    fine("create", "shop.orders", "id BIGINT")
    assert revisions(warehouse) == [""]


@pytest.mark.parametrize("value", ["", " ", "SHA", "a b", "-x", "<b>", "\u202ecba", "x" * (MOST_REVISION + 1)])
def test_a_line_with_what_is_no_commit_is_refused(tmp_path: Path, value: str) -> None:
    refused = typed("create", "shop.orders", "id BIGINT", f"--commit={value}")
    assert refused.code == 2
    assert "--commit" in refused.err
    assert not (tmp_path / "lake").exists()


def test_the_log_and_blame_tell_the_commit_short_to_people_and_whole_to_machines() -> None:
    fine("create", "shop.orders", "id BIGINT", "--commit", SHA)
    for command in ("log", "blame"):
        assert "commit 1a2b3c4d5e6f" in " ".join(fine(command, "shop.orders").split())
        assert SHA not in fine(command, "shop.orders")
        assert "commit 1a2b3c4d5e6f" in fine(command, "shop.orders", "--format", "markdown")
        page = fine(command, "shop.orders", "--format", "html")
        assert f'title="{SHA}"' in page
        assert ">1a2b3c4d5e6f<" in page
    log = json.loads(fine("log", "shop.orders", "--format", "json"))
    assert log["versions"][0]["provenance"]["revision"] == SHA
    blame = json.loads(fine("blame", "shop.orders", "--format", "json"))
    assert blame["columns"][0]["since"]["commit"] == SHA
