"""A description of data that lie elsewhere, compared with the newest files: when it is written first, and when it names another place."""

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


class Compared(NamedTuple):
    """What came of a comparison."""

    notes: tuple[str, ...] = ()
    unchecked: bool = False
    """Whether there was something to compare, and somebody said why it should not be."""
    unseen: str = ""
    """Why nothing was seen at another place; empty if something was, or if there is no file yet."""
    fix: str = ""


def compared(subject: Subject, head: TableSchema | None, schema: TableSchema, unchecked: str) -> Compared:
    """Compare a description with the data, if it is new, or if it is about another place or format than the one of the head.

    IncompatibleSchemaError with everything that the folder and its newest files contradict.
    """
    layout = subject.place.layout
    about = described(schema, layout)
    before = None if head is None else described(head, layout)
    if about == before:
        return Compared((_NOTHING_NEW,) if unchecked and head is not None else ())
    if about is not None:
        check_location(about.location, handed_in=subject.roots.handed_in)
        known_format(about.format)
    if unchecked:
        return Compared((f"{_NOT_COMPARED}, as was asked for",), unchecked=True)
    if about is None:
        return _left(subject, before)
    found = _compared(subject, about, schema)
    return found._replace(unseen="" if head is None else found.unseen)


def _left(subject: Subject, before: Described | None) -> Compared:
    """The answer where the new description names no data: after that, nothing of them is seen any more."""
    if before is None or subject.place.layout is not Layout.REGISTRY:
        return Compared()
    message = f"the location {without_credentials(before.location)} is taken away, and no verdict would look at data any more."
    raise IncompatibleSchemaError.of([Fault("table.no-location", "location", message, f"Keep it, or name another. Or {_ANYWAY}")])


def _compared(subject: Subject, about: Described, schema: TableSchema) -> Compared:
    """What is to be said of what could not be compared."""
    try:
        seen = look(about, subject.roots.open_location, allowed=subject.roots.look, most=_NEWEST, thorough=True)
    except SchemaError as error:
        return Compared((f"{_NOT_COMPARED}: {error.message}",), unseen=error.message.rstrip("."), fix=error.fix)
    faults = [*_obstacles(about, seen), *_formats(about, seen), *_contradictions(about, schema, seen)]
    if faults:
        raise IncompatibleSchemaError.of(faults)
    unseen = "" if seen.unread else seen.reason
    return Compared(tuple(_notes(about, schema, seen)), unseen=unseen, fix=seen.fix)


def _obstacles(about: Described, seen: DataLook) -> Iterator[Fault]:
    """What the location is in place of a folder of such files."""
    path = _REFUSED.get(seen.obstacle) if seen.obstacle is not None else None
    if path is None:
        return
    if seen.kept_by:
        message = f"{seen.folder} is kept by {seen.kept_by}, and described as {about.format}: such files are not read by themselves."
        yield Fault(_CODE, path, message, f"{_named(about, seen)} Or {_ANYWAY}")
        return
    yield Fault(_CODE, path, f"{seen.reason}.", f"{seen.fix} Or {_ANYWAY}")


def _named(about: Described, seen: DataLook) -> str:
    """How the format is named that keeps a folder, if it can be."""
    name = seen.kept_by.lower()
    if name == about.format:
        return f"Name that folder as the location: {seen.folder}."
    if name not in FORMATS:
        return f"{seen.kept_by} is no format that can be described: leave the table to its own engine."
    if seen.folder != without_credentials(about.location):
        return f"Name that folder as the location, with its format: {seen.folder}, format='{name}', --data-format {name}."
    return f"Name the format: format='{name}', --data-format {name}."


def _formats(about: Described, seen: DataLook) -> Iterator[Fault]:
    """Files that are of another format than the stated one; all of the newest files, if none of them is of that."""
    unlike = [file for file in seen.unread if file.looks_like not in ("", about.format)]
    if not unlike and not seen.footers and not any(file.broken_off or file.looks_like == about.format for file in seen.unread):
        unlike = list(seen.unread)
    for file in unlike[:1]:
        what = f"is {file.looks_like}" if file.looks_like else f"is not {about.format}: {file.message}"
        message = f"the data are described as {about.format}, and {shown(file.path)[1:-1]}, one of the newest files, {what}."
        yield Fault(_CODE, "format", message, f"{_other_format(file.looks_like)} Or {_ANYWAY}")


