"""Tell what went wrong in a storage from the exception that a library raised, by tables. No such library is imported.

An exception, and those it was made from, is known by its words, the code of its service, its class, its number or its HTTP status, in that
order. The outermost exception counts; an inner one only tells more of the same.
"""

import errno
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final


class ErrorKind(StrEnum):
    """The kinds of errors; the value is the code of the fault."""

    TAKEN = "storage.taken"
    NOT_THERE = "storage.not-there"
    NO_BUCKET = "storage.no-bucket"
    FORBIDDEN = "storage.forbidden"
    CREDENTIALS = "storage.credentials"
    FULL = "storage.full"
    REFUSED_PATH = "storage.refused-path"
    UNREACHABLE = "storage.unreachable"
    BUSY = "storage.busy"
    MISSING_EXTRA = "storage.missing-extra"
    UNKNOWN_PROTOCOL = "storage.unknown-protocol"
    FAILED = "storage.failed"


def _invert(table: dict[ErrorKind, str]) -> dict[str, ErrorKind]:
    return {word: kind for kind, words in table.items() for word in words.split()}


# The codes in the answers of S3, of storages that speak like it, and of Azure.
_CODES: Final = _invert(
    {
        ErrorKind.TAKEN: """
            BlobAlreadyExists ResourceAlreadyExists PreconditionFailed ConditionNotMet BlobImmutableDueToPolicy PathAlreadyExists""",
        ErrorKind.NOT_THERE: "NoSuchKey NoSuchVersion BlobNotFound ResourceNotFound PathNotFound",
        ErrorKind.NO_BUCKET: "NoSuchBucket ContainerNotFound ContainerDisabled FilesystemNotFound ContainerBeingDeleted AccountNotFound",
        ErrorKind.FORBIDDEN: """
            AccessDenied AccountProblem AllAccessDisabled AccountIsDisabled AuthorizationFailure AuthorizationPermissionMismatch
            AuthorizationSourceIPMismatch AuthorizationProtocolMismatch AuthorizationServiceMismatch AuthorizationResourceTypeMismatch
            InsufficientAccountPermissions InvalidObjectState MethodNotAllowed PublicAccessNotPermitted""",
        ErrorKind.CREDENTIALS: """
            InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken TokenRefreshRequired RequestTimeTooSkewed
            AuthorizationHeaderMalformed InvalidSecurity MissingSecurityHeader NotSignedUp RequestExpired InvalidClientTokenId
            UnrecognizedClientException AuthenticationFailed AuthenticationRequired InvalidAuthenticationInfo
            NoAuthenticationInformation""",
        ErrorKind.FULL: """
            QuotaExceeded QuotaExceededException StorageQuotaExceeded AccountStorageQuotaExceeded InsufficientStorage
            XMinioStorageFull""",
        ErrorKind.REFUSED_PATH: """
            KeyTooLongError InvalidURI InvalidUri InvalidResourceName InvalidObjectName OutOfRangeInput InvalidBucketName
            XMinioInvalidObjectName""",
        ErrorKind.UNREACHABLE: """
            SlowDown ServiceUnavailable InternalError RequestTimeout ServerBusy OperationTimedOut Throttling ThrottlingException
            TooManyRequests BandwidthLimitExceeded RequestLimitExceeded XMinioServerNotInitialized""",
        ErrorKind.BUSY: "ConditionalRequestConflict OperationAborted AccountBeingCreated",
    }
)

# Classes by name; the nearest in the family counts. Azure's ResourceExistsError is none of them: it stands for every 409.
_CLASSES: Final = _invert(
    {
        ErrorKind.TAKEN: "FileExistsError",
        ErrorKind.NOT_THERE: "FileNotFoundError NotADirectoryError IsADirectoryError ResourceNotFoundError",
        ErrorKind.FORBIDDEN: "PermissionError",
        # of botocore, azure and google-auth
        ErrorKind.CREDENTIALS: """
            NoCredentialsError PartialCredentialsError CredentialRetrievalError ProfileNotFound ConfigNotFound InvalidConfigError
            TokenRetrievalError SSOError NoAuthTokenError UnauthorizedSSOTokenError
            ClientAuthenticationError AzureSigningError GoogleAuthError""",
        ErrorKind.REFUSED_PATH: "ParamValidationError UnicodeEncodeError",
        # of Python, fsspec, botocore, aiohttp, requests, google-auth and azure
        ErrorKind.UNREACHABLE: """
            ConnectionError TimeoutError gaierror herror HTTPException IncompleteRead SSLError FSTimeoutError
            HTTPClientError IncompleteReadError ResponseParserError
            ClientError RequestException TransportError ChecksumError ServiceRequestError ServiceResponseError""",
        ErrorKind.MISSING_EXTRA: "ImportError MissingDependencyException",
    }
)
# The errors of botocore and aiohttp for any answer of the service: its code or its status tells the kind.
_ANSWER_CLASSES: Final = frozenset({("botocore", "ClientError"), ("aiohttp", "ClientResponseError")})

_NUMBERS: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), ErrorKind.FULL),
    **dict.fromkeys((errno.ENAMETOOLONG, errno.ELOOP, errno.EILSEQ), ErrorKind.REFUSED_PATH),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), ErrorKind.FORBIDDEN),
    **dict.fromkeys(
        (errno.EHOSTUNREACH, errno.EHOSTDOWN, errno.ENETUNREACH, errno.ENETDOWN, errno.ENOTCONN, errno.ESTALE), ErrorKind.UNREACHABLE
    ),
    **dict.fromkeys((errno.EBUSY, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ETXTBSY), ErrorKind.BUSY),
}

