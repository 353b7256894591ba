"""What setting and removing options does to a table, and what it must not do once there is data.

Paimon compares with the options before the batch, so a value that is set and set back in one batch stays
changed: such a batch is refused here, because nobody means that.
"""

from collections.abc import Callable

from airflow_provider_schemas.core.changes.schema_change import RemoveOption, SetOption
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.draft import Draft
from airflow_provider_schemas.core.schema.table_options import IMMUTABLE_OPTIONS
from airflow_provider_schemas.errors import ChangeError

_KEY_LISTS = {"primary-key": "primary_keys", "partition": "partition_keys"}
_LASTING = ("ignore-delete", "ignore-update-before")


def set_option(draft: Draft, change: SetOption) -> None:
    """Set an option, or leave it where the value is the old one."""
    key = change.key
    value = change.value
    if _is_unchanged(draft, key, value):
        _check_not_touched(draft, key, value)
        return
    if key == "type":
        raise _immutable(key)
    if draft.has_snapshots:
        if key in IMMUTABLE_OPTIONS:
            raise _immutable(key)
        if key in _SET_GUARDS:
            _SET_GUARDS[key](draft, value)
    draft.options[key] = value


def remove_option(draft: Draft, change: RemoveOption) -> None:
    """Remove an option; one that is not there is no fault."""
    key = change.key
    if key == "type":
        raise _immutable(key)
    if draft.has_snapshots:
        if key in IMMUTABLE_OPTIONS:
            raise _immutable(key)
        if key in _REMOVE_GUARDS:
            _REMOVE_GUARDS[key](draft, key)
    draft.options.pop(key, None)


def _immutable(key: str) -> ChangeError:
    message = "this option says how the data is laid out; it cannot change any more."
    return ChangeError(message, code="option.immutable", path=key, fix="Create a new table and move the data.")


def _is_unchanged(draft: Draft, key: str, value: str) -> bool:
    old = draft.old.options
    if key == "type":
        return value.lower() == old.get(key, "table").lower()
    if key in _KEY_LISTS and key not in old:
        return bool(_names(value) == getattr(draft.old, _KEY_LISTS[key]))
    return old.get(key) == value


def _names(value: str) -> tuple[str, ...]:
    names = map(str.strip, value.split(","))
    return tuple(name for name in names if name)


def _check_not_touched(draft: Draft, key: str, value: str) -> None:
    if key in _KEY_LISTS and key not in draft.old.options:
        touched = _names(value) != getattr(draft, _KEY_LISTS[key]) or key in draft.options
    else:
        touched = draft.options.get(key) != draft.old.options.get(key)
    if touched:
        message = f"the batch changes this option and then sets it back to {shown(value)}, which Paimon would ignore."
        raise ChangeError(message, code="option.contradictory-batch", path=key, fix="Set it once, to the value that is meant.")


# ---------------------------------------------------------------- options that are guarded one by one


def _is_on(value: str | None) -> bool:
    return (value or "").strip().lower() == "true"


def _check_bucket(draft: Draft, value: str) -> None:
    old = draft.old.options.get("bucket", "-1").strip()
    for number, code in ((old, "bucket.from-dynamic"), (value.strip(), "bucket.to-dynamic")):
        if number == "-1":
            message = f"the table cannot go from bucket {old} to {value.strip()}: its files would lie in the wrong buckets."
            raise ChangeError(message, code=code, path="bucket", fix="Create a new table and move the data.")


def _refuse_no_bucket(draft: Draft, key: str) -> None:
    raise ChangeError("the number of buckets cannot be reset.", code="bucket.reset", path=key, fix="Set another number instead.")


def _check_deletion_vectors(draft: Draft, value: str | None) -> None:
    changed = _is_on(value) != _is_on(draft.old.options.get("deletion-vectors.enabled"))
    if changed and not _is_on(draft.old.options.get("deletion-vectors.modifiable")):
        fix = "Set deletion-vectors.modifiable = true first, in a change of its own, if you know that no reader depends on it."
        raise ChangeError("the mode cannot change any more.", code="dv.mode-change", path="deletion-vectors.enabled", fix=fix)


def _check_still_ignoring(draft: Draft, key: str, value: str | None) -> None:
    # Java guards only the value false; taking the option away means the same and would bring the deletes back.
    if _is_on(draft.old.options.get(key)) and not _is_on(value):
        message = "rows that were ignored would count again, and only from now on."
        raise ChangeError(message, code="option.ignore-cannot-turn-off", path=key, fix="Leave it on, or create a new table.")


def _check_clustering(draft: Draft, value: str) -> None:
    if "pk-clustering-override" in draft.old.options:
        message = "the files are ordered by these columns."
        fix = "Create a new table and move the data."
        raise ChangeError(message, code="option.clustering-columns", path="clustering.columns", fix=fix)


_SET_GUARDS: dict[str, Callable[[Draft, str], None]] = {
    "bucket": _check_bucket,
    "deletion-vectors.enabled": _check_deletion_vectors,
    "ignore-delete": lambda draft, value: _check_still_ignoring(draft, "ignore-delete", value),
    "ignore-update-before": lambda draft, value: _check_still_ignoring(draft, "ignore-update-before", value),
    "clustering.columns": _check_clustering,
}
_REMOVE_GUARDS: dict[str, Callable[[Draft, str], None]] = {
    "bucket": _refuse_no_bucket,
    "deletion-vectors.enabled": lambda draft, key: _check_deletion_vectors(draft, None),
    "clustering.columns": _check_clustering,
    **{key: lambda draft, key: _check_still_ignoring(draft, key, None) for key in _LASTING},
}
