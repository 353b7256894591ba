"""A connection as Airflow keeps it, wherever this runs: in a task, in a thread of the triggerer, in the API server.

Airflow says of a connection that its API or its secrets backend failed to give that it is not defined. Those who ask are
asked once more here, so that only what is really not there fails a task for good.
"""

from collections.abc import Iterable
from typing import Any

from airflow.sdk import BaseHook
from airflow.sdk.exceptions import AirflowNotFoundException

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.hooks.defaults import to_type
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.store.storage.errors import said


def connection(conn_id: object) -> Any:
    """The connection of this id."""
    if not isinstance(conn_id, str) or not conn_id.strip():
        raise BadConnectionError(
            f"{shown(str(conn_id))} is no id of a connection.", code="connection.unknown", path="conn_id", fix="Pass its id."
        )
    try:
        return BaseHook.get_connection(conn_id)
    except AirflowNotFoundException as error:
        raise _why(conn_id) or _unknown(conn_id) from error
    except PermissionError as error:
        fix = "Have whoever runs this Airflow grant it."
        raise BadConnectionError("access to it is denied.", code="connection.denied", path=f"connection {conn_id}", fix=fix) from error
    except Exception as error:
        raise _failed(conn_id, error) from error


def _unknown(conn_id: str) -> SchemaError:
    fix = f"Run: {to_type(conn_id)}"
    return BadConnectionError("it is not defined.", code="connection.unknown", path=f"connection {conn_id}", fix=fix)


def _failed(conn_id: str, error: Exception) -> SchemaError:
    """What kept Airflow from giving the connection: a text that is none, or whoever keeps it."""
    if not isinstance(error, ValueError) or isinstance(error, OSError):
        return _unreachable(conn_id, said(error))
    message, fix = f"it cannot be read: {said(error)}.", f"Write it as JSON. Run: {to_type(conn_id)}"
    return BadConnectionError(message, path=f"connection {conn_id}", fix=fix)


def _unreachable(conn_id: str, why: str) -> SchemaError:
    message = f"Airflow could not look it up: {why}."
    fix = "Look whether the API server and the secrets backend answer, then try again."
    return StorageError(message, code="connection.unreachable", path=f"connection {conn_id}", fix=fix)


# ---------------------------------------------------------------- the second look


def _why(conn_id: str) -> SchemaError | None:
    """What kept one of those who know connections from answering; None if all of them say that there is none."""
    return next((why for backend in _backends() if (why := _asked(backend, conn_id)) is not None), None)


def _backends() -> Iterable[Any]:
    """Who is asked for connections; nobody, where this Airflow keeps them elsewhere."""
    try:
        from airflow.sdk.execution_time.supervisor import ensure_secrets_backend_loaded

        return ensure_secrets_backend_loaded()
    except Exception:  # noqa: BLE001  # a part of Airflow that may change: without it, what is not defined stays so
        return ()


def _asked(backend: Any, conn_id: str) -> SchemaError | None:
    try:
        if type(backend).__name__ == "ExecutionAPISecretsBackend":
            return _of_the_api(conn_id)
        backend.get_connection(conn_id=conn_id)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer
        return _failed(conn_id, error)
    return None


def _of_the_api(conn_id: str) -> SchemaError | None:
    """What the API server answers, which its own client keeps to itself."""
    from airflow.sdk.exceptions import ErrorType
    from airflow.sdk.execution_time import comms, task_runner

    answer = task_runner.SUPERVISOR_COMMS.send(comms.GetConnection(conn_id=conn_id))
    if not isinstance(answer, comms.ErrorResponse) or answer.error is ErrorType.CONNECTION_NOT_FOUND:
        return None
    return _unreachable(conn_id, f"the API server answered {answer.error.value}")
