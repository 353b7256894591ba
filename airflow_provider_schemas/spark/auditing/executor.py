"""Where the tables of an audit are read: on the executors, if they have this package and reach the storage; else in threads of the driver.

Reading schema files is parsing, which threads of one Python do one after the other; the Python workers of Spark are processes.
"""

import logging
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.spark.auditing.bulk_reads import prefetch_schemas
from airflow_provider_schemas.spark.auditing.data_access import DataAccess, Reach, ThroughSpark
from airflow_provider_schemas.spark.auditing.data_files import DataAudit, audit_data
from airflow_provider_schemas.spark.auditing.discovery import AuditTarget
from airflow_provider_schemas.spark.auditing.facts import Fact
from airflow_provider_schemas.spark.auditing.rows import Row
from airflow_provider_schemas.spark.auditing.table import Scope, TableAudit, audit_table
from airflow_provider_schemas.spark.auditing.table_prints import depends_on_files_only, print_data, print_schemas, root_files
from airflow_provider_schemas.spark.progress import progress
from airflow_provider_schemas.spark.session import is_connect, is_local
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.storage.files import Files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOG: Final = logging.getLogger("airflow_provider_schemas.spark")
# How many tables one process reads at once from a storage behind a network.
_REMOTE: Final = 16
_WITH_SPARK: Final = 8
# How many tables are fetched in one job, where only Spark reads files.
_FETCHED: Final = 500
# Below this, a job costs more than it saves.
_FEW: Final = 20
_BATCH: Final = 64
_NOT_THERE: Final = (
    "The Python of Spark's workers has no airflow-provider-schemas, so the driver reads all tables itself. Install it there, or let "
    "PYSPARK_PYTHON name the Python that has it, to share the work."
)

ParallelMap = Callable[..., Iterable[Any]]
"""`map`, or the map of a pool of threads."""


def audit_changed_tables(
    spark: "SparkSession",
    store: SchemaStore,
    targets: Sequence[AuditTarget],
    scope: Scope,
    parallel: int | None,
    *,
    facts: Mapping[str, Fact],
) -> list[TableAudit]:
    """Audit each table, in the order of the targets. Only those are read whose files are not as they are remembered."""
    if not facts:
        return audit_tables(spark, store, targets, scope, parallel)
    with _workers(parallel or _at_once(store)) as parallel_map:
        audits = list(parallel_map(lambda target: recall(store, target, scope, facts), targets))
    changed = [target for target, audit in zip(targets, audits, strict=True) if audit is None]
    fresh = iter(audit_tables(spark, store, changed, scope, parallel) if changed else ())
    return [next(fresh) if audit is None else audit for audit in audits]


def recall(store: SchemaStore, target: AuditTarget, scope: Scope, facts: Mapping[str, Fact]) -> TableAudit | None:
    """Return what comes out for a table, if what is remembered of it still holds: also of its data, where Spark does not read these."""
    fact = facts.get(str(target.name))
    if fact is None or not depends_on_files_only(target, scope.registry):
        return None
    schemas = print_schemas(store, target)
    if schemas is None or schemas.digest != fact.schemas:
        return None
    if scope.reach is None:
        return TableAudit((), 1, fact.versions, fact=fact)
    if not fact.data:
        return None
    data = print_data(store, target, fact.location, scope.reach)
    if data is None or data.digest != fact.data:
        return None
    return TableAudit((), 1, fact.versions, DataAudit(files=fact.files), fact)


def audit_tables(
    spark: "SparkSession", store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, parallel: int | None
) -> list[TableAudit]:
    """Audit each table, in the order of the targets."""
    if isinstance(store.warehouse, SparkFiles):
        return _audit_through_spark(spark, store, targets, scope, parallel)
    if not _can_use_executors(spark, store, targets):
        return _audit_in_threads(store, targets, scope, parallel)
    try:
        audits = _audit_on_executors(spark, store, targets, _scope_of_executors(spark, scope), parallel)
    except Exception as error:
        if not _is_not_installed(error):
            raise _failed(error) from error
        _LOG.warning(_NOT_THERE)
        return _audit_in_threads(store, targets, scope, parallel)
    return _complete(store, targets, scope, audits, parallel)


