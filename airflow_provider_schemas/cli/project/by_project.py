"""The verdicts of a check whose objects belong to several projects: each group by the settings of its own project, then all together.

A project that cannot be judged, as its store is away, is a fault beside the verdicts of the others.
"""

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from airflow_provider_schemas.cli import airflow_connection
from airflow_provider_schemas.cli.arguments.mount import names_connection
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport, Verdicts, placed
from airflow_provider_schemas.cli.output.result import WARN, worst
from airflow_provider_schemas.cli.project.find import folder_of
from airflow_provider_schemas.cli.project.settle import settle_group
from airflow_provider_schemas.cli.project.split import Group
from airflow_provider_schemas.errors import Fault, SchemaError

_NOT_NEW = "cli.not-new"

Judge = Callable[[Namespace], Verdicts]


def verdicts(args: Namespace, judge: Judge) -> Verdicts:
    """Judge the objects of several projects, one project after the other."""
    joined = Verdicts()
    for group in args.groups:
        joined = joined.joined(_of_group(group, args, judge))
    return joined._replace(faults=_about_new(joined.faults, len(args.groups)))


def _of_group(group: Group, args: Namespace, judge: Judge) -> Verdicts:
    line = _line_of(group, args)
    try:
        settle_group(line, group)
        judged = with_changed_files(_judge(line, args, judge), line)
    except SchemaError as error:
        judged = Verdicts(faults=[_of_project(fault, group) for fault in placed(error, group.source)])
    args.projects += line.projects
    _remember_stores(judged, line, args)
    if line.strict and worst([verdict.report.verdict for verdict in judged.judged]) == WARN:
        args.strict = True  # the exit code of the whole line says it
    return _labelled(judged, group, line, args)


def with_changed_files(judged: Verdicts, line: Namespace) -> Verdicts:
    """Return the verdicts with notes about project files that differ from the base, where files were compared with git."""
    if judged.git is None:
        return judged
    # What runs git is not needed by other checks.
    from airflow_provider_schemas.cli.project import against_git

    return judged._replace(notes=[*judged.notes, *against_git.notes(judged.git, line.objects)])


def _line_of(group: Group, args: Namespace) -> Namespace:
    """Return the line as if it named the objects of one group alone."""
    values = {**vars(args), "groups": (), "projects": [], "opened": None, "objects": group.objects}
    values["new"] = [name for name in args.new if _is_about(name, group)]
    for name in ("storage_option", "mount"):
        values[name] = list(values[name])
    return Namespace(**values)


def _is_about(name: object, group: Group) -> bool:
    """Return whether what stands behind --new may be about a group: a file is about that of its project, a table about any."""
    folder = folder_of(name) if isinstance(name, str) and local_io.exists(name) else None
    if folder is None or name in group.objects:
        return True
    return group.project is not None and f"{folder}/".startswith(f"{group.project.folder}/")


def _judge(line: Namespace, args: Namespace, judge: Judge) -> Verdicts:
    """Judge a group; where its store is that of a connection, Airflow is loaded around it."""
    is_loaded = bool(args.conn) or names_connection(args.mount)
    if is_loaded or not (line.conn or names_connection(line.mount)):
        return judge(line)
    return airflow_connection.call_in_airflow(line, partial(judge, line))


def _about_new(faults: Iterable[Fault], groups: int) -> list[Fault]:
    """Leave out that a group has no file about a table behind --new, unless no group has; then it is told once."""
    known = list(faults)
    about_new = [fault for fault in known if fault.code == _NOT_NEW and fault.path.startswith("--new ")]
    unknown = [fault for fault in dict.fromkeys(about_new) if about_new.count(fault) >= groups]
    return [*(fault for fault in known if fault not in about_new), *unknown]


# ---------------------------------------------------------------- words


def _of_project(fault: Fault, group: Group) -> Fault:
    """Return a fault that keeps a whole project from being judged; it is about the file of the project."""
    if group.project is None or fault.path.startswith(group.label):
        return fault
    message = fault.message
    if not message.startswith(fault.path):
        message = f"{fault.path}: {message}"
    return fault._replace(path=group.label, message=message)


def _labelled(judged: Verdicts, group: Group, line: Namespace, args: Namespace) -> Verdicts:
    """Return the verdicts with the project in what was compared, and with whole commands in the faults."""
    label = "{}; project {}".format if group.project else "{}; {}".format
    reports = [ComparedReport(label(verdict.compared, group.label), verdict.report, verdict.more) for verdict in judged.judged]
    faults = [args.whole_fault(fault, line) for fault in missing_tables.explained(judged.faults, line)]
    unmatched = [label(text, group.label) for text in judged.unmatched]
    notes = [label(note, group.label) for note in judged.notes]
    return judged._replace(judged=reports, faults=faults, unmatched=unmatched, notes=notes)


def _remember_stores(judged: Verdicts, line: Namespace, args: Namespace) -> None:
    """Keep which line a table was judged by, so that the commands about it name its store; of two stores none is named."""
    owners: Mapping[str, Namespace | None] = args.lines_of_tables
    tables = {verdict.report.table for verdict in judged.judged if verdict.report.table}
    args.lines_of_tables = {**owners, **{table: None if table in owners else line for table in tables}}
