"""Checks of earlier names that fields keep as aliases: a name that another field beside it has means two things to a reader.

Java knows no aliases. An alias that has ended is only a text.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from airflow_provider_schemas.core.changes.schema_change import set_attributes
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field, over, without_alias
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.validation.facts import Facts


def taken_aliases(facts: Facts) -> Iterator[Finding]:
    """Report working aliases that are the name, or an alias, of another field beside theirs, in any case of letters."""
    now = datetime.now(UTC)
    working: dict[int, list[str]] = {}
    for number, ends in aliases_by_field(facts.schema):
        working[number] = [name for name, until in ends.items() if not over(until, now)]
    if any(working.values()):
        for fields in (facts.schema.fields, *[row.fields for row in facts.schema.parts.rows]):
            yield from _taken_in_struct(facts.schema, fields, working)


def _taken_in_struct(schema: TableSchema, fields: Sequence[Field], working: dict[int, list[str]]) -> Iterator[Finding]:
    aliased = [field for field in fields if working.get(field.id)]
    if not aliased:
        return
    names = {field.name.lower(): field for field in fields}
    keepers: dict[str, Field] = {}
    for field in aliased:
        for name in working[field.id]:
            other = names.get(name.lower()) or keepers.setdefault(name.lower(), field)
            if other.id != field.id:
                yield _finding(schema, field, name, other)


def _finding(schema: TableSchema, field: Field, name: str, other: Field) -> Finding:
    if other.name.lower() == name.lower():
        keeper = field
        message = f"{shown(name)} is an alias of {field.name}, and {shown(other.name)} is another column beside it"
    else:
        keeper = other
        message = f"{shown(name)} is an alias of {other.name}, and of {field.name}"
    end = short_text(set_attributes(keeper.id, without_alias(schema.attributes(keeper.id), name)))
    fix = f"Choose another name; or end the alias first, once nobody reads by it, with {end}, and go on then."
    return Finding("attributes.alias-taken", field.name, f"{message}: a reader of {shown(name)} could mean either.", fix)
