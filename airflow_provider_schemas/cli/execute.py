"""Run a command whose line has been read: its answer goes to standard output, its refusal to standard error, and both have a code."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TextIO

from airflow_provider_schemas.cli import airflow_connection, command_registry
from airflow_provider_schemas.cli.arguments.mount import names_connection
from airflow_provider_schemas.cli.arguments.options import COLORS
from airflow_provider_schemas.cli.arguments.outputs import FILE_ARGUMENTS, FOR_CI, PLAIN, typed_words
from airflow_provider_schemas.cli.arguments.table_name import STDIN
from airflow_provider_schemas.cli.fix_hints import complete_data, in_words_of_line, sentence, whole_fault, with_store
from airflow_provider_schemas.cli.judging import missing_tables, verdicts
from airflow_provider_schemas.cli.output import pager
from airflow_provider_schemas.cli.output.progress import ProgressLine
from airflow_provider_schemas.cli.output.result import BREAK, INVALID, WARN, Answer, Part, Shown, TextLine
from airflow_provider_schemas.cli.output.writer import harmless, make_sheet, write_markdown, write_text
from airflow_provider_schemas.cli.project.settle import settle
from airflow_provider_schemas.cli.used_projects import projects_json
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.render.api import json_text, markdown, text
from airflow_provider_schemas.render.ci.log_text import is_obeyed, without_commands
from airflow_provider_schemas.render.json_form import written_out
from airflow_provider_schemas.render.layout import commands_apart
from airflow_provider_schemas.render.wording import listed

NAME = "airflow-schemas"
FITS = 0
BREAKS = 1
REFUSED = 2
_MAX_FAULTS = 20
_FILE_WIDTH = 100
# Formats for programs, which get no text in their place, and those whose answers have the faults in them.
_FOR_PROGRAMS = ("json", "html", *FOR_CI)
_WITH_FAULTS = ("json", "github")
# Formats in which verdicts alone are told as those of a run, with its headline and its faults.
_AS_RUN = ("markdown", "html")
# The other arguments that stand on a line without an option.
_NAME_ARGUMENTS = ("table", "tables", "databases", "place", "rule", "path", "changes")


def run_command(args: Namespace) -> int:
    """Run the command, write its answer into the files that the line asks for and to standard output, and return the exit code."""
    try:
        _check_html(args)
    except SchemaError as error:
        return _refuse(error, args)
    if args.outputs:
        _begin_files(args)
    try:
        with ProgressLine.of(args) as args.progress:
            answer = _answer(args)
    except SchemaError as error:
        return _refuse(error, args)
    unwritten = _write_files(answer, args)
    _write_answer(answer, args)
    if unwritten:
        _put(sys.stderr, "\n".join(_sentences(unwritten, args)))
    return REFUSED if unwritten else _code(answer, args)


def _code(answer: Answer, args: Namespace) -> int:
    if answer.failed or answer.faults:
        return REFUSED
    if answer.judged is None and args.format in FOR_CI:
        return REFUSED
    if args.strict and answer.verdict == WARN:
        return BREAKS
    return BREAKS if answer.verdict in (BREAK, INVALID) else FITS


def _answer(args: Namespace) -> Answer:
    """Return the answer of the command; where the line names a connection, Airflow is loaded around it."""
    _check_empty(args)
    _check_stdin(args)
    settle(args, whole_fault)
    call = partial(command_registry.COMMANDS[args.command].load().run, args)
    if args.conn or names_connection(args.mount):
        return airflow_connection.call_in_airflow(args, call)
    return call()


def _check_html(args: Namespace) -> None:
    """Refuse HTML where what renders it is not installed, before anything is done that the answer would tell of."""
    if "html" in (args.format, *(output.format for output in args.outputs)):
        from airflow_provider_schemas.render.html.environment import environment

        environment()


def _check_empty(args: Namespace) -> None:
    """Refuse an empty argument: it comes from a variable that is not set, and as a path it would be the current folder."""
    if all(word.strip() for word in typed_words(args, (*FILE_ARGUMENTS, *_NAME_ARGUMENTS))):
        return
    fix = "Give it a value, or leave it out: a variable of the shell may not be set."
    raise SchemaError("an argument is empty.", code="cli.empty-argument", fix=fix)


def _check_stdin(args: Namespace) -> None:
    """Refuse a line that names standard input twice: the second reader would find nothing."""
    if [*typed_words(args, FILE_ARGUMENTS)].count(STDIN) > 1:
        fix = "Name a file for the other one."
        raise SchemaError("standard input is read once, and named twice.", code="cli.objects", fix=fix)


# ---------------------------------------------------------------- answers


def _write_answer(answer: Answer, args: Namespace) -> None:
    """Write the answer; a text for another program goes to standard output alone, and everything else to standard error."""
    output = answer.text if args.format not in _FOR_PROGRAMS else None
    if output is not None:
        _show(output, args)
    if not args.quiet and output is None:
        _show(_render_answer(answer, args), args, obeyed=args.format == "github")
    elif not args.quiet:
        _put(sys.stderr, _render_answer(answer, args))
    if answer.faults and args.format not in _WITH_FAULTS:
        _put(sys.stderr, with_store("\n".join(_sentences(answer.faults, args)), args))


def _render_answer(answer: Answer, args: Namespace) -> str:
    if args.format == "json":
        return _render_json(answer, args)
    if args.format in FOR_CI or (args.format in _AS_RUN and _is_verdicts_alone(answer)):
        return _render_run(answer, args)
    now = datetime.now(UTC)
    parts = [*(_note_in_words_of_line(part, args) for part in answer.parts), *_not_judged(answer, args)]
    if args.format == "markdown":
        return with_store(write_markdown(parts, args.verbose, now), args)
    if args.format == "html":
        return _render_html(answer, parts, args, now)
    return _with_whole_commands(write_text(parts, make_sheet(args, now)), args)


def _render_html(answer: Answer, parts: Sequence[Part], args: Namespace, now: datetime) -> str:
    from airflow_provider_schemas.cli.output.html_writer import write_html

    return write_html(answer, parts, args, now, partial(with_store, args=args))


def _is_verdicts_alone(answer: Answer) -> bool:
    """Return whether the verdicts are all that an answer tells, so that its Markdown and its HTML are those of a run."""
    return answer.judged is not None and not answer.judged.has_parts


def _render_json(answer: Answer, args: Namespace) -> str:
    if answer.data is None:
        return json_text(answer.parts[0].value)  # type: ignore[union-attr]  # such an answer shows one value
    judged = isinstance(answer.data, dict) and "reports" in answer.data  # a schema is printed as it is
    return written_out(complete_data(answer.data, args) if judged else answer.data)


def _note_in_words_of_line(part: Part, args: Namespace) -> Part:
    """Write a note of the library in the words of a line; other lines may be text of users."""
    if isinstance(part, TextLine) and part.text.startswith("note: "):
        return part._replace(text=in_words_of_line(part.text, args))
    return part


def _not_judged(answer: Answer, args: Namespace) -> list[TextLine]:
    """Return lines about what could not be judged, to stand below the verdicts, so that those are not read as all there is.

    On a terminal the sentences stand on standard error; Markdown and HTML go where that is not seen.
    """
    if args.format in _AS_RUN:
        return [TextLine(f"✖ not judged: {sentence(fault, args)}") for fault in answer.faults[:_MAX_FAULTS]]
    paths = dict.fromkeys(fault.path for fault in answer.faults if fault.path)
    if not paths or not answer.parts:
        return []
    return [TextLine(f"✖ not judged: {listed(paths, _MAX_FAULTS)}")]


def _with_whole_commands(text: str, args: Namespace) -> str:
    """Complete the commands of a text, and give those that are too wide then a line of their own."""
    width = make_sheet(args, datetime.now(UTC)).width
    return "\n".join(commands_apart(with_store(text, args).split("\n"), width))


# ---------------------------------------------------------------- formats of CI systems, and files


def _render_run(answer: Answer, args: Namespace) -> str:
    # Only who asks for such a format loads what writes them.
    from airflow_provider_schemas.cli.check_files import run_of, show

    return show(run_of(answer, args), args.format, args)


def _begin_files(args: Namespace) -> None:
    from airflow_provider_schemas.cli.check_files import begin

    begin(args)


def _write_files(answer: Answer, args: Namespace) -> Sequence[Fault]:
    """Write the files that the line asks for, and return why some could not be written."""
    if not args.outputs and args.format != "github":
        return ()
    from airflow_provider_schemas.cli.check_files import run_of, write_all

    wanted = {output.format for output in args.outputs}
    given = {name: _whole_answer(answer, name, args) for name in PLAIN if name in wanted and answer.judged is not None}
    if _is_verdicts_alone(answer):
        given = {name: text for name, text in given.items() if name not in _AS_RUN}
    return write_all(run_of(answer, args), args, given)


def _whole_answer(answer: Answer, name: str, args: Namespace) -> str:
    """Return the answer as a file has it: without colours, and with what a terminal has on standard error."""
    plain = Namespace(**{**vars(args), "format": name, "color": "never", "width": args.width or _FILE_WIDTH})
    whole = _render_answer(answer, plain)
    if name == "text" and answer.faults:
        whole += "\n" + with_store("\n".join(_sentences(answer.faults, plain)), plain)
    return whole


def _write_refused_files(error: SchemaError, faults: Sequence[Fault], args: Namespace) -> Sequence[Fault]:
    """Write the refusal into the files, and where a format of a CI system is asked for, to standard output."""
    prints = args.format in FOR_CI or (args.format in _AS_RUN and _prints_comments(args))
    if not args.outputs and not prints:
        return ()
    from airflow_provider_schemas.cli.check_files import run_of_refusal, show, write_all

    reports = [error.report] if isinstance(error, IncompatibleSchemaError) and isinstance(error.report, Report) else []
    run = run_of_refusal(faults, args, reports)
    unwritten = write_all(run, args)
    if prints:
        _put(sys.stdout, show(run, args.format, args), obeyed=args.format == "github")
        sys.stdout.flush()
    return unwritten


def _prints_comments(args: Namespace) -> bool:
    """Return whether the Markdown of a command is a comment about verdicts, and its HTML a page about them."""
    return args.command in ("check", "audit")


def _show(text: str, args: Namespace, *, obeyed: bool = False) -> None:
    """Write a text to standard output; one that is longer than the screen through a pager."""
    if not pager.paged(text, sys.stdout, args):
        _put(sys.stdout, text, obeyed=obeyed)
        sys.stdout.flush()


def _put(stream: TextIO, text: str, *, obeyed: bool = False) -> None:
    """Write a text, with escapes for letters that the encoding of the stream does not have.

    A log that obeys commands gets none, but for those that are meant as such.
    """
    if not obeyed and is_obeyed():
        text = without_commands(text)
    encoding = stream.encoding or "utf-8"
    if text and not text.endswith("\n"):
        text += "\n"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


# ---------------------------------------------------------------- refusals


def _refuse(error: SchemaError, args: Namespace) -> int:
    """Write a refusal, and return its exit code."""
    faults = missing_tables.explained(error.faults, args)
    unwritten = _write_refused_files(error, faults, args)
    if args.format == "json":
        _show(written_out(_refusal_data(error, faults, args)), args)
    elif args.format != "github":
        _write_refusal(error, faults, args)
    if unwritten:
        _put(sys.stderr, "\n".join(_sentences(unwritten, args)))
        return REFUSED
    return BREAKS if isinstance(error, IncompatibleSchemaError) else REFUSED


def _refusal_data(error: SchemaError, faults: Sequence[Fault], args: Namespace) -> dict[str, Any]:
    """Return the JSON of a refusal, in the shape of what the command prints: verdicts, or an error."""
    if verdicts.gives_verdicts(args):
        data: dict[str, Any] = complete_data(verdicts.json_form(verdicts.Verdicts(faults=faults)), args)
        return {**data, **projects_json(args)}
    plain = [fault._replace(fix=with_store(fault.fix, args)).texts() for fault in faults]
    refusal: dict[str, Any] = {"error": {**plain[0], "faults": plain}}
    if isinstance(error, IncompatibleSchemaError) and error.report is not None:
        refusal["report"] = complete_data(report_dict(error.report), args)
    return refusal


def _write_refusal(error: SchemaError, faults: Sequence[Fault], args: Namespace) -> None:
    if isinstance(error, IncompatibleSchemaError) and isinstance(error.report, Report) and args.format in PLAIN and not args.quiet:
        _show(_render_report(error.report, args), args)
    _put(sys.stderr, with_store("\n".join(_sentences(faults, args)), args))


def _render_report(report: Report, args: Namespace) -> str:
    now = datetime.now(UTC)
    if args.format == "markdown":
        return with_store(markdown(report, verbose=args.verbose, now=now), args)
    if args.format == "html":
        return _render_html(Answer(), [Shown(report)], args, now)
    return _with_whole_commands(text(report, width=args.width, color=COLORS[args.color], verbose=args.verbose, now=now), args)


def _sentences(faults: Sequence[Fault], args: Namespace) -> list[str]:
    """Return the faults, a line each, without what a terminal must not get."""
    lines = [harmless(sentence(fault, args)) for fault in faults[:_MAX_FAULTS]]
    if len(faults) == 1:
        return [f"{NAME}: {lines[0]}"]
    if len(faults) > _MAX_FAULTS:
        lines.append(f"... and {len(faults) - _MAX_FAULTS} more")
    return [f"{NAME}: {len(faults)} faults:", *(f"  {line}" for line in lines)]
