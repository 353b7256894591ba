"""The filesystem behind an address: made by Airflow with a connection of the storage's own, or by fsspec with the options of ours.

`ObjectStoragePath` keeps its filesystem for as long as a process lives: in the triggerer and the API server a key that was
changed would never arrive. So it is made by the function that makes it there, and kept while its connection stays the same.

The library opens one of its own from what Airflow's was made with, because it waits two minutes for a storage that
does not answer, and Airflow's nine. One that fsspec would not make alike is handed on as it is.
"""

import hashlib
import os
import time
from collections.abc import Mapping
from typing import Any, Final

import fsspec
from airflow.sdk.io import get_fs
from airflow.sdk.log import mask_secret
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.hooks import storage_options
from airflow_provider_schemas.hooks.connection_settings import protocol_of
from airflow_provider_schemas.hooks.defaults import CONN_TYPE
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.find_connection import find_connection
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.errors import trouble
from airflow_provider_schemas.store.storage.guarantees import one_name

# Errors that a retry cannot fix: they are about the connection, and not about the storage.
_OF_CONNECTION: Final = (ErrorKind.MISSING_EXTRA, ErrorKind.UNKNOWN_PROTOCOL)
# The distributions that bring filesystems with connections.
_PROVIDERS: Final = {
    "s3": "apache-airflow-providers-amazon[s3fs]",
    "gs": "apache-airflow-providers-google",
    "abfs": "apache-airflow-providers-microsoft-azure",
}
_FIELDS: Final = ("conn_type", "host", "login", "password", "schema", "port", "extra")
# Sessions of assumed roles end after an hour at most.
_FRESH_FOR: Final = 900.0


class StorageAccess(Struct, frozen=True):
    """How a storage is reached: with these options, or on a filesystem that is there."""

    options: Mapping[str, Any] | None = None
    fs: Any = None


class _CachedAccess(Struct, frozen=True):
    """An access, with the digest of the connection that it was made from, and the time."""

    digest: str
    made_at: float
    access: StorageAccess


_CACHE: dict[tuple[int, str, str], _CachedAccess] = {}


def access_to(url: str, storage_conn_id: str, options: Mapping[str, Any], *, extra: str) -> StorageAccess:
    """Return how an address is reached. Extra is where the connection names the other one, for messages."""
    protocol = protocol_of(url)
    if one_name(protocol) == "file":
        return StorageAccess()
    if storage_conn_id:
        return _access_by_airflow(url, storage_conn_id, extra)
    _check_known(url, protocol)
    for secret in storage_options.secrets_in(protocol, options):
        mask_secret(secret)
    return StorageAccess(options=storage_options.lay_out(protocol, options))


def _check_known(url: str, protocol: str) -> None:
    """Raise BadConnectionError if no library for this protocol is installed, or there is none."""
    try:
        fsspec.get_filesystem_class(_fsspec_protocol(protocol))
    except (ImportError, ValueError) as error:
        raise _classify(trouble(error, url=url, path="", doing="open")) from error


def _fsspec_protocol(protocol: str) -> str:
    """Return the protocol as fsspec knows it."""
    if one_name(protocol) == "s3":
        return "s3"
    return protocol


# ---------------------------------------------------------------- by Airflow


def _access_by_airflow(url: str, conn_id: str, extra: str) -> StorageAccess:
    digest = _digest(_storage_connection(conn_id, extra))
    key = (os.getpid(), protocol_of(url), conn_id)
    cached = _CACHE.get(key)
    if cached is None or cached.digest != digest or time.monotonic() - cached.made_at > _FRESH_FOR:
        cached = _CachedAccess(digest, time.monotonic(), _make_access(url, conn_id, extra))
        _CACHE[key] = cached
    return cached.access


def _storage_connection(conn_id: str, extra: str) -> Any:
    """Return the connection of the storage. Some providers go on without one that is not there, and hide why access is denied."""
    try:
        connection = find_connection(conn_id)
    except BadConnectionError as error:
        fault = error.faults[0]
        fix = "Make it, or name another." if fault.code == "connection.unknown" else fault.fix
        raise BadConnectionError(f"{fault.path}: {fault.message}", code=fault.code, path=f"extra.{extra}", fix=fix) from error
    if connection.conn_type == CONN_TYPE:
        message = f"{shown(conn_id)} is of the type {CONN_TYPE} itself."
        fix = "Name one of the storage's own: of the type aws, google_cloud_platform or wasb."
        raise BadConnectionError(message, code="connection.type", path=f"extra.{extra}", fix=fix)
    return connection


def _digest(connection: Any) -> str:
    values = [str(getattr(connection, name, None)) for name in _FIELDS]
    return hashlib.sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()


def _make_access(url: str, conn_id: str, extra: str) -> StorageAccess:
    protocol = protocol_of(url)
    try:
        return _access_of_filesystem(get_fs(protocol, conn_id), protocol)
    except ValueError as error:
        if "No filesystem registered" not in str(error):
            raise trouble(error, url=url, path="", doing="open") from error
        message = f"no provider of this Airflow opens {protocol}:// with a connection."
        fix = f"{_install_advice(protocol)}, or leave {extra} out: then fsspec opens it."
        raise BadConnectionError(message, code="connection.no-filesystem", path=f"extra.{extra}", fix=fix) from error
    except Exception as error:
        raise _classify(trouble(error, url=url, path="", doing="open")) from error


def _install_advice(protocol: str) -> str:
    provider = _PROVIDERS.get(one_name(protocol))
    if provider:
        return f"Install it (pip install '{provider}')"
    return "Install the provider of that storage"


def _access_of_filesystem(fs: Any, protocol: str) -> StorageAccess:
    """Return the options of Airflow's filesystem, if fsspec makes the same of them. fsspec itself would keep it for ever."""
    type(fs)._cache.pop(getattr(fs, "_fs_token", None), None)
    options = dict(fs.storage_options)
    is_known = one_name(protocol) in storage_options.OPTIONS and not fs.storage_args
    is_same = is_known and type(fs) is fsspec.get_filesystem_class(_fsspec_protocol(protocol))
    if is_same and not _has_own_signature(options):
        return StorageAccess(options=options)
    return StorageAccess(fs=fs)


def _has_own_signature(options: Mapping[str, Any]) -> bool:
    """Return whether Airflow signs requests with a function of its own, which stands where the name of a signature would."""
    return not isinstance((options.get("config_kwargs") or {}).get("signature_version"), str | None)


def _classify(error: SchemaError) -> SchemaError:
    """Return an error of the connection as one that fails a task immediately."""
    if error.code in _OF_CONNECTION:
        return BadConnectionError.of(error.faults)
    return error
