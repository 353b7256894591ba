"""Make our errors of what catalogs raise: pyiceberg, requests, SQLAlchemy, botocore. None of them is imported.

Three libraries have a NoSuchTableError: pyiceberg's means that the table is not there, SQLAlchemy's that the database of the catalog is no
catalog. So classes are known by their module and their name.
"""

from typing import Final

from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind, kind_of
from airflow_provider_schemas.store.storage.errors import library_message

_MISSING: Final = frozenset(
    {("pyiceberg", "NoSuchTableError"), ("pyiceberg", "NoSuchNamespaceError"), ("pyiceberg", "NoSuchIdentifierError")}
)
_NOT_ICEBERG: Final = frozenset({("pyiceberg", "NoSuchIcebergTableError"), ("pyiceberg", "NoSuchPropertyException")})
_KINDS: Final = {
    ("pyiceberg", "UnauthorizedError"): ErrorKind.CREDENTIALS,
    ("pyiceberg", "AuthorizationExpiredError"): ErrorKind.CREDENTIALS,
    ("pyiceberg", "OAuthError"): ErrorKind.CREDENTIALS,
    ("pyiceberg", "SignError"): ErrorKind.CREDENTIALS,
    ("pyiceberg", "ForbiddenError"): ErrorKind.FORBIDDEN,
    ("pyiceberg", "ServiceUnavailableError"): ErrorKind.UNREACHABLE,
    ("pyiceberg", "TooManyRequestsError"): ErrorKind.UNREACHABLE,
    ("pyiceberg", "ServerError"): ErrorKind.UNREACHABLE,
    ("pyiceberg", "BadRequestError"): ErrorKind.FAILED,
    ("pyiceberg", "RESTError"): ErrorKind.FAILED,
    ("pyiceberg", "NotInstalledError"): ErrorKind.MISSING_EXTRA,
    ("sqlalchemy", "OperationalError"): ErrorKind.UNREACHABLE,
    ("sqlalchemy", "InterfaceError"): ErrorKind.UNREACHABLE,
    ("sqlalchemy", "TimeoutError"): ErrorKind.UNREACHABLE,
    ("sqlalchemy", "NoSuchTableError"): ErrorKind.FAILED,
    ("sqlalchemy", "SQLAlchemyError"): ErrorKind.FAILED,
}
# What each kind means, and what to do.
_TEXTS: Final = {
    ErrorKind.CREDENTIALS: (
        "the catalog does not accept the credentials",
        "Check the token, the keys or the password of the connection; a token may have ended.",
    ),
    ErrorKind.FORBIDDEN: ("the catalog denies access", "Have whoever runs the catalog grant the right to read the table and its metadata."),
    ErrorKind.UNREACHABLE: (
        "the catalog cannot be reached, or does not answer as it should",
        "Check its address and the network, then try again.",
    ),
    ErrorKind.MISSING_EXTRA: (
        "a library is not installed",
        "Run: pip install 'airflow-provider-schemas[iceberg]', and what the message names.",
    ),
}
_OTHERWISE: Final = ("the catalog failed", "Look up what its message means, mend it, and try again.")


def says_missing(error: BaseException) -> bool:
    """Return whether the catalog says that there is no such table."""
    return bool(_names(error) & _MISSING) and not _names(error) & _NOT_ICEBERG


def catalog_trouble(error: BaseException, *, where: str, what: str) -> SchemaError:
    """Return our error for what a catalog raised when it was asked for something. What ends the process is raised again."""
    if isinstance(error, SchemaError):
        return error
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        raise error
    hide_in_chain(error)
    said = library_message(error)
    if _names(error) & _MISSING and not _names(error) & _NOT_ICEBERG:
        fix = "Check the namespace of the mount, and the name."
        return NotThereError(f"{where} has no {what}: {said}.", path=what, fix=fix)
    if _names(error) & _NOT_ICEBERG:
        fix = "Mount a database whose tables are Iceberg's, or correct the name."
        return StorageError(f"{what} in {where} is no Iceberg table: {said}.", code="mount.not-iceberg", path=what, fix=fix)
    kind = _kind(error)
    reason, fix = _TEXTS.get(kind, _OTHERWISE)
    return StorageError(f"cannot look at {what} in {where}: {reason}: {said}.", code=_code(kind), path=what, fix=fix)


def _code(kind: ErrorKind) -> str:
    """Return the code of an error. A catalog that has not got something else has failed: only its own words say that a table is missing."""
    return ErrorKind.FAILED.value if kind in {ErrorKind.NOT_THERE, ErrorKind.TAKEN} else kind.value


def _kind(error: BaseException) -> ErrorKind:
    for ancestor in type(error).__mro__:
        kind = _KINDS.get(_name(ancestor))
        if kind is not None:
            return kind
    return kind_of(error)


def _names(error: BaseException) -> set[tuple[str, str]]:
    return {_name(ancestor) for ancestor in type(error).__mro__}


def _name(ancestor: type) -> tuple[str, str]:
    return ancestor.__module__.partition(".")[0], ancestor.__name__
