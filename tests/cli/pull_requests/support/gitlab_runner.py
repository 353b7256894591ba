"""Run the job of a component as GitLab's runner does, as far as our component needs it: inputs, variables, scripts in one shell."""

import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_INPUT = re.compile(r"\$\[\[ *inputs\.(\w+) *\]\]")
_VARIABLE = re.compile(r"\$(\w+)")


class Job(NamedTuple):
    """What a job left."""

    code: int
    log: str
    after: str


def job_of(template: Path, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name and the job of a component, with its inputs filled in."""
    header, body = template.read_text("utf-8").split("\n---\n")
    declared = yaml.safe_load(header)["spec"]["inputs"]
    unknown = set(given) - set(declared)
    assert not unknown, f"GitLab refuses inputs that a component does not have: {unknown}"
    values = {name: given.get(name, entry["default"]) for name, entry in declared.items()}
    filled = _INPUT.sub(lambda match: _text(values[match[1]]), body)
    ((name, job),) = yaml.safe_load(filled).items()
    return name, job


def run(job: dict[str, Any], checkout: Path, variables: dict[str, str]) -> Job:
    """Run a job: before_script and script in one shell, after_script in another one, which cannot change the outcome."""
    own = {name: _VARIABLE.sub(lambda match: variables.get(match[1], ""), str(value)) for name, value in job["variables"].items()}
    environment = {**variables, **own}
    code, log = _shell([*job["before_script"], *job["script"]], checkout, environment)
    _, after = _shell(job["after_script"], checkout, environment)
    return Job(code, log, after)


def _shell(lines: list[str], checkout: Path, variables: dict[str, str]) -> tuple[int, str]:
    line = ["bash", "-c", "set -eo pipefail\n" + "\n".join(lines)]
    done = subprocess.run(line, cwd=checkout, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
