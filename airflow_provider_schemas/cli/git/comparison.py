"""Which two states of the files are compared: a base, which is a merge base unless the line wants the tip, and HEAD or what is there.

What is not certain is an error: a base that the clone does not have, a merge base that cut history may hide, a checkout without the
commits of its pull request.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.cli.git import ci_variables
from airflow_provider_schemas.cli.git.ci_variables import ON_LINE, NamedBase
from airflow_provider_schemas.cli.git.repository import Repository, plain, short
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError

NO_BASE = "cli.git-no-base"
WORKING_TREE = "working tree"
_HEAD = "HEAD"
_ORIGIN = "origin/"
_RANGE = re.compile(r"(.*?)\.{2,3}(.*)", re.DOTALL)


class GitComparison(Struct, frozen=True):
    """Two states of the files of a repository."""

    repository: Repository
    base: str
    """The id of the commit whose files are the old ones."""
    named: str
    """The name by which the base was found."""
    head: str
    """The id of the commit whose files are the new ones; empty for the files that are there."""
    head_name: str = _HEAD
    exact: bool = False
    notes: tuple[str, ...] = ()
    fallback: str = ""
    """The commit to compare with instead where nothing differs from the base: the one before it."""
    refusal: SchemaError | None = None
    """Why there is no such commit, where nothing differs from the base."""

    @property
    def base_words(self) -> str:
        """The base as lines name it: 1a2b3c4, the merge base of origin/main and HEAD."""
        if self.exact or self.named.startswith(_HEAD):
            return f"{short(self.base)}, {self.named}"
        return f"{short(self.base)}, the merge base of {self.named} and {self.head_name}"

    def to_json(self) -> dict[str, str | bool]:
        """Return the commits as JSON has them."""
        return {"base": self.base, "named": self.named, "exact": self.exact, "head": self.head or WORKING_TREE}

    def before(self) -> "GitComparison":
        """Return the comparison with the commit before, for a base that is HEAD itself and files that are as they were."""
        if self.refusal is not None:
            raise self.refusal
        note = f"nothing differs from {self.named}, which is {self.head_name}: compared with the commit before it, {short(self.fallback)}"
        named = f"{self.head_name}^1"
        return replace(self, base=self.fallback, named=named, exact=True, notes=(*self.notes, note), fallback="", refusal=None)


def find(repository: Repository, wanted: str, *, exact: bool, default: str = "") -> GitComparison:
    """Return what is compared: the base and the head that the line wants, else the base of the CI system, of the settings, of origin.

    `wanted` is BASE or BASE..HEAD; either side may be empty.
    """
    left, right, has_head = _sides(wanted)
    checked_out = repository.head
    base = _named(repository, left, default)
    head_name = (right or _HEAD) if has_head else base.head or _HEAD
    has_head = has_head or bool(base.head)
    head = checked_out if head_name == _HEAD else _there(repository, NamedBase(head_name, _source_of_head(base)))
    tip = _there(repository, base)
    found = tip if exact else _merge_base(repository, tip, head, base, head_name)
    comparison = GitComparison(
        repository,
        found,
        base.revision,
        head if has_head else "",
        head_name,
        exact,
        tuple(_notes(repository, base, tip, head, found, exact=exact)),
    )
    return comparison if found != head else _on_head(comparison, base, head)


def _source_of_head(base: NamedBase) -> str:
    return "PRE_COMMIT_TO_REF" if base.head else ON_LINE


def _sides(wanted: str) -> tuple[str, str, bool]:
    """Split BASE..HEAD, and return whether there is a head."""
    match = _RANGE.fullmatch(wanted)
    if match is None:
        return wanted, "", False
    left, right = match.groups()
    if ".." in right:
        message = f"{shown(wanted)} names more than two commits."
        raise SchemaError(message, code=NO_BASE, path=ON_LINE, fix="Write --git BASE, or --git=BASE..HEAD.")
    return left, right, True


# ---------------------------------------------------------------- the base


def _named(repository: Repository, wanted: str, default: str) -> NamedBase:
    """Return the base by its name, and who named it."""
    if wanted:
        return NamedBase(wanted, ON_LINE)
    of_system = ci_variables.named_base()
    if of_system is not None:
        return of_system
    if default:
        return NamedBase(default, "the settings")
    of_system = ci_variables.default_branch()
    if of_system is not None and repository.commit(of_system.reference):
        return of_system
    branches = repository.default_branches()
    if len(branches) == 1:
        return NamedBase(branches[0], "origin's default branch")
    raise _nothing_named(repository, branches)


def _nothing_named(repository: Repository, branches: Iterable[str]) -> SchemaError:
    names = " and ".join(branches)
    reason = f"origin has {names}, and no default branch is known" if names else "there is no default branch of a remote origin"
    message = f"no commit is known to compare with: {reason}, and no variable of a CI system names one."
    fix = "Name it: --git=BASE, such as a branch, a tag, or HEAD^1."
    if repository.knows_origin():
        fix = "Name it: --git=BASE. Or let the clone know it: git remote set-head origin --auto."
    return NotThereError(message, code=NO_BASE, path=plain(repository.top), fix=fix)


def _there(repository: Repository, base: NamedBase) -> str:
    """Return the commit of a name, or raise an error: no other base takes its place."""
    commit = repository.commit(base.reference)
    if commit is None:
        raise _not_there(repository, base)
    if base.revision.startswith(_ORIGIN) and repository.commit(f"refs/remotes/{base.revision}") not in (None, commit):
        message = f"{shown(base.revision)} is a branch of origin, and something else is called so as well."
        fix = f"Write --git=refs/remotes/{base.revision}, or --git=refs/tags/{base.revision}."
        raise SchemaError(message, code=NO_BASE, path=ON_LINE, fix=fix)
    return commit


def _not_there(repository: Repository, base: NamedBase) -> SchemaError:
    message = f"the clone has no commit {shown(base.revision)}, which {base.source} names."
    return NotThereError(message, code=NO_BASE, path=ON_LINE, fix=_fetching(repository, base))


def _fetching(repository: Repository, base: NamedBase) -> str:
    """Write what brings the missing commits into the clone."""
    if repository.is_shallow or base.source != ON_LINE:
        ways = list(ci_variables.deepening())
        if not repository.is_shallow:
            ways[-1] = _fetch_line(base.revision)
        return f"Have the history cloned whole: {', or '.join(ways)}."
    return "Check the name; a branch of the server is fetched with git fetch origin, and called origin/BRANCH."


def _fetch_line(revision: str) -> str:
    branch = revision.removeprefix("origin/")
    if branch == revision:
        return "run `git fetch origin`"
    return f"run `git fetch origin {branch}:refs/remotes/origin/{branch}`"


# ---------------------------------------------------------------- the merge base


def _merge_base(repository: Repository, tip: str, head: str, base: NamedBase, head_name: str) -> str:
    """Return the newest commit that both have, or raise an error where there is none, or where a newer one may be hidden."""
    common = repository.merge_bases(tip, head)
    if not common:
        raise _nothing_in_common(repository, base, head_name)
    if repository.hides_history(tip, head, common[0]):
        raise _hidden(repository, base, head_name)
    return common[0]


def _nothing_in_common(repository: Repository, base: NamedBase, head_name: str) -> SchemaError:
    message = f"{base.revision} and {head_name} have no commit in common"
    if repository.is_shallow:
        message = f"{message} in this shallow clone."
        return StorageError(message, code="cli.git-shallow", path=ON_LINE, fix=_fetching(repository, base))
    fix = "Name another base; or compare with its tip on purpose, --git-exact."
    return StorageError(f"{message}: their histories are not related.", code="cli.git-unrelated", path=ON_LINE, fix=fix)


def _hidden(repository: Repository, base: NamedBase, head_name: str) -> SchemaError:
    message = f"the clone is shallow, and its cut history may hide the newest commit that {base.revision} and {head_name} have in common."
    return StorageError(message, code="cli.git-shallow", path=ON_LINE, fix=_fetching(repository, base))


# ---------------------------------------------------------------- a base that is HEAD itself


def _on_head(comparison: GitComparison, base: NamedBase, head: str) -> GitComparison:
    """Return the comparison with the commit before as its fallback; refuse a pull request none of whose commits is there."""
    if base.of_request:
        message = f"{comparison.head_name} has no commit that {base.revision} lacks: of the pull request nothing is checked out."
        fix = "Check its commits out; pull_request_target of GitHub checks out the target branch instead."
        raise NotThereError(message, code=NO_BASE, path=ON_LINE, fix=fix)
    repository = comparison.repository
    parent = repository.parent(head)
    if parent is not None:
        return replace(comparison, fallback=parent)
    return replace(comparison, refusal=_no_parent(repository, base, head))


def _no_parent(repository: Repository, base: NamedBase, head: str) -> SchemaError:
    if head in repository.cut_commits:
        message = f"{base.revision} is HEAD itself, and the clone is shallow: it does not have the commit before it."
        return StorageError(message, code="cli.git-shallow", path=ON_LINE, fix=_fetching(repository, base))
    message = f"{base.revision} is HEAD itself, and the only commit there is: there is nothing to compare with."
    fix = "Judge the files without git: --new, --alone or --store URL."
    return NotThereError(message, code=NO_BASE, path=ON_LINE, fix=fix)


# ---------------------------------------------------------------- notes


def _notes(repository: Repository, base: NamedBase, tip: str, head: str, found: str, *, exact: bool) -> Iterator[str]:
    """Yield why this is the base, and what the merge base leaves open."""
    if base.source != ON_LINE:
        yield f"the base is {base.revision}, from {base.source}"
    if exact:
        return
    several = len(repository.merge_bases(tip, head))
    if several > 1:
        yield f"{base.revision} and HEAD have {several} merge bases: {short(found)} is the one that git takes first"
