"""Comment directives: comments such as `__BLOB_FIELD; a photo`, by which SQL without BLOB and VECTOR asks for them.

A directive rewrites the type of the column it is added with and lists the column in an option. Dropping
the column takes it out of that option again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt
from airflow_provider_schemas.errors import Fault, InvalidSchemaError

_PREFIXES = ("__BLOB", "__VECTOR")
_BLOB = AtomicType(Root.BLOB)
_BYTES = (Root.BINARY, Root.VARBINARY, Root.BLOB)

# Older tables list their descriptor columns under this key.
LEGACY_DESCRIPTORS = "blob.stored-descriptor-fields"


class _Directive(NamedTuple):
    """What a directive does: the option it lists the column in, how it changes the type, and what types it takes."""

    option: str
    change_type: Callable[[DataType, int], DataType | None]
    takes: str


def is_blob(kind: DataType) -> bool:
    """Return whether values of the type lie in BLOB files: BLOB, ARRAY<BLOB>, MAP<.., BLOB>."""
    if kind.root in (Root.ARRAY, Root.MAP):
        _, kind = children(kind)[-1]
    return kind.root is Root.BLOB


def is_directive(comment: str | None) -> bool:
    """Return whether a comment is a directive, whether spelled correctly or not."""
    return comment is not None and comment.strip().startswith(_PREFIXES)


class ListedColumn(NamedTuple):
    """A column that a directive lists in an option, or that the option must list no longer."""

    option: str
    name: str
    gone: bool = False


def directed(field: Field, options: Mapping[str, str]) -> tuple[Field, dict[str, str]]:
    """Return the column and the options as its comment demands; raise for a directive that cannot be followed."""
    column, listing = followed(field)
    return column, listed(options, [listing] if listing else [])


def followed(field: Field) -> tuple[Field, ListedColumn | None]:
    """Return the column as its comment demands, and its entry in an option; raise for a directive that cannot be followed."""
    faults = list(nested_directives(field))
    if faults:
        raise InvalidSchemaError.of(faults)
    if not is_directive(field.description):
        return field, None
    word, _, text = str(field.description).strip().partition(";")
    directive = _DIRECTIVES.get(word.strip())
    if directive is None:
        raise _refusal("unknown", field, f"the comment directive {shown(word)} is not known.", f"Use one of {', '.join(_DIRECTIVES)}.")
    dimension = 0
    if directive.option == "vector-field":
        size, _, text = text.partition(";")
        dimension = _read_dimension(field, size.strip())
    kind = directive.change_type(field.type, dimension)
    if kind is None:
        message = f"{word.strip()} cannot be said of a column of type {field.type}."
        raise _refusal("type", field, message, f"Declare the column as {directive.takes}.")
    # Java drops the default: neither of the two types could have one.
    column = Field(field.id, field.name, nested.wire(kind.with_nullable(field.type.nullable)), text.strip() or None)
    return column, ListedColumn(directive.option, field.name)


def _refusal(code: str, field: Field, message: str, fix: str) -> InvalidSchemaError:
    return InvalidSchemaError(message, code=f"directive.{code}", path=field.name, fix=fix)


def _read_dimension(field: Field, size: str) -> int:
    if not (size.isascii() and size.isdecimal() and len(size) <= 10 and 1 <= int(size) <= MAX_LENGTH):
        message = f"the dimension of the vector is {shown(size)}."
        raise _refusal("dimension", field, message, "Write a number from 1 after the first semicolon, such as __VECTOR_FIELD;128.")
    return int(size)


def _to_blob(kind: DataType, _: int) -> DataType | None:
    return _BLOB if kind.root in _BYTES else None


def _to_blobs(kind: DataType, dimension: int) -> DataType | None:
    """Return BLOB, or an ARRAY or MAP with BLOB values."""
    if kind.root not in (Root.ARRAY, Root.MAP):
        return _to_blob(kind, dimension)
    *before, (_, value) = children(kind)
    if value.root not in _BYTES:
        return None
    return rebuilt(kind, [*(part for _, part in before), _BLOB.with_nullable(value.nullable)])


def _to_vector(kind: DataType, dimension: int) -> DataType | None:
    if not isinstance(kind, nested.ArrayType) or kind.element.root not in VECTOR_ELEMENTS:
        return None
    return nested.vector(kind.element, dimension)


_DIRECTIVES = {
    "__BLOB_FIELD": _Directive("blob-field", _to_blobs, "BYTES, or ARRAY or MAP with values of BYTES"),
    "__BLOB_DESCRIPTOR_FIELD": _Directive("blob-descriptor-field", _to_blob, "BYTES"),
    "__BLOB_VIEW_FIELD": _Directive("blob-view-field", _to_blob, "BYTES"),
    "__VECTOR_FIELD": _Directive("vector-field", _to_vector, "ARRAY of BOOLEAN or of a number type other than DECIMAL"),
}


def nested_directives(field: Field) -> Iterator[Fault]:
    """Yield a fault for each directive on a field inside a column, where it has no effect."""
    if type(field.wire) is not str:
        yield from _nested_directives(field.type, field.name)


def _nested_directives(kind: DataType, path: str) -> Iterator[Fault]:
    for field in kind.fields if isinstance(kind, RowType) else ():
        if is_directive(field.description):
            message = "a comment directive works on top-level columns only."
            yield Fault("directive.nested", f"{path}.{field.name}", message, "Begin the comment with another word.")
    for word, part in children(kind):
        yield from _nested_directives(part, f"{path}.{word}")


# ---------------------------------------------------------------- the options that list such columns


_BLOB_LISTS = ("blob-field", "blob-descriptor-field", "blob-view-field", LEGACY_DESCRIPTORS)
_MAP_OPTIONS = ("map.storage-layout", "map.shared-shredding.max-columns", "map.shared-shredding.column-placement-policy")


class _ColumnLists:
    """The lists while columns come and go. Each is read once and written once, however many columns there are."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = options
        self._names: dict[str, dict[str, None]] = {}
        self._rewritten: set[str] = set()

    def names(self, option: str) -> dict[str, None]:
        """Return the names that the option lists now, as the keys of a dict."""
        if option not in self._names:
            self._names[option] = dict.fromkeys(self._original(option))
        return self._names[option]

    def add(self, column: ListedColumn) -> None:
        names = self.names(column.option)
        if column.option == "blob-descriptor-field":
            names.update(self.names(LEGACY_DESCRIPTORS))
            self._names[LEGACY_DESCRIPTORS] = {}
            self._rewritten.add(LEGACY_DESCRIPTORS)
        names[column.name] = None
        self._rewritten.add(column.option)

    def remove(self, column: ListedColumn) -> None:
        self.names(column.option).pop(column.name, None)

    def changed(self) -> Iterator[tuple[str, str]]:
        """Yield each option that changed with its new text; an empty text means that the option goes."""
        for option, names in self._names.items():
            before = self._original(option)
            if option in self._rewritten:
                yield option, ",".join(names)
            else:
                after = [name for name in before if name in names]  # as often as the option named it
                if after != before:
                    yield option, ",".join(after)

    def _original(self, option: str) -> list[str]:
        return table_options.names(self._options.get(option, ""))


