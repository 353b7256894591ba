"""How data written under one schema is read as another, field by field, without Spark.

Fields are matched by id at every level: a renamed field keeps its values, one that the files lack is
NULL, one that is no longer wanted is passed over. A type that differs is converted directly from that
of the file, never through what lay between. A ROW none of whose wanted fields is in the files is NULL,
and so is the ARRAY or MAP around it. The keys of a MAP are never converted.

NOT NULL is not enforced on read, and defaults are for writers: both as in Java.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.casts.timezones import zone
from airflow_provider_schemas.core.projection import rows
from airflow_provider_schemas.core.projection.rows import Reader, Step, brief, joined
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import CastError, Fault, ProjectionError

Casts = Literal["checked", "paimon"]

_CONVERT = {"checked": rows.checked, "paimon": rows.converted}


class How(StrEnum):
    """Where the values of a field come from."""

    SAME = "same"
    CONVERT = "convert"
    NESTED = "nested"
    ABSENT = "absent"


_PLAIN = {How.SAME: "as it is", How.NESTED: "part by part"}


class ProjectedField(Struct, frozen=True):
    """How one field is read, or the element, key or value of a container."""

    name: str
    path: str
    how: How
    target: DataType
    id: int | None = None
    """None for an element, key or value."""
    source: str | None = None
    """The name in the files; None if the files do not have the field."""
    source_type: DataType | None = None
    children: tuple["ProjectedField", ...] = ()
    """The fields of a ROW, the element of an ARRAY, the key and value of a MAP, where it is read part by part."""

    @property
    def renamed(self) -> bool:
        return self.source is not None and self.source != self.name

    def __str__(self) -> str:
        if self.how is How.ABSENT:
            return f"{self.path} <- {'nothing' if self.source is None else 'none of its fields'} in these files: NULL"
        parts = [f"{self.source} (renamed)"] if self.renamed else []
        if self.how is How.CONVERT and self.source_type:
            parts.append(f"{brief(self.source_type)} as {brief(self.target)}")
        return f"{self.path} <- {', '.join(parts) or _PLAIN[self.how]}"


class Projection(Struct, frozen=True, dict=True):
    """How rows written under one schema are read as another. Print it to see what differs."""

    fields: tuple[ProjectedField, ...]
    written: tuple[Field, ...]
    casts: str = "checked"
    timezone: str = "UTC"

    def row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row, given by the names in the files, under the wanted names.

        Values are carriers. A ROW may be a dict or a tuple and becomes a dict; a MAP may be pairs or a dict and stays
        so. A nullable column may be left out and counts as NULL; any other column that is missing, or that the
        written schema does not have, is an error. Every column that cannot be read is named, not only the first.
        """
        found: dict[str, Any] = self._read(row)
        return found

    @cached_property
    def _read(self) -> Reader:
        return rows.rows("", self.written, [self._step(one) for one in self.fields])

    def _step(self, one: ProjectedField) -> Step:
        return one.name, None if one.how is How.ABSENT else one.source, self._reader(one)

    def _reader(self, one: ProjectedField) -> Reader | None:
        if one.source_type is None or one.how is How.ABSENT:
            return None
        if one.how is How.CONVERT:
            return _CONVERT[self.casts](one.source_type, one.target, one.path, self.timezone)
        if isinstance(one.source_type, RowType) and one.children:
            return rows.rows(one.path, one.source_type.fields, map(self._step, one.children))
        parts = [self._reader(part) for part in one.children]
        if parts and isinstance(one.target, MapType):
            return rows.maps(one.path, None, parts[1])
        return rows.arrays(one.path, parts[0]) if parts and parts[0] else rows.unchanged(one.source_type, one.path)

    @property
    def identity(self) -> bool:
        """Whether the files can be read as they are: the same columns, in the same places, of the same types."""
        return _identical(self.fields, self.written)

    def explain(self) -> str:
        """What differs between the files and what is wanted, a line each, in plain words."""
        lines = [str(one) for one in self._leaves(self.fields) if one.how in (How.CONVERT, How.ABSENT) or one.renamed]
        lines += [f"{path}: in these files, not wanted" for path in _passed_over(self.written, self.fields, "")]
        same = sum(one.how is How.SAME and not one.renamed for one in self.fields)
        return "\n".join([*lines, *([f"{same} column{'s' * (same != 1)} as in the files"] if same else [])])

    __str__ = explain

    def _leaves(self, nodes: tuple[ProjectedField, ...]) -> Iterator[ProjectedField]:
        for one in nodes:
            yield one
            yield from self._leaves(one.children)


def project(
    written: TableSchema | RowType, wanted: TableSchema | RowType, *, casts: Casts = "checked", timezone: str = "UTC"
) -> Projection:
    """How data written under the one schema is read as the other; a ProjectionError names every pair of types that cannot be.

    "checked" fails on any value that would not come back when converted back, "paimon" answers as Java does.
    """
    if casts not in tuple(_CONVERT):
        fix = f"Use one of {', '.join(map(repr, _CONVERT))}."
        raise ProjectionError(f"{casts!r} is no way to cast.", code="read.unknown-casts", fix=fix)
    zone(timezone)
    matcher = _Matcher(casts, timezone)
    before, after = _fields_of(written), _fields_of(wanted)
    try:
        fields = matcher.fields(before, after, "")
    except RecursionError:
        fix = "Use types with fewer levels; parse_type and parse_ddl refuse such a one."
        raise ProjectionError("the types are nested too deep to be compared.", code="type.too-deep", fix=fix) from None
    if matcher.faults:
        raise ProjectionError.of(matcher.faults)
    return Projection(fields, before, casts, timezone)