def _scope_of_executors(spark: "SparkSession", scope: Scope) -> Scope:
    """Return the scope for executors, whose disks are not the driver's unless they are on its machine."""
    reach_of_driver = scope.reach
    if reach_of_driver is None or is_local(spark):
        return scope
    return msgspec.structs.replace(scope, reach=msgspec.structs.replace(reach_of_driver, disk=False))


def _can_use_executors(spark: "SparkSession", store: SchemaStore, targets: Sequence[AuditTarget]) -> bool:
    """Return whether executors can audit these tables, as far as that can be known before they try."""
    if len(targets) < _FEW or is_connect(spark):
        return False
    if "file" in (store.warehouse.protocol, store.registry.protocol) and not is_local(spark):
        return False  # a folder of this machine is not one of theirs
    if "memory" in (store.warehouse.protocol, store.registry.protocol):
        return False
    try:
        pickle.dumps(store)
    except Exception:  # noqa: BLE001  # a filesystem that was handed in may refuse in any way
        return False
    return True


def _is_not_installed(error: Exception) -> bool:
    """Return whether the workers' Python lacks this package or what it needs, or is another one; or only SQL may be run there."""
    text = str(error)
    return any(mark in text for mark in ("No module named", "PYTHON_VERSION_MISMATCH", "NOT_IMPLEMENTED", "not whitelisted"))


def _failed(error: Exception) -> SparkError:
    message = f"the job of the audit failed: {type(error).__name__}."
    return SparkError(message, code="audit.failed", path="spark", fix="Look at the exception above this one, and into the log of Spark.")


# ---------------------------------------------------------------- threads


def _audit_in_threads(store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, parallel: int | None) -> list[TableAudit]:
    with _workers(parallel or _at_once(store)) as parallel_map:
        return list(parallel_map(partial(audit_table, store, scope=scope), targets))


def _at_once(store: SchemaStore) -> int:
    """Return how many tables one process reads at once: threads that wait for a disk cost more than the waiting."""
    return 1 if {store.warehouse.protocol, store.registry.protocol} == {"file"} else _REMOTE


@contextmanager
def _workers(count: int) -> Iterator[ParallelMap]:
    """Give a map that so many threads work at; with no thread at all, if it is one."""
    if count == 1:
        yield map
        return
    with ThreadPoolExecutor(count, "schemas-audit") as pool:
        yield pool.map


def _audit_through_spark(
    spark: "SparkSession", store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, parallel: int | None
) -> list[TableAudit]:
    """Audit where only Spark reads files: those of many tables in one job, and the parsing on the driver."""
    audits: dict[AuditTarget, TableAudit] = {}
    with progress("audit: tables", len(targets), spark=spark) as step, ThreadPoolExecutor(parallel or _REMOTE, "schemas-audit") as pool:
        for layouts, batch in _batches_by_root(targets):
            files = _prefetch(spark, store, layouts, batch)
            audits.update(zip(batch, pool.map(partial(audit_table, store, scope=scope, files=files), batch), strict=True))
            step(len(batch))
    return [audits[target] for target in targets]


def _batches_by_root(targets: Sequence[AuditTarget]) -> Iterator[tuple[tuple[Layout, ...], Sequence[AuditTarget]]]:
    """Yield the tables of each root, a few hundred at a time: what is fetched of them is held in memory."""
    roots: dict[tuple[Layout, ...], list[AuditTarget]] = {}
    for target in targets:
        roots.setdefault(target.layouts, []).append(target)
    for layouts, group in roots.items():
        for start in range(0, len(group), _FETCHED):
            yield layouts, group[start : start + _FETCHED]


def _prefetch(spark: "SparkSession", store: SchemaStore, layouts: tuple[Layout, ...], targets: Sequence[AuditTarget]) -> Files | None:
    """Return the files of their root, with the schemas of these tables; None where it is not known in which root they lie."""
    if len(layouts) != 1:
        return None
    files = root_files(store, layouts[0])
    if not isinstance(files, SparkFiles):
        return None
    return prefetch_schemas(spark, files, layouts[0], [target.name for target in targets])


# ---------------------------------------------------------------- executors


