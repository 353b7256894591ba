"""Checks of the columns themselves: types, names, ids, defaults and attributes."""

from collections import Counter
from collections.abc import Iterator

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.key_lists import duplicate_columns
from airflow_provider_schemas.core.schema.table_schema import attribute_key, attribute_object
from airflow_provider_schemas.core.types.atomic import known
from airflow_provider_schemas.core.types.field_ids import SYSTEM_IDS
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, MAX_FIELDS, of_wire
from airflow_provider_schemas.core.validation.checklist import ATTRIBUTES, where
from airflow_provider_schemas.core.validation.facts import Facts
from airflow_provider_schemas.errors import SchemaError

# Columns that Paimon adds to data files, to the audit log and to row tracking.
RESERVED = frozenset({"_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID"})
RESERVED_PREFIX = "_KEY_"


def types(facts: Facts) -> Iterator[Finding]:
    """What could be written but never read again: types made by hand, too many levels, too many columns."""
    parts = facts.schema.parts
    if parts.depth > MAX_DEPTH:
        message = f"types are nested {parts.depth} levels deep."
        yield Finding("type.too-deep", "", message, f"Keep them within {MAX_DEPTH} levels: no engine takes more.")
    if len(facts.schema.fields) > MAX_FIELDS:
        message = f"there are {len(facts.schema.fields)} columns."
        yield Finding("fields.too-many", "", message, f"Keep them below {MAX_FIELDS}.")
    for text in sorted([one for one in parts.texts if known(one) is None]):
        try:
            of_wire(text)
        except SchemaError as error:
            yield Finding(error.code, "", error.message, error.fix)


def names(facts: Facts) -> Iterator[Finding]:
    """Names that stand twice or are blank."""
    if len(facts.distinct_names) != len(facts.column_names):
        yield from (Finding(*fault) for fault in duplicate_columns(facts.schema.fields))
    if not all(map(str.strip, facts.column_names)):
        yield Finding("fields.blank-name", "", "a column has a blank name.", "Give it a name.")


def ids(facts: Facts) -> Iterator[Finding]:
    """Ids that several fields bear, at any depth."""
    columns, inside = facts.schema.fields, facts.schema.parts.fields
    if len({one.id for one in columns}.union([one.id for one in inside])) != len(columns) + len(inside):
        counts = Counter([one.id for one in (*columns, *inside)])
        for number in sorted(number for number, count in counts.items() if count > 1):
            message = f"several columns or nested fields have the id {number}."
            yield Finding("fields.duplicate-id", str(number), message, f"Give each an id of its own, below {SYSTEM_IDS}.")


def reserved_names(facts: Facts) -> Iterator[Finding]:
    """Names of Paimon's own columns. Nested fields may bear them."""
    fix = "Choose another name."
    for name in sorted(RESERVED & facts.distinct_names):
        yield Finding("schema.reserved-name", name, "Paimon has a column of its own with this name.", fix)
    for name in dict.fromkeys(facts.column_names) if RESERVED_PREFIX in facts.spelling else ():
        if name.startswith(RESERVED_PREFIX):
            message = f"names that begin with {RESERVED_PREFIX} belong to Paimon's copies of key columns."
            yield Finding("schema.reserved-prefix", name, message, fix)


def defaults(facts: Facts) -> Iterator[Finding]:
    """Default values that are no value of their column's type. Those of nested fields are never used, so nobody asks."""
    if not facts.defaulted:
        return
    # Few tables have defaults, and what reads values takes longer to load than a table takes to be checked.
    from airflow_provider_schemas.core.casts.cast_value import default_value

    for one in facts.defaulted:
        try:
            default_value(one.default or "", one.type)
        except SchemaError as error:
            message = f"the default value {shown(one.default)} is no {one.type}: {error.message}"
            yield Finding("default.invalid", one.name, message, "Write a value of the type, or remove the default.")


_TABLE_KEY = attribute_key(None)
_FIELD_PREFIX = attribute_key(0)[:-1]


def attributes(facts: Facts) -> Iterator[Finding]:
    """Attributes of fields and of the table that are no JSON object."""
    for key, text in facts.options.items():
        if (key == _TABLE_KEY or key.startswith(_FIELD_PREFIX)) and attribute_object(text) is None:
            message = f"the attributes are {shown(text)}."
            yield Finding("attributes.invalid", key, message, 'Write one JSON object, such as {"unit": "EUR"}.')


ATTRIBUTE_OPTIONS = where(ATTRIBUTES)(attributes)
