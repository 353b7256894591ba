"""Merging: the schema of incoming data folded into the schema of a table, as Paimon does it on write.

Columns are met by name. What the table has keeps its id, name, place, nullability, comment and default;
a column that only the incoming data has is appended, nullable, under a new id; nothing is dropped. A
type grows into the incoming one where the rules of `_grown` allow it.

`merge_type` answers exactly as Java. `merge`, of a whole schema, refuses three things more: a type for
which no conversion from the present one exists (files already written could not be read again), a new
type for a key column, and, when case is ignored, a name that could mean two columns.
"""

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from airflow_provider_schemas.core.casts.cast_rules import cast_support, checked_type, same_type
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, TableSchema, checked_schema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds, highest_id
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children, field, of_wire, rebuilt, wire
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.core.validation import validity
from airflow_provider_schemas.errors import Fault, MergeError

T = TypeVar("T")

_BY_PARTS = frozenset({Root.ARRAY, Root.MAP, Root.MULTISET})

# Parts that files written under another type are never converted to.
_FIXED_PARTS = frozenset({(Root.MAP, "key"), (Root.MULTISET, "element")})

# Parameters that may grow but not shrink, the length of a VECTOR too: (attribute, code, what the smaller type is).
_GROWING = (("length", "merge.lower-length", "shorter"), ("precision", "merge.lower-precision", "less precise"))

# The keys of a table whose columns keep their type: (attribute, code, what they are called).
_KEYS = (
    ("partition_keys", "type.partition-key", "a partition key"),
    ("primary_keys", "type.primary-key", "part of the primary key"),
)


_ALLOW = " Or allow explicit casts."


class Rules(NamedTuple):
    """What a merge may do."""

    type_widening: bool
    allow_explicit_cast: bool
    case_sensitive: bool
    keep_readable: bool = False


def merge_type(
    base: DataType,
    update: DataType,
    *,
    highest_field_id: int,
    type_widening: bool = True,
    allow_explicit_cast: bool = False,
    case_sensitive: bool = True,
) -> tuple[DataType, int]:
    """Return the type that holds both, and the highest field id after that; exactly as Java answers."""
    base = checked_type(base)
    update = checked_type(update)
    merger = _Merger(Rules(type_widening, allow_explicit_cast, case_sensitive), highest_field_id)
    merged = _not_too_deep(lambda: merger.type(base, update, ""))
    if merger.faults:
        raise MergeError.of(merger.faults)
    return merged, merger.ids.highest


def merge(
    schema: TableSchema,
    incoming: TableSchema | DataType | str,
    *,
    type_widening: bool = True,
    allow_explicit_cast: bool = False,
    case_sensitive: bool = True,
) -> TableSchema:
    """Return the next version of the schema, which holds the incoming columns too; the same object if it does already."""
    schema = checked_schema(schema)
    update = _columns(incoming)
    rules = Rules(type_widening, allow_explicit_cast, case_sensitive, keep_readable=True)
    # A file may claim a highest id below one that it uses; an id handed out twice would mix two columns up.
    merger = _Merger(rules, max(schema.highest_field_id, highest_id(schema.fields)))
    fields = _not_too_deep(lambda: merger.fields(schema.fields, update, ""))
    faults = [*(_for_key(schema, fault) for fault in merger.faults), *_key_faults(schema, fields)]
    if faults:
        raise MergeError.of(faults)
    if fields == schema.fields:
        return schema
    return _next_version(schema, fields, merger.ids.highest)


def _for_key(schema: TableSchema, fault: Fault) -> Fault:
    """Return the fault; without the advice to allow explicit casts, if it is about a key column, whose type stays as it is."""
    if fault.path not in (*schema.partition_keys, *schema.primary_keys):
        return fault
    return fault._replace(fix=fault.fix.removesuffix(_ALLOW))


def _not_too_deep(call: Callable[[], T]) -> T:
    try:
        return call()
    except RecursionError:
        fix = "Use types with fewer levels; parse_type and parse_ddl refuse such a one."
        raise MergeError("the types are nested too deep to be merged.", code="type.too-deep", fix=fix) from None


def _columns(incoming: object) -> tuple[Field, ...]:
    kind = parse_ddl(incoming) if isinstance(incoming, str) else incoming
    if isinstance(kind, TableSchema | RowType):
        return kind.fields
    what = f"the type {_brief(kind)}" if isinstance(kind, DataType) else f"a value of type {type(kind).__name__}"
    fix = "Pass a TableSchema, a ROW, or text such as 'a INT, b STRING'."
    raise MergeError(f"{what} has no columns.", code="merge.no-columns", fix=fix)


