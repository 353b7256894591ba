"""Airflow's models of XComs and tasks, and a session of its database: no public interface of Airflow, so nobody else imports them.

What another release has changed shows at the import: then nothing can be read, and the page says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from airflow_provider_schemas.errors import FormatError

if TYPE_CHECKING:
    from airflow.models.taskinstance import TaskInstance
    from airflow.models.xcom import XComModel
    from sqlalchemy.orm import Session

_FIX = "Read the log of the task: it ends with the same verdict. A newer release of airflow-provider-schemas may know this Airflow."


def xcoms() -> "type[XComModel]":
    """Return the model of XComs."""
    try:
        from airflow.models.xcom import XComModel
    except ImportError:
        raise _unreadable() from None
    return XComModel


def tasks() -> "type[TaskInstance]":
    """Return the model of task instances."""
    try:
        from airflow.models.taskinstance import TaskInstance
    except ImportError:
        raise _unreadable() from None
    return TaskInstance


@contextmanager
def reading() -> "Iterator[Session]":
    """Give a session of its own, which ends with the block."""
    try:
        from airflow.utils.session import create_session
    except ImportError:
        raise _unreadable() from None
    with create_session(scoped=False) as session:
        yield session


def _unreadable() -> FormatError:
    return FormatError("verdicts are not readable in this Airflow.", code="page.no-xcoms", fix=_FIX)
