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
from airflow_provider_schemas.spark.auditing.bulk_reads import fetched
from airflow_provider_schemas.spark.auditing.data_access import DataAccess, Reach, ThroughSpark
from airflow_provider_schemas.spark.auditing.data_files import Looked, looked
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.facts import Fact
from airflow_provider_schemas.spark.auditing.table import Audited, Scope, audited
from airflow_provider_schemas.spark.auditing.table_prints import data_print, schemas_print, speaks_for_itself
from airflow_provider_schemas.spark.progress import Progress, progress
from airflow_provider_schemas.spark.session import is_connect, is_local
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import SparkFiles

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
_ANSWER: Final = "spot BIGINT, answer BINARY"
_BATCH: Final = 64
_NOT_THERE: Final = (
    "The Python of Spark's workers has no airflow-provider-schemas, so the driver reads all tables itself. Install it there, or let "
    "PYSPARK_PYTHON name the Python that has it, to share the work."
)


def run_again(
    spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None, *, facts: Mapping[str, Fact]
) -> list[Audited]:
    """What came out for each table, in the order of the tables. Only those are read whose files are not as they are remembered."""
    if not facts:
        return run(spark, store, spots, scope, parallel)
    with _workers(parallel or _at_once(store)) as mapped:
        known = list(mapped(lambda spot: recalled(store, spot, scope, facts), spots))
    left = [spot for spot, found in zip(spots, known, strict=True) if found is None]
    answers = iter(run(spark, store, left, scope, parallel) if left else ())
    return [next(answers) if found is None else found for found in known]


def recalled(store: SchemaStore, spot: Spot, scope: Scope, facts: Mapping[str, Fact]) -> Audited | None:
    """What comes out for a table, if what is remembered of it still holds: also of its data, where these are looked at without Spark."""
    fact = facts.get(str(spot.name))
    if fact is None or not speaks_for_itself(spot, scope.known):
        return None
    there = schemas_print(store, spot)
    if there is None or there.digest != fact.schemas:
        return None
    if scope.reach is None:
        return Audited((), 1, fact.versions, fact=fact)
    data = data_print(store, spot, fact.location, scope.reach) if fact.data else None
    if data is None or data.digest != fact.data:
        return None
    return Audited((), 1, fact.versions, Looked(files=fact.files), fact)


def run(spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None) -> list[Audited]:
    """What came out for each table, in the order of the tables."""
    if isinstance(store.warehouse, SparkFiles):
        return _through_spark(spark, store, spots, scope, parallel)
    if not _on_executors(spark, store, spots):
        return _in_threads(store, spots, scope, parallel)
    try:
        found = _in_job(spark, store, spots, _of_executors(spark, scope), parallel)
    except Exception as error:
        if not _is_not_installed(error):
            raise _failed(error) from error
        _LOG.warning(_NOT_THERE)
        return _in_threads(store, spots, scope, parallel)
    return _again(store, spots, scope, found, parallel)


def _of_executors(spark: "SparkSession", scope: Scope) -> Scope:
    """The same for executors, whose disks are not the driver's unless they are on its machine."""
    reach_of_driver = scope.reach
    if reach_of_driver is None or is_local(spark):
        return scope
    return msgspec.structs.replace(scope, reach=msgspec.structs.replace(reach_of_driver, disk=False))


def _on_executors(spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot]) -> bool:
    """Whether executors can do it, as far as that can be known before they try."""
    if len(spots) < _FEW or is_connect(spark):
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
    """Whether the workers' Python lacks this package or what it needs, or is another one; or whether only SQL may be run there."""
    text = str(error)
    return any(mark in text for mark in ("No module named", "PYTHON_VERSION_MISMATCH", "NOT_IMPLEMENTED", "not whitelisted"))


def _failed(error: Exception) -> SparkError:
    message = f"the job of the audit failed: {type(error).__name__}."
    return SparkError(message, code="audit.failed", path="spark", fix="Look at the exception above this one, and into the log of Spark.")


# ---------------------------------------------------------------- threads


def _in_threads(store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None) -> list[Audited]:
    with _workers(parallel or _at_once(store)) as mapped:
        return list(mapped(partial(audited, store, scope=scope), spots))


def _at_once(store: SchemaStore) -> int:
    """How many tables one process reads at once: threads that wait for a disk cost more than the waiting."""
    return 1 if {store.warehouse.protocol, store.registry.protocol} == {"file"} else _REMOTE


