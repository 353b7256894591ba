"""The base and the commit that a CI system names by its variables, and how to make each system clone more of the history.

A row is looked at before the rows below it. A variable that is empty, or all zeros as for a branch that is new, counts as not set.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Environment = Mapping[str, str]
# The source of a base that the line names.
ON_LINE = "--git"
_MAX_EVENT = 16 * 1024 * 1024


class NamedBase(NamedTuple):
    """A base that a CI system names."""

    revision: str
    source: str
    """The variable, for messages."""
    of_request: bool = False
    """Whether it is the target of a pull request, so that what is checked out has more commits than the base."""
    head: str = ""
    """What is compared with it, where the system names that as well; empty for the files that are there."""

    @property
    def reference(self) -> str:
        """The base as git is asked for it: of a branch of origin the branch, whatever tags are called so."""
        if self.revision.startswith("origin/") and self.source != ON_LINE:
            return f"refs/remotes/{self.revision}"
        return self.revision


class _Row(NamedTuple):
    system: str
    variable: str
    revision: Callable[[str], str]
    of_request: bool = True
    needs: str = ""
    """Another variable without which this one means something else."""
    only: Callable[[Environment], bool] | None = None
    """Whether the variable is meant, where more than another variable decides it."""


def _itself(value: str) -> str:
    return value


def _of_origin(branch: str) -> str:
    """Return a branch of the server as the clone has it."""
    return f"origin/{branch.removeprefix('refs/heads/')}"


def _is_on_default_branch(variables: Environment) -> bool:
    """Return whether a pipeline of GitLab runs for the default branch, as far as it says."""
    branch, default = (_value(variables, name) for name in (_GITLAB_BRANCH, _GITLAB_DEFAULT))
    return branch == default or not (branch and default)


_ROWS = (
    _Row("pre-commit", "PRE_COMMIT_FROM_REF", _itself, of_request=False),
    _Row("GitHub", "GITHUB_BASE_REF", _of_origin),
    # The target of a pipeline that was merged with it for the test: the base of the diff is older, and lacks others' commits.
    _Row("GitLab", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", _itself),
    _Row("GitLab", "CI_MERGE_REQUEST_DIFF_BASE_SHA", _itself),
    _Row("GitLab", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", _of_origin),
    _Row("GitLab", "CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME", _of_origin),
    # The commit before a push counts on the default branch: elsewhere the pushes before it have not been accepted by anybody.
    _Row("GitLab", "CI_COMMIT_BEFORE_SHA", _itself, of_request=False, only=_is_on_default_branch),
    _Row("Bitbucket", "BITBUCKET_PR_DESTINATION_COMMIT", _itself),
    _Row("Bitbucket", "BITBUCKET_PR_DESTINATION_BRANCH", _of_origin),
    _Row("Azure Pipelines", "SYSTEM_PULLREQUEST_TARGETBRANCH", _of_origin),
    _Row("Jenkins", "CHANGE_TARGET", _of_origin),
    _Row("Buildkite", "BUILDKITE_PULL_REQUEST_BASE_BRANCH", _of_origin),
    _Row("Woodpecker", "CI_COMMIT_TARGET_BRANCH", _of_origin),
    _Row("Drone", "DRONE_TARGET_BRANCH", _of_origin, needs="DRONE_PULL_REQUEST"),
    _Row("Travis CI", "TRAVIS_BRANCH", _of_origin, needs="TRAVIS_PULL_REQUEST"),
)
_GITLAB_BRANCH = "CI_COMMIT_BRANCH"
_GITLAB_DEFAULT = "CI_DEFAULT_BRANCH"
VARIABLES = (*(row.variable for row in _ROWS), "GITHUB_EVENT_PATH", _GITLAB_BRANCH, _GITLAB_DEFAULT)


class NamedCommit(NamedTuple):
    """The commit that a CI system runs."""

    revision: str
    variable: str


class _Commit(NamedTuple):
    variable: str
    run: str
    """The variable that the system sets in every run: many images bear the commit that they were made of in one that is called alike."""
    value: str = ""
    """What that variable is, where others set it as well."""


_COMMITS = (
    _Commit("GITHUB_SHA", "GITHUB_ACTIONS"),
    _Commit("CI_COMMIT_SHA", "GITLAB_CI"),
    _Commit("BITBUCKET_COMMIT", "BITBUCKET_BUILD_NUMBER"),
    _Commit("BUILD_SOURCEVERSION", "TF_BUILD"),
    _Commit("GIT_COMMIT", "JENKINS_URL"),
    _Commit("BUILDKITE_COMMIT", "BUILDKITE"),
    _Commit("CIRCLE_SHA1", "CIRCLECI"),
    _Commit("CI_COMMIT_SHA", "CI", "woodpecker"),
    _Commit("DRONE_COMMIT_SHA", "DRONE"),
    _Commit("TRAVIS_COMMIT", "TRAVIS"),
)
COMMIT_VARIABLES = tuple(dict.fromkeys(row.variable for row in _COMMITS))

# The variable that each system sets in every run, and what makes it clone the whole history.
_DEEPER = (
    ("GITHUB_ACTIONS", "set `fetch-depth: 0` on the step actions/checkout"),
    ("GITLAB_CI", 'set `GIT_DEPTH: "0"` among the variables of the job'),
    ("BITBUCKET_BUILD_NUMBER", "set `clone: {depth: full}` for the step"),
    ("TF_BUILD", "set `fetchDepth: 0` on the step `checkout: self`"),
    ("TRAVIS", "set `git: {depth: false}`"),
    ("DRONE", "set `clone: {depth: 0}`"),
)
FETCH = "git fetch --unshallow origin"


def named_base(environment: Environment | None = None) -> NamedBase | None:
    """Return the base that the variables of a CI system name; None where they name none."""
    variables = os.environ if environment is None else environment
    for row in _ROWS:
        value = _value(variables, row.variable)
        if value and _is_meant(variables, row):
            head = _value(variables, "PRE_COMMIT_TO_REF") if row.system == "pre-commit" else ""
            return NamedBase(row.revision(value), row.variable, row.of_request, head)
        if row.system == "GitHub":
            event = _of_event(variables)
            if event is not None:
                return event
    return None


def default_branch(environment: Environment | None = None) -> NamedBase | None:
    """Return the default branch that a CI system names, for runs that are about no pull request; None where it names none."""
    variables = os.environ if environment is None else environment
    default = _value(variables, _GITLAB_DEFAULT)
    if default:
        return NamedBase(_of_origin(default), _GITLAB_DEFAULT)
    place = _value(variables, "GITHUB_EVENT_PATH")
    default = _default_of_event(_read_event(place)) if place else ""
    return NamedBase(_of_origin(default), "`repository.default_branch` of the event") if default else None


def named_commit(environment: Environment | None = None) -> NamedCommit | None:
    """Return the commit that the CI system runs, as its variable has it; None where none runs, or it names none."""
    variables = os.environ if environment is None else environment
    for row in _COMMITS:
        value = _value(variables, row.variable)
        if value and _is_run_by(variables, row):
            return NamedCommit(value, row.variable)
    return None


def _is_run_by(variables: Environment, row: _Commit) -> bool:
    said = variables.get(row.run, "").strip()
    if row.value:
        return said == row.value
    return said.lower() not in ("", "false")


def _value(variables: Environment, name: str) -> str:
    """Return the value of a variable; empty where it says nothing."""
    value = variables.get(name, "").strip()
    return "" if not value.strip("0") else value


def _is_meant(variables: Environment, row: _Row) -> bool:
    if row.only is not None and not row.only(variables):
        return False
    return not row.needs or _value(variables, row.needs) not in ("", "false")


def _of_event(variables: Environment) -> NamedBase | None:
    """Return the base that the event of a run on GitHub names: the commit before a push, or the one below a merge queue's."""
    place = _value(variables, "GITHUB_EVENT_PATH")
    if not place:
        return None
    event = _read_event(place)
    group = event.get("merge_group")
    if isinstance(group, Mapping):
        return _of_key(group, "base_sha", of_request=True)
    if _value(variables, "GITHUB_EVENT_NAME") == "push":
        return _of_push(event)
    return None


