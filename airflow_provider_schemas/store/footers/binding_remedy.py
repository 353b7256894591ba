"""What to do about a file of which nobody can tell the version: the lines that say it, one for each version that may be meant."""

from collections.abc import Collection, Sequence
from shlex import quote
from typing import Final

from airflow_provider_schemas.core.changes.schema_change import AddColumn
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.schema.table_schema import TableSchema
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
    """The folder of a file, if it is the only one there; else the file itself, for others in the folder may be of other versions."""
    folder = path.rpartition("/")[0]
    return pattern_of(folder if folder and alone else path)


def in_python(table: str, place: str) -> str:
    """The call that binds a place."""
    return f"SchemaStore(url).table({table!r}).bind({place!r}, version)"


def on_a_line(table: str, place: str, version: int | str) -> str:
    """The command that binds a place."""
    return f"airflow-schemas bind {quote(table)} {quote(place)} {version}"


def told(fix: str, table: str, place: str, fitting: Sequence[int]) -> str:
    """The fix, with the lines for the versions that hold such a file."""
    lines = [f"`{on_a_line(table, place, number)}` if version {number} wrote it" for number in fitting[:_SHOWN]]
    more = [f"and so on for {len(fitting) - _SHOWN} more"] if len(fitting) > _SHOWN else []
    return f"{fix.replace(BIND, in_python(table, place)).rstrip('.')}; that is {', '.join([*lines, *more])}."


def without_version(table: str, place: str, footer: Footer, head: TableSchema, folders: Collection[str]) -> str:
    """What to do where no version holds such a file: with the lines that make one, if the file has but columns that the table lacks."""
    ours = {field.name: field for field in head.fields}
    there = [field for field in footer.held if field.name not in folders]
    if not there or any(field.name in ours and not alike(field.type, ours[field.name].type, ids=False) for field in there):
        return _NONE
    more = [field for field in there if field.name not in ours]
    missing = [name for name in ours if name not in footer.names and name not in folders]
    if not more or footer.stamped or any(not ours[name].type.nullable for name in missing):
        return _NONE
    added = (short_text(AddColumn((field.name,), field.type.with_nullable(True))) for field in more)
    lines = [f"`airflow-schemas evolve {quote(table)} {' '.join(map(quote, added))}`"]
    if missing:
        lines.append(f"`{on_a_line(table, place, head.id + 1)}`")
    return f"{_NONE} If the table shall have these columns, run {', then '.join(lines)}."
