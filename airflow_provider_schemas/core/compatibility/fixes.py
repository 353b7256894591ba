"""The fix of a finding: a sentence, and the changes that take the finding away when applied to the schema that was judged.

The sentence is that of the rule, except where it does not suit the case. There are changes only where one batch does it
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
from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.field_attributes import attributes, with_alias
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType

Changes = tuple[SchemaChange, ...]
Fix = Callable[[Observation, TableSchema], Changes]
Condition = Callable[[Observation, TableSchema], bool]


def fixing_changes(observation: Observation, new: TableSchema) -> Changes:
    """Return the changes that take a finding away; none, where no change does."""
    make = _FIXES.get(observation.rule)
    if make is None:
        return ()
    return make(observation, new)


def _is_reachable(observation: Observation) -> bool:
    """Return whether a change can name the location: none goes into the key of a map."""
    return bool(observation.where.names) and "{key}" not in observation.where.new


def _is_column(observation: Observation) -> bool:
    return len(observation.where.names) == 1


def _is_primary(observation: Observation, new: TableSchema) -> bool:
    return _is_column(observation) and observation.where.names[0] in new.primary_keys


def _is_partition_column(observation: Observation, new: TableSchema) -> bool:
    return _is_column(observation) and observation.where.names[0] in new.partition_keys


def _rename_back(observation: Observation, new: TableSchema) -> Changes:
    names = observation.where.names
    if not observation.free or not _is_reachable(observation) or names[0] in new.partition_keys:
        return ()
    return (RenameColumn(names, observation.before.name),)


def _retype_back(observation: Observation, new: TableSchema) -> Changes:
    names = observation.where.names
    before = observation.before
    after = observation.after
    if not (isinstance(before, AtomicType) and isinstance(after, AtomicType)) or not _is_reachable(observation):
        return ()
    # A key keeps its type, and a default may be no value of the old type.
    column = None if observation.where.column is None else new.column(observation.where.column)
    if names[0] in new.primary_keys or names[0] in new.partition_keys or column is None or column.default is not None:
        return ()
    support = cast_support(after, before)
    explicit = not new.options.flag("disable-explicit-type-casting")
    if not support.alterable or not (support.implicit or explicit):
        return ()
    return (UpdateColumnType(names, before, keep_nullability=True),)


def _make_nullable(observation: Observation, new: TableSchema) -> Changes:
    if not _is_reachable(observation) or _is_primary(observation, new):
        return ()
    return (UpdateColumnNullability(observation.where.names, True),)


def _make_not_null(observation: Observation, new: TableSchema) -> Changes:
    guarded = new.options.flag("alter-column-null-to-not-null.disabled", default=True)
    if guarded or not _is_reachable(observation) or _is_primary(observation, new):
        return ()
    return (UpdateColumnNullability(observation.where.names, False),)


def _restore_default(observation: Observation, new: TableSchema) -> Changes:
    if not _is_reachable(observation) or not _is_column(observation):
        return ()
    return (UpdateColumnDefaultValue(observation.where.names, observation.before),)


def _restore_option(observation: Observation, new: TableSchema) -> Changes:
    return _option_set_to(observation.path, observation.before)


def _restore_attributes(observation: Observation, new: TableSchema) -> Changes:
    return _option_set_to(attribute_key(observation.id), observation.before)


def _option_set_to(key: str, value: str | None) -> Changes:
    return (RemoveOption(key),) if value is None else (SetOption(key, value),)


_FIXES: Mapping[str, Fix] = {
    "FIELD_ADDED_REQUIRED": _make_nullable,
    "FIELD_RENAMED": _rename_back,
    "FIELD_RENAMED_CASE": _rename_back,
    **dict.fromkeys(("FIELD_MEANING_CHANGED", "READ_DEFAULT_CHANGED", "READ_DEFAULT_REMOVED"), _restore_attributes),
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
        _retype_back,
    ),
    "NULLABILITY_RELAXED": _make_not_null,
    "NULLABILITY_TIGHTENED": _make_nullable,
    "WRITE_DEFAULT_CHANGED": _restore_default,
    "WRITE_DEFAULT_REMOVED": _restore_default,
    "OPTION_MEANING_CHANGED": _restore_option,
    "OPTION_GUARD_DISABLED": _restore_option,
    "OPTION_IMMUTABLE_CHANGED": _restore_option,
    "FILE_FORMAT_CHANGED": _restore_option,
}


# ---------------------------------------------------------------- an alias instead of going back

# How long an alias stays that a report proposes.
_ALIAS_STAYS = timedelta(days=90)


def can_be_kept(observation: Observation, new: TableSchema) -> bool:
    """Return whether the old name could stay as an alias: it is none yet, and no other field has it."""
    is_plain_rename = observation.rule == "FIELD_RENAMED" and observation.variant != UNHEARD_ALIAS
    return is_plain_rename and observation.free and not _is_partition_column(observation, new)


def keeping_changes(observation: Observation, new: TableSchema, now: datetime) -> Changes:
    """Return the change by which the old name of a field stays as an alias for some weeks."""
    if observation.id is None:
        return ()
    until = (now + _ALIAS_STAYS).date().isoformat()
    return (set_attributes(observation.id, with_alias(attributes(new, observation.id), observation.before.name, until)),)


def keeps(finding: Finding) -> bool:
    """Return whether the changes of a finding keep the old name as an alias, instead of going back."""
    return finding.rule == "FIELD_RENAMED" and len(finding.changes) == 1 and bool(kept_names(finding.changes[0]))


def kept_names(change: SchemaChange) -> Mapping[str, str]:
    """Return the aliases that a change sets, each with its end; none, if it sets none."""
    if not isinstance(change, SetOption):
        return {}
    ends = (attribute_object(change.value) or {}).get("alias")
    if not isinstance(ends, dict):
        return {}
    return {name: until for name, until in ends.items() if isinstance(until, str)}


def why_of_keeping(way: str) -> str:
    """Say what happens to readers for which an alias works, and to others."""
    stops = f"The readers that break read with {way}, which finds no column of the old name and stops."
    return f"{stops} An engine that goes by name reads NULL, without an error."


# ---------------------------------------------------------------- sentences

_KEEP = "Keep {old} as an alias until the readers have moved: they read with {way}, for which it works."
_FOR_ALIASES = f"{_KEEP} Or rename it back."
_AFTER_RENAMING = "Go on; a reader or writer that uses the other name already has to use {new}."
_AFTER_MENDING = "Go on; a reader that is not registered may need what was there."


def fix_text(rule: str, observation: Observation, new: TableSchema, way: str = "", *, again: bool = False) -> str:
    """Return what to do, in words; way is how all readers that break read, if an alias would work for them.

    Again says that the name was there before, so that renaming back would only do that over again.
    """
    if way:
        sentence = _KEEP if again else _FOR_ALIASES
        return sentence.format(old=observation.old, way=way)
    if rule not in _VARIED:
        return RULES[rule].fix
    fitting = (text for suits, text in _VARIED[rule] if suits(observation, new))
    return next(fitting, RULES[rule].fix).format(old=observation.old)


def fix_of_mending(observation: Observation) -> str:
    """Return what is left to do after a change that gives readers what they lacked."""
    if observation.rule in RENAMING:
        return _AFTER_RENAMING.format(new=observation.new)
    return _AFTER_MENDING


def _is_taken(observation: Observation, _new: TableSchema) -> bool:
    return not observation.free


def _has_variant(variant: str) -> Condition:
    return lambda observation, _new: observation.variant == variant


# Where the sentence of a rule does not suit: case and sentence. The first that suits counts.
_VARIED: Mapping[str, tuple[tuple[Condition, str], ...]] = {
    "FIELD_DROPPED": ((_has_variant(ALIAS), "Keep the alias until nobody uses it any more."),),
    "FIELD_RENAMED": (
        (_is_partition_column, "Keep the name, which is part of the path of every file, or create a new table."),
        (_is_taken, "Another field is called {old} now: rename that one first, then this one back; or give both new names."),
        (
            _has_variant(UNHEARD_ALIAS),
            "Rename it back, or move the readers to the new name: the alias works only for those that say read_with: read_table.",
        ),
    ),
    "FIELD_ADDED_REQUIRED": ((_is_primary, "Create a new table and move the data: a column of the primary key is never nullable."),),
    "FIELD_ADDED_NULLABLE": (
        (_has_variant(NESTED), "Move the writers of the struct in the same step, and let readers name the fields that they need."),
    ),
    "OPTION_TUNING": (
        (_has_variant(RESCALED), "Overwrite the partitions that have files, which rescales them; until then their writers stop."),
    ),
}
