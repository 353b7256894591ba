"""Every value that people meet in a shell shows itself on one short line."""

import importlib
from enum import Enum

import pytest
from msgspec import Struct
from pydantic import BaseModel

from airflow_provider_schemas.core.common.short_repr import BoundedRepr, ShortRepr

PACKAGES = ("core", "formats", "store")
MODULES = (
    "core.blame.column_blame",
    "core.blame.column_readers",
    "core.blame.lifelines",
    "core.blame.origin",
    "core.blame.readers_by_version",
    "core.data_finding",
    "core.evolution.diff",
    "core.evolution.match_by_name",
    "render.findings.view",
    "render.html.table_diff",
    "render.verdict.entries",
    "render.version_entries",
    "store.checking.judgement",
    "store.retention.expiry",
    "store.versions.history",
)
# Parts of other values, which are a few words each.
SMALL = {
    "Timestamp",
    "RuleEntry",
    "FineEntry",
    "ChangeEntry",
    "ComparedEntry",
    "OverrideEntry",
    "PolicyEntry",
    "PolicyOrigin",
    "Impact",
    "BothTexts",
}


def public_classes() -> list[type]:
    """Return the classes of values: what the packages list, and what the functions of these modules return."""
    found: set[type] = set()
    for package in PACKAGES:
        module = importlib.import_module(f"airflow_provider_schemas.{package}")
        found |= {value for name in module.__all__ if isinstance(value := getattr(module, name), type)}
    for name in MODULES:
        module = importlib.import_module(f"airflow_provider_schemas.{name}")
        found |= {value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__}
    values = [kind for kind in found if not issubclass(kind, Enum) and kind.__name__ not in SMALL and not kind.__name__.startswith("_")]
    return sorted(values, key=lambda kind: kind.__name__)


CLASSES = public_classes()


@pytest.mark.parametrize("kind", CLASSES, ids=[kind.__name__ for kind in CLASSES])
def test_a_public_value_has_a_short_repr(kind: type) -> None:
    if issubclass(kind, Struct | BaseModel):
        assert issubclass(kind, ShortRepr | BoundedRepr)
    assert kind.__repr__ not in (object.__repr__, Struct.__repr__, BaseModel.__repr__)


def test_the_walk_meets_many_values() -> None:
    names = {kind.__name__ for kind in CLASSES}
    assert {"Report", "Plan", "Diff", "TableSchema", "Version", "Policy", "Contract", "History", "Committed", "Judgement"} <= names
