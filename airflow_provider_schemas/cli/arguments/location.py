"""Where data lie, as it is typed: a relative path begins at the current folder, which nobody else is in, so that it is made whole."""

import os
import re
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# A URL; one that has lost a slash is told by the store what is wrong with it.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def is_relative(location: str) -> bool:
    """Whether a typed location means something in this folder, or for this user, alone."""
    text = location.strip()
    return bool(text) and not text.startswith("/") and _URL.match(text) is None


def absolute(location: str, store: "SchemaStore") -> str:
    """Return the whole path of a typed location; a URL as it is."""
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
