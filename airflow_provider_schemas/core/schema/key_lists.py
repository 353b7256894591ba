"""Key lists, normalised: partition and primary keys that users gave as lists or as options.

Used by create and by every change. Nothing is raised, so that all faults of a table can be reported at once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, SchemaError


class Keyed(NamedTuple):
    """Columns, key lists and options that agree with each other."""

    fields: tuple[Field, ...]
    partition_keys: tuple[str, ...]
    primary_keys: tuple[str, ...]
    options: dict[str, str]


class _KeyList(NamedTuple):
    """One of the two key lists: its option, its codes and how a sentence calls it."""

    option: str
    code: str
    called: str


_PRIMARY = _KeyList("primary-key", "schema.primary-key", "primary key")
_PARTITION = _KeyList("partition", "schema.partition-key", "partition keys")
_NAME = attrgetter("name")


def normalised(
    fields: Iterable[Field], partition_keys: Iterable[str], primary_keys: Iterable[str], options: Mapping[str, str]
) -> tuple[Keyed, list[Fault]]:
    """Move key options into the key lists and make key columns NOT NULL; return the result and its faults."""
    columns = tuple(fields)
    kept = dict(options)
    faults: list[Fault] = []
    primary = _take_list(_PRIMARY, tuple(primary_keys), kept, faults)
    partition = _take_list(_PARTITION, tuple(partition_keys), kept, faults)
    names = frozenset(map(_NAME, columns))
    if len(names) != len(columns):
        faults += duplicate_columns(columns)
    faults += [*_list_faults(_PARTITION, partition, names), *_list_faults(_PRIMARY, primary, names)]
    nullable = _may_be_null(kept)
    if nullable and not primary:
        faults.append(NULLABLE_WITHOUT_KEY)
    return Keyed(_with_key_nullability(columns, frozenset(primary), nullable), partition, primary, kept), faults


NULLABLE_WITHOUT_KEY = Fault(
    "schema.pk-nullable-without-pk",
    "primary-key.nullable",
    "this option is on, but the table has no primary key.",
    "Remove the option, or define a primary key.",
)


def _take_list(keys: _KeyList, given: tuple[str, ...], options: dict[str, str], faults: list[Fault]) -> tuple[str, ...]:
    """Take the key list out of the options; return it, or the one that was given beside the options."""
    text = options.pop(keys.option, None)
    if text is None:
        return given
    if given:
        message = f"the {keys.called} are given twice: as {', '.join(given)} and as the option {keys.option!r}."
        faults.append(Fault(f"{keys.code}-twice", keys.option, message, "Keep one of the two."))
        return given
    return tuple(table_options.names(text))


def duplicate_columns(columns: Iterable[Field]) -> Iterator[Fault]:
    """Yield a fault for each name that several columns have. Names that differ in case only are different names."""
    for name, count in Counter(map(_NAME, columns)).items():
        if count > 1:
            yield Fault("schema.duplicate-column", name, f"{count} columns are named {name!r}.", "Rename or remove all but one.")


def _list_faults(keys: _KeyList, listed: tuple[str, ...], names: frozenset[str]) -> Iterator[Fault]:
    for name, count in Counter(listed).items():
        if count > 1:
            yield Fault(f"{keys.code}-duplicate", name, f"{name!r} stands {count} times in the {keys.called}.", "Name it once.")
    for name in dict.fromkeys(listed):
        if name not in names:
            fix = f"Add the column, or take it out of the {keys.called}."
            yield Fault(f"{keys.code}-not-a-column", name, f"{name!r} is in the {keys.called}, and no column.", fix)


def _may_be_null(options: Mapping[str, str]) -> bool:
    try:
        return table_options.flag(options, "primary-key.nullable")
    except SchemaError:
        return False  # validity reports that the value cannot be read


def _with_key_nullability(columns: tuple[Field, ...], keys: frozenset[str], nullable: bool) -> tuple[Field, ...]:
    if not keys:
        return columns
    kept = list(columns)
    for position, column in enumerate(columns):
        if column.name in keys:
            kept[position] = column.with_type(column.type.with_nullable(nullable))
    return tuple(kept)
