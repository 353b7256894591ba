"""Paths of a change: the way from a column down to a field, an element or a map value.

A path names columns and fields; through an ARRAY it goes with the word `element`, through a MAP with
`value`. Java takes any word there, even `key`, and then changes the value: we take only the right one.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, rebuilt
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError

EditType = Callable[[DataType], DataType]


_LISTED = 10


def dotted(names: Sequence[str]) -> str:
    """Return the path as messages show it."""
    return ".".join(names)


def missing(names: Sequence[str], siblings: Sequence[str] = ()) -> ColumnNotFoundError:
    """Return the error for a path to a column that does not exist beside its siblings."""
    return ColumnNotFoundError("there is no such column.", code="column.not-exists", path=dotted(names), fix=_nearest(names[-1], siblings))


def _nearest(name: str, siblings: Sequence[str]) -> str:
    folded = name.casefold()
    similar = [sibling for sibling in siblings if sibling.casefold() == folded]
    if similar:
        return f"Did you mean {', '.join(map(repr, similar))}?"
    if not siblings:
        return "Check the name."
    more = " ..." if len(siblings) > _LISTED else ""
    return f"{_similar(name, siblings)}There are {', '.join(map(repr, siblings[:_LISTED]))}{more}."


def _similar(name: str, siblings: Sequence[str]) -> str:
    """Return the question about columns that may be meant; empty where none is near. A table may have a thousand."""
    from difflib import get_close_matches

    near = get_close_matches(name, siblings, n=2, cutoff=0.75)
    return f"Did you mean {' or '.join(map(repr, near))}? " if near else ""


def containers(kind: DataType, names: Sequence[str], depth: int) -> int:
    """Count the ARRAYs and MAPs that the path at names[depth:] goes through before it comes to a field, or ends."""
    count = 0
    while depth + count < len(names) and (word := _word(kind)):
        if names[depth + count] != word:
            raise _wrong_word(names, depth + count, word)
        kind = within(kind, 1)
        count += 1
    return count


def within(kind: DataType, count: int) -> DataType:
    """Return the type inside so many ARRAYs and MAPs."""
    for _ in range(count):
        kind = children(kind)[-1][1]
    return kind


def edited(kind: DataType, count: int, edit: EditType) -> DataType:
    """Return the type after an edit of the type inside so many ARRAYs and MAPs."""
    if not count:
        return edit(kind)
    *others, (_, inner) = children(kind)
    return rebuilt(kind, [*(part for _, part in others), edited(inner, count - 1, edit)])


def row_within(kind: DataType) -> RowType | None:
    """Return the ROW that paths through this type come to."""
    while _word(kind):
        kind = within(kind, 1)
    return kind if isinstance(kind, RowType) else None


def with_fields(kind: DataType, fields: tuple[Field, ...]) -> DataType:
    """Return the type with these fields in the ROW that paths through it come to."""
    if isinstance(kind, RowType):
        return type(kind)(fields)
    return edited(kind, 1, lambda inner: with_fields(inner, fields))


class RowsById:
    """The fields of ROWs by their ids, indexed once for each ROW."""

    def __init__(self) -> None:
        self._indexes: dict[int, tuple[RowType, dict[int | str, Field]]] = {}  # with the ROW, so that its address is not used again

    def __call__(self, row: RowType, number: int | str) -> Field | None:
        """Return the field of this id."""
        if id(row) not in self._indexes:
            self._indexes[id(row)] = (row, {field.id: field for field in reversed(row.fields)})
        return self._indexes[id(row)][1].get(number)


def by_ids(kind: DataType, steps: Sequence[int | str], rows: RowsById | None = None) -> DataType | None:
    """Return the type at the end of a path of ids, if there is one. Many paths through the same ROWs share a RowsById."""
    find_field = rows or _field_of_id
    for step in steps:
        part: DataType | None
        if isinstance(kind, RowType):
            field = find_field(kind, step)
            part = field.type if field else None
        else:
            part = next((part for word, part in children(kind) if word == step), None)
        if part is None:
            return None
        kind = part
    return kind


def _field_of_id(row: RowType, number: int | str) -> Field | None:
    """Return the field of this id; in most structs the ids run on, so that its position follows from the id."""
    fields = row.fields
    if fields and isinstance(number, int):
        position = number - fields[0].id
        if 0 <= position < len(fields) and fields[position].id == number:
            return fields[position]
    return next((field for field in fields if field.id == number), None)


def closed(kind: DataType, names: Sequence[str], depth: int) -> ColumnNotFoundError:
    """Return the error for a path that goes on into a type without fields."""
    message = f"{dotted(names[:depth])!r} is {kind.root.name}: its parts cannot change one by one."
    return ColumnNotFoundError(message, code="column.not-exists", path=dotted(names[: depth + 1]), fix="Name the column itself.")


def _wrong_word(names: Sequence[str], depth: int, word: str) -> ChangeError:
    """Return the error for a path that enters an ARRAY or MAP without its word."""
    right = dotted([*names[:depth], word])
    message = f"{dotted(names[:depth])!r} is {_CONTAINERS[word]}; {names[depth]!r} leads nowhere in it."
    fix = f"Go on with {right!r}."
    if word == "value":
        fix += " Map keys cannot change."
    return ChangeError(message, code="path.wrapper-word", path=dotted(names[: depth + 1]), fix=fix)


def no_row(parent: DataType, names: Sequence[str], *, adding: bool) -> ChangeError:
    """Return the error for a path whose last name is no field, because its parent is no ROW."""
    word = _word(parent)
    if word and names[-1] != word:
        return _wrong_word(names, len(names) - 1, word)
    if not word and not adding:
        return missing(names)
    message = f"{dotted(names[:-1])!r} is {parent}, which has no fields."
    return ChangeError(message, code="path.not-a-field", path=dotted(names), fix="Name a field of a ROW.")


_CONTAINERS = {"element": "an ARRAY", "value": "a MAP"}


def _word(kind: DataType) -> str | None:
    """Return the word by which a path goes into the type."""
    if isinstance(kind, ArrayType):
        return "element"
    return "value" if isinstance(kind, MapType) else None
