"""Checks of the columns themselves: types, names, ids, defaults and attributes."""

from collections import Counter
from collections.abc import Iterator

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.core.schema.key_lists import duplicate_columns
from airflow_provider_schemas.core.types.atomic import known
from airflow_provider_schemas.core.types.field_ids import SYSTEM_IDS
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, MAX_FIELDS, of_wire
from airflow_provider_schemas.core.validation.checklist import ATTRIBUTES, where
from airflow_provider_schemas.core.validation.facts import Facts
from airflow_provider_schemas.errors import SchemaError

# Columns that Paimon adds to data files, to the audit log and to row tracking.
RESERVED = frozenset({"_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID"})
RESERVED_PREFIX = "_KEY_"


def types(facts: Facts) -> Iterator[Finding]:
    """Report what could be written but never read again: types made by hand, too many levels, too many columns."""
    parts = facts.schema.parts
    if parts.depth > MAX_DEPTH:
        message = f"types are nested {parts.depth} levels deep."
        yield Finding("type.too-deep", "", message, f"Keep them within {MAX_DEPTH} levels: no engine takes more.")
    if len(facts.schema.fields) > MAX_FIELDS:
        message = f"there are {len(facts.schema.fields)} columns."
        yield Finding("fields.too-many", "", message, f"Keep them below {MAX_FIELDS}.")
    for text in sorted([text for text in parts.texts if known(text) is None]):
        try:
            of_wire(text)
        except SchemaError as error:
            yield Finding(error.code, "", error.message, error.fix)


def names(facts: Facts) -> Iterator[Finding]:
    """Report names that occur twice or are blank."""
    if len(facts.distinct_names) != len(facts.column_names):
        yield from (Finding(*fault[:4]) for fault in duplicate_columns(facts.schema.fields))
    if not all(map(str.strip, facts.column_names)):
        yield Finding("fields.blank-name", "", "a column has a blank name.", "Give it a name.")


def ids(facts: Facts) -> Iterator[Finding]:
    """Report ids that several fields have, at any depth."""
    numbers = [column.id for column in facts.schema.fields]
    numbers += [field.id for field in facts.schema.parts.fields]
    if len(set(numbers)) == len(numbers):
        return
    for number, count in sorted(Counter(numbers).items()):
        if count > 1:
            message = f"several columns or nested fields have the id {number}."
            yield Finding("fields.duplicate-id", str(number), message, f"Give each an id of its own, below {SYSTEM_IDS}.")


def reserved_names(facts: Facts) -> Iterator[Finding]:
    """Report names of Paimon's own columns. Nested fields may have them."""
    fix = "Choose another name."
    for name in sorted(RESERVED & facts.distinct_names):
        yield Finding("schema.reserved-name", name, "Paimon has a column of its own with this name.", fix)
    if RESERVED_PREFIX not in facts.spelling:
        return
    for name in dict.fromkeys(facts.column_names):
        if name.startswith(RESERVED_PREFIX):
            message = f"names that begin with {RESERVED_PREFIX} belong to Paimon's copies of key columns."
            yield Finding("schema.reserved-prefix", name, message, fix)


def defaults(facts: Facts) -> Iterator[Finding]:
    """Report default values that do not fit the type of their column. Those of nested fields are never used."""
    if not facts.defaulted:
        return
    # Few tables have defaults, and what reads values takes longer to load than a table takes to be checked.
    from airflow_provider_schemas.core.casts.cast_value import default_value

    for column in facts.defaulted:
        try:
            default_value(column.default or "", column.type)
        except SchemaError as error:
            message = f"the default value {shown(column.default)} is no {column.type}: {error.message}"
            yield Finding("default.invalid", column.name, message, "Write a value of the type, or remove the default.")


_TABLE_KEY = attribute_key(None)
_FIELD_PREFIX = attribute_key(0)[:-1]


def attributes(facts: Facts) -> Iterator[Finding]:
    """Report attributes of fields and of the table that are no JSON object."""
    for key, text in facts.options.items():
        if (key == _TABLE_KEY or key.startswith(_FIELD_PREFIX)) and attribute_object(text) is None:
            message = f"the attributes are {shown(text)}."
            yield Finding("attributes.invalid", key, message, 'Write one JSON object, such as {"unit": "EUR"}.')


def opaque_types(facts: Facts) -> Iterator[Finding]:
    """Report types of another format in a table that Paimon or we write: no reader of ours could read them back."""
    if is_foreign(facts.schema):
        return
    for atom in sorted({str(atom.with_nullable(True)) for atom in facts.atoms if atom.root is Root.OPAQUE}):
        message = (
            f"{shown(atom)} is a type of another format, known by its text only; only tables that another system keeps have such types."
        )
        yield Finding("type.opaque", "", message, "Use a type that Paimon has.")


OPAQUE_TYPES = where(Root.OPAQUE)(opaque_types)
ATTRIBUTE_OPTIONS = where(ATTRIBUTES)(attributes)
