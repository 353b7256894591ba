"""What a connection of the type `schema_store` says: its fields and extras, read at once, with everything that is wrong with them."""

import json
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from airflow_provider_schemas.core.common.secrets import without_credentials, without_passwords
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.hooks import storage_options
from airflow_provider_schemas.hooks.defaults import CONN_TYPE, DEFAULT, to_type
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.store.common.arguments import MOST_AT_ONCE
from airflow_provider_schemas.store.layout.identifiers import checked
from airflow_provider_schemas.store.layout.identifiers import is_registry_id as is_id
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID, Layout
from airflow_provider_schemas.store.storage.files import AT_ONCE

# What the form hides. In an address as Airflow writes connections (type://host/schema) a part of the warehouse lands here.
_UNUSED: Final = ("schema", "login", "password", "port")
_ABSOLUTE: Final = re.compile(r"/|~|[a-z][a-z0-9+.-]*://.")
_ALIAS: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?")


def _address(text: str) -> str:
    """An address that means the same in every process."""
    if without_passwords(text) != text:
        fix = "Put it into a connection of its own, and name that one in storage_conn_id."
        raise BadConnectionError(f"{without_credentials(text)} holds a password or a key.", fix=fix)
    if text and not _ABSOLUTE.match(text):
        fix = "Write a URL such as s3://bucket/warehouse, or a path that begins with '/'."
        raise BadConnectionError(f"{shown(text)} is no address of a warehouse.", fix=fix)
    return text


def _team(text: str) -> str:
    return checked(text, "team") if text else ""


def _registry_id(text: str) -> str:
    if text and not is_id(text):
        raise BadConnectionError(f"{shown(text)} is no id of a registry.", fix=f"Copy it from {REGISTRY_ID} in the registry.")
    return text


def _alias(text: str) -> str:
    if text and not _ALIAS.fullmatch(text):
        fix = "Use letters, digits, '_', '-' and '.', at most 100."
        raise BadConnectionError(f"{shown(text)} cannot stand in the address of an asset.", fix=fix)
    return text


def _object(value: object) -> object:
    """A JSON object, which forms hand over as text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise BadConnectionError("it is no JSON.", fix='Write an object such as {"endpoint_url": "http://minio:9000"}.') from None


Text = Annotated[str, BeforeValidator(lambda value: value.strip() if isinstance(value, str) else value)]
Address = Annotated[Text, BeforeValidator(lambda value: _address(value) if isinstance(value, str) else value)]


class Settings(BaseModel):
    """How the store of a connection is opened."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    warehouse: Address = ""
    registry: Address = ""
    registry_conn_id: Text = ""
    registry_id: Annotated[Text, BeforeValidator(lambda value: _registry_id(value) if isinstance(value, str) else value)] = ""
    storage_conn_id: Text = ""
    layout: Literal["paimon", "mini-paimon", "registry"] | None = None
    catalog: Text = ""
    read_only: bool = False
    single_writer: bool = False
    look: bool = True
    at_once: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] = AT_ONCE
    team: Annotated[Text, BeforeValidator(lambda value: _team(value) if isinstance(value, str) else value)] = ""
    alias: Annotated[Text, BeforeValidator(lambda value: _alias(value) if isinstance(value, str) else value)] = ""
    storage_options: Annotated[dict[str, Any], BeforeValidator(_object)] = Field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, connection: Any, conn_id: str) -> Self:
        """What a connection says; BadConnectionError with everything that is wrong with it."""
        if (connection.conn_type or "") != CONN_TYPE:
            raise _another_type(connection.conn_type, conn_id)
        faults = list(_misplaced(connection))
        said = _extras(connection, faults)
        found = cls._read(said, connection.host or "", faults)
        faults += [] if found is None else _together(found)
        if faults or found is None:
            raise BadConnectionError.of([_complete(fault, conn_id) for fault in faults])
        return found

    @classmethod
    def _read(cls, said: Mapping[str, Any], host: str, faults: list[Fault]) -> Self | None:
        given = {name: value for name, value in said.items() if value not in (None, "")}
        try:
            return cls.model_validate({"warehouse": host.strip(), **given})
        except ValidationError as error:
            in_host = "warehouse" not in given
            faults += [fault for detail in error.errors(include_url=False) for fault in _faults_of(detail, in_host=in_host)]
            return None

    @property
    def protocol(self) -> str:
        """The protocol of the warehouse: s3, gs, file ..."""
        return protocol_of(self.warehouse)


