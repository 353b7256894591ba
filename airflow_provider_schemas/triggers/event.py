"""Watching a table for ever, for an asset: each version of its schema is one event.

The last version that it has seen is kept in the state store of the asset, which Airflow has since 3.3, and written a moment
after the events were handed over: a watcher that is stopped in between announces them again, because consumers can recognise
an event that comes twice by its table and version, and miss one that never came. Airflow 3.2 has no such store: there it begins
at the newest version.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

from airflow.triggers.base import BaseEventTrigger, TriggerEvent

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.triggers.look import Log, NewsLog, RepeatedLook, in_thread, pause, safe_text
from airflow_provider_schemas.triggers.polling_trigger import make_event
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, read_seen, seen_entry

if TYPE_CHECKING:
    from airflow_provider_schemas.triggers.version_poller import WatchLook

# The triggerer hands events on once a second, and the scheduler comes round as often: of several at once, it may start a DAG for the
# first alone, and let the others wait for the next event.
_HANDED_ON_SECONDS: Final = 3.0


class SchemaVersionEventTrigger(BaseEventTrigger):
    """For `AssetWatcher`; `schema_asset(..., watch="conn_id")` makes the asset with it.

    Events have the keys `kind`, `table`, `branch`, `version`, `previous`, `digest`, `changes`, `by` and `run`. The kind is "version",
    "rewound" for a history that went back, or "replaced" for a table of others that was dropped and made again. Of a table of others
    there is an event for each schema that became current, also for one that had been before (`restored` is true then), and the key
    `table_id`.
    """

    def __init__(
        self, *, conn_id: str, table: str, branch: str | None = None, poll: float = 60.0, start: str = "latest", asset: str = ""
    ) -> None:
        """Start is 'latest' or 'earliest': what counts as seen when nothing was remembered. Asset tells this watcher from one that
        watches the same for another asset: Airflow would run one for both, and give it no state."""
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's own
        self.conn_id = conn_id
        self.table = table
        self.branch = branch
        self.poll = float(poll)
        self.start = start
        self.asset = asset

    def serialize(self) -> tuple[str, dict[str, Any]]:
        trigger_class = type(self)
        # Airflow hashes the arguments in this order, to tell one watcher from another.
        arguments = {
            "conn_id": self.conn_id,
            "table": self.table,
            "branch": self.branch,
            "poll": self.poll,
            "start": self.start,
            "asset": self.asset,
        }
        return f"{trigger_class.__module__}.{trigger_class.__qualname__}", arguments

    async def run(self) -> AsyncIterator[TriggerEvent]:
        about = {"conn_id": self.conn_id, "table": self.table, "branch": self.branch, "poll": self.poll}
        repeated_look = RepeatedLook(_make_look, about)
        news_log = NewsLog(self.log)
        memory = _Memory(getattr(self, "asset_state_store", None), f"schemas.seen:{self.table}@{self.branch}", self.log)
        while True:
            try:
                seen = await memory.recall()
                step = await repeated_look.look(seen, self.start if memory.lasts else "latest")
            except Exception as error:  # noqa: BLE001  # a watcher that raises is started again at once, for ever
                news_log.warn(f"{safe_text(error)} Looking again every {self.poll:g} s.")
            else:
                news_log.info(step.message)
                for payload in step.events:
                    yield make_event(payload)
                    await asyncio.sleep(_HANDED_ON_SECONDS)
                await memory.keep(step.seen)
            await pause(self.poll)


def _make_look(**about: Any) -> "WatchLook":
    """Make the object that looks, in the thread that looks."""
    from airflow_provider_schemas.triggers.version_poller import WatchLook

    return WatchLook(**about)


class _Memory:
    """The last version that a watcher has seen: in the state of the asset where there is one, else for as long as the watcher runs."""

    def __init__(self, state: Any, key: str, log: Log) -> None:
        self._state = state
        self._key = key
        self._news_log = NewsLog(log, "The state of the asset answers again.")
        self._seen: SeenVersion | None = None
        self._stored: SeenVersion | None = None
        self._is_read = False

    @property
    def lasts(self) -> bool:
        """Return whether anything is remembered after a restart."""
        return self._state is not None

    async def recall(self) -> SeenVersion | None:
        """Return the last version that was seen; None at the first look of all."""
        if not self._is_read:
            self._seen = self._stored = self._parse(await self._call("get", None))
            self._is_read = True
            if not self.lasts:
                self._news_log.info("Airflow keeps no state for this watcher: it begins at the newest version each time it is started.")
        return self._seen

    async def keep(self, seen: SeenVersion) -> None:
        """Remember a version; where the state cannot be written, it is written after another look."""
        self._seen = seen
        if self._stored == seen:
            return
        try:
            await self._call("set", seen_entry(seen))
        except StorageError as error:
            self._news_log.warn(safe_text(error))
        else:
            self._stored = seen
            self._news_log.info()

    async def _call(self, method: str, value: Any) -> Any:
        """Get or set the state. Before 3.3.2 it cannot be awaited; one for several assets raises ValueError, and is not used."""
        if self._state is None:
            return None
        try:
            awaitable = getattr(self._state, f"a{method}", None)
            if awaitable:
                return await awaitable(self._key, value)
            return await in_thread("state", getattr(self._state, method), self._key, value)
        except ValueError:
            self._state = None
            return None
        except Exception as error:
            problem = f"the state of the asset does not answer ({type(error).__name__})"
            message = f"{problem}: up to where this watcher has seen is not {_DONE[method]}."
            raise StorageError(message, code="watcher.state", fix="Look whether Airflow's API server answers.") from error

    def _parse(self, value: Any) -> SeenVersion | None:
        seen = read_seen(value)
        if seen is None and value is not None:
            self._news_log.warn("What was written down for this watcher cannot be read, so that it begins anew.")
        return seen


_DONE: Final = {"get": "known", "set": "written down"}