_STATUSES: Final = {
    401: ErrorKind.CREDENTIALS,
    403: ErrorKind.FORBIDDEN,
    404: ErrorKind.NOT_THERE,
    407: ErrorKind.CREDENTIALS,
    408: ErrorKind.UNREACHABLE,
    409: ErrorKind.BUSY,
    412: ErrorKind.TAKEN,
    414: ErrorKind.REFUSED_PATH,
    429: ErrorKind.UNREACHABLE,
    507: ErrorKind.FULL,
    **dict.fromkeys(set(range(500, 600)) - {507}, ErrorKind.UNREACHABLE),
}

# What only the words of a class tell.
_WORDS: Final = (
    ("ValueError", re.compile(r"Protocol not known"), ErrorKind.UNKNOWN_PROTOCOL),
    (
        "ValueError",
        re.compile(r"[Cc]onnection string is either blank or malformed|connection_string or account_name"),
        ErrorKind.CREDENTIALS,
    ),
    ("ValueError", re.compile(r"embedded null|Invalid bucket name"), ErrorKind.REFUSED_PATH),
    ("HttpResponseError", re.compile(r"failed to authenticate"), ErrorKind.CREDENTIALS),
    ("OSError", re.compile(r"^Forbidden: "), ErrorKind.FORBIDDEN),
    # gcsfs: the objects of a bucket were asked for, and none of them.
    ("FileNotFoundError", re.compile(r"(^|/)b/[^/]+/o$"), ErrorKind.NO_BUCKET),
)

# The kinds that an inner exception may make of an outer one.
_REFINED: Final = {
    ErrorKind.NOT_THERE: frozenset({ErrorKind.NO_BUCKET}),
    ErrorKind.FORBIDDEN: frozenset({ErrorKind.CREDENTIALS}),
    ErrorKind.BUSY: frozenset({ErrorKind.UNREACHABLE}),
    ErrorKind.TAKEN: frozenset({ErrorKind.BUSY, ErrorKind.NO_BUCKET}),
}
_MOST_LINKS: Final = 20


def kind_of(error: BaseException) -> ErrorKind:
    """Return what went wrong."""
    kind: ErrorKind | None = None
    for link in links(error):
        link_kind = _link_kind(link)
        if link_kind is not None and (kind is None or link_kind in _REFINED.get(kind, ())):
            kind = link_kind
    return kind or ErrorKind.FAILED


def links(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and those it was made from."""
    link: BaseException | None = error
    for _ in range(_MOST_LINKS):
        if link is None:
            return
        yield link
        link = link.__cause__ or _shown_context(link)


def _shown_context(error: BaseException) -> BaseException | None:
    return None if error.__suppress_context__ else error.__context__


def was_refused(error: BaseException) -> bool:
    """Return whether the service itself said that the request is wrong: then it did nothing."""
    return any(400 <= _status(link) < 500 for link in links(error))


def family(error: BaseException) -> tuple[str, ...]:
    """Return the names of the class of an error and of those above it."""
    return tuple(ancestor.__name__ for ancestor in type(error).__mro__)


def _link_kind(error: BaseException) -> ErrorKind | None:
    """Return the kind of one exception, without those it was made from."""
    for find_kind in _WAYS:
        kind = find_kind(error)
        if kind is not None:
            return kind
    return None


def _by_code(error: BaseException) -> ErrorKind | None:
    code = _service_code(error)
    return _CODES.get(str(getattr(code, "value", code)))


def _service_code(error: BaseException) -> Any:
    """Return the code that the service answered, wherever the library keeps it."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        return response.get("Error", {}).get("Code")
    return getattr(error, "error_code", None)


def _by_words(error: BaseException) -> ErrorKind | None:
    names = family(error)
    return next((kind for name, words, kind in _WORDS if name in names and words.search(str(error))), None)


def _by_class(error: BaseException) -> ErrorKind | None:
    for ancestor in type(error).__mro__:
        if (ancestor.__module__.partition(".")[0], ancestor.__name__) in _ANSWER_CLASSES:
            return None
        kind = _CLASSES.get(ancestor.__name__)
        if kind is not None:
            return kind
    return None


def _by_number(error: BaseException) -> ErrorKind | None:
    if not isinstance(error, OSError) or error.errno is None:
        return None
    return _NUMBERS.get(error.errno)


def _by_status(error: BaseException) -> ErrorKind | None:
    return _STATUSES.get(_status(error))


def _status(error: BaseException) -> int:
    """Return the HTTP status of the answer, wherever the library keeps it; 0 if there was none."""
    for status in _possible_statuses(error):
        if str(status).isdecimal() and 400 <= int(status) < 600:
            return int(status)
    return 0


def _possible_statuses(error: BaseException) -> Iterator[Any]:
    """Yield what may be the status. Each is read only where those before are none: aiohttp warns about the use of `code`."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        yield response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    yield from (getattr(error, name, None) for name in ("status_code", "status", "code"))


_WAYS: Final[tuple[Callable[[BaseException], ErrorKind | None], ...]] = (_by_words, _by_code, _by_class, _by_number, _by_status)
