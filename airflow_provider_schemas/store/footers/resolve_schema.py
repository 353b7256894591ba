"""What a file was written as: by a manifest, by the ids in the file, by a binding, or by a footer that exactly one version equals.

Nothing is guessed: where that is not sure, `Unclear` says why, and what to do.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.type_likeness import alike, alike_field, alike_fields, held_by, holds, paths, shared_ids

_SHOWN: Final = 5
# What Paimon adds to its files, which is no column of a table.
_OF_PAIMON: Final = ("_KEY_", "_SEQUENCE_NUMBER", "_VALUE_KIND", "_ROW_ID")
_SAY: Final = "Say with which version the files were written: {bind}."


class How(StrEnum):
    """How it is known what a file was written as."""

    MANIFEST = "manifest"
    STAMPED = "stamped"
    BOUND = "bound"
    EQUAL = "equal"


class Written(Struct, frozen=True):
    """What files hold; shared by those that hold the same."""

    columns: tuple[Field, ...]
    """Under the names of the file, with the ids of the table and the types they were written with."""
    names: frozenset[str]
    """All names in the file, also of what no version knows, without regard to case."""
    keys: tuple[Field, ...]
    """What folders, or a manifest, say of all rows."""
    how: How
    version: int | None = None


class Unclear(Exception):  # noqa: N818  # it is no error yet: files of which the same is to be said are named together
    """Why a file cannot be read, and what to do."""

    def __init__(self, code: str, reason: str, fix: str) -> None:
        super().__init__(reason)
        self.code, self.reason, self.fix = code, reason, fix


# ---------------------------------------------------------------- by a manifest


def by_manifest(known: KnownFields, number: int, footer: Footer | None, keys: Collection[str]) -> Written:
    """A file that was written with this version, as the manifest says; the file itself must not say otherwise."""
    schema = _schema(known, number, "the manifest says that")
    if footer is not None:
        _check_names(schema, footer, frozenset(keys))
    given = tuple(one for one in schema.fields if one.name in keys)
    nothing = frozenset[str]() if footer is None else footer.nothing
    columns = tuple(one for one in schema.fields if one.name not in keys and one.name not in nothing)
    names = _folded(schema.names) if footer is None else _folded(footer.names)
    return Written(columns, names, given, How.MANIFEST, number)


def _check_names(schema: TableSchema, footer: Footer, keys: frozenset[str]) -> None:
    strange = [one for one in footer.names - set(schema.names) if not one.startswith(_OF_PAIMON)]
    missing = set(schema.names) - footer.names - keys
    if strange or missing:
        said = [f"holds {_listed(strange)}, which that version does not have"] if strange else []
        said += [f"lacks {_listed(missing)}"] if missing else []
        reason = f"the manifest says that this was written with version {schema.id}, and the file {' and '.join(said)}."
        fix = "Somebody has written over the file, or the manifest is wrong: look at it with Paimon's own tools, and write the file again."
        raise Unclear("read.file-contradicts-manifest", reason, fix)


def _schema(known: KnownFields, number: int, who: str) -> TableSchema:
    schema = known.schema(number)
    if schema is None:
        there = f"there are {_listed(map(str, sorted(known.versions)))}"
        reason = f"{who} this was written with version {number}, and there is no schema file of that version ({there})."
        fix = f"Bring schema-{number} back from a backup: without it nobody can tell what the columns of these files are."
        raise Unclear("read.missing-version", reason, fix)
    return schema


# ---------------------------------------------------------------- by the file itself


def by_footer(known: KnownFields, footer: Footer, bound: int | None, folders: Collection[str], wanted: TableSchema) -> Written:
    """A file of a plain folder, below folders that are named for these keys; bound is the version that somebody said it has."""
    keys = {known.spelled(one): one for one in folders}
    problem = None
    if footer.stamped:
        try:
            return _stamped(known, footer, keys, wanted)
        except Unclear as error:
            problem = error
    if bound is not None:
        return _bound(known, footer, bound, keys)
    if problem is not None:
        raise problem
    return _partly(footer) if footer.partly else _equal(known, footer, keys)


def _stamped(known: KnownFields, footer: Footer, keys: Mapping[str, str], wanted: TableSchema) -> Written:
    columns = tuple(_column(known, one) for one in footer.held)
    if len({one.id for one in columns}) < len(columns):
        raise Unclear("read.duplicate-id", "two columns of the file bear one id.", _SAY)
    there = {one.id for one in columns}
    given = ((_key(known, name, there, wanted), folder) for name, folder in keys.items())
    named = tuple(_renamed(one, folder) for one, folder in given if one is not None)
    return Written(columns, _folded(footer.names), named, How.STAMPED)


def _renamed(one: Field, folder: str) -> Field:
    """The column under the name that the folder spells, by which Spark finds it."""
    return Field(one.id, folder, one.wire)


def _column(known: KnownFields, one: Field) -> Field:
    """A column with an id: of the one type that versions say; of the one that the file shows, if they say several."""
    fields = known.column(one.id)
    fitting = [ours for ours in fields if alike_field(one, ours)]
    if fitting:
        same = all(same_type(ours.type, fitting[0].type) for ours in fitting)
        return _as_held(one, fitting[0]) if same else one
    if not fields:
        reason = f"its column {shown(one.name)} bears the id {one.id}, which no version of this table ever gave."
        raise Unclear("read.unknown-id", reason, f"Take the file away if it is of another table. If somebody else gave these ids: {_SAY}")
    was = f"{fields[0].name} {_brief(fields[0].type)}"
    reason = (
        f"its column {one.name} {_brief(one.type)} bears the id {one.id}, and in no version was that id this: it is {shown(was)[1:-1]}."
    )
    raise Unclear("read.contradicting-id", reason, f"Stamp as the last step before writing. {_SAY}")


def _key(known: KnownFields, name: str, there: set[int], wanted: TableSchema) -> Field | None:
    """The column that a folder of stamped files is named for; None if it is no column of the table."""
    numbers = known.called(name) - there
    if len(numbers) > 1:
        reason = f"the folder says {name}=..., and {len(numbers)} columns were called so, one after the other."
        raise Unclear("read.ambiguous-folder", reason, _SAY)
    for number in numbers:
        now = wanted.column(number)
        fields = known.column(number)
        kind = now.type if now is not None and any(same_type(now.type, one.type) for one in fields) else fields[0].type
        return Field(number, name, fields[0].wire).with_type(kind)
    return None


def _partly(footer: Footer) -> Written:
    bare = [path for path, column in paths(footer.columns) if column.id < 0]
    reason = f"{_listed(bare)} bear no id, and the other columns of the file do: something was added, or changed, after the stamp."
    raise Unclear("read.partly-stamped", reason, f"Stamp as the last step before writing. {_SAY}")


def _as_held(there: Field, ours: Field) -> Field:
    """Our column; of the file's type if Spark cannot read that, but ours: who selects it is told which files hold what."""
    if there.wire == ours.wire:  # nearly always
        return ours
    return Field(ours.id, ours.name, there.wire) if lacks(there.type) and not lacks(ours.type) else ours


