"""Which types of Iceberg may follow each other under one field id, as its specification says, and where other schemas hold another type."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

_DECIMAL: Final = re.compile(r"decimal\(\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*\)")
_PROMOTED: Final = frozenset(
    {
        ("int", "long"),
        ("float", "double"),
        ("date", "timestamp"),
        ("date", "timestamp_ns"),
    }
)
_ANYTHING: Final = "unknown"
"""Every type may follow it: no file holds a value of it."""
_PARTS: Final = (("element-id", "element"), ("key-id", "key"), ("value-id", "value"))
_DEEPEST: Final = 64


class TypeStep(NamedTuple):
    """A field whose type in another schema is not one that the current type may follow."""

    numbers: tuple[int, ...]
    """Of the other schemas, in the order in which they were compared."""
    id: int
    name: str
    before: str
    now: str


def refused_steps(current: bytes, others: Iterable[tuple[int, bytes]]) -> Iterator[TypeStep]:
    """Yield the fields of a schema whose type cannot hold what files of other schemas have under the same id, once for each type."""
    now = _types(current)
    schemas: dict[tuple[int, str], list[int]] = {}
    for number, raw in others:
        for field_id, (_, before) in _types(raw).items():
            kind = now.get(field_id, ("", before))[1]
            if not may_follow(before, kind):
                schemas.setdefault((field_id, before), []).append(number)
    for (field_id, before), numbers in schemas.items():
        name, kind = now[field_id]
        yield TypeStep(tuple(numbers), field_id, name, before, kind)


def may_follow(before: str, now: str) -> bool:
    """Return whether a field may have been of one type and be of the other now, so that every reader reads the files of then."""
    if before in (now, _ANYTHING) or (before, now) in _PROMOTED:
        return True
    old = _DECIMAL.fullmatch(before)
    new = _DECIMAL.fullmatch(now)
    if old is None or new is None:
        return False
    return int(old[1]) <= int(new[1]) and int(old[2]) == int(new[2])


def _types(raw: bytes) -> Mapping[int, tuple[str, str]]:
    """Return the path and the type of each leaf of a schema by its id; what cannot be read is not compared."""
    try:
        schema = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return dict(_leaves(schema, "", 0))


def _leaves(struct: Any, path: str, depth: int) -> Iterator[tuple[int, tuple[str, str]]]:
    fields = struct.get("fields") if isinstance(struct, dict) else None
    for field in fields if isinstance(fields, list) else ():
        if isinstance(field, dict):
            yield from _of_part(field.get("id"), field.get("type"), f"{path}{field.get('name')}", depth)


def _of_part(number: object, kind: object, path: str, depth: int) -> Iterator[tuple[int, tuple[str, str]]]:
    if isinstance(kind, str) and isinstance(number, int):
        yield number, (path, kind.lower())
    elif isinstance(kind, dict) and depth < _DEEPEST:
        yield from _leaves(kind, f"{path}.", depth + 1)
        for own, part in _PARTS:
            if part in kind:
                yield from _of_part(kind.get(own), kind[part], f"{path}.{part}", depth + 1)
