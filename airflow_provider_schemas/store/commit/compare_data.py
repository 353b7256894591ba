"""A description of data that lie elsewhere, compared with the footers of the newest files before it is written for the first time."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.store.footers.described import ORC, READ, Described, described
from airflow_provider_schemas.store.footers.file_columns import meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.look import DataLook, look
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.type_likeness import alike
from airflow_provider_schemas.store.table_state import Subject

_NEWEST: Final = 3
_TEXTS: Final = frozenset({Root.CHAR, Root.VARCHAR})
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


class _File(NamedTuple):
    """A file, and what it has to say."""

    path: str
    types: dict[str, DataType]
    silent: frozenset[str]
    """Columns that the folders tell, or of which the file knows no type, in small letters."""

    @property
    def where(self) -> str:
        return f"{shown(self.path)[1:-1]}, one of the newest files,"


def _contradictions(about: Described, schema: TableSchema, seen: DataLook) -> Iterator[Fault]:
    """Each column once, for the newest file that contradicts it."""
    files = [_file(about, schema, entry, footer) for entry, footer in seen.footers]
    for one in schema.fields:
        anywhere = any(one.name in file.types or one.name.lower() in file.silent for file in files)
        told = (said for place, file in enumerate(files) if (said := _contradiction(one, file, newest=place == 0, anywhere=anywhere)))
        message = next(told, None)
        if message is not None:
            yield Fault(_CODE, one.name, message, _FIX)


def _file(about: Described, schema: TableSchema, entry: DataEntry, footer: Footer) -> _File:
    meant = meant_timestamps(footer, schema) if about.format == ORC else footer
    silent = frozenset(name.lower() for name in (*footer.nothing, *(key for key, _ in entry.keys)))
    return _File(entry.path, {one.name: one.type for one in meant.held}, silent)


def _contradiction(one: Field, file: _File, *, newest: bool, anywhere: bool) -> str:
    """How a file contradicts the description of a column; empty if it does not.

    The newest file shows what the table has become. An older one is the history of a table if it lacks a column that
    may be NULL and that came later, or has a type that was widened since.
    """
    there = file.types.get(one.name)
    if there is not None:
        fits = alike(there, one.type, ids=False) or (not newest and _widens(there, one.type))
        return "" if fits else f"{one.name} is described as {_brief(one.type)}, and {file.where} has {_brief(there)}."
    if one.name.lower() in file.silent or (not newest and anywhere and one.type.nullable):
        return ""
    spelled = next((name for name in file.types if name.lower() == one.name.lower()), None)
    if spelled is not None:
        return f"{one.name} is described, and {file.where} spells it {spelled}."
    left_out = anywhere and one.type.nullable
    return "" if left_out else f"{one.name} is described as {_brief(one.type)}, and {file.where} has no such column."


def _widens(there: DataType, ours: DataType) -> bool:
    """Whether all values of the older type are values of ours, at every level; a text of a number is another type to every reader."""
    if isinstance(there, RowType) and isinstance(ours, RowType):
        known = {one.name: one.type for one in there.fields}
        lacking = all(one.type.nullable for one in ours.fields if one.name not in known)
        both = ((known.pop(one.name), one.type) for one in ours.fields if one.name in known)
        return lacking and all(_widens(*pair) for pair in both) and not known
    parts = list(zip(children(there), children(ours), strict=False))
    if parts:
        return there.root is ours.root and all(_widens(one, other) for (_, one), (_, other) in parts)
    if alike(there, ours, ids=False):
        return True
    return ours.root not in _TEXTS and lossless(there.with_nullable(True), ours.with_nullable(True))


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
