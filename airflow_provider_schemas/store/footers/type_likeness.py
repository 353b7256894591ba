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
    """Whether a column of this type in a file may be one of our type. Inside, fields are the same by name, and by id if they bear one."""
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
    """Whether these are the same fields, in whatever order."""
    by_name = {one.name: one for one in ours}
    same = len(there) == len(ours) and {one.name for one in there} == set(by_name)
    return same and all(alike_field(one, by_name[one.name], ids=ids) for one in there)


def alike_field(there: Field, ours: Field, *, ids: bool = True) -> bool:
    """Whether a field in a file may be ours: the same name, the same id if it bears one, and a like type."""
    same_id = not ids or there.id < 0 or there.id == ours.id
    return there.name == ours.name and same_id and (there.wire == ours.wire or alike(there.type, ours.type, ids=ids))


# ---------------------------------------------------------------- the names of fields


def paths(fields: tuple[Field, ...], inside: str = "") -> Iterator[tuple[str, Field]]:
    """All fields of all levels, by their paths."""
    for one in fields:
        yield f"{inside}{one.name}", one
        yield from _paths_in(one.type, f"{inside}{one.name}.")


def _paths_in(kind: DataType, inside: str) -> Iterator[tuple[str, Field]]:
    if isinstance(kind, RowType):
        yield from paths(kind.fields, inside)
        return
    for word, part in children(kind):
        yield from _paths_in(part, f"{inside}{word}.")


# ---------------------------------------------------------------- files that lack columns


def held_by(there: tuple[Field, ...], ours: tuple[Field, ...]) -> bool:
    """Whether a writer of these fields of ours may have written the file: what it left out is nullable, inside structs as well."""
    by_name = {one.name: one for one in there}
    known = {one.name for one in ours}
    return by_name.keys() <= known and all(
        holds(by_name[one.name].type, one.type) if one.name in by_name else one.type.nullable for one in ours
    )


def holds(there: DataType, ours: DataType) -> bool:
    """Whether a value of our type fits a column of this type in a file, which may lack nullable fields of structs."""
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
    """The paths of the fields of a file, with the ids that ours of the same names bear."""
    by_name = {one.name: one for one in ours}
    for one in there:
        if one.name in by_name:
            yield f"{inside}{one.name}", by_name[one.name].id
            yield from _ids_inside(one.type, by_name[one.name].type, f"{inside}{one.name}")


def _ids_inside(there: DataType, ours: DataType, path: str) -> Iterator[tuple[str, int]]:
    if isinstance(there, RowType) and isinstance(ours, RowType):
        yield from shared_ids(there.fields, ours.fields, f"{path}.")
        return
    for (word, part), (_, other) in zip(children(there), children(ours), strict=False):
        yield from _ids_inside(part, other, f"{path}{word}")