# ---------------------------------------------------------------- by a version


def _bound(known: KnownFields, footer: Footer, number: int, keys: Mapping[str, str]) -> Written:
    """A file that somebody said is of this version. It may lack columns, and may hold others; not both."""
    schema = _schema(known, number, "a binding says that")
    columns = [(one, schema.field(one.name)) for one in footer.held if one.name not in keys]
    unlike = [f"{one.name} {_brief(one.type)}" for one, ours in columns if ours is not None and not holds(one.type, ours.type)]
    strange = [one.name for one, ours in columns if ours is None]
    missing = set(schema.names) - footer.names - set(keys)
    if unlike or (strange and missing):
        said = f"holds {_listed(unlike or strange)}, and no {_listed(missing)}" if not unlike else f"holds {_listed(unlike)}"
        reason = f"a binding says that this was written with version {number}, which is not so: the file {said}."
        raise Unclear("read.wrong-binding", reason, "Bind these files to the version they were written with: {bind}.")
    return Written(
        tuple(_as_held(one, ours) for one, ours in columns if ours is not None),
        _folded(footer.names),
        _given(schema, keys),
        How.BOUND,
        number,
    )


def _equal(known: KnownFields, footer: Footer, keys: Mapping[str, str]) -> Written:
    """A file without ids that exactly one version fits, or several between which no row reads differently."""
    there = tuple(one for one in footer.held if one.name not in keys)
    found: dict[tuple[Field, ...], int] = {}
    for number, version in known.versions.items():
        ours = tuple(one for one in version.schema.fields if one.name not in keys and one.name not in footer.nothing)
        if footer.nothing <= set(version.schema.names) and alike_fields(there, ours):
            by_name = {one.name: Field(one.id, one.name, one.wire) for one in version.schema.fields}
            found.setdefault(tuple(by_name[one] for one in sorted(by_name)), number)
    if not found or (len(found) > 1 and len({_identities(one) for one in found}) > 1):
        raise _no_one(known, footer, keys, sorted(found.values()))
    schema = known.versions[next(iter(found.values()))].schema
    _check_only(known, footer, keys, schema)
    shown_as = {one.name: one for one in there}
    columns = tuple(_as_held(shown_as[one.name], one) for one in schema.fields if one.name in shown_as)
    if len(found) > 1:  # they differ in what a file does not show, such as the length of a text
        columns = _loosest(columns, footer)
    return Written(columns, _folded(footer.names), _given(schema, keys), How.EQUAL, schema.id)


