"""Does the data of a described table fit what a job needs? The newest file is asked, and what it does not tell is said.

A file is explained as `read_table` explains it. One that has exactly the columns of a known version is judged as that version. Of
any other, whatever is said of it, the columns that are needed and missing, or of another type, count. What is needed are the columns
of the newest version: a name that is another column in the file fits nobody who goes by name. Who only writes is never stopped.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from typing import Final, Self

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract, Role, Shape
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.common.table_findings import not_looked_at, of_table, ruled
from airflow_provider_schemas.store.footers import binding_remedy
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.described import ORC, Described, described
from airflow_provider_schemas.store.footers.explained_file import AMBIGUOUS, BAD_FOLDER, COLLIDING, Explained, explain_file
from airflow_provider_schemas.store.footers.file_columns import as_described, meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.look import DESCRIPTION, DataLook, look
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.resolve_schema import UnclearSchema
from airflow_provider_schemas.store.footers.type_likeness import paths
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry.contract_record import pinned
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.files_snapshot import SnapshotFiles
from airflow_provider_schemas.store.table import Table

SCHEMA_FILES: Final = "schema files"
_UNEXPLAINED: Final = "FILE_UNEXPLAINED"
# What counts of a file that no version explains. Whether NULL may come is nothing that such a file says.
_MISSING: Final = "EXPECT_FIELD_MISSING"
_COUNTS: Final = frozenset({_MISSING, "EXPECT_FIELD_RENAMED", "EXPECT_STALE_PIN", "EXPECT_TYPE_MISMATCH", "EXPECT_TYPE_UNSAFE"})


def with_data(
    report: Report,
    table: Table,
    head: Version,
    contract: Contract | None,
    *,
    policy: Policy | None = None,
    allowed: bool | None = None,
    writes: bool = False,
    jobs: Sequence[Contract] = (),
    now: datetime | None = None,
) -> Report:
    """The report about the newest version, with what the data add to it and what the verdict rests on.

    Contract is None for all columns; writes is whether the job only writes then. Jobs are judged, too: each by its own contract.
    """
    policy = table.policy() if policy is None else policy
    about = described(head.schema, table.place.layout)
    if about is None:
        return resting(report, kept_here(table), now)
    with _counted(table) as opened:
        seen = look(about, opened, allowed=table.looks if allowed is None else allowed, meanwhile=_explaining(table))
    data = _Data(table, head, about, seen, contract=_reading(contract, head, writes), asked=contract is not None)
    of_jobs = _grouped(finding for job in jobs for finding in data.of_job(_reading(job, head, writes)).findings())
    told = {(one.rule, one.path) for one in of_jobs}
    findings = [*of_jobs, *(one for one in data.findings() if (one.rule, one.path) not in told)]
    known = {(one.rule, one.path, one.message) for one in report.findings}
    added = ruled([one for one in findings if (one.rule, one.path, one.message) not in known], policy, now)
    notes = tuple(dict.fromkeys([*report.notes, *data.notes()]))
    found = msgspec.structs.replace(report, findings=(*report.findings, *map(_without_nobody, added)), notes=notes)
    return resting(found, seen.judged_by, now)


def _explaining(table: Table) -> tuple[Callable[[], object], ...]:
    """What explains a file, asked while its footer is read: where each request takes its time, and answers are kept for a judgement."""
    registry = table.registry
    if not (isinstance(registry, SnapshotFiles) and registry.is_far):
        return ()
    return (table.versions, table.bindings)


def _grouped(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for all jobs that lack the same."""
    found: dict[tuple[str, str, str], Finding] = {}
    for one in findings:
        key = (one.rule, one.path, one.message)
        same = found.get(key)
        found[key] = one if same is None else msgspec.structs.replace(same, consumers=(*same.consumers, *one.consumers))
    return list(found.values())


def _without_nobody(finding: Finding) -> Finding:
    """The finding; without the job that stands for all columns, where no job says what it needs."""
    consumers = tuple(one for one in finding.consumers if one.name != _ALL_COLUMNS)
    return finding if consumers == finding.consumers else msgspec.structs.replace(finding, consumers=consumers)


@contextmanager
def _counted(table: Table) -> Iterator[Callable[[str], Files] | None]:
    """What opens the folder of the data; what is asked there counts as asked by the store."""
    opener = table.open_location
    if opener is None:
        yield None
        return
    made: list[Files] = []

    def opened(location: str) -> Files:
        made.append(files := door(location))
        return files

    door = opener
    try:
        yield opened
    finally:
        for files in made:
            lists, gets, _ = files.count.snapshot()
            table.registry.count.add(lists=lists, gets=gets)


def kept_here(table: Table) -> str:
    """What readers of the table go by: its schema files, or a description without any data that it names."""
    return DESCRIPTION if table.place.layout is Layout.REGISTRY else SCHEMA_FILES


def resting(report: Report, judged_by: str, now: datetime | None = None) -> Report:
    """The report, with what it rests on and when it was made."""
    at = moment(now).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return msgspec.structs.replace(report, judged_by=judged_by, at=at)


