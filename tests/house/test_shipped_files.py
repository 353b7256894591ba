"""The action, the component and the hook that others use: they install what the project declares, and take nothing from outside as code."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.pull_requests.support.blocks import checkout, component, hooks, line_of, step_of_action, workflow
from tests.cli.pull_requests.support.gitlab_runner import job_of
from tools.run_slim import requirements

TOP = Path(__file__).parents[2]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
ACTION: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_text("utf-8"))
COMPONENT = TOP / "templates/check.yml"
(HOOK,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))
_DECLARED = re.compile(r"[a-z0-9-]+>=[\d.]+")


def declared() -> set[str]:
    """Return what the project requires, without Airflow."""
    return {line for line in PROJECT["dependencies"] if not line.startswith("apache-airflow")}


def test_the_page_and_the_template_install_what_the_project_declares() -> None:
    _, job = job_of(COMPONENT, {})
    in_template = "\n".join(job["before_script"])
    assert set(_DECLARED.findall(line_of("pip install"))) == declared()
    assert set(_DECLARED.findall(in_template)) == declared()
    assert set(requirements([])) == declared()


def test_an_extra_adds_what_the_project_declares_for_it() -> None:
    assert set(requirements(["s3", "gcs"])) == declared() | set(
        PROJECT["optional-dependencies"]["s3"] + PROJECT["optional-dependencies"]["gcs"]
    )


def test_the_line_of_uv_leaves_out_all_of_airflow() -> None:
    (names,) = re.findall(r"<\(printf '[^']*' ([\w -]+)\)", line_of("uvx"))
    assert set(names.split()) == {re.split("[<>=]", line)[0] for line in PROJECT["dependencies"] if line.startswith("apache-airflow")}


@pytest.mark.parametrize("step", ACTION["runs"]["steps"], ids=["check", "comment", "result"])
def test_nothing_is_put_into_a_script_of_the_action(step: dict[str, Any]) -> None:
    assert "${{" not in step["run"]


def test_only_the_comment_gets_the_token() -> None:
    with_token = [step for step in ACTION["runs"]["steps"] if "inputs.token" in str(step)]
    assert with_token == [ACTION["runs"]["steps"][1]]


def test_the_last_step_alone_decides_and_always_runs() -> None:
    last = ACTION["runs"]["steps"][-1]
    assert (last["if"], last["run"]) == ("always()", 'exit "${SCHEMAS_CODE:-2}"')


def test_inputs_of_the_component_are_variables_or_names_and_no_part_of_a_script() -> None:
    header, body = COMPONENT.read_text("utf-8").split("\n---\n")
    (job,) = yaml.safe_load(body).values()
    for part in ("before_script", "script", "after_script"):
        assert "$[[" not in str(job[part])
    used = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", body))
    assert used == set(yaml.safe_load(header)["spec"]["inputs"])


def test_what_the_page_hands_over_is_known() -> None:
    assert set(step_of_action()["with"]) <= set(ACTION["inputs"])
    assert set(component()["inputs"]) <= set(yaml.safe_load(COMPONENT.read_text("utf-8").split("\n---\n")[0])["spec"]["inputs"])
    assert [hook["id"] for repository in hooks()["repos"] for hook in repository["hooks"]] == [HOOK["id"]]


def test_the_workflow_of_the_page_has_all_commits_and_no_right_too_many() -> None:
    assert checkout() == {"fetch-depth": "0", "persist-credentials": "false"}
    assert workflow()["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert set(workflow()["on"]) == {"pull_request", "push"}


def test_every_input_of_the_action_stands_on_the_page() -> None:
    page = (TOP / "docs/how-to/gate-a-pull-request.md").read_text("utf-8")
    assert [name for name in ACTION["inputs"] if f"`{name}`" not in page] == []


def test_the_hook_and_the_action_start_programs_that_can_be_started() -> None:
    for program in (HOOK["entry"], "tools/run_slim.py"):
        assert os.access(TOP / program, os.X_OK), program
