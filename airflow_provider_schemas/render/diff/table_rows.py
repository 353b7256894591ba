"""The keys, the options and the comment of two schemas as rows; only those that differ. Values of secrets are masked."""

from collections.abc import Iterator

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind, Side

_CHANGED = {(False, True): (RowKind.ADDED,), (True, False): (RowKind.DROPPED,)}


def table_rows(old: TableSchema, new: TableSchema) -> tuple[DiffRow, ...]:
    """Return a row for each key and option that differs, and for the comment of the table."""
    return tuple(_rows(old, new))


def _rows(old: TableSchema, new: TableSchema) -> Iterator[DiffRow]:
    yield from _row("primary key", ", ".join(old.primary_keys), ", ".join(new.primary_keys), RowKind.KEY)
    yield from _row("partitioned by", ", ".join(old.partition_keys), ", ".join(new.partition_keys), RowKind.KEY)
    for key in sorted({**old.options, **new.options}):
        yield from _option(key, old.options.get(key), new.options.get(key))
    yield from _row("comment", old.comment or "", new.comment or "", RowKind.COMMENT)


def _option(key: str, old: str | None, new: str | None) -> Iterator[DiffRow]:
    if old == new:
        return
    name = f"option {key}"
    sides = [None if value is None else Side(name, MASK if is_secret(key) else without_credentials(value)) for value in (old, new)]
    yield DiffRow(sides[0], sides[1], (*_CHANGED.get((old is not None, new is not None), ()), RowKind.OPTION))


def _row(name: str, old: str, new: str, kind: RowKind) -> Iterator[DiffRow]:
    if old != new:
        sides = [Side(name, value) if value else None for value in (old, new)]
        yield DiffRow(sides[0], sides[1], (*_CHANGED.get((bool(old), bool(new)), ()), kind))