def _audit_on_executors(
    spark: "SparkSession", store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, parallel: int | None
) -> dict[int, TableAudit]:
    """Return the audits by the numbers of the tables. A job of plain objects: one of Arrow would need pandas."""
    context = spark.sparkContext
    numbers = context.parallelize(range(len(targets)), parallel or context.defaultParallelism)
    rows = numbers.mapPartitions(partial(_run_task, store=store, targets=_spread(targets), scope=scope)).collect()
    return {number: msgspec.msgpack.decode(audit, type=TableAudit) for number, audit in rows}


def _spread(targets: Sequence[AuditTarget]) -> list[tuple[int, AuditTarget]]:
    """Return the tables with their numbers, neighbours far apart: so the wide tables of one database are shared by several tasks."""
    stride = max(1, int(len(targets) ** 0.5))
    numbered = list(enumerate(targets))
    spread: list[tuple[int, AuditTarget]] = []
    for start in range(stride):
        spread += numbered[start::stride]
    return spread


def _run_task(
    places: Iterable[int], *, store: SchemaStore, targets: Sequence[tuple[int, AuditTarget]], scope: Scope
) -> Iterator[tuple[int, bytes]]:
    """Audit the tables of one task; yield the number of each, and its audit as bytes."""
    chosen = [targets[place] for place in places]
    with _workers(_at_once(store)) as parallel_map:
        for start in range(0, len(chosen), _BATCH):
            batch = chosen[start : start + _BATCH]
            audits = parallel_map(partial(audit_table, store, scope=scope), [target for _, target in batch])
            for (number, _), audit in zip(batch, audits, strict=True):
                yield number, msgspec.msgpack.encode(audit)


def _complete(
    store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, audits: dict[int, TableAudit], parallel: int | None
) -> list[TableAudit]:
    """Return all audits; tables that executors did not see are audited by the driver, which had listed them."""
    unseen = [number for number in range(len(targets)) if number not in audits or not audits[number].tables]
    again = _audit_in_threads(store, [targets[number] for number in unseen], scope, parallel)
    audits |= dict(zip(unseen, again, strict=True))
    return [audits[number] for number in range(len(targets))]


# ---------------------------------------------------------------- data files


def find_reach(spark: "SparkSession", store: SchemaStore) -> Reach | None:
    """Return what the driver may read of data without Spark; None if it has to be Spark."""
    if is_connect(spark) or isinstance(store.warehouse, SparkFiles):
        return None
    usual = str(spark.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS"))
    return Reach(disk=True, plain_paths=usual.startswith("file:"))


def audit_data_with_spark(
    spark: "SparkSession", store: SchemaStore, targets: Sequence[AuditTarget], scope: Scope, parallel: int | None
) -> list[DataAudit]:
    """Audit the data files of each table, in the order of the targets: Spark reads footers and listings for threads of the driver."""
    data = ThroughSpark(spark)
    work = partial(audit_data_of_table, data, store, scope)
    with (
        ThreadPoolExecutor(parallel or _WITH_SPARK, "schemas-audit") as pool,
        progress("audit: data of tables", len(targets), spark=spark) as step,
    ):
        data.list_ahead(head for head in pool.map(partial(_read_head, store), targets) if head is not None)
        audits = []
        for audit in pool.map(work, targets):
            audits.append(audit)
            step()
        return audits


def _read_head(store: SchemaStore, target: AuditTarget) -> TableSchema | None:
    """Return the newest schema of a table; None if it cannot be read, which the audit of its versions tells."""
    try:
        return store.table(target.name).schema()
    except SchemaError:
        return None


def audit_data_of_table(data: DataAccess, store: SchemaStore, scope: Scope, target: AuditTarget) -> DataAudit:
    """Audit the data files of one table, on all branches that count."""
    try:
        table = store.table(target.name)
        branches = table.branches() if scope.branches else ()
    except SchemaError:  # which the audit of its versions tells
        return DataAudit()
    bound = str(target.name) in scope.registry.bindings
    rows: list[Row] = []
    files = 0
    for branch in (table, *map(table.branch, branches)):
        audit = audit_data(data, branch, bound=bound)
        rows += audit.rows
        files += audit.files
    return DataAudit(tuple(rows), files)