def _other_format(looks_like: str) -> str:
    if not looks_like:
        return "Name the format of the files: format=, --data-format."
    return f"Name the format of the files: format='{looks_like}', --data-format {looks_like}; or take away what is no data of the table."


class _File(NamedTuple):
    """A file, and what it has to say."""

    path: str
    types: dict[str, DataType]
    silent: frozenset[str]
    """Columns that the folders tell, or of which the file knows no type, in small letters."""
    untyped: frozenset[str]
    """Those of which the file knows no type."""
    strange: tuple[str, ...]
    """Columns that the description leaves out: any of them may be one of its own by another name."""

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
    untyped = frozenset(map(str.lower, footer.nothing))
    silent = untyped | {key.lower() for key, _ in entry.keys}
    known = {one.lower() for one in schema.names}
    strange = tuple(one.name for one in meant.held if one.name.lower() not in known)
    return _File(entry.path, {one.name: one.type for one in meant.held}, silent, untyped, strange)


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
    if anywhere and one.type.nullable and not file.strange:  # a writer may leave it out
        return ""
    instead = f", but {_listed(file.strange)}" if anywhere and one.type.nullable else ""
    return f"{one.name} is described as {_brief(one.type)}, and {file.where} has no such column{instead}."


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


def _notes(about: Described, schema: TableSchema, seen: DataLook) -> Iterator[str]:
    if seen.reason and not seen.unread:
        yield f"{_NOT_COMPARED}: {seen.reason}"
    elif not seen.footers and not seen.unread:
        yield f"there is no data file in {seen.folder} yet, so that the description was compared with none"
    yield from (f"{shown(file.path)[1:-1]} was not compared with the description: {file.message}" for file in seen.unread)
    if about.format in READ and seen.listings > LISTINGS:
        yield (
            f"the newest file lies {seen.listings} listings deep, and a verdict asks for {LISTINGS} at most: "
            "it will be a warning (TABLE_NOT_LOOKED_AT)"
        )
    yield from _unproven(schema, [_file(about, schema, entry, footer) for entry, footer in seen.footers])
    known = {one.lower() for one in schema.names}
    more = {name: entry.path for entry, footer in reversed(seen.footers) for name in footer.names if name.lower() not in known}
    yield from (f"{path} also has {name}, which the description leaves out" for name, path in sorted(more.items())[:_NEWEST])


def _unproven(schema: TableSchema, files: Iterable[_File]) -> Iterator[str]:
    """What the description claims and no footer proves, so that only a look at the rows would."""
    claims: dict[str, dict[str, None]] = {about: {} for about in _CLAIMS}
    for file in files:
        for one in schema.fields:
            if one.name in file.types:
                for claim, path in _claims(one.name, file.types[one.name], one.type):
                    claims[claim][path] = None
            elif one.name.lower() in file.untyped:
                claims[_TYPE if one.type.nullable else _NULLS][one.name] = None
    for claim, paths in claims.items():
        if paths:
            yield f"nobody looked {_CLAIMS[claim].format(_listed(list(paths)))}: no footer tells, and `validate` looks at the rows"


def _claims(path: str, there: DataType, ours: DataType) -> Iterator[tuple[str, str]]:
    if there.nullable and not ours.nullable:
        yield _NULLS, path
    if ours.root in _SIZED and there.with_nullable(True) != ours.with_nullable(True) and ours.with_nullable(True) not in (STRING, BYTES):
        yield _LENGTH, path
    parts = dict(children(there))
    for name, part in children(ours):
        if name in parts:
            yield from _claims(f"{path}.{name}", parts[name], part)


def _listed(paths: Sequence[str]) -> str:
    more = len(paths) - _NAMED
    names = ", ".join(shown(path)[1:-1] for path in paths[:_NAMED])
    return f"{names} and {more} more" if more > 0 else names


def _brief(kind: DataType) -> str:
    return shown(str(kind.with_nullable(True)))[1:-1]
