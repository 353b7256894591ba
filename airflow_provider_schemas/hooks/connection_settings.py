"""The settings in a connection of the type `schema_store`: its fields and extras, with all that is wrong in them at once."""

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
from airflow_provider_schemas.hooks.defaults import CONN_TYPE, DEFAULT, add_command
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.mount_settings import CODE as MOUNT
from airflow_provider_schemas.hooks.mount_settings import MountSettings, parse_mounts
from airflow_provider_schemas.store.common.arguments import MOST_AT_ONCE
from airflow_provider_schemas.store.layout.identifiers import checked
from airflow_provider_schemas.store.layout.identifiers import is_registry_id as is_id
from airflow_provider_schemas.store.layout.paths import OF_WAREHOUSES, REGISTRY_ID
from airflow_provider_schemas.store.storage.files import AT_ONCE

# What the form hides. In an address as Airflow writes connections (type://host/schema) a part of the warehouse lands here.
_UNUSED: Final = ("schema", "login", "password", "port")
_ABSOLUTE: Final = re.compile(r"/|~|[a-z][a-z0-9+.-]*://.")
_ALIAS: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?")


def _check_address(text: str) -> str:
    """Return an address that means the same in every process."""
    if without_passwords(text) != text:
        fix = "Put it into a connection of its own, and name that one in storage_conn_id."
        raise BadConnectionError(f"{without_credentials(text)} holds a password or a key.", fix=fix)
    if text and not _ABSOLUTE.match(text):
        fix = "Write a URL such as s3://bucket/warehouse, or a path that begins with '/'."
        raise BadConnectionError(f"{shown(text)} is no address of a warehouse.", fix=fix)
    return text


def _check_team(text: str) -> str:
    return checked(text, "team") if text else ""


def _check_registry_id(text: str) -> str:
    if text and not is_id(text):
        raise BadConnectionError(f"{shown(text)} is no id of a registry.", fix=f"Copy it from {REGISTRY_ID} in the registry.")
    return text


def _check_alias(text: str) -> str:
    if text and not _ALIAS.fullmatch(text):
        fix = "Use letters, digits, '_', '-' and '.', at most 100."
        raise BadConnectionError(f"{shown(text)} cannot stand in the address of an asset.", fix=fix)
    return text


def _parse_object(value: object) -> object:
    """Return a JSON object, which forms hand over as text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise BadConnectionError("it is no JSON.", fix='Write an object such as {"endpoint_url": "http://minio:9000"}.') from None


Text = Annotated[str, BeforeValidator(lambda value: value.strip() if isinstance(value, str) else value)]
Address = Annotated[Text, BeforeValidator(lambda value: _check_address(value) if isinstance(value, str) else value)]


class Settings(BaseModel):
    """How the store of a connection is opened."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, arbitrary_types_allowed=True)

    warehouse: Address = ""
    registry: Address = ""
    registry_conn_id: Text = ""
    registry_id: Annotated[Text, BeforeValidator(lambda value: _check_registry_id(value) if isinstance(value, str) else value)] = ""
    storage_conn_id: Text = ""
    layout: Literal["paimon", "mini-paimon", "registry"] | None = None
    catalog: Text = ""
    read_only: bool = False
    single_writer: bool = False
    look: bool = True
    at_once: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] = AT_ONCE
    team: Annotated[Text, BeforeValidator(lambda value: _check_team(value) if isinstance(value, str) else value)] = ""
    alias: Annotated[Text, BeforeValidator(lambda value: _check_alias(value) if isinstance(value, str) else value)] = ""
    storage_options: Annotated[dict[str, Any], BeforeValidator(_parse_object)] = Field(default_factory=dict, repr=False)
    mounts: Annotated[dict[str, MountSettings], BeforeValidator(lambda value: parse_mounts(value, _check_address))] = Field(
        default_factory=dict
    )

    @classmethod
    def of(cls, connection: Any, conn_id: str) -> Self:
        """Return the settings in a connection; raise BadConnectionError with all that is wrong in them."""
        if (connection.conn_type or "") != CONN_TYPE:
            raise _type_error(connection.conn_type, conn_id)
        faults = list(_check_unused_fields(connection))
        extras = _parse_extras(connection, faults)
        settings = cls._read(extras, connection.host or "", faults)
        if settings is not None:
            faults += _check_together(settings)
        if faults or settings is None:
            raise BadConnectionError.of([_complete(fault, conn_id) for fault in faults])
        return settings

    @classmethod
    def _read(cls, extras: Mapping[str, Any], host: str, faults: list[Fault]) -> Self | None:
        given = {name: value for name, value in extras.items() if value not in (None, "")}
        try:
            return cls.model_validate({"warehouse": host.strip(), **given})
        except ValidationError as error:
            in_host = "warehouse" not in given
            for detail in error.errors(include_url=False):
                faults += _faults_of(detail, in_host=in_host)
            return None

    @property
    def protocol(self) -> str:
        """Return the protocol of the warehouse: s3, gs, file ..."""
        return protocol_of(self.warehouse)


