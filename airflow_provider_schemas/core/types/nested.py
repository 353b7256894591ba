"""Data types: one immutable value per type, nullability included, and the one walk over them.

A type without parts is an AtomicType (see `atomic`); ARRAY, MAP, MULTISET, VECTOR and ROW hold other
types. The parts of a container are kept as Paimon's file spells them (canonical text for an atomic type,
a container value otherwise), so that a schema file decodes into these very values without a Python step
per column; the properties hand out types. Field stands here because a ROW has fields.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.common.short_repr import BoundedRepr
from airflow_provider_schemas.core.common.text import MAX_NAME
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, TypeJson, atom_of, atom_text
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.errors import Fault, TypeTextError

# Deeper than any table we have heard of; a limit keeps hostile input from exhausting the stack.
MAX_DEPTH = 100
MAX_FIELDS = 100_000


class _Container(DataType, frozen=True, gc=False):
    """A type that holds others. Its NOT NULL is in the tag of the file, hence a class of its own."""

    nullable: ClassVar[bool] = True

    def to_json(self) -> Any:
        return fold(self, _write_json)

    def __str__(self) -> str:
        return fold(self, _write_text)

    def with_nullable(self, nullable: bool) -> "DataType":
        twins = _NULLABLE_OF if nullable else _NOT_NULL_OF
        twin: Any = twins.get(type(self))
        if twin is None:
            return self
        return twin(*(getattr(self, name) for name in self.__struct_fields__))  # type: ignore[no-any-return]  # the twin is a container


class ArrayType(_Container, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="ARRAY"):
    """ARRAY<element>."""

    root: ClassVar[Root] = Root.ARRAY
    wire: "Wire" = msgspec.field(name="element")

    @property
    def element(self) -> DataType:
        return of_wire(self.wire)


class ArrayTypeNotNull(ArrayType, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="ARRAY NOT NULL"):
    """ARRAY<element> NOT NULL."""

    nullable: ClassVar[bool] = False


class MultisetType(_Container, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="MULTISET"):
    """MULTISET<element>."""

    root: ClassVar[Root] = Root.MULTISET
    wire: "Wire" = msgspec.field(name="element")

    @property
    def element(self) -> DataType:
        return of_wire(self.wire)


class MultisetTypeNotNull(MultisetType, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="MULTISET NOT NULL"):
    """MULTISET<element> NOT NULL."""

    nullable: ClassVar[bool] = False


class VectorType(_Container, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="VECTOR"):
    """VECTOR<element, length>."""

    root: ClassVar[Root] = Root.VECTOR
    wire: "Wire" = msgspec.field(name="element")
    length: int

    def __post_init__(self) -> None:
        if not 1 <= self.length <= MAX_LENGTH:
            message = f"the length {self.length} of VECTOR is out of range."
            raise TypeTextError(message, code="type.length-out-of-range", fix=f"Use a length from 1 to {MAX_LENGTH}.")
        if self.element.root not in VECTOR_ELEMENTS:
            message = f"a VECTOR cannot hold {self.element}."
            raise TypeTextError(message, code="type.vector-element", fix="Use BOOLEAN or a number type other than DECIMAL.")

    @property
    def element(self) -> DataType:
        return of_wire(self.wire)


class VectorTypeNotNull(VectorType, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="VECTOR NOT NULL"):
    """VECTOR<element, length> NOT NULL."""

    nullable: ClassVar[bool] = False


class MapType(_Container, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="MAP"):
    """MAP<key, value>."""

    root: ClassVar[Root] = Root.MAP
    wire_key: "Wire" = msgspec.field(name="key")
    wire_value: "Wire" = msgspec.field(name="value")

    @property
    def key(self) -> DataType:
        return of_wire(self.wire_key)

    @property
    def value(self) -> DataType:
        return of_wire(self.wire_value)


class MapTypeNotNull(MapType, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="MAP NOT NULL"):
    """MAP<key, value> NOT NULL."""

    nullable: ClassVar[bool] = False


class RowType(_Container, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="ROW"):
    """ROW<fields>."""

    root: ClassVar[Root] = Root.ROW
    fields: "tuple[Field, ...]"


class RowTypeNotNull(RowType, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag="ROW NOT NULL"):
    """ROW<fields> NOT NULL."""

    nullable: ClassVar[bool] = False


Wire = (
    str
    | ArrayType
    | ArrayTypeNotNull
    | MultisetType
    | MultisetTypeNotNull
    | VectorType
    | VectorTypeNotNull
    | MapType
    | MapTypeNotNull
    | RowType
    | RowTypeNotNull
)

_NOT_NULL_OF: dict[type[DataType], type[DataType]] = {
    ArrayType: ArrayTypeNotNull,
    MultisetType: MultisetTypeNotNull,
    VectorType: VectorTypeNotNull,
    MapType: MapTypeNotNull,
    RowType: RowTypeNotNull,
}
_NULLABLE_OF = {strict: loose for loose, strict in _NOT_NULL_OF.items()}


class Field(BoundedRepr, Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A column, or a field of a ROW: id, name, type, description, default value as it was typed."""

    id: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    wire: Wire = msgspec.field(name="type")
    description: str | None = None
    default: str | None = msgspec.field(name="defaultValue", default=None)

    @property
    def type(self) -> DataType:
        return of_wire(self.wire)

    def with_type(self, kind: DataType) -> "Field":
        """Return the same field with another type."""
        return Field(self.id, self.name, wire(kind), self.description, self.default)

    def with_name(self, name: str) -> "Field":
        """Return the same field under another name."""
        return Field(self.id, name, self.wire, self.description, self.default)

    def __str__(self) -> str:
        return _field_text(self, str(self.type))


