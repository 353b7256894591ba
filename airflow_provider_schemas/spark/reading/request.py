"""What is to be read: a table, and the version of it that was checked before the job, if a gate's verdict names it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, FormatError, IncompatibleSchemaError
from airflow_provider_schemas.spark.gate_handover import Checked, handed_over
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import BRANCH, DATABASE_END, Layout
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SAY = "Pass store.table(name), or the verdict of a gate, or what it says of one table: verdict['tables'][name]."


class Asked(Struct, frozen=True):
    """A table, and what was checked of it."""

    table: Table
    checked: Checked | None = None


def asked(spark: "SparkSession", table: Any, branch: str | None) -> Asked:
    """The table that is meant; of a verdict, the one that it is about."""
    if isinstance(table, Table):
        return Asked(table if branch is None else table.branch(branch))
    if branch is not None:
        message = "a verdict says of which branch its table is."
        raise ContractError(message, code="read.said-twice", path="branch", fix="Leave branch out, or pass store.table(name).")
    if not isinstance(table, Mapping | str):
        raise FormatError(f"a {type(table).__name__} is no table.", code="read.no-table", path="table", fix=_SAY)
    name, checked = _one(spark, table)
    return Asked(_opened(spark, name, checked), checked)


def _one(spark: "SparkSession", verdict: Any) -> tuple[str, Checked]:
    """The only table of a verdict, or the one of an entry."""
    is_entry = isinstance(verdict, Mapping) and isinstance(verdict.get("place"), str)
    found = handed_over(spark, {_name(verdict): verdict} if is_entry else verdict)
    if len(found) != 1:
        message = f"the verdict is about {len(found)} tables: {', '.join(sorted(found)[:5])}."
        raise ContractError(message, code="read.which-table", path="table", fix="Pass what it says of one: verdict['tables'][name].")
    return next(iter(found.items()))


def _name(entry: Mapping[str, Any]) -> str:
    """The name of a table, by the folder of its schema files."""
    _, database, table = _steps(entry["place"])
    return f"{database if entry.get('layout') == Layout.MINI_PAIMON else database.removesuffix(DATABASE_END)}.{table}"


def _steps(place: str) -> tuple[str, str, str]:
    """The root of the store, and the folders of database and table below it."""
    steps = place.rstrip("/").split("/")[:-1]
    if len(steps) > 1 and steps[-1].startswith(BRANCH) and steps[-2] == "branch":
        steps = steps[:-2]
    if len(steps) < 3:  # root, database, table
        raise FormatError(f"{shown(place)} is no folder of schema files.", code="read.no-table", path="table", fix=_SAY)
    return "/".join(steps[:-2]) or "/", steps[-2], steps[-1]


def _opened(spark: "SparkSession", name: str, checked: Checked) -> Table:
    root, _, _ = _steps(checked.address)
    registry = root if checked.layout is Layout.REGISTRY else None
    store = SchemaStore.on(spark, root, registry=registry, layout=checked.layout)
    return store.table(name, None if checked.branch == MAIN else checked.branch)


def wanted_version(one: Asked, version: int | None, by_data: int | None) -> Version:
    """As what it is read: the version that was checked or asked for, else that of the snapshot, else the newest."""
    checked = one.checked
    if checked is None:
        number = version if version is not None else by_data
        return one.table.latest() if number is None else one.table.version(number)
    if version is not None and version != checked.version:
        message = f"version {version} is asked for, and version {checked.version} is what was checked before this job."
        raise ContractError(message, code="read.said-twice", path="version", fix="Leave version out, or pass store.table(name).")
    found = one.table.version(checked.version)
    if found.digest != checked.digest:
        message = f"{checked} was checked before this job, and the file of that version is another one now ({found.digest[:8]})."
        fix = "Find out who wrote over it, then clear the gate."
        raise IncompatibleSchemaError(message, code="door.moved", path=one.table.name, fix=fix)
    return found
