"""A line that cannot be read, in the formats of CI systems: nothing was judged, and every file that is asked for says so."""

from collections.abc import Mapping, Sequence

from airflow_provider_schemas.cli.arguments.outputs import FOR_CI, OutputFile
from airflow_provider_schemas.cli.check_files import append_summary, write_file
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.api import rendered
from airflow_provider_schemas.render.ci.check_run import CheckRun


def usage_run(fault: Mapping[str, str], command: str) -> CheckRun:
    """Return a run that judged nothing, for the fault of its line."""
    plain = Fault(fault["code"], fault["path"], fault["message"], fault["fix"])
    return CheckRun(faults=(plain,), title=f"airflow-schemas {command or 'check'}")


def write_usage_error(run: CheckRun, name: str, files: Sequence[OutputFile]) -> str:
    """Write the files, and return what goes to standard output in this format; empty for a person, who sees the usage."""
    for file in files:
        write_file(file.path, rendered(run, file.format))
    if "github" in (name, *(file.format for file in files)):
        append_summary(run)
    return rendered(run, name) if name in FOR_CI else ""
