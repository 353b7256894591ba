"""A type that was changed as its format does not allow counts for a job as far as live files may hold the earlier type."""

from types import SimpleNamespace
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract
from airflow_provider_schemas.core.compatibility.id_audit import metadata_finding
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.store.versions.mounted_findings import findings_for

NARROWED = metadata_finding(Fault("iceberg.refused-type-change", "amount", "It was narrowed.", "Widen it."), versions=(0,))


def look(live: frozenset[int] | None) -> Any:
    """A look at a table whose metadata hold schemas 0 and 1, with the schemas of its live files."""
    return SimpleNamespace(findings=lambda: (NARROWED,), live=lambda: SimpleNamespace(numbers=live), numbers=(0, 1))


@pytest.mark.parametrize("live", [None, frozenset({0}), frozenset({0, 1}), frozenset({1, 7})])
def test_a_reader_of_the_column_is_stopped_while_live_files_may_hold_the_earlier_type(live: frozenset[int] | None) -> None:
    (finding,) = findings_for(look(live), Contract.of("amount INT"))
    assert finding.verdict is Verdict.BREAK
    (of_others,) = findings_for(look(live), Contract.of("cust STRING"))
    assert of_others.verdict is Verdict.WARN


@pytest.mark.parametrize("live", [frozenset[int](), frozenset({1})])
def test_nobody_is_stopped_once_no_live_file_can_hold_it(live: frozenset[int]) -> None:
    assert findings_for(look(live), Contract.of("amount INT")) == ()
