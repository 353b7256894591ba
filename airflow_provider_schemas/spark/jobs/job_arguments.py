"""The command line of a job, made of what it can be asked: --file-format orc for a member `file_format`; and back."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest

_Asked = TypeVar("_Asked", bound=Struct)
_YES_OR_NO: Final = {"true": True, "false": False}
# Linux takes no longer argument.
_LONGEST: Final = 120_000


def words_of(*requests: Struct) -> list[str]:
    """Requests as the words of a command line; what is as it would be anyway is left out."""
    return [word for request in requests for one in msgspec.structs.fields(request) for word in _words(one, getattr(request, one.name))]


def _words(one: msgspec.structs.FieldInfo, value: Any) -> Iterator[str]:
    if value == one.default or value in (None, "", (), {}):
        return
    said = json.dumps(dict(value)) if isinstance(value, Mapping) else value
    for word in said if isinstance(said, tuple) else (said,):
        text = str(word).lower() if isinstance(word, bool) else str(word)
        if len(text) > _LONGEST:
            message = f"it has {len(text):,} characters, and no more than {_LONGEST:,} can be handed to spark-submit."
            fix = "Run it in the task or over Spark Connect, or ask for less."
            raise ContractError(message, code="task.argument", path=one.name, fix=fix)
        yield f"{_flag(one)}={text}"


def requests_of(kind: type[_Asked], words: Sequence[str] | None, description: str) -> tuple[StoreRequest, _Asked]:
    """What a command line asks; ends the process where it cannot be read, as commands do."""
    parser = argparse.ArgumentParser(description=description)
    for one in (*msgspec.structs.fields(StoreRequest), *msgspec.structs.fields(kind)):
        parser.add_argument(_flag(one), dest=one.name, default=argparse.SUPPRESS, help=_help(one), **_about(one))
    said = vars(parser.parse_args(words))
    return _made(StoreRequest, said), _made(kind, said)


def _made(kind: type[_Asked], said: Mapping[str, Any]) -> _Asked:
    known = {one.name for one in msgspec.structs.fields(kind)}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items() if name in known}
    return kind(**values)


def _flag(one: msgspec.structs.FieldInfo) -> str:
    return f"--{one.name.replace('_', '-')}"


def _help(one: msgspec.structs.FieldInfo) -> str:
    """What it is for."""
    return next((about.description or "" for about in get_args(one.type) if isinstance(about, Meta)), "")


def _about(one: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """How argparse reads it, by what holds without it."""
    if isinstance(one.default, bool):
        return {"type": _switch, "nargs": "?", "const": True, "metavar": "true|false"}
    if isinstance(one.default, int) or one.default is None:
        return {"type": int}
    if isinstance(one.default, tuple):
        return {"action": "append"}
    return {"type": str} if isinstance(one.default, str) else {"type": _object}


def _switch(text: str) -> bool:
    if text.lower() not in _YES_OR_NO:
        raise argparse.ArgumentTypeError(f"{shown(text)} is neither true nor false")
    return _YES_OR_NO[text.lower()]


def _object(text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError(f"{shown(text)} is no JSON object")
    return {str(key): str(value) for key, value in found.items()}
