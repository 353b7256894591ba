"""Looking again and again from the triggerer's one loop: the looking itself is done by a thread, and trouble is borne for a while.

What looks is made in the thread, where its module is imported as well, because that costs more than the loop may be
kept waiting. It is kept from look to look; after an error it is made anew, with a connection that is read again, so
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

# Threads of our own, for each connection: a storage that hangs keeps nobody waiting who asks another one.
_THREADS: Final = 8
_POOLS: Final[dict[str, ThreadPoolExecutor]] = {}
# A storage that is down for a minute does not end a wait of six hours. Both must have passed.
PATIENCE_SECONDS: Final = 600.0
PATIENCE_LOOKS: Final = 5
# So that a thousand triggers that were started together do not look together for ever.
_SPREAD: Final = 0.1
# A sensor may be told to look without a pause, which is for tests of what blocks, and not for a loop that others share.
_LEAST_SECONDS: Final = 0.05


class Answer(NamedTuple):
    """What was seen at one look: the end of the wait, if it is that, and what there is to say."""

    said: str
    event: dict[str, Any] | None = None


_Answer_co = TypeVar("_Answer_co", covariant=True)
_Result = TypeVar("_Result")


class Looker(Protocol[_Answer_co]):
    """What looks, and answers."""

    def look(self, *args: Any, **kwargs: Any) -> _Answer_co: ...
    def forget(self) -> None: ...


class Look(Looker[Answer], Protocol):
    """What looks whether a wait is over."""

    def owner(self) -> str: ...


class Log(Protocol):
    """Where it is said."""

    def info(self, event: Any, *args: Any, **kw: Any) -> Any: ...
    def warning(self, event: Any, *args: Any, **kw: Any) -> Any: ...


async def in_thread(pool: str, call: Callable[..., _Result], *args: Any) -> _Result:
    """What the call answers, from one of the threads of a pool, which logs for the same task."""
    if pool not in _POOLS:
        _POOLS[pool] = ThreadPoolExecutor(_THREADS, f"schemas-{pool}")
    work = partial(copy_context().run, call, *args)
    return await asyncio.get_running_loop().run_in_executor(_POOLS[pool], work)


async def pause(seconds: float) -> None:
    """Sleep about this long."""
    await asyncio.sleep(max(seconds, _LEAST_SECONDS) * random.uniform(1 - _SPREAD, 1 + _SPREAD))  # noqa: S311  # nobody's secret


class Looks(Generic[_Answer_co]):
    """Looks of one kind, by what was made for the first of them, or for the first since an error."""

    def __init__(self, make: Callable[..., Looker[_Answer_co]], about: Mapping[str, Any]) -> None:
        """The function that makes what looks, and the arguments that the function takes, a connection among them."""
        self._make, self._about = make, dict(about)
        self._looker: Looker[_Answer_co] | None = None

    async def look(self, *args: Any) -> _Answer_co:
        """One look, in a thread."""
        return await in_thread(f"connection-{self._about['conn_id']}", self._look, *args)

    def _look(self, *args: Any) -> _Answer_co:
        try:
            if self._looker is None:
                self._looker = self._make(**self._about)
            return self._looker.look(*args)
        except BaseException:
            failed, self._looker = self._looker, None
            if failed is not None:
                failed.forget()
            raise


def say(log: Callable[..., Any], text: str) -> None:
    """Log a text line by line, as the log shows each."""
    for line in text.splitlines():
        log("%s", line)


class Told:
    """Says what is new, and nothing twice: what was seen, and what went wrong with looking until it goes well again."""

    def __init__(self, log: Log, again: str = "The schema store answers again.") -> None:
        self._log, self._again = log, again
        self._said = self._trouble = ""

    def say(self, text: str = "") -> None:
        """All went well, and this was seen."""
        if self._trouble:
            self._log.info("%s", self._again)
        if text and text != self._said:
            say(self._log.info, text)
        self._said, self._trouble = text or self._said, ""

    def warn(self, text: str) -> None:
        """It did not go well."""
        if text != self._trouble:
            say(self._log.warning, text)
        self._trouble = text


class Trouble:
    """How long looks have failed in a row, and whether that is to be borne."""

    def __init__(self) -> None:
        self._since, self._looks = 0.0, 0

    def over(self) -> None:
        self._looks = 0

    def met(self, error: BaseException) -> bool:
        """Whether to look again after this one: no other look mends what is no trouble of a storage."""
        if not passing(error):
            return False
        self._looks += 1
        if self._looks == 1:
            self._since = time.monotonic()
        return self._looks < PATIENCE_LOOKS or time.monotonic() - self._since < PATIENCE_SECONDS


def passing(error: BaseException) -> bool:
    """Whether this may pass by itself: trouble of a storage, of the network, of Airflow's own API. Bad input stays what it is."""
    return not isinstance(error, SchemaError) or (isinstance(error, StorageError) and not isinstance(error, UnsafeStorageError))


def text_of(error: BaseException) -> str:
    """The error without secrets: what is none of ours may say anything, and is called by its name alone."""
    from airflow_provider_schemas.store.storage.chained_errors import without_queries

    return without_queries(str(error)) if isinstance(error, SchemaError) else f"{type(error).__name__} while the schema store was asked."


def error_event(error: BaseException) -> dict[str, Any]:
    """An error as an event that a task can raise again."""
    from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain

    hide_in_chain(error)
    faults = error.faults if isinstance(error, SchemaError) else ()
    plain = [{"code": one.code, "path": one.path, "message": one.message, "fix": one.fix} for one in faults[:20]]
    return {"status": "error", "retry": passing(error), "message": text_of(error), "faults": plain}
