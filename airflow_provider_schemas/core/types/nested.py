"""Data types: one immutable value per type, nullability included, and the one walk over them.

A type without parts is an AtomicType (see `atomic`); ARRAY, MAP, MULTISET, VECTOR and ROW hold other
types. The parts of a container are kept as Paimon's file spells them (canonical text for an atomic type,
a container value otherwise), so that a schema file decodes into these very values without a Python step
per column; the properties hand out types. Field stands here because a ROW has fields.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.common.text import MAX_NAME
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, atom_of, atom_text
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.errors import Fault, TypeTextError

# Deeper than any table we have heard of; a limit keeps hostile input from exhausting the stack.
MAX_DEPTH = 100
MAX_FIELDS = 100_000


class _Container(DataType, frozen=True, gc=False):
    """A type that holds others. Its NOT NULL is in the tag of the file, hence a class of its own."""

    nullable: ClassVar[bool] = True

    def to_json(self) -> Any:
        return fold(self, _json_of)

    def __str__(self) -> str:
        return fold(self, _text_of)

    def with_nullable(self, nullable: bool) -> "DataType":
        kind: Any = (_NULLABLE_OF if nullable else _NOT_NULL_OF).get(type(self), type(self))
        return self if kind is type(self) else kind(*(getattr(self, name) for name in self.__struct_fields__))


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


class Field(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
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
        """The same field with another type."""
        return Field(self.id, self.name, wire(kind), self.description, self.default)

    def with_name(self, name: str) -> "Field":
        """The same field under another name."""
        return Field(self.id, name, self.wire, self.description, self.default)

    def __str__(self) -> str:
        return _field_text(self, str(self.type))


def field(number: int, name: str, kind: DataType, description: str | None = None, default: str | None = None) -> Field:
    """A field of this type."""
    return Field(number, name, wire(kind), description, default)


def name_faults(fields: Iterable[Field]) -> list[Fault]:
    """What is wrong with the names of a ROW: blank or twice."""
    faults, seen = [], set()
    for one in fields:
        if not one.name.strip():
            faults.append(Fault("fields.blank-name", one.name, "a field of a ROW has a blank name.", "Give it a name."))
        elif one.name in seen:
            message = f"the ROW has two fields named {one.name!r}."
            faults.append(Fault("fields.duplicate-name-in-row", one.name, message, "Rename one of them."))
        seen.add(one.name)
    return faults


# ---------------------------------------------------------------- text and types


def of_wire(text: Wire) -> DataType:
    """The type that a part of a schema file stands for."""
    if type(text) is not str:
        return text  # type: ignore[return-value]  # every other member of Wire is a DataType
    return atom_of(text)


def wire(kind: DataType) -> Wire:
    """What a schema file writes for the type."""
    return atom_text(kind) if isinstance(kind, AtomicType) else kind  # type: ignore[return-value]


# ---------------------------------------------------------------- the one walk

T = TypeVar("T")


def children(kind: DataType) -> list[tuple[str, DataType]]:
    """The parts of a type with the word a path uses for each."""
    if isinstance(kind, RowType):
        return [(one.name, one.type) for one in kind.fields]
    if isinstance(kind, MapType):
        return [("key", kind.key), ("value", kind.value)]
    if isinstance(kind, ArrayType | MultisetType | VectorType):
        return [("element", kind.element)]
    return []


def fold(kind: DataType, visit: Callable[[DataType, list[T]], T]) -> T:
    """Visit the parts of a type before the type itself, and hand it their answers."""
    return visit(kind, [fold(part, visit) for _, part in children(kind)])


def rebuilt(kind: DataType, parts: list[DataType]) -> DataType:
    """The same container around other parts, in the order of children()."""
    if isinstance(kind, RowType):
        return type(kind)(tuple([one if one.type is part else one.with_type(part) for one, part in zip(kind.fields, parts, strict=True)]))
    if isinstance(kind, MapType):
        return type(kind)(wire(parts[0]), wire(parts[1]))
    if isinstance(kind, VectorType):
        return type(kind)(wire(parts[0]), kind.length)
    if isinstance(kind, ArrayType | MultisetType):
        return type(kind)(wire(parts[0]))
    return kind


def _json_of(kind: DataType, parts: list[Any]) -> Any:
    if isinstance(kind, AtomicType):
        return atom_text(kind)
    tag = kind.root.value if kind.nullable else f"{kind.root.value} NOT NULL"
    if isinstance(kind, RowType):
        return {"type": tag, "fields": [_field_json(one, part) for one, part in zip(kind.fields, parts, strict=True)]}
    named = dict(zip([word for word, _ in children(kind)], parts, strict=True))
    length = {"length": kind.length} if isinstance(kind, VectorType) else {}
    return {"type": tag, **named, **length}


def _field_json(one: Field, kind: Any) -> dict[str, Any]:
    rest = {"description": one.description, "defaultValue": one.default}
    return {"id": one.id, "name": one.name, "type": kind, **{key: value for key, value in rest.items() if value is not None}}


def _text_of(kind: DataType, parts: list[str]) -> str:
    if isinstance(kind, AtomicType):
        return atom_text(kind)
    if isinstance(kind, RowType):
        parts = [_field_text(one, part) for one, part in zip(kind.fields, parts, strict=True)]
    if isinstance(kind, VectorType):
        parts = [*parts, str(kind.length)]
    text = f"{kind.root.value}<{', '.join(parts)}>"
    return text if kind.nullable else f"{text} NOT NULL"


_NO_TEXT = "''"  # the same value as a default without any text, and readable


def _field_text(one: Field, kind: str) -> str:
    comment = "" if one.description is None else " COMMENT '" + one.description.replace("'", "''") + "'"
    default = "" if one.default is None else f" DEFAULT {one.default or _NO_TEXT}"
    return f"`{one.name.replace('`', '``')}` {kind}{comment}{default}"


def parts_of(same: Sequence[Any]) -> list[Wire]:
    """The parts of containers of one kind, as the file spells them: one step of a walk over thousands of columns."""
    if isinstance(same[0], RowType):
        return [one.wire for row in same for one in row.fields]
    if isinstance(same[0], MapType):
        return [one.wire_key for one in same] + [one.wire_value for one in same]
    return [one.wire for one in same]


class Parts(NamedTuple):
    """What the types of some fields are made of, down to the innermost."""

    texts: frozenset[str]
    """The atomic types that occur, as the file spells them."""
    containers: Mapping[Root, int]
    """How many containers there are of each root."""
    rows: Sequence[RowType]
    fields: Sequence[Field]
    """The fields of the rows."""
    depth: int
    """How many containers stand one inside the other, at most."""


def parts(fields: Iterable[Field]) -> Parts:
    """What the types of these fields are made of. Level by level and class by class, because files are wide and seldom deep."""
    texts: set[str] = set()
    containers: Counter[Root] = Counter()
    rows: list[RowType] = []
    inside: list[Field] = []
    level: list[Any] = [one.wire for one in fields]
    depth = 0
    while held := [one for one in level if type(one) is not str]:
        texts.update([one for one in level if type(one) is str])
        level, kinds = [], set(map(type, held))
        for kind in kinds:
            same: list[Any] = [one for one in held if type(one) is kind] if len(kinds) > 1 else held
            containers[same[0].root] += len(same)
            if issubclass(kind, RowType):
                rows += same
                inside += chain.from_iterable([one.fields for one in same])
            level += parts_of(same)
        depth += 1
    texts.update(level)
    return Parts(frozenset(texts), containers, rows, inside, depth)


def uncommented(kind: DataType, *, defaults: bool = True) -> DataType:
    """The type without the comments of the fields inside it, and without their defaults if these are not wanted either."""

    def visit(part: DataType, inner: list[DataType]) -> DataType:
        whole = rebuilt(part, inner)
        if not isinstance(whole, RowType):
            return whole
        return type(whole)(tuple(Field(one.id, one.name, one.wire, None, one.default if defaults else None) for one in whole.fields))

    return kind if isinstance(kind, AtomicType) else fold(kind, visit)


# ---------------------------------------------------------------- the types most used


def array(element: DataType) -> ArrayType:
    """ARRAY<element>."""
    return ArrayType(wire(element))


def multiset(element: DataType) -> MultisetType:
    """MULTISET<element>."""
    return MultisetType(wire(element))


def vector(element: DataType, length: int) -> VectorType:
    """VECTOR<element, length>."""
    return VectorType(wire(element), length)


def map_of(key: DataType, value: DataType) -> MapType:
    """MAP<key, value>."""
    return MapType(wire(key), wire(value))


def row(fields: Iterable[Field]) -> RowType:
    """ROW<fields>; its names differ and say something."""
    return sound_row(RowType(tuple(fields)))


def sound_row(kind: RowType) -> RowType:
    """The ROW, if its names differ and say something. A file is checked as a whole, so that decoding it costs no call a ROW."""
    names = {one.name for one in kind.fields}
    if len(names) != len(kind.fields) or not all(map(str.strip, names)):
        raise TypeTextError.of(name_faults(kind.fields))
    return kind
