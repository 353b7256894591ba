"""Which options have an effect on which kind of table, as a table; and what a change is told that has none.

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
from airflow_provider_schemas.core.schema.table_options import OPTION_SWITCHES
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key
from airflow_provider_schemas.errors import ChangeError, Fault
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.store.footers.described import Described, described
from airflow_provider_schemas.store.layout.paths import Layout

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


Had = Callable[[str, str], bool]


class Told(NamedTuple):
    """What a change of options comes to."""

    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def check(
    table: str, layout: Layout, head: TableSchema | None, result: TableSchema, had: Had = lambda key, value: False
) -> tuple[str, ...]:
    """Notes about options that were set and have no effect; ChangeError where another change is meant.

    What an earlier version had, of an older release, comes back with it and is only noted: had tells of an option and its value.
    """
    about = described(result, layout)
    told = _of_paimon(table, layout, head, result) if about is None else _of_described(table, about, head, result, had)
    if told.faults:
        raise ChangeError.of(told.faults)
    return told.notes


def _set(head: TableSchema | None, result: TableSchema) -> Iterator[tuple[str, str]]:
    """The options that have another value than before, without those that count for every table."""
    before = {} if head is None else head.options
    for key, value in result.options.items():
        if before.get(key) != value and not _is_read(key) and key not in _COUNTS:
            yield key, value


def _is_read(key: str) -> bool:
    """Whether it is one of ours that somebody reads."""
    return key in _OURS or key.startswith(_OF_FIELD)


def _of_described(table: str, about: Described, head: TableSchema | None, result: TableSchema, had: Had) -> Told:
    meant = _MEANT_AT_FIRST if head is None else _MEANT
    changed = dict(_set(head, result))
    wrong = {key: value for key, value in changed.items() if key in meant and not had(key, value)}
    faults = tuple(_fault(table, key, value, meant[key], result) for key, value in wrong.items())
    kept = sorted(changed.keys() - wrong.keys())
    if not kept:
        return Told((), faults)
    names = ", ".join(shown(key)[1:-1] for key in kept)
    return Told((f"nothing acts on {names} here: {table} is described, and its data are {about.format}; the text is kept",), faults)


def _fault(table: str, key: str, value: str, attribute: str, result: TableSchema) -> Fault:
    """That an option moves nothing, and the change that does."""
    message = f"{table} is described: the option {key} moves no data of it, and no reader asks for it."
    attributes = {**result.table_attributes, attribute: value}
    change = {"action": "setOption", "key": attribute_key(None), "value": json.dumps(attributes, ensure_ascii=False, sort_keys=True)}
    text = quote(json.dumps(change, ensure_ascii=False))
    fix = f"Say it as `{attribute}:` of a table file; or run: airflow-schemas evolve {quote(table)} {text}"
    return Fault(_CODE, key, message, fix)


def _of_paimon(table: str, layout: Layout, head: TableSchema | None, result: TableSchema) -> Told:
    if layout is Layout.REGISTRY:  # nobody knows whose options these are
        return Told()
    changed = (key for key, _ in _set(head, result) if key in _NOT_OF_PAIMON)
    return Told(tuple(f"the option {key} has no effect on {table}: {_NOT_OF_PAIMON[key]}" for key in changed))
