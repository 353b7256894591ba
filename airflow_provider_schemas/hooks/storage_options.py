"""The options of a storage that a connection may have, and their names in the library that reaches the storage. Others are refused.

An option is named here as people know it, and is laid where the library looks for it: the region of S3 belongs to
the client's arguments, the style of addresses to its configuration.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.store.storage.guarantees import one_name


class StorageOption(NamedTuple):
    """One option: its types, and the path to it in the arguments of the library."""

    types: tuple[type, ...]
    path: tuple[str, ...]
    secret: bool = False


def _text(*path: str) -> StorageOption:
    return StorageOption((str,), path)


def _secret(*path: str) -> StorageOption:
    return StorageOption((str,), path, secret=True)


def _flag(*path: str) -> StorageOption:
    return StorageOption((bool,), path)


def _number(*path: str) -> StorageOption:
    return StorageOption((int, float), path)


OPTIONS: Final[Mapping[str, Mapping[str, StorageOption]]] = {
    "s3": {
        "key": _secret("key"),
        "secret": _secret("secret"),
        "token": _secret("token"),
        "profile": _text("profile"),
        "anon": _flag("anon"),
        "endpoint_url": _text("client_kwargs", "endpoint_url"),
        "region_name": _text("client_kwargs", "region_name"),
        "verify": StorageOption((bool, str), ("client_kwargs", "verify")),
        "use_ssl": _flag("use_ssl"),
        "requester_pays": _flag("requester_pays"),
        "addressing_style": _text("config_kwargs", "s3", "addressing_style"),
        "connect_timeout": _number("config_kwargs", "connect_timeout"),
        "read_timeout": _number("config_kwargs", "read_timeout"),
        "server_side_encryption": _text("s3_additional_kwargs", "ServerSideEncryption"),
        "sse_kms_key_id": _text("s3_additional_kwargs", "SSEKMSKeyId"),
    },
    "gs": {
        "project": _text("project"),
        "token": StorageOption((str, dict), ("token",), secret=True),
        "endpoint_url": _text("endpoint_url"),
        "requester_pays": StorageOption((bool, str), ("requester_pays",)),
    },
    "abfs": {
        "account_name": _text("account_name"),
        "account_key": _secret("account_key"),
        "account_host": _text("account_host"),
        "connection_string": _secret("connection_string"),
        "sas_token": _secret("sas_token"),
        "tenant_id": _text("tenant_id"),
        "client_id": _text("client_id"),
        "client_secret": _secret("client_secret"),
        "anon": _flag("anon"),
    },
    "hdfs": {"user": _text("user"), "kerb_ticket": _text("kerb_ticket")},
    "oss": {"key": _secret("key"), "secret": _secret("secret"), "token": _secret("token"), "endpoint": _text("endpoint")},
}
_TYPE_WORDS: Final = {str: "text", bool: "true or false", int: "a number", float: "a number", dict: "an object", list: "a list"}
AT = "extra.storage_options"


def check_options(protocol: str, options: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield all that is wrong with options, without their values: they may be secrets."""
    known = OPTIONS.get(one_name(protocol), {})
    if options and not known:
        message = f"a storage of the kind {shown(protocol)} takes no options here."
        yield Fault("connection.storage-options", AT, message, "Leave them out.")
        return
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            yield Fault("connection.storage-option", AT, f"{shown(name)} is no option of {protocol}.", _nearest(name, known))
        elif not isinstance(value, option.types) or (isinstance(value, bool) and bool not in option.types):
            types = " or ".join(dict.fromkeys(_TYPE_WORDS[option_type] for option_type in option.types))
            message = f"it is {_TYPE_WORDS.get(type(value), 'empty')}."
            yield Fault("connection.storage-option", f"{AT}.{name}", message, f"Write {types}.")


def lay_out(protocol: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as the library takes them. Only for options without faults."""
    known = OPTIONS.get(one_name(protocol), {})
    arguments: dict[str, Any] = {}
    for name, value in options.items():
        *outer, last = known[name].path
        inner = arguments
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return arguments


def secrets_in(protocol: str, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values that no log may show."""
    known = OPTIONS.get(one_name(protocol), {})
    return tuple(value for name, value in options.items() if known[name].secret and value)


def _nearest(name: str, known: Mapping[str, StorageOption]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(known)}."
