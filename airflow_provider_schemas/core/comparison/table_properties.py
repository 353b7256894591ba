"""What differs between two schemas outside their fields: keys, options, attributes, comment.

Keys are compared by the ids of their fields, so that a renamed field is the same key; options after the
renames have gone over them, as evolving does.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.comparison.added_and_dropped import parent_fields
from airflow_provider_schemas.core.comparison.fields import Comparison, inside
from airflow_provider_schemas.core.difference import ALIAS, RESCALED, FieldLocation, Observation, word
from airflow_provider_schemas.core.evolution.rename_references import renamed_options
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.field_attributes import MEANING, aliases, deprecation
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key, attribute_object
from airflow_provider_schemas.core.types.nested import Field

# Options that decide what rows the same files add up to.
MEANING_OPTIONS = frozenset({
    "aggregation.remove-record-on-delete",
    "changelog-producer",
    "ignore-delete",
    "ignore-update-before",
    "merge-engine",
    "partial-update.remove-record-on-delete",
    "partial-update.remove-record-on-sequence-group",
    "rowkind.field",
    "sequence.field",
    "sequence.field.sort-order",
    "sequence.snapshot-ordering",
})  # fmt: skip
# The same, for options of single columns: fields.<columns>.<suffix>.
MEANING_SUFFIXES = ("aggregate-function", "default-aggregate-function", "distinct", "ignore-retract", "nested-key", "sequence-group")

# Safety switches, and the value under which they protect.
GUARDS: Mapping[str, bool] = {
    "alter-column-null-to-not-null.disabled": True,
    "deletion-vectors.modifiable": False,
    "disable-explicit-type-casting": True,
}

_KEY_OPTIONS = ("partition", "primary-key")
_FIELD_PREFIX = attribute_key(0)[:-1]
_DEFAULT_FORMAT = "parquet"


def table_observations(compared: Comparison) -> Iterator[Observation]:
    """Everything outside the fields."""
    old, new = compared.old, compared.new
    if compared.seen or compared.gone or (old.partition_keys, old.primary_keys) != (new.partition_keys, new.primary_keys):
        yield from _keys(old, new)
    if old.options != new.options or (compared.renames and old.options):
        yield from _options(compared)
    if old.comment != new.comment:
        yield Observation(rule="FIELD_DOC_CHANGED", path="", old=old.comment or "", new=new.comment or "", words={"path": "the table"})
    if new.highest_field_id < old.highest_field_id:
        highest = str(new.highest_field_id)
        yield Observation(rule="HIGHEST_FIELD_ID_REGRESSED", path="highestFieldId", old=str(old.highest_field_id), new=highest)


# ---------------------------------------------------------------- keys


def _keys(old: TableSchema, new: TableSchema) -> Iterator[Observation]:
    if _ids(old, old.partition_keys) != _ids(new, new.partition_keys):
        yield _key_list("PARTITION_KEYS_CHANGED", "partitionKeys", old, new, [one.partition_keys for one in (old, new)])
    else:
        yield from _partition_fields(old, new)
    if _ids(old, old.primary_keys) != _ids(new, new.primary_keys):
        yield _key_list("PRIMARY_KEY_CHANGED", "primaryKeys", old, new, [one.primary_keys for one in (old, new)])
    for role, names in _key_roles(old):
        for name in names:
            before, after = _pair(old, new, name)
            if before and after and not same_type(before.type, after.type):
                yield _retyped("KEY_FIELD_RETYPED", before, after, {"role": role})


def _ids(schema: TableSchema, names: Sequence[str]) -> list[int | str]:
    return [one.id if (one := schema.field(name)) else name for name in names]


def _key_list(rule: str, path: str, old: TableSchema, new: TableSchema, names: Sequence[Sequence[str]]) -> Observation:
    was, is_now = names
    if was == is_now:  # other fields under the same names
        was, is_now = (_with_ids(schema, was) for schema in (old, new))
    return Observation(rule=rule, path=path, old=", ".join(was), new=", ".join(is_now))


def _with_ids(schema: TableSchema, names: Sequence[str]) -> list[str]:
    return [f"{name}, no column" if (one := schema.field(name)) is None else f"{name}, field {one.id}" for name in names]


def _pair(old: TableSchema, new: TableSchema, name: str) -> tuple[Field | None, Field | None]:
    before = old.field(name)
    return before, None if before is None else new.column(before.id)


def _partition_fields(old: TableSchema, new: TableSchema) -> Iterator[Observation]:
    for name in old.partition_keys:
        before, after = _pair(old, new, name)
        if not before or not after:
            continue
        if before.name != after.name:
            where = FieldLocation().field(before, after)
            yield Observation(rule="PARTITION_FIELD_RENAMED", where=where, path=where.old, id=after.id, old=where.old, new=where.new)
        if not same_type(before.type, after.type):
            yield _retyped("PARTITION_FIELD_RETYPED", before, after, {})


def _retyped(rule: str, before: Field, after: Field, words: dict[str, str]) -> Observation:
    old, new = before.type.with_nullable(True), after.type.with_nullable(True)
    where = FieldLocation().field(before, after)
    return Observation(rule=rule, where=where, path=where.new, id=after.id, old=str(old), new=str(new), before=old, after=new, words=words)


def _key_roles(old: TableSchema) -> Iterator[tuple[str, Sequence[str]]]:
    yield "part of the primary key", old.primary_keys
    yield "a bucket key", table_options.names(old.options.get("bucket-key", ""))
    yield "a sequence field", table_options.names(old.options.get("sequence.field", ""))


# ---------------------------------------------------------------- options


def _options(compared: Comparison) -> Iterator[Observation]:
    old, new = compared.old, compared.new
    before, places = renamed_options(old.options, compared.renames), _Places()
    for key in dict.fromkeys([*before, *new.options]):
        was, is_now = before.get(key), new.options.get(key)
        if was == is_now:
            continue
        if key.startswith(_FIELD_PREFIX) and key[len(_FIELD_PREFIX) :].isdecimal():
            yield from _attributes(compared, places, int(key[len(_FIELD_PREFIX) :]), was, is_now)
        elif key not in _KEY_OPTIONS:
            yield from _option(key, was, is_now)


def _option(key: str, old: str | None, new: str | None) -> Iterator[Observation]:
    rules = [rule for rule, holds in _OPTION_RULES if holds(key, _effective(key, old), _effective(key, new))]
    for rule in rules or ["OPTION_TUNING"]:
        said = [_effective(key, one) if rule == "FILE_FORMAT_CHANGED" else one for one in (old, new)]
        # Each file knows how many buckets there were, so readers go on; but writers stop at a partition whose files tell another number.
        variant = RESCALED if key == "bucket" and rule == "OPTION_TUNING" and _counts(old, new) else ""
        yield Observation(rule=rule, path=key, old=_told(key, said[0]), new=_told(key, said[1]), before=old, after=new, variant=variant)


def _counts(old: str | None, new: str | None) -> bool:
    """Whether both are numbers of buckets, and not the same one."""
    numbers = [text.strip() for text in (old or "", new or "")]
    return all(one.isdecimal() for one in numbers) and int(numbers[0]) != int(numbers[1])


def _effective(key: str, value: str | None) -> str | None:
    """What an option says, where it is not set too."""
    if key == "file.format":
        return (value or _DEFAULT_FORMAT).lower()
    if key == "bucket":
        return (value or "-1").strip()
    if value is None and key in table_options.CHOICES:
        return table_options.CHOICES[key][0]
    if value is None and key in table_options.FLAGS:
        return str(table_options.FLAGS[key]).lower()
    return value if value is None or key not in (*table_options.CHOICES, *table_options.FLAGS) else value.lower()


def _told(key: str, value: str | None) -> str:
    """What a report says of the value of an option: reports travel further than schemas."""
    return MASK if value and is_secret(key) else without_credentials(_shown(value))


def _shown(value: str | None) -> str:
    return "not set" if value is None else value or "''"


def means_rows(key: str) -> bool:
    """Return whether another value of an option gives the same files other rows."""
    of_column = key.startswith(f"{table_options.COLUMN_PREFIX}.") and key.endswith(tuple(f".{suffix}" for suffix in MEANING_SUFFIXES))
    return key in MEANING_OPTIONS or of_column


def _means_rows(key: str, old: str | None, new: str | None) -> bool:
    return old != new and means_rows(key)


_OPTION_RULES = (
    ("OPTION_IMMUTABLE_CHANGED", lambda key, old, new: key in table_options.IMMUTABLE_OPTIONS and old != new),
    # From buckets that are fixed to those that are not, or back: every file would lie in the wrong one.
    ("OPTION_IMMUTABLE_CHANGED", lambda key, old, new: key == "bucket" and (old == "-1") is not (new == "-1")),
    ("OPTION_MEANING_CHANGED", _means_rows),
    ("OPTION_GUARD_DISABLED", lambda key, old, new: key in GUARDS and old != new and (new == "true") is not GUARDS[key]),
    ("FILE_FORMAT_CHANGED", lambda key, old, new: key == "file.format" and old != new),
)


# ---------------------------------------------------------------- attributes


def _attributes(compared: Comparison, places: "_Places", number: int, was: str | None, is_now: str | None) -> Iterator[Observation]:
    before, after = attribute_object(was or "{}") or {}, attribute_object(is_now or "{}") or {}
    there, now = places.of(compared.old, number), places.of(compared.new, number)
    if there and not now:
        return  # that the field is gone is told at the field
    where = _both(there, now, number)
    common: dict[str, Any] = {"where": where, "path": where.new, "id": number, "before": was, "after": is_now}
    told = list(_ended(compared, where, number))
    told += [
        Observation(rule="FIELD_MEANING_CHANGED", **common, old=_meaning(key, before), new=_meaning(key, after))
        for key in (MEANING if there or not now else ())  # a new field means what it means
        if before.get(key) != after.get(key)
    ]
    deprecated = deprecation(after)
    if deprecated and deprecated != deprecation(before):
        told.append(Observation(rule="FIELD_DEPRECATED", **common, new=deprecated.strip(), words={"until": deprecated.rstrip()}))
    words = {"what": "what is said about"}
    rest = Observation(rule="FIELD_DOC_CHANGED", where=where, path=where.new, id=number, old=was or "", new=is_now or "", words=words)
    told_by_name = number in compared.renamed and before | {"alias": 0} == after | {"alias": 0}
    yield from told if told or told_by_name or (now and not there) else [rest]


def _ended(compared: Comparison, where: FieldLocation, number: int) -> Iterator[Observation]:
    """Aliases that were valid and are none any more, and no name either."""
    valid = aliases(compared.old, number, compared.now)
    named = {one.name for one in parent_fields(compared.new, where.steps)} if valid and where.steps else set()
    for name in valid.keys() - aliases(compared.new, number, compared.now).keys() - named:
        if where.steps:
            path = f"{where.new[: len(where.new) - len(word(where.names[-1]))]}{word(name)}"
            yield Observation(rule="FIELD_DROPPED", where=where, path=path, id=number, old=f"an alias of {where.new}", variant=ALIAS)


class _Places:
    """FieldLocation the fields of a schema are, at any depth, by id: looked through once, and only if a nested one is asked for."""

    def __init__(self) -> None:
        self._nested: dict[int, dict[int, FieldLocation]] = {}

    def of(self, schema: TableSchema, number: int) -> FieldLocation | None:
        column = schema.column(number)
        if column is not None:
            return FieldLocation().field(column, column)
        if id(schema) not in self._nested:
            containers = [(one, FieldLocation().field(one, one)) for one in schema.fields if type(one.wire) is not str]
            self._nested[id(schema)] = {one.id: where for one, where in inside(containers)}
        return self._nested[id(schema)].get(number)


def _both(there: FieldLocation | None, now: FieldLocation | None, number: int) -> FieldLocation:
    """The place of a field before and after; its number, if it is nowhere."""
    found = now or there
    if found is None:
        return FieldLocation(f"field {number}", f"field {number}")
    return FieldLocation((there or found).new, found.new, found.names, found.steps)


def _meaning(key: str, values: Mapping[str, Any]) -> str:
    value = values.get(key)
    if value is None:
        return f"no {key}"
    return f"{key} {', '.join(map(str, value)) if isinstance(value, list) else value}"
