"""The commit of the repository from which a change came: what may be recorded as one, and how a commit is shown."""

import re
from typing import Final

# Longer than any commit, and as long as the version of a bundle can be in Airflow.
MOST_REVISION: Final = 250
_REVISION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:/@+~^-]*", re.ASCII)
# An address may hold a password.
_ADDRESS: Final = "://"
# Git writes a commit as its whole SHA-1 or SHA-256.
_OF_GIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.ASCII)
_SHOWN_OF_GIT: Final = 12
_SHOWN: Final = 40


def is_revision(text: str) -> bool:
    """Return whether the text can be a commit: one word of plain letters, digits and signs, not too long, and no address."""
    return len(text) <= MOST_REVISION and _ADDRESS not in text and _REVISION.fullmatch(text) is not None


def is_commit_of_git(text: str) -> bool:
    """Return whether the text is a whole commit of git, which no branch or tag can be taken for."""
    return _OF_GIT.fullmatch(text) is not None


def short_revision(text: str) -> str:
    """Return the commit as people read it: twelve characters of a commit of git, forty of any other text."""
    if is_commit_of_git(text):
        return text[:_SHOWN_OF_GIT]
    if len(text) <= _SHOWN:
        return text
    return f"{text[: _SHOWN - 1]}…"
