"""Data types: one immutable value per type, nullability included, and the one walk over them.

A type without parts is an AtomicType; ARRAY, MAP, MULTISET, VECTOR
and ROW hold other types. The parts of a container are kept as Paimon's file spells them (canonical
text for an atomic type, a container value otherwise), so that a schema file decodes into these very
values without a Python step per column; the properties hand out types. Field stands here because a
ROW has fields.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.kinds import ALGORITHMS, KINDS, LONGEST, MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.errors import Fault, TypeTextError

# Deeper than any table we have heard of; a limit keeps hostile input from exhausting the stack.
MAX_DEPTH = 100
MAX_NAME = 4_096
MAX_FIELDS = 100_000


class DataType(Struct, frozen=True, gc=False):
    """What all types share."""

    if TYPE_CHECKING:

        @property
        def root(self) -> Root: ...
        @property
        def nullable(self) -> bool: ...
        def with_nullable(self, nullable: bool) -> "DataType": ...

    def to_json(self) -> Any:
        """Paimon's JSON form: text for an atomic type, an object for a container."""
        return fold(self, _json_of)

    def __str__(self) -> str:
        return fold(self, _text_of)


class AtomicType(DataType, frozen=True, gc=False):
    """A type without parts; parameters that its root does not have are None."""

    root: Root
    nullable: bool = True
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    crs: str | None = None
    algorithm: str | None = None

    def __post_init__(self) -> None:
        faults = list(_parameter_faults(self))
        if faults:
            raise TypeTextError.of(faults)

    def with_nullable(self, nullable: bool) -> "AtomicType":
        return self if nullable is self.nullable else msgspec.structs.replace(self, nullable=nullable)


def _parameter_faults(atom: AtomicType) -> Iterable[Fault]:
    for name, limit in KINDS[atom.root].limits.items():
        value = getattr(atom, name)
        most = min(limit.most, atom.precision or limit.most) if name == "scale" else limit.most
        if value is None or not limit.least <= value <= most:
            fix = f"Use a {name} from {limit.least} to {most}."
            yield Fault(limit.code, "", f"the {name} {value} of {atom.root.name} is out of range.", fix)
            return
    if atom.crs == "":
        yield Fault("type.crs-empty", "", f"the coordinate system of {atom.root.name} is empty.", "Name one, such as OGC:CRS84.")
    if atom.algorithm is not None and atom.algorithm not in ALGORITHMS:
        fix = f"Use one of {', '.join(ALGORITHMS)}."
        yield Fault("type.edge-algorithm", "", f"{atom.algorithm!r} is no edge algorithm.", fix)


class _Container(DataType, frozen=True, gc=False):
    """A type that holds others. Its NOT NULL is in the tag of the file, hence a class of its own."""

    nullable: ClassVar[bool] = True

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

    def __post_init__(self) -> None:
        names = {field.name for field in self.fields}
        if len(names) != len(self.fields) or not all(map(str.strip, names)):
            raise TypeTextError.of(name_faults(self.fields))


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

# Bounded, so that hostile files cannot fill the memory with types.
_ATOMS: dict[str, AtomicType] = {}
_MEMO_SIZE = 10_000


def atom_text(atom: AtomicType) -> str:
    """Canonical text, such as DECIMAL(10, 2) NOT NULL."""
    longest = LONGEST.get(atom.root) if atom.length == MAX_LENGTH else None
    text = longest or KINDS[atom.root].text.format(
        length=atom.length, precision=atom.precision, scale=atom.scale, crs=_quoted_crs(atom.crs), algorithm=atom.algorithm
    )
    return text if atom.nullable else f"{text} NOT NULL"


def _quoted_crs(crs: str | None) -> str | None:
    if crs is None or not (crs[:1].isdigit() or any(char.isspace() or char in "<>(),.'`" for char in crs)):
        return crs
    return "'" + crs.replace("'", "''") + "'"


# Reversed, so that TIMESTAMP alone means the one without a zone, which stands first.
_BY_NAME = {kind.text.partition("(")[0]: root for root, kind in reversed(KINDS.items())}
_CANONICAL = re.compile(r"([A-Z]+)(?:\((.+)\))?( WITH LOCAL TIME ZONE)?( NOT NULL)?", re.DOTALL)
_CRS = re.compile(r"('(?:[^']|'')*'|[^,]*)(?:, ([a-z]+))?", re.DOTALL)


