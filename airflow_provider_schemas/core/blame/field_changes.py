"""What a version did to one field: its states, and both sides in words."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.blame.lifelines import CellState
from airflow_provider_schemas.core.blame.path_fields import PathField
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.schema.attribute_options import attribute_object
from airflow_provider_schemas.core.schema.foreign_attributes import ELEMENT_IDS, LOGICAL

_NOT_NULL: Final = " NOT NULL"
# The last one is Delta's: every column gets it on the day on which the table gives its columns ids.
_NO_MEANING: Final = frozenset({ELEMENT_IDS, LOGICAL, "physical_name"})


class FieldChange(NamedTuple):
    """What a version did to a field."""

    states: tuple[CellState, ...]
    text: str = ""


def changes_between(before: PathField, after: PathField, *, has_moved: bool = False) -> FieldChange | None:
    """Return what makes one field of another; None where nothing does."""
    if not has_moved and before.parent == after.parent and _is_same(before, after):
        return None
    found = [(state, text) for state, text_of in _SIDES if (text := text_of(before, after))]
    if before.parent != after.parent:
        found.append((CellState.MOVED, f"{before.path} -> {after.path}"))
    elif has_moved:
        found.append((CellState.MOVED, "another place among its neighbours"))
    if not found:
        return None
    states = dict.fromkeys(state for state, _ in found)
    return FieldChange(tuple(states), without_credentials("; ".join(text for _, text in found)))


def _is_same(before: PathField, after: PathField) -> bool:
    return before.field == after.field and before.attributes == after.attributes


# ---------------------------------------------------------------- both sides


def _names(before: PathField, after: PathField) -> str:
    return _sides("", before.field.name, after.field.name)


def _types(before: PathField, after: PathField) -> str:
    old = before.type.removesuffix(_NOT_NULL)
    new = after.type.removesuffix(_NOT_NULL)
    if old != new:
        return _sides("", before.type, after.type)
    return _sides("", _source_type(before), _source_type(after))


def _nullability(before: PathField, after: PathField) -> str:
    if before.field.type.nullable is after.field.type.nullable or _types(before, after):
        return ""
    return _sides("", before.type, after.type)


def _nullability_with_type(before: PathField, after: PathField) -> str:
    """Return the change of NOT NULL where the type changed as well, whose sides say it already."""
    if before.field.type.nullable is after.field.type.nullable or not _types(before, after):
        return ""
    return "NULL is allowed" if after.field.type.nullable else "NULL is not allowed"


def _comments(before: PathField, after: PathField) -> str:
    return _sides("comment ", _quoted(before.field.description), _quoted(after.field.description))


def _defaults(before: PathField, after: PathField) -> str:
    return _sides("default ", before.field.default, after.field.default)


def _attributes(before: PathField, after: PathField) -> str:
    if before.attributes == after.attributes:
        return ""
    old = _values(before)
    new = _values(after)
    return "; ".join(_differing(old, new))


_SIDES: Final[tuple[tuple[CellState, Callable[[PathField, PathField], str]], ...]] = (
    (CellState.RENAMED, _names),
    (CellState.RETYPED, _types),
    (CellState.NULLABILITY, _nullability),
    (CellState.NULLABILITY, _nullability_with_type),
    (CellState.COMMENT, _comments),
    (CellState.DEFAULT, _defaults),
    (CellState.ATTRIBUTES, _attributes),
)


def _sides(label: str, before: str | None, after: str | None) -> str:
    if before == after:
        return ""
    return f"{label}{_shown(before)} -> {_shown(after)}"


def _shown(side: str | None) -> str:
    if side is None:
        return "none"
    return side or "''"


def _quoted(comment: str | None) -> str | None:
    return None if comment is None else f"'{comment}'"


def _source_type(found: PathField) -> str:
    """Return the type of the source of a mounted table, where ours is only its form."""
    if LOGICAL not in found.attributes:
        return ""
    values = attribute_object(found.attributes) or {}
    return str(values.get(LOGICAL, ""))


def _values(found: PathField) -> Mapping[str, Any]:
    """Return the attributes without those by which the source finds values, and without its type, which is compared as a type."""
    values = attribute_object(found.attributes) if found.attributes else None
    return {key: value for key, value in (values or {}).items() if key not in _NO_MEANING}


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield f"{key} {_text(old.get(key))} -> {_text(new.get(key))}"


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text}".strip() for key, text in value.items())
    return str(value) or "''"
