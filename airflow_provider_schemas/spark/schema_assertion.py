"""The check with which a Spark job begins: are the tables still what was checked before it started?

Between the gate and the job there is time, and a retry of Spark's does not ask the gate again. One listing and one
read a table, through Spark; what was checked stands in the session's configuration, or in a gate's verdict.
"""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, Fault, IncompatibleSchemaError, NotThereError, SchemaError
from airflow_provider_schemas.spark.gate_handover import Checked, Verdict, handed_over
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.versions import codec
from airflow_provider_schemas.store.versions.history import HistoryEntry

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_AT_ONCE: Final = 8
_SHOWN: Final = 5
_MEANINGS: Final = ("fail", "judge", "warn")
_CLEAR: Final = (
    "Clear the gate before this task, so that the table is checked as it is now; clear the task itself where a guard checked it."
)
_GATE: Final = "Leave assert_schema out of this job, and let a gate or a guard check the table before it."
_LOOK: Final = "Look whether it was dropped or renamed, and whether Spark reaches the storage that Airflow reaches."
# What readers of the table notice, whatever they read of it.
_READERS: Final = Policy(protect={"data": "block", "jobs": "block", "writers": "off"}, against="previous")  # type: ignore[arg-type]  # plain values


class _Comparison(Struct, frozen=True):
    """One table: as it was checked, and as it is."""

    table: str
    checked: Checked
    now: Version | None = None
    before: Version | None = None
    """What was checked, if it is another version and still there."""

    @property
    def moved(self) -> bool:
        """Return whether the table is another one than was checked."""
        return self.now is None or (self.now.number, self.now.digest) != (self.checked.version, self.checked.digest)

    @property
    def report(self) -> Report | None:
        """Return what the changes since mean for readers; None if nobody can tell."""
        if self.now is None or self.before is None or self.now.number < self.before.number:
            return None
        return check(self.before, self.now, _READERS, table=self.table)

    @property
    def fits(self) -> bool:
        """Return whether readers of what was checked can go on with what there is."""
        report = self.report
        return report is not None and report.fits


def assert_schema(spark: "SparkSession", verdict: Verdict = None, *, on_moved: str = "fail") -> dict[str, Version]:
    """Return the tables that were checked before this job, each with its version; raise IncompatibleSchemaError if one is another by now.

    What was checked stands in the session's configuration, where a guard puts it; or hand in a gate's verdict, as a
    dict or as JSON. On moved is what another version or file means: fail, whatever came since; judge, fail only if what
    came since breaks readers; warn, say so in the log and go on. A table of Mini Paimon comes as its own file says,
    without the ids that lie beside it. Of a mounted table the log says that it was not looked at again.
    """
    if on_moved not in _MEANINGS:
        fix = f"There are {', '.join(_MEANINGS)}."
        raise ContractError(f"{shown(on_moved)} is no meaning of a table that has moved.", code="door.on-moved", path="on_moved", fix=fix)
    comparisons = _compare_all(spark, _comparable(handed_over(spark, verdict)))
    moved = [comparison for comparison in comparisons if comparison.moved]
    stopping = [comparison for comparison in moved if on_moved == "fail" or (on_moved == "judge" and not comparison.fits)]
    if stopping:
        raise _error(stopping)
    for comparison in moved:
        _log.warning("%s: %s", comparison.table, _message(comparison))
    return {comparison.table: comparison.now for comparison in comparisons if comparison.now is not None}


def _comparable(tables: dict[str, Checked]) -> dict[str, Checked]:
    """Return the tables whose schema files a job can read; say of the others that they were not looked at, and raise if there is no other.

    The schema of a mounted table lies in the metadata of its engine, behind a catalog that the job may not reach.
    """
    mounted = [table for table, checked in tables.items() if checked.layout is Layout.MOUNTED]
    if len(mounted) == len(tables):
        message = f"{', '.join(mounted[:_SHOWN])} cannot be compared in a job: the engine that keeps the table has its schema."
        raise NotThereError(message, code="door.mounted", path=mounted[0], fix=_GATE)
    for table in mounted:
        _log.warning(
            "%s: %s was checked before this job. It is not looked at again here, since others keep the table.", table, tables[table]
        )
    return {table: checked for table, checked in tables.items() if table not in mounted}