def listed(options: Mapping[str, str], columns: Iterable[ListedColumn]) -> dict[str, str]:
    """Return the options with these columns in their lists, or no longer in them, one after the other."""
    lists = _ColumnLists(options)
    for column in columns:
        if column.gone:
            lists.remove(column)
        else:
            lists.add(column)
    kept = dict(options)
    for option, text in lists.changed():
        if text:
            kept[option] = text
        else:
            kept.pop(option, None)
    return kept


def without_column(options: Mapping[str, str], field: Field) -> dict[str, str]:
    """Return the options without those that only a dropped BLOB, VECTOR or MAP column needed."""
    kept = listed(options, unlistings(field))
    for key in own_options(field):
        kept.pop(key, None)
    return kept


def unlistings(field: Field) -> list[ListedColumn]:
    """Return the lists that a dropped column has to leave."""
    options: tuple[str, ...] = ()
    if is_blob(field.type):
        options = _BLOB_LISTS
    elif field.type.root is Root.VECTOR:
        options = ("vector-field",)
    return [ListedColumn(option, field.name, gone=True) for option in options]


def own_options(field: Field) -> list[str]:
    """Return the options that are about this column alone, because it is a VECTOR or MAP."""
    if field.type.root is Root.MAP:
        return [f"{table_options.COLUMN_PREFIX}.{field.name}.{option}" for option in _MAP_OPTIONS]
    if field.type.root is Root.VECTOR:
        return [f"field.{field.name}.vector-dim"]
    return []
