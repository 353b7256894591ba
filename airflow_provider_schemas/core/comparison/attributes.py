"""What differs in the attributes of a field: what its values mean, under which aliases it is known, and whether it is deprecated."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from airflow_provider_schemas.core.changes.field_paths import by_ids
from airflow_provider_schemas.core.comparison.fields import Comparison, inside
from airflow_provider_schemas.core.comparison.fields_by_ids import field_at, parent_fields
from airflow_provider_schemas.core.difference import ALIAS, MARKS, FieldLocation, Observation, word
from airflow_provider_schemas.core.schema.attribute_options import attribute_object
from airflow_provider_schemas.core.schema.field_attributes import MEANING, aliases, deprecation
from airflow_provider_schemas.core.schema.foreign_attributes import (
    ELEMENT_IDS,
    INITIAL_DEFAULT,
    OF_FIELDS,
    WRITE_DEFAULT,
    is_foreign,
    logical_types,
    shown_default,
)
from airflow_provider_schemas.core.schema.table_schema import TableSchema

Attributes = Mapping[str, Any]


class NestedLocations:
    """Where the fields of schemas stand, at any depth, by id. Structs are walked through once, and only for a field that is no column."""

    def __init__(self) -> None:
        self._nested: dict[int, dict[int, FieldLocation]] = {}

    def find(self, schema: TableSchema, number: int) -> FieldLocation | None:
        """Return where the field of this id stands; None where the schema has none."""
        column = schema.column(number)
        if column is not None:
            return FieldLocation().field(column, column)
        if id(schema) not in self._nested:
            containers = [(field, FieldLocation().field(field, field)) for field in schema.fields if type(field.wire) is not str]
            self._nested[id(schema)] = {field.id: where for field, where in inside(containers)}
        return self._nested[id(schema)].get(number)


class _AttributeChange(NamedTuple):
    """The attributes of one field before and after: as values, and as the options say them."""

    number: int
    where: FieldLocation
    before: Attributes
    after: Attributes
    old_text: str | None
    new_text: str | None


def attribute_observations(
    compared: Comparison, locations: NestedLocations, number: int, old: str | None, new: str | None
) -> Iterator[Observation]:
    """Yield what differs in the attributes of the field of this id; old and new are their JSON."""
    there = locations.find(compared.old, number)
    now = locations.find(compared.new, number)
    if there and not now:
        return  # that the field is gone is reported at the field
    where = _both(there, now, number)
    change = _AttributeChange(number, where, attribute_object(old or "{}") or {}, attribute_object(new or "{}") or {}, old, new)
    is_added = now is not None and there is None
    observations = list(_ended_aliases(compared, where, number))
    if not is_added:  # a new field means what it means
        observations += _meanings(change)
        observations += _source_changes(compared, change)
    observations += _deprecations(change)
    if observations:
        yield from observations
    elif not is_added and not _follows_rename(compared, change) and not _is_of_source(compared, change):
        words = {"what": "what is said about"}
        yield Observation(rule="FIELD_DOC_CHANGED", where=where, path=where.new, id=number, old=old or "", new=new or "", words=words)


def _meanings(change: _AttributeChange) -> Iterator[Observation]:
    for key in MEANING:
        if change.before.get(key) != change.after.get(key):
            yield Observation(
                rule="FIELD_MEANING_CHANGED",
                where=change.where,
                path=change.where.new,
                id=change.number,
                old=_meaning(key, change.before),
                new=_meaning(key, change.after),
                before=change.old_text,
                after=change.new_text,
            )


def _source_changes(compared: Comparison, change: _AttributeChange) -> Iterator[Observation]:
    """Yield what the source of a table that others keep says otherwise."""
    if is_foreign(compared.old) and is_foreign(compared.new):
        yield from _logical_types(compared, change)
        yield from _part_ids(change)
        yield from _initial_defaults(compared, change)
        yield from _write_defaults(change)


def _logical_types(compared: Comparison, change: _AttributeChange) -> Iterator[Observation]:
    """Yield that a field, or a part of it, is of another type of the source."""
    before = logical_types(change.before)
    after = logical_types(change.after)
    for path in {**before, **after}:
        if before.get(path) == after.get(path):
            continue
        where = _part_at(change.where, path)
        yield Observation(
            rule="TYPE_CHANGED",
            where=where,
            path=where.new,
            id=change.number,
            old=before.get(path) or _type_text(compared.old, where),
            new=after.get(path) or _type_text(compared.new, where),
            before=change.old_text,
            after=change.new_text,
        )


def _part_ids(change: _AttributeChange) -> Iterator[Observation]:
    """Yield that an element, key or value has another id: what was written under the old one is not found by it."""
    before = _ids_of_parts(change.before)
    after = _ids_of_parts(change.after)
    for path in before.keys() & after.keys():
        if before[path] == after[path]:
            continue
        where = _part_at(change.where, path)
        yield Observation(
            rule="FIELD_READDED",
            where=where,
            path=where.new,
            id=change.number,
            old=str(before[path]),
            new=str(after[path]),
            before=change.old_text,
            after=change.new_text,
        )


def _ids_of_parts(values: Attributes) -> Mapping[str, Any]:
    ids = values.get(ELEMENT_IDS)
    return ids if isinstance(ids, Mapping) else {}


def _part_at(where: FieldLocation, path: str) -> FieldLocation:
    """Return the location of an element, key or value inside a field; of the field itself, for no path."""
    for step in path.split("."):
        if step in MARKS:
            where = where.part(step)
    return where


def _type_text(schema: TableSchema, where: FieldLocation) -> str:
    """Return our type at a location, as it has no name of the source."""
    column = None if where.column is None else schema.column(where.column)
    kind = None if column is None else by_ids(column.type, where.steps[1:])
    return "nothing" if kind is None else str(kind.with_nullable(True))


def _initial_defaults(compared: Comparison, change: _AttributeChange) -> Iterator[Observation]:
    """Yield that rows which were written before a field was added have another value in it."""
    before = change.before.get(INITIAL_DEFAULT)
    after = change.after.get(INITIAL_DEFAULT)
    if before == after and type(before) is type(after):
        return
    field = field_at(compared.new, change.where.steps) if change.where.steps else None
    is_required = field is not None and not field.type.nullable
    yield Observation(
        rule="READ_DEFAULT_REMOVED" if after is None and is_required else "READ_DEFAULT_CHANGED",
        where=change.where,
        path=change.where.new,
        id=change.number,
        old=shown_default(before),
        new=shown_default(after),
        before=change.old_text,
        after=change.new_text,
    )


def _write_defaults(change: _AttributeChange) -> Iterator[Observation]:
    """Yield that writers fill in something else, where the source keeps it beside the column."""
    before = change.before.get(WRITE_DEFAULT)
    after = change.after.get(WRITE_DEFAULT)
    if before == after:
        return
    yield Observation(
        rule="WRITE_DEFAULT_REMOVED" if after is None else "WRITE_DEFAULT_CHANGED",
        where=change.where,
        path=change.where.new,
        id=change.number,
        old=shown_default(before),
        new=shown_default(after),
    )


def _deprecations(change: _AttributeChange) -> Iterator[Observation]:
    note = deprecation(change.after)
    if note and note != deprecation(change.before):
        yield Observation(
            rule="FIELD_DEPRECATED",
            where=change.where,
            path=change.where.new,
            id=change.number,
            new=note.strip(),
            before=change.old_text,
            after=change.new_text,
            words={"until": note.rstrip()},
        )


def _ended_aliases(compared: Comparison, where: FieldLocation, number: int) -> Iterator[Observation]:
    """Yield the aliases that were valid, are none any more, and are no name either."""
    valid = aliases(compared.old, number, compared.now)
    if not valid or not where.steps:
        return
    names = {field.name for field in parent_fields(compared.new, where.steps)}
    names |= aliases(compared.new, number, compared.now).keys()
    for name in valid:
        if name in names:
            continue
        path = f"{where.new[: len(where.new) - len(word(where.names[-1]))]}{word(name)}"
        yield Observation(rule="FIELD_DROPPED", where=where, path=path, id=number, old=f"an alias of {where.new}", variant=ALIAS)


def _follows_rename(compared: Comparison, change: _AttributeChange) -> bool:
    """Return whether the field was renamed and only its aliases differ, which is reported with the name."""
    return change.number in compared.renamed and {**change.before, "alias": 0} == {**change.after, "alias": 0}


def _is_of_source(compared: Comparison, change: _AttributeChange) -> bool:
    """Return whether only what the source adds differs, which is reported with the type and the defaults."""
    if not (is_foreign(compared.old) and is_foreign(compared.new)):
        return False
    before = {key: value for key, value in change.before.items() if key not in OF_FIELDS}
    after = {key: value for key, value in change.after.items() if key not in OF_FIELDS}
    return before == after


def _both(there: FieldLocation | None, now: FieldLocation | None, number: int) -> FieldLocation:
    """Return where a field stood before and stands now; its number, if it is nowhere."""
    if now is None:
        return there or FieldLocation(f"field {number}", f"field {number}")
    return FieldLocation((there or now).new, now.new, now.names, now.steps)


def _meaning(key: str, values: Attributes) -> str:
    value = values.get(key)
    if value is None:
        return f"no {key}"
    if isinstance(value, list):
        return f"{key} {', '.join(map(str, value))}"
    return f"{key} {value}"
