"""Whole types of ODF and of Paimon: one made from the other, and both opened, which means without the fields inside them.

A field inside a struct has an id and a hint of its own. So a type is compared, kept and restored without the
fields of its outermost structs, which are put back in their order.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.atomic import DataType as TableType
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, VectorType, rebuilt
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Option, with_parts
from airflow_provider_schemas.formats.odf.table.leaf_types import leaf_to_odf, leaf_to_table

# ---------------------------------------------------------------- whole types


def to_table(kind: DataType, members: Callable[[types.Struct], Sequence[Field]]) -> TableType:
    """Return the type of Paimon; `members` gives the fields of a ROW."""
    if isinstance(kind, Option):
        return to_table(kind.inner, members).with_nullable(True)
    if isinstance(kind, types.Struct):
        return RowType(tuple(members(kind))).with_nullable(False)
    if isinstance(kind, types.List):
        return nested.array(to_table(kind.item, members)).with_nullable(False)
    if isinstance(kind, types.Map):
        return nested.map_of(to_table(kind.key, members), to_table(kind.value, members)).with_nullable(False)
    return leaf_to_table(kind)


def to_odf(kind: TableType, members: Callable[[RowType], Sequence[DataField]]) -> DataType:
    """Return the type of ODF, in an Option if it is nullable; `members` gives the fields of a Struct."""
    required = _to_required_odf(kind, members)
    if not kind.nullable:
        return required
    return Option(required)


def _to_required_odf(kind: TableType, members: Callable[[RowType], Sequence[DataField]]) -> DataType:
    """Return the type of ODF without its nullability. The keys of maps are never missing in ODF."""
    if isinstance(kind, RowType):
        return types.Struct(tuple(members(kind)))
    if isinstance(kind, MapType):
        return types.Map(_to_required_odf(kind.key, members), to_odf(kind.value, members))
    if isinstance(kind, MultisetType):
        return types.Map(_to_required_odf(kind.element, members), PLAIN[Kind.INT32])
    if isinstance(kind, AtomicType):
        return leaf_to_odf(kind)
    _, item = nested.children(kind)[0]
    return types.List(to_odf(item, members), kind.length if isinstance(kind, VectorType) else None)


# ---------------------------------------------------------------- opened types


def open_table(kind: TableType) -> TableType:
    """Return the type without the fields of its outermost ROWs."""
    if isinstance(kind, RowType):
        return type(kind)(())
    return rebuilt(kind, [open_table(part) for _, part in nested.children(kind)])


def open_odf(kind: DataType) -> DataType:
    """Return the type without the fields of its outermost Structs."""
    if isinstance(kind, types.Struct):
        return types.Struct(())
    return with_parts(kind, [open_odf(part) for part in kind.parts])


def table_rows(kind: TableType) -> list[RowType]:
    """Return the outermost ROWs of a type, in order."""
    if isinstance(kind, RowType):
        return [kind]
    return list(chain.from_iterable(table_rows(part) for _, part in nested.children(kind)))


def odf_structs(kind: DataType) -> list[types.Struct]:
    """Return the outermost Structs of a type, in order: as many as the type has ROWs in the table."""
    if isinstance(kind, types.Struct):
        return [kind]
    return list(chain.from_iterable(map(odf_structs, kind.parts)))


def with_structs(kind: DataType, structs: Sequence[types.Struct]) -> DataType:
    """Return the type with these in the places of its outermost Structs."""
    rest = iter(structs)

    def fill(kind: DataType) -> DataType:
        if isinstance(kind, types.Struct):
            return next(rest)
        return with_parts(kind, [fill(part) for part in kind.parts])

    return fill(kind)


def without_options(kind: DataType) -> DataType:
    """Return the type inside all Options around it."""
    while isinstance(kind, Option):
        kind = kind.inner
    return kind


def with_rows(kind: TableType, rows: Sequence[RowType]) -> TableType:
    """Return the type with the fields of these in the places of its outermost ROWs."""
    rest = iter(rows)

    def fill(kind: TableType) -> TableType:
        if isinstance(kind, RowType):
            return type(kind)(next(rest).fields)
        return rebuilt(kind, [fill(part) for _, part in nested.children(kind)])

    return fill(kind)


def comparable(kind: TableType) -> TableType:
    """Return the type with the keys of its maps NOT NULL: ODF does not keep the nullability of keys."""
    rebuilt_type = rebuilt(kind, [comparable(part) for _, part in nested.children(kind)])
    if isinstance(rebuilt_type, MapType):
        return nested.map_of(rebuilt_type.key.with_nullable(False), rebuilt_type.value).with_nullable(kind.nullable)
    if isinstance(rebuilt_type, MultisetType):
        return nested.multiset(rebuilt_type.element.with_nullable(False)).with_nullable(kind.nullable)
    return rebuilt_type
