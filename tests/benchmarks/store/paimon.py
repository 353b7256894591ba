"""pypaimon at the same tables, through its catalog, which is how people call it. It does not wait for the disk."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.contest import CannotError
from tests.benchmarks.store import scenes

NAME = "pypaimon"


def _catalog(folder: Path) -> Any:
    if not find_spec(NAME):
        raise CannotError("pypaimon is not installed.")
    from pypaimon import CatalogFactory

    return CatalogFactory.create({"warehouse": str(folder)})


def adding(folder: Path, column: str) -> Callable[[], object]:
    """Its commit of one column more."""
    catalog = _catalog(folder)
    from pypaimon.schema.data_types import DataTypeParser
    from pypaimon.schema.schema_change import SchemaChange

    change = SchemaChange.add_column(column, DataTypeParser.parse_data_type("STRING"), "new")
    return lambda: catalog.alter_table(scenes.NAME, [change], False)


def newest(folder: Path) -> Callable[[], object]:
    """Its newest version."""
    catalog = _catalog(folder)
    from pypaimon.common.identifier import Identifier

    name = Identifier.from_string(scenes.NAME)
    return lambda: catalog.get_table_schema(name)
