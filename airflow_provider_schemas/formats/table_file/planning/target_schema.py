"""The schema that a table file asks for, of a table that is there."""

import time
from collections.abc import Iterator, Mapping
from functools import partial

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.evolve import carried
from airflow_provider_schemas.core.evolution.own_aliases import without_own_names
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.schema.comment_directives import directed, is_directive, without_column
from airflow_provider_schemas.core.schema.key_lists import normalised
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, attribute_key
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, collect
from airflow_provider_schemas.formats.table_file.field_paths import Steps, dotted, steps_of
from airflow_provider_schemas.formats.table_file.model import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.attributes import OF_COLUMN, OF_TABLE, Said, attribute_option, policy_option, said
from airflow_provider_schemas.formats.table_file.planning.merge_fields import Laying
from airflow_provider_schemas.formats.table_file.planning.rename_candidates import Wanted


class Target(Struct, frozen=True):
    """What the table shall be, and what was found on the way there."""

    schema: TableSchema
    left_alone: tuple[str, ...]
    faults: tuple[Fault, ...]
    """What a person has to decide, or to mend, first."""
    notes: tuple[tuple[str, str], ...]
    """Entries, and what has to be said of them."""


def target_of(file: TableFile, table: TableSchema) -> Target:
    """The table as the file wants it; the very same one where the file asks for nothing."""
    faults: list[Fault] = []
    wanted = [_wanted(column, f"columns[{number}]", faults) for number, column in enumerate(file.columns)]
    keys = {(name,) for name in (*file.primary_key, *file.partitioned_by)}
    laying = Laying(table.highest_field_id, _earlier(file), _dropped(file, table), keys)
    fields = laying.fields(table.fields, wanted)
    renames = {before: path[0] for path, before in laying.renamed if len(path) == 1}
    asked = TableSchema(
        fields=fields,
        highest_field_id=laying.ids.highest,
        partition_keys=file.partitioned_by if file.mentions("partitioned_by") else renamed_list(table.partition_keys, renames),
        primary_keys=file.primary_key if file.mentions("primary_key") else renamed_list(table.primary_keys, renames),
        options=Options(_with_words(file, _options_of_fields(file, table, laying, renames), {one.name: one.id for one in fields}, faults)),
        comment=file.comment if file.mentions("comment") else table.comment,
    )
    faults += [*laying.faults, *_key_faults(file, fields)]
    return Target(_schema(table, asked), tuple(laying.left_alone), tuple(faults), tuple(_notes(laying)))


# ---------------------------------------------------------------- what the file says of columns


def _wanted(column: Column, entry: str, faults: list[Fault]) -> Wanted:
    kind, texts = column.kind, {"description": column.comment, "default": column.default}
    if is_directive(column.comment):
        found = collect(faults, partial(directed, _asked(column), {}), entry)
        kind, texts["description"] = (found[0].type, found[0].description) if found else (kind, None)
    keys = {"comment": "description", "default": "default"}
    return Wanted(column.name, kind, {name: texts[name] for key, name in keys.items() if column.mentions(key)}, entry)


def _asked(column: Column) -> Field:
    """A column whose comment is a directive, before that is followed."""
    return nested.field(0, column.name, column.kind, column.comment)


def _earlier(file: TableFile) -> dict[Steps, tuple[str, ...]]:
    """The earlier names, by the path of what bears another now."""
    return {
        (column.name, *(steps[1:] if steps[:1] == (column.name,) else steps)): names
        for column in file.columns
        for steps, names in ((steps_of(path) if path else (), names) for path, names in column.was.items())
    }


def _dropped(file: TableFile, table: TableSchema) -> set[Steps]:
    """The paths of what shall go; the name of a column may hold dots."""
    return {(one.name,) if table.field(one.name) else steps_of(one.name) for one in file.dropped}


def _key_faults(file: TableFile, fields: tuple[Field, ...]) -> Iterator[Fault]:
    names = {one.name for one in fields}
    for key in ("primary_key", "partitioned_by"):
        for number, name in enumerate(getattr(file, key)):
            if name not in names:
                message = f"{shown(name)} is a column neither of the file nor of the table."
                yield Fault("table-file.key-not-a-column", f"{key}[{number}]", message, "List the column, or name one that is there.")


def _notes(laying: Laying) -> Iterator[tuple[str, str]]:
    for path, entry in laying.not_found:
        names = ", ".join(laying.earlier[path])
        yield entry, f"{dotted(path)} was to be renamed from {names}, which the table does not have: it is added."


# ---------------------------------------------------------------- options


def _options_of_fields(file: TableFile, table: TableSchema, laying: Laying, renames: Mapping[str, str]) -> dict[str, str]:
    """The options of the table, as they follow from the fields: renamed, dropped, added with a directive."""
    options = renamed_options(table.options, renames)
    for path, one in laying.gone:
        options = without_column(options, one) if len(path) == 1 else options
        for number in all_ids([one]):
            options.pop(attribute_key(number), None)
    new = {path for path, _ in laying.fresh}
    for column in file.columns:
        if is_directive(column.comment) and (column.name,) in new:
            found = collect([], partial(directed, _asked(column), options))
            options = found[1] if found else options
    return options


def _with_words(file: TableFile, options: dict[str, str], ids: Mapping[str, int], faults: list[Fault]) -> dict[str, str]:
    """The options after the file has spoken: its options, attributes and policy."""
    spoken: list[tuple[int | None, Said, str]] = [(None, said(file, OF_TABLE), "table")]
    spoken += [(ids[one.name], said(one, OF_COLUMN), f"columns[{number}]") for number, one in enumerate(file.columns)]
    asked: list[tuple[str, str | None]] = [*file.options.items()]
    for number, words, entry in spoken:
        asked += collect(faults, partial(attribute_option, number, words, options), entry) or []
    asked += policy_option(file.policy, options) if file.mentions("policy") else []
    after = options | {key: value for key, value in asked if value is not None}
    for key in [key for key, value in asked if value is None]:
        after.pop(key, None)
    return after


# ---------------------------------------------------------------- the schema


def _schema(table: TableSchema, asked: TableSchema) -> TableSchema:
    """The next schema; the table itself where nothing differs from it."""
    asked = without_own_names(table, asked)
    keyed, _ = normalised(asked.fields, asked.partition_keys, asked.primary_keys, asked.options)
    after = msgspec.structs.replace(
        asked,
        fields=keyed.fields,
        partition_keys=keyed.partition_keys,
        primary_keys=keyed.primary_keys,
        options=Options(keyed.options),
        id=table.id + 1,
        version=CURRENT_VERSION,
        time_millis=time.time_ns() // 1_000_000,
        unknown=carried(table),
    )
    return table if table.content in (asked.content, after.content) else after
