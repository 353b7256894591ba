"""Needs of a contract, made of what a query needs of the columns of a source."""

from collections.abc import Iterator, Mapping

from airflow_provider_schemas.core.contracts.contract import Accepts, Need, Role
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType, uncommented
from airflow_provider_schemas.spark.observation.plan_needs import NAMED, WHOLE, Path, Uses
from airflow_provider_schemas.spark.observation.sources import QuerySource

Used = dict[str, dict[Path, Uses]]
"""What is needed of the columns of one table, by name."""


def make_needs(source: QuerySource, used: Used) -> Iterator[Need]:
    """Yield the needs of one table, in the order of its columns."""
    for name in dict.fromkeys((*source.columns, *used)):
        column = source.columns.get(name)
        for path, uses in _widest(_spell_paths(column, used.get(name, {}))).items():
            yield _make_need(source, name, column, path, uses)


def _make_need(source: QuerySource, name: str, column: Field | None, path: Path, uses: Uses) -> Need:
    dotted = ".".join((name, *path))
    if uses == {NAMED}:
        return Need(name=dotted, accepts=Accepts.ANY, role=(Role.SELECT,))
    roles = _roles(source, name, path, uses)
    field = _field_at(column, path)
    if field is None:
        return Need(name=dotted, accepts=Accepts.ANY, role=roles)
    number = field.id if source.pinned else None
    return Need(name=dotted, id=number, type=_type_text(field.type), role=roles)


def _type_text(kind: DataType) -> str:
    """Return the type as people write it, nullable: whether a job takes NULL cannot be seen in its plan."""
    return str(uncommented(kind.with_nullable(True), defaults=False))


def _roles(source: QuerySource, name: str, path: Path, uses: Uses) -> tuple[Role, ...]:
    """Return the roles in their order; a filter on a partitioning column also chooses partitions."""
    values = set(uses)
    if not path and name in source.partitioned_by and Role.FILTER.value in uses:
        values.add(Role.PARTITION.value)
    return tuple(role for role in Role if role.value in values)


# ---------------------------------------------------------------- paths


def _spell_paths(column: Field | None, paths: Mapping[Path, Uses]) -> dict[Path, Uses]:
    """Return the paths as the fields are spelled; the whole column for one that does not lead to a field."""
    spelled: dict[Path, Uses] = {}
    for path, uses in paths.items():
        place = _spell_path(column, path)
        spelled[place] = spelled.get(place, frozenset()) | uses
    return spelled


def _spell_path(column: Field | None, path: Path) -> Path:
    if column is None or "." in column.name:
        return WHOLE
    names = []
    field = column
    for step in path:
        inner = None if "." in step else _find_field(field.type, step)
        if inner is None:
            return WHOLE
        names.append(inner.name)
        field = inner
    return tuple(names)


def _field_at(column: Field | None, path: Path) -> Field | None:
    field = column
    for step in path:
        if field is None:
            return None
        field = _find_field(field.type, step)
    return field


def _find_field(kind: DataType, name: str) -> Field | None:
    """Return the field of this name inside a type; lists and the values of maps are looked through."""
    while isinstance(kind, ArrayType | MapType | MultisetType):
        kind = kind.value if isinstance(kind, MapType) else kind.element
    if not isinstance(kind, RowType):
        return None
    alike = [field for field in kind.fields if field.name.lower() == name.lower()]
    exact = [field for field in alike if field.name == name]
    return next(iter(exact or alike), None)


def _widest(paths: dict[Path, Uses]) -> dict[Path, Uses]:
    """Return the paths without the fields of what is needed whole anyway, and without what is only named above a field that is used."""
    widest: dict[Path, Uses] = {}
    for path in sorted(paths, key=lambda path: (len(path), path)):
        above = next((other for other in widest if path[: len(other)] == other), None)
        if above is not None and widest[above] != {NAMED}:
            widest[above] |= paths[path]
            continue
        if above is not None:
            del widest[above]
        widest[path] = paths[path]
    return widest
