"""What differs in partition keys, primary keys, and the keys that options name.

Keys are compared by the ids of their fields, so that a renamed field is the same key.
"""

from collections.abc import Iterator, Mapping, Sequence

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.difference import FieldLocation, Observation
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field


def key_observations(old: TableSchema, new: TableSchema) -> Iterator[Observation]:
    """Yield the lists of keys that changed, then the keys whose column has another name or type."""
    if _ids(old, old.partition_keys) != _ids(new, new.partition_keys):
        yield _key_list("PARTITION_KEYS_CHANGED", "partitionKeys", (old, old.partition_keys), (new, new.partition_keys))
    else:
        yield from _partition_columns(old, new)
    if _ids(old, old.primary_keys) != _ids(new, new.primary_keys):
        yield _key_list("PRIMARY_KEY_CHANGED", "primaryKeys", (old, old.primary_keys), (new, new.primary_keys))
    for role, names in _key_roles(old):
        for before, after in _columns(old, new, names):
            if not same_type(before.type, after.type):
                yield _retyped("KEY_FIELD_RETYPED", before, after, {"role": role})


def _ids(schema: TableSchema, names: Sequence[str]) -> list[int | str]:
    """Return the ids of columns; the name itself of one that is not there."""
    columns = ((name, schema.field(name)) for name in names)
    return [name if column is None else column.id for name, column in columns]


_KeysOf = tuple[TableSchema, tuple[str, ...]]


def _key_list(rule: str, path: str, before: _KeysOf, after: _KeysOf) -> Observation:
    if before[1] != after[1]:
        return Observation(rule=rule, path=path, old=", ".join(before[1]), new=", ".join(after[1]))
    # Other fields under the same names.
    return Observation(rule=rule, path=path, old=_names_with_ids(*before), new=_names_with_ids(*after))


def _names_with_ids(schema: TableSchema, names: Sequence[str]) -> str:
    columns = ((name, schema.field(name)) for name in names)
    return ", ".join(f"{name}, no column" if column is None else f"{name}, field {column.id}" for name, column in columns)


def _columns(old: TableSchema, new: TableSchema, names: Sequence[str]) -> Iterator[tuple[Field, Field]]:
    """Yield the columns of some names in the old schema, each with the one of its id in the new schema."""
    for name in names:
        before = old.field(name)
        after = None if before is None else new.column(before.id)
        if before is not None and after is not None:
            yield before, after


def _partition_columns(old: TableSchema, new: TableSchema) -> Iterator[Observation]:
    for before, after in _columns(old, new, old.partition_keys):
        if before.name != after.name:
            where = FieldLocation().field(before, after)
            yield Observation(rule="PARTITION_FIELD_RENAMED", where=where, path=where.old, id=after.id, old=where.old, new=where.new)
        if not same_type(before.type, after.type):
            yield _retyped("PARTITION_FIELD_RETYPED", before, after, {})


def _retyped(rule: str, before: Field, after: Field, words: Mapping[str, str]) -> Observation:
    old = before.type.with_nullable(True)
    new = after.type.with_nullable(True)
    where = FieldLocation().field(before, after)
    return Observation(
        rule=rule, where=where, path=where.new, id=after.id, old=str(old), new=str(new), before=old, after=new, words=dict(words)
    )


def _key_roles(old: TableSchema) -> Iterator[tuple[str, Sequence[str]]]:
    yield "part of the primary key", old.primary_keys
    yield "a bucket key", table_options.names(old.options.get("bucket-key", ""))
    yield "a sequence field", table_options.names(old.options.get("sequence.field", ""))
