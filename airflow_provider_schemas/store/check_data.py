"""Does the data of a described table fit what a job needs? The newest file is asked, and what it does not tell is said.

A file is explained as `read_table` explains it. One of a known version is judged as that version. Of one that no version
explains, only columns that are needed and missing, or of another type, count.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import called, check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import NOT_LOOKED_AT, Ruling, moment, strictest
from airflow_provider_schemas.core.report import Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.described import ORC, Described, described
from airflow_provider_schemas.store.footers.file_columns import as_described, meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.look import DESCRIPTION, DataLook, look
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.resolve_schema import Unclear, Written, by_footer
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table import Table

SCHEMA_FILES: Final = "schema files"
_UNEXPLAINED: Final = "FILE_UNEXPLAINED"
_AMBIGUOUS: Final = "read.ambiguous-file"
# What counts of a file that no version explains. Whether NULL may come is nothing that such a file says.
_COUNTS: Final = frozenset({"EXPECT_FIELD_MISSING", "EXPECT_FIELD_RENAMED", "EXPECT_TYPE_MISMATCH", "EXPECT_TYPE_UNSAFE"})


def with_data(
    report: Report,
    table: Table,
    head: Version,
    contract: Contract | None,
    *,
    policy: Policy | None = None,
    allowed: bool | None = None,
    now: datetime | None = None,
) -> Report:
    """The report about the newest version, with what the data add to it and what the verdict rests on. Contract is None for all columns."""
    policy = table.policy() if policy is None else policy
    about = described(head.schema, table.place.layout)
    if about is None:
        return _resting(report, _kept_here(table), now)
    with _counted(table) as opened:
        seen = look(about, opened, allowed=table.looks if allowed is None else allowed)
    data = _Data(table, head, about, seen, contract)
    findings = [one for one in data.findings() if one not in report.findings]
    added = strictest([Report(tuple(Ruling(rules, moment(now)).ruled(one, called(one)) for one in findings)) for rules in policy.joined()])
    notes = tuple(dict.fromkeys([*report.notes, *data.notes()]))
    found = msgspec.structs.replace(report, findings=(*report.findings, *added.findings), notes=notes)
    return _resting(found, seen.judged_by, now)


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


def _kept_here(table: Table) -> str:
    """What readers of the table go by: its schema files, or a description without any data that it names."""
    return DESCRIPTION if table.place.layout is Layout.REGISTRY else SCHEMA_FILES


def _resting(report: Report, judged_by: str, now: datetime | None) -> Report:
    at = moment(now).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return msgspec.structs.replace(report, judged_by=judged_by, at=at)


class _Data:
    """What was seen of the data, and what it means."""

    def __init__(self, table: Table, head: Version, about: Described, seen: DataLook, contract: Contract | None) -> None:
        self.table, self.head, self.about, self.seen = table, head, about, seen
        self.contract, self.asked = contract or Contract.of(head.schema), contract is not None
        self.unclear: Unclear | None = None
        self.written = self._written(*seen.footers[0]) if seen.footers else None

    def _written(self, entry: DataEntry, footer: Footer) -> Written | None:
        """What the file was written as, as `read_table` finds out; None if that is not known."""
        base = self.about.location.rstrip("/")
        try:
            versions = self.table.versions()
            number = Bound(self.table.bindings(), _address(base)).number(f"{_address(base)}/{entry.path}")
            return by_footer(KnownFields(versions), self._footer(footer), number, dict(entry.keys), self.head.schema)
        except Unclear as error:
            self.unclear = error
            return None

    def _footer(self, footer: Footer) -> Footer:
        return meant_timestamps(footer, self.head.schema) if self.about.format == ORC else footer

    # ------------------------------------------------------------ what is found

    def findings(self) -> Iterator[Finding]:
        """What the data add to the report."""
        if self.seen.reason:
            reason = f"{self.table.name} was judged by its description alone: {self.seen.reason}."
            yield _finding(NOT_LOOKED_AT, "table", reason, self.seen.fix)
        elif self.unclear is not None and self.unclear.code == _AMBIGUOUS:
            yield _finding(_UNEXPLAINED, self._file, f"{self._file}: {self.unclear.reason}", self._bind(self.unclear.fix))
        elif self.unclear is not None:
            yield from self._told(self._of_columns(), "of no known version")
        else:
            yield from self._of_version()

    def _of_columns(self) -> Iterator[Finding]:
        """The columns that are needed, and that a file of no known version does not have, or has of another type."""
        entry, footer = self.seen.footers[0]
        known = as_described(self._footer(footer), self.head.schema, [key for key, _ in entry.keys], self.contract)
        lacks = check_contract(known, self.contract, table=self.table.name).findings
        return (one for one in lacks if one.rule in _COUNTS)

    def _of_version(self) -> Iterator[Finding]:
        """What a job that reads lacks in the version that the file was written with."""
        version = self._version
        if version is None or version.number == self.head.number or not self.asked or self.contract.writes:
            return
        if self.contract.read_with == READ_TABLE:
            return  # read_table gives an old file the columns of the newest version
        lacks = check_contract(version.schema, self.contract, table=self.table.name).findings
        yield from self._told(iter(lacks), f"of version {version.number}")

    def _told(self, lacks: Iterator[Finding], what: str) -> Iterator[Finding]:
        """What is lacking, as what the file lacks. The table itself may have it, so that no change of the table takes it away."""
        for one in lacks:
            message = f"{one.message.rstrip('.')}: this is about {self._file}, the newest file, {what}."
            yield msgspec.structs.replace(one, message=message, fix=_FIX, changes=())

    @property
    def _version(self) -> Version | None:
        """The newest version that says what the file holds."""
        if self.written is None:
            return None
        if self.written.version is not None:
            return self.table.version(self.written.version)
        there = {(one.id, one.name) for one in (*self.written.columns, *self.written.keys)}
        versions = (one for one in reversed(self.table.versions()) if {(field.id, field.name) for field in one.schema.fields} == there)
        return next(versions, None)

    @property
    def _file(self) -> str:
        return self.seen.footers[0][0].path

    def _bind(self, fix: str) -> str:
        folder = self._file.rpartition("/")[0] or self.seen.folder
        return fix.replace("{bind}", f"SchemaStore(url).table({self.table.name!r}).bind({folder!r}, version)")

    # ------------------------------------------------------------ what is said

    def notes(self) -> Iterator[str]:
        """Which file was looked at, and what it is."""
        if not self.seen.footers:
            if not self.seen.reason:
                yield f"there is no data file in {self.seen.folder} yet, so that only the description was looked at"
            return
        version = self._version
        if version is not None and version.number != self.head.number:
            yield f"{self._file}, the newest file, was written with version {version.number}"
        elif self.unclear is not None and self.unclear.code != _AMBIGUOUS:
            yield f"no version explains {self._file}, the newest file: {self.unclear.reason.rstrip('.')}"


_FIX: Final = (
    "Find out who writes the files: have them written with the columns of the newest version, or evolve the description to what they are."
)


def _address(location: str) -> str:
    return location if "://" in location else f"file://{location}"


def _finding(rule: str, path: str, reason: str, fix: str) -> Finding:
    """A finding that speaks of the whole table."""
    row = RULES[rule]
    answers = row.answers()
    verdict = worst((answers.data_by_id, answers.jobs, answers.writers))
    return Finding(
        rule,
        path,
        row.says.format_map({"path": path, "reason": reason}),
        fix or row.fix,
        verdict,
        verdicts=answers,
        data=answers.data_by_id,
        jobs=answers.jobs,
        writers=answers.writers,
    )
