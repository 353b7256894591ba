"""One attempt to change the schema of an Iceberg table: stage it, compare it with what was judged, send it, and settle a lost answer.

Nothing is ever sent but a schema and properties: no data file, no snapshot. The commit asserts what it was judged on, so that of two
writers one comes second and is judged again.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from airflow_provider_schemas.errors import ChangeError, SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata, read_schema, schema_digest
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble
from airflow_provider_schemas.store.mounts.iceberg.evolution import restore
from airflow_provider_schemas.store.mounts.iceberg.evolution.answers import AttemptAnswer, answer_of
from airflow_provider_schemas.store.mounts.iceberg.evolution.compare import check_as_judged
from airflow_provider_schemas.store.mounts.iceberg.evolution.note import noted
from airflow_provider_schemas.store.mounts.iceberg.evolution.refusals import check_bearable, named_columns
from airflow_provider_schemas.store.mounts.iceberg.evolution.requirements import CommitParts, commit_parts
from airflow_provider_schemas.store.mounts.iceberg.evolution.settle import Settled, Settlement, settle, still_open
from airflow_provider_schemas.store.mounts.iceberg.evolution.stage import StagedSchema, stage
from airflow_provider_schemas.store.mounts.source import SchemaStep
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.errors import library_message

if TYPE_CHECKING:
    from pyiceberg.schema import Schema
    from pyiceberg.table import Table


class Attempted(Struct, frozen=True):
    """What an attempt came to."""

    metadata: IcebergMetadata | None = None
    """What the commit has made; None where nothing was written."""
    unclear: SchemaError | None = None
    """The answer was lost, and nothing has come of it so far."""
    base: Any = None
    """The table of pyiceberg on which that attempt was made."""


def commit(
    catalog: Any, identifier: Sequence[str], base: IcebergMetadata, step: SchemaStep, *, where: str = "the catalog", open_base: Any = None
) -> Attempted:
    """Try to carry out a step on the metadata that it was judged on.

    With an open base, an earlier attempt has left open whether it lands: that is looked at first. To send the same step again is safe,
    since both assert the same, so that at most one of them lands.
    """
    if open_base is not None:
        settled = settle(catalog, open_base, step.note.commit or "")
        if settled.settlement is Settlement.LANDED:
            return Attempted(settled.metadata)
    table = _load(catalog, identifier, where)
    if not _is_base(table, base):
        return Attempted()
    staged = _staged(table, base, step)
    properties = {**staged.properties, **noted(table.metadata.properties, step.note, _digest(staged.schema))}
    parts = commit_parts(table.metadata, staged.schema, properties)
    commit_steps.reached(commit_steps.STAGED)
    attempted = _send(catalog, table, parts, step, where)
    commit_steps.reached(commit_steps.ANSWERED)
    return attempted


def _load(catalog: Any, identifier: Sequence[str], where: str) -> "Table":
    try:
        table: Table = catalog.load_table(tuple(identifier))
    except Exception as error:
        raise catalog_trouble(error, where=where, what=".".join(identifier)) from error
    return table


def _is_base(table: "Table", base: IcebergMetadata) -> bool:
    """Return whether the table is still what was judged, as far as schemas go."""
    now = table.metadata
    is_same_table = not base.uuid or str(now.table_uuid) == base.uuid
    is_same_schema = (now.current_schema_id, now.last_column_id) == (base.current_schema_id, base.last_column_id)
    return is_same_table and is_same_schema and _named_columns(table) <= named_columns(base)


def _named_columns(table: "Table") -> set[int]:
    """Return the ids of the columns by which the table was ever partitioned or sorted, as pyiceberg has it."""
    partitioning = {field.source_id for spec in table.metadata.partition_specs for field in spec.fields if str(field.transform) != "void"}
    return partitioning | {field.source_id for order in table.metadata.sort_orders for field in order.fields}


# ---------------------------------------------------------------- what is sent


def _staged(table: "Table", base: IcebergMetadata, step: SchemaStep) -> StagedSchema:
    if step.back_to is not None:
        return StagedSchema(_old_schema(table, base, step.back_to), {})
    check_bearable(base, step.judged, step.changes)
    staged = stage(table, step.changes)
    head = base.schema(base.current_schema_id)
    check_as_judged(head, step.judged, read_schema(_json(staged.schema), staged.schema.schema_id), base.last_column_id)
    return staged


def _old_schema(table: "Table", base: IcebergMetadata, number: int) -> "Schema":
    faults = list(restore.misread(base, number))
    if faults:
        raise ChangeError.of(faults)
    schema = table.metadata.schema_by_id(number)
    if schema is None:
        message = f"the table has no schema {number} any more."
        raise ChangeError(message, code="iceberg.restore", path=str(number), fix="Make a plan of changes instead.")
    return schema


def _json(schema: "Schema") -> bytes:
    return schema.model_dump_json().encode()


def _digest(schema: "Schema") -> str:
    return schema_digest(_json(schema))


# ---------------------------------------------------------------- sending


def _send(catalog: Any, table: "Table", parts: CommitParts, step: SchemaStep, where: str) -> Attempted:
    try:
        response = catalog.commit_table(table, parts.requirements, parts.updates)
    except Exception as error:
        answer = answer_of(error)
        if answer is AttemptAnswer.CONFLICT:
            return Attempted()
        if answer is AttemptAnswer.REFUSED:
            raise catalog_trouble(error, where=where, what=".".join(table.name())) from error
        return _settled(table, settle(catalog, table, step.note.commit or ""), error)
    return Attempted(read_metadata(response.metadata.model_dump_json().encode()))


def _settled(table: "Table", settled: Settled, error: Exception) -> Attempted:
    """Return what an attempt came to whose answer was lost."""
    if settled.settlement is Settlement.OPEN:
        return Attempted(unclear=still_open(table, library_message(error)), base=table)
    return Attempted(settled.metadata)
