"""How long the clients of our own filesystems wait, and how often they ask again: a storage that is not there is told within two minutes.

Left to themselves they take five minutes to more than nine, where something takes the connection and says nothing.
s3fs asks five times, each time with five attempts of botocore's, and 15 seconds for each; gcsfs waits five minutes for
an answer, and not only once; azure's client one minute for each of four, and another one in between. A filesystem that
is handed in stays as it is, and so does whatever options say.
"""

import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas import __version__
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee, one_name

_CONNECT = 5.0
_ANSWER = 15.0
# gcsfs asks six times whatever is said, but not after this much.
_GOOGLE_ANSWERS = 60.0
_AGAIN = 3
_S3_ROUNDS = 2
# Left to itself botocore puts its own together anew for each request, an eighth of the processor time of one.
_NAME = f"airflow-provider-schemas/{__version__}"


def with_patience(protocol: str, options: Mapping[str, Any], at_once: int) -> dict[str, Any]:
    """The options of a filesystem of ours: nothing from caches of listings, no endless waiting, and so many requests at once."""
    fresh = {"use_listings_cache": False} if guarantee(protocol).means is Means.CONDITION else {}
    found: dict[str, Any] = {**fresh, **options}
    if one_name(protocol) == "s3":
        ours = {"retries": {"total_max_attempts": _AGAIN, "mode": "standard"}, "max_pool_connections": at_once, "user_agent": _NAME}
        found["config_kwargs"] = {**ours, **(options.get("config_kwargs") or {})}
    if one_name(protocol) == "gs":
        with contextlib.suppress(ImportError):  # without the library, opening tells which extra is missing
            import aiohttp

            found.setdefault("requests_timeout", aiohttp.ClientTimeout(total=_GOOGLE_ANSWERS, sock_connect=_CONNECT))
    return found


def settled(fs: Any, protocol: str, options: Mapping[str, Any]) -> Any:
    """The filesystem, told what its options have no words for."""
    if one_name(protocol) == "s3" and "retries" not in (options.get("config_kwargs") or {}):
        fs.retries = _S3_ROUNDS
    if one_name(protocol) == "abfs":
        _hurry_azure(fs)
    if one_name(protocol) == "gs":  # what it writes into the log as errors, with all lines of the stack, is told by our errors
        logging.getLogger("gcsfs").addHandler(logging.NullHandler())
    return fs


def _hurry_azure(fs: Any) -> None:
    """Shorter pauses and answers for azure's client, which adlfs makes without asking; as it is, should it be built otherwise some day."""
    client = getattr(fs, "service_client", None)
    again: Any = getattr(getattr(client, "_config", None), "retry_policy", None)
    if hasattr(again, "initial_backoff") and hasattr(again, "increment_base"):
        again.initial_backoff, again.increment_base, again.random_jitter_range = 1, 2, 1
    waiting: Any = getattr(getattr(getattr(client, "_pipeline", None), "_transport", None), "connection_config", None)
    if hasattr(waiting, "timeout") and hasattr(waiting, "read_timeout"):
        waiting.timeout, waiting.read_timeout = _CONNECT, _ANSWER
