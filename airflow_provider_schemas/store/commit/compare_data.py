"""Compare a description of data that lie elsewhere with the newest files: when it is written first, and when it names another place."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children
from airflow_provider_schemas.errors import Fault, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.store.common.data_location import check_location
from airflow_provider_schemas.store.footers.described import ORC, READ, Described, described
from airflow_provider_schemas.store.footers.file_columns import meant_timestamps
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.look import DataLook, Obstacle, look
from airflow_provider_schemas.store.footers.newest_file import LISTINGS, DataEntry
from airflow_provider_schemas.store.footers.type_likeness import alike
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry.json_records import first
from airflow_provider_schemas.store.registry.policies import FORMATS, known_format
from airflow_provider_schemas.store.table_state import Subject

_NEWEST: Final = 3
_TEXTS: Final = frozenset({Root.CHAR, Root.VARCHAR})
_SIZED: Final = frozenset({*_TEXTS, Root.BINARY, Root.VARBINARY})
# What a description may claim of the rows.
_NULLS: Final = "nulls"
_LENGTH: Final = "length"
_TYPE: Final = "type"
_CLAIMS: Final = {
    _NULLS: "whether {} is without NULL",
    _LENGTH: "whether the values of {} are as short as described",
    _TYPE: "of which type {} is",
}
# How many columns a note names.
_NAMED: Final = 5
_CODE: Final = "table.contradicts-data"
_ANYWAY: Final = "say why: unchecked='the reason', --unchecked REASON."
_FIX: Final = f"Describe what the files hold. If they are wrong and the description is right, {_ANYWAY}"
_NOT_COMPARED: Final = "the description was not compared with the data"
_NOTHING_NEW: Final = "unchecked changes nothing here: neither the location nor the format is another one"
# What about a folder contradicts a description, and of which attribute that is.
_REFUSED: Final = {
    Obstacle.FILE: "location",
    Obstacle.TOO_DEEP: "location",
    Obstacle.KEPT: "format",
}


class DataComparison(NamedTuple):
    """The result of a comparison that found nothing wrong."""

    notes: tuple[str, ...] = ()
    unchecked: bool = False
    """Whether there was something to compare, and the caller said why it should not be compared."""
    unseen: str = ""
    """Why nothing was seen at another place; empty if something was, or if there is no file yet."""
    fix: str = ""


def compare(subject: Subject, head: TableSchema | None, schema: TableSchema, unchecked: str) -> DataComparison:
    """Compare a description with the data, if it is new, or if it is about another place or format than the one of the head.

    Raise IncompatibleSchemaError with everything that the folder and its newest files contradict.
    """
    layout = subject.place.layout
    about = described(schema, layout)
    before = None if head is None else described(head, layout)
    if about == before:
        return DataComparison((_NOTHING_NEW,) if unchecked and head is not None else ())
    if about is not None:
        check_location(about.location, handed_in=subject.roots.handed_in)
        known_format(about.format)
    if unchecked:
        return DataComparison((f"{_NOT_COMPARED}, as was asked for",), unchecked=True)
    if about is None:
        _check_data_stay_named(subject, before)
        return DataComparison()
    comparison = _compare_files(subject, about, schema)
    return comparison._replace(unseen="") if head is None else comparison


def _check_data_stay_named(subject: Subject, before: Described | None) -> None:
    """Raise IncompatibleSchemaError if a description loses the location of its data: nothing of them would be seen any more."""
    if before is None or subject.place.layout is not Layout.REGISTRY:
        return
    message = f"the location {without_credentials(before.location)} is taken away, and no verdict would look at data any more."
    raise IncompatibleSchemaError.of([Fault("table.no-location", "location", message, f"Keep it, or name another. Or {_ANYWAY}")])


def _compare_files(subject: Subject, about: Described, schema: TableSchema) -> DataComparison:
    """Compare a description with the newest files, and note what could not be compared."""
    try:
        seen = look(about, subject.roots.open_location, allowed=subject.roots.look, most=_NEWEST, thorough=True)
    except SchemaError as error:
        return DataComparison((f"{_NOT_COMPARED}: {error.message}",), unseen=error.message.rstrip("."), fix=error.fix)
    files = [_read_file(about, schema, entry, footer) for entry, footer in seen.footers]
    faults = [*_check_folder(about, seen), *_check_formats(about, seen), *_check_columns(schema, files)]
    if faults:
        raise IncompatibleSchemaError.of(faults)
    unseen = "" if seen.unread else seen.reason
    return DataComparison(tuple(_notes(about, schema, seen, files)), unseen=unseen, fix=seen.fix)


# ---------------------------------------------------------------- the folder and the format of its files


def _check_folder(about: Described, seen: DataLook) -> Iterator[Fault]:
    """Yield a fault if the location is no folder of such files."""
    path = _REFUSED.get(seen.obstacle) if seen.obstacle is not None else None
    if path is None:
        return
    if seen.kept_by:
        message = f"{seen.folder} is kept by {seen.kept_by}, and described as {about.format}: such files are not read by themselves."
        yield Fault(_CODE, path, message, f"{_name_keeper(about, seen)} Or {_ANYWAY}")
        return
    yield Fault(_CODE, path, f"{seen.reason}.", f"{seen.fix} Or {_ANYWAY}")


def _name_keeper(about: Described, seen: DataLook) -> str:
    """Return how to describe a folder that is kept by a table format, if it can be described."""
    name = seen.kept_by.lower()
    if name == about.format:
        return f"Name that folder as the location: {seen.folder}."
    if name not in FORMATS:
        return f"{seen.kept_by} is no format that can be described: leave the table to its own engine."
    if seen.folder != without_credentials(about.location):
        return f"Name that folder as the location, with its format: {seen.folder}, format='{name}', --data-format {name}."
    return f"Name the format: format='{name}', --data-format {name}."


def _check_formats(about: Described, seen: DataLook) -> Iterator[Fault]:
    """Yield a fault for the newest file of another format than the stated one; for any, if no file is of that format."""
    unlike = [file for file in seen.unread if file.looks_like not in ("", about.format)]
    may_be_of_format = any(file.broken_off or file.looks_like == about.format for file in seen.unread)
    if not unlike and not seen.footers and not may_be_of_format:
        unlike = list(seen.unread)
    for file in unlike[:1]:
        what = f"is {file.looks_like}" if file.looks_like else f"is not {about.format}: {file.message}"
        message = f"the data are described as {about.format}, and {shown(file.path)[1:-1]}, one of the newest files, {what}."
        yield Fault(_CODE, "format", message, f"{_other_format(file.looks_like)} Or {_ANYWAY}")


def _other_format(looks_like: str) -> str:
    if not looks_like:
        return "Name the format of the files: format=, --data-format."
    return f"Name the format of the files: format='{looks_like}', --data-format {looks_like}; or take away what is no data of the table."


# ---------------------------------------------------------------- columns


class _File(NamedTuple):
    """A data file, and what its footer says of its columns."""

    path: str
    types: dict[str, DataType]
    silent: frozenset[str]
    """Columns that stand in the names of folders, or for which the file knows no type, in small letters."""
    untyped: frozenset[str]
    """Columns for which the file knows no type."""
    undescribed: tuple[str, ...]
    """Columns that the description leaves out: any of them may be one of its own by another name."""

    @property
    def where(self) -> str:
        return f"{shown(self.path)[1:-1]}, one of the newest files,"


def _read_file(about: Described, schema: TableSchema, entry: DataEntry, footer: Footer) -> _File:
    """Return the columns of a file, with timestamps as the description means them."""
    held = meant_timestamps(footer, schema).held if about.format == ORC else footer.held
    untyped = frozenset(map(str.lower, footer.nothing))
    silent = untyped | {key.lower() for key, _ in entry.keys}
    described_names = {name.lower() for name in schema.names}
    undescribed = tuple(column.name for column in held if column.name.lower() not in described_names)
    return _File(entry.path, {column.name: column.type for column in held}, silent, untyped, undescribed)


def _check_columns(schema: TableSchema, files: Sequence[_File]) -> Iterator[Fault]:
    """Yield a fault for each column that a file contradicts, once: for the newest such file."""
    for column in schema.fields:
        in_any = any(column.name in file.types or column.name.lower() in file.silent for file in files)
        for place, file in enumerate(files):
            message = _contradiction(column, file, is_newest=place == 0, in_any=in_any)
            if message:
                yield Fault(_CODE, column.name, message, _FIX)
                break


def _contradiction(column: Field, file: _File, *, is_newest: bool, in_any: bool) -> str:
    """Return how a file contradicts the description of a column; empty if it does not.

    The newest file shows what the table has become. An older one is the history of a table if it lacks a column that
    may be NULL and that came later, or has a type that was widened since.
    """
    actual = file.types.get(column.name)
    if actual is not None:
        if alike(actual, column.type, ids=False) or (not is_newest and _is_widened(actual, column.type)):
            return ""
        return f"{column.name} is described as {_brief(column.type)}, and {file.where} has {_brief(actual)}."
    may_be_missing = in_any and column.type.nullable
    if column.name.lower() in file.silent or (not is_newest and may_be_missing):
        return ""
    spelled = next((name for name in file.types if name.lower() == column.name.lower()), None)
    if spelled is not None:
        return f"{column.name} is described, and {file.where} spells it {spelled}."
    if may_be_missing and not file.undescribed:  # a writer may leave it out
        return ""
    instead = f", but {_list_some(file.undescribed)}" if may_be_missing else ""
    return f"{column.name} is described as {_brief(column.type)}, and {file.where} has no such column{instead}."


def _is_widened(older: DataType, newer: DataType) -> bool:
    """Return whether all values of the older type are values of the newer one, at every level.

    A text of a number is another type to every reader.
    """
    if isinstance(older, RowType) and isinstance(newer, RowType):
        return _is_widened_row(older, newer)
    parts = list(zip(children(older), children(newer), strict=False))
    if parts:
        return older.root is newer.root and all(_is_widened(part, newer_part) for (_, part), (_, newer_part) in parts)
    if alike(older, newer, ids=False):
        return True
    return newer.root not in _TEXTS and lossless(older.with_nullable(True), newer.with_nullable(True))


def _is_widened_row(older: RowType, newer: RowType) -> bool:
    older_types = {field.name: field.type for field in older.fields}
    for field in newer.fields:
        older_type = older_types.pop(field.name, None)
        if older_type is None and not field.type.nullable:
            return False
        if older_type is not None and not _is_widened(older_type, field.type):
            return False
    return not older_types


# ---------------------------------------------------------------- notes


def _notes(about: Described, schema: TableSchema, seen: DataLook, files: Sequence[_File]) -> Iterator[str]:
    """Yield what was not compared, or could not be proven by footers."""
    if seen.reason and not seen.unread:
        yield f"{_NOT_COMPARED}: {seen.reason}"
    elif not seen.footers and not seen.unread:
        yield f"there is no data file in {seen.folder} yet, so that the description was compared with none"
    for unread in seen.unread:
        yield f"{shown(unread.path)[1:-1]} was not compared with the description: {unread.message}"
    if about.format in READ and seen.listings > LISTINGS:
        yield (
            f"the newest file lies {seen.listings} listings deep, and a verdict asks for {LISTINGS} at most: "
            "it will be a warning (TABLE_NOT_LOOKED_AT)"
        )
    yield from _note_unproven(schema, files)
    yield from _note_undescribed(schema, seen)


def _note_undescribed(schema: TableSchema, seen: DataLook) -> Iterator[str]:
    """Yield notes about columns of files that the description leaves out, each with the newest file that has it."""
    described_names = {name.lower() for name in schema.names}
    path_of: dict[str, str] = {}
    for entry, footer in reversed(seen.footers):
        path_of |= {name: entry.path for name in footer.names if name.lower() not in described_names}
    for name, path in sorted(path_of.items())[:_NEWEST]:
        yield f"{path} also has {name}, which the description leaves out"


def _note_unproven(schema: TableSchema, files: Iterable[_File]) -> Iterator[str]:
    """Yield what the description claims and no footer proves, so that only a look at the rows would."""
    claims: dict[str, dict[str, None]] = {claim: {} for claim in _CLAIMS}
    for file in files:
        for column in schema.fields:
            if column.name in file.types:
                for claim, path in _unproven_claims(column.name, file.types[column.name], column.type):
                    claims[claim][path] = None
            elif column.name.lower() in file.untyped:
                claim = _TYPE if column.type.nullable else _NULLS
                claims[claim][column.name] = None
    for claim, paths in claims.items():
        if paths:
            yield f"nobody looked {_CLAIMS[claim].format(_list_some(paths))}: no footer tells, and `validate` looks at the rows"


def _unproven_claims(path: str, actual: DataType, described_type: DataType) -> Iterator[tuple[str, str]]:
    """Yield what the description of a column claims and its type in a file does not prove, with the path that it is about."""
    if actual.nullable and not described_type.nullable:
        yield _NULLS, path
    plain = described_type.with_nullable(True)
    if plain.root in _SIZED and actual.with_nullable(True) != plain and plain not in (STRING, BYTES):
        yield _LENGTH, path
    actual_parts = dict(children(actual))
    for name, part in children(described_type):
        if name in actual_parts:
            yield from _unproven_claims(f"{path}.{name}", actual_parts[name], part)


def _list_some(paths: Iterable[str]) -> str:
    """Return the first few of some paths, as a sentence has them."""
    return first((shown(path)[1:-1] for path in paths), _NAMED)


def _brief(kind: DataType) -> str:
    return shown(str(kind.with_nullable(True)))[1:-1]
