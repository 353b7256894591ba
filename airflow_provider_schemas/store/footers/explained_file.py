"""The newest data file of a table, beside its versions: which one it was written with, or why nobody can tell, as `read_table` decides."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.store.footers.folder_values import folder_value
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource, UnclearSchema, WrittenSchema, by_footer
from airflow_provider_schemas.store.footers.type_likeness import alike_field, paths

AMBIGUOUS: Final = "read.ambiguous-file"
COLLIDING: Final = "read.colliding-names"
BAD_FOLDER: Final = "read.bad-folder"


class Explained(Struct, frozen=True):
    """What is known of a file."""

    version: Version | None = None
    """The newest version that has exactly its columns."""
    unclear: UnclearSchema | None = None
    """Why `read_table` stops at it; None if it does not."""
    folder: str = ""
    """The column whose value cannot be read from the folder, if that is the reason."""
    columns: Mapping[str, Field] = {}
    """Its columns by the names in the file, with their ids at every depth, where it is known which columns they are."""


def explain_file(entry: DataEntry, footer: Footer, versions: Mapping[int, Version], bound: int | None, wanted: TableSchema) -> Explained:
    """Find the version of a file among these; `bound` is the version that a user bound it to."""
    texts = dict(entry.keys)
    try:
        _check_names(footer)
        written = by_footer(KnownFields(versions.values()), footer, bound, texts, wanted)
    except UnclearSchema as error:
        return Explained(unclear=error)
    for key in written.keys:
        if not _is_value(texts[key.name], key):
            return Explained(unclear=_bad_folder(key, texts[key.name]), folder=key.name)
    columns = {column.name: column for column in (*written.keys, *written.columns)}
    return Explained(version=_exact_version(written, versions), columns=columns)


def _check_names(footer: Footer) -> None:
    """Raise UnclearSchema if names differ only in case: Spark ignores case, and refuses the whole file."""
    names = [path for path, _ in paths(footer.columns)]
    times = Counter(name.lower() for name in names)
    twice = [name for name in names if times[name.lower()] > 1]
    if twice:
        reason = f"{', '.join(shown(name)[1:-1] for name in twice)} are one name to Spark, which refuses such a file."
        raise UnclearSchema(COLLIDING, reason, "Write the file again, with a name of its own for each column.")


def _is_value(text: str, key: Field) -> bool:
    try:
        folder_value(text, key.type)
    except ValueError:
        return False
    return True


def _bad_folder(key: Field, text: str) -> UnclearSchema:
    reason = f"its folder says {shown(f'{key.name}={text}')[1:-1]}, which is no {key.type.with_nullable(True)}."
    return UnclearSchema(BAD_FOLDER, reason, "Give the folder another name, or take it away.")


def _exact_version(written: WrittenSchema, versions: Mapping[int, Version]) -> Version | None:
    """Return the version that has exactly the columns of the file; None if there is none."""
    if written.how is SchemaSource.EQUAL:
        return None if written.version is None else versions.get(written.version)
    return next((version for version in _candidates(written, versions) if _is_exactly(written, version.schema)), None)


def _candidates(written: WrittenSchema, versions: Mapping[int, Version]) -> Iterator[Version]:
    """Yield the version that a user bound the file to; else all of them, the newest first."""
    if written.version is None:
        yield from (versions[number] for number in sorted(versions, reverse=True))
    elif written.version in versions:
        yield versions[written.version]


def _is_exactly(written: WrittenSchema, schema: TableSchema) -> bool:
    """Return whether the file has the columns of the version: all of them, by the same names and ids, and of the same types."""
    there = {(column.id, column.name) for column in (*written.columns, *written.keys)}
    if there != {(column.id, column.name) for column in schema.fields}:
        return False
    by_id = {column.id: column for column in schema.fields}
    return all(alike_field(column, by_id[column.id]) for column in written.columns)