class _Data:
    """What was seen of the data, and what it means."""

    def __init__(self, table: Table, head: Version, about: Described, seen: DataLook, *, contract: Contract | None, asked: bool) -> None:
        self.table, self.head, self.about, self.seen, self.contract, self.asked = table, head, about, seen, contract, asked
        self.unread: list[str] = []
        self.versions: dict[int, Version] = {}
        self.base: int | None = None
        self.file = self._explained(*seen.footers[0]) if seen.footers else Explained()

    def _explained(self, entry: DataEntry, footer: Footer) -> Explained:
        """What the newest file is, as `read_table` finds out."""
        there = {one.number: one for one in _readable(self.table, self.unread)}
        self.base = None if self.head.number in there else max(there, default=None)  # a plan was made on the newest one
        self.versions = there | {self.head.number: self.head}
        base = _address(self.about.location.rstrip("/"))
        return self._explained_as(entry, footer, Bound(self.table.bindings(), base).number(f"{base}/{entry.path}"))

    def _explained_as(self, entry: DataEntry, footer: Footer, bound: int | None) -> Explained:
        return explain_file(entry, self._meant(footer), self.versions, bound, self.head.schema)

    def _meant(self, footer: Footer) -> Footer:
        return meant_timestamps(footer, self.head.schema) if self.about.format == ORC else footer

    def of_job(self, contract: Contract | None) -> Self:
        """The same data, as a job with this contract is judged by them."""
        job = copy(self)
        job.contract, job.asked = contract, True
        return job

    # ------------------------------------------------------------ what is found

    def findings(self) -> Iterator[Finding]:
        """What the data add to the report."""
        if self.seen.reason:
            yield not_looked_at(self.table.name, self.seen.reason, self.seen.fix)
        elif not self.seen.footers or self.contract is None:
            return  # what a job replaces stops nobody from writing
        elif self.file.unclear is not None and self._stops(self.contract, self.file.unclear):
            yield of_table(_UNEXPLAINED, self._path, f"{self._path}: {self.file.unclear.reason}", self._bind(self.file.unclear.fix))
        elif self.contract.read_with != READ_TABLE:  # which gives a file the columns of the newest version
            yield from self._told(self._lacks(self.contract))

    def _stops(self, contract: Contract, unclear: UnclearSchema) -> bool:
        """Whether a job that reads stops at such a file, or does not know what it reads; of others the columns tell."""
        if contract.read_with == READ_TABLE or unclear.code in (AMBIGUOUS, COLLIDING):
            return True
        return unclear.code == BAD_FOLDER and self.file.folder.lower() in {one.name.split(".")[0].lower() for one in contract.columns}

    def _lacks(self, contract: Contract) -> Iterator[Finding]:
        """What a job that goes by name lacks in the file."""
        version, meant = self.file.version, _of_head(contract, Lookup(self.head.schema))
        if version is None:
            return self._of_columns(meant)
        if version.number == self.head.number:
            return iter(())
        lacks = check_contract(version.schema, meant, seen=self.head.schema, table=self.table.name).findings
        return iter(lacks) if self.asked else self._contradicting(lacks, version)

    def _contradicting(self, lacks: Iterable[Finding], version: Version) -> Iterator[Finding]:
        """What of an older file the newest version contradicts; a column that came later and may be NULL is none of that."""
        if version.number == self.base:  # the step of the plan tells it
            return
        lookup = Lookup(self.head.schema)
        for one in lacks:
            ours = lookup.by_name(lookup.path(one.path))
            came_later = one.rule == _MISSING and ours is not None and ours.nullable
            if one.rule in _COUNTS and not came_later:
                yield one

    def _of_columns(self, contract: Contract) -> Iterator[Finding]:
        """The columns that are needed, and that the file itself does not have, or has of another type."""
        entry, footer = self.seen.footers[0]
        known = as_described(self._meant(footer), self.head.schema, [key for key, _ in entry.keys], contract, self.file.columns)
        lacks = check_contract(known, contract, seen=self.head.schema, table=self.table.name).findings
        return (one for one in lacks if one.rule in _COUNTS)

    def _told(self, lacks: Iterator[Finding]) -> Iterator[Finding]:
        """What is lacking, as what the file lacks. The table itself may have it, so that no change of the table takes it away."""
        version = self.file.version
        what = "of no known version" if version is None else f"of version {version.number}"
        for one in lacks:
            if self.asked:
                message = f"{one.message.rstrip('.')}: this is about {self._path}, the newest file, {what}."
                yield msgspec.structs.replace(one, message=message, fix=_FIX, changes=())
            else:
                yield self._unlike(one)

    def _unlike(self, one: Finding) -> Finding:
        """The same where no job says what it needs: how the file differs from the description."""
        words = {"path": one.path, "new": one.new, "old": one.old, "file": self._path}
        says = _UNLIKE[one.rule]
        told = msgspec.structs.replace(one, message=says.format_map(words), fix=_FIX, changes=())
        if self.file.version is not None or not self._left_out(one):
            return told
        return msgspec.structs.replace(told, jobs=Verdict.WARN, verdicts=Answers(jobs=Verdict.WARN), verdict=Verdict.WARN, consumers=())

    def _left_out(self, one: Finding) -> bool:
        """Whether a writer may simply have left the column out: it may be NULL, and the file has none that could be it by another name."""
        lookup = Lookup(self.head.schema)
        ours = lookup.in_any_case(lookup.path(one.path)) if one.rule == _MISSING else None
        if ours is None or not ours.field.type.nullable:
            return False
        known = {path.lower() for path, _ in paths(self.head.schema.fields)}
        return all(path.lower() in known for path, _ in paths(self.seen.footers[0][1].columns))

    @property
    def _path(self) -> str:
        return self.seen.footers[0][0].path

    def _bind(self, fix: str) -> str:
        """The fix, with the lines that do it: which version it was is for somebody to say."""
        if binding_remedy.BIND not in fix:
            return fix
        entry, footer = self.seen.footers[0]
        place = binding_remedy.place_to_bind(self._path, alone=self.seen.files == 1)
        unclear = {number: self._explained_as(entry, footer, number).unclear for number in self.versions}
        fitting = [number for number, reason in unclear.items() if reason is None and self._may_have_written(number, footer)]
        if fitting:
            return binding_remedy.with_commands(fix, self.table.name, place, fitting)
        misnamed = [reason for reason in unclear.values() if reason is not None and reason.code == BAD_FOLDER]
        if misnamed:  # which no binding mends
            return f"{misnamed[0].fix.rstrip('.')}: {misnamed[0].reason}"
        folders = [key for key, _ in entry.keys]
        return binding_remedy.without_version(self.table.name, place, self._meant(footer), self.head.schema, folders)

    def _may_have_written(self, number: int, footer: Footer) -> bool:
        """Whether a version has all columns of the file that the newest one has by their names."""
        known = frozenset(self.versions[number].schema.names)
        return not (footer.names & frozenset(self.head.schema.names)) - known

    # ------------------------------------------------------------ what is said

    def notes(self) -> Iterator[str]:
        """Which file was looked at, and what it is."""
        yield from self.unread
        version, unclear = self.file.version, self.file.unclear
        if not self.seen.footers:
            if not self.seen.reason:
                yield f"there is no data file in {self.seen.folder} yet, so that only the description was looked at"
        elif version is not None:
            if version.number != self.head.number:
                yield f"{self._path}, the newest file, was written with version {version.number}"
        elif unclear is None:
            yield f"{self._path}, the newest file, has not the columns of any version"
        elif self.contract is None or not self._stops(self.contract, unclear):
            yield f"no version explains {self._path}, the newest file: {unclear.reason.rstrip('.')}"


