"""The blocks of the page that people copy, as the tests run them."""

import re
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).parents[4]
PAGE = TOP / "docs" / "how-to" / "gate-a-pull-request.md"
ACTION = "acme/airflow-provider-schemas@"


def blocks(language: str) -> list[str]:
    """Return the blocks of a language, in the order of the page."""
    text = PAGE.read_text("utf-8")
    return [block for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if kind == language]


def block(path: str) -> str:
    """Return the block whose first line names a file."""
    (found,) = (text for text in blocks("yaml") if text.startswith(f"# {path}\n"))
    return found


def workflow() -> dict[str, Any]:
    """Return the workflow of GitHub."""
    loaded: dict[str, Any] = yaml.load(block(".github/workflows/schemas.yml"), yaml.BaseLoader)  # every value stays a text
    return loaded


def step_of_action() -> dict[str, Any]:
    """Return the step of the workflow that uses our action."""
    (job,) = workflow()["jobs"].values()
    (step,) = (step for step in job["steps"] if step.get("uses", "").startswith(ACTION))
    return dict(step)


def checkout() -> dict[str, Any]:
    """Return what the workflow hands to the checkout."""
    (job,) = workflow()["jobs"].values()
    (step,) = (step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@"))
    return dict(step["with"])


def component() -> dict[str, Any]:
    """Return what the pipeline of GitLab includes."""
    (included,) = yaml.safe_load(block(".gitlab-ci.yml"))["include"]
    return dict(included)


def hooks() -> dict[str, Any]:
    """Return the settings of pre-commit."""
    loaded: dict[str, Any] = yaml.safe_load(block(".pre-commit-config.yaml"))
    return loaded


def line_of(program: str) -> str:
    """Return the line of the page that installs with a program."""
    (line,) = (line for block in blocks("text") for line in block.splitlines() if line.startswith(program))
    return line
