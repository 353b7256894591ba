"""The schema that a file was written with: by a manifest, by ids in the file, by a binding, or by a footer that exactly one version equals.

Nothing is guessed: where the schema is not certain, `UnclearSchema` says why, and what to do.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
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
# Columns that Paimon adds to its files, and that are none of the table.
_OF_PAIMON: Final = ("_KEY_", "_SEQUENCE_NUMBER", "_VALUE_KIND", "_ROW_ID")
_NAME_VERSION: Final = "Say with which version the files were written: {bind}."


class SchemaSource(StrEnum):
    """How it is known which schema a file was written with."""

    MANIFEST = "manifest"
    STAMPED = "stamped"
    BOUND = "bound"
    EQUAL = "equal"


class WrittenSchema(Struct, frozen=True):
    """The schema that files were written with; shared by the files that have the same."""

    columns: tuple[Field, ...]
    """Under the names of the file, with the ids of the table and the types they were written with."""
    names: frozenset[str]
    """All names in the file, in lower case, also of columns that no version knows."""
    keys: tuple[Field, ...]
    """The columns whose values come from folders, or from a manifest."""
    how: SchemaSource
    version: int | None = None


class UnclearSchema(Exception):  # noqa: N818  # it is no error yet: files with the same reason are reported together
    """Why a file cannot be read, and what to do."""

    def __init__(self, code: str, reason: str, fix: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.fix = fix


# ---------------------------------------------------------------- by a manifest


def by_manifest(known: KnownFields, number: int, footer: Footer | None, keys: Collection[str]) -> WrittenSchema:
    """Return the schema of a file that a manifest ascribes to this version; raise UnclearSchema if the file contradicts it."""
    schema = _schema_of_version(known, number, "the manifest says that")
    nothing = frozenset[str]()
    names: Iterable[str] = schema.names
    if footer is not None:
        _check_names(schema, footer, frozenset(keys))
        nothing = footer.nothing
        names = footer.names
    key_columns = tuple(column for column in schema.fields if column.name in keys)
    columns = tuple(column for column in schema.fields if column.name not in keys and column.name not in nothing)
    return WrittenSchema(columns, _lower_case(names), key_columns, SchemaSource.MANIFEST, number)


def _check_names(schema: TableSchema, footer: Footer, keys: frozenset[str]) -> None:
    strange = [name for name in footer.names - set(schema.names) if not name.startswith(_OF_PAIMON)]
    missing = set(schema.names) - footer.names - keys
    if not strange and not missing:
        return
    contradictions: list[str] = []
    if strange:
        contradictions.append(f"holds {_shorten(strange)}, which that version does not have")
    if missing:
        contradictions.append(f"lacks {_shorten(missing)}")
    reason = f"the manifest says that this was written with version {schema.id}, and the file {' and '.join(contradictions)}."
    fix = "Somebody has written over the file, or the manifest is wrong: look at it with Paimon's own tools, and write the file again."
    raise UnclearSchema("read.file-contradicts-manifest", reason, fix)


def _schema_of_version(known: KnownFields, number: int, who: str) -> TableSchema:
    schema = known.schema(number)
    if schema is not None:
        return schema
    there = f"there are {_shorten(map(str, sorted(known.versions)))}"
    reason = f"{who} this was written with version {number}, and there is no schema file of that version ({there})."
    fix = f"Bring schema-{number} back from a backup: without it nobody can tell what the columns of these files are."
    raise UnclearSchema("read.missing-version", reason, fix)


# ---------------------------------------------------------------- by the file itself


def by_footer(known: KnownFields, footer: Footer, bound: int | None, folders: Collection[str], wanted: TableSchema) -> WrittenSchema:
    """Return the schema of a file of a plain folder.

    `folders` are the keys that the folders around the file are named for, `bound` is the version that a user bound the file to.
    Ids in the file come first, then the binding, then a version that equals the footer.
    """
    keys = {known.spelled(key): key for key in folders}
    contradiction = None
    if footer.stamped:
        try:
            return _by_ids(known, footer, keys, wanted)
        except UnclearSchema as error:
            contradiction = error
    if bound is not None:
        return _by_binding(known, footer, bound, keys)
    if contradiction is not None:
        raise contradiction
    if footer.partly:
        raise _partly_stamped(footer)
    return _by_equal_version(known, footer, keys)


def _by_ids(known: KnownFields, footer: Footer, keys: Mapping[str, str], wanted: TableSchema) -> WrittenSchema:
    columns = tuple(_column_by_id(known, column) for column in footer.held)
    ids = {column.id for column in columns}
    if len(ids) < len(columns):
        raise UnclearSchema("read.duplicate-id", "two columns of the file bear one id.", _NAME_VERSION)
    key_columns: list[Field] = []
    for name, folder in keys.items():
        column = _key_column(known, name, ids, wanted)
        if column is not None:
            key_columns.append(_named_as(column, folder))
    return WrittenSchema(columns, _lower_case(footer.names), tuple(key_columns), SchemaSource.STAMPED)


def _named_as(column: Field, folder: str) -> Field:
    """Return the column under the name that the folder spells, by which Spark finds it."""
    return Field(column.id, folder, column.wire)


def _column_by_id(known: KnownFields, there: Field) -> Field:
    """Return the column of the table with the id; with the type that the file shows, if versions say several that fit."""
    forms = known.column(there.id)
    fitting = [ours for ours in forms if alike_field(there, ours)]
    if fitting:
        if all(same_type(ours.type, fitting[0].type) for ours in fitting):
            return _as_held(there, fitting[0])
        return there
    if not forms:
        reason = f"its column {shown(there.name)} bears the id {there.id}, which no version of this table ever gave."
        fix = f"Take the file away if it is of another table. If somebody else gave these ids: {_NAME_VERSION}"
        raise UnclearSchema("read.unknown-id", reason, fix)
    newest = shown(f"{forms[0].name} {_brief(forms[0].type)}")[1:-1]
    column = f"{there.name} {_brief(there.type)}"
    reason = f"its column {column} bears the id {there.id}, and in no version was that id this: it is {newest}."
    raise UnclearSchema("read.contradicting-id", reason, f"Stamp as the last step before writing. {_NAME_VERSION}")


def _key_column(known: KnownFields, name: str, there: set[int], wanted: TableSchema) -> Field | None:
    """Return the column that a folder of stamped files is named for; None if it is no column of the table."""
    numbers = known.called(name) - there
    if not numbers:
        return None
    if len(numbers) > 1:
        reason = f"the folder says {name}=..., and {len(numbers)} columns were called so, one after the other."
        raise UnclearSchema("read.ambiguous-folder", reason, _NAME_VERSION)
    number = next(iter(numbers))
    forms = known.column(number)
    kind = forms[0].type
    now = wanted.column(number)
    if now is not None and any(same_type(now.type, form.type) for form in forms):
        kind = now.type
    return Field(number, name, forms[0].wire).with_type(kind)


def _partly_stamped(footer: Footer) -> UnclearSchema:
    bare = [path for path, column in paths(footer.columns) if column.id < 0]
    reason = f"{_shorten(bare)} bear no id, and the other columns of the file do: something was added, or changed, after the stamp."
    return UnclearSchema("read.partly-stamped", reason, f"Stamp as the last step before writing. {_NAME_VERSION}")


def _as_held(there: Field, ours: Field) -> Field:
    """Return our column; of the file's type if Spark can read ours, but not that: an error then names the files that hold it."""
    if there.wire == ours.wire:  # nearly always
        return ours
    if lacks(there.type) and not lacks(ours.type):
        return Field(ours.id, ours.name, there.wire)
    return ours


