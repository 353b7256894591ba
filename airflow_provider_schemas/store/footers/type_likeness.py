"""Whether a column of a file may be one that a version of the schema has: its type is how Spark and others write that type.

A file keeps no lengths of texts and bytes and no precision of timestamps, and a VECTOR is a list in it.
"""

from collections.abc import Iterator

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType, VectorType, children

# What a type is in a file, where that is another root.
_FORMS = {
    Root.CHAR: Root.VARCHAR,
    Root.BINARY: Root.VARBINARY,
    Root.BLOB: Root.VARBINARY,
    Root.GEOMETRY: Root.VARBINARY,
    Root.GEOGRAPHY: Root.VARBINARY,
    Root.VECTOR: Root.ARRAY,
    Root.MULTISET: Root.MAP,
}


def alike(there: DataType, ours: DataType, *, ids: bool = True) -> bool:
    """Return whether a column of this type in a file may be one of our type. Fields inside match by name, and by id if they have one."""
    form = _FORMS.get(ours.root, ours.root)
    if _FORMS.get(there.root, there.root) is not form:
        return False
    if isinstance(there, RowType) and isinstance(ours, RowType):
        return alike_fields(there.fields, ours.fields, ids=ids)
    if isinstance(there, ArrayType) and isinstance(ours, ArrayType | VectorType):
        return alike(there.element, ours.element, ids=ids)
    if isinstance(there, MapType):
        return _alike_maps(there, ours, ids)
    return ours.root is not Root.DECIMAL or same_type(there, ours)


def _alike_maps(there: MapType, ours: DataType, ids: bool) -> bool:
    if isinstance(ours, MultisetType):
        return alike(there.key, ours.element, ids=ids) and there.value.root is Root.INTEGER
    return isinstance(ours, MapType) and alike(there.key, ours.key, ids=ids) and alike(there.value, ours.value, ids=ids)


def alike_fields(there: tuple[Field, ...], ours: tuple[Field, ...], *, ids: bool = True) -> bool:
    """Return whether these are the same fields, in whatever order."""
    if len(there) != len(ours):
        return False
    by_name = {field.name: field for field in ours}
    if {field.name for field in there} != by_name.keys():
        return False
    return all(alike_field(field, by_name[field.name], ids=ids) for field in there)


def alike_field(there: Field, ours: Field, *, ids: bool = True) -> bool:
    """Return whether a field in a file may be ours: the same name, the same id if it has one, and a similar type."""
    if there.name != ours.name:
        return False
    if ids and there.id >= 0 and there.id != ours.id:
        return False
    return there.wire == ours.wire or alike(there.type, ours.type, ids=ids)


# ---------------------------------------------------------------- the names of fields


def paths(fields: tuple[Field, ...], inside: str = "") -> Iterator[tuple[str, Field]]:
    """Yield all fields of all levels, by their paths."""
    for field in fields:
        yield f"{inside}{field.name}", field
        yield from _paths_in(field.type, f"{inside}{field.name}.")


def _paths_in(kind: DataType, inside: str) -> Iterator[tuple[str, Field]]:
    if isinstance(kind, RowType):
        yield from paths(kind.fields, inside)
        return
    for word, part in children(kind):
        yield from _paths_in(part, f"{inside}{word}.")


# ---------------------------------------------------------------- files that lack columns


def held_by(there: tuple[Field, ...], ours: tuple[Field, ...]) -> bool:
    """Return whether a writer of our fields may have written the file: what it left out is nullable, inside structs as well."""
    by_name = {field.name: field for field in there}
    if not by_name.keys() <= {field.name for field in ours}:
        return False
    return all(holds(by_name[field.name].type, field.type) if field.name in by_name else field.type.nullable for field in ours)


def holds(there: DataType, ours: DataType) -> bool:
    """Return whether a value of our type fits a column of this type in a file, which may lack nullable fields of structs."""
    if isinstance(there, RowType) and not there.fields:  # so a file shows a column of which it knows no type
        return True
    if isinstance(there, RowType) and isinstance(ours, RowType):
        return held_by(there.fields, ours.fields)
    if isinstance(there, ArrayType) and isinstance(ours, ArrayType):
        return holds(there.element, ours.element)
    if isinstance(there, MapType) and isinstance(ours, MapType):
        return holds(there.key, ours.key) and holds(there.value, ours.value)
    return alike(there, ours, ids=False)


def shared_ids(there: tuple[Field, ...], ours: tuple[Field, ...], inside: str = "") -> Iterator[tuple[str, int]]:
    """Yield the paths of the fields of a file, with the ids of our fields of the same names."""
    by_name = {field.name: field for field in ours}
    for field in there:
        if field.name not in by_name:
            continue
        our_field = by_name[field.name]
        yield f"{inside}{field.name}", our_field.id
        yield from _ids_inside(field.type, our_field.type, f"{inside}{field.name}")


def _ids_inside(there: DataType, ours: DataType, path: str) -> Iterator[tuple[str, int]]:
    if isinstance(there, RowType) and isinstance(ours, RowType):
        yield from shared_ids(there.fields, ours.fields, f"{path}.")
        return
    for (word, part), (_, our_part) in zip(children(there), children(ours), strict=False):
        yield from _ids_inside(part, our_part, f"{path}{word}")
