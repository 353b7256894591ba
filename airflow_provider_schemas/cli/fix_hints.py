"""What to do, as it is typed: the library speaks of arguments, a terminal of options, and a connection has extras."""

import re
import shlex
from argparse import Namespace

from airflow_provider_schemas.cli import command_registry
from airflow_provider_schemas.core.common.secrets import is_secret, without_credentials
from airflow_provider_schemas.errors import Fault

# What the library calls by the names of arguments.
_TYPED = {
    "pending=True": "--pending",
    "pass override with the reason": "pass --override REASON",
    "pass override": "pass --override REASON",
    "with expected_version on which version it was seen": "with --expect N which version was seen",
    "purge=True": "--purge",
    "Adopt the table into the registry": "Keep it in the registry, with `create --location`",
}
# What says how the store is opened: options, or the connection.
_OF_STORE = {
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
_OF_CONNECTION = {
    "single_writer=True": "single_writer in the extra of the connection",
    "without read_only": "without read_only in the extra of the connection",
    "with layout=": "with layout in the extra of the connection",
    "storage_options": "the connection",
}
_READ_ONLY = {"without read_only": "without --read-only"}
_COMMAND = re.compile(rf"\bairflow-schemas\s+({'|'.join(command_registry.COMMANDS)})\b(?! --(?:conn|store|branch)\b)")

_AT_BRANCH = re.compile(r"[^@/\\]+@(?P<branch>[^:@/\\]+)(?::[0-9]+)?")


def sentence(one: Fault, args: Namespace) -> str:
    """The fault as it is typed; its path is left out where the sentence begins with it."""
    one = one._replace(message=as_typed(one.message, args), fix=as_typed(one.fix, args))
    return str(one._replace(path="") if one.path and one.message.startswith(one.path) else one)


def as_typed(said: str, args: Namespace) -> str:
    """A text of the library, in the words of a line."""
    for word, typed in _hints(args).items():
        said = said.replace(word, typed)
    return said


def _hints(args: Namespace) -> dict[str, str]:
    if not args.conn:
        return _TYPED | _OF_STORE
    return _TYPED | _OF_CONNECTION | (_READ_ONLY if args.read_only else {})


def with_conn(said: str, args: Namespace) -> str:
    """The commands in a text, with the store or the connection that was typed, so that they can be pasted as they stand."""
    words = _of_connection(args) if args.conn else _of_line(args)
    branch = _branch(args)
    words += ["--branch", branch] if branch else []
    if not words or not "".join(words).isprintable():
        return said
    return _COMMAND.sub(lambda found: f"{found[0]} {shlex.join(words)}", said)


def _of_connection(args: Namespace) -> list[str]:
    return [] if args.conn_known else ["--conn", args.conn]


def _of_line(args: Namespace) -> list[str]:
    """What the line says of the store, without secrets; what the environment says is said there again."""
    if not args.store or args.store_known:
        return []
    words = ["--store", without_credentials(args.store)]
    if args.registry and not args.registry_known:
        words += ["--registry", without_credentials(args.registry)]
    if args.registry_id:
        words += ["--registry-id", args.registry_id]
    if args.layout:
        words += ["--layout", args.layout]
    if args.team:
        words += ["--team", args.team]
    for key, value in args.storage_option:
        words += [] if is_secret(key) else ["--storage-option", f"{key}={without_credentials(value)}"]
    return words


def _branch(args: Namespace) -> str:
    """The branch that the line is about: that of the option, or of the only table that it names."""
    typed = getattr(args, "objects", None) or [getattr(args, "object", None) or ""]
    named = _AT_BRANCH.fullmatch(typed[0]) if len(typed) == 1 else None
    return (named["branch"] if named else getattr(args, "branch", None)) or ""