def _key_faults(schema: TableSchema, fields: tuple[Field, ...]) -> Iterable[Fault]:
    if fields is schema.fields:
        return
    changed = {old.name: (old, new) for old, new in zip(schema.fields, fields, strict=False) if old.wire != new.wire}
    for attribute, code, role in _KEYS:
        for name in getattr(schema, attribute):
            if name in changed:
                old, new = changed[name]
                message = f"{name!r} is {role}, so it cannot become {_brief(new.type)}."
                yield Fault(code, name, message, _cast_first(old.type))


def _next_version(schema: TableSchema, fields: tuple[Field, ...], highest: int) -> TableSchema:
    merged = TableSchema(
        fields=fields,
        highest_field_id=highest,
        partition_keys=schema.partition_keys,
        primary_keys=schema.primary_keys,
        options=schema.options,
        comment=schema.comment,
        id=schema.id + 1,
        version=CURRENT_VERSION,
        time_millis=int(time.time() * 1000),
        unknown=tuple((place, value) for place, value in schema.unknown if len(place) == 1 and place != (PROVENANCE,)),
    )
    validity.require(merged)
    return merged


class _Merger:
    """One merge: hands out ids and collects what does not fit. What stays equal stays the very same object."""

    def __init__(self, rules: Rules, highest: int) -> None:
        self.rules = rules
        self.ids = FieldIds(highest)
        self.faults: list[Fault] = []
        self.key_of: Callable[[str], str] = str if rules.case_sensitive else caseless

    def type(self, base: DataType, update: DataType, path: str) -> DataType:
        if isinstance(base, RowType) and isinstance(update, RowType):
            fields = self.fields(base.fields, update.fields, path)
            if fields is base.fields:
                return base
            return type(base)(fields)
        if base.root is update.root and base.root in _BY_PARTS:
            return self.parts(base, update, path)
        return self.settled(_grown(base, update, self.rules), base, path)

    def parts(self, base: DataType, update: DataType, path: str) -> DataType:
        pairs = [(word, old, new) for (word, old), (_, new) in zip(children(base), children(update), strict=True)]
        merged = [self.part(base.root, word, old, new, _joined(path, word)) for word, old, new in pairs]
        same = all(old is new for (_, old, _), new in zip(pairs, merged, strict=True))
        if same:
            return base
        return rebuilt(base, merged)

    def part(self, root: Root, word: str, old: DataType, new: DataType, path: str) -> DataType:
        merged = self.type(old, new, path)
        if self.rules.keep_readable and merged is not old and (root, word) in _FIXED_PARTS:
            change = f"the {word} of a {root.value} would change from {_brief(old)} to {_brief(merged)}"
            message = f"{change}, and existing files could not be read."
            self.faults.append(Fault("merge.no-converter", path, message, _cast_first(old)))
        return merged

    def settled(self, answer: DataType | Fault, base: DataType, path: str) -> DataType:
        if isinstance(answer, Fault):
            self.faults.append(answer.at(path))
            return base
        return answer

    def fields(self, base: tuple[Field, ...], update: tuple[Field, ...], path: str) -> tuple[Field, ...]:
        if base == update or (not self.rules.case_sensitive and self.ambiguous(base, update, path)):
            return base
        known = {self.key_of(field.name) for field in base}
        incoming = {self.key_of(field.name): field for field in update}
        merged = [self.field(field, incoming.get(self.key_of(field.name)), path) for field in base]
        added = [self.added(field, path) for key, field in incoming.items() if key not in known]
        if not added and all(before is after for before, after in zip(base, merged, strict=True)):
            return base
        return (*merged, *added)

    def field(self, base: Field, update: Field | None, path: str) -> Field:
        if update is None or base.wire == update.wire:
            return base
        if type(base.wire) is str and type(update.wire) is str:
            answer = _grown_text(base.wire, update.wire, self.rules)
            if answer == base.wire:
                return base
            if isinstance(answer, str):
                return Field(base.id, base.name, answer, base.description, base.default)
        kind = base.type
        merged = self.type(kind, update.type, _joined(path, base.name))
        if merged is kind:
            return base
        return base.with_type(merged)

    def added(self, new: Field, path: str) -> Field:
        if type(new.wire) is not str and not self.rules.case_sensitive:
            self.search(new.type, _joined(path, new.name))
        kind = self.ids.assigned(new.type).with_nullable(True)
        return field(self.ids.next(), new.name, kind, new.description, new.default)

    def search(self, kind: DataType, path: str) -> None:
        """Look for ambiguous names inside a new column, which the next merge would stumble over."""
        if isinstance(kind, RowType):
            self.ambiguous((), kind.fields, path)
        for word, part in children(kind):
            self.search(part, _joined(path, word))

    def ambiguous(self, base: tuple[Field, ...], update: tuple[Field, ...], path: str) -> bool:
        """Return whether a name of the incoming data could mean two columns here, or two of its names could mean one."""
        ours = _by_key(base)
        theirs = _by_key(update)
        doubtful = [ours.get(key, set()) | names for key, names in theirs.items() if len(names) > 1 or len(ours.get(key, ())) > 1]
        for names in doubtful:
            message = f"when case is ignored, {' and '.join(map(repr, sorted(names)))} are one name."
            fix = "Rename one of them, or merge with case_sensitive=True."
            self.faults.append(Fault("merge.ambiguous-name", _joined(path, min(names)), message, fix))
        return bool(doubtful)


