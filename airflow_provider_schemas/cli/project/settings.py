"""The settings of a project: the keys of its file, what may stand there, and every fault of it at once."""

import json
import os
import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.cli.arguments.mount import mount
from airflow_provider_schemas.cli.arguments.options import LAYOUTS
from airflow_provider_schemas.cli.arguments.outputs import site_address
from airflow_provider_schemas.cli.project.document import ProjectDocument, label
from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.secrets import is_secret, without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, SchemaError

REQUIRED: Final = ("git", "store")
# What belongs to a store, and what a connection says itself.
OF_STORE: Final = ("registry", "registry_id", "layout", "storage_options", "mounts", "team")
OF_CONNECTION: Final = ("registry", "registry_id", "layout", "storage_options")
_MAX_TEXT = 4_096
_MAX_DEPTH = 5
_KIND = re.compile(r"(?P<kind>[A-Za-z][A-Za-z0-9_-]*:)(?!//)(?P<rest>.*)", re.DOTALL)
_FOLDER_KIND = "delta:"


class ProjectSettings(Struct, frozen=True):
    """What a project file says; folders and files are absolute."""

    store: str = ""
    conn: str = ""
    registry: str = ""
    registry_id: str = ""
    layout: str = ""
    storage_options: tuple[tuple[str, str], ...] = ()
    mounts: tuple[str, ...] = ()
    """Each as it is typed behind --mount."""
    team: str = ""
    folder: tuple[str, ...] = ()
    policy: str = ""
    base: str = ""
    docs: str = ""
    strict: bool = False
    require: tuple[str, ...] = ()


# ---------------------------------------------------------------- values


def _refused(message: str, fix: str) -> SchemaError:
    return SchemaError(message, code="project.value", fix=fix)


def _secret(message: str) -> SchemaError:
    fix = "Leave it out: credentials come from the environment, or from a connection of Airflow."
    return SchemaError(f"{message}, and the file is read by everyone.", code="project.secret", fix=fix)


def _text(value: Any, _: str) -> str:
    if not isinstance(value, str):
        raise _refused(f"{shown(value)} is not a text.", "Put it into quotes.")
    if not value.strip():
        raise _refused("the text is empty.", "Give it a value, or leave the key out.")
    if len(value) > _MAX_TEXT or not value.isprintable():
        raise _refused(f"{shown(value)} is too long, or has characters that cannot be printed.", "Check the value.")
    _check_credentials(value)
    return value


def _check_credentials(text: str) -> None:
    if without_credentials(text) != text:
        raise _secret(f"{shown(text)} holds a user, a password or a query")


def _flag(value: Any, _: str) -> bool:
    if not isinstance(value, bool):
        raise _refused(f"{shown(value)} is neither true nor false.", "Write true or false, without quotes.")
    return value


def _address(value: Any, folder: str) -> str:
    """Return a URL as it is, and the path of a folder or file from the folder of the project file."""
    text = _text(value, folder)
    if "://" in text:
        return text
    return os.path.normpath(os.path.join(folder, os.path.expanduser(text)))  # noqa: PTH111, PTH118  # a Path would lose what is wrong with it


def _file(value: Any, folder: str) -> str:
    if "://" in _text(value, folder):
        raise _refused(f"{shown(value)} is no file of this machine.", "Write its path from the folder of the project file.")
    return _address(value, folder)


def _files(value: Any, folder: str) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    if not values:
        raise _refused("the list is empty.", "Name a folder, or leave the key out.")
    return tuple(dict.fromkeys(_file(entry, folder) for entry in values))


def _layout(value: Any, folder: str) -> str:
    text = _text(value, folder)
    if text not in LAYOUTS:
        raise _refused(f"{shown(text)} is no layout.", did_you_mean(text, LAYOUTS))
    return text


def _base(value: Any, folder: str) -> str:
    text = _text(value, folder)
    if text.startswith("-"):
        raise _refused(f"{shown(text)} begins as an option does.", "Name a branch, a tag or a commit: origin/main.")
    return text


def _web(value: Any, folder: str) -> str:
    text = _text(value, folder)
    site = site_address(text)
    if site is None:
        raise _refused(f"{shown(text)} is not the address of a site.", "Write it as https://..., without blanks, brackets and quotes.")
    return site


def _require(value: Any, folder: str) -> tuple[str, ...]:
    words = [_text(word, folder) for word in (value if isinstance(value, list) else [value])]
    for word in words:
        if word not in REQUIRED:
            raise _refused(f"{shown(word)} cannot be required.", did_you_mean(word, REQUIRED))
    return tuple(dict.fromkeys(words))


