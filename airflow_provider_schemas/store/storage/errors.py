"""Make our errors of what went wrong in a storage, whatever library met it: a sentence, and what to do.

Keys and tokens are never shown, neither those in the address nor those in the message of a library.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain, without_queries
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, family, kind_of, links, was_refused


class _Text(NamedTuple):
    """The texts of an error, with words to be filled in."""

    message: str
    fix: str


_TEXTS: Final = {
    ErrorKind.TAKEN: _Text("cannot {doing} {place}: that name is taken", "Choose another name, or look who wrote it."),
    ErrorKind.NOT_THERE: _Text("cannot {doing} {place}: there is no such file", "Check the address, and whether somebody took it away."),
    ErrorKind.NO_BUCKET: _Text(
        "cannot {doing} {place}: its {bucket} does not exist", "Create the {bucket}, or correct its name in the address."
    ),
    ErrorKind.FORBIDDEN: _Text(
        "cannot {doing} {place}: access is denied", "Have whoever runs the storage grant the right to list, read and write there."
    ),
    ErrorKind.CREDENTIALS: _Text(
        "cannot {doing} {place}: there are no credentials for it, or the storage does not accept them",
        "Check storage_options, or the environment and the files from which the library takes its credentials.",
    ),
    ErrorKind.FULL: _Text("cannot {doing} {place}: the storage is full, or a quota is used up", "Make room, then try again."),
    ErrorKind.REFUSED_PATH: _Text("cannot {doing} {place}: the storage takes no such name", "Choose a shorter or simpler name."),
    ErrorKind.UNREACHABLE: _Text(
        "cannot {doing} {place}: the storage cannot be reached, or does not answer as it should",
        "Check the address and the network, then try again.",
    ),
    ErrorKind.BUSY: _Text("cannot {doing} {place}: the storage, or this process, is busy", "Try again a little later."),
    ErrorKind.MISSING_EXTRA: _Text("cannot {doing} {place}: {library} is not installed", "{install}"),
    ErrorKind.UNKNOWN_PROTOCOL: _Text(
        "cannot {doing} {place}: {protocol!r} is no protocol that fsspec knows", "Use a path, or an address with s3://, gs:// or abfs://."
    ),
    ErrorKind.FAILED: _Text("cannot {doing} {place}: {said}", "Look up what that means, mend it, and try again."),
}
_EXTRAS: Final = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "abfs": "azure", "abfss": "azure", "az": "azure"}
_WEB: Final = ("http", "https")
_NEVER_MISSING: Final = frozenset({"write", "create", "make", "put", "list"})
_PASSING: Final = frozenset({ErrorKind.UNREACHABLE, ErrorKind.BUSY})
# A certificate that is not accepted now is not accepted in a minute.
_LASTING: Final = re.compile(r"Certificate|CertVerification")

_ASSIGNED: Final = re.compile(r"([\w.-]+)(['\"]?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s,;&]+)")
_BEARER: Final = re.compile(r"(?i)\b(bearer|sharedkey|aws4-hmac-sha256)\s+\S+")
_MOST_SHOWN: Final = 300
_MOST_READ: Final = 2_000


def trouble(error: BaseException, *, url: str, path: str, doing: str) -> SchemaError:
    """Return the error of ours for what happened while `doing` something: read, list, write ...

    An exception that ends the process, or tells that no memory is left, is raised again as it is.
    """
    if isinstance(error, SchemaError):
        return error
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    kind = _kind_here(error, url, doing)
    hide_in_chain(error)
    path = path_shown(url, path)
    words = _words(error, url, path, doing)
    text = _TEXTS[kind]
    error_class = NotThereError if kind is ErrorKind.NOT_THERE else StorageError
    return error_class(f"{text.message.format(**words)}.", code=kind.value, path=path, fix=text.fix.format(**words))


def check_size(data: bytes, limit: int, path: str, url: str) -> bytes:
    """Return the bytes of a file; raise a StorageError if they are more than the limit."""
    if len(data) > limit:
        fix = "It is none of ours; look what wrote it, and take it away."
        shown = path_shown(url, path)
        message = f"{without_credentials(url)}/{shown} is larger than {limit} bytes."
        raise StorageError(message, code="storage.too-large", path=shown, fix=fix)
    return data


def is_taken(error: BaseException) -> bool:
    """Return whether an exclusive create was refused because the name is taken, maybe by our own request that the library sent twice."""
    return kind_of(error) is ErrorKind.TAKEN


def is_unclear(error: BaseException) -> bool:
    """Return whether an exclusive create may have taken place all the same: only reading back can tell."""
    kind = kind_of(error)
    return kind in _PASSING or (kind is ErrorKind.FAILED and not was_refused(error))


def is_bucket_missing(error: BaseException) -> bool:
    """Return whether nothing is found because the bucket or container is not there."""
    return kind_of(error) is ErrorKind.NO_BUCKET


def passing(error: BaseException) -> bool:
    """Return whether the same request may succeed a little later."""
    kind = error.code if isinstance(error, SchemaError) else kind_of(error)
    return kind in _PASSING and not any(map(_LASTING.search, _class_names(error)))


def _class_names(error: BaseException) -> Iterator[str]:
    for link in links(error):
        yield from family(link)


def _kind_here(error: Exception, url: str, doing: str) -> ErrorKind:
    """Return the kind of an error at a place: object stores have no folders that could be missing."""
    kind = kind_of(error)
    if kind is ErrorKind.NOT_THERE and doing in _NEVER_MISSING:
        return ErrorKind.NO_BUCKET if _protocol(url) in _EXTRAS else ErrorKind.FAILED
    return kind


def path_shown(url: str, path: str) -> str:
    """Return the path as people may see it: on the web, what stands behind a question mark may be a signature."""
    place, mark, _ = path.partition("?")
    if mark and _protocol(url) in _WEB:
        return f"{place}?{MASK}"
    return path


def _words(error: Exception, url: str, path: str, doing: str) -> dict[str, str]:
    """Return the words that are filled into the texts of an error."""
    protocol = _protocol(url)
    address = without_credentials(url)
    extra = _EXTRAS.get(protocol)
    return {
        "place": f"it in {address}" if path else address,  # the path stands before the sentence
        "doing": doing,
        "bucket": "container" if extra == "azure" else "bucket",
        "protocol": protocol,
        "library": _missing_library(error) or f"what fsspec needs for {protocol}",
        "install": f'Run: pip install "airflow-provider-schemas[{extra}]"' if extra else "Install it with pip.",
        "said": library_message(error),
    }


def _missing_library(error: Exception) -> str:
    for link in links(error):
        if isinstance(link, ImportError) and link.name:
            return link.name
    return ""


def _protocol(url: str) -> str:
    """Return the protocol of an address; empty for a path."""
    protocol, mark, _ = url.partition("://")
    return protocol.lower() if mark else ""


def library_message(error: BaseException) -> str:
    """Return the class and the message of an error of a library, in one line and without secrets."""
    text = " ".join(str(error)[:_MOST_READ].split())
    text = _BEARER.sub(rf"\1 {MASK}", _ASSIGNED.sub(_mask, without_queries(text)))
    if len(text) > _MOST_SHOWN:
        text = f"{text[:_MOST_SHOWN]}..."
    name = type(error).__name__
    return f"{name} ({text})" if text else name


def _mask(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]}{MASK}" if is_secret(match[1]) else match[0]
