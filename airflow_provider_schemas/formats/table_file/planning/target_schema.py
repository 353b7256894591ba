"""The schema that a table file wants of an existing table."""

import time
from collections.abc import Iterator, Mapping
from functools import partial

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.evolve import carried
from airflow_provider_schemas.core.evolution.own_aliases import without_own_names
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.comment_directives import directed, is_directive, without_column
from airflow_provider_schemas.core.schema.key_lists import normalised
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, collect
from airflow_provider_schemas.formats.table_file.field_paths import Steps, dotted, steps_of
from airflow_provider_schemas.formats.table_file.model import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import (
    OF_COLUMN,
    OF_TABLE,
    AttributeValues,
    attribute_option,
    attribute_values,
    policy_option,
)
from airflow_provider_schemas.formats.table_file.planning.merge_fields import FieldMerge
from airflow_provider_schemas.formats.table_file.planning.rename_candidates import ListedField


class Target(Struct, frozen=True):
    """The wanted schema of a table, with the faults and notes that came up while it was made."""

    schema: TableSchema
    left_alone: tuple[str, ...]
    faults: tuple[Fault, ...]
    """Decisions that a person has to make, and mistakes, which stop the plan."""
    notes: tuple[tuple[str, str], ...]
    """Entries, each with a note about it."""


def make_target(file: TableFile, table: TableSchema) -> Target:
    """Return the table as the file wants it; the very same schema where the file asks for no change."""
    faults: list[Fault] = []
    listed = [_listed_field(column, f"columns[{number}]", faults) for number, column in enumerate(file.columns)]
    keys = {(name,) for name in (*file.primary_key, *file.partitioned_by)}
    merge = FieldMerge(table.highest_field_id, _earlier_names(file), _dropped_paths(file, table), keys)
    fields = merge.fields(table.fields, listed)
    renames = {before: path[0] for path, before in merge.renamed if len(path) == 1}
    options = _options_after_merge(file, table, merge, renames)
    wanted = TableSchema(
        fields=fields,
        highest_field_id=merge.ids.highest,
        partition_keys=file.partitioned_by if file.mentions("partitioned_by") else renamed_list(table.partition_keys, renames),
        primary_keys=file.primary_key if file.mentions("primary_key") else renamed_list(table.primary_keys, renames),
        options=Options(_options_of_file(file, options, {field.name: field.id for field in fields}, faults)),
        comment=file.comment if file.mentions("comment") else table.comment,
    )
    faults += [*merge.faults, *_key_faults(file, fields)]
    return Target(_next_schema(table, wanted), tuple(merge.left_alone), tuple(faults), tuple(_notes(merge)))


# ---------------------------------------------------------------- the columns of the file


def _listed_field(column: Column, entry: str, faults: list[Fault]) -> ListedField:
    """Return a column of the file as a field; a directive in its comment is followed."""
    kind = column.kind
    comment = column.comment
    if is_directive(comment):
        followed = collect(faults, partial(directed, _directive_field(column), {}), entry)
        if followed:
            kind = followed[0].type
        comment = followed[0].description if followed else None
    texts: dict[str, str | None] = {}
    if column.mentions("comment"):
        texts["description"] = comment
    if column.mentions("default"):
        texts["default"] = column.default
    return ListedField(column.name, kind, texts, entry)


def _directive_field(column: Column) -> Field:
    """Return a column whose comment is a directive, before the directive is followed."""
    return nested.field(0, column.name, column.kind, column.comment)


def _earlier_names(file: TableFile) -> dict[Steps, tuple[str, ...]]:
    """Return the earlier names by the path of the field that has another name now."""
    earlier: dict[Steps, tuple[str, ...]] = {}
    for column in file.columns:
        for path, names in column.was.items():
            steps = steps_of(path) if path else ()
            if steps[:1] != (column.name,):
                steps = (column.name, *steps)
            earlier[steps] = names
    return earlier


def _dropped_paths(file: TableFile, table: TableSchema) -> set[Steps]:
    """Return the paths of what is to be dropped; the name of a column may hold dots."""
    return {(dropped.name,) if table.field(dropped.name) else steps_of(dropped.name) for dropped in file.dropped}


def _key_faults(file: TableFile, fields: tuple[Field, ...]) -> Iterator[Fault]:
    names = {field.name for field in fields}
    for key in ("primary_key", "partitioned_by"):
        for number, name in enumerate(getattr(file, key)):
            if name not in names:
                message = f"{shown(name)} is a column neither of the file nor of the table."
                yield Fault("table-file.key-not-a-column", f"{key}[{number}]", message, "List the column, or name one that is there.")


def _notes(merge: FieldMerge) -> Iterator[tuple[str, str]]:
    for path, entry in merge.not_found:
        names = ", ".join(merge.earlier[path])
        yield entry, f"{dotted(path)} was to be renamed from {names}, which the table does not have: it is added."


# ---------------------------------------------------------------- options


def _options_after_merge(file: TableFile, table: TableSchema, merge: FieldMerge, renames: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the table, as they follow from the fields: renamed, dropped, added with a directive."""
    options = renamed_options(table.options, renames)
    for path, field in merge.gone:
        if len(path) == 1:
            options = without_column(options, field)
        for number in all_ids([field]):
            options.pop(attribute_key(number), None)
    new = {path for path, _ in merge.fresh}
    for column in file.columns:
        if is_directive(column.comment) and (column.name,) in new:
            followed = collect([], partial(directed, _directive_field(column), options))
            if followed:
                options = followed[1]
    return options


def _options_of_file(file: TableFile, options: dict[str, str], ids: Mapping[str, int], faults: list[Fault]) -> dict[str, str]:
    """Return the options, changed by the options, attributes and policy of the file."""
    mentioned: list[tuple[int | None, AttributeValues, str]] = [(None, attribute_values(file, OF_TABLE), "table")]
    for number, column in enumerate(file.columns):
        mentioned.append((ids[column.name], attribute_values(column, OF_COLUMN), f"columns[{number}]"))
    changes: list[tuple[str, str | None]] = [*file.options.items()]
    for field_id, values, entry in mentioned:
        changes += collect(faults, partial(attribute_option, field_id, values, options), entry) or []
    if file.mentions("policy"):
        changes += policy_option(file.policy, options)
    removed = {key for key, value in changes if value is None}
    changed = options | {key: value for key, value in changes if value is not None}
    return {key: value for key, value in changed.items() if key not in removed}


# ---------------------------------------------------------------- the schema


def _next_schema(table: TableSchema, wanted: TableSchema) -> TableSchema:
    """Return the next schema; the table itself where nothing differs from it."""
    wanted = without_own_names(table, wanted)
    keyed, _ = normalised(wanted.fields, wanted.partition_keys, wanted.primary_keys, wanted.options)
    after = msgspec.structs.replace(
        wanted,
        fields=keyed.fields,
        partition_keys=keyed.partition_keys,
        primary_keys=keyed.primary_keys,
        options=Options(keyed.options),
        id=table.id + 1,
        version=CURRENT_VERSION,
        time_millis=time.time_ns() // 1_000_000,
        unknown=carried(table),
    )
    return table if table.content in (wanted.content, after.content) else after
