"""Run a composite action as the runner of GitHub does, as far as our action needs it: inputs, contexts, bash, files for outputs.

It is written from GitHub's reference of actions, and is no copy of the runner: expressions are names with dots alone.
"""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

from tests.cli.pull_requests.support.repositories import PLAIN

_EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
# What `shell: bash` stands for.
_BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
_ALWAYS = {"always()", "${{ !cancelled() }}"}


class Run:
    """What a run of the action left: its log, the outcome, the summary, the outputs."""

    def __init__(self, log: str, failed: bool, summary: str, outputs: dict[str, str]) -> None:
        self.log = log
        self.failed = failed
        self.summary = summary
        self.outputs = outputs

    @property
    def code(self) -> str:
        """The exit code of the check."""
        return self.outputs["exit-code"]

    def output(self, name: str) -> str:
        """Return the text of a file that the action names."""
        return Path(self.outputs[name]).read_text("utf-8")


class Runner:
    """A machine with an action on it."""

    def __init__(self, action: Path, folder: Path, path: str, github: dict[str, str], event: dict[str, Any]) -> None:
        self.action = action
        self.folder = folder
        folder.mkdir(parents=True)
        (folder / "temp").mkdir()
        (folder / "event.json").write_text(json.dumps(event))
        self.github = {"server_url": "https://github.example", "token": "", "action_repository": "", "action_ref": "", **github}
        self.path = path

    def run(self, checkout: Path, given: dict[str, str]) -> Run:
        """Run the steps of the action in a checkout."""
        described = yaml.safe_load((self.action / "action.yml").read_text("utf-8"))
        unknown = set(given) - set(described["inputs"])
        assert not unknown, f"GitHub warns of inputs that an action does not have: {unknown}"
        names = {f"github.{name}": value for name, value in self.github.items()}
        for name, declared in described["inputs"].items():
            names[f"inputs.{name}"] = given.get(name, _evaluated(declared["default"], names))
        log, failed = "", False
        for number, step in enumerate(described["runs"]["steps"]):
            assert step.get("if") in _ALWAYS or number == 0, "a step that a failure skips is not known to this runner"
            done, outputs = self._step(step, names, checkout)
            log += done.stdout
            failed = failed or done.returncode != 0
            names |= {f"steps.{step.get('id', number)}.outputs.{name}": value for name, value in outputs.items()}
        summary = self.folder / "summary.md"
        outputs = {name: _evaluated(output["value"], names) for name, output in described["outputs"].items()}
        return Run(log, failed, summary.read_text("utf-8") if summary.exists() else "", outputs)

    def _step(self, step: dict[str, Any], names: dict[str, str], checkout: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
        assert set(step) <= {"id", "if", "shell", "env", "run"}, step
        assert step["shell"] == "bash"
        script = self.folder / "script.sh"
        script.write_text(_evaluated(step["run"], names))
        output = self.folder / "output"
        output.write_text("")
        variables = {name: _evaluated(value, names) for name, value in step["env"].items()}
        done = subprocess.run(
            [*_BASH, script],
            cwd=checkout,
            env={**PLAIN, **self._variables(checkout), "GITHUB_OUTPUT": str(output), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done, dict(line.split("=", 1) for line in output.read_text().splitlines())

    def _variables(self, checkout: Path) -> dict[str, str]:
        return {
            "PATH": self.path,
            "HOME": str(self.folder),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_WORKSPACE": str(checkout),
            "RUNNER_TEMP": str(self.folder / "temp"),
            **{f"GITHUB_{name.upper()}": value for name, value in self.github.items() if name != "token"},
        }


def _evaluated(text: str, names: dict[str, str]) -> str:
    """Replace expressions by what they name; what is not known is empty, as GitHub has it."""
    return _EXPRESSION.sub(lambda match: names.get(match[1], ""), str(text))
