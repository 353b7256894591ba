"""What went wrong in a storage, as one of our errors, whatever library met it: a sentence, and what to do.

Keys and tokens are never shown, neither those in the address nor those in what a library said.
"""

import re
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain, without_queries
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, family, kind_of, links, was_refused


class _Saying(NamedTuple):
    message: str
    fix: str


_SAYINGS: Final = {
    ErrorKind.TAKEN: _Saying("cannot {doing} {place}: that name is taken", "Choose another name, or look who wrote it."),
    ErrorKind.NOT_THERE: _Saying("cannot {doing} {place}: there is no such file", "Check the address, and whether somebody took it away."),
    ErrorKind.NO_BUCKET: _Saying(
        "cannot {doing} {place}: its {bucket} does not exist", "Create the {bucket}, or correct its name in the address."
    ),
    ErrorKind.FORBIDDEN: _Saying(
        "cannot {doing} {place}: access is denied", "Have whoever runs the storage grant the right to list, read and write there."
    ),
    ErrorKind.CREDENTIALS: _Saying(
        "cannot {doing} {place}: there are no credentials for it, or the storage does not accept them",
        "Check storage_options, or the environment and the files from which the library takes its credentials.",
    ),
    ErrorKind.FULL: _Saying("cannot {doing} {place}: the storage is full, or a quota is used up", "Make room, then try again."),
    ErrorKind.REFUSED_PATH: _Saying("cannot {doing} {place}: the storage takes no such name", "Choose a shorter or simpler name."),
    ErrorKind.UNREACHABLE: _Saying(
        "cannot {doing} {place}: the storage cannot be reached, or does not answer as it should",
        "Check the address and the network, then try again.",
    ),
    ErrorKind.BUSY: _Saying("cannot {doing} {place}: the storage, or this process, is busy", "Try again a little later."),
    ErrorKind.MISSING_EXTRA: _Saying("cannot {doing} {place}: {library} is not installed", "{install}"),
    ErrorKind.UNKNOWN_PROTOCOL: _Saying(
        "cannot {doing} {place}: {protocol!r} is no protocol that fsspec knows", "Use a path, or an address with s3://, gs:// or abfs://."
    ),
    ErrorKind.FAILED: _Saying("cannot {doing} {place}: {said}", "Look up what that means, mend it, and try again."),
}
_EXTRAS: Final = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "abfs": "azure", "abfss": "azure", "az": "azure"}
_WEB: Final = ("http", "https")
_NEVER_MISSING: Final = frozenset({"write", "create", "make", "put", "list"})
_PASSING: Final = frozenset({ErrorKind.UNREACHABLE, ErrorKind.BUSY})
# A certificate that is not accepted now will not be accepted in a minute.
_STAYS: Final = re.compile(r"Certificate|CertVerification")

_ASSIGNED: Final = re.compile(r"([\w.-]+)(['\"]?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s,;&]+)")
_BEARER: Final = re.compile(r"(?i)\b(bearer|sharedkey|aws4-hmac-sha256)\s+\S+")
_MOST_SAID: Final = 300
_MOST_READ: Final = 2_000


def trouble(error: BaseException, *, url: str, path: str, doing: str) -> SchemaError:
    """The error of ours for what happened on the way to `doing` (read, list, write, ...) something.

    What says that the process ends, or has no memory left, is raised again as it is.
    """
    if isinstance(error, SchemaError):
        return error
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    kind = _kind_here(error, url, doing)
    hide_in_chain(error)
    path = path_shown(url, path)
    words = _words(error, url, path, doing)
    saying = _SAYINGS[kind]
    made = NotThereError if kind is ErrorKind.NOT_THERE else StorageError
    return made(f"{saying.message.format(**words)}.", code=kind.value, path=path, fix=saying.fix.format(**words))


def is_taken(error: BaseException) -> bool:
    """Whether an exclusive create was refused because the name is taken, be it by our own request that the library sent twice."""
    return kind_of(error) is ErrorKind.TAKEN


def is_unclear(error: BaseException) -> bool:
    """Whether an exclusive create may have taken place all the same: only reading back can tell."""
    kind = kind_of(error)
    return kind in _PASSING or (kind is ErrorKind.FAILED and not was_refused(error))


def is_bucket_missing(error: BaseException) -> bool:
    """Whether nothing is found because the bucket or container is not there."""
    return kind_of(error) is ErrorKind.NO_BUCKET


def passing(error: BaseException) -> bool:
    """Whether the same request may succeed a little later."""
    kind = error.code if isinstance(error, SchemaError) else kind_of(error)
    return kind in _PASSING and not any(_STAYS.search(name) for link in links(error) for name in family(link))


def _kind_here(error: Exception, url: str, doing: str) -> ErrorKind:
    """The kind, with what the place makes of it."""
    kind = kind_of(error)
    if kind is ErrorKind.NOT_THERE and doing in _NEVER_MISSING:  # object stores have no folders that could be missing
        return ErrorKind.NO_BUCKET if _protocol(url) in _EXTRAS else ErrorKind.FAILED
    return kind


def path_shown(url: str, path: str) -> str:
    """The path as people may see it: on the web, what stands behind a question mark may be a signature."""
    place, mark, _ = path.partition("?")
    return f"{place}?{MASK}" if mark and _protocol(url) in _WEB else path


def _words(error: Exception, url: str, path: str, doing: str) -> dict[str, str]:
    protocol = _protocol(url)
    address = without_credentials(url)
    extra = _EXTRAS.get(protocol)
    missing = next((link for link in links(error) if isinstance(link, ImportError) and link.name), None)
    return {
        "place": f"it in {address}" if path else address,  # the path stands before the sentence
        "doing": doing,
        "bucket": "container" if extra == "azure" else "bucket",
        "protocol": protocol,
        "library": str(missing.name) if missing is not None else f"what fsspec needs for {protocol}",
        "install": f'Run: pip install "airflow-provider-schemas[{extra}]"' if extra else "Install it with pip.",
        "said": said(error),
    }


def _protocol(url: str) -> str:
    protocol, mark, _ = url.partition("://")
    return protocol.lower() if mark else ""


def said(error: BaseException) -> str:
    """What a library said, in one line, without what it should have kept to itself."""
    text = " ".join(str(error)[:_MOST_READ].split())
    text = _BEARER.sub(rf"\1 {MASK}", _ASSIGNED.sub(_masked, without_queries(text)))
    text = text if len(text) <= _MOST_SAID else f"{text[:_MOST_SAID]}..."
    return f"{type(error).__name__}{f' ({text})' if text else ''}"


def _masked(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}{MASK}" if is_secret(found[1]) else found[0]
