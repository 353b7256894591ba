"""Needs of a contract, made of what a query needs of the columns of a source."""

from collections.abc import Iterator, Mapping
from typing import Final

from airflow_provider_schemas.core.contracts.contract import Accepts, Need, Role
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType, uncommented
from airflow_provider_schemas.spark.observation.plan_needs import NAMED, WHOLE, Path, Uses
from airflow_provider_schemas.spark.observation.sources import Source

Used = dict[str, dict[Path, Uses]]
"""What is needed of the columns of one table, by name."""

_ORDER: Final = tuple(Role)


def needs(source: Source, used: Used) -> Iterator[Need]:
    """The needs of one table, in the order of its columns."""
    for name in (*source.columns, *(one for one in used if one not in source.columns)):
        column = source.columns.get(name)
        for path, uses in _widest(_there(column, used.get(name, {}))).items():
            yield _need(source, name, column, path, uses)


def _need(source: Source, name: str, column: Field | None, path: Path, uses: Uses) -> Need:
    roles = tuple(one for one in _ORDER if one.value in _roles(source, name, path, uses))
    dotted = ".".join((name, *path))
    if uses == {NAMED}:
        return Need(name=dotted, accepts=Accepts.ANY, role=(Role.SELECT,))
    inner = column if column is None or not path else _inside(column, path)
    number = inner.id if source.pinned and inner is not None else None
    if inner is None:
        return Need(name=dotted, accepts=Accepts.ANY, role=roles)
    return Need(name=dotted, id=number, type=_text(inner.type), role=roles)


def _text(kind: DataType) -> str:
    """The type as people write it, nullable: whether a job takes NULL cannot be seen in its plan."""
    return str(uncommented(kind.with_nullable(True), defaults=False))


def _roles(source: Source, name: str, path: Path, uses: Uses) -> Uses:
    parts = not path and name in source.partitioned_by and Role.FILTER.value in uses
    return uses | {Role.PARTITION.value} if parts else uses


# ---------------------------------------------------------------- paths


def _there(column: Field | None, paths: Mapping[Path, Uses]) -> dict[Path, Uses]:
    """The paths as the fields are spelled; the whole column for one that does not lead to a field."""
    answer: dict[Path, Uses] = {}
    for path, uses in paths.items():
        real = _spelled(column, path)
        answer[real] = answer.get(real, frozenset()) | uses
    return answer


def _spelled(column: Field | None, path: Path) -> Path:
    found, names = column, list[str]()
    if column is not None and "." in column.name:
        return WHOLE
    for step in path:
        found = None if found is None or "." in step else _called(found.type, step)
        if found is None:
            return WHOLE
        names.append(found.name)
    return tuple(names)


def _inside(column: Field, path: Path) -> Field | None:
    found: Field | None = column
    for step in path:
        found = None if found is None else _called(found.type, step)
    return found


def _called(kind: DataType, name: str) -> Field | None:
    """The field of this name inside a type; lists and the values of maps are looked through."""
    while isinstance(kind, ArrayType | MapType | MultisetType):
        kind = kind.value if isinstance(kind, MapType) else kind.element
    fields = kind.fields if isinstance(kind, RowType) else ()
    exact = next((one for one in fields if one.name == name), None)
    return exact or next((one for one in fields if one.name.lower() == name.lower()), None)


def _widest(paths: dict[Path, Uses]) -> dict[Path, Uses]:
    """Without the fields of what is needed whole anyway, and without what is only named above a field that is used."""
    answer: dict[Path, Uses] = {}
    for path in sorted(paths, key=lambda one: (len(one), one)):
        above = next((one for one in answer if path[: len(one)] == one), None)
        if above is not None and answer[above] != {NAMED}:
            answer[above] |= paths[path]
            continue
        if above is not None:
            del answer[above]
        answer[path] = paths[path]
    return answer
