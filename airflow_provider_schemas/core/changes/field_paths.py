"""Paths of a change: the way from a column down to a field, an element or a map value.

A path names columns and fields; through an ARRAY it goes with the word `element`, through a MAP with
`value`. Java takes any word there, even `key`, and then changes the value: we insist on the right one.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, rebuilt
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError

EditType = Callable[[DataType], DataType]


_LISTED = 10
_WORDS: dict[type[DataType], str] = {ArrayType: "element", MapType: "value"}


def dotted(names: Sequence[str]) -> str:
    """The path as messages show it."""
    return ".".join(names)


def missing(names: Sequence[str], there: Sequence[str] = ()) -> ColumnNotFoundError:
    """The error for a path that ends nowhere."""
    folded = names[-1].casefold()
    like = [one for one in there if one.casefold() == folded]
    listed = ", ".join(map(repr, like or there[:_LISTED])) + (" ..." if len(there) > _LISTED and not like else "")
    fix = f"Did you mean {listed}?" if like else f"There are {listed}." if there else "Check the name."
    return ColumnNotFoundError("there is no such column.", code="column.not-exists", path=dotted(names), fix=fix)


def containers(kind: DataType, names: Sequence[str], depth: int) -> int:
    """How many ARRAYs and MAPs the path at names[depth:] goes through before it comes to a field, or ends."""
    count = 0
    while depth + count < len(names) and (word := _word(kind)):
        if names[depth + count] != word:
            raise _wrong_word(names, depth + count, word)
        kind = within(kind, 1)
        count += 1
    return count


def within(kind: DataType, count: int) -> DataType:
    """The type inside so many ARRAYs and MAPs."""
    for _ in range(count):
        kind = children(kind)[-1][1]
    return kind


def edited(kind: DataType, count: int, edit: EditType) -> DataType:
    """The type with the one inside so many ARRAYs and MAPs edited."""
    if not count:
        return edit(kind)
    *others, (_, inner) = children(kind)
    return rebuilt(kind, [*(part for _, part in others), edited(inner, count - 1, edit)])


def row_within(kind: DataType) -> RowType | None:
    """The ROW that paths through this type come to."""
    while _word(kind):
        kind = within(kind, 1)
    return kind if isinstance(kind, RowType) else None


def with_fields(kind: DataType, fields: tuple[Field, ...]) -> DataType:
    """The type with these fields in that ROW."""
    if isinstance(kind, RowType):
        return type(kind)(fields)
    return edited(kind, 1, lambda inner: with_fields(inner, fields))


class RowsById:
    """The fields of ROWs by their ids, found out once for each ROW."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[RowType, dict[int | str, Field]]] = {}  # with the ROW, so that its place is not used again

    def __call__(self, row: RowType, number: int | str) -> Sequence[Field]:
        """The field of this id."""
        if id(row) not in self._known:
            self._known[id(row)] = (row, {one.id: one for one in reversed(row.fields)})
        found = self._known[id(row)][1].get(number)
        return [] if found is None else [found]


def by_ids(kind: DataType, steps: Sequence[int | str], rows: RowsById | None = None) -> DataType | None:
    """The type at the end of such a path, if there was one. Who asks for many hands in the rows that were seen."""
    find = rows or _with_id
    for step in steps:
        if isinstance(kind, RowType):
            found = [one.type for one in find(kind, step)]
        else:
            found = [part for word, part in children(kind) if word == step]
        if not found:
            return None
        kind = found[0]
    return kind


def _with_id(row: RowType, number: int | str) -> Sequence[Field]:
    """The field of this id; in most structs the ids run on, so that its place follows from it."""
    fields = row.fields
    place = number - fields[0].id if fields and isinstance(number, int) else -1
    if 0 <= place < len(fields) and fields[place].id == number:
        return fields[place : place + 1]
    return [one for one in fields if one.id == number]


def closed(kind: DataType, names: Sequence[str], depth: int) -> ColumnNotFoundError:
    """The error for a path that goes on into a type without fields."""
    message = f"{dotted(names[:depth])!r} is {kind.root.name}: its parts cannot change one by one."
    return ColumnNotFoundError(message, code="column.not-exists", path=dotted(names[: depth + 1]), fix="Name the column itself.")


def _wrong_word(names: Sequence[str], depth: int, word: str) -> ChangeError:
    """The error for a path that enters an ARRAY or MAP without its word."""
    right = dotted([*names[:depth], word])
    message = f"{dotted(names[:depth])!r} is {'an ARRAY' if word == 'element' else 'a MAP'}; {names[depth]!r} leads nowhere in it."
    fix = f"Go on with {right!r}." + (" Map keys cannot change." if word == "value" else "")
    return ChangeError(message, code="path.wrapper-word", path=dotted(names[: depth + 1]), fix=fix)


def no_row(found: DataType, names: Sequence[str], *, adding: bool) -> ChangeError:
    """The error for a path whose last name is no field, because what is around it is no ROW."""
    word = _word(found)
    if word and names[-1] != word:
        return _wrong_word(names, len(names) - 1, word)
    if not word and not adding:
        return missing(names)
    message = f"{dotted(names[:-1])!r} is {found}, which has no fields."
    return ChangeError(message, code="path.not-a-field", path=dotted(names), fix="Name a field of a ROW.")


def _word(kind: DataType) -> str | None:
    """The word by which a path goes into the type."""
    return next((word for family, word in _WORDS.items() if isinstance(kind, family)), None)
