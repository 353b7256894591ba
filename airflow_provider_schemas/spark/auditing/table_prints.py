"""The prints of a table's files, by which an audit knows them again, and what a table is like of which nothing else has to be asked."""

from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.spark.auditing.data_access import Reach
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.registry import Kept
from airflow_provider_schemas.store.footers.keepers import folders_around
from airflow_provider_schemas.store.layout.paths import Layout, schema_folder, table_folder
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import address_for_spark
from airflow_provider_schemas.store.storage.folder_print import FolderPrint, folder_print, together


def speaks_for_itself(spot: Spot, known: Kept) -> bool:
    """Whether the files of a table are all that its audit depends on: no policy, contract, waiver or binding does."""
    if len(spot.layouts) != 1 or spot.layouts[0] is Layout.MINI_PAIMON or known.policies:
        return False
    name = str(spot.name)
    return not (name in known.contracts or name in known.waivers or name in known.bindings)


def stays_as_it_is(head: TableSchema) -> bool:
    """Whether no day that comes changes what a schema means, and no policy is named in it."""
    return POLICY_OPTION not in head.options and not any(names for _, names in aliases_by_field(head))


def schemas_print(store: SchemaStore, spot: Spot) -> FolderPrint | None:
    """The print of the versions of a table, which was seen in one place."""
    layout = spot.layouts[0]
    files = store.registry if layout is Layout.REGISTRY else store.warehouse
    return folder_print(files, schema_folder(table_folder(spot.name, layout)))


def data_print(store: SchemaStore, spot: Spot, location: str, reach: Reach) -> FolderPrint | None:
    """The print of the plain folder of its data; None if only Spark knows what is there.

    Around a folder that may be a partition, a format of tables may come to keep it: then the folders above it count as well. What lies
    in them is not known by a listing of an object store, so that nothing is remembered there.
    """
    table = store.table(spot.name)
    if table.open_location is None or not table.looks:
        return None
    try:
        files, address = table.open_location(location), address_for_spark(location)
        above = [table.open_location(folder) for folder in folders_around(location)]
    except SchemaError:
        return None
    if not reach.covers(address, files) or (above and files.protocol != "file"):
        return None
    return together([folder_print(files, deep=True), *map(folder_print, above)])
