"""Verdicts for CI systems: the value that formats are made of, and the files that `--output` asks for.

Each file is written twice: before the command runs, with the fault that it has not ended, and with its answer or its
refusal. Whatever ends the process in between, no file says of this run what an earlier one found.
"""

import os
import stat
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from airflow_provider_schemas.cli.fix_hints import in_words_of_line, with_store
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.api import rendered
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.comment import MARKER, STEP_SUMMARY, comment
from airflow_provider_schemas.render.ci.entries import UNREAD, Completed

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of a step's summary."""
_ENDED = Fault("cli.not-ended", "", "the command did not end, so nothing was judged.", "Look into the log of the run, and run it again.")
_NO_VERDICTS = Fault("cli.no-verdicts", "", "the command gave no verdicts.", "Leave the format out: this answer has text and JSON only.")
_NOT_ALL = Fault("cli.not-all", "", "not all that was asked for could be done.", "Look at the text of the answer, which says what.")
NO_ANSWERS: Mapping[str, str] = MappingProxyType({})
# A summary that has less room than this is left out.
_LEAST = 2_000


# ---------------------------------------------------------------- the run


def run_of(answer: Answer, args: Namespace) -> CheckRun:
    """Return what an answer judged."""
    faults = [*answer.faults]
    judged = answer.judged
    if judged is None:
        return _run([*faults, _NO_VERDICTS], (), args)
    if answer.failed and not faults and not _has_unread(judged.reports):
        faults.append(_NOT_ALL)
    return _run(faults, judged.reports, args, judged.compared, judged.notes)


def _has_unread(reports: Iterable[Report]) -> bool:
    """Return whether a finding says that something was not read."""
    return any(finding.rule in UNREAD for report in reports for finding in report.findings)


def run_of_refusal(faults: Sequence[Fault], args: Namespace, reports: Sequence[Report] = ()) -> CheckRun:
    """Return a run that judged nothing, or of which a report says why it was refused."""
    return _run(faults, reports, args)


def _run(
    faults: Sequence[Fault], reports: Sequence[Report], args: Namespace, compared: Sequence[str] = (), notes: Sequence[str] = ()
) -> CheckRun:
    in_words = partial(in_words_of_line, args=args)
    folder = os.path.realpath(os.curdir)
    return CheckRun(
        reports=tuple(reports),
        compared=tuple(compared),
        faults=tuple(fault._replace(message=in_words(fault.message), fix=in_words(fault.fix)) for fault in faults),
        notes=tuple(notes),
        title=f"airflow-schemas {args.command}",
        docs=args.docs or "",
        root=_root(folder),
        folder=folder,
        strict=bool(args.strict),
        verbose=bool(args.verbose),
        whole=_whole(args),
    )


def _root(folder: str) -> str:
    """Return the folder of the repository: the nearest one upwards that git keeps; else this one."""
    path = Path(folder)
    return str(next((parent for parent in (path, *path.parents) if (parent / ".git").exists()), path))


def _whole(args: Namespace) -> str:
    """Return the name of a file that has all findings; empty without one."""
    files = {output.format: output.file for output in args.outputs}
    return next((files[name] for name in ("json", "text", "sarif", "gitlab") if name in files), "")


def show(run: CheckRun, name: str, args: Namespace) -> str:
    """Return the run in a format."""
    return rendered(run, name, partial(with_store, args=args))


# ---------------------------------------------------------------- files


def begin(args: Namespace) -> None:
    """Replace what earlier runs left in the files. A file that cannot be written is reported at the end, by the same attempt."""
    run = run_of_refusal([_ENDED], args)
    for output in args.outputs:
        if _is_plain(output.path):
            write_file(output.path, show(run, output.format, args))


def _is_plain(path: str) -> bool:
    """Return whether a path is free, or that of a plain file; a pipe would be given both texts."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116  # of the path as it is
    except OSError:
        return True


def write_all(run: CheckRun, args: Namespace, answers: Mapping[str, str] = NO_ANSWERS) -> list[Fault]:
    """Write all files, and the summary of the step where GitHub's format is asked for; return why some could not be written.

    `answers` are the answer of the command in formats in which that tells more than the verdicts.
    """
    faults: list[Fault] = []
    for output in args.outputs:
        whole = answers.get(output.format) or show(run, output.format, args)
        if output.format == "markdown" and not whole.startswith(MARKER):
            whole = f"{MARKER}\n{whole}"
        faults += _fault(output.file, write_file(output.path, whole))
    if args.format == "github" or any(output.format == "github" for output in args.outputs):
        faults += append_summary(run, partial(with_store, args=args))
    return faults


def write_file(path: str, text: str) -> str:
    """Write a file, and return why it cannot be written; empty where it was."""
    try:
        Path(path).write_bytes(_encoded(text))
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    return ""


def _encoded(text: str) -> bytes:
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "backslashreplace")


def _fault(file: str, reason: str) -> list[Fault]:
    if not reason:
        return []
    fix = "Name a file in a folder that is there and may be written to."
    return [Fault("cli.unwritable", "", f"{shown(file)} cannot be written: {reason}.", fix)]


def append_summary(run: CheckRun, completed: Completed = str) -> list[Fault]:
    """Append the comment to the summary of a step of GitHub, below what GitHub takes of a step."""
    path = os.environ.get(SUMMARY) or ""
    if not path:
        return []
    try:
        taken = Path(path).stat().st_size if Path(path).exists() else 0
        if STEP_SUMMARY - taken >= _LEAST:
            with Path(path).open("ab") as file:
                file.write(_encoded(comment(run, completed, STEP_SUMMARY - taken)))
    except (OSError, ValueError) as error:
        return _fault(path, str(getattr(error, "strerror", None) or error))
    return []
