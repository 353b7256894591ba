"""Looking for versions of one table: for one that is newer than one that was seen, and for all of them in order."""

from typing import Any, NamedTuple

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.triggers import store_cache
from airflow_provider_schemas.triggers.event_payload import called, is_no_table, news, there, where_from, whom_to_ask
from airflow_provider_schemas.triggers.look import Answer

# The number of what was seen, where nothing was.
NOTHING = -1
# How many versions are announced at one look: each is read, and the look after it goes on.
_MOST_AT_ONCE = 100


class TableLook:
    """A table that is looked at again and again."""

    def __init__(self, conn_id: str, table: str, branch: str | None) -> None:
        self._conn_id, self._store = conn_id, store_cache.store(conn_id)
        self.table = self._store.table(table, branch)
        self.name = called(self.table)

    def forget(self) -> None:
        """Let the store be opened anew."""
        store_cache.forget(self._conn_id, self._store)


class VersionLook(TableLook):
    """Is there a version newer than the one that was seen? One listing."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None, version: int, digest: str) -> None:
        super().__init__(conn_id, table, branch)
        self._seen, self._digest = version, digest

    def look(self) -> Answer:
        try:
            return self._look()
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return Answer(f"{self.name} is not there yet.")

    def _look(self) -> Answer:
        rewound, newer = self._moved()
        if not (rewound or newer):
            return Answer(f"{self.name}: nothing newer than v{self._seen} yet.")
        head = self.table.latest()
        before = there(self.table, self._seen) if self._seen >= 0 else None
        told = news(self.table, head, before, self._seen if self._seen >= 0 else None)
        said = f"{self.name} v{head.number}: {'its history went back' if rewound else _since(self._seen)} ({where_from(head)})."
        return Answer(said, {"status": "ok", **told, "rewound": rewound})

    def _moved(self) -> tuple[bool, bool]:
        """Whether its history went back, and whether there is anything newer. A number without a digest can only be passed."""
        if self._seen >= 0 and self._digest:
            moved = self.table.changed_since((self._seen, self._digest))
            return bool(moved.report.findings), bool(moved.newer)
        numbers = self.table.numbers()
        if not numbers:
            self.table.latest()  # raises what there is to say about a table that is not there
        return False, max(numbers) > self._seen

    def owner(self) -> str:
        """Whom to ask about the table."""
        try:
            return whom_to_ask(self.table.latest())
        except NotThereError:
            return ""


def _since(seen: int) -> str:
    return f"newer than v{seen}" if seen >= 0 else "it is there"


class Step(NamedTuple):
    """What a watcher saw: what there is to say, what to announce in this order, and up to where it has seen now."""

    said: str
    events: list[dict[str, Any]]
    seen: tuple[int, str]


class WatchLook(TableLook):
    """Every version since the last look, in order; a history that went back is one event of its own kind."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None) -> None:
        super().__init__(conn_id, table, branch)

    def look(self, seen: tuple[int, str] | None, start: str) -> Step:
        """Seen is nothing at the first look of all, which announces nothing if the start is the latest version."""
        if seen is None:
            return self._first(start)
        try:
            return self._later(*seen)
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return Step(f"{self.name} is not there. Waiting for it.", [], seen)

    def _first(self, start: str) -> Step:
        nothing = (NOTHING, "")
        if start == "earliest":
            return self.look(nothing, start)
        try:
            head = self.table.latest()
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return Step(f"{self.name} is not there. Waiting for it.", [], nothing)
        return Step(f"{self.name}: watching for what comes after v{head.number}.", [], (head.number, head.digest))

    def _later(self, number: int, digest: str) -> Step:
        if number == NOTHING:
            return self._announced(number, digest, self.table.numbers())
        moved = self.table.changed_since((number, digest))
        return self._rewound(number) if moved.report.findings else self._announced(number, digest, moved.newer)

    def _rewound(self, number: int) -> Step:
        head = self.table.latest()
        event = {"kind": "rewound", **news(self.table, head, None, number)}
        said = f"{self.name}: its history went back from v{number}, the newest is v{head.number} now ({where_from(head)})."
        return Step(said, [event], (head.number, head.digest))

    def _announced(self, number: int, digest: str, newer: tuple[int, ...]) -> Step:
        events, before = [], there(self.table, number) if newer and number >= 0 else None
        for one in newer[:_MOST_AT_ONCE]:
            version = there(self.table, one)
            if version is not None:  # or it was expired meanwhile
                events.append({"kind": "version", **news(self.table, version, before, number if number >= 0 else None)})
                before, number, digest = version, version.number, version.digest
        said = f"{self.name}: {_numbers(events)} came." if events else ""
        return Step(said, events, (number, digest))


def _numbers(events: list[dict[str, Any]]) -> str:
    first, last = events[0]["version"], events[-1]["version"]
    return f"v{first}" if first == last else f"v{first} to v{last}"
