"""Entries of a table file that exclude each other: one name twice, a column both listed and dropped, and the like.

The entries are compared as they were written, so that these faults are reported together with those of single entries.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.field_attributes import over
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import children
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.formats.table_file.field_paths import Steps, steps_of
from airflow_provider_schemas.formats.table_file.parsing.entries import describe, parse_type
from airflow_provider_schemas.formats.table_file.parsing.read_entry import ReadEntry

_NUMBERS = frozenset((Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL))


def contradictions(values: Mapping[str, Any]) -> list[Fault]:
    """Return the contradictions in a table file as it was written."""
    names = _Names(values)
    return [*_repeated(names), *_listed_and_renamed(names), *_dropped_and_kept(names), *_wrong_keys(names), *_in_columns(names)]


def _fault(path: str, message: str, fix: str) -> Fault:
    return Fault("table-file.contradiction", path, message, fix)


# ---------------------------------------------------------------- the names in a file


class _Entry(NamedTuple):
    """A name, the path of the entry that has it, and the steps to the field that it names."""

    name: str
    path: str
    steps: Steps = ()


class _Names:
    """The names in a table file, by their role. Entries of a wrong shape are left out."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.columns = [(_keys(column), f"columns[{number}]") for number, column in enumerate(_as_list(values.get("columns")))]
        self.listed: list[_Entry] = []
        self.earlier: list[_Entry] = []
        self.aliases: list[_Entry] = []
        self.types: dict[str, str] = {}
        for column, path in self.columns:
            self._add_column(column, path)
        self.dropped = [*_dropped_entries(_as_list(values.get("dropped")))]
        self.keys = {key: _entries(values.get(key), key) for key in ("primary_key", "partitioned_by")}

    def _add_column(self, column: Mapping[str, Any], path: str) -> None:
        name = column.get("name")
        sql = column.get("type")
        if isinstance(name, str):
            self.listed.append(_Entry(name, f"{path}.name"))
            if isinstance(sql, str):
                self.types[name] = sql
        if column.get("was") is not None:
            self.earlier += _earlier_entries(column, f"{path}.was")
        if column.get("alias") is not None:
            self.aliases += _entries(_valid_aliases(column["alias"]), f"{path}.alias")


def _as_list(value: object) -> list[Any]:
    """Return the entries of a list; none for a value of another shape."""
    if isinstance(value, list | tuple):
        return list(value)
    return []


def _keys(value: object) -> Mapping[str, Any]:
    """Return the keys of an entry, read or not."""
    if isinstance(value, ReadEntry):
        return {key: getattr(value, key) for key in value.mentioned}
    if isinstance(value, Mapping):
        return value
    return {}


def _entries(value: object, path: str) -> list[_Entry]:
    if isinstance(value, str):
        return [_Entry(value, path)]
    return [_Entry(name, f"{path}[{number}]") for number, name in enumerate(_as_list(value)) if isinstance(name, str)]


def _earlier_entries(column: Mapping[str, Any], path: str) -> Iterator[_Entry]:
    """Yield the earlier names of the column itself; those of fields inside are no columns."""
    was = column.get("was")
    if not isinstance(was, Mapping):
        yield from _entries(was, path)
        return
    for key, names in was.items():
        if key == "":  # the key of the column itself, once the entry is read
            yield from _entries(names, path)
        elif isinstance(key, str) and steps_of(key) == (column.get("name"),):
            yield from _entries(names, f"{path}.{key}")


def _valid_aliases(value: object) -> object:
    """Return the aliases without their ends, and without those that have ended."""
    if not isinstance(value, Mapping):
        return value
    now = datetime.now(UTC)
    return [name for name, until in value.items() if not (isinstance(until, str) and over(until, now))]


def _dropped_entries(values: Iterable[object]) -> Iterator[_Entry]:
    for number, value in enumerate(values):
        name = value if isinstance(value, str) else _keys(value).get("name")
        if isinstance(name, str):
            steps = steps_of(name)
            if len(steps) == 1:  # without its back-quotes
                name = steps[0]
            yield _Entry(name, f"dropped[{number}]", steps)


# ---------------------------------------------------------------- names with two roles


