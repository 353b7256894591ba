"""How data written under one schema is read as another, field by field, without Spark.

Fields are matched by id at every level: a renamed field keeps its values, one that the files lack is
NULL, one that is no longer wanted is skipped. A type that differs is converted directly from the type
of the file, never through types between the two. A ROW none of whose wanted fields is in the files is NULL,
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
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, named
from airflow_provider_schemas.core.projection import rows
from airflow_provider_schemas.core.projection.rows import ReadValue, Step, brief, joined
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import CastError, Fault, ProjectionError

Casts = Literal["checked", "paimon"]

_CONVERT = {"checked": rows.checked, "paimon": rows.converted}


class ReadMode(StrEnum):
    """Where the values of a field come from."""

    SAME = "same"
    CONVERT = "convert"
    NESTED = "nested"
    ABSENT = "absent"


_PLAIN = {ReadMode.SAME: "as it is", ReadMode.NESTED: "part by part"}


class ProjectedField(ShortRepr, Struct, frozen=True):
    """How one field is read, or the element, key or value of a container."""

    name: str
    path: str
    how: ReadMode
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

    def _short_text(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.how is ReadMode.ABSENT:
            missing = "nothing" if self.source is None else "none of its fields"
            return f"{self.path} <- {missing} in these files: NULL"
        parts = []
        if self.renamed:
            parts.append(f"{self.source} (renamed)")
        if self.how is ReadMode.CONVERT and self.source_type:
            parts.append(f"{brief(self.source_type)} as {brief(self.target)}")
        return f"{self.path} <- {', '.join(parts) or _PLAIN[self.how]}"


class Projection(ShortRepr, Struct, frozen=True, dict=True):
    """How rows written under one schema are read as another. Print it to see what differs."""

    fields: tuple[ProjectedField, ...]
    written: tuple[Field, ...]
    casts: str = "checked"
    timezone: str = "UTC"

    def _short_text(self) -> str:
        return f"of {counted(len(self.fields), 'column')} out of {len(self.written):,}, casts {named(self.casts)}"

    def row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row, given by the names in the files, under the wanted names.

        Values are carriers. A ROW may be a dict or a tuple and becomes a dict; a MAP may be pairs or a dict and stays
        so. A nullable column may be left out and counts as NULL; any other column that is missing, or that the
        written schema does not have, is an error. Every column that cannot be read is named, not only the first.
        """
        wanted: dict[str, Any] = self._read(row)
        return wanted

    @cached_property
    def _read(self) -> ReadValue:
        return rows.rows("", self.written, map(self._step, self.fields))

    def _step(self, field: ProjectedField) -> Step:
        source = None if field.how is ReadMode.ABSENT else field.source
        return field.name, source, self._reader(field)

    def _reader(self, field: ProjectedField) -> ReadValue | None:
        """Return the function that reads the values of a field; None if they pass as they are."""
        if field.source_type is None or field.how is ReadMode.ABSENT:
            return None
        if field.how is ReadMode.CONVERT:
            return _CONVERT[self.casts](field.source_type, field.target, field.path, self.timezone)
        if isinstance(field.source_type, RowType) and field.children:
            return rows.rows(field.path, field.source_type.fields, map(self._step, field.children))
        parts = [self._reader(part) for part in field.children]
        if parts and isinstance(field.target, MapType):
            return rows.maps(field.path, None, parts[1])
        if parts and parts[0]:
            return rows.arrays(field.path, parts[0])
        return rows.unchanged(field.source_type, field.path)

    @property
    def identity(self) -> bool:
        """Whether the files can be read as they are: the same columns, in the same order, of the same types."""
        return _is_identical(self.fields, self.written)

    def explain(self) -> str:
        """Return the differences between the files and the wanted schema, a line each."""
        fields = _with_inner_fields(self.fields)
        lines = [str(field) for field in fields if field.how in (ReadMode.CONVERT, ReadMode.ABSENT) or field.renamed]
        lines += [f"{path}: in these files, not wanted" for path in _skipped(self.written, self.fields, "")]
        same = sum(field.how is ReadMode.SAME and not field.renamed for field in self.fields)
        if same:
            lines.append(f"{same} column{'s' * (same != 1)} as in the files")
        return "\n".join(lines)

    __str__ = explain


def _with_inner_fields(fields: tuple[ProjectedField, ...]) -> Iterator[ProjectedField]:
    for field in fields:
        yield field
        yield from _with_inner_fields(field.children)


