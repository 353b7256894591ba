"""The location of data, as people type it: a relative path begins at the current folder, so it is made absolute before it is kept."""

import os
import re
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# A URL; the store refuses one that has lost a slash.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def is_relative(location: str) -> bool:
    """Return whether a typed location depends on the current folder or on the user."""
    text = location.strip()
    return bool(text) and not text.startswith("/") and _URL.match(text) is None


def absolute(location: str, store: "SchemaStore") -> str:
    """Return the absolute path of a typed location; a URL stays unchanged."""
    if not is_relative(location):
        return location
    text = location.strip()
    whole = os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111  # a Path would lose what is wrong with it
    if store.warehouse.protocol != "file":
        raise _relative(text, f"and the store lies at {store.url}", f"{store.url}/{text}", whole)
    beside = f"{store.url}/{text}"
    if not os.path.exists(whole) and os.path.exists(beside):  # noqa: PTH110  # likewise
        raise _relative(text, "not in this folder, and there is one of that name in the warehouse", beside, whole)
    return whole


def _relative(text: str, why: str, beside: str, whole: str) -> SchemaError:
    message = f"{shown(text)} is relative, {why}."
    fix = f"Write what is meant: {beside}, or {whole}."
    return SchemaError(message, code="cli.relative-location", path="--location", fix=fix)