def _mounts(value: Any, folder: str) -> tuple[str, ...]:
    """Return mounts as they are typed; folders in them begin at the folder of the project file."""
    if isinstance(value, dict):
        pairs = [(database, _text(place, folder)) for database, place in value.items()]
    elif isinstance(value, list):
        typed = [_text(entry, folder).partition("=") for entry in value]
        pairs = [(database.strip(), place.strip()) for database, _, place in typed]
    else:
        raise _refused(f"{shown(value)} is not a table of mounts.", 'Write mounts = {shop = "iceberg:CONN/prod.shop"}.')
    return tuple(_mount(database, place, folder) for database, place in pairs)


def _mount(database: str, place: str, folder: str) -> str:
    typed = f"{database}={_absolute_place(place, folder)}"
    try:
        mount(typed)
    except ArgumentTypeError as error:
        raise _refused(f"{shown(f'{database}={place}')} is no mount.", f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    return typed


def _absolute_place(place: str, folder: str) -> str:
    """Return the place of a mount; a connection or a catalog is no folder."""
    match = _KIND.fullmatch(place)
    if match is None:
        return _address(place, folder) if place else ""
    rest = match["rest"].strip()
    if rest and (match["kind"] == _FOLDER_KIND or rest.startswith(("/", "~", "."))):
        return f"{match['kind']}{_address(rest, folder)}"
    return place


def _storage_options(value: Any, _: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise _refused(f"{shown(value)} is not a table.", 'Write storage_options = {endpoint_url = "https://..."}.')
    _check_secrets(value, _MAX_DEPTH)
    return tuple((key, _option_text(option)) for key, option in value.items())


def _check_secrets(value: Any, depth: int) -> None:
    """Refuse a secret anywhere inside the options of a storage."""
    if depth == 0:
        raise _refused("the options are nested too deeply.", "Check the value.")
    if isinstance(value, str):
        _check_credentials(value)
    elif isinstance(value, list):
        for entry in value:
            _check_secrets(entry, depth - 1)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if is_secret(key):
                raise _secret(f"{shown(key)} names a secret")
            _check_secrets(entry, depth - 1)


def _option_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError):  # a day or a time
        raise _refused(f"{shown(value)} is no option of a storage.", "Put it into quotes.") from None


_READERS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "store": _address,
    "conn": _text,
    "registry": _address,
    "registry_id": _text,
    "layout": _layout,
    "storage_options": _storage_options,
    "mounts": _mounts,
    "team": _text,
    "folder": _files,
    "policy": _file,
    "base": _base,
    "docs": _web,
    "strict": _flag,
    "require": _require,
}
KEYS: Final = tuple(_READERS)


# ---------------------------------------------------------------- the whole


def read_settings(document: ProjectDocument, path: str) -> ProjectSettings:
    """Return the settings of a project file; raise an error with all of its faults."""
    values: dict[str, Any] = {}
    faults = [*_faults_of_whole(document.values)]
    for key, value in document.values.items():
        if key not in _READERS:
            faults.append(Fault("project.unknown-key", key, f"there is no key {shown(key)}.", did_you_mean(key, KEYS)))
            continue
        try:
            values[key] = _READERS[key](value, os.path.dirname(path))  # noqa: PTH120  # a text, and no file is asked for
        except SchemaError as error:
            faults.append(error.faults[0]._replace(path=key))
    if faults:
        raise SchemaError.of(_placed(fault, document, path) for fault in faults)
    return ProjectSettings(**values)


def _placed(fault: Fault, document: ProjectDocument, path: str) -> Fault:
    """Return a fault with the file and the line of its key in place of the key alone."""
    line = document.lines.get(fault.path)
    where = f"{label(path)}:{line}" if line else label(path)
    message = fault.message
    if fault.path in KEYS:
        message = f"{fault.path}: {message}"
    return fault._replace(path=where, message=message)


def _faults_of_whole(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of keys that do not go together."""
    if "store" in values and "conn" in values:
        yield Fault("project.contradiction", "conn", "store and conn both name a store.", "Keep one of them.")
    if "conn" in values:
        for key in OF_CONNECTION:
            if key in values:
                yield Fault("project.contradiction", key, "the connection says that itself.", "Leave it out.")
    if "store" not in values and "conn" not in values:
        message = "it belongs to a store, and the file names none."
        for key in OF_STORE:
            if key in values:
                yield Fault("project.contradiction", key, message, "Name the store, or leave it out.")
