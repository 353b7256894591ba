"""How an error ends a task: errors that a retry can fix are raised as they are, others fail the task immediately."""

from collections.abc import Iterator
from contextlib import contextmanager

from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import (
    ConflictError,
    Fault,
    IncompatibleSchemaError,
    OutcomeUnknownError,
    SchemaError,
    StorageError,
    UnsafeStorageError,
)
from airflow_provider_schemas.render.sanitize import clean

# A storage may come back, and another writer will have finished. UnsafeStorageError stays at every retry, and what may have been done
# is not done again before somebody has looked.
_RETRIED: tuple[type[SchemaError], ...] = (StorageError, ConflictError)
_FINAL: tuple[type[SchemaError], ...] = (UnsafeStorageError, OutcomeUnknownError)
# The library speaks of arguments, and a task has a connection.
_CONNECTION_WORDS = {
    "Check storage_options,": "Check storage_conn_id and storage_options of the connection,",
    "Open it without read_only.": "Take read_only out of the extra of the connection.",
    "with layout=": "with layout in the extra of the connection",
    "single_writer=True": "single_writer in the extra of the connection",
}


class FinalError(AirflowFailException, SchemaError):
    """An error that a retry cannot fix: the task fails immediately."""


class FinalIncompatibleSchemaError(AirflowFailException, IncompatibleSchemaError):
    """An incompatible schema as the end of a task, which fails immediately. Its report tells why."""


def final(error: SchemaError) -> SchemaError:
    """Return the error that ends a task. A log prints the errors behind it as well, so none of them may show the secrets of an address."""
    from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

    hide_in_chain(error)
    if isinstance(error, AirflowFailException):
        return error
    faults = tuple(map(_about_connection, error.faults))
    if isinstance(error, _RETRIED) and not isinstance(error, _FINAL):
        if faults == error.faults:
            return error
        return type(error).of(faults)
    if isinstance(error, IncompatibleSchemaError):
        incompatible = FinalIncompatibleSchemaError.of(faults)
        incompatible.report = error.report
        return incompatible
    return FinalError.of(faults)


def _about_connection(fault: Fault) -> Fault:
    """Return the fault with advice about the connection, and without control characters: names in it may come from anybody."""
    fix = fault.fix
    for of_library, of_connection in _CONNECTION_WORDS.items():
        fix = fix.replace(of_library, of_connection)
    fix = "\n".join(map(clean, fix.split("\n")))
    return fault._replace(path=clean(fault.path), message=clean(fault.message), fix=fix)


@contextmanager
def settled() -> Iterator[None]:
    """Raise errors of the library as they end a task."""
    try:
        yield
    except SchemaError as error:
        final_error = final(error)
        if final_error is error:
            raise
        raise final_error from None  # it says the same, and a log is read at night


def state_of(error: SchemaError) -> str:
    """Return what becomes of the task: 'retry' or 'fail'."""
    return "fail" if isinstance(final(error), AirflowFailException) else "retry"
