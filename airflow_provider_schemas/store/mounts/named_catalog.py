"""A catalog of pyiceberg's own configuration: opened by its name, at the first table that is asked for.

The configuration is `.pyiceberg.yaml` and variables such as PYICEBERG_CATALOG__PROD__URI; pyiceberg reads both while it loads.
"""

from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.errors import library_message

UNUSABLE: Final = "mount.catalog-unusable"
"""The code of a catalog whose description is wrong: a retry cannot fix it."""
UNREACHABLE: Final = "mount.catalog-unreachable"
_INSTALL: Final = "Run: pip install 'airflow-provider-schemas[iceberg]'."
# What pyiceberg raises where the description of a catalog lacks something, or holds what it cannot hold.
_OF_DESCRIPTION: Final = (ValueError, KeyError, TypeError, AttributeError)


class NamedCatalog(Struct, frozen=True):
    """The catalog of this name. A call opens it; until then nothing is imported or asked. It can be pickled."""

    name: str

    def __call__(self) -> Any:
        """Open the catalog."""
        catalog = f"the catalog {shown(self.name)}"
        try:
            from pyiceberg.catalog import load_catalog

            return load_catalog(self.name)
        except Exception as error:
            variable = f"PYICEBERG_CATALOG__{self.name.upper()}__URI"
            raise catalog_error(error, catalog, f"Describe it in .pyiceberg.yaml, or by variables such as {variable}") from error


def catalog_error(error: Exception, catalog: str, fix: str) -> SchemaError:
    """Return the error of ours for a catalog that could not be opened. `fix` says where it is described."""
    if isinstance(error, SchemaError):
        return error
    message = f"cannot open {catalog}: {library_message(error)}."
    if isinstance(error, ImportError) or type(error).__name__ == "NotInstalledError":
        return StorageError(message, code=ErrorKind.MISSING_EXTRA.value, fix=_INSTALL)
    if isinstance(error, _OF_DESCRIPTION) and not isinstance(error, OSError):
        return StorageError(message, code=UNUSABLE, fix=f"{fix}, then try again.")
    return StorageError(message, code=UNREACHABLE, fix="Check its address and the network, then try again.")