# ---------------------------------------------------------------- by a version


def _by_binding(known: KnownFields, footer: Footer, number: int, keys: Mapping[str, str]) -> WrittenSchema:
    """Return the schema of a file that a user bound to this version. The file may lack columns or hold others, not both."""
    schema = _schema_of_version(known, number, "a binding says that")
    shared: list[tuple[Field, Field]] = []
    strange: list[str] = []
    for column in footer.held:
        if column.name in keys:
            continue
        ours = schema.field(column.name)
        if ours is None:
            strange.append(column.name)
        else:
            shared.append((column, ours))
    unlike = [f"{column.name} {_brief(column.type)}" for column, ours in shared if not holds(column.type, ours.type)]
    missing = set(schema.names) - footer.names - set(keys)
    if unlike:
        raise _wrong_binding(number, f"holds {_shorten(unlike)}")
    if strange and missing:
        raise _wrong_binding(number, f"holds {_shorten(strange)}, and no {_shorten(missing)}")
    columns = tuple(_as_held(column, ours) for column, ours in shared)
    return WrittenSchema(columns, _lower_case(footer.names), _key_columns(schema, keys), SchemaSource.BOUND, number)


def _wrong_binding(number: int, contradiction: str) -> UnclearSchema:
    reason = f"a binding says that this was written with version {number}, which is not so: the file {contradiction}."
    return UnclearSchema("read.wrong-binding", reason, "Bind these files to the version they were written with: {bind}.")


def _by_equal_version(known: KnownFields, footer: Footer, keys: Mapping[str, str]) -> WrittenSchema:
    """Return the schema of a file without ids that exactly one version fits, or several by which every row reads the same."""
    there = tuple(column for column in footer.held if column.name not in keys)
    fitting = _fitting_versions(known, footer, there, keys)
    if not fitting or _have_other_ids(fitting):
        raise _no_single_version(known, footer, keys, sorted(fitting.values()))
    schema = known.versions[next(iter(fitting.values()))].schema
    _check_no_other_holds(known, footer, keys, schema)
    by_name = {column.name: column for column in there}
    columns = tuple(_as_held(by_name[ours.name], ours) for ours in schema.fields if ours.name in by_name)
    if len(fitting) > 1:  # they differ in what a file does not show, such as the length of a text
        columns = _loosest(columns, footer)
    return WrittenSchema(columns, _lower_case(footer.names), _key_columns(schema, keys), SchemaSource.EQUAL, schema.id)


