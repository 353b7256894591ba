"""Set how long the clients of our own filesystems wait, and how often they ask again.

A storage that cannot be reached is reported within two minutes. By default that takes five to more than nine, where something accepts the
connection and does not answer. s3fs makes five attempts, each with five attempts of botocore and 15 seconds for each of them; gcsfs waits
five minutes for an answer, and more than once; the client of Azure waits one minute for each of four attempts, and another one in between.
A filesystem that is handed in stays as it is, and so does whatever options say.
"""

import contextlib
import logging
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas import __version__
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee, one_name
from airflow_provider_schemas.store.storage.remote.listings import FileSystem

_CONNECT_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 15.0
# gcsfs makes six attempts whatever the options say, but none after this many seconds.
_GOOGLE_SECONDS: Final = 60.0
_BOTOCORE_ATTEMPTS: Final = 3
_S3FS_ATTEMPTS: Final = 2
# By default botocore makes its own text anew for each request, an eighth of the processor time of a request.
_USER_AGENT: Final = f"airflow-provider-schemas/{__version__}"


def with_patience(protocol: str, options: Mapping[str, Any], at_once: int) -> dict[str, Any]:
    """Return the options of a filesystem of ours: no caches of listings, no endless waiting, and so many requests at once."""
    patient: dict[str, Any] = {}
    if guarantee(protocol).means is Means.CONDITION:
        patient["use_listings_cache"] = False
    patient |= options
    if one_name(protocol) == "s3":
        retries = {"total_max_attempts": _BOTOCORE_ATTEMPTS, "mode": "standard"}
        ours = {"retries": retries, "max_pool_connections": at_once, "user_agent": _USER_AGENT}
        patient["config_kwargs"] = {**ours, **(options.get("config_kwargs") or {})}
    if one_name(protocol) == "gs":
        with contextlib.suppress(ImportError):  # without the library, opening tells which extra is missing
            import aiohttp

            patient.setdefault("requests_timeout", aiohttp.ClientTimeout(total=_GOOGLE_SECONDS, sock_connect=_CONNECT_SECONDS))
    return patient


def with_fewer_retries(fs: FileSystem, protocol: str, options: Mapping[str, Any]) -> FileSystem:
    """Return the filesystem, changed where its options have no words for what is meant."""
    if one_name(protocol) == "s3" and "retries" not in (options.get("config_kwargs") or {}):
        fs.retries = _S3FS_ATTEMPTS
    if one_name(protocol) == "abfs":
        _hurry_azure(fs)
    if one_name(protocol) == "gs":  # gcsfs logs as errors, with all lines of the stack, what our errors tell
        logging.getLogger("gcsfs").addHandler(logging.NullHandler())
    return fs


def _hurry_azure(fs: FileSystem) -> None:
    """Shorten the pauses and the waiting of the client that adlfs makes without asking. A client that is built otherwise stays as it is."""
    client = getattr(fs, "service_client", None)
    policy: Any = getattr(getattr(client, "_config", None), "retry_policy", None)
    if hasattr(policy, "initial_backoff") and hasattr(policy, "increment_base"):
        policy.initial_backoff = 1
        policy.increment_base = 2
        policy.random_jitter_range = 1
    connection: Any = getattr(getattr(getattr(client, "_pipeline", None), "_transport", None), "connection_config", None)
    if hasattr(connection, "timeout") and hasattr(connection, "read_timeout"):
        connection.timeout = _CONNECT_SECONDS
        connection.read_timeout = _ANSWER_SECONDS