def _compare_all(spark: "SparkSession", tables: dict[str, Checked]) -> list[_Comparison]:
    if len(tables) == 1:
        return [_compare(spark, table, checked) for table, checked in tables.items()]
    with ThreadPoolExecutor(min(_AT_ONCE, len(tables)), "schemas-door") as pool:
        return list(pool.map(lambda table: _compare(spark, table, tables[table]), tables))


def _compare(spark: "SparkSession", table: str, checked: Checked) -> _Comparison:
    """Compare a table as it was checked with what it is now."""
    root, _, folder = checked.address.rstrip("/").rpartition("/")
    files = Numbered(SparkFiles(spark, root), folder, SCHEMA_FILE)
    found = _read_pinned(files, checked.version) if checked.pinned else files.newest()
    if found is None:
        return _Comparison(table, checked)
    now = _decode(files, checked, *found)
    if now.number == checked.version:
        return _Comparison(table, checked, now)
    return _Comparison(table, checked, now, _read_checked(files, checked))


def _read_pinned(files: Numbered, number: int) -> tuple[int, bytes] | None:
    try:
        return number, files.read(number)
    except NotThereError:
        return None


def _read_checked(files: Numbered, checked: Checked) -> Version | None:
    """Return the version that was checked; None if it cannot be read any more, or if its file is another one."""
    try:
        version = _decode(files, checked, checked.version, files.read(checked.version))
    except SchemaError:
        return None
    return version if version.digest == checked.digest else None


def _decode(files: Numbered, checked: Checked, number: int, data: bytes) -> Version:
    try:
        if checked.layout is Layout.MINI_PAIMON:
            return codec.decode_outside(data, None, number, checked.branch)
        return codec.decode(data, number, checked.branch)
    except SchemaError as error:
        raise codec.locate(error, f"{files.files.url}/{files.path(number)}") from None


# ---------------------------------------------------------------- messages


def _error(moved: list[_Comparison]) -> IncompatibleSchemaError:
    """Return the error about all tables that stop the job."""
    error = IncompatibleSchemaError.of(map(_fault, moved))
    reports = (comparison.report for comparison in moved)
    error.report = next((report for report in reports if report is not None), None)
    return error


def _fault(comparison: _Comparison) -> Fault:
    if comparison.now is None:
        return Fault("door.gone", comparison.table, _message(comparison), _LOOK)
    return Fault("door.moved", comparison.table, _message(comparison), _CLEAR)


def _message(comparison: _Comparison) -> str:
    checked = comparison.checked
    if comparison.now is None:
        return f"{checked} was checked before this job, and there is no schema file of it in {checked.place}."
    sentences = " ".join(_sentences(comparison, comparison.now))
    return f"{checked} was checked before this job, and it is {sentences}"


def _sentences(comparison: _Comparison, now: Version) -> Iterator[str]:
    """Yield what is there instead, by whom, what changed, and whom that concerns."""
    entry = HistoryEntry(now, comparison.before)
    yield f"version {now.number} ({now.digest[:8]}) now, by {_author(entry)}{_origin(entry)}."
    changes = list(entry.changes)
    if len(changes) > _SHOWN:
        changes = [*changes[:_SHOWN], f"and {len(changes) - _SHOWN} more"]
    if changes:
        yield f"Since then: {'; '.join(changes)}."
    yield _meaning(comparison, now)


def _author(entry: HistoryEntry) -> str:
    return "an outside writer" if entry.outside else entry.actor or "somebody"


def _origin(entry: HistoryEntry) -> str:
    """Return the run that wrote a version, and who approved it, in brackets; empty if neither is known."""
    parts: list[str] = []
    if entry.run:
        parts.append(f"run {entry.run}")
    if entry.approval:
        parts.append(f"approved by {entry.approval}")
    return f" ({', '.join(parts)})" if parts else ""


def _meaning(comparison: _Comparison, now: Version) -> str:
    """Return what the change means for readers of what was checked."""
    if now.number == comparison.checked.version:
        return "The file of that version is another one: somebody wrote over it."
    if now.number < comparison.checked.version:
        return "Newer versions were taken away: somebody rolled the table back."
    report = comparison.report
    if report is None:
        return "What was checked is not there any more, so nobody can tell what that means."
    if report.fits:
        return "That breaks no reader of what was checked."
    findings = (finding for finding in report.findings if finding.verdict is report.verdict)
    rules = list(dict.fromkeys(f"{finding.rule} {finding.path}" for finding in findings))
    return f"That breaks readers of what was checked: {', '.join(rules[:_SHOWN])}."