def _fitting_versions(known: KnownFields, footer: Footer, there: tuple[Field, ...], keys: Collection[str]) -> dict[tuple[Field, ...], int]:
    """Return the different columns of versions that fit the file, each with the newest version that has them."""
    nothing = footer.nothing
    fitting: dict[tuple[Field, ...], int] = {}
    for number, version in known.versions.items():
        ours = tuple(column for column in version.schema.fields if column.name not in keys and column.name not in nothing)
        if nothing <= set(version.schema.names) and alike_fields(there, ours):
            by_name = {column.name: Field(column.id, column.name, column.wire) for column in version.schema.fields}
            fitting.setdefault(tuple(by_name[name] for name in sorted(by_name)), number)
    return fitting


def _check_no_other_holds(known: KnownFields, footer: Footer, keys: Collection[str], fitting: TableSchema) -> None:
    """Raise UnclearSchema if a writer of another version, who left nullable columns out, may have meant other columns by these names."""
    if len(known.versions) == 1:
        return
    there = tuple(column for column in footer.columns if column.name not in keys)
    meant = dict(shared_ids(there, fitting.fields))
    fields = tuple(column for column in fitting.fields if column.name in meant)
    for number, version in sorted(known.versions.items(), reverse=True):
        if all(version.schema.field(column.name) == column for column in fields):
            continue  # the same columns by the same names, all inside them included
        others = tuple(column for column in version.schema.fields if column.name not in keys)
        if not held_by(there, others):
            continue
        mixed = sorted(path for path, other in shared_ids(there, others) if meant.get(path, other) != other)
        if mixed:
            raise _two_versions_hold(fitting.id, number, mixed)


def _two_versions_hold(fitting: int, other: int, mixed: list[str]) -> UnclearSchema:
    are = "is" if len(mixed) == 1 else "are"
    reason = (
        f"without ids: it has the columns of version {fitting}, and version {other} holds such a file, too, if its writer "
        f"left the nullable columns out; {_shorten(mixed)} of the one {are} not "
        f"{_shorten(mixed)} of the other."
    )
    return UnclearSchema("read.ambiguous-file", reason, _NAME_VERSION)


def _have_other_ids(fitting: Collection[tuple[Field, ...]]) -> bool:
    """Return whether some columns of different versions have the same name and other ids."""
    return len(fitting) > 1 and len({_ids_by_path(columns) for columns in fitting}) > 1


def _ids_by_path(fields: tuple[Field, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((path, column.id) for path, column in paths(fields))


def _loosest(columns: tuple[Field, ...], footer: Footer) -> tuple[Field, ...]:
    """Return the columns with the types that the file shows, which every version's values are values of."""
    types = {column.name: column.type for column in footer.columns}
    return tuple(column.with_type(types[column.name]) if isinstance(column.type, AtomicType) else column for column in columns)


def _key_columns(schema: TableSchema, keys: Mapping[str, str]) -> tuple[Field, ...]:
    return tuple(_named_as(column, keys[column.name]) for column in schema.fields if column.name in keys)


def _no_single_version(known: KnownFields, footer: Footer, keys: Collection[str], fitting: list[int]) -> UnclearSchema:
    if fitting:
        reason = f"without ids, and versions {_shorten(map(str, fitting))} fit alike: the same names are other columns."
        return UnclearSchema("read.ambiguous-file", reason, _NAME_VERSION)
    newest = next(iter(known.versions.values())).schema
    differences = ", ".join(_differences(footer, newest, keys)) or "the same columns"
    reason = f"without ids, and no version has exactly these columns; next to version {newest.id}: {differences}."
    return UnclearSchema("read.unknown-file", reason, _NAME_VERSION)


def _differences(footer: Footer, schema: TableSchema, keys: Collection[str]) -> Iterator[str]:
    more = footer.names - set(schema.names)
    if more:
        yield f"more columns ({_shorten(more)})"
    less = set(schema.names) - footer.names - set(keys)
    if less:
        yield f"fewer ({_shorten(less)})"
    columns = [(column, schema.field(column.name)) for column in footer.held]
    unlike = [column.name for column, ours in columns if ours is not None and not alike(column.type, ours.type)]
    if unlike:
        yield f"other types ({_shorten(unlike)})"


# ---------------------------------------------------------------- text


def _lower_case(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _shorten(names: Iterable[str]) -> str:
    """Return the first names in order, and how many more there are."""
    ordered = sorted(names)
    text = ", ".join(shown(name)[1:-1] for name in ordered[:_SHOWN])
    if len(ordered) <= _SHOWN:
        return text
    return f"{text} and {len(ordered) - _SHOWN:,} more"


def _brief(kind: DataType) -> str:
    return shown(str(kind.with_nullable(True)))[1:-1]
