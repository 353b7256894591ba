"""Which type may become which, as data: what Paimon allows, and what loses nothing.

Paimon's relations are one matrix over the roots of types, with parameters ignored; `lossless` is our
own and reads parameters: every valid value of the source becomes a value of the target that turns
back into it. The conversions of values are in `cast_value`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from airflow_provider_schemas.core.types.atomic import STRING, AnyDataType, AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, children, fold, rebuilt
from airflow_provider_schemas.errors import CastError


class CastSupport(NamedTuple):
    """The casts that are possible from one type to another.

    implicit: Paimon widens so on its own. explicit: Paimon casts so on demand, which includes implicit.
    compatible: the same physical form. convertible: Paimon has a converter for values; without one, old
    files cannot be read. alterable: ALTER TABLE takes it. lossless: no valid value changes.
    """

    implicit: bool
    explicit: bool
    compatible: bool
    convertible: bool
    alterable: bool
    lossless: bool


def cast_support(source: DataType, target: DataType) -> CastSupport:
    """Return the casts that are possible for a column of the source type that gets the target type."""
    source = checked_type(source)
    target = checked_type(target)
    if isinstance(source, AtomicType) and isinstance(target, AtomicType):
        return _remembered_support(source, target)
    return _support(source, target)


def _support(source: DataType, target: DataType) -> CastSupport:
    same = same_type(source, target)
    cell = MATRIX.get((source.root, target.root), _NOTHING)
    implicit = (same or cell.cast == "I") and (target.nullable or not source.nullable)
    explicit = same or cell.cast in ("I", "E")
    convertible = _has_converter(cell, target)
    return CastSupport(implicit, explicit, same or cell.compatible, convertible, explicit and convertible, lossless(source, target))


# The columns of a table have few types.
_remembered_support = lru_cache(maxsize=1_000)(_support)


def checked_type(kind: object) -> DataType:
    """Return the type if it is one, and has no more levels than parse_type and parse_ddl let through; refuse it otherwise."""
    if not isinstance(kind, DataType):
        fix = "Pass a DataType, as parse_type and parse_ddl give."
        raise CastError(f"a {type(kind).__name__} is no data type.", code="cast.no-type", fix=fix)
    if not isinstance(kind, AtomicType) and _is_too_deep(kind):
        fix = f"Use a type of at most {MAX_DEPTH} levels."
        raise CastError("the type is nested too deep to be cast.", code="type.too-deep", fix=fix)
    return kind


def _is_too_deep(kind: DataType) -> bool:
    level = [kind]
    for _ in range(MAX_DEPTH + 1):
        inner = chain.from_iterable(map(children, level))
        level = [part for _, part in inner]
        if not level:
            return False
    return True


# ---------------------------------------------------------------- Paimon's matrix

# First sign: I implicit, E explicit only, . none. Second sign: + a converter for values exists, - none,
# s one to the exact type STRING only (nullable, longest), which is how Paimon registered them; . for neither.
# TS and LTZ are the two TIMESTAMPs. A column that is not here has no cell with anything in it.
# Equal types can always be cast, whatever the cell of their root says: for GEOMETRY and GEOGRAPHY (other
# coordinates are other places), VARIANT, BLOB and the containers but VECTOR that is all there is.
# fmt: off
_TABLE = """
           CHAR VARCHAR BOOLEAN BINARY VARBINARY DECIMAL TINYINT SMALLINT INT BIGINT FLOAT DOUBLE DATE TIME TS LTZ ARRAY VECTOR MAP ROW
