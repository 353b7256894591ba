"""The filesystem behind an address: made by Airflow with a connection of the storage's own, or by fsspec with the options of ours.

`ObjectStoragePath` keeps its filesystem for as long as a process lives: in the triggerer and the API server a key that was
changed would never arrive. So it is made by what makes it there, and kept while its connection stays what it is.

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
from airflow_provider_schemas.hooks.find_connection import connection
from airflow_provider_schemas.store.storage.error_kinds import Kind
from airflow_provider_schemas.store.storage.errors import trouble
from airflow_provider_schemas.store.storage.guarantees import one_name

# What waiting does not mend: these say what is wrong with the connection, and not with the storage.
_STAYS: Final = (Kind.MISSING_EXTRA, Kind.UNKNOWN_PROTOCOL)
# The distributions that bring filesystems with connections.
_PROVIDERS: Final = {
    "s3": "apache-airflow-providers-amazon[s3fs]",
    "gs": "apache-airflow-providers-google",
    "abfs": "apache-airflow-providers-microsoft-azure",
}
_FIELDS: Final = ("conn_type", "host", "login", "password", "schema", "port", "extra")
# Sessions of assumed roles end after an hour at most.
_FRESH_FOR: Final = 900.0


class Way(Struct, frozen=True):
    """How a storage is reached: with these options, or on a filesystem that is there."""

    options: Mapping[str, Any] | None = None
    fs: Any = None


class _Made(Struct, frozen=True):
    """A way that was made, from which connection and when."""

    digest: str
    at: float
    way: Way


_WAYS: dict[tuple[int, str, str], _Made] = {}


def way_to(url: str, storage_conn_id: str, options: Mapping[str, Any], *, extra: str) -> Way:
    """How an address is reached. Extra is where the connection names the other one, for messages."""
    protocol = protocol_of(url)
    if one_name(protocol) == "file":
        return Way()
    if storage_conn_id:
        return _by_airflow(url, storage_conn_id, extra)
    _check_known(url, protocol)
    for secret in storage_options.secrets_in(protocol, options):
        mask_secret(secret)
    return Way(options=storage_options.laid_out(protocol, options))


def _check_known(url: str, protocol: str) -> None:
    """BadConnectionError if no library for this protocol is installed, or there is none."""
    try:
        fsspec.get_filesystem_class(_in_fsspec(protocol))
    except (ImportError, ValueError) as error:
        raise _settled(trouble(error, url=url, path="", doing="open")) from error


def _in_fsspec(protocol: str) -> str:
    """The protocol as fsspec knows it."""
    return "s3" if one_name(protocol) == "s3" else protocol


# ---------------------------------------------------------------- by Airflow


def _by_airflow(url: str, conn_id: str, extra: str) -> Way:
    digest, key = _digest(_storage_connection(conn_id, extra)), (os.getpid(), protocol_of(url), conn_id)
    made = _WAYS.get(key)
    if made is None or made.digest != digest or time.monotonic() - made.at > _FRESH_FOR:
        made = _Made(digest, time.monotonic(), _made(url, conn_id, extra))
        _WAYS[key] = made
    return made.way


def _storage_connection(conn_id: str, extra: str) -> Any:
    """The connection of the storage. Some providers go on without one that is not there, and nobody sees why access is denied."""
    try:
        found = connection(conn_id)
    except BadConnectionError as error:
        fault = error.faults[0]
        fix = "Make it, or name another." if fault.code == "connection.unknown" else fault.fix
        raise BadConnectionError(f"{fault.path}: {fault.message}", code=fault.code, path=f"extra.{extra}", fix=fix) from error
    if found.conn_type == CONN_TYPE:
        message = f"{shown(conn_id)} is of the type {CONN_TYPE} itself."
        fix = "Name one of the storage's own: of the type aws, google_cloud_platform or wasb."
        raise BadConnectionError(message, code="connection.type", path=f"extra.{extra}", fix=fix)
    return found


def _digest(found: Any) -> str:
    said = [str(getattr(found, name, None)) for name in _FIELDS]
    return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()


def _made(url: str, conn_id: str, extra: str) -> Way:
    protocol = protocol_of(url)
    try:
        return _own(get_fs(protocol, conn_id), protocol)
    except ValueError as error:
        if "No filesystem registered" not in str(error):
            raise trouble(error, url=url, path="", doing="open") from error
        message = f"no provider of this Airflow opens {protocol}:// with a connection."
        fix = f"{_install(protocol)}, or leave {extra} out: then fsspec opens it."
        raise BadConnectionError(message, code="connection.no-filesystem", path=f"extra.{extra}", fix=fix) from error
    except Exception as error:
        raise _settled(trouble(error, url=url, path="", doing="open")) from error


def _install(protocol: str) -> str:
    found = _PROVIDERS.get(one_name(protocol))
    return f"Install it (pip install '{found}')" if found else "Install the provider of that storage"


def _own(fs: Any, protocol: str) -> Way:
    """The options of Airflow's filesystem, if fsspec makes the same of them. fsspec itself would keep it for ever."""
    type(fs)._cache.pop(getattr(fs, "_fs_token", None), None)
    options = dict(fs.storage_options)
    known = one_name(protocol) in storage_options.OPTIONS and not fs.storage_args
    same = known and type(fs) is fsspec.get_filesystem_class(_in_fsspec(protocol))
    return Way(options=options) if same and not _signs_itself(options) else Way(fs=fs)


def _signs_itself(options: Mapping[str, Any]) -> bool:
    """Whether Airflow signs requests with a function that it has hung on the client: then the way to sign is no name."""
    return not isinstance((options.get("config_kwargs") or {}).get("signature_version"), str | None)


def _settled(error: SchemaError) -> SchemaError:
    return BadConnectionError.of(error.faults) if error.code in _STAYS else error
