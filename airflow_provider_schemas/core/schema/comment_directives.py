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
    """What a directive does: the option it lists the column in, how it rewrites the type, and what types it takes."""

    option: str
    rewritten: Callable[[DataType, str], DataType | None]
    takes: str


def is_blob(kind: DataType) -> bool:
    """Whether values of the type lie in BLOB files: BLOB, ARRAY<BLOB>, MAP<.., BLOB>."""
    held = children(kind)[-1][1] if kind.root in (Root.ARRAY, Root.MAP) else kind
    return held.root is Root.BLOB


def is_directive(comment: str | None) -> bool:
    """Whether a comment is an instruction, rightly spelled or not."""
    return comment is not None and comment.strip().startswith(_PREFIXES)


class Listing(NamedTuple):
    """A column that a directive lists in an option, or that is to be listed there no longer."""

    option: str
    name: str
    gone: bool = False


def directed(field: Field, options: Mapping[str, str]) -> tuple[Field, dict[str, str]]:
    """The column and the options as its comment demands; a directive that cannot be followed raises."""
    column, listing = followed(field)
    return column, listed(options, [listing] if listing else [])


def followed(field: Field) -> tuple[Field, Listing | None]:
    """The column as its comment demands, and where it is to be listed; a directive that cannot be followed raises."""
    faults = list(nested_directives(field))
    if faults:
        raise InvalidSchemaError.of(faults)
    if not is_directive(field.description):
        return field, None
    word, _, rest = str(field.description).strip().partition(";")
    directive = _DIRECTIVES.get(word.strip())
    if directive is None:
        raise _refused("unknown", field, f"the comment directive {shown(word)} is not known.", f"Use one of {', '.join(_DIRECTIVES)}.")
    size, _, text = rest.partition(";") if directive.option == "vector-field" else ("", "", rest)
    kind = directive.rewritten(field.type, _checked_size(field, size) if directive.option == "vector-field" else "")
    if kind is None:
        message = f"{word.strip()} cannot be said of a column of type {field.type}."
        raise _refused("type", field, message, f"Declare the column as {directive.takes}.")
    # Java drops the default: neither of the two types could have one.
    column = Field(field.id, field.name, nested.wire(kind.with_nullable(field.type.nullable)), text.strip() or None)
    return column, Listing(directive.option, field.name)


def _refused(code: str, field: Field, message: str, fix: str) -> InvalidSchemaError:
    return InvalidSchemaError(message, code=f"directive.{code}", path=field.name, fix=fix)


def _checked_size(field: Field, text: str) -> str:
    size = text.strip()
    if not (size.isascii() and size.isdecimal() and len(size) <= 10 and 1 <= int(size) <= MAX_LENGTH):
        message = f"the dimension of the vector is {shown(size)}."
        raise _refused("dimension", field, message, "Write a number from 1 after the first semicolon, such as __VECTOR_FIELD;128.")
    return size


def _blob(kind: DataType, _: str = "") -> DataType | None:
    return _BLOB if kind.root in _BYTES else None


def _blobs(kind: DataType, _: str = "") -> DataType | None:
    """BLOB, or an ARRAY or MAP with BLOB values."""
    if kind.root not in (Root.ARRAY, Root.MAP):
        return _blob(kind)
    *before, (_, value) = children(kind)
    if value.root not in _BYTES:
        return None
    return rebuilt(kind, [*(part for _, part in before), _BLOB.with_nullable(value.nullable)])


def _vector(kind: DataType, size: str) -> DataType | None:
    if not isinstance(kind, nested.ArrayType) or kind.element.root not in VECTOR_ELEMENTS:
        return None
    return nested.vector(kind.element, int(size))


