"""The text in which vectors write types of Arrow, read; and what arrow-rs prints of a type to debug it, printed.

`Timestamp(ms,none)`, `List<Struct{a:Date64}>`, `REE<Int32,Int64>`, `Map<Int32,Int64?>(keys,values,entries)`: a
question mark says that something may be null, and `name:` names what stands inside. In a text without any
question mark, the members of structs, and structs inside lists, may be null all the same. So much was seen; what
else may be meant where nothing is said is among the readings of a text.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from airflow_provider_schemas.formats.arrow.model import DECIMALS, ArrowField, ArrowKind, ArrowType, struct_of

UNITS = {"s": "Second", "ms": "Millisecond", "us": "Microsecond", "ns": "Nanosecond"}
NAMES = {
    **{one.replace("_", ""): one for one in ArrowKind},
    "boolean": ArrowKind.BOOL,
    "ree": ArrowKind.RUN_END_ENCODED,
    "runendencoded": ArrowKind.RUN_END_ENCODED,
    **dict.fromkeys(("sparseunion", "denseunion"), ArrowKind.UNION),
}
PRINTED = {
    **{kind: "".join(part.capitalize() for part in kind.split("_")) for kind in ArrowKind},
    **{kind: kind.replace("uint", "UInt") for kind in ArrowKind if kind.startswith("uint")},
    ArrowKind.BOOL: "Boolean",
}
_LISTS = {ArrowKind.LIST, ArrowKind.LARGE_LIST, ArrowKind.LIST_VIEW, ArrowKind.LARGE_LIST_VIEW}


class Marked(NamedTuple):
    """A type, whether it was said to be null, and its name."""

    type: ArrowType
    nullable: bool
    name: str = ""


# ---------------------------------------------------------------- reading


class Unsaid(NamedTuple):
    """What may be null though nothing says so."""

    members: bool
    structs: bool
    """Structs inside lists, and as values of maps."""
    items: bool
    """Everything else inside lists."""


_LITERAL = Unsaid(members=False, structs=False, items=False)
_SEEN = Unsaid(members=True, structs=True, items=False)
_OTHERS = tuple(Unsaid(*one) for one in product((True, False), repeat=3))


def read_type(text: str) -> ArrowType:
    """The type that a vector names."""
    return _read(text, _LITERAL if "?" in text else _SEEN)


def readings(text: str) -> Iterator[ArrowType]:
    """All that a text may mean, the likeliest first."""
    yield read_type(text)
    for one in _OTHERS:
        yield _read(text, one)


def _read(text: str, unsaid: Unsaid) -> ArrowType:
    reader = _Reader(text, unsaid)
    found = reader.part().type
    assert not reader.rest.strip(), f"{text!r} ends in {reader.rest!r}, which means nothing"
    return found


class _Reader:
    def __init__(self, text: str, unsaid: Unsaid) -> None:
        self.rest = text
        self.unsaid = unsaid

    def takes(self, mark: str) -> bool:
        found = self.rest.lstrip().startswith(mark)
        if found:
            self.rest = self.rest.lstrip()[len(mark) :]
        return found

    def wants(self, mark: str) -> None:
        assert self.takes(mark), f"{mark!r} is missing before {self.rest!r}"

    def word(self) -> str:
        found = re.match(r"\s*([A-Za-z_][A-Za-z0-9_]*)", self.rest)
        assert found, f"{self.rest!r} begins with no word"
        self.rest = self.rest[found.end() :]
        return found[1]

    def until(self, mark: str) -> list[str]:
        inside, _, self.rest = self.rest.partition(mark)
        return [one.strip() for one in inside.split(",")]

    def part(self) -> Marked:
        """A type with its name and mark."""
        named = re.match(r"\s*([^<>{}(),:?]*):(?=\s*[A-Z])", self.rest)
        if named:
            self.rest = self.rest[named.end() :]
        kind = NAMES[self.word().lower()]
        made = _READERS.get(kind, _Reader.leaf)(self, ArrowKind(kind))
        return Marked(made, self.takes("?"), named[1].strip() if named else "")

    def parts(self, end: str) -> Iterator[Marked]:
        while not self.takes(end):
            yield self.part()
            self.takes(",")

    # ------------------------------------------------------------ kinds

    def leaf(self, kind: ArrowKind) -> ArrowType:
        arguments = self.until(")") if self.takes("(") else []
        if kind in DECIMALS:
            precision, scale = [int(one) for one in arguments] or (9, 2)
            return ArrowType(kind, precision=precision, scale=scale)
        if kind is ArrowKind.FIXED_SIZE_BINARY:
            return ArrowType(kind, length=int(arguments[0]))
        if kind is ArrowKind.TIMESTAMP:
            timezone = arguments[1] if len(arguments) > 1 else "none"
            return ArrowType(kind, unit=_unit(arguments[0]), timezone=None if timezone.lower() == "none" else timezone.strip("'\""))
        return ArrowType(kind, unit=_unit(arguments[0])) if arguments else ArrowType(kind)

    def list(self, kind: ArrowKind) -> ArrowType:
        self.wants("<")
        item = self.part()
        self.wants(">")
        return ArrowType(kind, children=(self.item(item),))

    def fixed_list(self, kind: ArrowKind) -> ArrowType:
        self.wants("<")
        item = self.part()
        self.wants(",")
        (length,) = self.until(">")
        return ArrowType(kind, length=int(length), children=(self.item(item),))

    def struct(self, kind: ArrowKind) -> ArrowType:
        del kind
        end = "}" if self.takes("{") else ">"
        if end == ">":
            self.wants("<")
        return struct_of(tuple(self.field(one, one.name, self.unsaid.members) for one in self.parts(end)))

    def map(self, kind: ArrowKind) -> ArrowType:
        self.wants("<")
        key, value = self.parts(">")
        names = self.until(")") if self.takes("(") else ["keys", "values", "entries"]
        parts = (self.field(key, names[0], False), self.field(value, names[1], self.unsaid.structs and _is_struct(value)))
        entries = ArrowField(names[2] if len(names) > 2 else "entries", struct_of(parts), False)
        return ArrowType(kind, keys_sorted=self.takes("sorted"), children=(entries,))

    def runs(self, kind: ArrowKind) -> ArrowType:
        self.wants("<")
        ends, values = self.parts(">")
        return ArrowType(kind, children=(self.field(ends, "run_ends", False), self.field(values, "values", False)))

    def other(self, kind: ArrowKind) -> ArrowType:
        """A type that ODF does not have: what is inside it means nothing."""
        depth = 0
        while self.rest and (depth or self.rest[0] in "<({["):
            depth += (self.rest[0] in "<({[") - (self.rest[0] in ">)}]")
            self.rest = self.rest[1:]
        return ArrowType(kind)

    def item(self, one: Marked) -> ArrowField:
        return self.field(one, "item", self.unsaid.structs if _is_struct(one) else self.unsaid.items)

    def field(self, one: Marked, name: str, by_itself: bool) -> ArrowField:
        return ArrowField(one.name or name, one.type, one.nullable or by_itself)


def _unit(text: str) -> str:
    return {"second": "s", "millisecond": "ms", "microsecond": "us", "nanosecond": "ns"}.get(text.lower(), text)


def _is_struct(one: Marked) -> bool:
    return one.type.kind is ArrowKind.STRUCT


_READERS: dict[str, Callable[[_Reader, ArrowKind], ArrowType]] = {
    **dict.fromkeys(_LISTS, _Reader.list),
    ArrowKind.FIXED_SIZE_LIST: _Reader.fixed_list,
    ArrowKind.STRUCT: _Reader.struct,
    ArrowKind.MAP: _Reader.map,
    ArrowKind.RUN_END_ENCODED: _Reader.runs,
    ArrowKind.DICTIONARY: _Reader.other,
    ArrowKind.UNION: _Reader.other,
}

# ---------------------------------------------------------------- printing


def printed(kind: ArrowType) -> str:
    """The type as arrow-rs prints it."""
    name = PRINTED[kind.kind]
    if kind.kind is ArrowKind.TIMESTAMP:
        zone = "None" if kind.timezone is None else f'Some("{kind.timezone}")'
        return f"{name}({UNITS[kind.unit or '']}, {zone})"
    if kind.kind is ArrowKind.STRUCT:
        return f"{name}([{', '.join(map(printed_field, kind.children))}])"
    if kind.kind is ArrowKind.FIXED_SIZE_LIST:
        return f"{name}({printed_field(kind.children[0])}, {kind.length})"
    if kind.kind is ArrowKind.MAP:
        return f"{name}({printed_field(kind.children[0])}, {str(kind.keys_sorted).lower()})"
    said = [kind.unit and UNITS[kind.unit], kind.precision, kind.scale, kind.length, *map(printed_field, kind.children)]
    inside = ", ".join(str(one) for one in said if one is not None)
    return f"{name}({inside})" if inside else name


def printed_field(field: ArrowField) -> str:
    """The field as arrow-rs prints it: the name that items of lists have goes without saying."""
    name = [] if field.name == "item" else [f'name: "{field.name}"']
    said = [*name, f"data_type: {printed(field.type)}", *(["nullable: true"] if field.nullable else [])]
    return f"Field {{ {', '.join(said)} }}"
