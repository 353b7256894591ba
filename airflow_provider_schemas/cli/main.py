"""The entry of `airflow-schemas`: read the line, run one command, write its answer, end with a code.

0    it fits; with warnings, too, unless --strict
1    something breaks
2    the line, a file or a storage cannot be read, or the command is refused
130  Ctrl-C
141  the reader of the output has gone away
"""

import gc
import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from airflow_provider_schemas.cli import command_registry
from airflow_provider_schemas.cli.arguments import options, outputs, usage_errors
from airflow_provider_schemas.cli.help import parsers, verbs

PROG = "airflow-schemas"


def main(argv: Sequence[str] | None = None, prog: str = PROG, conn: str | None = None) -> int:
    """Run a command and return its exit code. `conn` is the connection of a line that names no store."""
    _open_closed()
    owns_process = argv is None
    words = sys.argv[1:] if argv is None else argv
    if owns_process:  # what modules make while they load stays, so that searching it for garbage is a waste
        gc.disable()
    try:
        code = _run(words, prog, conn, collect=owns_process)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:  # what was to be done is done or refused by now: only the answer could not be written
        _discard_output()
        with suppress(OSError):  # standard error may be what cannot be written
            sys.stderr.write(f"{prog}: the answer could not be written: {error.strerror or error}. What was asked for may be done; look.\n")
            sys.stderr.flush()
        return 2
    except SystemExit as end:  # how argparse ends
        if end.code == 2:
            _report_usage_error(words)
        return end.code if isinstance(end.code, int) else 0
    except Exception:
        if not owns_process:
            raise
        return _crashed(prog)
    finally:
        if owns_process:
            gc.enable()


def _crashed(prog: str) -> int:
    """Write where the program failed, and return 2: Python's own code 1 would say that something breaks."""
    import traceback

    traceback.print_exc()
    sys.stderr.write(f"{prog}: this is a fault of the program, and nothing is said about your tables. Report it with the lines above.\n")
    return 2


def _run(words: Sequence[str], prog: str, conn: str | None, *, collect: bool) -> int:
    args = parse_line(words, prog, conn)
    # What runs a command needs the core, without which --help is quicker.
    from airflow_provider_schemas.cli.execute import run_command

    if collect:  # from here on, garbage is looked for among what the command makes
        gc.freeze()
        gc.enable()
    return run_command(args)


# ---------------------------------------------------------------- the line


def parse_line(words: Sequence[str], prog: str = PROG, conn: str | None = None) -> Namespace:
    """Return the command and its arguments; end the process where they cannot be read."""
    top = parsers.top_parser(prog)
    args = parsers.parse(top, words, Namespace(**options.defaults()))
    name, *rest = args.command
    if name in verbs.VERBS:
        verbs.run(name, rest, args, prog, conn)
    if name not in command_registry.COMMANDS:
        top.refuse(usage_errors.about_command(name, parsers.names(), prog))
    command = parsers.command_parser(prog, name, conn)
    args.command = name
    line = parsers.parse(command, rest, args)
    if name in command_registry.WITHOUT_STORE:
        return line
    return options.settle(line, command.error, conn)


def _report_usage_error(words: Sequence[str]) -> None:
    """Write what is wrong with a line into the files that it asks for, and print it in a format that programs read."""
    name = outputs.format_of(words)
    files = outputs.asked(words)
    if name == "json":
        sys.stdout.write(json.dumps(_usage_error(words), indent=2) + "\n")
    if not files and name not in outputs.FOR_CI:
        return
    from airflow_provider_schemas.cli.usage_error import usage_run, write_usage_error

    run = usage_run(_usage_fault(), _command_of(words))
    sys.stdout.write(write_usage_error(run, name, files))


def _usage_fault() -> dict[str, str]:
    """Return what is wrong with a line that cannot be read."""
    return {"code": "cli.usage", "path": "", **options.CommandParser.refused._asdict()}


def _usage_error(words: Sequence[str]) -> dict[str, Any]:
    """Return the JSON about a line that cannot be read, in the shape of the command's answer: verdicts, or an error."""
    command = _command_of(words)
    fault = _usage_fault()
    if command in command_registry.VERDICT_COMMANDS or (command in command_registry.COMMITS and "--dry-run" in words):
        return {"format": 1, "compared": [], "reports": [], "errors": [{**fault, "place": None}]}
    return {"error": {**fault, "faults": [fault]}}


def _command_of(words: Sequence[str]) -> str:
    """Return the command of a line that cannot be read: the one whose parser refused it, else the first that it names."""
    refused = options.CommandParser.command
    known = command_registry.COMMANDS
    if refused in known:
        return refused
    return next((word for word in words if word in known), "")


# ---------------------------------------------------------------- streams


def _open_closed() -> None:
    """Replace closed streams by one that discards what is written: the exit code counts all the same."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Python's value for a stream that is closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  # as long as the process lives


def _discard_output() -> None:
    """Discard what is still to be written, so that the end of the process is quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # the standard output has no file descriptor
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # as long as the process lives
