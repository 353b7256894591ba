"""Does the data of a described table fit what a job needs? The newest file is looked at, and what it does not show is noted.

A file is explained as `read_table` explains it. A file with exactly the columns of a known version is judged as that version. Of any
other file, the needed columns count that are missing or of another type. Needed are the columns of the newest version: a name that is
another column in the file fits no job that goes by name. A job that only writes is never stopped.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from typing import Final, Self

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract, Need, Role, Shape
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import METADATA, Answers, Finding, Report, Verdict, worst
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
from airflow_provider_schemas.store.versions.mounted_findings import findings_for
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions

SCHEMA_FILES: Final = "schema files"
_KEPT: Final = {Layout.REGISTRY: DESCRIPTION, Layout.MOUNTED: METADATA}
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
    """Return the report about the newest version, with what the data add to it and what the verdict rests on.

    Contract is None for all columns; writes is whether the job only writes then. Jobs are judged as well, each by its own contract.
    """
    policy = table.policy() if policy is None else policy
    mounted = table.subject.mounted_versions
    if mounted is not None:
        report = _with_metadata(report, mounted, None if writes else contract, policy, now)
    about = described(head.schema, table.place.layout)
    if about is None:
        return resting(report, kept_here(table), now)
    if allowed is None:
        allowed = table.looks
    with _count_requests(table) as opener:
        seen = look(about, opener, allowed=allowed, meanwhile=_reads_meanwhile(table))
    data = _Data(table, head, about, seen, contract=_reading(contract, head, writes), has_contract=contract is not None)
    findings = _all_findings(data, [_reading(job, head, writes) for job in jobs])
    known = {(finding.rule, finding.path, finding.message) for finding in report.findings}
    new = [finding for finding in findings if (finding.rule, finding.path, finding.message) not in known]
    added = map(_without_all_columns, ruled(new, policy, now))
    notes = tuple(dict.fromkeys([*report.notes, *data.notes()]))
    report = msgspec.structs.replace(report, findings=(*report.findings, *added), notes=notes)
    return resting(report, seen.judged_by, now)


def _with_metadata(report: Report, mounted: MountedVersions, contract: Contract | None, policy: Policy, now: datetime | None) -> Report:
    """Return the report with what is wrong with the metadata of a mounted table: a schema that is not clear fits nobody."""
    found = findings_for(mounted.look_there(), contract)
    invalid = tuple(finding for finding in found if finding.verdict is Verdict.INVALID)  # which no policy weighs
    others = ruled([_with_answers(finding) for finding in found if finding.verdict is not Verdict.INVALID], policy, now)
    return msgspec.structs.replace(report, findings=(*report.findings, *invalid, *others))


def _with_answers(finding: Finding) -> Finding:
    """Return the finding with its verdict as the answer about data and jobs, where its source gave none: a policy weighs answers."""
    if worst((finding.data, finding.jobs, finding.writers)) != Verdict.OK:
        return finding
    verdict = finding.verdict
    return msgspec.structs.replace(finding, data=verdict, jobs=verdict, verdicts=Answers(data_by_id=verdict, jobs=verdict))


def _all_findings(data: "_Data", jobs: Iterable[Contract | None]) -> list[Finding]:
    """Return the findings of the jobs, and those for all columns that no job meets."""
    of_jobs = _join_consumers(_findings_of_jobs(data, jobs))
    met = {(finding.rule, finding.path) for finding in of_jobs}
    others = [finding for finding in data.findings() if (finding.rule, finding.path) not in met]
    return [*of_jobs, *others]


def _findings_of_jobs(data: "_Data", jobs: Iterable[Contract | None]) -> Iterator[Finding]:
    for job in jobs:
        yield from data.of_job(job).findings()


def _reads_meanwhile(table: Table) -> tuple[Callable[[], object], ...]:
    """Return what explains a file, to be read along with its footer: where each request takes its time, and answers are kept."""
    registry = table.registry
    if not (isinstance(registry, SnapshotFiles) and registry.is_far):
        return ()
    return (table.versions, table.bindings)


def _join_consumers(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding for all jobs that lack the same."""
    joined: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.path, finding.message)
        if key in joined:
            same = joined[key]
            joined[key] = msgspec.structs.replace(same, consumers=(*same.consumers, *finding.consumers))
        else:
            joined[key] = finding
    return list(joined.values())


def _without_all_columns(finding: Finding) -> Finding:
    """Return the finding without the consumer that stands for all columns, where no job has a contract."""
    consumers = tuple(consumer for consumer in finding.consumers if consumer.name != _ALL_COLUMNS)
    if consumers == finding.consumers:
        return finding
    return msgspec.structs.replace(finding, consumers=consumers)


@contextmanager
def _count_requests(table: Table) -> Iterator[Callable[[str], Files] | None]:
    """Yield what opens the folder of the data; the requests there are added to those of the store."""
    open_location = table.open_location
    if open_location is None:
        yield None
        return
    opened: list[Files] = []

    def open_counted(location: str) -> Files:
        files = open_location(location)
        opened.append(files)
        return files

    try:
        yield open_counted
    finally:
        for files in opened:
            lists, gets, _ = files.count.snapshot()
            table.registry.count.add(lists=lists, gets=gets)


