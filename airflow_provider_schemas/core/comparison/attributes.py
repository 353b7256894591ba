"""What differs in the attributes of a field: what its values mean, under which aliases it is known, and whether it is deprecated."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from airflow_provider_schemas.core.comparison.fields import Comparison, inside
from airflow_provider_schemas.core.comparison.fields_by_ids import field_at, parent_fields
from airflow_provider_schemas.core.difference import ALIAS, FieldLocation, Observation, word
from airflow_provider_schemas.core.schema.attribute_options import attribute_object
from airflow_provider_schemas.core.schema.field_attributes import MEANING, aliases, deprecation
from airflow_provider_schemas.core.schema.foreign_attributes import INITIAL_DEFAULT, UNKNOWN, is_foreign, logical_of, shown_default
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType

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
    elif not is_added and not _follows_rename(compared, change):
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
        yield from _initial_defaults(compared, change)


def _logical_types(compared: Comparison, change: _AttributeChange) -> Iterator[Observation]:
    """Yield that a field is of another type of the source. What held nothing but NULL may become anything."""
    before = logical_of(change.before)
    after = logical_of(change.after)
    if before == after or _went_with_container(compared, change):
        return
    yield Observation(
        rule="VOID_TYPED" if before == UNKNOWN else "TYPE_CHANGED",
        where=change.where,
        path=change.where.new,
        id=change.number,
        old=before or _type_text(compared.old, change.where),
        new=after or _type_text(compared.new, change.where),
        before=change.old_text,
        after=change.new_text,
    )


def _went_with_container(compared: Comparison, change: _AttributeChange) -> bool:
    """Return whether attributes of a part that is no field of ours, an element for example, came or went with the column around it."""
    if change.where.steps or (change.old_text is not None and change.new_text is not None):
        return False
    fields = compared.added if change.old_text is None else compared.dropped
    return any(not isinstance(field.type, AtomicType) for field, _ in fields)


def _type_text(schema: TableSchema, where: FieldLocation) -> str:
    field = field_at(schema, where.steps) if where.steps else None
    return "a plain type" if field is None else str(field.type.with_nullable(True))


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