def protocol_of(url: str) -> str:
    """Return the protocol of an address; that of files for a path."""
    protocol, mark, _ = url.partition("://")
    return protocol.lower() if mark else "file"


def _type_error(conn_type: str | None, conn_id: str) -> BadConnectionError:
    message = f"it is of the type {shown(conn_type or '')}, and not of the type {CONN_TYPE}."
    fix = f"If it opens the storage, name it as storage_conn_id in a connection of the right type: {add_command(DEFAULT)}"
    return BadConnectionError(message, code="connection.type", path=f"connection {conn_id}", fix=fix)


def _check_unused_fields(connection: Any) -> Iterator[Fault]:
    """Yield a fault for fields that no store reads."""
    filled = [name for name in _UNUSED if getattr(connection, name, None)]
    if filled:
        message = "something stands there, and no store reads it."
        fix = "Write the connection as JSON, with the whole address in host."
        yield Fault("connection.field", ", ".join(filled), message, fix)


def _parse_extras(connection: Any, faults: list[Fault]) -> dict[str, Any]:
    """Parse the extras here, because Airflow would log invalid JSON, and go on without it."""
    try:
        extras = json.loads(connection.extra) if connection.extra else {}
    except (ValueError, RecursionError):
        extras = None
    if not isinstance(extras, dict):
        fix = 'Write an object such as {"storage_conn_id": "aws_default"}.'
        faults.append(Fault("connection.extra", "extra", "it is no JSON object.", fix))
        return {}
    return extras


def _faults_of(detail: ErrorDetails, *, in_host: bool) -> list[Fault]:
    """Return the faults for one of pydantic's, in words of our own and without the value."""
    name = ".".join(str(part) for part in detail["loc"])
    path = "host" if name == "warehouse" and in_host else f"extra.{name}"
    raised = detail.get("ctx", {}).get("error")
    if isinstance(raised, SchemaError):
        return [fault.at(path) if fault.code == MOUNT else fault._replace(path=path) for fault in raised.faults]
    if detail["type"] == "extra_forbidden":
        return [Fault("connection.extra", path, f"{shown(name)} is no extra of a {CONN_TYPE} connection.", _nearest(name))]
    message, fix = _MESSAGES.get(detail["type"], ("it is not what is expected here.", "Look it up in the documentation of the connection."))
    return [Fault("connection.extra", path, message, fix)]


def _nearest(name: str) -> str:
    near = get_close_matches(name, Settings.model_fields, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(Settings.model_fields)}."


_NOT_A_NUMBER: Final = "it is no number of requests at once."
_A_NUMBER: Final = f"Write a whole number from 1 to {MOST_AT_ONCE}."
_MESSAGES: Final[Mapping[str, tuple[str, str]]] = {
    "string_type": ("it is no text.", "Write text."),
    "bool_type": ("it is neither true nor false.", "Write true or false."),
    "bool_parsing": ("it is neither true nor false.", "Write true or false."),
    "int_type": (_NOT_A_NUMBER, _A_NUMBER),
    "int_parsing": (_NOT_A_NUMBER, _A_NUMBER),
    "int_from_float": (_NOT_A_NUMBER, _A_NUMBER),
    "greater_than_equal": (_NOT_A_NUMBER, _A_NUMBER),
    "less_than_equal": (_NOT_A_NUMBER, _A_NUMBER),
    "dict_type": ("it is no object.", 'Write an object such as {"endpoint_url": "http://minio:9000"}.'),
    "literal_error": ("it is no layout of a warehouse.", f"There are {', '.join(OF_WAREHOUSES)}."),
}


def _check_together(settings: Settings) -> Iterator[Fault]:
    """Yield faults for settings that exclude or need each other."""
    if not settings.warehouse:
        yield Fault("connection.no-host", "host", "it names no warehouse.", "")
    if settings.registry_conn_id and not settings.registry:
        yield Fault("connection.extra", "extra.registry_conn_id", "it opens a registry, and none is named.", "Name it in extra.registry.")
    yield from _check_mounts(settings)
    if settings.storage_options and settings.storage_conn_id:
        message = "storage_conn_id says how the storage is reached already."
        yield Fault("connection.storage-options", storage_options.AT, message, "Say it in that connection, and leave these out.")
    elif settings.warehouse:
        yield from storage_options.check_options(settings.protocol, settings.storage_options)


def _check_mounts(settings: Settings) -> Iterator[Fault]:
    """Yield a fault for each mount that may be changed through a connection that may not."""
    for database, mount in settings.mounts.items():
        if mount.evolve and settings.read_only:
            yield Fault(MOUNT, f"extra.mounts.{database}.evolve", "read_only refuses all changes.", "Keep one of them.")


def _complete(fault: Fault, conn_id: str) -> Fault:
    """Return the fault with its connection; where it has no fix, with the command that makes such a connection."""
    return fault._replace(path=f"connection {conn_id}, {fault.path}", fix=fault.fix or f"Run: {add_command(conn_id)}")
