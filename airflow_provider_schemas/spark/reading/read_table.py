"""Old data as what the table is now: each file is read as what it was written as, and put together by field id."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.projection.projection import Casts, Projection, ReadMode, project
from airflow_provider_schemas.core.types.nested import Field, row
from airflow_provider_schemas.spark.files.data_file import PARQUET
from airflow_provider_schemas.spark.files.discovery import FoundFiles, found_files
from airflow_provider_schemas.spark.files.executor_footers import MANY, reached
from airflow_provider_schemas.spark.files.file_schemas import Origins, Source
from airflow_provider_schemas.spark.files.footers import footers
from airflow_provider_schemas.spark.reading.bad_values import BAD, both_notes
from airflow_provider_schemas.spark.reading.field_id_metadata import identified
from airflow_provider_schemas.spark.reading.left_files import Wish, is_doubtful, left_files
from airflow_provider_schemas.spark.reading.project_columns import file_of, projected
from airflow_provider_schemas.spark.reading.read_alias import marked
from airflow_provider_schemas.spark.reading.request import Asked, asked, wanted_version
from airflow_provider_schemas.spark.reading.row_filter import RowFilter
from airflow_provider_schemas.spark.reading.scan import check_held, few_tasks, frame_of
from airflow_provider_schemas.spark.reading.scan_planning import Scan, scans
from airflow_provider_schemas.spark.reading.selected_columns import Selection, selection
from airflow_provider_schemas.spark.reading.summary import summary
from airflow_provider_schemas.spark.session import checked, is_connect
from airflow_provider_schemas.spark.sql import free, name
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.footers.bound_folders import Bound, check_bindings
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_CONVERTED: Final = (ReadMode.CONVERT, ReadMode.NESTED)


class _Ways(NamedTuple):
    """How values become others, and what becomes of those that cannot."""

    casts: Casts
    bad_values: str


def read_table(
    spark: "SparkSession",
    table: Any,
    *,
    version: int | None = None,
    branch: str | None = None,
    tag: str | None = None,
    snapshot: int | None = None,
    columns: Any = None,
    contract: Any = None,
    where: Any = None,
    path: str | None = None,
    casts: Casts = "checked",
    bad_values: str = "error",
) -> "DataFrame":
    """The rows of a table, as its newest version or another, whatever versions they were written with.

    Table is one of a store, or a gate's verdict about one: then it is read as the version that was checked. Columns are
    names of the wanted version, or aliases of it, and come under the names that are asked for; a contract gives the columns that it
    names, in its order, as the types that it names. Where is a predicate over the columns of the frame, as `DataFrame.where` takes it;
    of partitions of which it leaves no row, no file is looked at. Path is a folder to read instead of the table's own data. Checked casts
    fail on a value that would not come back; bad values can become NULL, or be put aside (null, quarantine). "paimon" answers as Java
    does. What files there are is settled when this is called: those that come later are not read.
    """
    one = asked(checked(spark), table, branch)
    find = partial(found_files, spark, one.table, snapshot=snapshot, tag=tag, path=path)
    wished = partial(_wish, one, version, columns, contract)
    ways = _Ways(casts, bad_values)
    if where is not None:
        rows = partial(_rows, spark, where)
        found, wish = left_files(spark, one.table, lambda listed: find(listed=listed), wished, rows)
        sources = _sources(spark, one.table, found, wish)
        if not is_doubtful(wish, sources):
            return rows(wish).applied(_as_wished(spark, one.table, sources, wish, ways))
    found = find()
    wish = wished(found.version)
    frame = _as_wished(spark, one.table, _sources(spark, one.table, found, wish), wish, ways)
    return frame if where is None else _rows(spark, where, wish).applied(frame)


def _wish(one: Asked, version: int | None, columns: Any, contract: Any, by_data: int | None) -> Wish:
    """As what the table is read; by the version of a snapshot, where one is asked for."""
    wanted = wanted_version(one, version, by_data)
    known = KnownFields([*one.table.versions(), wanted])
    return Wish(wanted, known, selection(wanted.schema, columns, contract, known))


def _rows(spark: "SparkSession", where: Any, wish: Wish) -> RowFilter:
    return RowFilter(spark, where, wish.chosen.given)


def _as_wished(spark: "SparkSession", table: Table, sources: list[Source], wish: Wish, ways: _Ways) -> "DataFrame":
    """The rows of the files as they are wanted."""
    wanted, _, chosen = wish
    casts, bad_values = ways
    fields = chosen.read
    struct_type([*fields, *(() if chosen.as_read else chosen.given)])  # an error that names all of them that Spark does not have
    found_scans = scans(sources, fields)
    check_held(found_scans)
    plans = [(scan, project(scan.written, row(fields), casts=casts)) for scan in found_scans]
    _log.info("%s", summary(table.name, wanted.number, sources, [(len(scan.paths), plan) for scan, plan in plans]))
    frame = _frame(spark, plans, bad_values) if plans else _empty(spark, fields, casts, bad_values)
    held = marked(identified(frame, fields), table.name, wanted.schema, version=wanted.number, branch=wanted.branch)
    return held if chosen.as_read else identified(_given(held, chosen, casts, bad_values), chosen.given)


def _given(frame: "DataFrame", chosen: Selection, casts: Casts, bad_values: str) -> "DataFrame":
    """The columns under the names, with the parts and as the types that were asked for."""
    plans = [project(row(chosen.read), row([one]), casts=casts) for one in chosen.given]
    whole = Projection(tuple(field for plan in plans for field in plan.fields), chosen.read, casts)
    if BAD not in frame.columns:
        return projected(frame, whole, bad_values=bad_values)
    noted = free(BAD, [BAD, *(one.name for one in chosen.given)])
    found = projected(frame, whole, bad_values=bad_values, keep=[f"{name(BAD)} as {name(noted)}"])
    return found.selectExpr(*(name(one.name) for one in chosen.given), f"{both_notes(name(noted), name(BAD))} as {name(BAD)}")


def _sources(spark: "SparkSession", table: Table, found: FoundFiles, wish: Wish) -> list[Source]:
    """The files, each with what it holds."""
    bindings = table.bindings() if found.base else ()
    check_bindings(table.name, bindings, wish.known.versions.values())
    origins = Origins(table.name, wish.known, wish.wanted.schema, found.base, Bound(bindings, found.base))
    return origins.sources(found.files, _footers(spark, table, found))


def _footers(spark: "SparkSession", table: Table, found: FoundFiles) -> Sequence[Footer | None]:
    """What the files say of themselves. Manifests are only compared with it where that costs little."""
    root = reached(spark, table, found.base)
    compares = not is_connect(spark) and (root is not None or len(found.files) < MANY)
    asking = [one for one in found.files if one.version is None or (one.format == PARQUET and compares)]
    said = dict(zip((one.path for one in asking), footers(spark, asking, table.name, root=root), strict=True))
    return [said.get(one.path) for one in found.files]


def _frame(spark: "SparkSession", plans: list[tuple[Scan, Projection]], bad_values: str) -> "DataFrame":
    with few_tasks(spark, [scan for scan, _ in plans]):
        return _united([_read(spark, scan, plan, bad_values) for scan, plan in sorted(plans, key=_width, reverse=True)])


def _width(plan: tuple[Scan, Projection]) -> tuple[bool, int]:
    """How many columns of a scan bear ids: the first of a union says what is known of its columns."""
    return plan[0].stamped, len(plan[0].columns)


def _read(spark: "SparkSession", scan: Scan, plan: Projection, bad_values: str) -> "DataFrame":
    """The rows of a scan as they are wanted; the name of the file is at hand where a value may be bad."""
    frame = frame_of(spark, scan)
    may_fail = any(one.how in _CONVERTED for one in plan.fields)
    return projected(frame, plan, bad_values=bad_values, file=file_of(frame) if may_fail else None)


def _empty(spark: "SparkSession", fields: tuple[Field, ...], casts: Casts, bad_values: str) -> "DataFrame":
    """No rows of the right columns."""
    plan = project(row(fields), row(fields), casts=casts)
    return projected(spark.createDataFrame([], struct_type(_loose(fields))), plan, bad_values=bad_values)


def _united(frames: "list[DataFrame]") -> "DataFrame":
    """All of them one below the other, in a tree that is not deep."""
    while len(frames) > 1:
        pairs = [frames[place : place + 2] for place in range(0, len(frames), 2)]
        frames = [pair[0].unionAll(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    return frames[0]


def _loose(fields: Sequence[Field]) -> tuple[Field, ...]:
    return tuple(one.with_type(one.type.with_nullable(True)) for one in fields)
