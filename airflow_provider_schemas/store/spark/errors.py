"""What went wrong when Spark was asked for files: told from its error conditions and from the names of Java's classes. Tables.

Sentences differ between versions and languages; conditions and classes do not. What Spark itself said is not
repeated, since it may hold what nobody should read: it stays in the exception that ours was made from.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, kind_of, links


class _Saying(NamedTuple):
    kind: ErrorKind
    message: str
    fix: str


_MISSING = _Saying(ErrorKind.NOT_THERE, "there is no such file", "Check the address, and whether somebody took it away.")
_NO_SESSION = _Saying(ErrorKind.FAILED, "there is no Spark session, or it was stopped", "Hand in a session that runs.")
_NO_FILESYSTEM = _Saying(
    ErrorKind.MISSING_EXTRA,
    "Spark has no library for such addresses",
    "Start it with the one for this storage: --packages org.apache.hadoop:hadoop-aws:<the version of its Hadoop> for s3a.",
)
_NO_BUCKET = _Saying(ErrorKind.NO_BUCKET, "its bucket or container does not exist", "Correct its name in the address, or create it.")
_FORBIDDEN = _Saying(ErrorKind.FORBIDDEN, "access is denied", "Grant those that Spark runs as the right to list and read there.")
_CREDENTIALS = _Saying(
    ErrorKind.CREDENTIALS,
    "Spark has no credentials for it, or the storage does not accept them",
    "Give them to Spark, in its own configuration (spark.hadoop.fs...): those of Airflow are not used here.",
)
_UNREACHABLE = _Saying(
    ErrorKind.UNREACHABLE, "the storage, or Spark itself, cannot be reached", "Check the address and the network, then try again."
)
_FAILED = _Saying(
    ErrorKind.FAILED, "Spark says {told}", "Look up what that means, in the exception above this one; mend it, and try again."
)

_BY_CONDITION: Final = {
    "PATH_NOT_FOUND": _MISSING,
    "FAILED_READ_FILE.FILE_NOT_EXIST": _MISSING,
    "SESSION_OR_CONTEXT_NOT_EXISTS": _NO_SESSION,
    "NO_ACTIVE_SESSION": _NO_SESSION,
    "NO_ACTIVE_OR_DEFAULT_SESSION": _NO_SESSION,
}


def _by_word(table: dict[str, _Saying]) -> dict[str, _Saying]:
    return {word: saying for words, saying in table.items() for word in words.split()}


# Java's FileNotFoundException is none of them: it is also what a file that may not be opened raises.
_BY_CLASS: Final = _by_word(
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
    """The error of ours for what Spark raised on the way to `doing` (read, list) something."""
    if isinstance(error, SchemaError):
        return error
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    saying = _saying(error)
    hide_in_chain(error)
    made = NotThereError if saying.kind is ErrorKind.NOT_THERE else StorageError
    place = f"{without_credentials(url)}/{path}" if path else without_credentials(url)
    reason = saying.message.format(told=" ".join(_names(error)[:3]) or type(error).__name__)
    return made(f"cannot {doing} {place} through Spark: {reason}.", code=saying.kind.value, path=path, fix=saying.fix)


def is_missing(error: BaseException) -> bool:
    """Whether Spark says that there is no such file or folder."""
    return _saying(error) is _MISSING


def _saying(error: BaseException) -> _Saying:
    for name in _names(error):
        found = _BY_CONDITION.get(name) or _BY_CLASS.get(name)
        if found is not None:
            return found
    return _BY_KIND.get(kind_of(error), _FAILED)


def _names(error: BaseException) -> list[str]:
    """The conditions that are named, then the classes, the outermost first."""
    texts = [_text(one) for one in links(error)]
    conditions = [name for link, text in zip(links(error), texts, strict=True) for name in _conditions(link, text)]
    classes = [found for text in texts for found in _CLASS.findall(text)]
    return list(dict.fromkeys([*conditions, *classes]))


def _conditions(error: BaseException, text: str) -> Iterator[str]:
    ask: Any = getattr(error, "getCondition", None)
    said = ask() if callable(ask) else None
    if isinstance(said, str):
        yield said
    yield from _CONDITION.findall(text)


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_MOST_READ]
    except Exception:  # noqa: BLE001  # a process of Java that is gone cannot say what it has raised
        return ""
