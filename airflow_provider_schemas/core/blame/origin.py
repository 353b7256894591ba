"""The version in which something came about, and what is known of who wrote it."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.short_repr import ShortRepr
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError

# How tasks of ours name their run in a version: DAG, run and task, and the index of a mapped one. Airflow makes ids of runs that begin
# so; any other text may be the name of a pipeline of another system, and nothing is read out of it.
_TASK_RUN: Final = re.compile(
    r"(?P<dag>[\w.-]+)/(?P<run>(?:manual|scheduled|backfill|asset_triggered|asset_materialization|dataset_triggered)__.+)"
    r"/(?P<task>[\w.-]+)(?:\[(?P<index>\d+)\])?",
    re.ASCII,
)
_MAIN: Final = "main"


class Origin(ShortRepr, Struct, frozen=True, omit_defaults=True):
    """A version, by what people ask of it: when, who, which run, who approved, which commit."""

    number: int
    branch: str = "main"
    digest: str = ""
    written: datetime | None = None
    """The moment in UTC; None where the file or the catalog does not tell."""
    actor: str = ""
    run: str = ""
    """The run of a DAG, as the version names it."""
    dag_id: str = ""
    run_id: str = ""
    task_id: str = ""
    approval: str = ""
    policy: str = ""
    commit: str = ""
    """The commit of the repository from which the change came, whole, where the version records one."""
    restored: int | None = None
    """The version whose columns this one brought back."""
    is_outside: bool = False
    """Whether another tool wrote the version, so that nobody is named."""
    map_index: int = -1
    """The index of the task in the run, where it is mapped."""
    says: str = ""
    """Who or what wrote it, as the catalog of a mounted table says. Nobody has checked it."""
    earliest: int | None = None
    """The first of the versions in any of which it may have come about: those between are not known, and nobody is named."""
    through: int | None = None
    """The last of several neighbouring versions that are not known, of which the number is the first."""
    is_gone: bool = False
    """Whether the version is expired or cannot be read."""

    def _short_text(self) -> str:
        when = f"{self.written:%Y-%m-%d %H:%M} UTC" if self.written else "at an unknown time"
        return f"{self.title} {when} {self.byline}"

    @classmethod
    def of(cls, version: Version) -> Self:
        """Return where a version comes from, as its file says."""
        origin = cls(version.number, version.branch, version.digest, moment_of(version.schema.time_millis))
        provenance = provenance_of(version)
        if provenance is None or version.is_copied:
            return replace(origin, is_outside=True)
        run = provenance.run or ""
        return replace(
            origin,
            actor=provenance.actor or "",
            run=run,
            approval=provenance.approval or "",
            policy=provenance.policy or "",
            commit=provenance.revision or "",
            restored=provenance.restored,
            **_task_of(run),
        )

    def since(self, earliest: int) -> Self:
        """Return the origin of what came about in one of several versions, up to this one: nobody knows in which, or by whom."""
        return type(self)(self.number, self.branch, self.digest, self.written, earliest=earliest)

    @property
    def title(self) -> str:
        """Return the number as people read it: v42, v42 (dev); of several versions, the first and the last."""
        branch = "" if self.branch == _MAIN else f" ({self.branch})"
        if self.earliest is not None:
            return f"v{self.earliest} to v{self.number}{branch}"
        if self.through is not None and self.through != self.number:
            return f"v{self.number} to v{self.through}{branch}"
        return f"v{self.number}{branch}"

    @property
    def byline(self) -> str:
        """Return who wrote the version, and in which circumstances: by ana (run nightly, approved by raj)."""
        about = ", ".join(self.circumstances())
        return f"{self.writer} ({about})" if about else self.writer

    @property
    def writer(self) -> str:
        """Return who wrote the version: by ana."""
        if self.is_gone or self.earliest is not None:
            return "by whom is not known"
        return "by an outside writer" if self.is_outside else f"by {self.actor or 'somebody'}"

    def circumstances(self) -> Iterator[str]:
        """Yield in which run, by whose approval, against which policy and from which commit the version was written."""
        commit = short_revision(self.commit)
        for word, text in (("run", self.run), ("approved by", self.approval), ("policy", self.policy), ("commit", commit)):
            if text:
                yield f"{word} {text}"
        if self.restored is not None:
            yield f"version {self.restored} restored"
        if self.says:
            yield f"says {without_credentials(self.says)}"


def moment_of(millis: int | None) -> datetime | None:
    """Return a moment in UTC; None where the milliseconds tell none."""
    if millis is None or millis <= 0:
        return None
    try:
        return datetime.fromtimestamp(millis / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def provenance_of(version: Version) -> Provenance | None:
    """Return where a version comes from; None where it does not say so, or in a way that nobody understands."""
    try:
        return version.provenance
    except SchemaError:
        return None


def _task_of(run: str) -> dict[str, str | int]:
    """Return the parts of the name that a task of ours gives its run; none of any other text."""
    match = _TASK_RUN.fullmatch(run)
    if match is None:
        return {}
    parts: dict[str, str | int] = {"dag_id": match["dag"], "run_id": match["run"], "task_id": match["task"]}
    if match["index"] is not None:
        parts["map_index"] = int(match["index"])
    return parts
