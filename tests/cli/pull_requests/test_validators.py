"""What the schemas of GitHub, GitLab and pre-commit say of the files that we ship and of the blocks that people copy."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.pull_requests.support.blocks import TOP, block, component
from tests.cli.pull_requests.support.gitlab_runner import job_of
from tests.render.ci.test_validators import validate

STORE = "https://json.schemastore.org/"
GITLAB = "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json"


def job() -> dict[str, Any]:
    name, described = job_of(TOP / "templates/check.yml", component()["inputs"])
    return {name: described}


def read(text: str) -> Any:
    """Read YAML as GitHub does, for which `on` is a word."""
    loaded = yaml.safe_load(text)
    if True in loaded:
        loaded["on"] = loaded.pop(True)
    return loaded


FILES = {
    "action": (f"{STORE}github-action.json", yaml.safe_load((TOP / "action.yml").read_text("utf-8"))),
    "workflow": (f"{STORE}github-workflow.json", read(block(".github/workflows/schemas.yml"))),
    "hook": (f"{STORE}pre-commit-config.json", read(block(".pre-commit-config.yaml"))),
    # The kept schema of GitLab is older than components, so that of the pipeline its job alone is looked at.
    "job": (GITLAB, job()),
}


@pytest.mark.parametrize("name", FILES)
def test_the_schema_of_the_host_finds_nothing_wrong(name: str, tmp_path: Path) -> None:
    address, content = FILES[name]
    assert validate(address, json.dumps(content), tmp_path) == []


@pytest.mark.parametrize(
    ("name", "wrong"), [("action", {"runs": {"using": "composite"}}), ("workflow", {"jobs": 1}), ("job", {"job": {"script": 1}})]
)
def test_the_schema_would_find_something(name: str, wrong: dict[str, Any], tmp_path: Path) -> None:
    address, content = FILES[name]
    assert validate(address, json.dumps({**content, **wrong}), tmp_path) != []