_DIRECTIVES = {
    "__BLOB_FIELD": _Directive("blob-field", _blobs, "BYTES, or ARRAY or MAP with values of BYTES"),
    "__BLOB_DESCRIPTOR_FIELD": _Directive("blob-descriptor-field", _blob, "BYTES"),
    "__BLOB_VIEW_FIELD": _Directive("blob-view-field", _blob, "BYTES"),
    "__VECTOR_FIELD": _Directive("vector-field", _vector, "ARRAY of BOOLEAN or of a number type other than DECIMAL"),
}


def nested_directives(field: Field) -> Iterator[Fault]:
    """The directives on fields inside a column, where they mean nothing."""
    if type(field.wire) is not str:
        yield from _nested(field.type, field.name)


def _nested(kind: DataType, path: str) -> Iterator[Fault]:
    inside = kind.fields if isinstance(kind, RowType) else ()
    for one in inside:
        if is_directive(one.description):
            message = "a comment directive works on top-level columns only."
            yield Fault("directive.nested", f"{path}.{one.name}", message, "Begin the comment with another word.")
    for word, part in children(kind):
        yield from _nested(part, f"{path}.{word}")


# ---------------------------------------------------------------- the options that list such columns


_BLOB_LISTS = ("blob-field", "blob-descriptor-field", "blob-view-field", LEGACY_DESCRIPTORS)
_MAP_OPTIONS = ("map.storage-layout", "map.shared-shredding.max-columns", "map.shared-shredding.column-placement-policy")


class _Lists:
    """The lists while columns come and go. Each is read once and written once, however many columns there are."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = options
        self.found: dict[str, dict[str, None]] = {}
        self.rewritten: set[str] = set()

    def of(self, option: str) -> dict[str, None]:
        if option not in self.found:
            self.found[option] = dict.fromkeys(table_options.names(self._options.get(option, "")))
        return self.found[option]

    def add(self, one: Listing) -> None:
        names = self.of(one.option)
        if one.option == "blob-descriptor-field":
            names.update(self.of(LEGACY_DESCRIPTORS))
            self.found[LEGACY_DESCRIPTORS] = {}
            self.rewritten.add(LEGACY_DESCRIPTORS)
        names[one.name] = None
        self.rewritten.add(one.option)


def listed(options: Mapping[str, str], listings: Iterable[Listing]) -> dict[str, str]:
    """The options with these columns in their lists, or no longer in them, one after the other."""
    kept, lists = dict(options), _Lists(options)
    for one in listings:
        if one.gone:
            lists.of(one.option).pop(one.name, None)
        else:
            lists.add(one)
    for option, found in lists.found.items():
        before = table_options.names(options.get(option, ""))
        after = list(found) if option in lists.rewritten else [name for name in before if name in found]
        if after and (option in lists.rewritten or after != before):
            kept[option] = ",".join(after)
        elif not after and (option in lists.rewritten or before):
            kept.pop(option, None)
    return kept


_BLOB_LISTS = ("blob-field", "blob-descriptor-field", "blob-view-field", LEGACY_DESCRIPTORS)
_MAP_OPTIONS = ("map.storage-layout", "map.shared-shredding.max-columns", "map.shared-shredding.column-placement-policy")


def without_column(options: Mapping[str, str], field: Field) -> dict[str, str]:
    """The options without those that only a dropped BLOB, VECTOR or MAP column needed."""
    kept = listed(options, unlistings(field))
    for key in own_options(field):
        kept.pop(key, None)
    return kept


def unlistings(field: Field) -> list[Listing]:
    """The lists that a dropped column has to leave."""
    vector = ("vector-field",) if field.type.root is Root.VECTOR else ()
    return [Listing(option, field.name, gone=True) for option in (_BLOB_LISTS if is_blob(field.type) else vector)]


def own_options(field: Field) -> list[str]:
    """The options that are about this column alone, because it is a VECTOR or MAP."""
    if field.type.root is Root.MAP:
        return [f"{table_options.COLUMN_PREFIX}.{field.name}.{option}" for option in _MAP_OPTIONS]
    return [f"field.{field.name}.vector-dim"] if field.type.root is Root.VECTOR else []
