"""Looking for versions of one table: for one that is newer than one that was seen, and for all of them in order."""

from typing import Any, NamedTuple

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.triggers import store_cache
from airflow_provider_schemas.triggers.event_payload import (
    display_name,
    find_version,
    is_no_table,
    origin_text,
    owner_text,
    version_payload,
)
from airflow_provider_schemas.triggers.look import LookAnswer

# The number of the last version, where no version was seen.
NOTHING = -1
# How many versions are announced at one look: each is read, and the look after it goes on.
_MAX_VERSIONS = 100


class TableLook:
    """A table that is looked at again and again."""

    def __init__(self, conn_id: str, table: str, branch: str | None) -> None:
        self._conn_id = conn_id
        self._store = store_cache.store(conn_id)
        self.table = self._store.table(table, branch)
        self.name = display_name(self.table)

    def forget(self) -> None:
        """Let the store be opened anew."""
        store_cache.forget(self._conn_id, self._store)


class VersionLook(TableLook):
    """Is there a version newer than the one that was seen? One listing."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None, version: int, digest: str) -> None:
        super().__init__(conn_id, table, branch)
        self._seen = version
        self._digest = digest

    def look(self) -> LookAnswer:
        try:
            return self._look()
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return LookAnswer(f"{self.name} is not there yet.")

    def _look(self) -> LookAnswer:
        is_rewound, is_newer = self._compare()
        if not (is_rewound or is_newer):
            return LookAnswer(f"{self.name}: nothing newer than v{self._seen} yet.")
        head = self.table.latest()
        payload = version_payload(self.table, head, _find_seen(self.table, self._seen), _previous(self._seen))
        change = "its history went back" if is_rewound else _since(self._seen)
        message = f"{self.name} v{head.number}: {change} ({origin_text(head)})."
        return LookAnswer(message, {"status": "ok", **payload, "rewound": is_rewound})

    def _compare(self) -> tuple[bool, bool]:
        """Return whether the history went back, and whether there is a newer version. Without a digest only the number is compared."""
        if self._seen >= 0 and self._digest:
            moved = self.table.changed_since((self._seen, self._digest))
            return bool(moved.report.findings), bool(moved.newer)
        numbers = self.table.numbers()
        if not numbers:
            self.table.latest()  # raises what there is to say about a table that is not there
        return False, max(numbers) > self._seen

    def owner(self) -> str:
        """Name the owner of the table."""
        try:
            return owner_text(self.table.latest())
        except NotThereError:
            return ""


def _since(seen: int) -> str:
    if seen >= 0:
        return f"newer than v{seen}"
    return "it is there"


class WatchStep(NamedTuple):
    """What a watcher found: a message, the events to announce in this order, and the last version that it has seen now."""

    message: str
    events: list[dict[str, Any]]
    seen: tuple[int, str]


class WatchLook(TableLook):
    """Every version since the last look, in order; a history that went back is one event of its own kind."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None) -> None:
        super().__init__(conn_id, table, branch)

    def look(self, seen: tuple[int, str] | None, start: str) -> WatchStep:
        """Look for versions after the one that was seen. The first look of all announces nothing if the start is the latest version."""
        if seen is None:
            return self._first(start)
        try:
            return self._later(*seen)
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return WatchStep(f"{self.name} is not there. Waiting for it.", [], seen)

    def _first(self, start: str) -> WatchStep:
        nothing = (NOTHING, "")
        if start == "earliest":
            return self.look(nothing, start)
        try:
            head = self.table.latest()
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return WatchStep(f"{self.name} is not there. Waiting for it.", [], nothing)
        return WatchStep(f"{self.name}: watching for what comes after v{head.number}.", [], (head.number, head.digest))

    def _later(self, number: int, digest: str) -> WatchStep:
        if number == NOTHING:
            return self._announce(number, digest, self.table.numbers())
        moved = self.table.changed_since((number, digest))
        if moved.report.findings:
            return self._announce_rewind(number)
        return self._announce(number, digest, moved.newer)

    def _announce_rewind(self, number: int) -> WatchStep:
        head = self.table.latest()
        event = {"kind": "rewound", **version_payload(self.table, head, None, number)}
        message = f"{self.name}: its history went back from v{number}, the newest is v{head.number} now ({origin_text(head)})."
        return WatchStep(message, [event], (head.number, head.digest))

    def _announce(self, number: int, digest: str, newer: tuple[int, ...]) -> WatchStep:
        """Announce the newer versions, each with what is new since the one before; one that expired meanwhile is left out."""
        events: list[dict[str, Any]] = []
        if not newer:
            return WatchStep("", events, (number, digest))
        before = _find_seen(self.table, number)
        for newer_number in newer[:_MAX_VERSIONS]:
            version = find_version(self.table, newer_number)
            if version is None:
                continue
            events.append({"kind": "version", **version_payload(self.table, version, before, _previous(number))})
            before = version
            number = version.number
            digest = version.digest
        message = f"{self.name}: {_numbers(events)} came." if events else ""
        return WatchStep(message, events, (number, digest))


def _previous(seen: int) -> int | None:
    """Return the number that was seen; None if nothing was."""
    if seen < 0:
        return None
    return seen


def _find_seen(table: Table, seen: int) -> Version | None:
    if seen < 0:
        return None
    return find_version(table, seen)


def _numbers(events: list[dict[str, Any]]) -> str:
    first = events[0]["version"]
    last = events[-1]["version"]
    if first == last:
        return f"v{first}"
    return f"v{first} to v{last}"
