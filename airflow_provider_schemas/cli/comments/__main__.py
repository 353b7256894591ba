"""`python -m airflow_provider_schemas.cli.comments FILE [NAME]`: put the Markdown of a check on the pull request of this run.

It ends with 0 where the comment stands or no pull request is there, else with 1. What it ends with is not the result of the check.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from airflow_provider_schemas.cli.comments.github import GitHub
from airflow_provider_schemas.cli.comments.gitlab import GitLab
from airflow_provider_schemas.cli.comments.host import Host, write
from airflow_provider_schemas.errors import SchemaError

MARKER = "<!-- airflow-schemas"
_LOST = f"{MARKER} -->\n### ✖ The check of the schemas ended without an answer\n\nNothing was judged. The log of the job says why.\n"


def main(words: Sequence[str], variables: Mapping[str, str]) -> int:
    """Write the comment, and say what became of it."""
    try:
        host = _host(variables)
        if host is None:
            _say("note: this run is about no pull request, so there is nothing to comment on.")
            return 0
        done = write(host, _comment(words))
    except SchemaError as error:
        _say(_warning(f"The comment was not written: {error}", variables))
        return 1
    except (LookupError, TypeError, AttributeError):  # the shape of an answer
        _say(_warning("The comment was not written: the answer of the host cannot be read.", variables))
        return 1
    _say(f"The comment on {host.name} is {done}.")
    return 0


def _host(variables: Mapping[str, str]) -> Host | None:
    if variables.get("GITHUB_ACTIONS"):
        return GitHub.of(variables)
    return GitLab.of(variables)


def _comment(words: Sequence[str]) -> str:
    """Return the text; a check that wrote none must not leave an older answer standing."""
    try:
        text = Path(words[0]).read_text("utf-8")
    except (OSError, UnicodeDecodeError, LookupError):
        text = ""
    if not text.startswith(MARKER):
        text = _LOST
    first, _, rest = text.partition("\n")
    return f"{_named(first, words[1] if len(words) > 1 else '')}\n{rest}"


def _named(marker: str, name: str) -> str:
    """Return the marker with the name of a project, so that two projects of a repository have a comment each."""
    letters = "".join(letter for letter in name if letter.isalnum() or letter in "_./")[:100]
    if not letters:
        return marker
    return f"{MARKER} {letters} -->"


def _warning(sentence: str, variables: Mapping[str, str]) -> str:
    """Write a sentence as an annotation where the log knows those."""
    line = " ".join(sentence.split())
    if not variables.get("GITHUB_ACTIONS"):
        return line
    return "::warning title=airflow-schemas::" + line.replace("%", "%25")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
