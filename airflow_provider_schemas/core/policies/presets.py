"""Policies that have a name of their own everywhere, as what they say of single rules."""

from collections.abc import Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.rules import CATALOGUE, Judges

# What Open Data Fabric lets a dataset do to its schema: optional fields and words for people. Options that are about
# speed and size are none of its business, and what changes nothing is no change.
_ADDITIVE = frozenset({"FIELD_ADDED_NULLABLE", "FIELD_DOC_CHANGED", "TYPE_SPELLING_CHANGED", "OPTION_TUNING", "NO_CHANGE"})
_OF_STEPS = (Judges.TWO, Judges.HISTORY)

PRESETS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "odf-additive": MappingProxyType({one.id: "block" for one in CATALOGUE if one.judges in _OF_STEPS and one.id not in _ADDITIVE}),
})  # fmt: skip
