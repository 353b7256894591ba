"""Schema changes: one atomic edit each, in three forms.

As a value, as Paimon's REST object (`{"action": "addColumn", ...}`) for machines, and as a short text
for people (`ADD COLUMN coupon STRING AFTER amount`, see `short_text`). Reading any of them never looks
at a schema; whether a change is allowed is decided by `evolve`.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.common.short_repr import BoundedRepr, bounded
from airflow_provider_schemas.core.common.strict_json import JsonValue
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.types.atomic import DataType


class MoveType(StrEnum):
    """Where a column goes."""

    FIRST = "FIRST"
    AFTER = "AFTER"
    BEFORE = "BEFORE"
    LAST = "LAST"


class Move(BoundedRepr, Struct, frozen=True):
    """A place among the columns; AFTER and BEFORE name a reference."""

    field: str
    type: MoveType
    reference: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return Paimon's REST form."""
        members = {"fieldName": self.field}
        if self.reference is not None:
            members["referenceFieldName"] = self.reference
        return {**members, "type": self.type.value}


class SchemaChange(BoundedRepr, Struct, frozen=True):
    """What all changes share."""

    def to_json(self) -> dict[str, Any]:
        """Return Paimon's REST form."""
        action, members = REST[type(self)]
        form: dict[str, Any] = {"action": action}
        for key, name in members.items():
            value = getattr(self, name)
            if value is not None or key in _NULL_MEANS:
                form[key] = _member_json(value)
        return form


class SetOption(SchemaChange, frozen=True):
    """Give an option a value."""

    key: str
    value: str

    @property
    def masked_value(self) -> str:
        """The value as logs and messages may show it."""
        return MASK if is_secret(self.key) else without_credentials(self.value)

    def __repr__(self) -> str:
        return bounded(f"SetOption(key={self.key!r}, value={self.masked_value!r})")


class RemoveOption(SchemaChange, frozen=True):
    """Take an option away."""

    key: str


class UpdateComment(SchemaChange, frozen=True):
    """Set the comment of the table; None removes it."""

    comment: str | None


class AddColumn(SchemaChange, frozen=True):
    """Add a nullable column, or a field of a ROW."""

    names: tuple[str, ...]
    type: DataType
    comment: str | None = None
    move: Move | None = None


class RenameColumn(SchemaChange, frozen=True):
    """Give a column another name; its id stays."""

    names: tuple[str, ...]
    new_name: str


class DropColumn(SchemaChange, frozen=True):
    """Drop a column; its id is never used again."""

    names: tuple[str, ...]


class UpdateColumnType(SchemaChange, frozen=True):
    """Give a column another type."""

    names: tuple[str, ...]
    type: DataType
    keep_nullability: bool = False


class UpdateColumnNullability(SchemaChange, frozen=True):
    """Let a column hold NULL, or not."""

    names: tuple[str, ...]
    nullable: bool


class UpdateColumnComment(SchemaChange, frozen=True):
    """Set the comment of a column; None removes it."""

    names: tuple[str, ...]
    comment: str | None


class UpdateColumnDefaultValue(SchemaChange, frozen=True):
    """Set the default that writers fill in, as text; None removes it."""

    names: tuple[str, ...]
    default: str | None


class UpdateColumnPosition(SchemaChange, frozen=True):
    """Move a top-level column."""

    move: Move


class DropPrimaryKey(SchemaChange, frozen=True):
    """Turn a table with a primary key into one without."""


# Value -> (action, REST member -> attribute), in the order in which the members are written.
REST: dict[type[SchemaChange], tuple[str, dict[str, str]]] = {
    SetOption: ("setOption", {"key": "key", "value": "value"}),
    RemoveOption: ("removeOption", {"key": "key"}),
    UpdateComment: ("updateComment", {"comment": "comment"}),
    AddColumn: ("addColumn", {"fieldNames": "names", "dataType": "type", "comment": "comment", "move": "move"}),
    RenameColumn: ("renameColumn", {"fieldNames": "names", "newName": "new_name"}),
    DropColumn: ("dropColumn", {"fieldNames": "names"}),
    UpdateColumnType: ("updateColumnType", {"fieldNames": "names", "newDataType": "type", "keepNullability": "keep_nullability"}),
    UpdateColumnNullability: ("updateColumnNullability", {"fieldNames": "names", "newNullability": "nullable"}),
    UpdateColumnComment: ("updateColumnComment", {"fieldNames": "names", "newComment": "comment"}),
    UpdateColumnDefaultValue: ("updateColumnDefaultValue", {"fieldNames": "names", "newDefaultValue": "default"}),
    UpdateColumnPosition: ("updateColumnPosition", {"move": "move"}),
    DropPrimaryKey: ("dropPrimaryKey", {}),
}

# Members whose null says that something is removed, so that it is written.
_NULL_MEANS = frozenset({"newComment", "newDefaultValue"})


def _member_json(value: bool | str | tuple[str, ...] | DataType | Move | None) -> JsonValue:
    if isinstance(value, DataType | Move):
        return value.to_json()
    return list(value) if isinstance(value, tuple) else value


def set_attributes(field_id: int | None, values: Mapping[str, Any]) -> SetOption | RemoveOption:
    """Return the change that sets the attributes of a field, or of the table where the id is None; no values remove them."""
    key = attribute_key(field_id)
    if not values:
        return RemoveOption(key)
    return SetOption(key, json.dumps(dict(values), ensure_ascii=False, sort_keys=True))
