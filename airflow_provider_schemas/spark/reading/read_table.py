"""Old data as what the table is now: each file is read as what it was written as, and its columns are matched by field id."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from airflow_provider_schemas.core.projection.projection import Casts, ProjectedField, Projection, ReadMode, project
from airflow_provider_schemas.core.types.nested import Field, row
from airflow_provider_schemas.spark.files.data_file import PARQUET
from airflow_provider_schemas.spark.files.discovery import FoundFiles, find_files
from airflow_provider_schemas.spark.files.executor_footers import MANY, executor_root
from airflow_provider_schemas.spark.files.file_schemas import Origins, ResolvedFile
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.spark.reading.bad_values import BAD, both_notes
from airflow_provider_schemas.spark.reading.field_id_metadata import with_field_ids
from airflow_provider_schemas.spark.reading.file_pruning import find_left_files, is_doubtful
from airflow_provider_schemas.spark.reading.project_columns import apply_projection, file_of
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame, alias_frame
from airflow_provider_schemas.spark.reading.request import ReadTarget, TableLike, choose_target, request_of
from airflow_provider_schemas.spark.reading.row_filter import Predicate, RowFilter
from airflow_provider_schemas.spark.reading.scan import check_held, few_tasks, read_scan
from airflow_provider_schemas.spark.reading.scan_planning import Scan, plan_scans
from airflow_provider_schemas.spark.reading.selected_columns import Columns, ContractLike, Selection
from airflow_provider_schemas.spark.reading.summary import summary
from airflow_provider_schemas.spark.session import checked, is_connect
from airflow_provider_schemas.spark.sql import free, name
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.footers.bound_folders import Bound, check_bindings
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_CONVERTED: Final = (ReadMode.CONVERT, ReadMode.NESTED)


class _Rules(NamedTuple):
    """How values become others, and what becomes of those that cannot."""

    casts: Casts
    bad_values: str


class _ScanPlan(NamedTuple):
    """A scan, and what turns its columns into the wanted ones."""

    scan: Scan
    projection: Projection


def read_table(
    spark: "SparkSession",
    table: TableLike,
    *,
    version: int | None = None,
    branch: str | None = None,
    tag: str | None = None,
    snapshot: int | None = None,
    columns: Columns = None,
    contract: ContractLike = None,
    where: Predicate | None = None,
    path: str | None = None,
    casts: Casts = "checked",
    bad_values: str = "error",
) -> "DataFrame":
    """Return the rows of a table, as its newest version or another, whatever versions they were written with.

    Table is one of a store, or a gate's verdict about one: then it is read as the version that was checked. Columns are
    names of the wanted version, or aliases of it, and come under the names that are asked for; a contract gives the columns that it
    names, in its order, as the types that it names. Where is a predicate over the columns of the frame, as `DataFrame.where` takes it;
    of partitions of which it leaves no row, no file is looked at. Path is a folder to read instead of the table's own data. Checked casts
    fail on a value that would not come back; bad values can become NULL, or be put aside (null, quarantine). "paimon" answers as Java
    does. What files there are is settled when this is called: those that come later are not read.
    """
    request = request_of(checked(spark), table, branch)
    read = _TableRead(spark, request.table, _Rules(casts, bad_values))
    find = partial(find_files, spark, request.table, snapshot=snapshot, tag=tag, path=path)
    target_of = partial(choose_target, request, version, columns, contract)
    found, target = find_left_files(spark, request.table, find, target_of, where)
    files = read.resolve(found, target)
    if where is not None and is_doubtful(target, files):
        found, target = find_left_files(spark, request.table, find, target_of, None)
        files = read.resolve(found, target)
    plans = read.plan(files, target)
    frame = read.unite(plans, target)
    frame = read.mark(frame, target)
    if not target.selection.is_as_read:
        frame = read.select(frame, target.selection)
    if where is not None:
        frame = RowFilter(spark, where, target.selection.given).apply(frame)
    return frame


class _TableRead(NamedTuple):
    """The steps of an evolved read of one table."""

    spark: "SparkSession"
    table: Table
    rules: _Rules

    # ------------------------------------------------------------ what the files hold

    def resolve(self, found: FoundFiles, target: ReadTarget) -> list[ResolvedFile]:
        """Return what each file holds, with the ids of the table."""
        bindings = self.table.bindings() if found.base else ()
        check_bindings(self.table.name, bindings, target.known.versions.values())
        origins = Origins(self.table.name, target.known, target.version.schema, found.base, Bound(bindings, found.base))
        return origins.resolve(found.files, self._footers(found))

    def _footers(self, found: FoundFiles) -> Sequence[Footer | None]:
        """Return what the files say of themselves. Manifests are only compared with that where it costs little."""
        root = executor_root(self.spark, self.table, found.base)
        compares = not is_connect(self.spark) and (root is not None or len(found.files) < MANY)
        read = [file for file in found.files if file.version is None or (file.format == PARQUET and compares)]
        footers = read_footers(self.spark, read, self.table.name, root=root)
        by_path = {file.path: footer for file, footer in zip(read, footers, strict=True)}
        return [by_path.get(file.path) for file in found.files]

    # ------------------------------------------------------------ how they are read

    def plan(self, files: list[ResolvedFile], target: ReadTarget) -> list[_ScanPlan]:
        """Return the fewest scans that read the files, each with what turns its columns into the wanted ones."""
        selection = target.selection
        _check_types(selection)
        scans = plan_scans(files, selection.read)
        check_held(scans)
        plans = [_ScanPlan(scan, project(scan.written, row(selection.read), casts=self.rules.casts)) for scan in scans]
        counts = [(len(plan.scan.paths), plan.projection) for plan in plans]
        _log.info("%s", summary(self.table.name, target.version.number, files, counts))
        return plans

    def unite(self, plans: list[_ScanPlan], target: ReadTarget) -> "DataFrame":
        """Return the rows of all scans as they are wanted; without a scan, no rows of the right columns."""
        if not plans:
            return self._empty_frame(target.selection.read)
        with few_tasks(self.spark, [plan.scan for plan in plans]):
            # The first frame of a union says what is known of its columns: so the one with the most ids comes first.
            widest_first = sorted(plans, key=lambda plan: (plan.scan.stamped, len(plan.scan.columns)), reverse=True)
            return _union([self._read_scan(plan) for plan in widest_first])

    def _read_scan(self, plan: _ScanPlan) -> "DataFrame":
        """Return the rows of a scan as they are wanted; the name of the file is at hand where a value may be bad."""
        frame = read_scan(self.spark, plan.scan)
        file = None
        if any(field.how in _CONVERTED for field in plan.projection.fields):
            file = file_of(frame)
        return apply_projection(frame, plan.projection, bad_values=self.rules.bad_values, file=file)

    def _empty_frame(self, fields: tuple[Field, ...]) -> "DataFrame":
        projection = project(row(fields), row(fields), casts=self.rules.casts)
        nullable = [field.with_type(field.type.with_nullable(True)) for field in fields]
        frame = self.spark.createDataFrame([], struct_type(nullable))
        return apply_projection(frame, projection, bad_values=self.rules.bad_values)

    # ------------------------------------------------------------ as what they are given

    def mark(self, frame: "DataFrame", target: ReadTarget) -> "DataFrame":
        """Return the frame with the ids of its fields, under an alias that says which table it holds."""
        version = target.version
        held = TableInFrame(self.table.name, version.number, version.branch, version.schema)
        return alias_frame(with_field_ids(frame, target.selection.read), held)

    def select(self, frame: "DataFrame", selection: Selection) -> "DataFrame":
        """Return the columns under the names, with the parts and as the types that were asked for."""
        return with_field_ids(self._select(frame, selection), selection.given)

    def _select(self, frame: "DataFrame", selection: Selection) -> "DataFrame":
        casts, bad_values = self.rules
        fields: list[ProjectedField] = []
        for column in selection.given:
            fields += project(row(selection.read), row([column]), casts=casts).fields
        projection = Projection(tuple(fields), selection.read, casts)
        if BAD not in frame.columns:
            return apply_projection(frame, projection, bad_values=bad_values)
        names = [column.name for column in selection.given]
        earlier_notes = free(BAD, [BAD, *names])
        selected = apply_projection(frame, projection, bad_values=bad_values, keep=[f"{name(BAD)} as {name(earlier_notes)}"])
        return selected.selectExpr(*map(name, names), f"{both_notes(name(earlier_notes), name(BAD))} as {name(BAD)}")


def _check_types(selection: Selection) -> None:
    """Raise an error that names all columns which Spark cannot hold."""
    fields = selection.read
    if not selection.is_as_read:
        fields += selection.given
    struct_type(fields)


def _union(frames: "list[DataFrame]") -> "DataFrame":
    """Return all frames one below the other, in a tree that is not deep."""
    if len(frames) == 1:
        return frames[0]
    middle = 2 ** ((len(frames) - 1).bit_length() - 1)
    return _union(frames[:middle]).unionAll(_union(frames[middle:]))
