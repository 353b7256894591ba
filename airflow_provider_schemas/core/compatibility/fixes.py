"""The next step for a finding: the sentence, and the changes that would take the finding away, applied to the schema that was judged.

The sentence is that of the rule, except where it does not suit the case. Changes are there only where one batch does it
and cannot be refused for other reasons.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.changes.schema_change import (
    RemoveOption,
    RenameColumn,
    SchemaChange,
    SetOption,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateColumnType,
    set_attributes,
)
from airflow_provider_schemas.core.difference import ALIAS, NESTED, RENAMING, RESCALED, UNHEARD_ALIAS, Observation
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_attributes import attributes, with_alias
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key, attribute_object
from airflow_provider_schemas.core.types.atomic import AtomicType

Changes = tuple[SchemaChange, ...]
Fix = Callable[[Observation, TableSchema], Changes]


def fixing_changes(seen: Observation, new: TableSchema) -> Changes:
    """The changes, if there are any."""
    make = _FIXES.get(seen.rule)
    return make(seen, new) if make else ()


def _reachable(seen: Observation) -> bool:
    """Whether a change can name the place: none goes into the key of a map."""
    return bool(seen.where.names) and "{key}" not in seen.where.new


def _keyed(seen: Observation, new: TableSchema) -> bool:
    """Whether the column is a key, whose name, type and NOT NULL are not for a change of the column."""
    name = seen.where.names[0]
    return name in new.primary_keys or name in new.partition_keys


def _named_back(seen: Observation, new: TableSchema) -> Changes:
    free = seen.free and _reachable(seen)
    return (RenameColumn(seen.where.names, seen.before.name),) if free and seen.where.names[0] not in new.partition_keys else ()


def _typed_back(seen: Observation, new: TableSchema) -> Changes:
    if not (isinstance(seen.before, AtomicType) and isinstance(seen.after, AtomicType)) or not _reachable(seen) or _keyed(seen, new):
        return ()
    column = new.column(seen.where.column) if seen.where.column is not None else None
    support = cast_support(seen.after, seen.before)
    allowed = support.alterable and (support.implicit or not new.options.flag("disable-explicit-type-casting"))
    plain = column is not None and column.default is None
    return (UpdateColumnType(seen.where.names, seen.before, keep_nullability=True),) if allowed and plain else ()


def _nullable(seen: Observation, new: TableSchema) -> Changes:
    return (UpdateColumnNullability(seen.where.names, True),) if _reachable(seen) and not _is_primary(seen, new) else ()


def _is_primary(seen: Observation, new: TableSchema) -> bool:
    return len(seen.where.names) == 1 and seen.where.names[0] in new.primary_keys


def _not_null(seen: Observation, new: TableSchema) -> Changes:
    guarded = new.options.flag("alter-column-null-to-not-null.disabled", default=True)
    return () if guarded or not _reachable(seen) or _is_primary(seen, new) else (UpdateColumnNullability(seen.where.names, False),)


def _default_back(seen: Observation, new: TableSchema) -> Changes:
    return (UpdateColumnDefaultValue(seen.where.names, seen.before),) if _reachable(seen) and len(seen.where.names) == 1 else ()


def _option_back(seen: Observation, new: TableSchema) -> Changes:
    key = seen.path
    return (RemoveOption(key),) if seen.before is None else (SetOption(key, seen.before),)


def _attributes_back(seen: Observation, new: TableSchema) -> Changes:
    key = attribute_key(seen.id)
    return (RemoveOption(key),) if seen.before is None else (SetOption(key, seen.before),)


_FIXES: Mapping[str, Fix] = {
    "FIELD_ADDED_REQUIRED": _nullable,
    "FIELD_RENAMED": _named_back,
    "FIELD_RENAMED_CASE": _named_back,
    "FIELD_MEANING_CHANGED": _attributes_back,
    **dict.fromkeys(
        (
            "TYPE_WIDENED",
            "TYPE_WIDENED_ENGINE_GAP",
            "TYPE_NARROWED",
            "TYPE_LOSSY",
            "TYPE_REINTERPRETED",
            "TYPE_STRINGIFIED",
            "TYPE_PARSED",
            "DECIMAL_DIGITS_REDUCED",
            "TIMESTAMP_ZONE_CHANGED",
            "TIMESTAMP_PRECISION_RAISED",
            "TIMESTAMP_PRECISION_LOWERED",
            "LENGTH_RELAXED",
            "LENGTH_TIGHTENED",
            "FIXED_LENGTH_CHANGED",
        ),
        _typed_back,
    ),
    "NULLABILITY_RELAXED": _not_null,
    "NULLABILITY_TIGHTENED": _nullable,
    "WRITE_DEFAULT_CHANGED": _default_back,
    "WRITE_DEFAULT_REMOVED": _default_back,
    "OPTION_MEANING_CHANGED": _option_back,
    "OPTION_GUARD_DISABLED": _option_back,
    "OPTION_IMMUTABLE_CHANGED": _option_back,
    "FILE_FORMAT_CHANGED": _option_back,
}


# ---------------------------------------------------------------- sentences


def can_be_kept(seen: Observation, new: TableSchema) -> bool:
    """Return whether the old name could stay as an alias: it is none yet, and nobody else bears it."""
    return seen.rule == "FIELD_RENAMED" and seen.variant != UNHEARD_ALIAS and seen.free and not _parts_table(seen, new)


def keeping_changes(seen: Observation, new: TableSchema, now: datetime) -> Changes:
    """Return the change by which the old name of a field stays as an alias for some weeks."""
    if seen.id is None:
        return ()
    until = (now + _KEPT).date().isoformat()
    return (set_attributes(seen.id, with_alias(attributes(new, seen.id), seen.before.name, until)),)


def fix_text(rule: str, seen: Observation, new: TableSchema, way: str = "", *, again: bool = False) -> str:
    """What to do, in words; way is how all readers that break read, if an alias is to be had for them.

    Again says that the name was there before, so that renaming back would only do that over again.
    """
    if way:
        return (_KEEP if again else _FOR_ALIASES).format(old=seen.old, way=way)
    if rule not in _VARIED:
        return RULES[rule].fix
    fitting = (text for suits, text in _VARIED[rule] if suits(seen, new))
    return next(fitting, RULES[rule].fix).format(old=seen.old)


def keeps(finding: Finding) -> bool:
    """Return whether the changes of a finding keep the old name as an alias, instead of going back."""
    return finding.rule == "FIELD_RENAMED" and len(finding.changes) == 1 and bool(kept_names(finding.changes[0]))


def kept_names(change: SchemaChange) -> Mapping[str, str]:
    """Return the aliases that a change sets, each with its end; none, if it sets none."""
    said = (attribute_object(change.value) or {}) if isinstance(change, SetOption) else {}
    ends = said.get("alias")
    return {name: until for name, until in ends.items() if isinstance(until, str)} if isinstance(ends, dict) else {}


def why_of_keeping(way: str) -> str:
    """Say what happens to readers for which an alias works, and to others."""
    stops = f"The readers that break read with {way}, which finds no column of the old name and stops."
    return f"{stops} An engine that goes by name reads NULL, without an error."


def fix_of_mending(seen: Observation) -> str:
    """What is left to do after a change that gives readers what they lacked."""
    return _AFTER_RENAMING.format(new=seen.new) if seen.rule in RENAMING else _AFTER_MENDING


# So long an alias stays that a report proposes.
_KEPT = timedelta(days=90)
_KEEP = "Keep {old} as an alias until the readers have moved: they read with {way}, for which it works."
_FOR_ALIASES = f"{_KEEP} Or rename it back."
_AFTER_RENAMING = "Go on; a reader or writer that uses the other name already has to use {new}."
_AFTER_MENDING = "Go on; a reader that is not registered may need what was there."


def _parts_table(seen: Observation, new: TableSchema) -> bool:
    return len(seen.where.names) == 1 and seen.where.names[0] in new.partition_keys


def _taken(seen: Observation, _new: TableSchema) -> bool:
    return not seen.free


# Where the sentence of a rule does not suit: rule, case, sentence. The first that suits counts.
_OTHERWISE: tuple[tuple[str, Callable[[Observation, TableSchema], bool], str], ...] = (
    ("FIELD_DROPPED", lambda seen, _: seen.variant == ALIAS, "Keep the alias until nobody uses it any more."),
    ("FIELD_RENAMED", _parts_table, "Keep the name, which is part of the path of every file, or create a new table."),
    ("FIELD_RENAMED", _taken, "Another field is called {old} now: rename that one first, then this one back; or give both new names."),
    (
        "FIELD_RENAMED",
        lambda seen, _: seen.variant == UNHEARD_ALIAS,
        "Rename it back, or move the readers to the new name: the alias works only for those that say read_with: read_table.",
    ),
    ("FIELD_ADDED_REQUIRED", _is_primary, "Create a new table and move the data: a column of the primary key is never nullable."),
    (
        "FIELD_ADDED_NULLABLE",
        lambda seen, _: seen.variant == NESTED,
        "Move the writers of the struct in the same step, and let readers name the fields that they need.",
    ),
    (
        "OPTION_TUNING",
        lambda seen, _: seen.variant == RESCALED,
        "Overwrite the partitions that have files, which rescales them; until then their writers stop.",
    ),
)
_VARIED: dict[str, list[tuple[Callable[[Observation, TableSchema], bool], str]]] = {}
for _rule, _suits, _text in _OTHERWISE:
    _VARIED.setdefault(_rule, []).append((_suits, _text))
