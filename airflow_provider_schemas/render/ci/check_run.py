"""Everything that a line judged, and what it could not judge, as CI systems are told of it."""

from msgspec import Struct

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import Fault


class CheckRun(Struct, frozen=True):
    """Everything that a line judged, as CI systems are told of it."""

    reports: tuple[Report, ...] = ()
    compared: tuple[str, ...] = ()
    """What was compared with what, a line each: first those of the reports, in their order."""
    faults: tuple[Fault, ...] = ()
    """What could not be judged: in every format an error, never left out."""
    notes: tuple[str, ...] = ()
    """About the whole run: the base and why it is the base, files that were left out, settings that changed."""
    title: str = "airflow-schemas check"
    docs: str = ""
    """The address in front of docs/rules/...; empty to write no links."""
    root: str = ""
    """The folder of the repository, absolute; places are told below it."""
    folder: str = ""
    """The folder, absolute, that relative paths begin in."""
    strict: bool = False
    """Whether warnings fail the run."""
    verbose: bool = False
    """Whether to tell what is fine, too."""
    whole: str = ""
    """The file that has everything, for formats that show a part."""
