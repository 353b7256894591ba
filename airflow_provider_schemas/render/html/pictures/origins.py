"""Where a version comes from, in words: when it was written, by whom, and who approved it."""

from collections.abc import Iterable, Iterator

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.render.html.pictures.plain_text import plain
from airflow_provider_schemas.render.version_entries import OUTSIDE

_MAIN = "main"
_NOBODY = "by whom is not known"


def origin_when(origin: Origin) -> str:
    """Return when the version was written: 2026-11-18 01:12 UTC."""
    if origin.written is None:
        return "at an unknown time"
    return f"{origin.written:%Y-%m-%d %H:%M} UTC"


def origin_day(origin: Origin) -> str:
    """Return the day on which the version was written; empty where it is not known."""
    return "" if origin.written is None else f"{origin.written:%Y-%m-%d}"


def origin_who(origin: Origin) -> str:
    """Return who wrote the version: by ana."""
    if origin.is_gone or origin.earliest is not None:
        return _NOBODY
    if origin.is_outside:
        return f"{OUTSIDE} ({plain(origin.says)})" if origin.says else OUTSIDE
    return f"by {plain(origin.actor) or 'somebody'}"


def origin_reasons(origin: Origin) -> tuple[str, ...]:
    """Return why the version was written, without its run and commit: approved by raj, policy strict, v41 restored."""
    return tuple(_reasons(origin))


def _reasons(origin: Origin) -> Iterator[str]:
    if origin.approval:
        yield f"approved by {plain(origin.approval)}"
    if origin.policy:
        yield f"policy {plain(origin.policy)}"
    if origin.restored is not None:
        yield f"v{origin.restored} restored"


def origin_commit(origin: Origin) -> str:
    """Return the commit as people read it; empty where none is recorded."""
    return plain(short_revision(origin.commit))


def origin_words(origin: Origin) -> str:
    """Return all that is known of where the version comes from, as one text."""
    run = f"run {plain(origin.run)}" if origin.run else ""
    commit = f"commit {plain(origin.commit)}" if origin.commit else ""
    parts = (f"{plain(origin.title)} {origin_when(origin)} {origin_who(origin)}", run, *origin_reasons(origin), commit)
    return ", ".join(part for part in parts if part)


def each_version_once(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    """Return the versions without repetition, the newest first."""
    by_title = {origin.title: origin for origin in origins}
    return tuple(sorted(by_title.values(), key=lambda origin: (origin.branch != _MAIN, origin.branch, -origin.number)))
