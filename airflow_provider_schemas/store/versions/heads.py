"""The order in which the schemas of a mounted table were current.

In our own layouts a higher number is newer. In a table that others keep, the head may return to an earlier number, so that only the
log of its heads tells what came after a version that somebody saw.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.mounts.source import Head, Heads
from airflow_provider_schemas.store.versions.version_log import Versions


def heads_of(versions: Versions) -> Heads | None:
    """Return the log of the heads of a mounted table; None for our own layouts, whose numbers are the order."""
    return versions.heads() if versions.layout is Layout.MOUNTED else None


def head_of(version: Version) -> Head:
    """Return the newest version as a head."""
    return Head(version.number, version.digest, table_id=version.table_id)


def moment_of(head: Head) -> datetime | None:
    """Return since when a head was current; None if nobody knows."""
    if head.moment is None:
        return None
    try:
        return datetime.fromtimestamp(head.moment / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def is_head(seen: arguments.Seen, head: Head | Version) -> bool:
    """Return whether this is what was seen. What one of both does not know is not compared."""
    number, digest, table_id = arguments.seen(seen)
    if head.number != number or digest not in (None, head.digest):
        return False
    return not table_id or not head.table_id or head.table_id == table_id


def is_same_schema(seen: arguments.Seen, head: Head | Version) -> bool:
    """Return whether this is the schema of the table that was seen, by whatever number: logs of Delta forget when a schema came."""
    _, digest, table_id = arguments.seen(seen)
    return bool(digest and table_id) and (head.digest, head.table_id) == (digest, table_id)


def heads_after(heads: Heads, seen: arguments.Seen) -> tuple[Head, ...] | None:
    """Return the heads that came after the one that was seen, oldest first; None if the log does not hold it."""
    place = _last_place(heads, seen)
    return None if place is None else heads.entries[place + 1 :]


def return_text(heads: Heads, head: Head | Version) -> str:
    """Say that the newest schema was current before, if it was; else an empty text."""
    places = [place for place, entry in enumerate(heads.entries) if is_head(_identity(head), entry)]
    if len(places) < 2:
        return ""
    interrupted_by = heads.entries[places[-2] + 1]
    return f"RESTORED: back to version {head.number}, as it was before version {interrupted_by.number} came"


def origin_note(heads: Heads, version: Version) -> str:
    """Say since when a version is current and who made it so, as far as the source says; empty where it says neither."""
    place = _last_place(heads, version)
    if place is None:
        return ""
    head = heads.entries[place]
    moment = moment_of(head)
    since = f"since {moment:%Y-%m-%d %H:%M} UTC" if moment else ""
    origin = f"the source says by {without_credentials(head.origin)}" if head.origin else ""
    known = ", ".join(part for part in (since, origin) if part)
    return f"version {version.number} is current {known}" if known else ""


def versions_before(versions: Sequence[Version], version: Version, heads: Heads | None) -> tuple[Version, ...]:
    """Return the versions that were current before this one, oldest first, and each once: as often as it came back, it counts as last.

    Without a log of heads, and for a version that the log does not hold, lower numbers came before.
    """
    place = None if heads is None else _last_place(heads, version)
    if heads is None or place is None:
        return tuple(earlier for earlier in versions if earlier.number < version.number)
    ordered = _find_versions(versions, heads.entries[:place])
    last_first = dict.fromkeys(earlier.identity for earlier in reversed(ordered) if earlier.identity != version.identity)
    by_identity = {earlier.identity: earlier for earlier in ordered}
    return tuple(by_identity[identity] for identity in reversed(last_first))


def versions_in_order(versions: Sequence[Version], heads: Heads | None) -> tuple[Version, ...]:
    """Return the versions as they were current, oldest first; one that came back stands there as often."""
    return tuple(versions) if heads is None else tuple(_find_versions(versions, heads.entries))


def all_in_order(versions: Versions) -> tuple[Version, ...]:
    """Return all versions of a table as they were current, oldest first."""
    heads = heads_of(versions)  # first: reading them may find older versions
    return versions_in_order(versions.all(), heads)


def _find_versions(versions: Sequence[Version], heads: Iterable[Head]) -> list[Version]:
    """Return the versions of these heads, where the metadata still hold them."""
    by_number = {version.number: version for version in versions}
    found = [(head, by_number[head.number]) for head in heads if head.number in by_number]
    return [version for head, version in found if is_head(_identity(head), version)]


def _last_place(heads: Heads, seen: arguments.Seen) -> int | None:
    """Return where in the log a version stands last, by its number or else by its schema; None if it does not."""
    for is_seen in (is_head, is_same_schema):
        places = [place for place, entry in enumerate(heads.entries) if is_seen(seen, entry)]
        if places:
            return places[-1]
    return None


def _identity(head: Head | Version) -> tuple[int, str, str]:
    return head.number, head.digest, head.table_id
