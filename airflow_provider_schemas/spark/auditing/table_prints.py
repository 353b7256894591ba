"""The prints of a table's files, by which an audit knows them again, and what a table is like of which nothing else has to be asked."""

from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION
from airflow_provider_schemas.spark.auditing.data_access import Reach
from airflow_provider_schemas.spark.auditing.discovery import AuditTarget
from airflow_provider_schemas.spark.auditing.registry import RegistryListing
from airflow_provider_schemas.store.footers.keepers import folders_around
from airflow_provider_schemas.store.layout.paths import Layout, schema_folder, table_folder
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import address_for_spark
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.folder_print import FolderPrint, folder_print, together


def depends_on_files_only(target: AuditTarget, registry: RegistryListing) -> bool:
    """Return whether the audit of a table depends on its files only: on no policy, contract, waiver or binding."""
    if len(target.layouts) != 1 or target.layouts[0] is Layout.MINI_PAIMON or registry.policies:
        return False
    name = str(target.name)
    return name not in registry.contracts and name not in registry.waivers and name not in registry.bindings


def is_lasting(head: TableSchema) -> bool:
    """Return whether no day that comes changes what a schema means, and no policy is named in it."""
    return POLICY_OPTION not in head.options and not any(names for _, names in aliases_by_field(head))


def print_schemas(store: SchemaStore, target: AuditTarget) -> FolderPrint | None:
    """Return the print of the versions of a table, which was seen in one root."""
    layout = target.layouts[0]
    return folder_print(root_files(store, layout), schema_folder(table_folder(target.name, layout)))


def root_files(store: SchemaStore, layout: Layout) -> Files:
    """Return the files of the root of a layout: those of the registry, or of the warehouse."""
    return store.registry if layout is Layout.REGISTRY else store.warehouse


def print_data(store: SchemaStore, target: AuditTarget, location: str, reach: Reach) -> FolderPrint | None:
    """Return the print of the plain folder of a table's data; None if only Spark knows what is there.

    Around a folder that may be a partition, a format of tables may come to keep it: then the folders above it count as well. What lies
    in them is not known by a listing of an object store, so that nothing is remembered there.
    """
    table = store.table(target.name)
    if table.open_location is None or not table.looks:
        return None
    try:
        files = table.open_location(location)
        address = address_for_spark(location)
        above = [table.open_location(folder) for folder in folders_around(location)]
    except SchemaError:
        return None
    if not reach.covers(address, files) or (above and files.protocol != "file"):
        return None
    return together([folder_print(files, deep=True), *map(folder_print, above)])
