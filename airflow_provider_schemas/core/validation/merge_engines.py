"""Checks of how rows with one key are merged: options of columns, sequence fields, sequence groups, aggregation."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_options import split
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.validation.checklist import OPTIONS_OF_COLUMNS, Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_DEFAULT_FUNCTION = "default-aggregate-function"
_FUNCTION = "aggregate-function"
_LAST = "last_non_null_value"
_GROUP = "sequence-group"


def column_options(facts: Facts) -> Iterator[Finding]:
    """Report options `fields.<names>.<rest>` of columns that do not exist, and of fields inside a ROW."""
    for key, names, rest, _ in facts.column_options:
        for name in names or [""]:
            if name not in facts.columns and name != _DEFAULT_FUNCTION:
                message = f"the option speaks of {name!r}, which is no column."
                fix = "Name a column after 'fields.', or remove the option."
                yield Finding("option.fields-prefix-unknown-field", key, message, fix)
        kind = facts.kind(names[0]) if len(names) == 1 and "." in rest else None
        if kind is not None and kind.root is Root.ROW:
            message = f"the option speaks of a field inside the ROW {names[0]!r}, and merging knows whole columns only."
            yield Finding("option.fields-prefix-nested-row", key, message, "Set it for the whole column, or remove it.")


# ---------------------------------------------------------------- sequence fields


def sequence_fields(facts: Facts) -> Iterator[Finding]:
    """Report sequence fields that do not exist, occur twice or are aggregated."""
    for name in dict.fromkeys(facts.sequence):
        if name not in facts.columns:
            message = f"the sequence field {name!r} is no column."
            yield Finding("sequence.unknown-field", "sequence.field", message, "Name columns, separated by commas.")
    for name, count in Counter(facts.sequence).items():
        if count > 1:
            yield Finding("sequence.duplicate-field", "sequence.field", f"{name!r} stands {count} times.", "Name it once.")
    for name in dict.fromkeys(facts.sequence):
        if facts.has(f"fields.{name}.{_FUNCTION}"):
            message = f"{name!r} orders the rows, so its values cannot be aggregated."
            fix = "Remove the aggregate function, or choose another sequence field."
            yield Finding("sequence.aggregate-function", f"fields.{name}.{_FUNCTION}", message, fix)


SEQUENCE = where("sequence.field")(
    sequence_fields,
    Requirement(
        "sequence.first-row",
        "sequence.field",
        lambda facts: facts.has("sequence.field") and facts.engine == "first-row",
        "merge-engine = first-row keeps the row that came first, whatever a sequence field says.",
        "Remove one of the two.",
    ),
    Requirement(
        "sequence.cross-partition",
        "sequence.field",
        lambda facts: facts.has("sequence.field") and facts.crosses_partitions,
        "the primary key lacks partition keys, so rows move between partitions, where no sequence is kept.",
        "Put all partition keys into the primary key, or remove the option.",
    ),
)


# ---------------------------------------------------------------- sequence groups


class _Group(NamedTuple):
    """The columns that are compared, and the columns that follow them."""

    key: str
    compared: list[str]
    followers: list[str]


def _groups(facts: Facts) -> Iterator[_Group]:
    for key, names, rest, value in facts.column_options:
        if rest == _GROUP:
            yield _Group(key, names, [name.strip() for name in split(value)])


def group_blobs(facts: Facts) -> Iterator[Finding]:
    """Report BLOB columns by which a sequence group would be compared."""
    for group in _groups(facts):
        for name in group.compared:
            if name in facts.blobs:
                yield Finding("sequence-group.blob", group.key, f"{name!r} is a BLOB and cannot be compared.", "Use another column.")


def sequence_groups(facts: Facts) -> Iterator[Finding]:
    """Report groups of a partial update that name no column, a key column, or one column twice."""
    if not _is_partial_update(facts):
        return
    counts: Counter[str] = Counter()
    yield from _malformed_groups(facts)
    for group in _groups(facts):
        counts.update(list(dict.fromkeys(group.compared)))
        counts.update([name for name in group.followers if name not in group.compared])
        for name in dict.fromkeys([*group.compared, *group.followers]):
            if name in facts.primary_keys:
                message = f"{name!r} is a column of the primary key, which is never updated."
                yield Finding("sequence-group.primary-key", group.key, message, "Take it out of the group.")
        for name in dict.fromkeys(group.followers):
            if name not in facts.columns:
                fix = "Name columns, separated by commas."
                yield Finding("sequence-group.unknown-field", group.key, f"{name!r} is no column.", fix)
    for name, count in counts.items():
        if count > 1:
            message = f"{name!r} stands {count} times in the sequence groups, so which of them decides is unclear."
            yield Finding("sequence-group.duplicate-field", name, message, "Name it in one group, once.")


def _malformed_groups(facts: Facts) -> Iterator[Finding]:
    for key, _, rest, _ in facts.column_options:
        if rest != _GROUP and key.endswith(f".{_GROUP}"):
            fix = "Write fields.<columns to compare>.sequence-group = <columns that follow them>."
            yield Finding("sequence-group.malformed-key", key, "the option of a sequence group names its columns wrongly.", fix)


DELETES = where("partial-update.remove-record-on-delete")(
    Requirement(
        "partial-update.contradictory-deletes",
        "partial-update.remove-record-on-delete",
        lambda facts: _is_partial_update(facts) and facts.flag("partial-update.remove-record-on-delete") and facts.flag("ignore-delete"),
        "a delete cannot both be ignored (ignore-delete) and remove the row.",
        "Keep one of the two options.",
    ),
    Requirement(
        "partial-update.contradictory-deletes",
        "partial-update.remove-record-on-delete",
        lambda facts: _is_partial_update(facts) and facts.flag("partial-update.remove-record-on-delete") and any(_groups(facts)),
        "a delete cannot both remove the whole row and set back one sequence group.",
        "Use partial-update.remove-record-on-sequence-group instead.",
    ),
)


def _is_partial_update(facts: Facts) -> bool:
    return not facts.append and facts.engine == "partial-update"


# ---------------------------------------------------------------- aggregation

_NUMERIC = frozenset({
    Root.DECIMAL, Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE,
})  # fmt: skip
_TEXT = frozenset({Root.CHAR, Root.VARCHAR})
_BINARY = frozenset({Root.BINARY, Root.VARBINARY})
_ANY = frozenset(Root)

# Aggregate functions and the columns they can be used for.
FUNCTIONS = {
    "bool_and": frozenset({Root.BOOLEAN}),
    "bool_or": frozenset({Root.BOOLEAN}),
    "collect": frozenset({Root.ARRAY}),
    "count": _ANY,
    "first_non_null_value": _ANY,
    "first_not_null_value": _ANY,
    "first_value": _ANY,
    "hll_sketch": _BINARY,
    "last_non_null_value": _ANY,
    "last_value": _ANY,
    "listagg": _TEXT,
    "max": _ANY,
    "merge_map": frozenset({Root.MAP}),
    "merge_map_with_keytime": frozenset({Root.MAP}),
    "min": _ANY,
    "nested_partial_update": frozenset({Root.ARRAY}),
    "nested_update": frozenset({Root.ARRAY}),
    "primary-key": _ANY,
    "product": _NUMERIC,
    "rbm32": _BINARY,
    "rbm64": _BINARY,
    "sum": _NUMERIC,
    "theta_sketch": _BINARY,
}


def aggregation(facts: Facts) -> Iterator[Finding]:
    """Report aggregate functions that do not exist or cannot take their column."""
    if facts.append or facts.engine not in ("aggregation", "partial-update"):
        return
    for key, names, rest, function in facts.column_options:
        if rest != _FUNCTION and names != [_DEFAULT_FUNCTION]:
            continue
        if function not in FUNCTIONS:
            fix = f"Use one of {', '.join(FUNCTIONS)}."
            yield Finding("aggregation.unknown-function", key, f"there is no aggregate function {function!r}.", fix)
            continue
        for name in names:
            kind = facts.kind(name)
            if kind is not None and kind.root not in FUNCTIONS[function]:
                message = f"{function} cannot aggregate {name!r}, a column of type {kind}."
                yield Finding("aggregation.unsupported-type", key, message, "Use another function, or another type.")


def unordered_aggregates(facts: Facts) -> Iterator[Finding]:
    """Report columns of a partial update that are aggregated without a sequence group that gives their order."""
    if not _is_partial_update(facts):
        return
    grouped: set[str] = set()
    for group in _groups(facts):
        grouped.update(group.compared, group.followers)
    functions: dict[str, str] = {}
    for _, names, rest, value in facts.column_options:
        if rest == _FUNCTION:
            functions.update(dict.fromkeys(names, value))
    default = facts.options.get(f"fields.{_DEFAULT_FUNCTION}", _LAST)
    for name in functions if default == _LAST else facts.columns:
        function = functions.get(name, default)
        if function != _LAST and name not in grouped and name not in facts.primary_keys:
            message = f"{name!r} is aggregated by {function}, and no sequence group says in which order."
            fix = f"List the column in an option fields.<column to compare>.{_GROUP}."
            yield Finding("partial-update.aggregate-without-group", name, message, fix)


MERGING = (*where(OPTIONS_OF_COLUMNS)(group_blobs, sequence_groups, aggregation, unordered_aggregates), *DELETES)
COLUMN_OPTIONS = where(OPTIONS_OF_COLUMNS)(column_options)