CHAR       I+   I+      E+      E+     E+        E+      E+      E+       E+  E+     E+    E+     E+   E+   E+ E+  .+    .      .+  .+
VARCHAR    E+   I+      E+      E+     E+        E+      E+      E+       E+  E+     E+    E+     E+   E+   E+ E+  .+    .      .+  .+
BOOLEAN    E+   E+      I-      .      .         E+      E+      E+       E+  E+     E+    E+     .    .    .  .   .     .      .   .
BINARY     E+   E+      .       I+     I+        .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
VARBINARY  E+   E+      .       E+     I+        .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
DECIMAL    E+   E+      .       .      .         I+      E+      E+       E+  E+     I+    I+     .    .    E- E-  .     .      .   .
TINYINT    E+   E+      E+      .      .         I+      I+      I+       I+  I+     I+    I+     .    .    E- E-  .     .      .   .
SMALLINT   E+   E+      E+      .      .         I+      E+      I+       I+  I+     I+    I+     .    .    E- E-  .     .      .   .
INT        E+   E+      E+      .      .         I+      E+      E+       I+  I+     I+    I+     .    .    E+ E+  .     .      .   .
BIGINT     E+   E+      E+      .      .         I+      E+      E+       E+  I+     I+    I+     .    .    E+ E+  .     .      .   .
FLOAT      E+   E+      .       .      .         I+      E+      E+       E+  E+     I+    I+     .    .    E- E-  .     .      .   .
DOUBLE     E+   E+      .       .      .         I+      E+      E+       E+  E+     E+    I+     .    .    E- E-  .     .      .   .
DATE       E-   Es      .       .      .         .       .       .        .   .      .     .      I-   .    E+ E+  .     .      .   .
TIME       E-   Es      .       .      .         .       .       .        .   .      .     .      .    I-   E+ E+  .     .      .   .
TS         E-   Es      .       .      .         E-      E-      E-       E+  E+     E-    E-     I+   I+   I+ I+  .     .      .   .
LTZ        E-   Es      .       .      .         E-      E-      E-       E+  E+     E-    E-     E+   E+   I+ I+  .     .      .   .
VARIANT    E-   E-      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
BLOB       E-   E-      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
GEOMETRY   .    .       .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
GEOGRAPHY  .    .       .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
OPAQUE     .    .       .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
ARRAY      E+   E+      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
VECTOR     E-   E-      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     I-     .   .
MULTISET   E-   E-      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
MAP        E+   E+      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
ROW        E+   E+      .       .      .         .       .       .        .   .      .     .      .    .    .  .   .     .      .   .
"""
# fmt: on
# Surprises in the matrix:
# - A text becomes an ARRAY, MAP or ROW only as the default of a column; ALTER refuses it.
# - Shortening counts as implicit: VARCHAR(64) -> VARCHAR(4), DECIMAL(10, 2) -> DECIMAL(5, 1).
# - BIGINT -> FLOAT and DECIMAL -> DOUBLE are implicit although they round.
# - BOOLEAN, DATE, TIME and the containers have no converter to themselves, so ALTER refuses even no change.
# - E- is legal without a converter: ALTER refuses it, a merge on write lets it in, and then no reader can
#   read the old files.

# Roots with the same physical form, whatever their parameters. Not DECIMAL: its scale is part of the form.
_FORMS = (
    "CHAR VARCHAR",
    "BINARY VARBINARY",
    "INT DATE TIME",
    *("BOOLEAN TINYINT SMALLINT BIGINT FLOAT DOUBLE TS LTZ".split()),
)


class Cell(NamedTuple):
    """The casts of Paimon from one root to another."""

    cast: str
    converter: str
    compatible: bool


_NOTHING = Cell(".", ".", False)
_SHORT = {"INT": Root.INTEGER, "TS": Root.TIMESTAMP, "LTZ": Root.TIMESTAMP_LTZ, "TIME": Root.TIME}


def _root(name: str) -> Root:
    return _SHORT.get(name) or Root[name]


def _cells() -> Iterator[tuple[tuple[Root, Root], Cell]]:
    forms = [frozenset(map(_root, form.split())) for form in _FORMS]
    head, *rows = _TABLE.strip("\n").splitlines()
    for row in rows:
        name, *cells = row.split()
        for column, cell in zip(head.split(), cells, strict=True):
            pair = _root(name), _root(column)
            yield pair, Cell(cell[0], cell[-1], any(form.issuperset(pair) for form in forms))


MATRIX: dict[tuple[Root, Root], Cell] = dict(_cells())


def convertible(source: DataType, target: DataType) -> bool:
    """Return whether Paimon has a converter for values; NOT NULL matters only to a target that must be exactly STRING."""
    return _has_converter(MATRIX.get((source.root, target.root), _NOTHING), target)


def _has_converter(cell: Cell, target: DataType) -> bool:
    return cell.converter == "+" or (cell.converter == "s" and target == STRING)


# ---------------------------------------------------------------- equality


def same_type(first: DataType, second: DataType) -> bool:
    """Return whether two types are equal but for the outer NOT NULL and the case of coordinate systems."""
    if first.root is not second.root:
        return False
    first = first.with_nullable(True)
    second = second.with_nullable(True)
    if first == second:
        return True
    return _has_crs(first) and _has_crs(second) and fold(first, _with_lower_crs) == fold(second, _with_lower_crs)


def _has_crs(kind: DataType) -> bool:
    """Return whether a GEOMETRY or GEOGRAPHY is in the type."""
    if isinstance(kind, AtomicType):
        return kind.crs is not None
    return fold(kind, lambda part, inner: any(inner) or (isinstance(part, AtomicType) and part.crs is not None))


def _with_lower_crs(kind: DataType, parts: list[DataType]) -> DataType:
    if isinstance(kind, AtomicType) and kind.crs is not None:
        return AtomicType(kind.root, kind.nullable, crs=kind.crs.lower(), algorithm=kind.algorithm)
    return rebuilt(kind, parts)


# ---------------------------------------------------------------- lossless

Condition = Callable[[AnyDataType, AnyDataType], bool]


def lossless(source: DataType, target: DataType) -> bool:
    """Return whether every valid value of the source comes back unchanged from the target.

    Reflexive and transitive; two types that are lossless both ways differ in descriptions and defaults
    of fields, and the case of coordinate systems, at most.
    """
    if source.nullable and not target.nullable:
        return False
    return LOSSLESS.get((source.root, target.root), never)(source, target)


def never(_source: DataType, _target: DataType) -> bool:
    return False


def always(_source: DataType, _target: DataType) -> bool:
    return True


def as_long(source: AtomicType, target: AtomicType) -> bool:
    return (source.length or 0) <= (target.length or 0)


def as_precise(source: AtomicType, target: AtomicType) -> bool:
    return (source.precision or 0) <= (target.precision or 0)


def digits_enough(source: AtomicType, target: AtomicType) -> bool:
    """Return whether the target has room for all digits before the point, and behind it."""
    source_scale = source.scale or 0
    target_scale = target.scale or 0
    whole_digits = _WHOLE_DIGITS.get(source.root, (source.precision or 0) - source_scale)
    return whole_digits <= (target.precision or 0) - target_scale and source_scale <= target_scale


def by_element(source: AnyDataType, target: AnyDataType) -> bool:
    return lossless(source.element, target.element)


def by_value(source: AnyDataType, target: AnyDataType) -> bool:
    # Keys are never converted: two that become equal would be one.
    return source.key.nullable is target.key.nullable and same_type(source.key, target.key) and lossless(source.value, target.value)


def field_by_field(source: AnyDataType, target: AnyDataType) -> bool:
    if [(field.id, field.name) for field in source.fields] != [(field.id, field.name) for field in target.fields]:
        return False
    return all(lossless(old.type, new.type) for old, new in zip(source.fields, target.fields, strict=True))


_WHOLE_DIGITS = {Root.TINYINT: 3, Root.SMALLINT: 5, Root.INTEGER: 10, Root.BIGINT: 19}

# Pairs that are not here lose something, or mean something else: X -> text (the type is gone), text -> X,
# text <-> binary, BOOLEAN <-> numbers, DECIMAL -> integers, DECIMAL <-> FLOAT and DOUBLE, DATE <-> INT,
# TIMESTAMP <-> LTZ and DATE -> LTZ (a clock on the wall is no instant), INT -> FLOAT and BIGINT -> DOUBLE
# (24 and 53 bits hold less than 32 and 64), CHAR and BINARY to other lengths of themselves (padding).
_LOSSLESS_ROWS: tuple[tuple[str, str, Condition], ...] = (
    ("TINYINT", "TINYINT SMALLINT INT BIGINT FLOAT DOUBLE", always),
    ("SMALLINT", "SMALLINT INT BIGINT FLOAT DOUBLE", always),
    ("INT", "INT BIGINT DOUBLE", always),
    ("BIGINT", "BIGINT", always),
    ("FLOAT", "FLOAT DOUBLE", always),
    ("DOUBLE", "DOUBLE", always),
    ("TINYINT SMALLINT INT BIGINT DECIMAL", "DECIMAL", digits_enough),
    ("CHAR VARCHAR", "VARCHAR", as_long),
    ("BINARY VARBINARY", "VARBINARY", as_long),
    ("CHAR", "CHAR", same_type),
    ("BINARY", "BINARY", same_type),
    ("DATE", "DATE TS", always),
    ("TS", "TS", as_precise),
    ("LTZ", "LTZ", as_precise),
    # Not to a higher precision: no converter from TIME to TIME exists anywhere, so no reader could.
    ("TIME", "TIME", same_type),
    ("BOOLEAN", "BOOLEAN", always),
    ("VARIANT", "VARIANT", always),
    ("BLOB", "BLOB", always),
    ("GEOMETRY", "GEOMETRY", same_type),
    ("GEOGRAPHY", "GEOGRAPHY", same_type),
    # Nobody knows what is in it: it is itself, and nothing else.
    ("OPAQUE", "OPAQUE", same_type),
    ("VECTOR", "VECTOR", same_type),
    ("MULTISET", "MULTISET", same_type),
    ("ARRAY", "ARRAY", by_element),
    ("MAP", "MAP", by_value),
    ("ROW", "ROW", field_by_field),
)


def _lossless_pairs() -> Iterator[tuple[tuple[Root, Root], Condition]]:
    for sources, targets, condition in _LOSSLESS_ROWS:
        for source, target in product(sources.split(), targets.split()):
            yield (_root(source), _root(target)), condition


LOSSLESS: dict[tuple[Root, Root], Condition] = dict(_lossless_pairs())
