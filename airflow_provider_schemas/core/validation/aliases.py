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
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children
from airflow_provider_schemas.core.validation.facts import Facts


def taken_aliases(facts: Facts) -> Iterator[Finding]:
    """Working aliases that are the name, or an alias, of another field beside theirs, in any case of letters."""
    now = datetime.now(UTC)
    working = {number: [name for name, until in ends.items() if not over(until, now)] for number, ends in aliases_by_field(facts.schema)}
    if any(working.values()):
        for fields in _structs(facts.schema):
            yield from _taken(facts.schema, fields, working)


def _taken(schema: TableSchema, fields: Sequence[Field], working: dict[int, list[str]]) -> Iterator[Finding]:
    aliased = [field for field in fields if working.get(field.id)]
    if not aliased:
        return
    names = {field.name.lower(): field for field in fields}
    others: dict[str, Field] = {}
    for field in aliased:
        for name in working[field.id]:
            there = names.get(name.lower()) or others.setdefault(name.lower(), field)
            if there.id != field.id:
                yield _finding(schema, field, name, there)


def _finding(schema: TableSchema, field: Field, name: str, other: Field) -> Finding:
    keeper, says = other, f"{shown(name)} is an alias of {other.name}, and of {field.name}"
    if other.name.lower() == name.lower():
        keeper, says = field, f"{shown(name)} is an alias of {field.name}, and {shown(other.name)} is another column beside it"
    end = short_text(set_attributes(keeper.id, without_alias(schema.attributes(keeper.id), name)))
    fix = f"Choose another name; or end the alias first, once nobody reads by it, with {end}, and go on then."
    return Finding("attributes.alias-taken", field.name, f"{says}: a reader of {shown(name)} could mean either.", fix)


def _structs(schema: TableSchema) -> Iterator[Sequence[Field]]:
    """The columns, and the fields of every struct inside them."""
    yield schema.fields
    for field in schema.fields:
        if type(field.wire) is not str:
            yield from _inside(field.type)


def _inside(kind: DataType) -> Iterator[Sequence[Field]]:
    if isinstance(kind, RowType):
        yield kind.fields
    for _, part in children(kind):
        yield from _inside(part)
