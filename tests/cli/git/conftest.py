"""The repository in which tests of a check against git run."""

from tests.support.git_repositories import repo  # noqa: F401  # pytest finds fixtures here by their names
