"""Advice in the words of a command line: the library names arguments, a terminal has options, and a connection has extras."""

import re
import shlex
from argparse import Namespace
from collections.abc import Sequence
from typing import Any, cast

from airflow_provider_schemas.cli import command_registry
from airflow_provider_schemas.core.common.secrets import is_secret, without_credentials
from airflow_provider_schemas.errors import Fault

# Words of the library, and the options that stand for them on every line.
_OPTIONS = {
    "pending=True": "--pending",
    "pass override with the reason": "pass --override REASON",
    "pass override": "pass --override REASON",
    "with expected_version on which version it was seen": "with --expect N which version was seen",
    "purge=True": "--purge",
    "Open the store with a mount of this name": "Say where it is kept: --mount DB=PLACE",
    "Adopt the table into the registry": "Keep it in the registry, with `create --location`",
}
# Words about how the store is opened, and the options for them where the line names a store.
_STORE_OPTIONS = {
    "single_writer=True": "--single-writer",
    "without read_only": "without --read-only",
    "with layout=": "with --layout",
    "storage_options": "--storage-option",
    "correct registry_id in the connection": "correct --registry-id",
    "name it in the connection: registry_id=": "name it with --registry-id ",
    "Name it in the connection: registry_id=": "Name it from now on with --registry-id ",
    "the connection names the registry": "--registry-id names the registry",
    "write the registry_id that is printed then into the connection": "pass the --registry-id that is printed then",
    "leave registry_id out": "leave --registry-id out",
}
# The same words where the line names a connection.
_CONNECTION_SETTINGS = {
    "single_writer=True": "single_writer in the extra of the connection",
    "without read_only": "without read_only in the extra of the connection",
    "with layout=": "with layout in the extra of the connection",
    "storage_options": "the connection",
}
_READ_ONLY = {"without read_only": "without --read-only"}
_OF_STORES = "|".join(name for name in command_registry.COMMANDS if name not in (*command_registry.WITHOUT_STORE, "contract"))
# The second verbs of a command, behind which options stand.
_INNER = r"contract(?:\s+(?:register|publish|list|remove))?"
_COMMAND = re.compile(rf"\bairflow-schemas\s+({_OF_STORES}|{_INNER})\b(?! --(?:conn|store|branch|help)\b)")

# The codes of faults of project files, whose keys are called as the arguments of the library.
_OF_PROJECT = "project."
_AT_BRANCH = re.compile(r"[^@/\\]+@(?P<branch>[^:@/\\]+)(?::[0-9]+)?")


def sentence(fault: Fault, args: Namespace) -> str:
    """Write a fault in the words of a line; its path is left out where the message begins with it."""
    if not fault.code.startswith(_OF_PROJECT):
        fault = fault._replace(message=in_words_of_line(fault.message, args), fix=in_words_of_line(fault.fix, args))
    if fault.path and fault.message.startswith(fault.path):
        fault = fault._replace(path="")
    return str(fault)


def whole_fault(fault: Fault, args: Namespace) -> Fault:
    """Return a fault in the words of a line, with commands that can be pasted."""
    if fault.code.startswith(_OF_PROJECT):
        return fault
    message, fix = (in_words_of_line(text, args) for text in (fault.message, fault.fix))
    return fault._replace(message=message, fix=with_store(fix, args))


def in_words_of_line(text: str, args: Namespace) -> str:
    """Replace the library's names of arguments by the options of a line."""
    for word, option in _replacements(args).items():
        text = text.replace(word, option)
    return text


def _replacements(args: Namespace) -> dict[str, str]:
    if not args.conn:
        return _OPTIONS | _STORE_OPTIONS
    if args.read_only:
        return _OPTIONS | _CONNECTION_SETTINGS | _READ_ONLY
    return _OPTIONS | _CONNECTION_SETTINGS


# ---------------------------------------------------------------- commands that can be pasted


def with_store(text: str, args: Namespace) -> str:
    """Add the store or the connection of the line to the commands in a text, so that they can be pasted."""
    if getattr(args, "lines_of_tables", None):
        return _COMMAND.sub(lambda match: _whole(match[0], _words(_line_about(text[match.end() :], args))), text)
    words = _words(args)
    return _COMMAND.sub(lambda match: _whole(match[0], words), text) if words else text


def _whole(command: str, words: Sequence[str]) -> str:
    return " ".join([command, shlex.join(words)]) if words else command


def _words(args: Namespace) -> list[str]:
    """Return the options that a command needs to be about the store and the branch of a line; none that cannot be printed."""
    words = _words_of_store(args)
    branch = _branch(args)
    if branch:
        words += ["--branch", branch]
    return words if "".join(words).isprintable() else []


def _line_about(rest: str, args: Namespace) -> Namespace:
    """Return the line by which the table of a command was judged, where the projects of a check have a store each."""
    command = re.split(r"[\n`]", rest, maxsplit=1)[0]
    for word in re.findall(r"[^\s'\":@]+", command):
        line = args.lines_of_tables.get(word)
        if line is not None:
            return cast("Namespace", line)
    return args


def _words_of_store(args: Namespace) -> list[str]:
    """Return the options of the line that name the store, without secrets; the environment holds for the next line, too."""
    words: list[str] = []
    if args.conn and not args.conn_known:
        words += ["--conn", args.conn]
    elif args.store and not args.store_known and not args.conn:
        words += ["--store", without_credentials(args.store)]
    if args.registry and not args.registry_known:
        words += ["--registry", without_credentials(args.registry)]
    if args.registry_id:
        words += ["--registry-id", args.registry_id]
    if args.layout:
        words += ["--layout", args.layout]
    if args.team:
        words += ["--team", args.team]
    for key, value in args.storage_option:
        if not is_secret(key):
            words += ["--storage-option", f"{key}={without_credentials(value)}"]
    return words + _words_of_mounts(args)


def complete_data(data: Any, args: Namespace) -> Any:
    """Return the data of an answer with whole commands in its fixes. A plan stays as it is: its digest is that of its bytes."""
    if isinstance(data, list):
        return [complete_data(entry, args) for entry in data]
    if not isinstance(data, dict):
        return data
    return {key: value if key == "plan" else _complete_value(key, value, args) for key, value in data.items()}


def _complete_value(key: str, value: Any, args: Namespace) -> Any:
    if key != "fix":
        return complete_data(value, args)
    if isinstance(value, str):
        return with_store(value, args)
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return {**value, "text": with_store(value["text"], args)}
    return value


def _words_of_mounts(args: Namespace) -> list[str]:
    if args.mounts_known:
        return []
    return [word for mount in args.mount for word in ("--mount", without_credentials(mount.typed))]


def _branch(args: Namespace) -> str:
    """Return the branch of the only table that the line names, else that of the option; empty for none."""
    objects = getattr(args, "objects", None) or [getattr(args, "object", None) or getattr(args, "table", None) or ""]
    match = _AT_BRANCH.fullmatch(objects[0]) if len(objects) == 1 else None
    if match:
        return match["branch"]
    return getattr(args, "branch", None) or ""