def of_wire(text: Wire) -> DataType:
    """The type that a part of a schema file stands for."""
    if type(text) is not str:
        return text  # type: ignore[return-value]  # every other member of Wire is a DataType
    return _ATOMS.get(text) or _remembered(text)


def wire(kind: DataType) -> Wire:
    """What a schema file writes for the type."""
    return atom_text(kind) if isinstance(kind, AtomicType) else kind  # type: ignore[return-value]


def _remembered(text: str) -> AtomicType:
    if len(_ATOMS) >= _MEMO_SIZE:
        _ATOMS.clear()
    atom = _ATOMS[text] = canonical(text)
    return atom


def known(text: str) -> AtomicType | None:
    """The type of a canonical text that was met before."""
    return _ATOMS.get(text)


def canonical(text: str) -> AtomicType:
    """The atomic type of this canonical text; any other spelling is refused."""
    found = _CANONICAL.fullmatch(text)
    atom = found and _atom_of(found)
    if atom is None or atom_text(atom) != text:
        raise TypeTextError(f"{shown(text)} is no canonical type.", fix="Read it with parse_type or parse_ddl.")
    return atom


def _atom_of(found: re.Match[str]) -> AtomicType | None:
    name, arguments, local, strict = found.groups()
    root = {"STRING": Root.VARCHAR, "BYTES": Root.VARBINARY}.get(name) or _BY_NAME.get(name)
    if root is None:
        return None
    if name in LONGEST.values():
        return AtomicType(root, not strict, length=MAX_LENGTH)
    values = _arguments(root, arguments)
    return None if values is None else AtomicType(Root.TIMESTAMP_LTZ if local else root, not strict, **values)


def _arguments(root: Root, text: str | None) -> dict[str, Any] | None:
    names = list(KINDS[root].defaults)
    if not names or text is None:
        return {} if not names and text is None else None
    if "crs" in names:
        found = _CRS.fullmatch(text)
        values: list[Any] = [found and _unquoted(found[1]), *([found[2]] if found and found[2] else [])]
    else:
        values = [int(part) for part in text.split(", ") if part.isdecimal() and len(part) <= 10]
    return dict(zip(names, values, strict=True)) if len(names) == len(values) and None not in values else None


def _unquoted(text: str) -> str:
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def half_pair(text: str) -> bool:
    """Whether the text holds half a surrogate pair, which no file can hold."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def shown(text: object) -> str:
    """The text as an error message shows it: quoted, and short whatever it is."""
    try:
        whole = repr(text)
    except (ValueError, RecursionError):  # numbers of thousands of digits, nesting without end
        return f"a {type(text).__name__}"
    return whole if len(whole) <= 80 else f"{whole[:60]}... ({len(whole)} characters)"


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
        return type(kind)(tuple(one.with_type(part) for one, part in zip(kind.fields, parts, strict=True)))
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


def _field_text(one: Field, kind: str) -> str:
    comment = "" if one.description is None else " COMMENT '" + one.description.replace("'", "''") + "'"
    default = "" if one.default is None else f" DEFAULT {one.default}"
    return f"`{one.name.replace('`', '``')}` {kind}{comment}{default}"


def field_ids(kind: DataType) -> list[int]:
    """The ids of all fields inside the type, in the order they are written."""
    return fold(kind, _ids_of)


def _ids_of(kind: DataType, parts: list[list[int]]) -> list[int]:
    own = [[one.id] for one in kind.fields] if isinstance(kind, RowType) else [[] for _ in parts]
    return [number for mine, inner in zip(own, parts, strict=True) for number in (*mine, *inner)]


# ---------------------------------------------------------------- the types most used

STRING = AtomicType(Root.VARCHAR, length=MAX_LENGTH)
BYTES = AtomicType(Root.VARBINARY, length=MAX_LENGTH)


def atomic(root: Root, nullable: bool = True, **parameters: Any) -> AtomicType:
    """An atomic type, with the defaults of its kind where a parameter is not given."""
    return AtomicType(root, nullable, **{**KINDS[root].defaults, **parameters})


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
    """ROW<fields>."""
    return RowType(tuple(fields))
