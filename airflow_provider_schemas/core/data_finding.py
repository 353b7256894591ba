"""A finding about rows: how many there are, and what some of them look like."""

from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.report import Finding


class DataFinding(Finding, frozen=True, omit_defaults=True):
    """A finding of which the rows were counted."""

    count: int = 0
    """How many rows break the rule; 0 where the data has another form, so that no row was looked at."""
    samples: tuple[Mapping[str, Any], ...] = ()
    """Some of these rows: the primary key, if there is one, and what breaks the rule. Numbers, texts, true, false and None only."""
