"""Paths of a change: the way from a column down to a field, an element or a map value.

A path names columns and fields; through an ARRAY it goes with the word `element`, through a MAP with
`value`. Java takes any word there, even `key`, and then changes the value: we insist on the right one.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.atoms import DataType
from airflow_provider_schemas.core.types import ArrayType, Field, MapType, RowType, children, rebuilt
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError

EditType = Callable[[DataType], DataType]
EditFields = Callable[[tuple[Field, ...]], tuple[Field, ...]]


_LISTED = 10
_WORDS: dict[type[DataType] | None, str] = {ArrayType: "element", MapType: "value"}


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


def edited(kind: DataType, names: Sequence[str], depth: int, edit: EditType) -> DataType:
    """The type with the one at names[depth:] edited; names[:depth] led here."""
    if depth == len(names):
        return edit(kind)
    place = _place(kind, names, depth)
    parts = [part for _, part in children(kind)]
    parts[place] = edited(parts[place], names, depth + 1, edit)
    return rebuilt(kind, parts)


def field_depth(kind: DataType, names: Sequence[str]) -> int:
    """How much of the path leads to a field; an element or map value belongs to the field around it."""
    last = 1
    for depth in range(1, len(names)):
        place = _place(kind, names, depth)
        last = depth + 1 if isinstance(kind, RowType) else last
        kind = children(kind)[place][1]
    return last


def id_steps(kind: DataType, names: Sequence[str]) -> list[int | str]:
    """The path from a column of this type by ids, which outlive renames: ids of fields, words of containers."""
    steps: list[int | str] = []
    for depth in range(1, len(names)):
        place = _place(kind, names, depth)
        steps.append(kind.fields[place].id if isinstance(kind, RowType) else names[depth])
        kind = children(kind)[place][1]
    return steps


def by_ids(kind: DataType, steps: Sequence[int | str]) -> DataType | None:
    """The type at the end of such a path, if there was one."""
    for step in steps:
        if isinstance(kind, RowType):
            found = [one.type for one in _with_id(kind.fields, step)]
        else:
            found = [part for word, part in children(kind) if word == step]
        if not found:
            return None
        kind = found[0]
    return kind


def _with_id(fields: Sequence[Field], number: int | str) -> Sequence[Field]:
    """The field of this id; in most structs the ids run on, so that its place follows from it."""
    place = number - fields[0].id if fields and isinstance(number, int) else -1
    if 0 <= place < len(fields) and fields[place].id == number:
        return fields[place : place + 1]
    return [one for one in fields if one.id == number]


def _place(kind: DataType, names: Sequence[str], depth: int) -> int:
    """Which part of the type the next word of the path means."""
    word = _WORDS.get(_family(kind))
    if word is not None and names[depth] != word:
        raise wrong_word(kind, names, depth, word)
    there = [label for label, _ in children(kind)] if word or isinstance(kind, RowType) else []
    if names[depth] not in there and not there:
        closed = f"{dotted(names[:depth])!r} is {kind.root.name}: its parts cannot change one by one."
        raise ColumnNotFoundError(closed, code="column.not-exists", path=dotted(names[: depth + 1]), fix="Name the column itself.")
    if names[depth] not in there:
        raise missing(names[: depth + 1], there)
    return there.index(names[depth])


def wrong_word(kind: DataType, names: Sequence[str], depth: int, word: str) -> ChangeError:
    """The error for a path that enters an ARRAY or MAP without its word."""
    right = dotted([*names[:depth], word])
    message = f"{dotted(names[:depth])!r} is {'an ARRAY' if word == 'element' else 'a MAP'}; {names[depth]!r} leads nowhere in it."
    fix = f"Go on with {right!r}." + (" Map keys cannot change." if word == "value" else "")
    return ChangeError(message, code="path.wrapper-word", path=dotted(names[: depth + 1]), fix=fix)


def fields_edited(kind: DataType, names: Sequence[str], edit: EditFields, *, adding: bool = False) -> DataType:
    """The type of column names[0] with the fields of the ROW that holds names[-1] edited."""

    def at_row(found: DataType) -> DataType:
        if not isinstance(found, RowType):
            raise _no_row(found, names, adding)
        return type(found)(edit(found.fields))

    return edited(kind, names[:-1], 1, at_row)


def _no_row(found: DataType, names: Sequence[str], adding: bool) -> ChangeError:
    word = _WORDS.get(_family(found))
    if word and names[-1] != word:
        return wrong_word(found, names, len(names) - 1, word)
    if not word and not adding:
        return missing(names)
    message = f"{dotted(names[:-1])!r} is {found}, which has no fields."
    return ChangeError(message, code="path.not-a-field", path=dotted(names), fix="Name a field of a ROW.")


def _family(kind: DataType) -> type[DataType] | None:
    return next((family for family in (ArrayType, MapType) if isinstance(kind, family)), None)