def field(number: int, name: str, kind: DataType, description: str | None = None, default: str | None = None) -> Field:
    """Return a field of this type."""
    return Field(number, name, wire(kind), description, default)


def name_faults(fields: Iterable[Field]) -> list[Fault]:
    """Return the faults of the names in a ROW: blank names, and names that occur twice."""
    faults: list[Fault] = []
    seen: set[str] = set()
    for name in [field.name for field in fields]:
        if not name.strip():
            faults.append(Fault("fields.blank-name", name, "a field of a ROW has a blank name.", "Give it a name."))
        elif name in seen:
            message = f"the ROW has two fields named {name!r}."
            faults.append(Fault("fields.duplicate-name-in-row", name, message, "Rename one of them."))
        seen.add(name)
    return faults


# ---------------------------------------------------------------- text and types


def of_wire(text: Wire) -> DataType:
    """Return the type that a part of a schema file spells."""
    if type(text) is not str:
        return text  # type: ignore[return-value]  # every other member of Wire is a DataType
    return atom_of(text)


def wire(kind: DataType) -> Wire:
    """Return what a schema file writes for the type."""
    if isinstance(kind, AtomicType):
        return atom_text(kind)
    return kind  # type: ignore[return-value]


# ---------------------------------------------------------------- the one walk

T = TypeVar("T")


def children(kind: DataType) -> list[tuple[str, DataType]]:
    """Return the parts of a type with the word a path uses for each."""
    if isinstance(kind, RowType):
        return [(field.name, field.type) for field in kind.fields]
    if isinstance(kind, MapType):
        return [("key", kind.key), ("value", kind.value)]
    if isinstance(kind, ArrayType | MultisetType | VectorType):
        return [("element", kind.element)]
    return []


def parts_of(containers: Sequence[Any]) -> list[Wire]:
    """Return the parts of containers of one class, as the file spells them: one step of a walk over thousands of columns."""
    first = containers[0]
    if isinstance(first, RowType):
        return [field.wire for field in fields_of(containers)]
    if isinstance(first, MapType):
        return [container.wire_key for container in containers] + [container.wire_value for container in containers]
    return [container.wire for container in containers]


def fields_of(rows: Sequence[RowType]) -> Iterable[Field]:
    """Return the fields of these rows, one after the other."""
    return chain.from_iterable([row.fields for row in rows])


def fold(kind: DataType, visit: Callable[[DataType, list[T]], T]) -> T:
    """Visit the parts of a type before the type itself, and pass their answers to its visit."""
    return visit(kind, [fold(part, visit) for _, part in children(kind)])


