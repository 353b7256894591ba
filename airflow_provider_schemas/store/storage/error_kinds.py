"""What went wrong in a storage, told from the exception that a library raised. Tables; no such library is imported.

An exception, and those it was made from, is known by its words, the code of its service, its class, its
number or its HTTP status, in that order. What the outermost says counts; one further in only tells more of the same.
"""

import errno
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final


class ErrorKind(StrEnum):
    """What can go wrong; the value is the code of the fault."""

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


def _by_word(table: dict[ErrorKind, str]) -> dict[str, ErrorKind]:
    return {word: kind for kind, words in table.items() for word in words.split()}


# What S3, those who speak like it, and Azure call it in their answers.
_CODES: Final = _by_word(
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
_CLASSES: Final = _by_word(
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
# So botocore calls what the service answered, and aiohttp too: the code or the status tells.
_ANSWERS: Final = frozenset({("botocore", "ClientError"), ("aiohttp", "ClientResponseError")})

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

# What is said in no other way than in words, and by which class.
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

# What an exception further in may make of the one around it.
_REFINED: Final = {
    ErrorKind.NOT_THERE: frozenset({ErrorKind.NO_BUCKET}),
    ErrorKind.FORBIDDEN: frozenset({ErrorKind.CREDENTIALS}),
    ErrorKind.BUSY: frozenset({ErrorKind.UNREACHABLE}),
    ErrorKind.TAKEN: frozenset({ErrorKind.BUSY, ErrorKind.NO_BUCKET}),
}
_MOST_LINKS: Final = 20


def kind_of(error: BaseException) -> ErrorKind:
    """What went wrong."""
    kind: ErrorKind | None = None
    for link in links(error):
        found = _kind_of_one(link)
        if found is not None and (kind is None or found in _REFINED.get(kind, ())):
            kind = found
    return kind or ErrorKind.FAILED


def links(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it was made from."""
    link: BaseException | None = error
    for _ in range(_MOST_LINKS):
        if link is None:
            return
        yield link
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def was_refused(error: BaseException) -> bool:
    """Whether the service itself said that the request is wrong: then it did nothing."""
    return any(400 <= _status(link) < 500 for link in links(error))


def family(error: BaseException) -> tuple[str, ...]:
    """The names of its class and of those above."""
    return tuple(one.__name__ for one in type(error).__mro__)


def _kind_of_one(error: BaseException) -> ErrorKind | None:
    return next((kind for ask in _ASKED if (kind := ask(error)) is not None), None)


def _by_code(error: BaseException) -> ErrorKind | None:
    answer = getattr(error, "response", None)
    code = answer.get("Error", {}).get("Code") if isinstance(answer, dict) else getattr(error, "error_code", None)
    return _CODES.get(str(getattr(code, "value", code)))


def _by_words(error: BaseException) -> ErrorKind | None:
    names = family(error)
    return next((kind for name, words, kind in _WORDS if name in names and words.search(str(error))), None)


def _by_class(error: BaseException) -> ErrorKind | None:
    for one in type(error).__mro__:
        if (one.__module__.partition(".")[0], one.__name__) in _ANSWERS:
            return None
        if (kind := _CLASSES.get(one.__name__)) is not None:
            return kind
    return None


def _by_number(error: BaseException) -> ErrorKind | None:
    return _NUMBERS.get(error.errno) if isinstance(error, OSError) and error.errno is not None else None


def _by_status(error: BaseException) -> ErrorKind | None:
    return _STATUSES.get(_status(error))


def _status(error: BaseException) -> int:
    """The HTTP status of the answer, wherever the library keeps it; 0 if there was none."""
    return next((int(one) for one in _kept_statuses(error) if str(one).isdecimal() and 400 <= int(one) < 600), 0)


def _kept_statuses(error: BaseException) -> Iterator[Any]:
    """What may be the status. Each is asked for only where those before are none: aiohttp warns of whoever asks for `code`."""
    answer = getattr(error, "response", None)
    if isinstance(answer, dict):
        yield answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
    yield from (getattr(error, name, None) for name in ("status_code", "status", "code"))


_ASKED: Final[tuple[Callable[[BaseException], ErrorKind | None], ...]] = (_by_words, _by_code, _by_class, _by_number, _by_status)
