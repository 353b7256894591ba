"""Where the schemas of a new table lie: beside its data, or in the registry, if its data lie elsewhere and are no table of Paimon."""

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import AlreadyThereError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.roots import Roots, location_of
from airflow_provider_schemas.store.table_state import Subject


def lies_elsewhere(wanted: TableSchema | TableFile) -> bool:
    """Whether the data lie at a location of their own, and are no Paimon table's."""
    made = wanted.create() if isinstance(wanted, TableFile) else wanted
    kind = made.table_attributes.get("format")
    return bool(location_of(made)) and kind not in ("paimon", None)


def registered(roots: Roots, name: TableName) -> Subject:
    """A table whose schemas lie in the registry; an error if there is one of its name that has them beside its data."""
    place, beside = roots.registered(name), roots.beside(name)
    if beside != place and Subject(roots, name, place=beside).exists():
        message = f"{name} has its schemas in {beside.files.url}/{beside.folder} already."
        raise AlreadyThereError(message, code="table.twice", path=str(name), fix="Choose another name.")
    return Subject(roots, name, place=place)
