"""Notation of types: Paimon's JSON form, read as strictly as Java does, and SQL text for people.

Writing is a method of the types (`to_json`, `str`); reading is here. Ids of fields are either all
given or none; without ids the fields are numbered from 0, parents before their children.
"""

from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.common.text import MAX_NAME, half_pair, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, MAX_FIELDS, Field, RowType
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, Parser
from airflow_provider_schemas.errors import Fault, TypeTextError, collect

_CONTAINERS = ("ARRAY", "VECTOR", "MULTISET", "MAP", "ROW")  # the order in which Java tries the prefixes


def parse_type(source: str | Mapping[str, Any]) -> DataType:
    """A type from Paimon's JSON form: text for an atomic type, an object for a container."""
    reader = TypeReader(numbering=True)
    kind = reader.type(source, "", 0)
    if kind is None:
        raise TypeTextError.of(reader.faults)
    return kind


def parse_any(source: Any) -> DataType:
    """A type as people write it: SQL text, nested too, or Paimon's object."""
    if not isinstance(source, str):
        return parse_type(source)
    _check_text(source)
    return atomic.known(source) or Parser(source, nested=True).whole_type()


def parse_ddl(text: str) -> DataType:
    """A type from SQL text, nested too; a list of columns becomes a ROW with ids from 0."""
    _check_text(text)
    try:
        return Parser(text, nested=True).whole_type()
    except TypeTextError:
        start = Parser(text, nested=True)
        if start.token.kind == "key" and start.ahead.kind in ("mark", "end"):
            raise
        return nested.row(start.columns(None, 0))


def parse_columns(text: str) -> tuple[Field, ...]:
    """Columns from SQL text, such as "a INT NOT NULL, b STRING COMMENT 'x'"."""
    _check_text(text)
    return nested.row(Parser(text, nested=True).columns(None, 0)).fields


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeTextError(f"{shown(text)} is no SQL text.", code="type.json-shape", fix="Pass text such as 'a INT, b STRING'.")
    if len(text) > MAX_TEXT:
        message = f"the text has {len(text)} characters."
        raise TypeTextError(message, code="type.too-long", fix=f"Keep it below {MAX_TEXT} characters.")
    if half_pair(text):
        raise TypeTextError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")