@contextmanager
def _workers(count: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """A map that so many threads work at; no thread at all, if it is one."""
    if count == 1:
        yield map
        return
    with ThreadPoolExecutor(count, "schemas-audit") as pool:
        yield pool.map


def _through_spark(spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None) -> list[Audited]:
    """The same where only Spark reads files: those of many tables in one job, and the parsing on the driver."""
    found: dict[Spot, Audited] = {}
    with progress("audit: tables", len(spots), spark=spark) as step, ThreadPoolExecutor(parallel or _REMOTE, "schemas-audit") as pool:
        for layouts, some in _of_one_root(spots):
            files = _fetched(spark, store, layouts, some)
            found.update(zip(some, pool.map(partial(audited, store, scope=scope, files=files), some), strict=True))
            step(len(some))
    return [found[one] for one in spots]


def _of_one_root(spots: Sequence[Spot]) -> Iterator[tuple[tuple[Layout, ...], Sequence[Spot]]]:
    """The tables of each root, a few hundred at a time: what is fetched of them is held in memory."""
    roots: dict[tuple[Layout, ...], list[Spot]] = {}
    for one in spots:
        roots.setdefault(one.layouts, []).append(one)
    for layouts, some in roots.items():
        yield from ((layouts, some[start : start + _FETCHED]) for start in range(0, len(some), _FETCHED))


def _fetched(spark: "SparkSession", store: SchemaStore, layouts: tuple[Layout, ...], spots: Sequence[Spot]) -> Any:
    """The files of their root, with the schemas of these tables; None where it is not known in which root they lie."""
    if len(layouts) != 1:
        return None
    files = store.registry if layouts[0] is Layout.REGISTRY else store.warehouse
    return fetched(spark, files, layouts[0], [one.name for one in spots]) if isinstance(files, SparkFiles) else None


# ---------------------------------------------------------------- executors


def _in_job(spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None) -> dict[int, Audited]:
    """The answers by the numbers of the tables. A job of plain objects: one of Arrow would ask for pandas."""
    context = spark.sparkContext
    numbers = context.parallelize(range(len(spots)), parallel or context.defaultParallelism)
    rows = numbers.mapPartitions(partial(_answers, store=store, spots=_mixed(spots), scope=scope)).collect()
    return {number: msgspec.msgpack.decode(answer, type=Audited) for number, answer in rows}


def _mixed(spots: Sequence[Spot]) -> list[tuple[int, Spot]]:
    """The tables with their numbers, neighbours far apart: wide tables of one database are no one task's."""
    stride = max(1, int(len(spots) ** 0.5))
    numbered = list(enumerate(spots))
    return [one for start in range(stride) for one in numbered[start::stride]]


def _answers(places: Iterable[int], *, store: SchemaStore, spots: Sequence[tuple[int, Spot]], scope: Scope) -> Iterator[tuple[int, bytes]]:
    """The work of one task: each table that it is about, with the answer."""
    mine = [spots[place] for place in places]
    with _workers(_at_once(store)) as mapped:
        for start in range(0, len(mine), _BATCH):
            some = mine[start : start + _BATCH]
            found = mapped(partial(audited, store, scope=scope), [spot for _, spot in some])
            for (number, _), answer in zip(some, found, strict=True):
                yield number, msgspec.msgpack.encode(answer)


# ---------------------------------------------------------------- data files


def reach(spark: "SparkSession", store: SchemaStore) -> Reach | None:
    """What the driver may read of data without Spark; None if it has to be Spark."""
    if is_connect(spark) or isinstance(store.warehouse, SparkFiles):
        return None
    usual = str(spark.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS"))
    return Reach(disk=True, plain_paths=usual.startswith("file:"))


def run_data(spark: "SparkSession", store: SchemaStore, spots: Sequence[Spot], scope: Scope, parallel: int | None) -> list[Looked]:
    """What came out for the data files of each table, in the order of the tables: the driver asks, and Spark reads footers and listings."""
    data = ThroughSpark(spark)
    work = partial(data_of, data, store, scope)
    with (
        ThreadPoolExecutor(parallel or _WITH_SPARK, "schemas-audit") as pool,
        progress("audit: data of tables", len(spots), spark=spark) as step,
    ):
        data.list_ahead(head for head in pool.map(partial(_head, store), spots) if head is not None)
        return [_stepped(step, one) for one in pool.map(work, spots)]


def _head(store: SchemaStore, spot: Spot) -> TableSchema | None:
    """The newest schema of a table; None if it cannot be read, which is told by whoever looks at versions."""
    try:
        return store.table(spot.name).schema()
    except SchemaError:
        return None


def data_of(data: DataAccess, store: SchemaStore, scope: Scope, spot: Spot) -> Looked:
    """What came out for the data files of one table, on all branches that count."""
    try:
        table = store.table(spot.name)
        branches = table.branches() if scope.branches else ()
    except SchemaError:  # which is told by whoever looks at versions
        return Looked()
    bound = str(spot.name) in scope.known.bindings
    found = [looked(data, one, bound=bound) for one in (table, *map(table.branch, branches))]
    return Looked(tuple(row for one in found for row in one.rows), sum(one.files for one in found))


def _stepped(step: Progress, found: Looked) -> Looked:
    step()
    return found


def _again(store: SchemaStore, spots: Sequence[Spot], scope: Scope, found: dict[int, Audited], parallel: int | None) -> list[Audited]:
    """All answers; tables that executors did not see are looked for by the driver, which had listed them."""
    unseen = [number for number in range(len(spots)) if number not in found or not found[number].tables]
    told = _in_threads(store, [spots[number] for number in unseen], scope, parallel)
    found |= dict(zip(unseen, told, strict=True))
    return [found[number] for number in range(len(spots))]
