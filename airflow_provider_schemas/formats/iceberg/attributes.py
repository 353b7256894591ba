"""The attributes that hold what our types have no place for: their names, and the options that carry them.

The names that checks understand are those of `core.schema.foreign_attributes`; the others only come back where they came from.

| attribute of a field | holds |
|---|---|
| `logical` | `"uuid"` or `"unknown"`; of parts of its type an object: `{"element": "uuid"}` |
| `element_ids` | the ids of elements, keys and values: `{"element": 5}`, `{"key": 6, "value": 7, "value.element": 8}` |
| `initial_default` | what rows have that are older than the field, as Iceberg's JSON |
| `write_default` | the value for new rows, as Iceberg's JSON, where the default of a column cannot say it |

| attribute of the table | holds |
|---|---|
| `identifier_fields` | ids of the fields that identify a row; nobody enforces it, so that they are no primary key |
| `partition_transforms`, `sort_order` | the fields of the default spec and of the default order, as Iceberg's JSON |
| `format`, `location` | `iceberg`; where the data lie |
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.core.schema.attribute_options import attribute_key

SORT_ORDER: Final = "sort_order"
ICEBERG: Final = "iceberg"
"""The format of the table."""


def option(number: int | None, attributes: Mapping[str, Any]) -> tuple[str, str]:
    """Return the option, and its value, that holds the attributes of a field, or of the table."""
    return attribute_key(number), json.dumps(attributes, ensure_ascii=False, sort_keys=True)