def _by_key(fields: tuple[Field, ...]) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    for column in fields:
        names.setdefault(caseless(column.name), set()).add(column.name)
    return names


def _grown(base: DataType, update: DataType, rules: Rules) -> DataType | Fault:
    """Return what the type of a leaf becomes: the base itself, the incoming type as nullable as the base, or why neither."""
    if not rules.type_widening or same_type(base, update):
        return base
    if isinstance(base, AtomicType) and isinstance(update, AtomicType) and base.root is update.root is Root.DECIMAL:
        return _grown_decimal(base, update)
    merged = update.with_nullable(base.nullable)
    castable = cast_support(base.with_nullable(True), update.with_nullable(True))
    readable = cast_support(base, merged).convertible
    if not (castable.implicit or (castable.explicit and rules.allow_explicit_cast)):
        # An incoming type that fits into ours as it is would only shrink the column.
        fits = cast_support(update.with_nullable(True), base.with_nullable(True)).implicit
        fix = _cast_first(base)
        if castable.explicit and readable and not fits:
            fix += _ALLOW
        return Fault("merge.incompatible", "", f"{_brief(update)} does not fit into {_brief(base)}.", fix)
    shrunk = _shrunk(base, update)
    if shrunk is not None and not rules.allow_explicit_cast:
        return shrunk
    if readable or not rules.keep_readable:
        return merged
    message = f"no conversion from {_brief(base)} to {_brief(merged)} exists, and existing files could not be read."
    return Fault("merge.no-converter", "", message, _cast_first(base))


def _grown_decimal(base: AtomicType, update: AtomicType) -> DataType | Fault:
    if base.scale != update.scale:
        message = f"{_brief(update)} has another scale than {_brief(base)}."
        return Fault("merge.decimal-scale", "", message, _cast_first(base))
    wider = base.precision is not None and update.precision is not None and update.precision > base.precision
    if wider:
        return update.with_nullable(base.nullable)
    return base


def _shrunk(base: DataType, update: DataType) -> Fault | None:
    """Return why the incoming type would shrink the column; None where it does not."""
    for attribute, code, word in _GROWING:
        old = getattr(base, attribute, None)
        new = getattr(update, attribute, None)
        if old is None or new is None:
            continue
        if old <= new:
            return None
        return Fault(code, "", f"{_brief(update)} is {word} than {_brief(base)}.", _cast_first(base))
    return None


@lru_cache(maxsize=4_096)
def _grown_text(base: str, update: str, rules: Rules) -> Any:
    """Return `_grown` for two atomic types as a schema file writes them, remembered: wide tables repeat few pairs."""
    answer = _grown(of_wire(base), of_wire(update), rules)
    if isinstance(answer, Fault):
        return answer
    return wire(answer)


def caseless(name: str) -> str:
    """Return the name as it is compared when case is ignored, by Java's rule: character by character, up and down again."""
    if name.isascii():
        return name.lower()
    return "".join(map(_caseless_char, name))


def _caseless_char(char: str) -> str:
    upper = char.upper()
    return (upper if len(upper) == 1 else char).lower()[0]


def _brief(kind: DataType) -> str:
    text = str(kind.with_nullable(True))
    if len(text) <= 80:
        return text
    return f"{text[:60]}..."


def _cast_first(base: DataType) -> str:
    return f"Cast the incoming column to {_brief(base)} before writing."


def _joined(path: str, word: str) -> str:
    return f"{path}.{word}" if path else word
