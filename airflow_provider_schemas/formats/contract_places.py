"""The places in the file of a job of what a check finds: the columns that it needs, its keys, else the table that it names."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.base import json_member
from airflow_provider_schemas.formats.user_file import WrittenFile

# The keys of a column that rules are about, of which the first that is written is meant.
_KEYS_OF_COLUMN: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "EXPECT_MAY_BE_NULL": ("nullable", "type"),
    "EXPECT_STALE_PIN": ("id",),
    "EXPECT_TYPE_MISMATCH": ("type",),
    "EXPECT_TYPE_UNSAFE": ("accepts", "type"),
    "EXPECT_KEY_CHANGED": ("role",),
    "EXPECT_PARTITION_MISSING": ("role",),
})  # fmt: skip
# The keys of a table that rules are about where no column of the file is meant.
_KEYS_OF_TABLE: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "EXPECT_EXTRA_FIELD": ("shape",),
    "EXPECT_KEY_CHANGED": ("primary_key",),
    "EXPECT_ORDER": ("shape",),
    "EXPECT_PARTITION_MISSING": ("partitioned_by",),
})  # fmt: skip


def with_places(report: Report, contract: Contract, written: WrittenFile) -> Report:
    """Return the report about a contract with its file, and with the place in the file of each finding."""
    entry: yaml.Path = ("writes" if contract.writes else "reads", contract.table)
    table = json_member(json_member(written.value, str(entry[0])), contract.table)
    columns = dict(_columns(entry, table, contract))
    findings = tuple(replace(finding, place=written.place(_entry_of(finding, entry, table, columns))) for finding in report.findings)
    return replace(report, findings=findings, file=written.file)


def _columns(entry: yaml.Path, table: yaml.YamlValue, contract: Contract) -> Iterator[tuple[str, yaml.Path]]:
    """Yield the names of the columns with their entries; of columns in one text, all have that of the text."""
    written: Any = table
    if isinstance(table, Mapping):
        written = table.get("columns")
        entry = (*entry, "columns")
    names = [need.name for need in contract.columns]
    if isinstance(written, Mapping):
        yield from ((str(name), (*entry, str(name))) for name in written)
    elif isinstance(written, list) and len(written) == len(names):
        yield from ((name, (*entry, number)) for number, name in enumerate(names))
    else:
        yield from ((name, entry) for name in names)


def _entry_of(finding: Finding, entry: yaml.Path, table: yaml.YamlValue, columns: Mapping[str, yaml.Path]) -> yaml.Path:
    """Return the entry that a finding is about: the column, the nearest one around a field, a key of the table, or the table."""
    named = _nearest(finding.path, columns)
    if named is not None:
        return _first_key(named, _value_at(table, named[len(entry) :]), _KEYS_OF_COLUMN.get(finding.rule, ()))
    key = _first_key(entry, table, _KEYS_OF_TABLE.get(finding.rule, ()))
    values = _value_at(table, key[len(entry) :])
    if key != entry and isinstance(values, list) and finding.path in values:
        return (*key, values.index(finding.path))
    return key


def _nearest(path: str, columns: Mapping[str, yaml.Path]) -> yaml.Path | None:
    while path and path not in columns:
        path = path[: max(path.rfind("."), path.rfind("["), path.rfind("{"), 0)]
    return columns.get(path)


def _first_key(entry: yaml.Path, value: yaml.YamlValue, keys: tuple[str, ...]) -> yaml.Path:
    """Return the first of the keys that an entry has; the entry itself, if it has none of them."""
    if isinstance(value, Mapping):
        for key in keys:
            if key in value:
                return (*entry, key)
    return entry


def _value_at(value: Any, path: yaml.Path) -> Any:
    """Return the value at a path of the file, which is there."""
    for step in path:
        value = value[step]
    return value
