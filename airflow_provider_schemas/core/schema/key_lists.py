"""Key lists, normalised: how partition and primary keys that people gave, as lists or as options, become a schema's.

Used by create and by every change. Nothing is raised, so that all faults of a table can be told at once.
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
    """The key options moved into the key lists, key columns made NOT NULL, and what is wrong with them."""
    columns, kept, faults = tuple(fields), dict(options), list[Fault]()
    primary = _moved(_PRIMARY, tuple(primary_keys), kept, faults)
    partition = _moved(_PARTITION, tuple(partition_keys), kept, faults)
    names = frozenset(map(_NAME, columns))
    faults += duplicate_columns(columns) if len(names) != len(columns) else ()
    faults += [*_list_faults(_PARTITION, partition, names), *_list_faults(_PRIMARY, primary, names)]
    nullable = _nullable(kept)
    if nullable and not primary:
        faults.append(NULLABLE_WITHOUT_KEY)
    return Keyed(_required(columns, frozenset(primary), nullable), partition, primary, kept), faults


NULLABLE_WITHOUT_KEY = Fault(
    "schema.pk-nullable-without-pk",
    "primary-key.nullable",
    "this option is on, but the table has no primary key.",
    "Remove the option, or define a primary key.",
)


def _moved(one: _KeyList, given: tuple[str, ...], options: dict[str, str], faults: list[Fault]) -> tuple[str, ...]:
    text = options.pop(one.option, None)
    if text is None:
        return given
    if given:
        message = f"the {one.called} are given twice: as {', '.join(given)} and as the option {one.option!r}."
        faults.append(Fault(f"{one.code}-twice", one.option, message, "Keep one of the two."))
        return given
    return tuple(table_options.names(text))


def duplicate_columns(columns: Iterable[Field]) -> Iterator[Fault]:
    """The names that several columns bear. Names that differ in case only are different names."""
    for name, count in Counter(map(_NAME, columns)).items():
        if count > 1:
            yield Fault("schema.duplicate-column", name, f"{count} columns are named {name!r}.", "Rename or remove all but one.")


def _list_faults(one: _KeyList, keys: tuple[str, ...], names: frozenset[str]) -> Iterator[Fault]:
    for name, count in Counter(keys).items():
        if count > 1:
            yield Fault(f"{one.code}-duplicate", name, f"{name!r} stands {count} times in the {one.called}.", "Name it once.")
    for name in dict.fromkeys(keys):
        if name not in names:
            fix = f"Add the column, or take it out of the {one.called}."
            yield Fault(f"{one.code}-not-a-column", name, f"{name!r} is in the {one.called}, and no column.", fix)


def _nullable(options: Mapping[str, str]) -> bool:
    try:
        return table_options.flag(options, "primary-key.nullable")
    except SchemaError:
        return False  # validity tells that the value cannot be read


def _required(columns: tuple[Field, ...], keys: frozenset[str], nullable: bool) -> tuple[Field, ...]:
    if not keys:
        return columns
    return tuple(one.with_type(one.type.with_nullable(nullable)) if one.name in keys else one for one in columns)
