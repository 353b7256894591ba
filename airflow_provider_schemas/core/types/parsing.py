"""Types from text: Paimon's JSON form, read as strictly as Java does, and SQL text for people.

Writing is a method of the types (`to_json`, `str`); reading is here. Either all fields have ids, or none;
without ids the fields are numbered from 0, parents before their children.
"""

from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.common.strict_json import JsonValue, Place
from airflow_provider_schemas.core.common.text import MAX_NAME, half_pair, shown
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import CONTAINER_KEYS, FIELD_KEYS, PART_KEYS
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, MAX_FIELDS, Field, RowType
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT, TypeParser
from airflow_provider_schemas.errors import Fault, TypeTextError, collect


def parse_type(source: str | Mapping[str, Any]) -> DataType:
    """Return a type from Paimon's JSON form: text for an atomic type, an object for a container."""
    reader = TypeReader(numbering=True)
    kind = reader.read_type(source, "", 0)
    if kind is None:
        raise TypeTextError.of(reader.faults)
    return kind


def parse_any(source: str | Mapping[str, Any]) -> DataType:
    """Return a type as users write it: SQL text, nested too, or Paimon's object."""
    if not isinstance(source, str):
        return parse_type(source)
    _check_text(source)
    return atomic.known(source) or TypeParser(source, nested=True).read_whole_type()


def parse_ddl(text: str) -> DataType:
    """Return a type from SQL text, nested too; a list of columns becomes a ROW with ids from 0."""
    _check_text(text)
    try:
        return TypeParser(text, nested=True).read_whole_type()
    except TypeTextError:
        parser = TypeParser(text, nested=True)
        if parser.token.kind == "key" and parser.ahead.kind in ("mark", "end"):
            raise
        return nested.row(parser.read_columns(None, 0))


def parse_columns(text: str) -> tuple[Field, ...]:
    """Return columns from SQL text, such as "a INT NOT NULL, b STRING COMMENT 'x'"."""
    _check_text(text)
    return nested.row(TypeParser(text, nested=True).read_columns(None, 0)).fields


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeTextError(f"{shown(text)} is no SQL text.", code="type.json-shape", fix="Pass text such as 'a INT, b STRING'.")
    if len(text) > MAX_TEXT:
        message = f"the text has {len(text)} characters."
        raise TypeTextError(message, code="type.too-long", fix=f"Keep it below {MAX_TEXT} characters.")
    if half_pair(text):
        raise TypeTextError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")


