"""The prints of a table's files, by which an audit knows them again, and what a table is like of which nothing else has to be asked."""

from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.spark.auditing.data_access import Reach
from airflow_provider_schemas.spark.auditing.discovery import Spot
from airflow_provider_schemas.spark.auditing.registry import Kept
from airflow_provider_schemas.store.layout.paths import Layout, schema_folder, table_folder
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import address_for_spark
from airflow_provider_schemas.store.storage.folder_print import FolderPrint, folder_print


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
    """The print of the plain folder of its data; None if only Spark knows what is there."""
    table = store.table(spot.name)
    if table.open_location is None or not table.looks:
        return None
    try:
        files, address = table.open_location(location), address_for_spark(location)
    except SchemaError:
        return None
    return folder_print(files, deep=True) if reach.covers(address, files) else None