def _repeated(names: _Names) -> Iterator[Fault]:
    groups: tuple[tuple[str, Iterable[_Entry]], ...] = (
        ("a column of the list", names.listed),
        ("the earlier name of a column", names.earlier),
        ("the other name of a column", names.aliases),
        ("dropped", names.dropped),
        ("in the primary key", names.keys["primary_key"]),
        ("a partition key", names.keys["partitioned_by"]),
    )
    for role, entries in groups:
        seen: set[str] = set()
        for entry in entries:
            if entry.name in seen:
                yield _fault(entry.path, f"{shown(entry.name)} is {role} already.", "Keep one of the two.")
            seen.add(entry.name)


def _listed_and_renamed(names: _Names) -> Iterator[Fault]:
    listed = {entry.name for entry in names.listed}
    for entry in names.earlier:
        if entry.name in listed:
            fix = "A column cannot be both: take one of them out."
            yield _fault(entry.path, f"{shown(entry.name)} is said to be an earlier name, and it is a column of the list.", fix)
    for entry in names.aliases:
        if entry.name in listed:
            message = f"{shown(entry.name)} is said to be an alias, and it is a column of the list."
            yield _fault(entry.path, message, "Take the alias out.")


def _dropped_and_kept(names: _Names) -> Iterator[Fault]:
    listed = {entry.name for entry in names.listed}
    earlier = {entry.name for entry in names.earlier}
    for entry in names.dropped:
        if entry.name in listed or _is_field(names.types, entry.steps):
            fix = "Take it out of the columns to drop it, or out of the list of what is dropped to keep it."
            yield _fault(entry.path, f"{shown(entry.name)} is dropped, and it stands among the columns.", fix)
        elif entry.name in earlier:
            fix = "Keep the one that is meant: a column that is renamed is not dropped."
            yield _fault(entry.path, f"{shown(entry.name)} is dropped, and it is the earlier name of a column.", fix)


def _is_field(types: Mapping[str, str], steps: Steps) -> bool:
    """Return whether the type of a column has a field at this path."""
    if len(steps) == 1 or steps[0] not in types:
        return False
    try:
        kind = parse_type(types[steps[0]])
    except SchemaError:
        return False
    for step in steps[1:]:
        parts = dict(children(kind))
        if step not in parts:
            return False
        kind = parts[step]
    return True


def _wrong_keys(names: _Names) -> Iterator[Fault]:
    """Yield faults about key columns that will not be there."""
    listed = {entry.name for entry in names.listed}
    roles = {entry.name: "dropped" for entry in names.dropped}
    roles |= {entry.name: "the earlier name of a column" for entry in names.earlier}
    for key, entries in names.keys.items():
        for entry in entries:
            if entry.name in roles and entry.name not in listed:
                message = f"{shown(entry.name)} stands in {key}, and it is {roles[entry.name]}."
                yield _fault(entry.path, message, "Name a column that will be there.")


# ---------------------------------------------------------------- within one column


def _in_columns(names: _Names) -> Iterator[Fault]:
    for column, path in names.columns:
        yield from _wrong_fields(column, path, names.types)
        if column.get("reason") is not None and not column.get("deprecated"):
            fix = "Add deprecated: and a date, or say it in the comment."
            yield _fault(f"{path}.reason", "a reason is given, and the column is not deprecated.", fix)
        default = column.get("default")
        if isinstance(default, bool | int) and not _takes(column.get("type"), default):
            fix = "Write it in quotes, as it shall be read: nobody knows how it was spelled."
            yield _fault(f"{path}.default", f"the default {describe(default)} stands there without quotes.", fix)


def _wrong_fields(column: Mapping[str, Any], path: str, types: Mapping[str, str]) -> Iterator[Fault]:
    """Yield faults about paths under `was` that name no field inside the column."""
    was = column.get("was")
    name = column.get("name")
    if not isinstance(was, Mapping) or not isinstance(name, str):
        return
    for key in was:
        steps = steps_of(str(key)) if key else ()
        if steps in ((), (name,)) or _is_field(types, steps) or _is_field(types, (name, *steps)):
            continue
        fix = "Write the path of the field, as it is called now."
        yield _fault(f"{path}.was.{key}", f"{shown(key)} is no field inside the column.", fix)


def _takes(sql: object, default: bool | int) -> bool:
    """Return whether a type takes a value without quotes: a number for a number, true for a BOOLEAN."""
    if not isinstance(sql, str):
        return True
    try:
        root = parse_type(sql).root
    except SchemaError:
        return True  # the type has a fault of its own
    if isinstance(default, bool):
        return root is Root.BOOLEAN
    return root in _NUMBERS
