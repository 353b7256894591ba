"""Looking for versions of one table: for one that is newer than one that was seen, and for all of them in order.

In a table that others keep a version is newer that became current later: a schema that had been current before may come back.
"""

from typing import Any, NamedTuple

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Movement
from airflow_provider_schemas.store.versions.heads import head_of, heads_after, heads_of
from airflow_provider_schemas.triggers import shared_heads, store_cache
from airflow_provider_schemas.triggers.event_payload import (
    display_name,
    find_version,
    is_no_table,
    origin_text,
    owner_text,
    short,
    version_payload,
)
from airflow_provider_schemas.triggers.head_events import head_events
from airflow_provider_schemas.triggers.look import LookAnswer
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_version

# The number of the last version, where no version was seen.
NOTHING = -1
# How many versions are announced at one look: each is read, and the look after it goes on.
_MAX_VERSIONS = 100
_MAX_NAMES = 10


class VersionPoll:
    """A table that is looked at again and again."""

    def __init__(self, conn_id: str, table: str, branch: str | None, poll: float) -> None:
        self._conn_id = conn_id
        self._poll = poll
        self._store = store_cache.store(conn_id)
        self.table = self._store.table(table, branch)
        self.name = display_name(self.table)

    def forget(self) -> None:
        """Let the store be opened anew."""
        store_cache.forget(self._conn_id, self._store)

    def is_unchanged(self, seen: SeenVersion) -> bool:
        """Return whether another look of this poll found what was seen, so that none is needed."""
        return shared_heads.is_unchanged(self._conn_id, self.table, seen, self._poll)


class VersionLook(VersionPoll):
    """Is there a version newer than the one that was seen? One listing."""

    def __init__(
        self, *, conn_id: str, table: str, branch: str | None, version: int, digest: str, table_id: str = "", poll: float = 0.0
    ) -> None:
        super().__init__(conn_id, table, branch, poll)
        self._seen = version
        self._digest = digest
        self._table_id = table_id

    def look(self) -> LookAnswer:
        try:
            return self._look()
        except NotThereError as error:
            if not is_no_table(error):
                raise
            return LookAnswer(f"{self.name} is not there yet.")

    def _look(self) -> LookAnswer:
        change = self._find_change()
        if change is None:
            return LookAnswer(f"{self.name}: nothing newer than v{self._seen} yet.")
        head = self.table.latest()
        before = None if "replaced" in change.about else _find_seen(self.table, self._seen)
        payload = version_payload(self.table, head, before, _previous(self._seen))
        message = f"{self.name} v{head.number}: {change.text} ({origin_text(head)})."
        return LookAnswer(message, {"status": "ok", **payload, **change.about})

    def _find_change(self) -> "_Change | None":
        """Return what came after the version that was seen; None if nothing did. Without a digest only the number is compared."""
        if self._seen >= 0 and self._digest:
            seen = seen_version(self._seen, self._digest, self._table_id)
            if self.is_unchanged(seen):
                return None
            return _change_of(self.table.changed_since(seen), self._seen)
        if not self._has_come():
            return None
        return _Change(_since(self._seen), {"rewound": False})

    def _has_come(self) -> bool:
        """Return whether there is a version with a higher number; in a mounted table, one that came after the last of this number."""
        numbers = self.table.numbers()
        if not numbers:
            self.table.latest()  # raises what there is to say about a table that is not there
        heads = heads_of(self.table.subject.versions)
        if heads is None or self._seen < 0:
            return max(numbers) > self._seen
        after = heads_after(heads, self._seen)
        if after is None:  # it did not come yet, or the log of the table does not reach back to it
            return max((head.number for head in heads.entries), default=max(numbers)) > self._seen
        return bool(after)

    def owner(self) -> str:
        """Name the owner of the table."""
        try:
            return owner_text(self.table.latest())
        except NotThereError:
            return ""


class _Change(NamedTuple):
    """What came after the version that was seen: in words, and as keys of the event."""

    text: str
    about: dict[str, Any]


def _change_of(moved: Movement, seen: int) -> _Change | None:
    """Return what a movement means; None if there is none."""
    if not moved:
        return None
    if not moved.came and moved.report.findings:
        return _Change("its history went back", {"rewound": True})
    about: dict[str, Any] = {"rewound": False}
    if moved.came and moved.came[-1].origin:
        about["by"] = short(moved.came[-1].origin)
    if moved.is_replaced:
        return _Change("the table was dropped and made again", {**about, "replaced": True})
    if moved.restored:
        return _Change(moved.restored, {**about, "restored": True})
    return _Change(_since(seen), about)


def _since(seen: int) -> str:
    if seen >= 0:
        return f"newer than v{seen}"
    return "it is there"


class WatchStep(NamedTuple):
    """What a watcher found: a message, the events to announce in this order, and the last version that it has seen now."""

    message: str
    events: list[dict[str, Any]]
    seen: SeenVersion


class WatchLook(VersionPoll):
    """Every version since the last look, in order; a history that went back is one event of its own kind."""

    def __init__(self, *, conn_id: str, table: str, branch: str | None, poll: float = 0.0) -> None:
        super().__init__(conn_id, table, branch, poll)

    def look(self, seen: SeenVersion | None, start: str) -> WatchStep:
        """Look for versions after the one that was seen. The first look of all announces nothing if the start is the latest version."""
        if seen is None:
            return self._first(start)
        try:
            return self._later(seen)
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
        seen = seen_version(head.number, head.digest, head.table_id)
        return WatchStep(f"{self.name}: watching for what comes after v{head.number}.", [], seen)

    def _later(self, seen: SeenVersion) -> WatchStep:
        number, digest = seen[:2]
        if number == NOTHING:
            return self._all()
        if self.is_unchanged(seen):
            return WatchStep("", [], seen)
        moved = self.table.changed_since(seen)
        if self.table.subject.is_mounted:
            return self._announce_heads(seen, moved)
        if moved.report.findings:
            return self._announce_rewind(number)
        return self._announce(number, digest, moved.newer)

    def _all(self) -> WatchStep:
        """Announce all versions that there are."""
        numbers = self.table.numbers()
        if not self.table.subject.is_mounted:
            return self._announce(NOTHING, "", numbers)
        head = self.table.latest()
        heads = self.table.subject.versions.heads()
        return self._announce_heads((NOTHING, ""), Movement(head.number, came=heads.entries or (head_of(head),)))

    def _announce_heads(self, seen: SeenVersion, moved: Movement) -> WatchStep:
        """Announce the schemas of a mounted table that became current, one event each, in order."""
        if not moved.came:
            return WatchStep("", [], seen)
        events = list(head_events(self.table, seen, moved.came, is_replaced=moved.is_replaced))
        last = moved.came[-1]
        message = "\n".join([f"{self.name}: {_in_order(events)} came.", *moved.report.notes])
        return WatchStep(message, events, seen_version(last.number, last.digest, last.table_id))

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


def _in_order(events: list[dict[str, Any]]) -> str:
    """Name the versions as they became current: one may stand there twice."""
    names = [f"v{event['version']}" for event in events[:_MAX_NAMES]]
    more = f" and {len(events) - _MAX_NAMES} more" if len(events) > _MAX_NAMES else ""
    return f"{', '.join(names)}{more}"


def _numbers(events: list[dict[str, Any]]) -> str:
    first = events[0]["version"]
    last = events[-1]["version"]
    if first == last:
        return f"v{first}"
    return f"v{first} to v{last}"
