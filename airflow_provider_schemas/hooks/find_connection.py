"""A connection as Airflow keeps it, wherever this runs: in a task, in a thread of the triggerer, in the API server.

Where its API or its secrets backend fails, Airflow reports that the connection is not defined. So the backends are read once
more here, and only a connection that is really not there fails a task for good.
"""

from collections.abc import Iterable
from typing import Any

from airflow.sdk import BaseHook
from airflow.sdk.exceptions import AirflowNotFoundException

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.hooks.defaults import add_command
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.store.storage.errors import library_message


def find_connection(conn_id: object) -> Any:
    """Return the connection of this id."""
    if not isinstance(conn_id, str) or not conn_id.strip():
        message = f"{shown(str(conn_id))} is no id of a connection."
        raise BadConnectionError(message, code="connection.unknown", path="conn_id", fix="Pass its id.")
    try:
        return BaseHook.get_connection(conn_id)
    except AirflowNotFoundException as error:
        raise _backend_error(conn_id) or _unknown_error(conn_id) from error
    except PermissionError as error:
        fix = "Have whoever runs this Airflow grant it."
        raise BadConnectionError("access to it is denied.", code="connection.denied", path=f"connection {conn_id}", fix=fix) from error
    except Exception as error:
        raise _lookup_error(conn_id, error) from error


def _unknown_error(conn_id: str) -> SchemaError:
    fix = f"Run: {add_command(conn_id)}"
    return BadConnectionError("it is not defined.", code="connection.unknown", path=f"connection {conn_id}", fix=fix)


def _lookup_error(conn_id: str, error: Exception) -> SchemaError:
    """Return the error for what kept Airflow from giving the connection: its text cannot be read, or a backend does not answer."""
    if not isinstance(error, ValueError) or isinstance(error, OSError):
        return _unreachable_error(conn_id, library_message(error))
    fix = f"Write it as JSON. Run: {add_command(conn_id)}"
    return BadConnectionError(f"it cannot be read: {library_message(error)}.", path=f"connection {conn_id}", fix=fix)


def _unreachable_error(conn_id: str, reason: str) -> SchemaError:
    message = f"Airflow could not look it up: {reason}."
    fix = "Look whether the API server and the secrets backend answer, then try again."
    return StorageError(message, code="connection.unreachable", path=f"connection {conn_id}", fix=fix)


# ---------------------------------------------------------------- the second look


def _backend_error(conn_id: str) -> SchemaError | None:
    """Return what kept a backend from answering; None if all of them answer that there is no such connection."""
    for backend in _secrets_backends():
        error = _read_backend(backend, conn_id)
        if error is not None:
            return error
    return None


def _secrets_backends() -> Iterable[Any]:
    """Return the backends that give connections; none, where this Airflow keeps them elsewhere."""
    try:
        from airflow.sdk.execution_time.supervisor import ensure_secrets_backend_loaded

        return ensure_secrets_backend_loaded()
    except Exception:  # noqa: BLE001  # a part of Airflow that may change: without it, the connection counts as not defined
        return ()


def _read_backend(backend: Any, conn_id: str) -> SchemaError | None:
    """Return the error of a backend; None if it answers."""
    try:
        if type(backend).__name__ == "ExecutionAPISecretsBackend":
            return _read_api(conn_id)
        backend.get_connection(conn_id=conn_id)
    except Exception as error:  # noqa: BLE001  # every error is returned as the reason
        return _lookup_error(conn_id, error)
    return None


def _read_api(conn_id: str) -> SchemaError | None:
    """Return the error of the API server, which its own client hides."""
    from airflow.sdk.exceptions import ErrorType
    from airflow.sdk.execution_time import comms, task_runner

    answer = task_runner.SUPERVISOR_COMMS.send(comms.GetConnection(conn_id=conn_id))
    if not isinstance(answer, comms.ErrorResponse) or answer.error is ErrorType.CONNECTION_NOT_FOUND:
        return None
    return _unreachable_error(conn_id, f"the API server answered {answer.error.value}")
