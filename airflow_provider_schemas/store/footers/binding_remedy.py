"""What to do about a file whose version nobody can tell: the commands that bind it, one for each version that may be meant."""

from collections.abc import Collection, Mapping, Sequence
from shlex import quote
from typing import Final

from airflow_provider_schemas.core.changes.schema_change import AddColumn
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.store.footers.bound_folders import pattern_of
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.type_likeness import alike

BIND: Final = "{bind}"
_SHOWN: Final = 5
_NONE: Final = (
    "No version holds such a file, whatever it is bound to: have it written anew with the columns of the newest version, or take it away "
    "if it is no data of this table."
)


def place_to_bind(path: str, *, alone: bool) -> str:
    """Return the folder of a file that is the only one there; else the file itself, since others in the folder may be of other versions."""
    folder = path.rpartition("/")[0]
    if folder and alone:
        return pattern_of(folder)
    return pattern_of(path)


def in_python(table: str, place: str) -> str:
    """Return the call that binds a place."""
    return f"SchemaStore(url).table({table!r}).bind({place!r}, version)"


def in_shell(table: str, place: str, version: int | str) -> str:
    """Return the command that binds a place."""
    return f"airflow-schemas bind {quote(table)} {quote(place)} {version}"


def with_commands(fix: str, table: str, place: str, fitting: Sequence[int]) -> str:
    """Return the fix with the commands for the versions that hold such a file."""
    commands = [f"`{in_shell(table, place, number)}` if version {number} wrote it" for number in fitting[:_SHOWN]]
    if len(fitting) > _SHOWN:
        commands.append(f"and so on for {len(fitting) - _SHOWN} more")
    return f"{fix.replace(BIND, in_python(table, place)).rstrip('.')}; that is {', '.join(commands)}."


def without_version(table: str, place: str, footer: Footer, head: TableSchema, folders: Collection[str]) -> str:
    """Return what to do where no version holds such a file: with the commands that make one, if the file only has more columns."""
    ours = {column.name: column for column in head.fields}
    there = [column for column in footer.held if column.name not in folders]
    more = [column for column in there if column.name not in ours]
    names = footer.names
    missing = [name for name in ours if name not in names and name not in folders]
    required = any(not ours[name].type.nullable for name in missing)
    if not more or footer.stamped or required or _has_other_types(there, ours):
        return _NONE
    added = (short_text(AddColumn((column.name,), column.type.with_nullable(True))) for column in more)
    commands = [f"`airflow-schemas evolve {quote(table)} {' '.join(map(quote, added))}`"]
    if missing:
        commands.append(f"`{in_shell(table, place, head.id + 1)}`")
    return f"{_NONE} If the table shall have these columns, run {', then '.join(commands)}."


def _has_other_types(there: Sequence[Field], ours: Mapping[str, Field]) -> bool:
    return any(column.name in ours and not alike(column.type, ours[column.name].type, ids=False) for column in there)
