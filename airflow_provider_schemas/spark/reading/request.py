"""What is to be read: a table, and the version and the columns as which it is read.

A gate's verdict names the version that was checked before the job: then that one is read.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, FormatError, IncompatibleSchemaError, ProjectionError
from airflow_provider_schemas.spark.gate_handover import Checked, handed_over
from airflow_provider_schemas.spark.reading.selected_columns import Columns, ContractLike, Selection, select_columns
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.layout.paths import BRANCH, DATABASE_END, Layout
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TableLike = Table | Mapping[str, Any] | str
"""A table of a store, a gate's verdict, whole or as JSON, or its entry about one table."""

_ACCEPTED = "Pass store.table(name), or the verdict of a gate, or what it says of one table: verdict['tables'][name]."
_MOST_NAMED = 5
_KEPT_ELSEWHERE = "{} is mounted: its engine reads old files as the current schema by itself."


class ReadRequest(Struct, frozen=True):
    """A table, and the version of it that was checked before the job, if a verdict names it."""

    table: Table
    checked: Checked | None = None


def request_of(spark: "SparkSession", table: TableLike, branch: str | None) -> ReadRequest:
    """Return the request for a table; of a verdict, for the table that it is about."""
    if isinstance(table, Table):
        if branch is not None:
            table = table.branch(branch)
        if table.subject.is_mounted:
            raise _mounted_error(table)
        return ReadRequest(table)
    if branch is not None:
        message = "a verdict says of which branch its table is."
        raise ContractError(message, code="read.said-twice", path="branch", fix="Leave branch out, or pass store.table(name).")
    if not isinstance(table, Mapping | str):
        raise FormatError(f"a {type(table).__name__} is no table.", code="read.no-table", path="table", fix=_ACCEPTED)
    name, checked = _single_table(spark, table)
    if checked.layout is Layout.MOUNTED:
        raise ProjectionError(_KEPT_ELSEWHERE.format(name), code="read.mounted", path=name, fix="Read it with spark.table(...).")
    return ReadRequest(_open_table(spark, name, checked), checked)


def _mounted_error(table: Table) -> ProjectionError:
    """Return the error about a table that its own engine reads, with the line that does."""
    names = table.subject.roots.mounts[table.database].engine_names(table.table)
    parts = next((parts for engine, parts in names.items() if engine.startswith("spark")), ("...",))
    fix = f'Read it with spark.table("{".".join(parts)}").'
    return ProjectionError(_KEPT_ELSEWHERE.format(table.name), code="read.mounted", path=table.name, fix=fix)


def _single_table(spark: "SparkSession", verdict: Mapping[str, Any] | str) -> tuple[str, Checked]:
    """Return the only table of a verdict, or the one of an entry."""
    if isinstance(verdict, Mapping) and isinstance(verdict.get("place"), str):
        verdict = {_table_name(verdict): verdict}
    tables = handed_over(spark, verdict)
    if len(tables) != 1:
        message = f"the verdict is about {len(tables)} tables: {', '.join(sorted(tables)[:_MOST_NAMED])}."
        raise ContractError(message, code="read.which-table", path="table", fix="Pass what it says of one: verdict['tables'][name].")
    return next(iter(tables.items()))


def _table_name(entry: Mapping[str, Any]) -> str:
    """Return the name of a table, by the folder of its schema files."""
    _, database, table = _split_place(entry["place"])
    if entry.get("layout") != Layout.MINI_PAIMON:
        database = database.removesuffix(DATABASE_END)
    return f"{database}.{table}"


def _split_place(place: str) -> tuple[str, str, str]:
    """Return the root of the store, and the folders of database and table below it."""
    steps = place.rstrip("/").split("/")[:-1]
    if len(steps) > 1 and steps[-1].startswith(BRANCH) and steps[-2] == "branch":
        steps = steps[:-2]
    if len(steps) < 3:  # root, database, table
        raise FormatError(f"{shown(place)} is no folder of schema files.", code="read.no-table", path="table", fix=_ACCEPTED)
    return "/".join(steps[:-2]) or "/", steps[-2], steps[-1]


def _open_table(spark: "SparkSession", name: str, checked: Checked) -> Table:
    root, _, _ = _split_place(checked.address)
    registry = root if checked.layout is Layout.REGISTRY else None
    branch = None if checked.branch == MAIN else checked.branch
    return SchemaStore.on(spark, root, registry=registry, layout=checked.layout).table(name, branch)


# ---------------------------------------------------------------- the version and the columns


class ReadTarget(NamedTuple):
    """The version and the columns as which a table is read, among the versions that there are."""

    version: Version
    known: KnownFields
    selection: Selection

    def is_same(self, other: "ReadTarget") -> bool:
        """Return whether no version came in between."""
        return self.known.versions.keys() == other.known.versions.keys() and self.version.digest == other.version.digest


def choose_target(
    request: ReadRequest, version: int | None, columns: Columns, contract: ContractLike, snapshot_version: int | None
) -> ReadTarget:
    """Return as what a table is read; by the version of a snapshot, where one is asked for."""
    wanted = _wanted_version(request, version, snapshot_version)
    known = KnownFields([*request.table.versions(), wanted])
    return ReadTarget(wanted, known, select_columns(wanted.schema, columns, contract, known))


def _wanted_version(request: ReadRequest, version: int | None, snapshot_version: int | None) -> Version:
    """Return the version that was checked or asked for, else that of the snapshot, else the newest."""
    if request.checked is not None:
        return _checked_version(request.table, request.checked, version)
    number = snapshot_version if version is None else version
    if number is None:
        return request.table.latest()
    return request.table.version(number)


def _checked_version(table: Table, checked: Checked, version: int | None) -> Version:
    """Return the version that was checked; IncompatibleSchemaError if its file is another one now."""
    if version is not None and version != checked.version:
        message = f"version {version} is asked for, and version {checked.version} is what was checked before this job."
        raise ContractError(message, code="read.said-twice", path="version", fix="Leave version out, or pass store.table(name).")
    wanted = table.version(checked.version)
    if wanted.digest != checked.digest:
        message = f"{checked} was checked before this job, and the file of that version is another one now ({wanted.digest[:8]})."
        fix = "Find out who wrote over it, then clear the gate."
        raise IncompatibleSchemaError(message, code="door.moved", path=table.name, fix=fix)
    return wanted