class TypeReader:
    """Reads types out of parsed JSON, and collects every fault and every key it does not know.

    With numbering, ids may be left out (stand-alone types); without, they must be there (schema files).
    """

    def __init__(self, *, numbering: bool) -> None:
        self.numbering = numbering
        self.last_id = -1
        self.faults: list[Fault] = []
        self.unknown: list[tuple[tuple[str | int, ...], Any]] = []

    def fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    def type(self, source: Any, path: str, depth: int, place: tuple[str | int, ...] = ()) -> DataType | None:
        """The type, or None with at least one more fault noted."""
        if isinstance(source, str):
            return self.text(source, path)
        if not isinstance(source, Mapping):
            self.fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'.")
            return None
        if depth >= MAX_DEPTH:
            self.fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        tag = source.get("type")
        if tag is None:
            self.fault("json.missing-key", path, "the object of a data type has no 'type'.", 'Add it, such as "type": "ARRAY".')
            return None
        root = next((root for root in _CONTAINERS if isinstance(tag, str) and tag.startswith(root)), None)
        if root is None:
            fix = "Objects describe ARRAY, VECTOR, MULTISET, MAP and ROW; write any other type as text."
            self.fault("type.json-shape", path, f"{shown(tag)} is no container type.", fix)
            return None
        kind = self.container(root, source, path, depth + 1, place)
        return None if kind is None else kind.with_nullable("NOT NULL" not in tag)

    def text(self, source: str, path: str) -> DataType | None:
        """A type from its text, in Paimon's own dialect."""

        def read() -> DataType:
            _check_text(source)
            return atomic.known(source) or Parser(source, nested=False).whole_type()

        answer: DataType | None = collect(self.faults, read, path)
        return answer

    def container(self, root: str, source: Mapping[str, Any], path: str, depth: int, place: tuple[str | int, ...]) -> DataType | None:
        words = {"MAP": ("key", "value"), "ROW": (), "VECTOR": ("element",)}.get(root, ("element",))
        wanted = {*words, "type", *(("fields",) if root == "ROW" else ()), *(("length",) if root == "VECTOR" else ())}
        self.unknown += [((*place, str(key)), value) for key, value in source.items() if key not in wanted]
        missing = [key for key in sorted(wanted) if key not in source]
        for key in missing:
            self.fault("json.missing-key", path, f"the {root} has no {key!r}.", "Add it.")
        if root == "ROW" and not missing:
            return self.row(source["fields"], path, depth, place)
        parts = [self.type(source[key], _joined(path, key), depth, (*place, key)) for key in words if key in source]
        if missing or None in parts:
            return None
        length = (source["length"],) if root == "VECTOR" else ()
        answer: DataType | None = collect(self.faults, lambda: _built(root, parts, *length), path)
        return answer

    def row(self, source: Any, path: str, depth: int, place: tuple[str | int, ...]) -> DataType | None:
        if not isinstance(source, list | tuple):
            self.fault("json.wrong-type", path, f"the fields of a ROW are {shown(source)}.", "Write a list of fields.")
            return None
        if len(source) > MAX_FIELDS:
            self.fault("fields.too-many", path, f"there are {len(source)} fields.", f"Keep them below {MAX_FIELDS}.")
            return None
        fields = [self.field(one, path, depth, (*place, "fields", number)) for number, one in enumerate(source)]
        found = [one for one in fields if one is not None]
        answer: RowType | None = collect(self.faults, lambda: nested.row(found), path)
        return answer if len(found) == len(fields) else None

    def field(self, source: Any, path: str, depth: int, place: tuple[str | int, ...]) -> Field | None:
        """A field, or None with at least one more fault noted."""
        if not isinstance(source, Mapping):
            self.fault("json.wrong-type", path, f"{shown(source)} is no field.", "Write an object with id, name and type.")
            return None
        name = self.name(source, path)
        here = _joined(path, name or f"[{place[-1]}]")
        number = self.id(source, here)
        kind = self.type(source["type"], here, depth, (*place, "type")) if "type" in source else None
        if "type" not in source:
            self.fault("json.missing-key", here, "the field has no 'type'.", "Add it.")
        known = ("id", "name", "type", "description", "defaultValue")
        self.unknown += [((*place, str(key)), value) for key, value in source.items() if key not in known]
        texts = [self.optional(source, key, here) for key in ("description", "defaultValue")]
        return None if name is None or number is None or kind is None else nested.field(number, name, kind, *texts)

    def name(self, source: Mapping[str, Any], path: str) -> str | None:
        name = source.get("name")
        if name is None:
            self.fault("json.missing-key", path, "a field has no 'name'.", "Add it.")
        elif not isinstance(name, str):
            self.fault("json.wrong-type", path, f"a field is named {shown(name)}.", "Write the name as text.")
        elif len(name) > MAX_NAME:
            self.fault("fields.name-too-long", path, f"a name has {len(name)} characters.", f"Keep names below {MAX_NAME}.")
        elif half_pair(name):
            self.fault("json.surrogate", path, "a name holds half a surrogate pair.", "Write it as valid Unicode.")
        else:
            return name
        return None

    def id(self, source: Mapping[str, Any], path: str) -> int | None:
        if source.get("id") is not None:
            if self.numbering and self.last_id >= 0:
                fix = "Give every field an id, or none."
                self.fault("type.partial-field-ids", path, "a field has an id after fields without one.", fix)
                return None
            return self.integer(source["id"], path, "id")
        if not self.numbering:
            self.fault("json.missing-key", path, "the field has no 'id'.", "Every field of a schema file needs its id.")
            return None
        self.last_id += 1
        return self.last_id

    def integer(self, value: Any, path: str, key: str, bits: int = 32) -> int | None:
        """A whole number; text of digits counts, and a fraction is cut off, both as in Java."""
        if isinstance(value, str) and value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 21:
            value = int(value)
        if not isinstance(value, int | float) or isinstance(value, bool) or not -(2 ** (bits - 1)) <= value <= 2 ** (bits - 1) - 1:
            self.fault("json.wrong-type", path, f"{key!r} is {shown(value)}.", f"Write a whole number of {bits} bits.")
            return None
        return int(value)

    def optional(self, source: Mapping[str, Any], key: str, path: str) -> str | None:
        """Text or nothing. Numbers become their text, as in Java; null counts as nothing, unlike Java."""
        value = source.get(key)
        if value is None or (isinstance(value, str) and not half_pair(value)):
            return value
        if isinstance(value, bool | int | float):
            return str(value).lower() if isinstance(value, bool) else str(value)
        self.fault("json.wrong-type", path, f"{key!r} is {shown(value)}.", "Write it as text.")
        return None


def _joined(path: str, word: str) -> str:
    return f"{path}.{word}" if path else word


def _built(root: str, parts: list[Any], length: Any = None) -> DataType:
    if root == "VECTOR":
        if not isinstance(length, int) or isinstance(length, bool):
            raise TypeTextError(f"the length of a VECTOR is {shown(length)}.", code="json.wrong-type", fix="Write a whole number.")
        return nested.vector(parts[0], length)
    if root == "MAP":
        return nested.map_of(*parts)
    return nested.array(parts[0]) if root == "ARRAY" else nested.multiset(parts[0])
