"""What runs when `airflow-schemas` is typed: read the line, run one command, write its answer, end with a code.

0    it fits; with warnings, too, unless --strict
1    something breaks
2    the line, a file or a storage cannot be read, or the command is refused
130  Ctrl-C
141  nobody reads the answer any more
"""

import gc
import json
import os
import sys
from argparse import PARSER, SUPPRESS, Namespace
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from airflow_provider_schemas import __version__
from airflow_provider_schemas.cli import command_registry
from airflow_provider_schemas.cli.arguments import options

PROG = "airflow-schemas"
# What gives verdicts; named here as well, because a line is read before the library is loaded.
_OF_VERDICTS = ("check", "plan")
_SAYS = "The schema registry for tables, without a server: versions, changes, what they break and for whom."
_ENDS = "Each command tells more: {prog} COMMAND --help. Exit codes: 0 fits, 1 breaks, 2 cannot be done."


def main(argv: Sequence[str] | None = None, prog: str = PROG, conn: str | None = None) -> int:
    """Run a command, and answer with its exit code. Conn is the connection that is meant where no store is named."""
    _open_closed()
    if argv is None:  # a process of our own: what modules make while they load stays, so that nobody has to look for garbage in it
        gc.disable()
    try:
        code = _run(sys.argv[1:] if argv is None else argv, prog, conn, collect=argv is None)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _unread()
        return 141
    except OSError as error:  # what was to be done is done or refused by now: only the telling failed
        _unread()
        with suppress(OSError):  # standard error may be what cannot be written
            sys.stderr.write(f"{prog}: the answer could not be written: {error.strerror or error}. What was asked for may be done; look.\n")
            sys.stderr.flush()
        return 2
    except SystemExit as end:  # how argparse ends
        words = sys.argv[1:] if argv is None else argv
        if end.code == 2 and _as_json(words):
            sys.stdout.write(json.dumps(_usage_error(prog, words), indent=2) + "\n")
        return end.code if isinstance(end.code, int) else 0
    finally:
        if argv is None:
            gc.enable()


def _usage_error(prog: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the JSON of a line that cannot be read, in the shape of what the command prints: verdicts, or an error."""
    command = _command_of(words)
    fix = f"Type {prog} {command or 'COMMAND'} --help."
    wrong = {"code": "cli.usage", "path": "", "message": options.Parser.refused, "fix": fix}
    if command in _OF_VERDICTS or (command == "restore" and "--dry-run" in words):
        return {"format": 1, "compared": [], "reports": [], "errors": [{**wrong, "place": None}]}
    return {"error": {**wrong, "faults": [wrong]}}


def _command_of(words: Sequence[str]) -> str:
    """Return the command of a line that cannot be read: the one whose parser refused it, else the first that is named."""
    named = options.Parser.command
    known = command_registry.COMMANDS
    return named if named in known else next((word for word in words if word in known), "")


def _as_json(argv: Sequence[str]) -> bool:
    """Whether the answer is to be JSON, as far as a line tells that cannot be read."""
    return "--format=json" in argv or any(one == "--format" and other == "json" for one, other in pairwise(argv))


def _run(argv: Sequence[str], prog: str, conn: str | None, *, collect: bool) -> int:
    args = parsed(argv, prog, conn)
    # What runs a command needs the core, without which --help is quicker.
    from airflow_provider_schemas.cli.execute import ran

    if collect:  # from here on, garbage is looked for among what the command makes
        gc.freeze()
        gc.enable()
    return ran(args)


def parsed(argv: Sequence[str], prog: str = PROG, conn: str | None = None) -> Namespace:
    """The command and its arguments; ends the process where they cannot be read."""
    listed = "\n".join(f"  {name:<10}{one.says}" for name, one in command_registry.COMMANDS.items())
    top = options.parser(
        prog,
        f"{_SAYS}\n\ncommands:\n{listed}",
        epilog=_ENDS.format(prog=prog),
        usage=f"{prog} [options] COMMAND ...",
        formatter_class=options.RawLayout,
    )
    top.add_argument("--version", action="version", version=f"{prog} {__version__}")
    options.add(top)
    top.add_argument("command", nargs=PARSER, choices=tuple(command_registry.COMMANDS), metavar="COMMAND", help=SUPPRESS)
    args = top.parse_args(argv, Namespace(**options.defaults()))
    name, *rest = args.command
    ends = {"epilog": f"Without --store and --conn, the store is that of the connection {conn}."} if conn else {}
    says = command_registry.COMMANDS[name].says
    command = options.parser(f"{prog} {name}", f"{says[:1].upper()}{says[1:]}.", **ends)
    command_registry.loaded(name).arguments(command)
    options.add(command)
    args.command = name
    return options.settle(command.parse_args(rest, args), command.error, conn)


def _open_closed() -> None:
    """Let what would be written to a stream that is closed go nowhere: the exit code counts all the same."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # how Python shows that nobody opened it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  # as long as the process lives


def _unread() -> None:
    """Let what is still to be written go nowhere, so that the end of the process is quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # what stands for the standard output is no file
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # as long as the process lives
