"""The store: versions of schemas on any storage, committed so that nothing is ever lost, and what hangs on them.

From the top to the ground:

    check_tables.py     do these tables fit what a job needs? The one answer that gates and sensors ask for
    checking/           its parts: the arguments, the answer about one table, the policy for a job, the shape in XCom
    check_data.py       do the data of a table fit that is only described? The newest footer, or a warning
    check_since.py      what came to a table since a version that a job saw, where it has no contract
    table_inspection.py what is wrong with the histories and ids of many tables, mounted ones among them
    data_files/         which files a Paimon table has now, and the values of their partitions
    schema_store.py     a store: the tables of a warehouse
    table.py            one table on one branch: what others call; put together of the next three
    table_changes.py    plans, and the steps that write a version
    table_records.py    contracts, waivers, bindings and plans of a table
    table_versions.py   its name and place, its versions, its history
    commit/             what follows the head: `commit.commit` shows the order; branches, drops, deletions
    table_state.py      one branch of one table, as the folders of the store hand it to each other
    footers/            what data files hold: the newest file, its columns, its version; which format of tables keeps a folder
    prefetch.py         what a judgement will ask of a storage that is far away: all listings at once, then all reads
    retention/          who still needs a version, and what may go
    spark/              the files behind SchemaStore.on: read by a Spark session
    versions/           the version log, facts about the past and their checkpoints, bytes of a layout, the history, what others wrote
    roots.py            a warehouse, a registry, and mounted databases
    mounts/             databases that others keep: what a source has to answer, and its tables as files
    registry/           contracts, waivers, plans, bindings: one JSON object a file; policies: YAML
    paimon/             snapshots, manifests, binary rows: what Paimon wrote about its data
    table_location.py   where the schema files of a table lie
    whole_databases.py  the schema folders of many tables, out of pages of their database
    storage/            local disks and object stores, the exclusive create, the next number, what a storage promises and what can go wrong
    layout/             identifiers and paths, as pure strings
    common/             arguments, author, clock

`Files` of `storage/files.py` is the only way to a storage, and it is small: list, walk, read, create, put, delete. A judgement asks it
through a snapshot (`storage/files_snapshot.py`), which lives as long as the judgement and ends with the first write. Code that judges
asks as if each answer were new; `prefetch.py` alone knows what will be asked. `live(files)` is for code that asks again on purpose.
`storage/numbered_files.py` makes versions of schemas, contracts, waivers and bindings alike.
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "Committed": "commit.commit",
    "DeltaMount": "mounts.delta.mount",
    "DuckLakeMount": "mounts.ducklake.mount",
    "Expiry": "retention.expiry",
    "History": "versions.history",
    "IcebergMount": "mounts.iceberg.mount",
    "Judgement": "checking.judgement",
    "Layout": "layout.paths",
    "Movement": "versions.changes_since",
    "References": "retention.references",
    "SchemaStore": "schema_store",
    "Table": "table",
    "inspect_tables": "table_inspection",
    "judge": "check_tables",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.store.check_tables import judge as judge
    from airflow_provider_schemas.store.checking.judgement import Judgement as Judgement
    from airflow_provider_schemas.store.commit.commit import Committed as Committed
    from airflow_provider_schemas.store.layout.paths import Layout as Layout
    from airflow_provider_schemas.store.mounts.delta.mount import DeltaMount as DeltaMount
    from airflow_provider_schemas.store.mounts.ducklake.mount import DuckLakeMount as DuckLakeMount
    from airflow_provider_schemas.store.mounts.iceberg.mount import IcebergMount as IcebergMount
    from airflow_provider_schemas.store.retention.expiry import Expiry as Expiry
    from airflow_provider_schemas.store.retention.references import References as References
    from airflow_provider_schemas.store.schema_store import SchemaStore as SchemaStore
    from airflow_provider_schemas.store.table import Table as Table
    from airflow_provider_schemas.store.table_inspection import inspect_tables as inspect_tables
    from airflow_provider_schemas.store.versions.changes_since import Movement as Movement
    from airflow_provider_schemas.store.versions.history import History as History
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
