"""How an error ends a task: what another try may mend is raised as it is, what no try mends fails the task at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import ConflictError, Fault, IncompatibleSchemaError, SchemaError, StorageError, UnsafeStorageError
from airflow_provider_schemas.render.sanitize import clean

# A storage may come back, and whoever was first will have finished. UnsafeStorageError is one that never will.
_RETRIED: tuple[type[SchemaError], ...] = (StorageError, ConflictError)
_FINAL: tuple[type[SchemaError], ...] = (UnsafeStorageError,)
# The library speaks of arguments, and a task has a connection.
_OF_CONNECTION = {
    "Check storage_options,": "Check storage_conn_id and storage_options of the connection,",
    "Open it without read_only.": "Take read_only out of the extra of the connection.",
    "with layout=": "with layout in the extra of the connection",
    "single_writer=True": "single_writer in the extra of the connection",
}


class FinalError(AirflowFailException, SchemaError):
    """What no further try mends: the task fails at once."""


class FinalIncompatibleSchemaError(AirflowFailException, IncompatibleSchemaError):
    """What does not fit, as the end of a task: it fails at once. Its report tells why."""


def final(error: SchemaError) -> SchemaError:
    """The error that ends a task. A log prints those behind it as well, so none may show what an address holds."""
    from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

    hide_in_chain(error)
    if isinstance(error, AirflowFailException):
        return error
    faults = tuple(_as_connected(one) for one in error.faults)
    if isinstance(error, _RETRIED) and not isinstance(error, _FINAL):
        return error if faults == error.faults else type(error).of(faults)
    if isinstance(error, IncompatibleSchemaError):
        made = FinalIncompatibleSchemaError.of(faults)
        made.report = error.report
        return made
    return FinalError.of(faults)


def _as_connected(fault: Fault) -> Fault:
    """The fault, with what to do about the connection, and without anything that a log would obey: names are anybody's."""
    fix = fault.fix
    for said, meant in _OF_CONNECTION.items():
        fix = fix.replace(said, meant)
    lines = "\n".join(map(clean, fix.split("\n")))
    return fault._replace(path=clean(fault.path), message=clean(fault.message), fix=lines)


@contextmanager
def settled() -> Iterator[None]:
    """Errors of the library, as they end a task."""
    try:
        yield
    except SchemaError as error:
        ended = final(error)
        if ended is error:
            raise
        raise ended from None  # it says the same, and a log is read at night


def state_of(error: SchemaError) -> str:
    """What becomes of the task: 'retry' or 'fail'."""
    return "fail" if isinstance(final(error), AirflowFailException) else "retry"