def rebuilt(kind: DataType, parts: list[DataType]) -> DataType:
    """Return the same container around other parts, in the order of children()."""
    if isinstance(kind, RowType):
        return type(kind)(tuple([_with_part(field, part) for field, part in zip(kind.fields, parts, strict=True)]))
    if isinstance(kind, MapType):
        return type(kind)(wire(parts[0]), wire(parts[1]))
    if isinstance(kind, VectorType):
        return type(kind)(wire(parts[0]), kind.length)
    if isinstance(kind, ArrayType | MultisetType):
        return type(kind)(wire(parts[0]))
    return kind


def _with_part(field: Field, part: DataType) -> Field:
    return field if field.type is part else field.with_type(part)


def _write_json(kind: DataType, parts: list[TypeJson]) -> TypeJson:
    if isinstance(kind, AtomicType):
        return atom_text(kind)
    tag = kind.root.value if kind.nullable else f"{kind.root.value} NOT NULL"
    if isinstance(kind, RowType):
        return {"type": tag, "fields": [_write_field_json(field, part) for field, part in zip(kind.fields, parts, strict=True)]}
    members: dict[str, Any] = {"type": tag}
    members.update(zip([word for word, _ in children(kind)], parts, strict=True))
    if isinstance(kind, VectorType):
        members["length"] = kind.length
    return members


def _write_field_json(field: Field, kind: TypeJson) -> dict[str, Any]:
    members = {"id": field.id, "name": field.name, "type": kind}
    if field.description is not None:
        members["description"] = field.description
    if field.default is not None:
        members["defaultValue"] = field.default
    return members


def _write_text(kind: DataType, parts: list[str]) -> str:
    if isinstance(kind, AtomicType):
        return atom_text(kind)
    if isinstance(kind, RowType):
        parts = [_field_text(field, part) for field, part in zip(kind.fields, parts, strict=True)]
    if isinstance(kind, VectorType):
        parts = [*parts, str(kind.length)]
    text = f"{kind.root.value}<{', '.join(parts)}>"
    return text if kind.nullable else f"{text} NOT NULL"


_NO_TEXT = "''"  # the same value as a default without any text, and readable


def _field_text(field: Field, kind: str) -> str:
    text = f"`{field.name.replace('`', '``')}` {kind}"
    if field.description is not None:
        text += " COMMENT '" + field.description.replace("'", "''") + "'"
    if field.default is not None:
        text += f" DEFAULT {field.default or _NO_TEXT}"
    return text


def uncommented(kind: DataType, *, defaults: bool = True) -> DataType:
    """Return the type without the comments of the fields inside it; with `defaults=False`, without their defaults too."""
    if isinstance(kind, AtomicType):
        return kind

    def strip(field: Field) -> Field:
        return Field(field.id, field.name, field.wire, None, field.default if defaults else None)

    def visit(part: DataType, inner: list[DataType]) -> DataType:
        whole = rebuilt(part, inner)
        if isinstance(whole, RowType):
            return type(whole)(tuple(map(strip, whole.fields)))
        return whole

    return fold(kind, visit)


# ---------------------------------------------------------------- the types most used


def array(element: DataType) -> ArrayType:
    """Return ARRAY<element>."""
    return ArrayType(wire(element))


def multiset(element: DataType) -> MultisetType:
    """Return MULTISET<element>."""
    return MultisetType(wire(element))


def vector(element: DataType, length: int) -> VectorType:
    """Return VECTOR<element, length>."""
    return VectorType(wire(element), length)


def map_of(key: DataType, value: DataType) -> MapType:
    """Return MAP<key, value>."""
    return MapType(wire(key), wire(value))


def row(fields: Iterable[Field]) -> RowType:
    """Return ROW<fields>; refuse blank names and names that occur twice."""
    return sound_row(RowType(tuple(fields)))


def sound_row(kind: RowType) -> RowType:
    """Return the ROW if its names differ and none is blank. A file is checked as a whole, so that decoding it costs no call a ROW."""
    names = {field.name for field in kind.fields}
    if len(names) != len(kind.fields) or not all(map(str.strip, names)):
        raise TypeTextError.of(name_faults(kind.fields))
    return kind
