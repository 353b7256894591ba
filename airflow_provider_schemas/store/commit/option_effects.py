"""Which options have an effect on which kind of table, as a table; and the note or error for an option that has none.

| the table | the option | set to another value |
|---|---|---|
| is described | one of ours that is read, a switch, a key of rows | it counts |
| is described | what sounds like the place or the format of its data | refused, with the change that is meant |
| is described | any other | kept, and a note says that nothing acts on it |
| is one of Paimon, or Mini Paimon | what Paimon does not take there | kept, and a note says so |
| is one of Paimon, or Mini Paimon | any other | it counts, or is the user's own |

An option that is taken away leaves nothing behind that could be misread.
"""

import json
from collections.abc import Callable, Iterator
from shlex import quote
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.table_options import OPTION_SWITCHES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ChangeError, Fault
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.store.footers.described import Described, described
from airflow_provider_schemas.store.layout.paths import KEPT_ELSEWHERE, Layout

_CODE: Final = "option.no-effect"
_OURS: Final = frozenset({attribute_key(None), POLICY_OPTION})
_OF_FIELD: Final = "schemas.field."
_COUNTS: Final = frozenset({*OPTION_SWITCHES, "primary-key", "partition"})
# What sounds like the place or the format of data, and the attribute that says it of a described table.
_MEANT: Final = {
    "location": "location",
    "path": "location",
    "schemas.location": "location",
    "schemas.table.location": "location",
    "format": "format",
    "file.format": "format",
    "schemas.format": "format",
    "schemas.table.format": "format",
}
# The same, where a new table brings options along that another system gave it.
_MEANT_AT_FIRST: Final = {"location": "location", "format": "format"}
# What is no option of Paimon, or not one by which a table moves.
_NOT_OF_PAIMON: Final = {
    "location": "the data lie beside the schema files",
    "path": "the data lie beside the schema files, and the catalog knows where",
    "format": "the format of new files is file.format",
}


HadValue = Callable[[str, str], bool]
"""Tells whether an earlier version had an option with this value."""


class OptionEffects(NamedTuple):
    """The notes and faults about options that were set and have no effect."""

    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def check(
    table: str, layout: Layout, head: TableSchema | None, result: TableSchema, had_value: HadValue = lambda key, value: False
) -> tuple[str, ...]:
    """Return notes about options that were set and have no effect; raise ChangeError where another change is meant.

    An option that an earlier version had, of an older release, comes back with that version and is only noted.
    """
    if head is not None and head.options == result.options:
        return ()
    description = described(result, layout)
    if description is None:
        return _check_paimon(table, layout, head, result)
    effects = _check_described(table, description, head, result, had_value)
    if effects.faults:
        raise ChangeError.of(effects.faults)
    return effects.notes


def _options_set(head: TableSchema | None, result: TableSchema) -> Iterator[tuple[str, str]]:
    """Yield the options that have another value than before, without those that count for every table."""
    before = {} if head is None else head.options
    for key, value in result.options.items():
        is_ours = key in _OURS or key.startswith(_OF_FIELD)
        if before.get(key) != value and not is_ours and key not in _COUNTS:
            yield key, value


def _check_described(
    table: str, description: Described, head: TableSchema | None, result: TableSchema, had_value: HadValue
) -> OptionEffects:
    meant = _MEANT_AT_FIRST if head is None else _MEANT
    changed = dict(_options_set(head, result))
    wrong = {key: value for key, value in changed.items() if key in meant and not had_value(key, value)}
    faults = tuple(_fault(table, key, value, meant[key], result) for key, value in wrong.items())
    kept = sorted(changed.keys() - wrong.keys())
    if not kept:
        return OptionEffects((), faults)
    names = ", ".join(shown(key)[1:-1] for key in kept)
    note = f"nothing acts on {names} here: {table} is described, and its data are {description.format}; the text is kept"
    return OptionEffects((note,), faults)


def _fault(table: str, key: str, value: str, attribute: str, result: TableSchema) -> Fault:
    """Return the fault that an option moves nothing, with the change that does."""
    message = f"{table} is described: the option {key} moves no data of it, and no reader asks for it."
    attributes = {**result.table_attributes, attribute: value}
    change = {"action": "setOption", "key": attribute_key(None), "value": json.dumps(attributes, ensure_ascii=False, sort_keys=True)}
    text = quote(json.dumps(change, ensure_ascii=False))
    fix = f"Say it as `{attribute}:` of a table file; or run `airflow-schemas evolve {quote(table)} {text}`"
    return Fault(_CODE, key, message, fix)


def _check_paimon(table: str, layout: Layout, head: TableSchema | None, result: TableSchema) -> tuple[str, ...]:
    if layout in KEPT_ELSEWHERE:  # nobody knows whose options these are
        return ()
    changed = [key for key, _ in _options_set(head, result) if key in _NOT_OF_PAIMON]
    return tuple(f"the option {key} has no effect on {table}: {_NOT_OF_PAIMON[key]}" for key in changed)