def kept_here(table: Table) -> str:
    """Return what readers of the table go by: its schema files, its own metadata, or a description without any data that it names."""
    return _KEPT.get(table.place.layout, SCHEMA_FILES)


def resting(report: Report, judged_by: str, now: datetime | None = None) -> Report:
    """Return the report with what it rests on and when it was made."""
    at = moment(now).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return msgspec.structs.replace(report, judged_by=judged_by, at=at)


class _Data:
    """The newest file of the data, and what it means for a job."""

    def __init__(
        self, table: Table, head: Version, about: Described, seen: DataLook, *, contract: Contract | None, has_contract: bool
    ) -> None:
        self.table = table
        self.head = head
        self.about = about
        self.seen = seen
        self.contract = contract
        self.has_contract = has_contract
        """Whether a job said what it needs; if not, the contract stands for all columns."""
        self.unread: list[str] = []
        """Notes about versions that cannot be read."""
        self.versions: dict[int, Version] = {}
        self.base: int | None = None
        """The version on which a plan was made, where the head is the plan's result."""
        self.file = self._explain(*seen.footers[0]) if seen.footers else Explained()

    def _explain(self, entry: DataEntry, footer: Footer) -> Explained:
        """Find out with which version the newest file was written, as `read_table` does."""
        versions = {version.number: version for version in _readable_versions(self.table, self.unread)}
        if self.head.number not in versions:
            self.base = max(versions, default=None)
        self.versions = versions | {self.head.number: self.head}
        base = _address(self.about.location.rstrip("/"))
        return self._explain_as(entry, footer, Bound(self.table.bindings(), base).number(f"{base}/{entry.path}"))

    def _explain_as(self, entry: DataEntry, footer: Footer, bound: int | None) -> Explained:
        return explain_file(entry, self._meant(footer), self.versions, bound, self.head.schema)

    def _meant(self, footer: Footer) -> Footer:
        """Return the footer with timestamps as the newest version means them."""
        if self.about.format != ORC:
            return footer
        return meant_timestamps(footer, self.head.schema)

    def of_job(self, contract: Contract | None) -> Self:
        """Return the same data, as a job with this contract is judged by them."""
        job = copy(self)
        job.contract = contract
        job.has_contract = True
        return job

    # ------------------------------------------------------------ what is found

    def findings(self) -> Iterator[Finding]:
        """Yield what the data add to the report."""
        if self.seen.reason:
            yield not_looked_at(self.table.name, self.seen.reason, self.seen.fix)
        elif not self.seen.footers or self.contract is None:
            return  # what a job replaces stops nobody from writing
        elif self.file.unclear is not None and self._stops(self.contract, self.file.unclear):
            reason = f"{self._path}: {self.file.unclear.reason}"
            yield of_table(_UNEXPLAINED, self._path, reason, self._with_binding_lines(self.file.unclear.fix))
        elif self.contract.read_with != READ_TABLE:  # which gives a file the columns of the newest version
            yield from self._about_file(self._lacks(self.contract))

    def _stops(self, contract: Contract, unclear: UnclearSchema) -> bool:
        """Return whether a job that reads stops at such a file, or does not know what it reads; else its columns are judged."""
        if contract.read_with == READ_TABLE or unclear.code in (AMBIGUOUS, COLLIDING):
            return True
        columns = {need.name.split(".")[0].lower() for need in contract.columns}
        return unclear.code == BAD_FOLDER and self.file.folder.lower() in columns

    def _lacks(self, contract: Contract) -> Iterator[Finding]:
        """Yield what a job that goes by name lacks in the file."""
        version = self.file.version
        meant = _pinned_to_head(contract, Lookup(self.head.schema))
        if version is None:
            yield from self._lacks_in_columns(meant)
        elif version.number != self.head.number:
            lacks = check_contract(version.schema, meant, seen=self.head.schema, table=self.table.name).findings
            yield from lacks if self.has_contract else self._contradictions(lacks, version)

    def _contradictions(self, lacks: Iterable[Finding], version: Version) -> Iterator[Finding]:
        """Yield what an older file lacks of the description; a column that came later and may be NULL is no contradiction."""
        if version.number == self.base:  # the step of the plan reports it
            return
        lookup = Lookup(self.head.schema)
        for finding in lacks:
            column = lookup.by_name(lookup.path(finding.path))
            came_later = finding.rule == _MISSING and column is not None and column.nullable
            if finding.rule in _COUNTS and not came_later:
                yield finding

    def _lacks_in_columns(self, contract: Contract) -> Iterator[Finding]:
        """Yield the needed columns that the file itself does not have, or has of another type."""
        entry, footer = self.seen.footers[0]
        schema = as_described(self._meant(footer), self.head.schema, [key for key, _ in entry.keys], contract, self.file.columns)
        for finding in check_contract(schema, contract, seen=self.head.schema, table=self.table.name).findings:
            if finding.rule in _COUNTS:
                yield finding

    def _about_file(self, lacks: Iterator[Finding]) -> Iterator[Finding]:
        """Yield the findings as what the file lacks. The table itself may have it, so that no change of the table removes them."""
        version = self.file.version
        what = "of no known version" if version is None else f"of version {version.number}"
        for finding in lacks:
            if self.has_contract:
                message = f"{finding.message.rstrip('.')}: this is about {self._path}, the newest file, {what}."
                yield msgspec.structs.replace(finding, message=message, fix=_FIX, changes=())
            else:
                yield self._about_description(finding)

    def _about_description(self, finding: Finding) -> Finding:
        """Return a finding without a job as a difference between the file and the description."""
        words = {"path": finding.path, "new": finding.new, "old": finding.old, "file": self._path}
        message = _UNLIKE[finding.rule].format_map(words)
        difference = msgspec.structs.replace(finding, message=message, fix=_FIX, changes=())
        if self.file.version is not None or not self._may_be_left_out(finding):
            return difference
        warning = Answers(jobs=Verdict.WARN)
        return msgspec.structs.replace(difference, jobs=Verdict.WARN, verdicts=warning, verdict=Verdict.WARN, consumers=())

    def _may_be_left_out(self, finding: Finding) -> bool:
        """Return whether a writer may simply have left the column out: it may be NULL, and the file has none that could be it renamed."""
        if finding.rule != _MISSING:
            return False
        lookup = Lookup(self.head.schema)
        column = lookup.in_any_case(lookup.path(finding.path))
        if column is None or not column.field.type.nullable:
            return False
        known = {path.lower() for path, _ in paths(self.head.schema.fields)}
        return all(path.lower() in known for path, _ in paths(self.seen.footers[0][1].columns))

    @property
    def _path(self) -> str:
        return self.seen.footers[0][0].path

    def _with_binding_lines(self, fix: str) -> str:
        """Return the fix with the lines that bind the file: a person has to know which version it was."""
        if binding_remedy.BIND not in fix:
            return fix
        entry, footer = self.seen.footers[0]
        place = binding_remedy.place_to_bind(self._path, alone=self.seen.files == 1)
        unclear = {number: self._explain_as(entry, footer, number).unclear for number in self.versions}
        fitting = [number for number, reason in unclear.items() if reason is None and self._may_have_written(number, footer)]
        if fitting:
            return binding_remedy.with_commands(fix, self.table.name, place, fitting)
        misnamed = [reason for reason in unclear.values() if reason is not None and reason.code == BAD_FOLDER]
        if misnamed:  # which no binding fixes
            return f"{misnamed[0].fix.rstrip('.')}: {misnamed[0].reason}"
        folders = [key for key, _ in entry.keys]
        return binding_remedy.without_version(self.table.name, place, self._meant(footer), self.head.schema, folders)

    def _may_have_written(self, number: int, footer: Footer) -> bool:
        """Return whether a version has all columns of the file that the newest one has by their names."""
        known = frozenset(self.versions[number].schema.names)
        return not (footer.names & frozenset(self.head.schema.names)) - known

    # ------------------------------------------------------------ notes

    def notes(self) -> Iterator[str]:
        """Yield which file was looked at, and what it is."""
        yield from self.unread
        version = self.file.version
        unclear = self.file.unclear
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


