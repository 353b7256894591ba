"""Versions and texts without the addresses of the storage: whoever may see a page need not know where the data lie."""

import json
import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError

HIDDEN: Final = "(an address)"
_LOCATION: Final = "location"
_ADDRESS: Final = re.compile(r"(?:~?/|[A-Za-z]:\\|[A-Za-z][A-Za-z0-9+.-]*:/)")
# A word of a sentence that holds a path.
_PATH_IN_TEXT: Final = re.compile(r"[^\s'\"(]*/[^\s'\"),;]*")


def without_addresses(version: Version) -> Version:
    """Return the version whose options tell no address."""
    return replace(version, schema=_hide(version.schema))


def text_without_paths(text: str) -> str:
    """Return a sentence in which paths and addresses are left out."""
    return _PATH_IN_TEXT.sub(HIDDEN, text)


def texts_without_paths(texts: Iterable[str], *, may_see_addresses: bool) -> tuple[str, ...]:
    """Return sentences as they may be shown."""
    return tuple(texts) if may_see_addresses else tuple(map(text_without_paths, texts))


def _hide(schema: TableSchema) -> TableSchema:
    options = dict(schema.options)
    changed = _hide_location(schema, options)
    for key, value in schema.options.items():
        if _ADDRESS.match(value):
            options[key] = HIDDEN
            changed = True
    return replace(schema, options=Options(options)) if changed else schema


def _hide_location(schema: TableSchema, options: dict[str, str]) -> bool:
    """Take the location out of the attributes of the table; return whether there was one."""
    key = attribute_key(None)
    try:
        attributes = dict(schema.table_attributes)
    except SchemaError:  # nobody knows what stands there
        options.pop(key, None)
        return True
    if _LOCATION not in attributes:
        return False
    del attributes[_LOCATION]
    if attributes:
        options[key] = json.dumps(attributes, ensure_ascii=False, sort_keys=True)
    else:
        del options[key]
    return True