def _of_push(event: Mapping[str, Any]) -> NamedBase | None:
    """Return the commit before a push to the default branch; elsewhere None, as nobody has accepted the pushes before."""
    branch = str(event.get("ref") or "").removeprefix("refs/heads/")
    default = _default_of_event(event)
    if branch and default and branch != default:
        return None
    return _of_key(event, "before", of_request=False)


def _default_of_event(event: Mapping[str, Any]) -> str:
    repository = event.get("repository")
    default = repository.get("default_branch") if isinstance(repository, Mapping) else None
    return default.strip() if isinstance(default, str) else ""


def _of_key(values: Mapping[str, Any], key: str, *, of_request: bool) -> NamedBase | None:
    value = values.get(key)
    if not isinstance(value, str) or not value.strip().strip("0"):
        return None
    return NamedBase(value.strip(), f"`{key}` of the event", of_request)


def _read_event(place: str) -> Mapping[str, Any]:
    """Return the event; an empty one where it cannot be read, since the default branch is the base then."""
    try:
        with open(place, "rb") as file:  # noqa: PTH123  # the name comes from outside, and may be none of a file
            event = json.loads(file.read(_MAX_EVENT))
    except (OSError, ValueError, RecursionError):
        return {}
    return event if isinstance(event, Mapping) else {}


def deepening(environment: Environment | None = None) -> Iterator[str]:
    """Yield how the whole history is cloned: the setting of the CI system that runs, and the line that does it anywhere."""
    variables = os.environ if environment is None else environment
    for variable, words in _DEEPER:
        if variables.get(variable):
            yield words
            break
    yield f"run `{FETCH}`"