def _fields_of(schema: object) -> tuple[Field, ...]:
    if isinstance(schema, TableSchema | RowType):
        return schema.fields
    raise ProjectionError(f"a {type(schema).__name__} has no columns.", code="read.no-columns", fix="Pass a TableSchema or a ROW.")


class _Matcher:
    """Matches fields by id, and collects every pair of types that cannot be read."""

    def __init__(self, casts: Casts, timezone: str) -> None:
        self.casts = casts
        self.timezone = timezone
        self.faults: list[Fault] = []

    def fields(self, written: tuple[Field, ...], wanted: tuple[Field, ...], path: str) -> tuple[ProjectedField, ...]:
        by_id = {one.id: one for one in written}
        if len(by_id) < len(written):
            fix = "Give every field an id of its own."
            self.faults.append(Fault("read.duplicate-id", path, "the written schema has two fields of one id.", fix))
        return tuple(self.field(by_id.get(one.id), one, path) for one in wanted)

    def field(self, source: Field | None, one: Field, path: str) -> ProjectedField:
        here, target = joined(path, one.name), one.type
        if source is None:
            return ProjectedField(one.name, here, How.ABSENT, target, one.id)
        seed = ProjectedField(one.name, here, How.SAME, target, one.id, source.name, source.type)
        return seed if source.wire == one.wire else self.read(seed, source.type, target)

    def part(self, word: str, source: DataType, target: DataType, path: str) -> ProjectedField:
        return self.read(ProjectedField(word, joined(path, word), How.SAME, target, None, word, source), source, target)

    def read(self, seed: ProjectedField, source: DataType, target: DataType) -> ProjectedField:
        if same_type(source, target):
            return seed
        if isinstance(source, RowType) and isinstance(target, RowType):
            fields = self.fields(source.fields, target.fields, seed.path)
            return seed if _identical(fields, source.fields) else _around(seed, fields, fields)
        if isinstance(source, ArrayType) and isinstance(target, ArrayType):
            element = self.part("element", source.element, target.element, seed.path)
            return seed if element.how is How.SAME else _around(seed, (element,), (element,))
        if isinstance(source, MapType) and isinstance(target, MapType):
            return self.map(seed, source, target)
        return self.conversion(seed, source, target)

    def map(self, seed: ProjectedField, source: MapType, target: MapType) -> ProjectedField:
        value = self.part("value", source.value, target.value, seed.path)
        key = ProjectedField("key", joined(seed.path, "key"), How.SAME, target.key, None, "key", source.key)
        if value.how is not How.ABSENT and not (same_type(source.key, target.key) and source.key.nullable is target.key.nullable):
            message = f"MAP keys are never converted, and those in the files are {source.key}, not {target.key}."
            self.fault(key, message, "Keep the key as it was, or rewrite the files.")
        return seed if value.how is How.SAME else _around(seed, (key, value), (value,))

    def conversion(self, seed: ProjectedField, source: DataType, target: DataType) -> ProjectedField:
        if isinstance(target, AtomicType) and cast_support(source, target).convertible:
            try:
                _CONVERT[self.casts](source, target, seed.path, self.timezone)
            except CastError as error:
                self.faults += rows.unreadable(source, target, seed.path, error).faults
        else:
            message = f"{brief(source)} in the files cannot be read as {brief(target)}: no such conversion exists."
            self.fault(seed, message, f"Read the field as {brief(source)}, or rewrite the files.")
        return replace(seed, how=How.CONVERT)

    def fault(self, one: ProjectedField, message: str, fix: str) -> None:
        self.faults.append(Fault(rows.BAD_VALUE, one.path, message, fix))


def _around(seed: ProjectedField, children: tuple[ProjectedField, ...], values: tuple[ProjectedField, ...]) -> ProjectedField:
    """The field around these; absent if all that hold values are."""
    absent = all(one.how is How.ABSENT for one in values)
    return replace(seed, how=How.ABSENT) if absent else replace(seed, how=How.NESTED, children=children)


def _identical(nodes: tuple[ProjectedField, ...], written: tuple[Field, ...]) -> bool:
    """Whether these are the written fields, one by one."""
    return len(nodes) == len(written) and all(
        one.how is How.SAME and one.source == one.name == field.name for one, field in zip(nodes, written, strict=True)
    )


def _passed_over(written: tuple[Field, ...], nodes: tuple[ProjectedField, ...], path: str) -> Iterator[str]:
    """The paths of fields that are in the files and not wanted."""
    used = {one.source for one in nodes}
    yield from (joined(path, one.name) for one in written if one.name not in used)
    for one in nodes:
        yield from _passed_over_inside(one)


def _passed_over_inside(one: ProjectedField) -> Iterator[str]:
    if isinstance(one.source_type, RowType) and one.children:
        yield from _passed_over(one.source_type.fields, one.children, one.path)
        return
    for part in one.children:
        yield from _passed_over_inside(part)
