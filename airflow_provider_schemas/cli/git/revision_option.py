"""The commit from which a change comes: the one on the line, or the one that a CI system runs. No other is certain.

The HEAD of a work tree is not asked for: its files may have been edited since.
"""

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.git import ci_variables
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.revision import MOST_REVISION, is_commit_of_git, is_revision


class RequiredCommit(RequiredText):
    """A commit, as a version can record it."""

    placeholders = frozenset({"SHA"})

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: str | Sequence[Any] | None, option: str | None = None) -> None:
        """Keep the commit, or refuse what is none."""
        super().__call__(parser, namespace, values, option)
        text = str(values).strip()
        if not is_revision(text):
            message = f"{shown(text)} is no commit: give all of it, at most {MOST_REVISION} plain letters, digits and signs"
            raise ArgumentError(self, message)
        setattr(namespace, self.dest, text)


def add(parser: ArgumentParser) -> None:
    """Add the option to the parser of a command that writes a version."""
    help_text = "the commit from which the change comes, for the history; in CI the one that runs"
    parser.add_argument("--commit", action=RequiredCommit, metavar="SHA", default="", help=help_text)


def read_revision(args: Namespace) -> str:
    """Return the commit of the line, or of the CI system; empty where neither names a certain one."""
    if args.commit:
        return str(args.commit)
    named = ci_variables.named_commit()
    if named is None or not is_commit_of_git(named.revision):
        return ""
    return named.revision


def notes(args: Namespace) -> tuple[str, ...]:
    """Return why a version records no commit although a CI system names one; nothing for a command without the option."""
    if getattr(args, "commit", None) != "":
        return ()
    named = ci_variables.named_commit()
    if named is None or is_commit_of_git(named.revision):
        return ()
    return (f"no commit is recorded: {named.variable} is {shown(named.revision)}, and no whole commit of git. Name it with --commit.",)