def protocol_of(url: str) -> str:
    """The protocol of an address; that of files for a path."""
    protocol, mark, _ = url.partition("://")
    return protocol.lower() if mark else "file"


def _another_type(conn_type: str | None, conn_id: str) -> BadConnectionError:
    message = f"it is of the type {shown(conn_type or '')}, and not of the type {CONN_TYPE}."
    fix = f"If it opens the storage, name it as storage_conn_id in a connection of the right type: {to_type(DEFAULT)}"
    return BadConnectionError(message, code="connection.type", path=f"connection {conn_id}", fix=fix)


def _misplaced(connection: Any) -> Iterator[Fault]:
    """Fields that no store reads."""
    if found := [name for name in _UNUSED if getattr(connection, name, None)]:
        message = "something stands there, and no store reads it."
        fix = "Write the connection as JSON, with the whole address in host."
        yield Fault("connection.field", ", ".join(found), message, fix)


def _extras(connection: Any, faults: list[Fault]) -> dict[str, Any]:
    """The extras, parsed here: Airflow would log what is no JSON, and go on without it."""
    try:
        said = json.loads(connection.extra) if connection.extra else {}
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        faults.append(
            Fault("connection.extra", "extra", "it is no JSON object.", 'Write an object such as {"storage_conn_id": "aws_default"}.')
        )
        return {}
    return said


def _faults_of(detail: ErrorDetails, *, in_host: bool) -> list[Fault]:
    """The faults for one of pydantic's, in words of our own and without the value."""
    name = ".".join(str(part) for part in detail["loc"])
    path = "host" if name == "warehouse" and in_host else f"extra.{name}"
    raised = detail.get("ctx", {}).get("error")
    if isinstance(raised, SchemaError):
        return [fault._replace(path=path) for fault in raised.faults]
    if detail["type"] == "extra_forbidden":
        return [Fault("connection.extra", path, f"{shown(name)} is no extra of a {CONN_TYPE} connection.", _nearest(name))]
    message, fix = _SAID.get(detail["type"], ("it is not what is expected here.", "Look it up in the documentation of the connection."))
    return [Fault("connection.extra", path, message, fix)]


def _nearest(name: str) -> str:
    near = get_close_matches(name, Settings.model_fields, n=1)
    return f"Did you mean {near[0]}?" if near else f"There are {', '.join(Settings.model_fields)}."


_NO_NUMBER: Final = "it is no number of requests at once."
_A_NUMBER: Final = f"Write a whole number from 1 to {MOST_AT_ONCE}."
_SAID: Final[Mapping[str, tuple[str, str]]] = {
    "string_type": ("it is no text.", "Write text."),
    "bool_type": ("it is neither true nor false.", "Write true or false."),
    "bool_parsing": ("it is neither true nor false.", "Write true or false."),
    "int_type": (_NO_NUMBER, _A_NUMBER),
    "int_parsing": (_NO_NUMBER, _A_NUMBER),
    "int_from_float": (_NO_NUMBER, _A_NUMBER),
    "greater_than_equal": (_NO_NUMBER, _A_NUMBER),
    "less_than_equal": (_NO_NUMBER, _A_NUMBER),
    "dict_type": ("it is no object.", 'Write an object such as {"endpoint_url": "http://minio:9000"}.'),
    "literal_error": ("it is no layout of a warehouse.", f"There are {', '.join(Layout)}."),
}


def _together(found: Settings) -> Iterator[Fault]:
    """What does not go together."""
    if not found.warehouse:
        yield Fault("connection.no-host", "host", "it names no warehouse.", "")
    if found.registry_conn_id and not found.registry:
        yield Fault("connection.extra", "extra.registry_conn_id", "it opens a registry, and none is named.", "Name it in extra.registry.")
    if found.storage_options and found.storage_conn_id:
        message = "storage_conn_id says how the storage is reached already."
        yield Fault("connection.storage-options", storage_options.AT, message, "Say it in that connection, and leave these out.")
    elif found.warehouse:
        yield from storage_options.faults_of(found.protocol, found.storage_options)


def _complete(fault: Fault, conn_id: str) -> Fault:
    """The fault with its connection; where nothing says what to do, with the command that makes such a connection."""
    return fault._replace(path=f"connection {conn_id}, {fault.path}", fix=fault.fix or f"Run: {to_type(conn_id)}")