def _check_only(known: KnownFields, footer: Footer, keys: Collection[str], fitting: TableSchema) -> None:
    """Unclear if another version holds the file as well, by a writer that left nullable columns out, and its names mean other columns."""
    if len(known.versions) == 1:
        return
    there = tuple(one for one in footer.columns if one.name not in keys)
    meant = dict(shared_ids(there, fitting.fields))
    fields = tuple(one for one in fitting.fields if one.name in meant)
    for number, version in sorted(known.versions.items(), reverse=True):
        if all(version.schema.field(one.name) == one for one in fields):
            continue  # the same columns by the same names, all inside them included
        others = tuple(one for one in version.schema.fields if one.name not in keys)
        if not held_by(there, others):
            continue
        mixed = sorted(path for path, other in shared_ids(there, others) if meant.get(path, other) != other)
        if mixed:
            reason = (
                f"without ids: it has the columns of version {fitting.id}, and version {number} holds such a file, too, if its writer "
                f"left the nullable columns out; {_listed(mixed)} of the one {'is' if len(mixed) == 1 else 'are'} not "
                f"{_listed(mixed)} of the other."
            )
            raise Unclear("read.ambiguous-file", reason, _SAY)


def _identities(fields: tuple[Field, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((path, column.id) for path, column in paths(fields))


def _loosest(columns: tuple[Field, ...], footer: Footer) -> tuple[Field, ...]:
    """The columns of the types that the file shows, which every version's values are values of."""
    shown_types = {one.name: one.type for one in footer.columns}
    return tuple(one.with_type(shown_types[one.name]) if isinstance(one.type, AtomicType) else one for one in columns)


def _given(schema: TableSchema, keys: Mapping[str, str]) -> tuple[Field, ...]:
    return tuple(_renamed(one, keys[one.name]) for one in schema.fields if one.name in keys)


def _no_one(known: KnownFields, footer: Footer, keys: Collection[str], fitting: list[int]) -> Unclear:
    if fitting:
        reason = f"without ids, and versions {_listed(map(str, fitting))} fit alike: the same names are other columns."
        return Unclear("read.ambiguous-file", reason, _SAY)
    newest = next(iter(known.versions.values())).schema
    more = sorted(footer.names - set(newest.names))
    less = sorted(set(newest.names) - footer.names - set(keys))
    unlike = [one.name for one in footer.held if (ours := newest.field(one.name)) is not None and not alike(one.type, ours.type)]
    said = [f"more columns ({_listed(more)})"] if more else []
    said += [f"fewer ({_listed(less)})"] if less else []
    said += [f"other types ({_listed(unlike)})"] if unlike else []
    reason = f"without ids, and no version has exactly these columns; next to version {newest.id}: {', '.join(said) or 'the same columns'}."
    return Unclear("read.unknown-file", reason, _SAY)


# ---------------------------------------------------------------- words


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(one.lower() for one in names)


def _listed(names: Iterable[str]) -> str:
    there = sorted(names)
    more = f" and {len(there) - _SHOWN:,} more" if len(there) > _SHOWN else ""
    return f"{', '.join(shown(one)[1:-1] for one in there[:_SHOWN])}{more}"


def _brief(kind: DataType) -> str:
    return shown(str(kind.with_nullable(True)))[1:-1]
