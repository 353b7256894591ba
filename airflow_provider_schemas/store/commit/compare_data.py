"""A description of data that lie elsewhere, compared with the footers of the newest files before it is written for the first time."""

from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.store.footers.described import ORC, READ, Described, described
from airflow_provider_schemas.store.footers.file_columns import meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.look import DataLook, look
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.type_likeness import alike
from airflow_provider_schemas.store.table_state import Subject

_NEWEST: Final = 3
_CODE: Final = "table.contradicts-data"
_FIX: Final = (
    "Describe what the files hold. If they are wrong and the description is right, say why: unchecked='the reason', --unchecked REASON."
)


def compared(subject: Subject, schema: TableSchema, unchecked: str) -> tuple[str, ...]:
    """Notes about what could not be compared; IncompatibleSchemaError with every column that the newest files contradict."""
    about = described(schema, subject.place.layout)
    if about is None or about.format not in READ:
        return ()
    if unchecked:
        return ("the description was not compared with the data, as was asked for",)
    try:
        seen = look(about, subject.roots.open_location, allowed=subject.roots.look, most=_NEWEST)
    except SchemaError as error:
        return (f"the description was not compared with the data: {error.message}",)
    if seen.kept_by:
        raise IncompatibleSchemaError.of([_kept(about, seen)])
    faults = list(_contradictions(about, schema, seen))
    if faults:
        raise IncompatibleSchemaError.of(faults)
    return tuple(_notes(schema, seen))


def _kept(about: Described, seen: DataLook) -> Fault:
    message = (
        f"{seen.folder} is described as {about.format}, and the folder is kept by {seen.kept_by}, whose files are not read by themselves."
    )
    fix = f"Name the format: format='{seen.kept_by.lower()}', --data-format {seen.kept_by.lower()}. Or say why not: unchecked='the reason'."
    return Fault(_CODE, "format", message, fix)


def _contradictions(about: Described, schema: TableSchema, seen: DataLook) -> Iterator[Fault]:
    """Each column once, for the newest file that contradicts it."""
    told: set[str] = set()
    for entry, footer in seen.footers:
        meant = meant_timestamps(footer, schema) if about.format == ORC else footer
        for name, message in _of_file(schema, entry, meant):
            if name not in told:
                told.add(name)
                yield Fault(_CODE, name, message, _FIX)


def _of_file(schema: TableSchema, entry: DataEntry, footer: Footer) -> Iterator[tuple[str, str]]:
    there = {one.name: one.type for one in footer.held}
    folders = {key.lower() for key, _ in entry.keys}
    small = {name.lower(): name for name in there}
    for one in schema.fields:
        if one.name in footer.nothing or one.name.lower() in folders:
            continue
        where = f"{shown(entry.path)[1:-1]}, one of the newest files,"
        if one.name in there:
            if not alike(there[one.name], one.type, ids=False):
                yield one.name, f"{one.name} is described as {_brief(one.type)}, and {where} has {_brief(there[one.name])}."
        elif one.name.lower() in small:
            yield one.name, f"{one.name} is described, and {where} spells it {small[one.name.lower()]}."
        else:
            yield one.name, f"{one.name} is described as {_brief(one.type)}, and {where} has no such column."


def _notes(schema: TableSchema, seen: DataLook) -> Iterator[str]:
    if seen.reason:
        yield f"the description was not compared with the data: {seen.reason}"
    elif not seen.footers:
        yield f"there is no data file in {seen.folder} yet, so that the description was compared with none"
    known = {one.lower() for one in schema.names}
    more = {name: entry.path for entry, footer in reversed(seen.footers) for name in footer.names if name.lower() not in known}
    yield from (f"{path} also has {name}, which the description leaves out" for name, path in sorted(more.items())[:_NEWEST])


def _brief(kind: DataType) -> str:
    return shown(str(kind.with_nullable(True)))[1:-1]
