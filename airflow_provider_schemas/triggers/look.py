"""Looking again and again from the triggerer's one loop: a thread does the looking, and errors of a storage are tolerated for a while.

The object that looks is made in the thread, where its module is imported as well, because that takes longer than the loop
may wait. It is kept from look to look; after an error it is made anew, with a connection that is read again, so
that a password which was changed meanwhile is the new one.
"""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from airflow_provider_schemas.errors import SchemaError, StorageError, UnsafeStorageError

# Threads of our own, for each connection: a storage that hangs does not delay those that read another one.
_THREADS_OF_A_POOL: Final = 8
_POOLS: Final[dict[str, ThreadPoolExecutor]] = {}
# A storage that is down for a minute does not end a wait of six hours. Both must have passed.
PATIENCE_SECONDS: Final = 600.0
PATIENCE_LOOKS: Final = 5
# So that a thousand triggers that were started together do not look together for ever.
_SPREAD: Final = 0.1
# A sensor may be told to look without a pause, which is for tests of what blocks, and not for a loop that others share.
_LEAST_SECONDS: Final = 0.05
_MAX_FAULTS: Final = 20


class LookAnswer(NamedTuple):
    """What one look found: a message, and the event that ends the wait, if there is one."""

    message: str
    event: dict[str, Any] | None = None


_Answer_co = TypeVar("_Answer_co", covariant=True)
_Result = TypeVar("_Result")


class Looker(Protocol[_Answer_co]):
    """An object that looks, and answers."""

    def look(self, *args: Any, **kwargs: Any) -> _Answer_co: ...
    def forget(self) -> None: ...


class Look(Looker[LookAnswer], Protocol):
    """An object that looks whether a wait is over."""

    def owner(self) -> str: ...


class Log(Protocol):
    """A log."""

    def info(self, event: Any, *args: Any, **kw: Any) -> Any: ...
    def warning(self, event: Any, *args: Any, **kw: Any) -> Any: ...


async def in_thread(pool: str, call: Callable[..., _Result], *args: Any) -> _Result:
    """Return what the call answers, from one of the threads of a pool, which logs for the same task."""
    if pool not in _POOLS:
        _POOLS[pool] = ThreadPoolExecutor(_THREADS_OF_A_POOL, f"schemas-{pool}")
    work = partial(copy_context().run, call, *args)
    return await asyncio.get_running_loop().run_in_executor(_POOLS[pool], work)


async def pause(seconds: float) -> None:
    """Sleep about this long."""
    await asyncio.sleep(max(seconds, _LEAST_SECONDS) * random.uniform(1 - _SPREAD, 1 + _SPREAD))  # noqa: S311  # not a secret


class RepeatedLook(Generic[_Answer_co]):
    """Looks of one kind, by an object that is made for the first of them, and for the first after an error."""

    def __init__(self, make: Callable[..., Looker[_Answer_co]], arguments: Mapping[str, Any]) -> None:
        """Take the function that makes the object, and its arguments, a connection among them."""
        self._make = make
        self._arguments = dict(arguments)
        self._looker: Looker[_Answer_co] | None = None

    async def look(self, *args: Any) -> _Answer_co:
        """Look once, in a thread."""
        return await in_thread(f"connection-{self._arguments['conn_id']}", self._look, *args)

    def _look(self, *args: Any) -> _Answer_co:
        try:
            if self._looker is None:
                self._looker = self._make(**self._arguments)
            return self._looker.look(*args)
        except BaseException:
            failed = self._looker
            self._looker = None
            if failed is not None:
                failed.forget()
            raise


def log_lines(log: Callable[..., Any], text: str) -> None:
    """Log a text line by line, as the log shows each."""
    for line in text.splitlines():
        log("%s", line)


class NewsLog:
    """Logs what is new, and nothing twice: what a look found, and errors until a look succeeds again."""

    def __init__(self, log: Log, recovered: str = "The schema store answers again.") -> None:
        self._log = log
        self._recovered = recovered
        self._message = ""
        self._warning = ""

    def info(self, message: str = "") -> None:
        """Log what a look found that succeeded."""
        if self._warning:
            self._log.info("%s", self._recovered)
            self._warning = ""
        if message and message != self._message:
            log_lines(self._log.info, message)
            self._message = message

    def warn(self, message: str) -> None:
        """Log why a look failed."""
        if message != self._warning:
            log_lines(self._log.warning, message)
        self._warning = message


class Patience:
    """How long looks have failed in a row, and whether to look again."""

    def __init__(self) -> None:
        self._since = 0.0
        self._failures = 0

    def restore(self) -> None:
        """Forget the failures: a look has succeeded."""
        self._failures = 0

    def tolerates(self, error: BaseException) -> bool:
        """Count a failure, and return whether to look again: only errors of a storage pass by themselves."""
        if not is_passing(error):
            return False
        self._failures += 1
        if self._failures == 1:
            self._since = time.monotonic()
        return self._failures < PATIENCE_LOOKS or time.monotonic() - self._since < PATIENCE_SECONDS


def is_passing(error: BaseException) -> bool:
    """Return whether an error may pass by itself: one of a storage, of the network, of Airflow's own API, and not bad input."""
    if not isinstance(error, SchemaError):
        return True
    return isinstance(error, StorageError) and not isinstance(error, UnsafeStorageError)


def safe_text(error: BaseException) -> str:
    """Return the error without secrets: the text of an error of others may hold some, so that only its name is shown."""
    from airflow_provider_schemas.store.storage.chained_errors import without_queries

    if isinstance(error, SchemaError):
        return without_queries(str(error))
    return f"{type(error).__name__} while the schema store was asked."


def error_event(error: BaseException) -> dict[str, Any]:
    """Return an error as an event that a task can raise again."""
    from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

    hide_in_chain(error)
    faults = error.faults if isinstance(error, SchemaError) else ()
    plain = [{"code": fault.code, "path": fault.path, "message": fault.message, "fix": fault.fix} for fault in faults[:_MAX_FAULTS]]
    return {"status": "error", "retry": is_passing(error), "message": safe_text(error), "faults": plain}
