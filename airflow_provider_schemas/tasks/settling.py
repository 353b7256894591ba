"""How an error ends a task: what another try may mend is raised as it is, what no try mends fails the task at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import ConflictError, IncompatibleSchemaError, SchemaError, StorageError, UnsafeStorageError

# A storage may come back, and whoever was first will have finished. UnsafeStorageError is one that never will.
_RETRIED: tuple[type[SchemaError], ...] = (StorageError, ConflictError)
_FINAL: tuple[type[SchemaError], ...] = (UnsafeStorageError,)


class FinalError(AirflowFailException, SchemaError):
    """What no further try mends: the task fails at once."""


class FinalIncompatibleSchemaError(AirflowFailException, IncompatibleSchemaError):
    """What does not fit, as the end of a task: it fails at once. Its report tells why."""


def final(error: SchemaError) -> SchemaError:
    """The error that ends a task."""
    if isinstance(error, AirflowFailException) or (isinstance(error, _RETRIED) and not isinstance(error, _FINAL)):
        return error
    if isinstance(error, IncompatibleSchemaError):
        made = FinalIncompatibleSchemaError.of(error.faults)
        made.report = error.report
        return made
    return FinalError.of(error.faults)


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
