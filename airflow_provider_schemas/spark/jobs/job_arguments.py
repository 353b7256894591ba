"""The command line of a job, made of what it can be asked: --file-format orc for a member `file_format`; and back."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, get_args

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest

_RequestT = TypeVar("_RequestT", bound=Struct)
_YES_OR_NO: Final = {"true": True, "false": False}
# Linux takes no longer argument.
_LONGEST: Final = 120_000


def words_of(*requests: Struct) -> list[str]:
    """Return requests as the words of a command line; what is as it would be anyway is left out."""
    words: list[str] = []
    for request in requests:
        for member in fields(request):
            words += _member_words(member, getattr(request, member.name))
    return words


def _member_words(member: FieldInfo, value: Any) -> Iterator[str]:
    if value == member.default or value in (None, "", (), {}):
        return
    for text in _texts(value):
        if len(text) > _LONGEST:
            message = f"it has {len(text):,} characters, and no more than {_LONGEST:,} can be handed to spark-submit."
            fix = "Run it in the task or over Spark Connect, or ask for less."
            raise ContractError(message, code="task.argument", path=member.name, fix=fix)
        yield f"{_flag(member)}={text}"


def _texts(value: Any) -> Iterator[str]:
    """Yield a value as texts: each of several, a mapping as JSON, a switch as true or false."""
    if isinstance(value, tuple):
        yield from map(str, value)
    elif isinstance(value, Mapping):
        yield json.dumps(dict(value))
    elif isinstance(value, bool):
        yield str(value).lower()
    else:
        yield str(value)


def requests_of(kind: type[_RequestT], words: Sequence[str] | None, description: str) -> tuple[StoreRequest, _RequestT]:
    """Read the requests of a command line. End the process where it cannot be read, as commands do."""
    parser = argparse.ArgumentParser(description=description)
    for member in (*fields(StoreRequest), *fields(kind)):
        parser.add_argument(_flag(member), dest=member.name, default=argparse.SUPPRESS, help=_find_help(member), **_parser_options(member))
    values = vars(parser.parse_args(words))
    return _make_request(StoreRequest, values), _make_request(kind, values)


def _make_request(kind: type[_RequestT], values: Mapping[str, Any]) -> _RequestT:
    known = {member.name: values[member.name] for member in fields(kind) if member.name in values}
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in known.items()})


def _flag(member: FieldInfo) -> str:
    return f"--{member.name.replace('_', '-')}"


def _find_help(member: FieldInfo) -> str:
    """Return what a member is for."""
    return next((meta.description or "" for meta in get_args(member.type) if isinstance(meta, Meta)), "")


def _parser_options(member: FieldInfo) -> dict[str, Any]:
    """Return how argparse reads a member, by the value that holds without it."""
    if isinstance(member.default, bool):
        return {"type": _read_switch, "nargs": "?", "const": True, "metavar": "true|false"}
    if isinstance(member.default, int) or member.default is None:
        return {"type": int}
    if isinstance(member.default, tuple):
        return {"action": "append"}
    return {"type": str if isinstance(member.default, str) else _read_object}


def _read_switch(text: str) -> bool:
    if text.lower() not in _YES_OR_NO:
        raise argparse.ArgumentTypeError(f"{shown(text)} is neither true nor false")
    return _YES_OR_NO[text.lower()]


def _read_object(text: str) -> dict[str, str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{shown(text)} is no JSON object")
    return {str(key): str(member) for key, member in value.items()}
