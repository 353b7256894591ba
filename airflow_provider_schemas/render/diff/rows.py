"""The columns of two schemas as rows, aligned by field id: what is added, dropped, renamed, retyped or moved, and what stays."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import BoundedRepr
from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType


class RowKind(StrEnum):
    """In what a row differs, by its word."""

    ADDED = "added"
    DROPPED = "dropped"
    RENAMED = "renamed"
    RETYPED = "retyped"
    MOVED = "moved"
    NULLABILITY = "nullability"
    COMMENT = "comment"
    DEFAULT = "default"
    OPTION = "option"
    KEY = "key"


class Side(BoundedRepr, Struct, frozen=True):
    """A column as one of the schemas has it; or an option, with its value in place of the type."""

    name: str
    type: str


class DiffRow(BoundedRepr, Struct, frozen=True):
    """A column, a nested field, a key or an option, as both schemas have it."""

    old: Side | None
    new: Side | None
    kinds: tuple[RowKind, ...] = ()
    id: int | None = None
    depth: int = 0
    places: tuple[int, int] | None = None
    """Where a column that moved stood, and where it stands."""
    children: "tuple[DiffRow, ...]" = ()
    """The fields of a struct of which some differ."""
    hidden: int = 0
    """The number of unchanged rows for which this one stands."""

    @property
    def differs(self) -> bool:
        """Return whether the row or something inside it differs."""
        return bool(self.kinds or self.children)


def column_rows(old: Sequence[Field], new: Sequence[Field], depth: int = 0) -> tuple[DiffRow, ...]:
    """Return a row for each field of both lists: in the new order, what is dropped behind what stood before it."""
    before = {field.id: field for field in old}
    after = {field.id: field for field in new}
    have = [field.id for field in old if field.id in after]
    want = [field.id for field in new if field.id in before]
    movers = frozenset(moved(have, want)) if have != want else frozenset()
    old_places = {field.id: place for place, field in enumerate(old, 1)} if movers else {}
    gone = _gone_behind(old, after.keys())
    rows = [_dropped(field, depth) for field in gone.pop(None, [])]
    for place, field in enumerate(new, 1):
        places = (old_places[field.id], place) if field.id in movers else None
        rows.append(_row(before.get(field.id), field, depth, places))
        rows += [_dropped(other, depth) for other in gone.get(field.id, ())]
    return tuple(rows)


def _gone_behind(old: Sequence[Field], kept: Collection[int]) -> dict[int | None, list[Field]]:
    """Return the dropped fields by the id of the kept one before them."""
    gone: dict[int | None, list[Field]] = {}
    anchor: int | None = None
    for field in old:
        if field.id in kept:
            anchor = field.id
        else:
            gone.setdefault(anchor, []).append(field)
    return gone


def _dropped(field: Field, depth: int) -> DiffRow:
    return DiffRow(_side(field), None, (RowKind.DROPPED,), field.id, depth)


def _row(before: Field | None, after: Field, depth: int, places: tuple[int, int] | None) -> DiffRow:
    if before is None:
        return DiffRow(None, _side(after), (RowKind.ADDED,), after.id, depth)
    if before == after and places is None:
        side = _side(after)
        return DiffRow(side, side, (), after.id, depth)
    old_shape, old_fields = struct_shape(before.type)
    new_shape, new_fields = struct_shape(after.type)
    is_struct = bool(old_fields and new_fields) and _without_nullability(old_shape) == _without_nullability(new_shape)
    kinds = (*_kinds(before, after, (old_shape, new_shape) if is_struct else None), *([RowKind.MOVED] if places else []))
    if not is_struct:
        return DiffRow(_side(before), _side(after), kinds, after.id, depth, places)
    children = column_rows(old_fields, new_fields, depth + 1) if old_fields != new_fields else ()
    if not any(row.differs for row in children):
        children = ()
    return DiffRow(Side(before.name, old_shape), Side(after.name, new_shape), kinds, after.id, depth, places, children)


def _side(field: Field) -> Side:
    return Side(field.name, str(field.type))


def _kinds(before: Field, after: Field, shapes: tuple[str, str] | None) -> Iterator[RowKind]:
    """Yield in what two fields of one id differ, but for their place; structs by the shape around their fields."""
    if before.name != after.name:
        yield RowKind.RENAMED
    if shapes is not None:
        if shapes[0] != shapes[1]:
            yield RowKind.NULLABILITY
    elif before.type.with_nullable(True) != after.type.with_nullable(True):
        yield RowKind.RETYPED
    if shapes is None and before.type.nullable is not after.type.nullable:
        yield RowKind.NULLABILITY
    if before.description != after.description:
        yield RowKind.COMMENT
    if before.default != after.default:
        yield RowKind.DEFAULT


# ---------------------------------------------------------------- structs

_NOT_NULL = " NOT NULL"


def struct_shape(type_: DataType) -> tuple[str, tuple[Field, ...]]:
    """Return a type without the fields of its struct, and these fields: ARRAY<ROW>; none for a type without a struct."""
    suffix = "" if type_.nullable else _NOT_NULL
    match type_:
        case RowType():
            return f"ROW{suffix}", tuple(type_.fields)
        case ArrayType() | MultisetType():
            inner, fields = struct_shape(type_.element)
            return f"{type_.root.value}<{inner}>{suffix}", fields
        case MapType():
            inner, fields = struct_shape(type_.value)
            return f"MAP<{type_.key}, {inner}>{suffix}", fields
        case _:
            return str(type_), ()


def _without_nullability(shape: str) -> str:
    return shape.replace(_NOT_NULL, "")


# ---------------------------------------------------------------- unchanged rows as a count


# So few unchanged rows stand as they are: a count would not be shorter.
_FEW = 2


def shown_rows(rows: Sequence[DiffRow], *, all_of_them: bool) -> Iterator[DiffRow]:
    """Yield the rows in the order of their lines, those inside a struct behind it; several unchanged ones as one with their number."""
    for differs, same in groupby(rows, key=lambda row: row.differs):
        run = list(same)
        if not differs and not all_of_them and len(run) > _FEW:
            yield DiffRow(None, None, depth=run[0].depth, hidden=len(run))
            continue
        for row in run:
            yield row
            yield from shown_rows(row.children, all_of_them=all_of_them)
