"""The check at the door of a Spark job: are the tables still what was checked before it started?

Between the gate and the job there is time, and a retry of Spark's does not ask the gate again. One listing and one
read a table, through Spark; what was checked is found in the session's configuration, or in a gate's verdict.
"""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, Fault, IncompatibleSchemaError, NotThereError, SchemaError
from airflow_provider_schemas.spark.gate_handover import Checked, handed_over
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
_LOOK: Final = "Look whether it was dropped or renamed, and whether Spark reaches the storage that Airflow reaches."
# What somebody notices who reads the table, whatever of it.
_READERS: Final = Policy(protect={"data": "block", "jobs": "block", "writers": "off"}, against="previous")  # type: ignore[arg-type]  # plain values


class _Answer(Struct, frozen=True):
    """One table: as it was checked, and as it is."""

    table: str
    checked: Checked
    now: Version | None = None
    before: Version | None = None
    """What was checked, if it is another version and still there."""

    @property
    def moved(self) -> bool:
        return self.now is None or (self.now.number, self.now.digest) != (self.checked.version, self.checked.digest)

    @property
    def report(self) -> Report | None:
        """What came since means this for readers; None if nobody can tell."""
        if self.now is None or self.before is None or self.now.number < self.before.number:
            return None
        return check(self.before, self.now, _READERS, table=self.table)

    @property
    def fits(self) -> bool:
        """Whether readers of what was checked can go on with what there is."""
        report = self.report
        return report is not None and report.fits


def assert_schema(spark: "SparkSession", verdict: Any = None, *, on_moved: str = "fail") -> dict[str, Version]:
    """The tables that were checked before this job, each with its version; IncompatibleSchemaError if one is another by now.

    What was checked stands in the session's configuration, where a guard puts it; or hand in a gate's verdict, as a
    dict or as JSON. On moved is what another version or file means: fail, whatever came since; judge, fail only if what
    came since breaks readers; warn, say so in the log and go on. A table of Mini Paimon comes as its own file says,
    without the ids that lie beside it.
    """
    if on_moved not in _MEANINGS:
        fix = f"There are {', '.join(_MEANINGS)}."
        raise ContractError(f"{shown(on_moved)} is no meaning of a table that has moved.", code="door.on-moved", path="on_moved", fix=fix)
    answers = _together(spark, handed_over(spark, verdict))
    moved = [one for one in answers if one.moved]
    stopping = [one for one in moved if on_moved == "fail" or (on_moved == "judge" and not one.fits)]
    if stopping:
        raise _error(stopping)
    for one in moved:
        _log.warning("%s: %s", one.table, _message(one))
    return {one.table: one.now for one in answers if one.now is not None}


def _together(spark: "SparkSession", tables: dict[str, Checked]) -> list[_Answer]:
    if len(tables) == 1:
        return [_asked(spark, *one) for one in tables.items()]
    with ThreadPoolExecutor(min(_AT_ONCE, len(tables)), "schemas-door") as pool:
        return list(pool.map(lambda one: _asked(spark, *one), tables.items()))


def _asked(spark: "SparkSession", table: str, checked: Checked) -> _Answer:
    root, _, folder = checked.address.rstrip("/").rpartition("/")
    files = Numbered(SparkFiles(spark, root), folder, SCHEMA_FILE)
    found = _at(files, checked.version) if checked.pinned else files.newest()
    if found is None:
        return _Answer(table, checked)
    now = _version(files, checked, *found)
    same = now.number == checked.version
    before = None if same else _before(files, checked)
    return _Answer(table, checked, now, before)


def _at(files: Numbered, number: int) -> tuple[int, bytes] | None:
    try:
        return number, files.read(number)
    except NotThereError:
        return None


def _before(files: Numbered, checked: Checked) -> Version | None:
    """The version that was checked; nobody's fault if it cannot be read any more, or if its file is another one."""
    try:
        found = _version(files, checked, checked.version, files.read(checked.version))
    except SchemaError:
        return None
    return found if found.digest == checked.digest else None


def _version(files: Numbered, checked: Checked, number: int, data: bytes) -> Version:
    try:
        if checked.layout is Layout.MINI_PAIMON:
            return codec.decode_outside(data, None, number, checked.branch)
        return codec.decode(data, number, checked.branch)
    except SchemaError as error:
        raise codec.locate(error, f"{files.files.url}/{files.path(number)}") from None


# ---------------------------------------------------------------- what is said


def _error(moved: list[_Answer]) -> IncompatibleSchemaError:
    error = IncompatibleSchemaError.of(_fault(one) for one in moved)
    error.report = next((one.report for one in moved if one.report is not None), None)
    return error


def _fault(one: _Answer) -> Fault:
    code, fix = ("door.gone", _LOOK) if one.now is None else ("door.moved", _CLEAR)
    return Fault(code, one.table, _message(one), fix)


def _message(one: _Answer) -> str:
    if one.now is None:
        return f"{one.checked} was checked before this job, and there is no schema file of it in {one.checked.place}."
    return f"{one.checked} was checked before this job, and it is {' '.join(_found(one, one.now))}"


def _found(one: _Answer, now: Version) -> Iterator[str]:
    """What is there instead, by whom, what changed, and whom that concerns."""
    entry = HistoryEntry(now, one.before)
    by = f"by {entry.actor or 'somebody'}" if not entry.outside else "by an outside writer"
    about = [f"run {entry.run}"] if entry.run else []
    about += [f"approved by {entry.approval}"] if entry.approval else []
    where = f" ({', '.join(about)})" if about else ""
    yield f"version {now.number} ({now.digest[:8]}) now, {by}{where}."
    changes = entry.changes
    if changes:
        more = [f"and {len(changes) - _SHOWN} more"] if len(changes) > _SHOWN else []
        yield f"Since then: {'; '.join([*changes[:_SHOWN], *more])}."
    yield _meaning(one, now)


def _meaning(one: _Answer, now: Version) -> str:
    report = one.report
    if now.number == one.checked.version:
        return "The file of that version is another one: somebody wrote over it."
    if now.number < one.checked.version:
        return "Newer versions were taken away: somebody rolled the table back."
    if report is None:
        return "What was checked is not there any more, so nobody can tell what that means."
    if report.fits:
        return "That breaks no reader of what was checked."
    verdict = report.verdict
    rules = list(dict.fromkeys(f"{finding.rule} {finding.path}" for finding in report.findings if finding.verdict is verdict))
    return f"That breaks readers of what was checked: {', '.join(rules[:_SHOWN])}."
