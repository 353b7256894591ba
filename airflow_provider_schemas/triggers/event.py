"""Watching a table for ever, for an asset: each version of its schema is one event.

Up to where it has seen is kept in the state store of the asset, which Airflow has since 3.3, and written a moment after
the events were handed over: whoever is stopped in between announces them again, because an event too many can be told
from the table and version in it, and one that never came by nothing. Airflow 3.2 has no such store: there it begins at the newest version.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

from airflow.triggers.base import BaseEventTrigger, TriggerEvent

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.triggers.look import Log, Looks, Told, in_thread, pause, text_of
from airflow_provider_schemas.triggers.polling_trigger import fired

if TYPE_CHECKING:
    from airflow_provider_schemas.triggers.version_poller import WatchLook

# The triggerer hands events on once a second, and the scheduler comes round as often: of several at once, it may start a DAG for the
# first alone, and let the others wait for the next event.
_HANDED_ON_SECONDS: Final = 3.0

Seen = tuple[int, str]


class SchemaVersionEventTrigger(BaseEventTrigger):
    """For `AssetWatcher`; `schema_asset(..., watch="conn_id")` makes the asset with it. Events have the keys `kind` ("version", or
    "rewound" for a history that went back), `table`, `branch`, `version`, `previous`, `digest`, `changes`, `by` and `run`."""

    def __init__(
        self, *, conn_id: str, table: str, branch: str | None = None, poll: float = 60.0, start: str = "latest", asset: str = ""
    ) -> None:
        """Start is 'latest' or 'earliest': what counts as seen when nothing was remembered. Asset tells this watcher from one that
        watches the same for another asset: Airflow would run one for both, and give it no state."""
        super().__init__()  # type: ignore[no-untyped-call]  # Airflow's own
        self.conn_id, self.table, self.branch = conn_id, table, branch
        self.poll, self.start, self.asset = float(poll), start, asset

    def serialize(self) -> tuple[str, dict[str, Any]]:
        kind = type(self)
        about = {"conn_id": self.conn_id, "table": self.table, "branch": self.branch}
        return f"{kind.__module__}.{kind.__qualname__}", {**about, "poll": self.poll, "start": self.start, "asset": self.asset}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        looks = Looks(_make_look, {"conn_id": self.conn_id, "table": self.table, "branch": self.branch})
        told, memory = (
            Told(self.log),
            _Memory(getattr(self, "asset_state_store", None), f"schemas.seen:{self.table}@{self.branch}", self.log),
        )
        while True:
            try:
                seen = await memory.recall()
                step = await looks.look(seen, self.start if memory.lasts else "latest")
            except Exception as error:  # noqa: BLE001  # a watcher that raises is started again at once, for ever
                told.warn(f"{text_of(error)} Looking again every {self.poll:g} s.")
            else:
                told.say(step.said)
                for one in step.events:
                    yield fired(one)
                    await asyncio.sleep(_HANDED_ON_SECONDS)
                await memory.keep(step.seen)
            await pause(self.poll)


def _make_look(**about: Any) -> "WatchLook":
    """Make what looks, in the thread that looks."""
    from airflow_provider_schemas.triggers.version_poller import WatchLook

    return WatchLook(**about)


class _Memory:
    """Up to where a watcher has seen: in the state of the asset where there is one, and in any case for as long as it runs."""

    def __init__(self, state: Any, key: str, log: Log) -> None:
        self._state, self._key, self._told = state, key, Told(log, "The state of the asset answers again.")
        self._seen: Seen | None = None
        self._stored: Seen | None = None
        self._asked = False

    @property
    def lasts(self) -> bool:
        """Whether anything is remembered after a restart."""
        return self._state is not None

    async def recall(self) -> Seen | None:
        if not self._asked:
            self._seen = self._stored = self._read(await self._ask("get", None))
            self._asked = True
            if not self.lasts:
                self._told.say("Airflow keeps no state for this watcher: it begins at the newest version each time it is started.")
        return self._seen

    async def keep(self, seen: Seen) -> None:
        """Remember it; what could not be written down is written after another look."""
        self._seen = seen
        if self._stored == seen:
            return
        try:
            await self._ask("set", {"version": seen[0], "digest": seen[1]})
        except StorageError as error:
            self._told.warn(text_of(error))
        else:
            self._stored = seen
            self._told.say()

    async def _ask(self, what: str, value: Any) -> Any:
        """Get or set. Before 3.3.2 a state cannot be awaited; one that is asked on behalf of several assets is none."""
        if self._state is None:
            return None
        try:
            if waits := getattr(self._state, f"a{what}", None):
                return await waits(self._key, value)
            return await in_thread("state", getattr(self._state, what), self._key, value)
        except ValueError:
            self._state = None
            return None
        except Exception as error:
            message = (
                f"the state of the asset does not answer ({type(error).__name__}): up to where this watcher has seen is not {_DONE[what]}."
            )
            raise StorageError(message, code="watcher.state", fix="Look whether Airflow's API server answers.") from error

    def _read(self, value: Any) -> Seen | None:
        match value:
            case None:
                return None
            case {"version": int(number), "digest": str(digest)}:
                return number, digest
            case _:
                self._told.warn("What was written down for this watcher cannot be read, so that it begins anew.")
                return None


_DONE: Final = {"get": "known", "set": "written down"}