def _readable_versions(table: Table, unread: list[str]) -> Iterable[Version]:
    """Return the versions that can be read; add a note about each of the others."""
    try:
        return table.versions()
    except StorageError:
        raise
    except SchemaError:
        return list(_read_one_by_one(table, unread))


def _read_one_by_one(table: Table, unread: list[str]) -> Iterator[Version]:
    log = table.subject.versions
    for number, entry in log.entries().items():
        try:
            yield log.read(number, entry)
        except StorageError:
            raise
        except SchemaError as error:
            unread.append(f"version {number} of {table.name} cannot be read, and files of it are of no known version: {error.message}")


def _reading(contract: Contract | None, head: Version, writes: bool) -> Contract | None:
    """Return what is read; all columns, if there is no contract, and None for a job that only writes."""
    if contract is None:
        return None if writes else Contract.of(head.schema).model_copy(update={"name": _ALL_COLUMNS})
    if not contract.writes:
        return contract
    needs: list[Need] = []
    for need in contract.columns:
        roles = tuple(role for role in need.role if role is not Role.WRITE)
        if roles:
            needs.append(need.model_copy(update={"role": roles}))
    if not needs:
        return None
    return contract.model_copy(update={"columns": tuple(needs), "shape": Shape.OPEN})


def _pinned_to_head(contract: Contract, head: Lookup) -> Contract:
    """Return the contract, pinned to the columns that it means in the newest version."""
    columns = {need.name: head.meant(head.path(need.name)) for need in contract.columns}
    return pinned(contract, {name: column.field.id for name, column in columns.items() if column is not None})


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
