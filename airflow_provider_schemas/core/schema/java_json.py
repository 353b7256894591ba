"""The layout in which Java writes a schema file: two blanks a level, a blank on both sides of the colon."""

import json
from collections.abc import Callable, Iterable, Sequence
from json.encoder import encode_basestring
from typing import Any

from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.nested import Field, Wire

# A JSON string; only what must be escaped is.
text: Callable[[str], str] = encode_basestring


def object_text(members: Iterable[tuple[str, str]], indent: str = "") -> str:
    """A JSON object of members whose values are laid out already."""
    parts = ["{"]  # put together once: one value may be a megabyte
    for key, value in members:
        parts += ["\n" if len(parts) == 1 else ",\n", indent, "  ", text(key), " : ", value]
    return "".join([*parts, "\n", indent, "}"]) if len(parts) > 1 else "{ }"


def list_text(values: Iterable[str]) -> str:
    """A JSON list, which stays on its line."""
    inner = ", ".join(values)
    return f"[ {inner} ]" if inner else "[ ]"


def any_text(value: Any, indent: str = "") -> str:
    """Any JSON value in this layout."""
    if isinstance(value, dict):
        return object_text(((key, any_text(one, indent + "  ")) for key, one in value.items()), indent)
    if isinstance(value, list | tuple):
        return list_text(any_text(one, indent) for one in value)
    return text(value) if isinstance(value, str) else json.dumps(value)


def fields_text(fields: Sequence[Field], indent: str) -> str:
    """Columns, or the fields of a ROW. Written out by hand because a wide table has thousands, of a few types."""
    inner, end, known = f"\n{indent}  ", f"\n{indent}}}", dict[str, str]()
    first, second, fourth = f'{{{inner}"id" : ', f',{inner}"name" : ', f',{inner}"description" : '
    spelled, found = text, []
    for one in fields:
        wire, description = one.wire, one.description
        kind = known.get(wire) if type(wire) is str else type_text(wire, f"{indent}  ")
        if kind is None:
            kind = known[str(wire)] = type_text(wire, "")
        tail = end if one.default is None else f',{inner}"defaultValue" : {spelled(one.default)}{end}'
        if description is not None:
            tail = f"{fourth}{spelled(description)}{tail}"
        found.append(f'{first}{one.id}{second}{spelled(one.name)},{inner}"type" : {kind}{tail}')
    return list_text(found)


def type_text(wire: Wire, indent: str) -> str:
    """A type as the file spells it."""
    if type(wire) is str:
        return text(wire)
    kind = nested.of_wire(wire)
    if isinstance(kind, atomic.AtomicType):
        return text(str(kind))
    tag = text(kind.root.value if kind.nullable else f"{kind.root.value} NOT NULL")
    if isinstance(kind, nested.RowType):
        return object_text([("type", tag), ("fields", fields_text(kind.fields, f"{indent}  "))], indent)
    parts = [(word, type_text(nested.wire(part), f"{indent}  ")) for word, part in nested.children(kind)]
    length = [("length", str(kind.length))] if isinstance(kind, nested.VectorType) else []
    return object_text([("type", tag), *parts, *length], indent)
