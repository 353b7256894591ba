"""Checks of indexes: vectors, indexes of primary-key tables, file indexes."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.table_options import split
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MapType, VectorType
from airflow_provider_schemas.core.validation.checklist import FILE_INDEXES, Check, Requirement, where
from airflow_provider_schemas.core.validation.facts import Facts

_CONTAINERS = frozenset({Root.ARRAY, Root.VECTOR, Root.MULTISET, Root.MAP, Root.ROW})
_OPAQUE = _CONTAINERS | {Root.VARIANT, Root.BLOB, Root.GEOMETRY, Root.GEOGRAPHY, Root.OPAQUE}
_TEXT = frozenset({Root.CHAR, Root.VARCHAR})


def vector_fields(facts: Facts) -> Iterator[Finding]:
    """Report columns listed as vectors that are none."""
    for name in facts.names("vector-field"):
        kind = facts.kind(name)
        if kind is None:
            yield Finding("vector-field.unknown", "vector-field", f"{name!r} is no column.", "Take it out of the list.")
        elif kind.root is not Root.VECTOR:
            message = f"{name!r} is of type {kind}, not VECTOR."
            yield Finding("vector-field.type", "vector-field", message, "Take it out of the list, or change its type.")


# ---------------------------------------------------------------- indexes of primary-key tables


class _Family(NamedTuple):
    """A family of indexes: which columns it takes, and whether it takes one only."""

    takes: Callable[[DataType], bool]
    called: str
    single: bool = False


def _is_float_vector(kind: DataType) -> bool:
    return isinstance(kind, VectorType) and kind.element.root is Root.FLOAT


def _is_scalar(kind: DataType) -> bool:
    return kind.root not in _OPAQUE


FAMILIES = {
    "pk-vector": _Family(_is_float_vector, "VECTOR<FLOAT>", single=True),
    "pk-full-text": _Family(lambda kind: kind.root in _TEXT, "CHAR, VARCHAR or STRING", single=True),
    "pk-btree": _Family(_is_scalar, "a type without parts"),
    "pk-bitmap": _Family(_is_scalar, "a type without parts"),
    "pk-multivalue": _Family(lambda kind: True, "any"),
}
_METRICS = ("l2", "cosine", "inner_product")


def _key(family: str) -> str:
    return f"{family}.index.columns"


def _indexes(facts: Facts) -> list[str]:
    return [family for family in FAMILIES if facts.has(_key(family))]


def indexed_columns(facts: Facts) -> Iterator[Finding]:
    """Report indexed columns that do not exist, occur twice or are of the wrong type."""
    seen: dict[str, str] = {}
    for family in _indexes(facts):
        columns = [name.strip() for name in split(facts.options[_key(family)])]
        for name, count in Counter(columns).items():
            yield from _check_indexed_column(facts, family, name)
            if count > 1:
                yield Finding("pk-index.duplicate-column", _key(family), f"{name!r} stands {count} times.", "Name it once.")
            elif name in seen:
                message = f"{name!r} is indexed by {_key(seen[name])} already, and a column has one index at most."
                yield Finding("pk-index.column-in-two-indexes", _key(family), message, "Keep one of the two.")
            seen.setdefault(name, family)
        if FAMILIES[family].single and len(set(columns)) > 1:
            yield Finding("pk-index.single-column", _key(family), "a table has one index of this family at most.", "Name one column.")


def _check_indexed_column(facts: Facts, family: str, name: str) -> Iterator[Finding]:
    kind = facts.kind(name)
    if kind is None:
        yield Finding("pk-index.unknown-column", _key(family), f"{shown(name)} is no column.", "Name columns, separated by commas.")
    elif not FAMILIES[family].takes(kind):
        message = f"{name!r} is of type {kind}, and this index takes {FAMILIES[family].called}."
        yield Finding("pk-index.column-type", _key(family), message, "Index another column.")
    if family == "pk-vector":
        yield from _check_vector_options(facts, name)


def _check_vector_options(facts: Facts, name: str) -> Iterator[Finding]:
    key = f"fields.{name}.pk-vector.index.type"
    if not facts.options.get(key, "").strip():
        yield Finding("pk-index.vector-type", key, f"the vector index of {name!r} has no type.", "Set it, such as ivf-flat.")
    key = f"fields.{name}.pk-vector.distance.metric"
    metric = facts.options.get(key, "inner_product")
    if metric.lower() not in _METRICS:
        message = f"{shown(metric)} is no distance of vectors."
        yield Finding("pk-index.vector-metric", key, message, f"Use one of {', '.join(_METRICS)}.")


def _demand(code: str, broken: Callable[[Facts], bool], message: str, fix: str) -> Check:
    """Return a requirement of all families of indexes; its finding names the first index of the table."""

    def check(facts: Facts) -> Iterator[Finding]:
        indexes = _indexes(facts)
        if indexes:
            yield from Requirement(f"pk-index.{code}", _key(indexes[0]), broken, message, fix)(facts)

    return check


PRIMARY_KEY_INDEXES = where(*map(_key, FAMILIES))(
    indexed_columns,
    _demand(
        "primary-key",
        lambda facts: facts.append,
        "only a table with primary key has indexes of this kind.",
        "Define a primary key, or remove the index.",
    ),
    _demand(
        "deletion-vectors",
        lambda facts: not facts.flag("deletion-vectors.enabled"),
        "the index needs deletion vectors.",
        "Set deletion-vectors.enabled = true.",
    ),
    _demand(
        "merge-on-read",
        lambda facts: facts.flag("deletion-vectors.merge-on-read"),
        "the index cannot be used where rows are merged on read.",
        "Set deletion-vectors.merge-on-read = false.",
    ),
    _demand(
        "bucket",
        lambda facts: facts.bucket < 1 and facts.bucket != -2,
        "the index needs fixed or postponed buckets.",
        "Set bucket to a number from 1, or to -2.",
    ),
    _demand(
        "clustering-override",
        lambda facts: facts.flag("pk-clustering-override"),
        "the index needs files that are sorted by primary key.",
        "Remove pk-clustering-override, or the index.",
    ),
)

# ---------------------------------------------------------------- file indexes

_FILE_INDEX = re.compile(r"file-index\.([^.]+)\.columns")
_MAP_KEY = re.compile(r"(.+)\[(.*)\]", re.DOTALL)
_UNHASHED = _OPAQUE | {Root.BOOLEAN, Root.DECIMAL}
_INDEX_REFUSES = {"bloom-filter": _UNHASHED, "bitmap": _OPAQUE, "bsi": _OPAQUE, "range-bitmap": _OPAQUE}


def file_indexes(facts: Facts) -> Iterator[Finding]:
    """Report columns of file indexes that do not exist or cannot be indexed."""
    for key, value in facts.options.items():
        match = _FILE_INDEX.fullmatch(key)
        if match:
            for name in split(value):
                yield from _check_file_index(facts, key, match[1], name.strip())


def _check_file_index(facts: Facts, key: str, index: str, name: str) -> Iterator[Finding]:
    map_key = None if name in facts.columns else _MAP_KEY.fullmatch(name)
    column = map_key[1] if map_key else name
    kind = facts.kind(column)
    if kind is None:
        fix = "Name columns, separated by commas."
        yield Finding("file-index.unknown-column", key, f"{shown(column)} is no column.", fix)
        return
    if map_key:
        findings = list(_check_map_key(facts, key, column, kind))
        yield from findings
        if findings or not isinstance(kind, MapType):
            return
        kind = kind.value
    if kind.root in _INDEX_REFUSES.get(index, frozenset()):
        message = f"{name!r} is of type {kind}, which a {index} index cannot hold."
        yield Finding("file-index.unsupported-type", key, message, "Take it out of the list.")


def _check_map_key(facts: Facts, key: str, column: str, kind: DataType) -> Iterator[Finding]:
    """Report what is wrong with an index of one key of a MAP, such as `attributes[color]`."""
    if not isinstance(kind, MapType):
        message = f"{column!r} is of type {kind}, and only a MAP has keys to index."
        yield Finding("file-index.not-a-map", key, message, "Name the column alone.")
    elif kind.key.root not in _TEXT:
        message = f"the keys of {column!r} are {kind.key}, and only keys of text can be indexed one by one."
        yield Finding("file-index.map-key-type", key, message, "Take it out of the list.")
    elif facts.options.get(f"fields.{column}.map.storage-layout", "").lower() == "shared-shredding":
        message = f"{column!r} is stored as shared columns, whose keys cannot be indexed one by one."
        yield Finding("file-index.shared-shredding", key, message, "Take it out of the list, or remove the storage layout.")


VECTOR_FIELDS = where("vector-field")(vector_fields)
FILE_INDEX_COLUMNS = where(FILE_INDEXES)(file_indexes)
