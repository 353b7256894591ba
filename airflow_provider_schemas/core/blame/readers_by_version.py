"""Which registered jobs fit which of the last versions: to which version may a table go back without breaking anybody?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import compress, pairwise
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_readers import REGISTERED_ONLY
from airflow_provider_schemas.core.blame.job_verdicts import JobJudge, JobVerdict
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.registered_job import RegisteredJob
from airflow_provider_schemas.core.blame.untouched_jobs import TouchedColumns
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.version import Version

LAST: Final = 20
_FITTING: Final = frozenset({Verdict.OK, Verdict.WARN})


class ReaderRow(ShortRepr, Struct, frozen=True):
    """A job against each version."""

    name: str
    team: str
    owner: str
    contact: str
    verdicts: tuple[Verdict | None, ...]
    """One for each version, in their order; None where it could not be judged."""
    sentences: tuple[str, ...] = ()
    """Why, one for each version; empty where the job fits."""
    is_stale: bool = False
    is_pending: bool = False
    """Whether the job waits for a version that is still to come, so that none of these need fit it."""

    def _short_text(self) -> str:
        words = [verdict.value if verdict else "?" for verdict in self.verdicts]
        return f"{named(self.name)}: {' '.join(words)}"


class ReadersByVersion(ShortRepr, Struct, frozen=True):
    """Registered jobs by versions, the newest version first."""

    table: str
    versions: tuple[Origin, ...]
    rows: tuple[ReaderRow, ...]
    unreadable: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def _short_text(self) -> str:
        numbers = [f"v{number}" for number in self.breaking_nobody]
        parts = [
            f"{counted(len(self.rows), 'registered contract')} by {counted(len(self.versions), 'version')}",
            f"{listed(numbers, 5)} break nobody" if numbers else "",
            f"{counted(len(self.unreadable), 'contract')} unreadable" if self.unreadable else "",
        ]
        return f"{named(self.table)}: {joined(*parts)}"

    @property
    def breaking_nobody(self) -> tuple[int, ...]:
        """Return the numbers of the versions that every registered job fits, but for those that wait for a version to come.

        There are none where a contract cannot be read, or where no job is registered: then nobody knows.
        """
        judged = [row for row in self.rows if not row.is_pending]
        if self.unreadable or not judged:
            return ()
        fitting = [all(row.verdicts[place] in _FITTING for row in judged) for place in range(len(self.versions))]
        return tuple(version.number for version in compress(self.versions, fitting))


def readers_by_version(
    jobs: Iterable[RegisteredJob],
    versions: Sequence[Version],
    policy: Judging | Mapping[str, Any] | None = None,
    *,
    table: str = "",
    now: datetime | None = None,
    unreadable: Iterable[str] = (),
    last: int = LAST,
    origins: Sequence[Origin] = (),
) -> ReadersByVersion:
    """Return which jobs fit which of the newest versions. Versions are given in the order in which they were current.

    Origins are those of the versions, where more is known of them than their files say.
    """
    newest = tuple(reversed(versions[-last:] if last > 0 else ()))
    known = tuple(reversed(origins))[: len(newest)] or tuple(map(Origin.of, newest))
    judge = JobJudge(table, policy, now)
    steps = [TouchedColumns.between(older.schema, newer.schema) for newer, older in pairwise(newest)]
    rows = tuple(_row(job, _verdicts(job, newest, steps, judge)) for job in jobs)
    doubts = tuple(unreadable)
    return ReadersByVersion(table, known, rows, doubts, (REGISTERED_ONLY,))


def _verdicts(job: RegisteredJob, versions: Sequence[Version], steps: Sequence[TouchedColumns], judge: JobJudge) -> Iterator[JobVerdict]:
    """Yield the verdict on a job against each version. A step that cannot touch the job leaves the verdict as it is."""
    known: JobVerdict | None = None
    for place, version in enumerate(versions):
        if known is None or steps[place - 1].touches(job.contract):
            known = judge.verdict(version, job.contract)
        yield known


def _row(job: RegisteredJob, judged: Iterable[JobVerdict]) -> ReaderRow:
    known = tuple(judged)
    verdicts = tuple(verdict for verdict, _ in known)
    sentences = tuple(reason for _, reason in known)
    owner = job.contract.owner
    return ReaderRow(job.name, job.team, owner, job.contract.contact, verdicts, sentences, job.is_stale, job.is_pending)
