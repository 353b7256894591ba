"""Errors of Spark about files, as errors of ours: recognized by Spark's error conditions and by the names of Java's classes.

Sentences differ between versions and languages; conditions and classes do not. Spark's own message is not
repeated, since it may hold secrets: it stays in the exception that ours was made from.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, kind_of, links


class _Trouble(NamedTuple):
    kind: ErrorKind
    message: str
    fix: str


_MISSING = _Trouble(ErrorKind.NOT_THERE, "there is no such file", "Check the address, and whether somebody took it away.")
_NO_SESSION = _Trouble(ErrorKind.FAILED, "there is no Spark session, or it was stopped", "Hand in a session that runs.")
_NO_FILESYSTEM = _Trouble(
    ErrorKind.MISSING_EXTRA,
    "Spark has no library for such addresses",
    "Start it with the one for this storage: --packages org.apache.hadoop:hadoop-aws:<the version of its Hadoop> for s3a.",
)
_NO_BUCKET = _Trouble(ErrorKind.NO_BUCKET, "its bucket or container does not exist", "Correct its name in the address, or create it.")
_FORBIDDEN = _Trouble(ErrorKind.FORBIDDEN, "access is denied", "Grant those that Spark runs as the right to list and read there.")
_CREDENTIALS = _Trouble(
    ErrorKind.CREDENTIALS,
    "Spark has no credentials for it, or the storage does not accept them",
    "Give them to Spark, in its own configuration (spark.hadoop.fs...): those of Airflow are not used here.",
)
_UNREACHABLE = _Trouble(
    ErrorKind.UNREACHABLE, "the storage, or Spark itself, cannot be reached", "Check the address and the network, then try again."
)
_FAILED = _Trouble(
    ErrorKind.FAILED, "Spark says {told}", "Look up what that means, in the exception above this one; mend it, and try again."
)

_BY_CONDITION: Final = {
    "PATH_NOT_FOUND": _MISSING,
    "FAILED_READ_FILE.FILE_NOT_EXIST": _MISSING,
    "SESSION_OR_CONTEXT_NOT_EXISTS": _NO_SESSION,
    "NO_ACTIVE_SESSION": _NO_SESSION,
    "NO_ACTIVE_OR_DEFAULT_SESSION": _NO_SESSION,
}


def _by_class(table: dict[str, _Trouble]) -> dict[str, _Trouble]:
    troubles: dict[str, _Trouble] = {}
    for names, trouble in table.items():
        troubles.update(dict.fromkeys(names.split(), trouble))
    return troubles


# Java's FileNotFoundException is none of them: it is also what a file that may not be opened raises.
_BY_CLASS: Final = _by_class(
    {
        "UnsupportedFileSystemException ClassNotFoundException NoClassDefFoundError": _NO_FILESYSTEM,
        "UnknownStoreException NoSuchBucketException": _NO_BUCKET,
        "AccessDeniedException AccessControlException": _FORBIDDEN,
        """NoAuthWithAWSException NoAwsCredentialsException CredentialInitializationException InvalidAccessKeyIdException
        SignatureDoesNotMatchException ExpiredTokenException""": _CREDENTIALS,
        """UnknownHostException ConnectException NoRouteToHostException SocketTimeoutException SocketException ConnectTimeoutException
        TimeoutException SSLException StandbyException AWSServiceThrottledException StatusRuntimeException""": _UNREACHABLE,
    }
)
_BY_KIND: Final = {ErrorKind.UNREACHABLE: _UNREACHABLE}

_CONDITION: Final = re.compile(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]")
_CLASS: Final = re.compile(r"\b(?:[a-z]\w*\.){2,}(?:\w+[.$])*?([A-Z]\w*(?:Exception|Error))\b")
_MOST_READ: Final = 100_000


def spark_trouble(error: BaseException, *, url: str, path: str, doing: str) -> SchemaError:
    """Return the error of ours for what Spark raised on the way to `doing` (read, list) something."""
    if isinstance(error, SchemaError):
        return error
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    trouble = _find_trouble(error)
    hide_in_chain(error)
    error_class = NotThereError if trouble.kind is ErrorKind.NOT_THERE else StorageError
    place = without_credentials(url)
    if path:
        place = f"{place}/{path}"
    reason = trouble.message.format(told=" ".join(_names(error)[:3]) or type(error).__name__)
    return error_class(f"cannot {doing} {place} through Spark: {reason}.", code=trouble.kind.value, path=path, fix=trouble.fix)


def is_missing(error: BaseException) -> bool:
    """Return whether Spark found no such file or folder."""
    return _find_trouble(error) is _MISSING


def _find_trouble(error: BaseException) -> _Trouble:
    for name in _names(error):
        trouble = _BY_CONDITION.get(name) or _BY_CLASS.get(name)
        if trouble is not None:
            return trouble
    return _BY_KIND.get(kind_of(error), _FAILED)


def _names(error: BaseException) -> list[str]:
    """Return the conditions in the error and its causes, then the classes, the outermost first."""
    conditions: list[str] = []
    classes: list[str] = []
    for link in links(error):
        text = _text(link)
        conditions += _conditions(link, text)
        classes += _CLASS.findall(text)
    return list(dict.fromkeys([*conditions, *classes]))


def _conditions(error: BaseException, text: str) -> Iterator[str]:
    get_condition = getattr(error, "getCondition", None)
    condition = get_condition() if callable(get_condition) else None
    if isinstance(condition, str):
        yield condition
    yield from _CONDITION.findall(text)


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MOST_READ]
    except Exception:  # noqa: BLE001  # a process of Java that has ended cannot print what it has raised
        return ""