class TypeReader:
    """Reads types out of parsed JSON, and collects every fault and every unknown key.

    With numbering, ids may be left out (stand-alone types); without, they must be given (schema files).
    """

    def __init__(self, *, numbering: bool) -> None:
        self.numbering = numbering
        self.last_id = -1
        self.faults: list[Fault] = []
        self.unknown: list[tuple[Place, Any]] = []

    def add_fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    def read_type(self, source: JsonValue, path: str, depth: int, place: Place = ()) -> DataType | None:
        """Read a type; return None with at least one more fault noted."""
        if isinstance(source, str):
            return self.read_text(source, path)
        if not isinstance(source, Mapping):
            self.add_fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'.")
            return None
        if depth >= MAX_DEPTH:
            self.add_fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        tag = source.get("type")
        if tag is None:
            self.add_fault("json.missing-key", path, "the object of a data type has no 'type'.", 'Add it, such as "type": "ARRAY".')
            return None
        root = next((root for root in PART_KEYS if isinstance(tag, str) and tag.startswith(root)), None)
        if root is None:
            fix = "Objects describe ARRAY, VECTOR, MULTISET, MAP and ROW; write any other type as text."
            self.add_fault("type.json-shape", path, f"{shown(tag)} is no container type.", fix)
            return None
        kind = self.read_container(root, source, path, depth + 1, place)
        return kind and kind.with_nullable("NOT NULL" not in tag)

    def read_text(self, source: str, path: str) -> DataType | None:
        """Read a type from its text, in Paimon's own dialect."""

        def read() -> DataType:
            _check_text(source)
            return atomic.known(source) or TypeParser(source, nested=False).read_whole_type()

        kind: DataType | None = collect(self.faults, read, path)
        return kind

    def read_container(self, root: str, source: Mapping[str, Any], path: str, depth: int, place: Place) -> DataType | None:
        wanted = CONTAINER_KEYS[root]
        self.unknown += [((*place, str(key)), value) for key, value in source.items() if key not in wanted]
        missing = [key for key in sorted(wanted) if key not in source]
        for key in missing:
            self.add_fault("json.missing-key", path, f"the {root} has no {key!r}.", "Add it.")
        if root == "ROW" and not missing:
            return self.read_row(source["fields"], path, depth, place)
        parts = [self.read_type(source[key], _joined(path, key), depth, (*place, key)) for key in PART_KEYS[root] if key in source]
        whole = [part for part in parts if part is not None]
        if missing or len(whole) < len(parts):
            return None
        kind: DataType | None = collect(self.faults, lambda: _build_container(root, whole, source.get("length")), path)
        return kind

    def read_row(self, source: JsonValue, path: str, depth: int, place: Place) -> DataType | None:
        if not isinstance(source, list | tuple):
            self.add_fault("json.wrong-type", path, f"the fields of a ROW are {shown(source)}.", "Write a list of fields.")
            return None
        if len(source) > MAX_FIELDS:
            self.add_fault("fields.too-many", path, f"there are {len(source)} fields.", f"Keep them below {MAX_FIELDS}.")
            return None
        read = [self.read_field(entry, path, depth, (*place, "fields", number)) for number, entry in enumerate(source)]
        fields = [field for field in read if field is not None]
        row: RowType | None = collect(self.faults, lambda: nested.row(fields), path)
        return row if len(fields) == len(read) else None

    def read_field(self, source: JsonValue, path: str, depth: int, place: Place) -> Field | None:
        """Read a field; return None with at least one more fault noted."""
        if not isinstance(source, Mapping):
            self.add_fault("json.wrong-type", path, f"{shown(source)} is no field.", "Write an object with id, name and type.")
            return None
        name = self.read_name(source, path)
        field_path = _joined(path, name or f"[{place[-1]}]")
        number = self.read_id(source, field_path)
        kind = None
        if "type" in source:
            kind = self.read_type(source["type"], field_path, depth, (*place, "type"))
        else:
            self.add_fault("json.missing-key", field_path, "the field has no 'type'.", "Add it.")
        self.unknown += [((*place, str(key)), value) for key, value in source.items() if key not in FIELD_KEYS]
        description = self.read_optional_text(source, "description", field_path)
        default = self.read_optional_text(source, "defaultValue", field_path)
        if name is None or number is None or kind is None:
            return None
        return nested.field(number, name, kind, description, default)

    def read_name(self, source: Mapping[str, Any], path: str) -> str | None:
        name = source.get("name")
        if name is None:
            self.add_fault("json.missing-key", path, "a field has no 'name'.", "Add it.")
        elif not isinstance(name, str):
            self.add_fault("json.wrong-type", path, f"a field is named {shown(name)}.", "Write the name as text.")
        elif len(name) > MAX_NAME:
            self.add_fault("fields.name-too-long", path, f"a name has {len(name)} characters.", f"Keep names below {MAX_NAME}.")
        elif half_pair(name):
            self.add_fault("json.surrogate", path, "a name holds half a surrogate pair.", "Write it as valid Unicode.")
        else:
            return name
        return None

    def read_id(self, source: Mapping[str, Any], path: str) -> int | None:
        if source.get("id") is not None:
            if self.numbering and self.last_id >= 0:
                fix = "Give every field an id, or none."
                self.add_fault("type.partial-field-ids", path, "a field has an id after fields without one.", fix)
                return None
            return self.read_integer(source["id"], path, "id")
        if not self.numbering:
            self.add_fault("json.missing-key", path, "the field has no 'id'.", "Every field of a schema file needs its id.")
            return None
        self.last_id += 1
        return self.last_id

    def read_integer(self, value: JsonValue, path: str, key: str, bits: int = 32) -> int | None:
        """Read a whole number; text of digits counts, and a fraction is cut off, both as in Java."""
        if isinstance(value, str) and value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 21:
            value = int(value)
        if not isinstance(value, int | float) or isinstance(value, bool) or not -(2 ** (bits - 1)) <= value <= 2 ** (bits - 1) - 1:
            self.add_fault("json.wrong-type", path, f"{key!r} is {shown(value)}.", f"Write a whole number of {bits} bits.")
            return None
        return int(value)

    def read_optional_text(self, source: Mapping[str, Any], key: str, path: str) -> str | None:
        """Read text or nothing. Numbers become their text, as in Java; null counts as nothing, unlike Java."""
        value: JsonValue = source.get(key)
        if value is None or (isinstance(value, str) and not half_pair(value)):
            return value
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return str(value)
        self.add_fault("json.wrong-type", path, f"{key!r} is {shown(value)}.", "Write it as text.")
        return None


def _joined(path: str, word: str) -> str:
    return f"{path}.{word}" if path else word


def _build_container(root: str, parts: list[DataType], length: JsonValue) -> DataType:
    if root == "VECTOR":
        if not isinstance(length, int) or isinstance(length, bool):
            raise TypeTextError(f"the length of a VECTOR is {shown(length)}.", code="json.wrong-type", fix="Write a whole number.")
        return nested.vector(parts[0], length)
    if root == "MAP":
        return nested.map_of(*parts)
    if root == "ARRAY":
        return nested.array(parts[0])
    return nested.multiset(parts[0])
