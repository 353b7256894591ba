"""The places in a table file by the paths that findings have: columns, dropped columns, options, keys; else the table.

A finding about one key of a column, such as its type, stands at that key where the file has it.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.report import Finding, Place, Report
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.formats.table_file.field_paths import dotted, steps_of
from airflow_provider_schemas.formats.table_file.parsing.attributes import OF_TABLE, POLICY_OPTION

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.table_file.model import TableFile

_KEYS = {"": "table", "primaryKeys": "primary_key", "partitionKeys": "partitioned_by", "fields": "columns", POLICY_OPTION: "policy"}

# The keys of a column that rules are about, of which the first that is written is meant: by the family of a rule, and by the rule.
_KEYS_OF_FAMILY: Mapping[str, tuple[str, ...]] = MappingProxyType({"T": ("type",), "N": ("type",), "C": ("type",), "D": ("default",)})
_KEYS_OF_RULE: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "DEFAULT_INVALID": ("default",),
    "FIELD_DEPRECATED": ("deprecated",),
    "FIELD_DOC_CHANGED": ("comment",),
    "FIELD_MEANING_CHANGED": ("unit", "tags"),
    "FIELD_RENAMED": ("was",),
    "FIELD_RENAMED_ALIASED": ("alias", "was"),
    "FIELD_RENAMED_CASE": ("was",),
    "KEY_FIELD_RETYPED": ("type",),
    "PARTITION_FIELD_RENAMED": ("was",),
    "PARTITION_FIELD_RETYPED": ("type",),
})  # fmt: skip

# The keys of a column that name fields inside it; everything else about these stands in its type.
_NAMING_PATHS = ("alias", "was")

EntryPath = tuple[str | int, ...]


def places_of(file: "TableFile") -> dict[str, Place]:
    """Return the places in a file by the paths of findings."""
    places: dict[str, Place] = {}
    for path, entry in _entries(file):
        place = file.place(entry)
        if place is not None:
            places[path] = place
    return places


def _entries(file: "TableFile") -> Iterator[tuple[str, EntryPath]]:
    """Yield the paths of findings, each with its entry; of two entries for one path, the later one counts."""
    yield attribute_key(None), (next((key for key in OF_TABLE if file.mentions(key)), "table"),)
    for path, key in _KEYS.items():
        yield path, (key if not path or file.mentions(key) else "table",)
    for key in file.options:
        yield key, ("options", key)
    for number, dropped in enumerate(file.dropped):
        for path in spellings(dropped.name):
            yield path, ("dropped", number)
    for key in ("primary_key", "partitioned_by"):
        for number, name in enumerate(getattr(file, key)):
            yield word(name), (key, number)
    for number, column in enumerate(file.columns):
        for name in (*(column.alias or ()), *column.earlier_names, column.name):
            yield word(name), ("columns", number)


def spellings(path: str) -> tuple[str, ...]:
    """Return the spellings of a path of a table file that findings may have: a name of a column, or the way to a field inside one."""
    steps = steps_of(path)
    marked = "".join(MARKS.get(step) or f".{word(step)}" for step in steps).removeprefix(".")
    return (word(path), dotted(steps), marked)


# ---------------------------------------------------------------- reports


def with_places(report: Report, file: "TableFile") -> Report:
    """Return the report with the place in the file of each finding; of a table file that was not read from a text, as it is."""
    if not report.findings or file.place("table") is None:
        return report
    entries = dict(_entries(file))
    findings = tuple(replace(finding, place=file.place(_entry_of(finding, entries, file))) for finding in report.findings)
    return replace(report, findings=findings)


def _entry_of(finding: Finding, entries: Mapping[str, EntryPath], file: "TableFile") -> EntryPath:
    """Return the entry that a finding is about, or the nearest one around it: its path, its new name, its column, the table."""
    rule = RULES.get(finding.rule)
    family = "" if rule is None else rule.code[0]
    if family == "O" and finding.path in file.options:  # a column may have the name of an option
        return ("options", finding.path)
    column = steps_of(finding.path)[0]
    nearest = next(path for path in (finding.path, finding.new, word(column), "") if path in entries)
    entry = entries[nearest]
    if entry[0] != "columns" or len(entry) == 1:
        return entry
    keys = _KEYS_OF_RULE.get(finding.rule) or _KEYS_OF_FAMILY.get(family, ())
    if len(steps_of(finding.path)) > 1:
        keys = (*(key for key in keys if key in _NAMING_PATHS), "type")
    return _key_of(entry, keys, file)


def _key_of(entry: EntryPath, keys: tuple[str, ...], file: "TableFile") -> EntryPath:
    """Return the first of the keys that the entry of a column has; the entry itself, if it has none of them."""
    column = file.columns[int(entry[1])]
    for key in keys:
        if key in column.mentioned:
            return (*entry, key)
    return entry
