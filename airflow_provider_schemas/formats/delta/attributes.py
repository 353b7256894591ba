"""The attributes that hold what our types have no place for: their names, and the options that carry them.

| attribute of a field | holds |
|---|---|
| `physical_name` | the name of the column in the data files, where the table maps its columns |
| `type_changes` | the types that the column was widened from, as `delta.typeChanges` lists them |
| `metadata` | every other key of the column's metadata: expressions, identity, constraints, what writers of tomorrow add |

| attribute of the table | holds |
|---|---|
| `format`, `location` | `delta`; where the data lie |
| `column_mapping` | `id` or `name`, where the table maps its columns |
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.core.schema.attribute_options import attribute_key

DELTA: Final = "delta"
"""The format of the table."""
PHYSICAL_NAME: Final = "physical_name"
TYPE_CHANGES: Final = "type_changes"
METADATA: Final = "metadata"
COLUMN_MAPPING: Final = "column_mapping"

# The keys in the metadata of a column that have a place of their own with us.
COMMENT: Final = "comment"
DEFAULT: Final = "CURRENT_DEFAULT"
DECLARED: Final = "__CHAR_VARCHAR_TYPE_STRING"
COLLATIONS: Final = "__COLLATIONS"
MAPPED_ID: Final = "delta.columnMapping.id"
MAPPED_NAME: Final = "delta.columnMapping.physicalName"
MAPPED_PARTS: Final = "delta.columnMapping.nested.ids"
WIDENED: Final = "delta.typeChanges"
# Every insert into a table with an identity column moves it: it says nothing about the schema.
HIGH_WATER_MARK: Final = "delta.identity.highWaterMark"

FIELD_ATTRIBUTES: Final = frozenset({PHYSICAL_NAME, TYPE_CHANGES, METADATA})
TABLE_ATTRIBUTES: Final = frozenset({"format", COLUMN_MAPPING})


def option(number: int | None, attributes: Mapping[str, Any]) -> tuple[str, str]:
    """Return the option, and its value, that holds the attributes of a field, or of the table."""
    return attribute_key(number), json.dumps(attributes, ensure_ascii=False, sort_keys=True)
