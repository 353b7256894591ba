"""Run a command whose line has been read: its answer goes to standard output, its refusal to standard error, and both have a code."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TextIO

from airflow_provider_schemas.cli import airflow_connection, command_registry
from airflow_provider_schemas.cli.arguments.table_name import STDIN
from airflow_provider_schemas.cli.fix_hints import as_typed, sentence, with_conn
from airflow_provider_schemas.cli.judging import missing_tables, verdicts
from airflow_provider_schemas.cli.output.result import BREAK, INVALID, WARN, Answer, Line, Part
from airflow_provider_schemas.cli.output.writer import harmless, markdown_of, sheet_of, text_of
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.render.api import json_text, markdown, text
from airflow_provider_schemas.render.json_form import written_out
from airflow_provider_schemas.render.layout import commands_apart
from airflow_provider_schemas.render.wording import listed

NAME = "airflow-schemas"
FITS, BREAKS, REFUSED = 0, 1, 2
_SHOWN = 20
# The arguments that can be files, and so standard input.
_OF_FILES = ("object", "objects", "files", "plan", "columns", "base", "contract", "policy")
# The other arguments that stand on a line without an option.
_OF_NAMES = ("table", "tables", "databases", "place", "rule", "path", "changes")


def ran(args: Namespace) -> int:
    """Run it, and answer with the exit code."""
    try:
        answer = _answer(args)
    except SchemaError as error:
        return _refused(error, args)
    text = answer.text if args.format != "json" else None
    if text is not None:
        _put(sys.stdout, text)
        sys.stdout.flush()
    if not args.quiet:
        _put(sys.stdout if text is None else sys.stderr, _written(answer, args))
    if answer.faults and args.format != "json":
        _put(sys.stderr, with_conn("\n".join(_sentences(answer.faults, args)), args))
    if answer.failed or answer.faults:
        return REFUSED
    bad = (BREAK, INVALID, WARN) if args.strict else (BREAK, INVALID)
    return BREAKS if answer.verdict in bad else FITS


def _answer(args: Namespace) -> Answer:
    """What the command answers; where a connection is named, with Airflow around it."""
    _check_empty(args)
    _check_stdin(args)
    call = partial(command_registry.loaded(args.command).run, args)
    return airflow_connection.over_airflow(args, call) if args.conn else call()


def _check_empty(args: Namespace) -> None:
    """Refuse an argument without a letter: it comes of a variable that is not set, and as a path it would be the folder one is in."""
    values = [getattr(args, name, None) for name in (*_OF_FILES, *_OF_NAMES)]
    words = [word for value in values for word in (value if isinstance(value, list) else [value])]
    if any(isinstance(word, str) and not word.strip() for word in words):
        fix = "Give it a value, or leave it out: a variable of the shell may not be set."
        raise SchemaError("an argument is empty.", code="cli.empty-argument", fix=fix)


def _check_stdin(args: Namespace) -> None:
    """Refuse a line that names standard input twice: whoever reads it second would find nothing."""
    values = [getattr(args, name, None) for name in _OF_FILES]
    named = sum(value.count(STDIN) if isinstance(value, list) else value == STDIN for value in values)
    if named > 1:
        fix = "Name a file for the other one."
        raise SchemaError("standard input is read once, and named twice.", code="cli.objects", fix=fix)


def _written(answer: Answer, args: Namespace) -> str:
    if args.format == "json":
        return written_out(_typed(answer.data, args)) if answer.data is not None else json_text(answer.parts[0].value)  # type: ignore[union-attr]  # such an answer shows one thing
    now = datetime.now(UTC)
    parts = [*(_note_as_typed(part, args) for part in answer.parts), *_unjudged(answer, args)]
    if args.format == "markdown":
        return with_conn(markdown_of(parts, args.verbose, now), args)
    return _pasted(text_of(parts, sheet_of(args, now)), args)


def _note_as_typed(part: Part, args: Namespace) -> Part:
    """Give a note of the library in the words of a line; what stands elsewhere may be text of users."""
    if isinstance(part, Line) and part.text.startswith("note: "):
        return part._replace(text=as_typed(part.text, args))
    return part


def _typed(data: Any, args: Namespace) -> Any:
    """Complete the commands in the errors of an answer."""
    if not isinstance(data, dict) or not data.get("errors"):
        return data
    return {**data, "errors": [{**error, "fix": with_conn(error["fix"], args)} for error in data["errors"]]}


def _unjudged(answer: Answer, args: Namespace) -> list[Line]:
    """Name what could not be judged below the verdicts, so that they are not read as all there is.

    On a terminal the sentences stand on standard error; Markdown goes where that is not seen.
    """
    if args.format == "markdown":
        return [Line(f"✖ not judged: {sentence(fault, args)}") for fault in answer.faults[:_SHOWN]]
    paths = dict.fromkeys(fault.path for fault in answer.faults if fault.path)
    return [Line(f"✖ not judged: {listed(paths, _SHOWN)}")] if paths and answer.parts else []


def _pasted(text: str, args: Namespace) -> str:
    """Complete the commands of a text, and give those that are too wide then a line of their own."""
    width = sheet_of(args, datetime.now(UTC)).width
    return "\n".join(commands_apart(with_conn(text, args).split("\n"), width))


def _put(stream: TextIO, said: str) -> None:
    """Write it, with escapes for letters that the encoding of the stream has not."""
    encoding = stream.encoding or "utf-8"
    whole = said if said.endswith("\n") or not said else f"{said}\n"
    stream.write(whole.encode(encoding, "backslashreplace").decode(encoding))


# ---------------------------------------------------------------- refusals


def _refused(error: SchemaError, args: Namespace) -> int:
    report = error.report if isinstance(error, IncompatibleSchemaError) else None
    code = BREAKS if isinstance(error, IncompatibleSchemaError) else REFUSED
    faults = missing_tables.explained(error.faults, args)
    if args.format == "json" and verdicts.gives_verdicts(args):
        _put(sys.stdout, written_out(_typed(verdicts.json_form(verdicts.Verdicts(faults=faults)), args)))
        return code
    if args.format == "json":
        _put(
            sys.stdout,
            written_out(
                _error([fault._replace(fix=with_conn(fault.fix, args)) for fault in faults])
                | ({} if report is None else {"report": report_dict(report)})
            ),
        )
        return code
    if isinstance(report, Report) and not args.quiet:
        _put(sys.stdout, _report(report, args))
        sys.stdout.flush()
    _put(sys.stderr, with_conn("\n".join(_sentences(faults, args)), args))
    return code


def _report(report: Report, args: Namespace) -> str:
    now = datetime.now(UTC)
    if args.format == "markdown":
        return with_conn(markdown(report, verbose=args.verbose, now=now), args)
    return _pasted(text(report, width=args.width, color=False if args.no_color else None, verbose=args.verbose, now=now), args)


def _sentences(faults: Sequence[Fault], args: Namespace) -> list[str]:
    """What is wrong, a line a fault, as a terminal may have it."""
    said = [harmless(sentence(fault, args)) for fault in faults[:_SHOWN]]
    if len(faults) == 1:
        return [f"{NAME}: {said[0]}"]
    more = [f"  ... and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    return [f"{NAME}: {len(faults)} faults:", *(f"  {line}" for line in said), *more]


def _error(faults: Sequence[Fault]) -> dict[str, Any]:
    plain = [fault._asdict() for fault in faults]
    return {"error": {**plain[0], "faults": json.loads(json.dumps(plain))}}
