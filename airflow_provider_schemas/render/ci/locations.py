"""Where findings and faults stand: files below the root of the repository, as hosts look for them."""

import re
from posixpath import isabs, join, normpath, relpath

from msgspec import Struct

from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?(?:\s.*)?", re.DOTALL)
_FILE = re.compile(r".*\.(?:ya?ml|json|avsc|sql|toml|txt|proto|parquet|py)|(?:.*/)?schema-[0-9]+", re.IGNORECASE | re.DOTALL)
_NOWHERE = "airflow-schemas"


class Location(Struct, frozen=True):
    """A place in a file; without a file, the name of the table stands in for its path."""

    path: str
    line: int = 0
    column: int = 0
    is_file: bool = True

    @property
    def first_line(self) -> int:
        """The line; hosts that need one get the first where only the file is known."""
        return max(self.line, 1)


def of_finding(finding: Finding, report: Report, run: CheckRun) -> Location:
    """Return the place of a finding: its own, else the file of its report, else the name of its table."""
    place = finding.place
    if place is not None and (place.file or report.file):
        return Location(below_root(place.file or report.file, run), place.line, place.column)
    return of_report(report, run)


def of_report(report: Report, run: CheckRun) -> Location:
    """Return the file of a report, else the name of its table."""
    if report.file:
        return Location(below_root(report.file, run))
    return Location(report.table or _NOWHERE, is_file=False)


def of_fault(fault: Fault, run: CheckRun) -> Location:
    """Return the place that the path of a fault names, else a stand-in for it."""
    match = _PLACE.fullmatch(fault.path)
    if match is not None and _names_file(match["file"]):
        return Location(below_root(match["file"], run), int(match["line"]), int(match["column"] or 0))
    name = fault.path if _names_file(fault.path) else fault.path.partition(" ")[0]
    if _names_file(name):
        return Location(below_root(name, run))
    return Location(_NOWHERE, is_file=False)


def _names_file(text: str) -> bool:
    """Return whether a text has the form of a local file's name; an address of a storage has not."""
    return "://" not in text and ("/" in text or _FILE.fullmatch(text) is not None)


def below_root(file: str, run: CheckRun) -> str:
    """Return the path of a file below the root of the repository; the absolute one of a file that lies elsewhere."""
    path = normpath(join(run.folder, file))
    if not run.root or not isabs(path):
        return path
    relative = relpath(path, run.root)
    if relative == ".." or relative.startswith("../"):
        return path
    return relative
