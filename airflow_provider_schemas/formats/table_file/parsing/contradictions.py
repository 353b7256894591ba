"""What the entries of a table file must not say together: one name twice, a column both listed and dropped, and the like.

Looks at the entries as they were written, so that these faults are told along with those of single entries.
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
from airflow_provider_schemas.formats.table_file.parsing.entries import kind_of, what
from airflow_provider_schemas.formats.table_file.parsing.read_entry import ReadEntry

_NUMBERS = frozenset((Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL))


class _Entry(NamedTuple):
    """A name, the path of the entry that says it, and the way to the field that it names."""

    name: str
    path: str
    steps: Steps = ()


class _Entries:
    """The names in a table file, by what is said of them; whatever has the wrong shape is left out."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.columns = [(_keys(one), f"columns[{number}]") for number, one in enumerate(_listed(values.get("columns")))]
        self.listed = [_Entry(one["name"], f"{path}.name") for one, path in self.columns if isinstance(one.get("name"), str)]
        self.earlier = [one for keys, path in self.columns for one in _earlier(keys, f"{path}.was")]
        self.other = [one for keys, path in self.columns for one in _names(_working(keys.get("alias")), f"{path}.alias")]
        dropped = [(one if isinstance(one, str) else _keys(one).get("name")) for one in _listed(values.get("dropped"))]
        self.dropped = [_dropped(one, f"dropped[{number}]") for number, one in enumerate(dropped) if isinstance(one, str)]
        self.keys = {key: _names(values.get(key), key) for key in ("primary_key", "partitioned_by")}
        self.kinds = {
            one["name"]: one["type"] for one, _ in self.columns if isinstance(one.get("name"), str) and isinstance(one.get("type"), str)
        }


def _dropped(name: str, path: str) -> _Entry:
    steps = steps_of(name)
    return _Entry(steps[0] if len(steps) == 1 else name, path, steps)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _keys(value: Any) -> Mapping[str, Any]:
    if isinstance(value, ReadEntry):
        return {key: getattr(value, key) for key in value.mentioned}
    return value if isinstance(value, Mapping) else {}


def _working(value: Any) -> Any:
    """The aliases without their ends, and without those that have ended."""
    if not isinstance(value, Mapping):
        return value
    now = datetime.now(UTC)
    return [name for name, until in value.items() if not (isinstance(until, str) and over(until, now))]


def _names(value: Any, path: str) -> list[_Entry]:
    if isinstance(value, str):
        return [_Entry(value, path)]
    return [_Entry(one, f"{path}[{number}]") for number, one in enumerate(_listed(value)) if isinstance(one, str)]


def _earlier(column: Mapping[str, Any], path: str) -> Iterator[_Entry]:
    """The earlier names of the column itself; those of fields inside are no columns."""
    was = column.get("was")
    if not isinstance(was, Mapping):
        yield from _names(was, path)
        return
    for key, names in was.items():
        if key == "":  # as the model keeps them
            yield from _names(names, path)
        elif isinstance(key, str) and steps_of(key) == (column.get("name"),):
            yield from _names(names, f"{path}.{key}")


def contradictions(values: Mapping[str, Any]) -> list[Fault]:
    """Everything of the kind, in a table file as it was written."""
    entries = _Entries(values)
    return [*_twice(entries), *_listed_elsewhere(entries), *_gone(entries), *_keys_that_are_none(entries), *_of_columns(entries)]


def _fault(path: str, message: str, fix: str) -> Fault:
    return Fault("table-file.contradiction", path, message, fix)


def _twice(entries: _Entries) -> Iterator[Fault]:
    groups: tuple[tuple[str, Iterable[_Entry]], ...] = (
        ("a column of the list", entries.listed),
        ("the earlier name of a column", entries.earlier),
        ("the other name of a column", entries.other),
        ("dropped", entries.dropped),
        ("in the primary key", entries.keys["primary_key"]),
        ("a partition key", entries.keys["partitioned_by"]),
    )
    for said, group in groups:
        seen: set[str] = set()
        for one in group:
            if one.name in seen:
                yield _fault(one.path, f"{shown(one.name)} is {said} already.", "Keep one of the two.")
            seen.add(one.name)


