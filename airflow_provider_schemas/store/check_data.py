"""Does the data of a described table fit what a job needs? The newest file is asked, and what it does not tell is said.

A file is explained as `read_table` explains it. One that has exactly the columns of a known version is judged as that version. Of
any other, whatever is said of it, the columns that are needed and missing, or of another type, count. Who only writes is never stopped.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import msgspec

from airflow_provider_schemas.core.contracts.check_contract import called, check_contract
from airflow_provider_schemas.core.contracts.contract import Contract, Role, Shape
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import NOT_LOOKED_AT, Ruling, moment, strictest
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.footers.bound_folders import Bound
from airflow_provider_schemas.store.footers.described import ORC, Described, described
from airflow_provider_schemas.store.footers.explained_file import AMBIGUOUS, BAD_FOLDER, COLLIDING, Explained, explained
from airflow_provider_schemas.store.footers.file_columns import as_described, meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.look import DESCRIPTION, DataLook, look
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.resolve_schema import Unclear
from airflow_provider_schemas.store.footers.type_likeness import paths
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table import Table

SCHEMA_FILES: Final = "schema files"
_UNEXPLAINED: Final = "FILE_UNEXPLAINED"
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
    writes: bool = False,
    now: datetime | None = None,
) -> Report:
    """The report about the newest version, with what the data add to it and what the verdict rests on.

    Contract is None for all columns; writes is whether the job only writes then.
    """
    policy = table.policy() if policy is None else policy
    about = described(head.schema, table.place.layout)
    if about is None:
        return resting(report, kept_here(table), now)
    with _counted(table) as opened:
        seen = look(about, opened, allowed=table.looks if allowed is None else allowed)
    data = _Data(table, head, about, seen, contract=_reading(contract, head, writes), asked=contract is not None)
    findings = [one for one in data.findings() if one not in report.findings]
    added = strictest([Report(tuple(Ruling(rules, moment(now)).ruled(one, called(one)) for one in findings)) for rules in policy.joined()])
    notes = tuple(dict.fromkeys([*report.notes, *data.notes()]))
    told = added.findings if contract is not None else (msgspec.structs.replace(one, consumers=()) for one in added.findings)
    found = msgspec.structs.replace(report, findings=(*report.findings, *told), notes=notes)
    return resting(found, seen.judged_by, now)


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
        self.file = self._explained(*seen.footers[0]) if seen.footers else Explained()

    def _explained(self, entry: DataEntry, footer: Footer) -> Explained:
        """What the newest file is, as `read_table` finds out."""
        versions = {one.number: one for one in [*_readable(self.table, self.unread), self.head]}
        base = _address(self.about.location.rstrip("/"))
        bound = Bound(self.table.bindings(), base).number(f"{base}/{entry.path}")
        return explained(entry, self._meant(footer), versions, bound, self.head.schema)

    def _meant(self, footer: Footer) -> Footer:
        return meant_timestamps(footer, self.head.schema) if self.about.format == ORC else footer

    # ------------------------------------------------------------ what is found

    def findings(self) -> Iterator[Finding]:
        """What the data add to the report."""
        if self.seen.reason:
            reason = f"{self.table.name} was judged by its description alone: {self.seen.reason}."
            yield _finding(NOT_LOOKED_AT, "table", reason, self.seen.fix)
        elif not self.seen.footers or self.contract is None:
            return  # what a job replaces stops nobody from writing
        elif self.file.unclear is not None and self._stops(self.contract, self.file.unclear):
            yield _finding(_UNEXPLAINED, self._path, f"{self._path}: {self.file.unclear.reason}", self._bind(self.file.unclear.fix))
        elif self.contract.read_with != READ_TABLE:  # which gives a file the columns of the newest version
            yield from self._told(self._lacks(self.contract))

    def _stops(self, contract: Contract, unclear: Unclear) -> bool:
        """Whether a job that reads stops at such a file, or does not know what it reads; of others the columns tell."""
        if contract.read_with == READ_TABLE or unclear.code in (AMBIGUOUS, COLLIDING):
            return True
        return unclear.code == BAD_FOLDER and self.file.folder.lower() in {one.name.split(".")[0].lower() for one in contract.columns}

    def _lacks(self, contract: Contract) -> Iterator[Finding]:
        """What a job that goes by name lacks in the file."""
        version = self.file.version
        if version is None:
            return self._of_columns(contract)
        if version.number == self.head.number or not self.asked:
            return iter(())
        return iter(check_contract(version.schema, contract, table=self.table.name).findings)

    def _of_columns(self, contract: Contract) -> Iterator[Finding]:
        """The columns that are needed, and that the file itself does not have, or has of another type."""
        entry, footer = self.seen.footers[0]
        known = as_described(self._meant(footer), self.head.schema, [key for key, _ in entry.keys], contract)
        lacks = check_contract(known, contract, table=self.table.name).findings
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
        says = _UNLIKE.get(one.rule, "{message}: this is about {file}, the newest file, of no known version.")
        words = {"path": one.path, "new": one.new, "old": one.old, "file": self._path, "message": one.message.rstrip(".")}
        told = msgspec.structs.replace(one, message=says.format_map(words), fix=_FIX, changes=())
        if not self._left_out(one):
            return told
        return msgspec.structs.replace(told, jobs=Verdict.WARN, verdicts=Answers(jobs=Verdict.WARN), verdict=Verdict.WARN, consumers=())

    def _left_out(self, one: Finding) -> bool:
        """Whether a writer may simply have left the column out: it may be NULL, and the file has none that could be it by another name."""
        lookup = Lookup(self.head.schema)
        ours = lookup.in_any_case(lookup.path(one.path)) if one.rule == "EXPECT_FIELD_MISSING" else None
        if ours is None or not ours.field.type.nullable:
            return False
        known = {path.lower() for path, _ in paths(self.head.schema.fields)}
        return all(path.lower() in known for path, _ in paths(self.seen.footers[0][1].columns))

    @property
    def _path(self) -> str:
        return self.seen.footers[0][0].path

    def _bind(self, fix: str) -> str:
        folder = self._path.rpartition("/")[0] or self.seen.folder
        return fix.replace("{bind}", f"SchemaStore(url).table({self.table.name!r}).bind({folder!r}, version)")

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
        return None if writes else Contract.of(head.schema)
    if not contract.writes:
        return contract
    needs = tuple(
        one.model_copy(update={"role": read})
        for one in contract.columns
        if (read := tuple(role for role in one.role if role is not Role.WRITE))
    )
    return contract.model_copy(update={"columns": needs, "shape": Shape.OPEN}) if needs else None


_UNLIKE: Final = {
    "EXPECT_FIELD_MISSING": "{path} is not in {file}, the newest file, and the description has it.",
    "EXPECT_TYPE_MISMATCH": "{path} is {new} in {file}, the newest file, and {old} in the description.",
    "EXPECT_TYPE_UNSAFE": "{path} is {new} in {file}, the newest file, and {old} in the description.",
}
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
