"""What the newest data file of a table is, as `read_table` finds out: which version it was written with, or why nobody can tell."""

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
from airflow_provider_schemas.store.footers.resolve_schema import How, Unclear, Written, by_footer
from airflow_provider_schemas.store.footers.type_likeness import alike_field, paths

AMBIGUOUS: Final = "read.ambiguous-file"
COLLIDING: Final = "read.colliding-names"
BAD_FOLDER: Final = "read.bad-folder"


class Explained(Struct, frozen=True):
    """What is known of a file."""

    version: Version | None = None
    """The newest version that has exactly its columns."""
    unclear: Unclear | None = None
    """Why `read_table` stops at it; None if it does not."""
    folder: str = ""
    """The column whose value the folder does not tell, if that is the reason."""
    columns: Mapping[str, Field] = {}
    """Its columns by the names in the file, with their ids at every depth, where it is known which columns they are."""


def explained(entry: DataEntry, footer: Footer, versions: Mapping[int, Version], bound: int | None, wanted: TableSchema) -> Explained:
    """What the file is among these versions; bound is the one that somebody said it has."""
    texts = dict(entry.keys)
    try:
        _check_names(footer)
        written = by_footer(KnownFields(versions.values()), footer, bound, texts, wanted)
    except Unclear as error:
        return Explained(unclear=error)
    for one in written.keys:
        if not _is_value(texts[one.name], one):
            reason = f"its folder says {shown(f'{one.name}={texts[one.name]}')[1:-1]}, which is no {one.type.with_nullable(True)}."
            return Explained(unclear=Unclear(BAD_FOLDER, reason, "Give the folder another name, or take it away."), folder=one.name)
    columns = {one.name: one for one in (*written.keys, *written.columns)}
    return Explained(version=_version(written, versions), columns=columns)


def _check_names(footer: Footer) -> None:
    """Unclear if names collide: Spark, which looks at no case, refuses the whole file."""
    spelled = [path for path, _ in paths(footer.columns)]
    times = Counter(one.lower() for one in spelled)
    twice = [one for one in spelled if times[one.lower()] > 1]
    if twice:
        reason = f"{', '.join(shown(one)[1:-1] for one in twice)} are one name to Spark, which refuses such a file."
        raise Unclear(COLLIDING, reason, "Write the file again, with a name of its own for each column.")


def _is_value(text: str, one: Field) -> bool:
    try:
        folder_value(text, one.type)
    except ValueError:
        return False
    return True


def _version(written: Written, versions: Mapping[int, Version]) -> Version | None:
    if written.how is How.EQUAL:
        return versions.get(-1 if written.version is None else written.version)
    return next((one for one in _candidates(written, versions) if _is_exactly(written, one.schema)), None)


def _candidates(written: Written, versions: Mapping[int, Version]) -> Iterator[Version]:
    """The version that somebody bound the file to; else all of them, the newest first."""
    numbers = sorted(versions, reverse=True) if written.version is None else [written.version]
    return (versions[one] for one in numbers if one in versions)


def _is_exactly(written: Written, schema: TableSchema) -> bool:
    """Whether the file has the columns of the version: all of them, by the same names and ids, and of the same types."""
    there = {(one.id, one.name) for one in (*written.columns, *written.keys)}
    by_id = {one.id: one for one in schema.fields}
    return there == {(one.id, one.name) for one in schema.fields} and all(alike_field(one, by_id[one.id]) for one in written.columns)
