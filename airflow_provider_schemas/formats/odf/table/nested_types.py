"""Whole types of ODF and of Paimon: one made from the other, and both with the fields inside them left open.

A field inside a struct is told of by itself, under its own id. So a type is compared, kept and restored
without the fields of its outermost structs, which are put back in their order.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.atomic import DataType as TableType
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, VectorType, rebuilt
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Option, with_parts
from airflow_provider_schemas.formats.odf.table.leaf_types import leaf_to_odf, leaf_to_table

# ---------------------------------------------------------------- whole types, with their rows left open


def to_table(kind: DataType, members: Callable[[types.Struct], Sequence[Field]]) -> TableType:
    """The type of Paimon; `members` gives the fields of a ROW."""
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
    """The type of ODF; `members` gives the fields of a Struct. Keys of maps are never missing there."""
    found = _to_odf(kind, members)
    return Option(found) if kind.nullable else found


def _to_odf(kind: TableType, members: Callable[[RowType], Sequence[DataField]]) -> DataType:
    if isinstance(kind, RowType):
        return types.Struct(tuple(members(kind)))
    if isinstance(kind, MapType):
        return types.Map(_to_odf(kind.key, members), to_odf(kind.value, members))
    if isinstance(kind, MultisetType):
        return types.Map(_to_odf(kind.element, members), PLAIN[Kind.INT32])
    if isinstance(kind, AtomicType):
        return leaf_to_odf(kind)
    item = nested.children(kind)[0][1]
    return types.List(to_odf(item, members), kind.length if isinstance(kind, VectorType) else None)


# ---------------------------------------------------------------- shapes


def open_table(kind: TableType) -> TableType:
    """The type with the fields of its outermost ROWs left out: they are told of by themselves."""
    if isinstance(kind, RowType):
        return type(kind)(())
    return rebuilt(kind, [open_table(part) for _, part in nested.children(kind)])


def open_odf(kind: DataType) -> DataType:
    """The type with the fields of its outermost Structs left out, likewise."""
    if isinstance(kind, types.Struct):
        return types.Struct(())
    return with_parts(kind, [open_odf(part) for part in kind.parts])


def table_rows(kind: TableType) -> list[RowType]:
    """The outermost ROWs of a type, in order."""
    if isinstance(kind, RowType):
        return [kind]
    return [row for _, part in nested.children(kind) for row in table_rows(part)]


def odf_structs(kind: DataType) -> list[types.Struct]:
    """The outermost Structs of a type, in order: as many as the type has ROWs in the table."""
    if isinstance(kind, types.Struct):
        return [kind]
    return [one for part in kind.parts for one in odf_structs(part)]


def filled(kind: DataType, structs: Sequence[types.Struct]) -> DataType:
    """The type with these in the places of its outermost Structs."""
    rest = iter(structs)

    def fill(part: DataType) -> DataType:
        return next(rest) if isinstance(part, types.Struct) else with_parts(part, [fill(one) for one in part.parts])

    return fill(kind)


def without_options(kind: DataType) -> DataType:
    """The type inside all Options around it."""
    while isinstance(kind, Option):
        kind = kind.inner
    return kind


def with_rows(kind: TableType, rows: Sequence[RowType]) -> TableType:
    """The type with the fields of these in the places of its outermost ROWs."""
    rest = iter(rows)

    def fill(part: TableType) -> TableType:
        if isinstance(part, RowType):
            return type(part)(next(rest).fields)
        return rebuilt(part, [fill(one) for _, one in nested.children(part)])

    return fill(kind)


def comparable(kind: TableType) -> TableType:
    """The type with the keys of its maps NOT NULL, which is all that ODF says of them."""
    whole = rebuilt(kind, [comparable(part) for _, part in nested.children(kind)])
    if isinstance(whole, MapType):
        return nested.map_of(whole.key.with_nullable(False), whole.value).with_nullable(kind.nullable)
    if isinstance(whole, MultisetType):
        return nested.multiset(whole.element.with_nullable(False)).with_nullable(kind.nullable)
    return whole
