"""Checks of the options that say where reading starts, and of the branches that it falls back to."""

from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.validation.checklist import Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_TIMESTAMPS = ("scan.timestamp-millis", "scan.timestamp")
_SNAPSHOTS = ("scan.snapshot-id", "scan.tag-name", "scan.watermark")
_INCREMENTS = ("incremental-between", "incremental-between-timestamp", "incremental-to-auto-tag")
_FILE_TIME = "scan.file-creation-time-millis"
_CREATION_TIME = "scan.creation-time-millis"
_ALL = (*_TIMESTAMPS, *_SNAPSHOTS, _FILE_TIME, *_INCREMENTS)


class _Start(NamedTuple):
    """What a scan mode needs: exactly one of these options, and none of those."""

    one_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()


_MODES = {
    "from-timestamp": _Start(_TIMESTAMPS, ("scan.snapshot-id", _FILE_TIME, "scan.tag-name", *_INCREMENTS)),
    "from-snapshot": _Start(_SNAPSHOTS),
    "incremental": _Start(_INCREMENTS),
    "from-snapshot-full": _Start(("scan.snapshot-id",)),
    "from-file-creation-time": _Start((_FILE_TIME,)),
    "from-creation-timestamp": _Start((_CREATION_TIME,)),
    "latest-delta": _Start(none_of=(*_ALL, _CREATION_TIME)),
}
_ANY_OTHER = _Start(none_of=_ALL)

# With the mode `default`, the first of these options that is set decides.
_INFERRED = (
    ("from-timestamp", _TIMESTAMPS),
    ("from-snapshot", (*_SNAPSHOTS, "scan.version")),
    ("incremental", _INCREMENTS),
    ("from-file-creation-time", (_FILE_TIME,)),
    ("from-creation-timestamp", (_CREATION_TIME,)),
)


def scan(facts: Facts) -> Iterator[Finding]:
    """Report start positions that are missing for the scan mode, or that contradict it."""
    mode = facts.choice("scan.mode")
    if mode == "default":
        mode = next((mode for mode, keys in _INFERRED if facts.has(*keys)), "latest-full")
    start = _MODES.get(mode, _ANY_OTHER)
    count = sum(facts.has(key) for key in start.one_of)
    if start.one_of and count != 1 and not facts.has("scan.version"):
        yield _not_exactly_one(mode, start.one_of, count)
    for key in start.none_of:
        if facts.has(key):
            message = f"this option says where to start, and so does the scan mode {mode!r}."
            yield Finding("scan.must-be-null", key, message, "Remove one of the two.")


def _not_exactly_one(mode: str, keys: tuple[str, ...], count: int) -> Finding:
    listed = ", ".join(keys)
    if len(keys) == 1:
        return Finding("scan.must-not-be-null", listed, f"the scan mode {mode!r} needs this option.", "Set it, or another mode.")
    how_many = f"{count} are" if count else "none is"
    message = f"the scan mode {mode!r} needs exactly one of {listed}; {how_many} set."
    return Finding("scan.exactly-one", "scan.mode", message, "Set one of them.")


def _both_branches(facts: Facts) -> bool:
    return facts.has("scan.fallback-branch") and facts.has("scan.primary-branch")


SCAN = where("scan.mode", "scan.version", _CREATION_TIME, *_ALL)(scan)
TWO_BRANCHES = where("scan.fallback-branch")(
    Requirement(
        "fallback-branch.with-primary-branch",
        "scan.fallback-branch",
        _both_branches,
        "scan.fallback-branch and scan.primary-branch exclude each other.",
        "Remove one of the two.",
    )
)


def branches(facts: Facts) -> Iterator[Finding]:
    """Report branches to read that do not exist, where the branches are known."""
    for key in ("scan.fallback-branch", "scan.primary-branch"):
        name = facts.options.get(key)
        if name is not None and facts.branches is not None and name not in facts.branches:
            code = f"{key.removeprefix('scan.')}.missing"
            yield Finding(code, key, f"the branch {name!r} does not exist.", "Create the branch first, then set the option.")


BRANCHES = where("scan.fallback-branch", "scan.primary-branch")(branches)