def project(
    written: TableSchema | RowType, wanted: TableSchema | RowType, *, casts: Casts = "checked", timezone: str = "UTC"
) -> Projection:
    """Return how data written under one schema is read as another; a ProjectionError names every pair of types that cannot be.

    "checked" fails on any value that would not come back when converted back, "paimon" reads as Java does.
    """
    if casts not in tuple(_CONVERT):
        fix = f"Use one of {', '.join(map(repr, _CONVERT))}."
        raise ProjectionError(f"{casts!r} is no way to cast.", code="read.unknown-casts", fix=fix)
    zone(timezone)
    matcher = _Matcher(casts, timezone)
    written_fields = _fields_of(written)
    wanted_fields = _fields_of(wanted)
    try:
        fields = matcher.match_fields(written_fields, wanted_fields, "")
    except RecursionError:
        fix = "Use types with fewer levels; parse_type and parse_ddl refuse such a one."
        raise ProjectionError("the types are nested too deep to be compared.", code="type.too-deep", fix=fix) from None
    if matcher.faults:
        raise ProjectionError.of(matcher.faults)
    return Projection(fields, written_fields, casts, timezone)


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

    def match_fields(self, written: tuple[Field, ...], wanted: tuple[Field, ...], path: str) -> tuple[ProjectedField, ...]:
        by_id = {field.id: field for field in written}
        if len(by_id) < len(written):
            fix = "Give every field an id of its own."
            self.faults.append(Fault("read.duplicate-id", path, "the written schema has two fields of one id.", fix))
        return tuple([self.match_field(by_id.get(field.id), field, path) for field in wanted])

    def match_field(self, source: Field | None, wanted: Field, path: str) -> ProjectedField:
        field_path = joined(path, wanted.name)
        target = wanted.type
        if source is None:
            return ProjectedField(wanted.name, field_path, ReadMode.ABSENT, target, wanted.id)
        seed = ProjectedField(wanted.name, field_path, ReadMode.SAME, target, wanted.id, source.name, source.type)
        if source.wire == wanted.wire:
            return seed
        return self.match_types(seed, source.type, target)

    def match_part(self, word: str, source: DataType, target: DataType, path: str) -> ProjectedField:
        seed = ProjectedField(word, joined(path, word), ReadMode.SAME, target, None, word, source)
        return self.match_types(seed, source, target)

    def match_types(self, seed: ProjectedField, source: DataType, target: DataType) -> ProjectedField:
        """Return the seed, a field that is read as it is, with the way in which its types are read."""
        if same_type(source, target):
            return seed
        if isinstance(source, RowType) and isinstance(target, RowType):
            return self.match_rows(seed, source, target)
        if isinstance(source, ArrayType) and isinstance(target, ArrayType):
            return self.match_arrays(seed, source, target)
        if isinstance(source, MapType) and isinstance(target, MapType):
            return self.match_maps(seed, source, target)
        return self.convert(seed, source, target)

    def match_rows(self, seed: ProjectedField, source: RowType, target: RowType) -> ProjectedField:
        fields = self.match_fields(source.fields, target.fields, seed.path)
        if _is_identical(fields, source.fields):
            return seed
        return _nest(seed, fields, fields)

    def match_arrays(self, seed: ProjectedField, source: ArrayType, target: ArrayType) -> ProjectedField:
        element = self.match_part("element", source.element, target.element, seed.path)
        if element.how is ReadMode.SAME:
            return seed
        return _nest(seed, (element,), (element,))

    def match_maps(self, seed: ProjectedField, source: MapType, target: MapType) -> ProjectedField:
        value = self.match_part("value", source.value, target.value, seed.path)
        key = ProjectedField("key", joined(seed.path, "key"), ReadMode.SAME, target.key, None, "key", source.key)
        same_key = same_type(source.key, target.key) and source.key.nullable is target.key.nullable
        if value.how is not ReadMode.ABSENT and not same_key:
            message = f"MAP keys are never converted, and those in the files are {source.key}, not {target.key}."
            self.add_fault(key, message, "Keep the key as it was, or rewrite the files.")
        if value.how is ReadMode.SAME:
            return seed
        return _nest(seed, (key, value), (value,))

    def convert(self, seed: ProjectedField, source: DataType, target: DataType) -> ProjectedField:
        if isinstance(target, AtomicType) and cast_support(source, target).convertible:
            try:
                _CONVERT[self.casts](source, target, seed.path, self.timezone)
            except CastError as error:
                self.faults += rows.unreadable(source, target, seed.path, error).faults
        else:
            message = f"{brief(source)} in the files cannot be read as {brief(target)}: no such conversion exists."
            self.add_fault(seed, message, f"Read the field as {brief(source)}, or rewrite the files.")
        return replace(seed, how=ReadMode.CONVERT)

    def add_fault(self, field: ProjectedField, message: str, fix: str) -> None:
        self.faults.append(Fault(rows.BAD_VALUE, field.path, message, fix))


def _nest(seed: ProjectedField, children: tuple[ProjectedField, ...], values: tuple[ProjectedField, ...]) -> ProjectedField:
    """Return the field around these children; it is absent if all children that hold values are."""
    if all(field.how is ReadMode.ABSENT for field in values):
        return replace(seed, how=ReadMode.ABSENT)
    return replace(seed, how=ReadMode.NESTED, children=children)


def _is_identical(fields: tuple[ProjectedField, ...], written: tuple[Field, ...]) -> bool:
    """Return whether these are the written fields, in the same order."""
    if len(fields) != len(written):
        return False
    pairs = zip(fields, written, strict=True)
    return all(field.how is ReadMode.SAME and field.source == field.name == source.name for field, source in pairs)


def _skipped(written: tuple[Field, ...], fields: tuple[ProjectedField, ...], path: str) -> Iterator[str]:
    """Yield the paths of fields that are in the files and not wanted."""
    used = {field.source for field in fields}
    yield from (joined(path, field.name) for field in written if field.name not in used)
    for field in fields:
        yield from _skipped_inside(field)


def _skipped_inside(field: ProjectedField) -> Iterator[str]:
    if isinstance(field.source_type, RowType) and field.children:
        yield from _skipped(field.source_type.fields, field.children, field.path)
        return
    for part in field.children:
        yield from _skipped_inside(part)
