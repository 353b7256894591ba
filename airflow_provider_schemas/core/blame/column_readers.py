"""Who reads and writes a table, or one column of it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_blame import ColumnBlame
from airflow_provider_schemas.core.blame.find_field import FieldFinder
from airflow_provider_schemas.core.blame.job_verdicts import JobJudge
from airflow_provider_schemas.core.blame.path_fields import PathField
from airflow_provider_schemas.core.blame.registered_job import RegisteredJob
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.contracts.column_lacks import find_meant
from airflow_provider_schemas.core.contracts.roles import Role, Shape
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import VERDICT_WORDS, Verdict
from airflow_provider_schemas.core.schema.field_lookup import LocatedField, Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract, Need

REGISTERED_ONLY: Final = "These are the jobs that have registered a contract; of a job that has registered none nothing is known."


class ColumnReader(ShortRepr, Struct, frozen=True):
    """A registered job, and what it uses of a table."""

    name: str
    team: str = ""
    owner: str = ""
    contact: str = ""
    reads: bool = True
    writes: bool = False
    columns: tuple[str, ...] = ()
    """The paths that the job names; empty where it uses all columns, or where its contract names none."""
    uses_all: bool = False
    """Whether it takes along every column, named or not."""
    verdict: Verdict | None = Verdict.OK
    """Whether the job fits the version that was asked about; None where it could not be judged."""
    sentence: str = ""
    """Why the job does not fit."""
    last_seen: str = ""
    is_stale: bool = False
    is_pending: bool = False

    def _short_text(self) -> str:
        verdict = "not judged" if self.verdict is None else VERDICT_WORDS[self.verdict]
        ways = " and ".join(way for way, is_so in (("reads", self.reads), ("writes", self.writes)) if is_so)
        columns = "all columns" if self.uses_all else listed(self.columns)
        return f"{named(self.name)}: {joined(verdict, f'{ways} {columns}'.strip(), named(self.owner))}"


class ColumnReaders(ShortRepr, Struct, frozen=True):
    """The answer to `who TABLE[.COLUMN]`."""

    table: str
    column: str
    """Empty where the whole table was asked about."""
    version: int
    readers: tuple[ColumnReader, ...]
    others: int = 0
    """How many registered jobs of the table do not use the column."""
    owner: str = ""
    contact: str = ""
    unreadable: tuple[str, ...] = ()
    """Contracts that cannot be read: their jobs may use the column, too."""
    notes: tuple[str, ...] = ()
    """What the answer rests on: registered contracts only; a job that registered nothing is not known."""

    def _short_text(self) -> str:
        broken = [reader.name for reader in self.readers if reader.verdict in (Verdict.BREAK, Verdict.INVALID)]
        unknown = [reader.name for reader in self.readers if reader.verdict is None]
        parts = [
            counted(len(self.readers), "registered contract"),
            f"{len(broken):,} broken: {listed(broken)}" if broken else "",
            f"{len(unknown):,} not judged" if unknown else "",
            f"{counted(len(self.unreadable), 'contract')} unreadable" if self.unreadable else "",
        ]
        subject = named(f"{self.table}.{self.column}" if self.column else self.table)
        return f"{subject} v{self.version}: {joined(*parts)}"


# ---------------------------------------------------------------- who


def who_reads(
    jobs: Iterable[RegisteredJob],
    head: Version,
    column: str = "",
    *,
    table: str = "",
    policy: Judging | Mapping[str, Any] | None = None,
    now: datetime | None = None,
    unreadable: Iterable[str] = (),
    former: ColumnBlame | None = None,
) -> ColumnReaders:
    """Return the jobs that use a column of a version, or any column; by the fields that they mean, under whatever name.

    A column that the version has not, but that a job names, is answered by these jobs. Former is the column that had the name in
    earlier versions, as `blame` finds it: it may have another name by now, or be gone. Raise ColumnNotFoundError for any other.
    """
    question = _ColumnQuestion(head.schema, column, former)
    judge = JobJudge(table, policy, now)
    readers: list[ColumnReader] = []
    others = 0
    for job in jobs:
        use = question.use_by(job.contract)
        if use is None:
            others += 1
        else:
            verdict, reason = judge.verdict(head, job.contract)
            readers.append(_reader(job, use, verdict, reason))
    doubts = tuple(unreadable)
    if question.is_unknown and not readers and not question.was_there:
        raise question.finder.missing(column)
    owner, contact = owner_of(head.schema)
    notes = (*question.notes(readers), REGISTERED_ONLY)
    return ColumnReaders(table, question.path, head.number, tuple(readers), others, owner, contact, doubts, notes)


def owner_of(schema: TableSchema) -> tuple[str, str]:
    """Return whom a table belongs to, and how to reach them; empty where it does not say so."""
    try:
        attributes = schema.table_attributes
    except SchemaError:
        return "", ""
    return str(attributes.get("owner") or ""), str(attributes.get("contact") or "")


class _Use(NamedTuple):
    """What a job does with the column that was asked about."""

    names: tuple[str, ...]
    uses_all: bool
    reads: bool
    writes: bool


class _ColumnQuestion:
    """Which column of a schema is meant; the whole table, if none is named."""

    def __init__(self, schema: TableSchema, column: str, former: ColumnBlame | None = None) -> None:
        self.finder = FieldFinder(schema)
        self.column = column
        self._lookup = Lookup(schema)
        self._former = None if former is None else former.id
        """The id of the column that had the name in earlier versions."""
        self.target: PathField | None = self._target()
        self._renamed: dict[str, str] = {}
        """Names in contracts that the column of another name has now."""
        self._around = {found.field.id for found in self.finder.around(self.target)} if self.target else set[int]()

    def _target(self) -> PathField | None:
        found = self.finder.find(self.column) if self.column else None
        if found is None and self._former is not None:
            return self.finder.by_id(self._former)
        return found

    @property
    def is_unknown(self) -> bool:
        """Whether the schema has no such column."""
        return bool(self.column) and self.target is None

    @property
    def was_there(self) -> bool:
        """Whether an earlier version is known to have had the column."""
        return self._former is not None

    @property
    def path(self) -> str:
        """The path of the column, as the schema has it."""
        return self.column if self.target is None else self.target.path

    def use_by(self, contract: "Contract") -> _Use | None:
        """Return what a job does with the column; None where it does nothing with it."""
        uses_all = contract.shape is not Shape.OPEN and not self.is_unknown
        matching = [need for need in contract.columns if self._is_about(need)]
        keys = [name for name in _keys(contract) if self._is_named(name)]
        if self.column and not (matching or keys or uses_all):
            return None
        names = () if uses_all and not self.column else tuple(dict.fromkeys([*(need.name for need in matching), *keys]))
        return _Use(names, uses_all, *_directions(contract, matching))

    def notes(self, readers: Iterable[ColumnReader]) -> Iterator[str]:
        """Yield how the column is called now, where that is another name than the one that was asked about."""
        if self.target is not None and self.column not in (self.target.path, self.target.plain):
            yield f"{self.column} is {self.target.path} in this version."
        if not self.is_unknown:
            return
        if self.was_there:
            yield f"This version has no column {self.column}: it was dropped. The jobs that are listed name it, or mean it."
        else:
            yield f"This version has no column {self.column}; the jobs name it in their contracts."
        yield from dict.fromkeys(self._new_names(readers))

    def _new_names(self, readers: Iterable[ColumnReader]) -> Iterator[str]:
        for reader in readers:
            for name in reader.columns:
                if name in self._renamed:
                    yield f"{name} is {self._renamed[name]} now: find out who uses that as well."

    def _is_about(self, need: "Need") -> bool:
        if not self.column:
            return True
        path = self._lookup.path(need.name)
        meant, same_named = find_meant(self._lookup, path, name=need.name, number=need.id, seen=None)
        if self.target is None:
            is_named = self._is_named(need.name) or (need.id is not None and need.id == self._former)
            if is_named and meant is not None:
                self._renamed[need.name] = ".".join(meant.path)
            return is_named
        if self.was_there and self._is_named(need.name):
            return True
        if meant is None and same_named is None:
            meant = self._lookup.called(path)
        # The job means one field; a query of it that goes by name gets the other, where both are there.
        return any(self._touches(located) for located in (meant, same_named) if located is not None)

    def _touches(self, located: LocatedField) -> bool:
        """Return whether a field is the column, inside it, or around it."""
        if self.target is None:
            return False
        if self.target.field.id in located.ids or located.field.id in self._around:
            return True
        # Spark finds neither of two columns that differ in case only, so the job depends on both.
        return self.target.depth == 0 and self.target.field.name in self._lookup.ambiguous(located)

    def _is_named(self, name: str) -> bool:
        """Return whether a name is that of the column, or of a field inside it."""
        if not self.column:
            return True
        asked = {self.target.path, self.target.plain} if self.target is not None else set[str]()
        if self.target is None or self.was_there:
            asked.add(self.column)
        folded = name.casefold()
        return any(folded == text or folded.startswith(f"{text}.") for text in map(str.casefold, asked))


def _keys(contract: "Contract") -> tuple[str, ...]:
    """Return the columns of keys that a job relies on."""
    return (*(contract.primary_key or ()), *(contract.partitioned_by or ()))


def _directions(contract: "Contract", needs: Iterable["Need"]) -> tuple[bool, bool]:
    """Return whether a job reads, and whether it writes, these columns; the table, where it names none of them."""
    roles = {role for need in needs or contract.columns for role in need.role}
    return bool(roles - {Role.WRITE}) or not roles, Role.WRITE in roles


def _reader(job: RegisteredJob, use: _Use, verdict: Verdict | None, reason: str) -> ColumnReader:
    return ColumnReader(
        job.name,
        job.team,
        job.contract.owner,
        job.contract.contact,
        use.reads,
        use.writes,
        use.names,
        use.uses_all,
        verdict,
        reason,
        job.last_seen,
        job.is_stale,
        job.is_pending,
    )