def _listed_elsewhere(entries: _Entries) -> Iterator[Fault]:
    listed = {one.name for one in entries.listed}
    for one in entries.earlier:
        if one.name in listed:
            fix = "A column cannot be both: take one of them out."
            yield _fault(one.path, f"{shown(one.name)} is said to be an earlier name, and it is a column of the list.", fix)
    for one in entries.other:
        if one.name in listed:
            yield _fault(one.path, f"{shown(one.name)} is said to be an alias, and it is a column of the list.", "Take the alias out.")


def _gone(entries: _Entries) -> Iterator[Fault]:
    listed, earlier = {one.name for one in entries.listed}, {one.name for one in entries.earlier}
    for one in entries.dropped:
        if one.name in listed or _is_field(entries.kinds, one.steps):
            fix = "Take it out of the columns to drop it, or out of the list of what is dropped to keep it."
            yield _fault(one.path, f"{shown(one.name)} is dropped, and it stands among the columns.", fix)
        elif one.name in earlier:
            fix = "Keep the one that is meant: a column that is renamed is not dropped."
            yield _fault(one.path, f"{shown(one.name)} is dropped, and it is the earlier name of a column.", fix)


def _is_field(kinds: Mapping[str, str], steps: Steps) -> bool:
    """Whether the type of a column names a field at this path."""
    if len(steps) == 1 or steps[0] not in kinds:
        return False
    try:
        kind = kind_of(kinds[steps[0]])
    except SchemaError:
        return False
    for step in steps[1:]:
        parts = dict(children(kind))
        if step not in parts:
            return False
        kind = parts[step]
    return True


def _keys_that_are_none(entries: _Entries) -> Iterator[Fault]:
    listed = {one.name for one in entries.listed}
    why = {one.name: "dropped" for one in entries.dropped} | {one.name: "the earlier name of a column" for one in entries.earlier}
    for key, names in entries.keys.items():
        for one in names:
            if one.name in why and one.name not in listed:
                message = f"{shown(one.name)} stands in {key}, and it is {why[one.name]}."
                yield _fault(one.path, message, "Name a column that will be there.")


def _of_columns(entries: _Entries) -> Iterator[Fault]:
    for column, path in entries.columns:
        inside = column.get("was")
        for key in inside if isinstance(inside, Mapping) and isinstance(column.get("name"), str) else ():
            steps = steps_of(str(key)) if key else ()
            if steps not in ((), (column["name"],)) and not any(_is_field(entries.kinds, one) for one in (steps, (column["name"], *steps))):
                yield _fault(
                    f"{path}.was.{key}", f"{shown(key)} is no field inside the column.", "Write the path of the field, as it is called now."
                )
        if column.get("reason") is not None and not column.get("deprecated"):
            fix = "Add deprecated: and a date, or say it in the comment."
            yield _fault(f"{path}.reason", "a reason is given, and the column is not deprecated.", fix)
        default = column.get("default")
        if isinstance(default, bool | int) and not _takes(column.get("type"), default):
            fix = "Write it in quotes, as it shall be read: nobody knows how it was spelled."
            yield _fault(f"{path}.default", f"the default {what(default)} stands there without quotes.", fix)


def _takes(sql: Any, default: bool | int) -> bool:
    """Whether a value without quotes says what it means: a number for a number, true for a BOOLEAN."""
    try:
        root = kind_of(sql).root if isinstance(sql, str) else None
    except SchemaError:
        return True  # the type is told of
    return root is None or (root is Root.BOOLEAN if isinstance(default, bool) else root in _NUMBERS)