def _readable(table: Table, unread: list[str]) -> Iterable[Version]:
    """The versions that can be read; of the others it is said that they cannot."""
    try:
        return table.versions()
    except StorageError:
        raise
    except SchemaError:
        return list(_one_by_one(table, unread))


def _one_by_one(table: Table, unread: list[str]) -> Iterator[Version]:
    log = table.subject.versions
    for number, entry in log.entries().items():
        try:
            yield log.read(number, entry)
        except StorageError:
            raise
        except SchemaError as error:
            unread.append(f"version {number} of {table.name} cannot be read, and files of it are of no known version: {error.message}")


def _reading(contract: Contract | None, head: Version, writes: bool) -> Contract | None:
    """What is read; all columns, if nobody says what is needed, and None for a job that only writes."""
    if contract is None:
        return None if writes else Contract.of(head.schema).model_copy(update={"name": _ALL_COLUMNS})
    if not contract.writes:
        return contract
    needs = tuple(
        one.model_copy(update={"role": read})
        for one in contract.columns
        if (read := tuple(role for role in one.role if role is not Role.WRITE))
    )
    return contract.model_copy(update={"columns": needs, "shape": Shape.OPEN}) if needs else None


def _of_head(contract: Contract, head: Lookup) -> Contract:
    """The contract, pinned to the columns that it means in the newest version."""
    found = {need.name: head.meant(head.path(need.name)) for need in contract.columns}
    return pinned(contract, {name: ours.field.id for name, ours in found.items() if ours is not None})


# What all columns are called while they are judged as a contract.
_ALL_COLUMNS: Final = "all columns"
_UNLIKE: Final = {
    "EXPECT_FIELD_RENAMED": "{path} of the description is called {new} in {file}, the newest file.",
    "EXPECT_STALE_PIN": "{path} in {file}, the newest file, is another column (field {new}) than in the description (field {old}).",
    _MISSING: "{path} is not in {file}, the newest file, and the description has it.",
    "EXPECT_TYPE_MISMATCH": "{path} is {new} in {file}, the newest file, and {old} in the description.",
    "EXPECT_TYPE_UNSAFE": "{path} is {new} in {file}, the newest file, and {old} in the description.",
}
_FIX: Final = (
    "Find out who writes the files: have them written with the columns of the newest version, or evolve the description to what they are."
)


def _address(location: str) -> str:
    return location if "://" in location else f"file://{location}"
