"""The layout in which Java writes a schema file: two blanks a level, a blank on both sides of the colon."""

import json
from collections.abc import Callable, Iterable, Sequence
from json.encoder import encode_basestring

from airflow_provider_schemas.core.common.strict_json import JsonValue
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.nested import Field, Wire

# A JSON string; only what must be escaped is.
text: Callable[[str], str] = encode_basestring


def object_text(members: Iterable[tuple[str, str]], indent: str = "") -> str:
    """Return a JSON object of members whose values are laid out already."""
    parts: list[str] = []  # joined once: one value may be a megabyte
    opening = "{\n"
    for key, value in members:
        parts += [opening, indent, "  ", text(key), " : ", value]
        opening = ",\n"
    if not parts:
        return "{ }"
    return "".join([*parts, "\n", indent, "}"])


def list_text(values: Iterable[str]) -> str:
    """Return a JSON list, which stays on its line."""
    inner = ", ".join(values)
    return f"[ {inner} ]" if inner else "[ ]"


def any_text(value: JsonValue, indent: str = "") -> str:
    """Return any JSON value in this layout."""
    if isinstance(value, dict):
        return object_text(((key, any_text(member, indent + "  ")) for key, member in value.items()), indent)
    if isinstance(value, list | tuple):
        return list_text(any_text(entry, indent) for entry in value)
    if isinstance(value, str):
        return text(value)
    return json.dumps(value)


def fields_text(fields: Sequence[Field], indent: str) -> str:
    """Return columns, or the fields of a ROW. Written out by hand because a wide table has thousands, of a few types."""
    line = f"\n{indent}  "
    end = f"\n{indent}}}"
    before_id = f'{{{line}"id" : '
    before_name = f',{line}"name" : '
    before_type = f',{line}"type" : '
    before_description = f',{line}"description" : '
    before_default = f',{line}"defaultValue" : '
    quote = text
    types: dict[str, str] = {}
    objects = []
    for field in fields:
        wire = field.wire
        kind = types.get(wire) if type(wire) is str else type_text(wire, f"{indent}  ")
        if kind is None:
            kind = types[str(wire)] = type_text(wire, "")
        tail = end
        if field.default is not None:
            tail = f"{before_default}{quote(field.default)}{end}"
        if field.description is not None:
            tail = f"{before_description}{quote(field.description)}{tail}"
        objects.append(f"{before_id}{field.id}{before_name}{quote(field.name)}{before_type}{kind}{tail}")
    return list_text(objects)


def type_text(wire: Wire, indent: str) -> str:
    """Return a type as the file spells it."""
    if type(wire) is str:
        return text(wire)
    kind = nested.of_wire(wire)
    if isinstance(kind, atomic.AtomicType):
        return text(str(kind))
    tag = text(kind.root.value if kind.nullable else f"{kind.root.value} NOT NULL")
    if isinstance(kind, nested.RowType):
        return object_text([("type", tag), ("fields", fields_text(kind.fields, f"{indent}  "))], indent)
    members = [("type", tag)]
    members += [(word, type_text(nested.wire(part), f"{indent}  ")) for word, part in nested.children(kind)]
    if isinstance(kind, nested.VectorType):
        members.append(("length", str(kind.length)))
    return object_text(members, indent)
