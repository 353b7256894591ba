"""A job cannot look at a mounted table again, and never says that it did."""

import json
import logging
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.spark import schema_assertion
from airflow_provider_schemas.spark.gate_handover import handed_over

MOUNTED = {"version": 3, "digest": "a" * 64, "place": "https://catalog/prod.shop/orders", "layout": "mounted", "table_id": "t-1"}
OURS = {"version": 0, "digest": "b" * 64, "place": "file:///lake/shop.db/users/schema", "layout": "paimon"}


def test_a_job_of_mounted_tables_alone_is_told_that_nothing_can_be_compared() -> None:
    nobody: Any = None
    with pytest.raises(NotThereError, match="cannot be compared in a job") as error:
        schema_assertion.assert_schema(nobody, json.dumps({"shop.orders": MOUNTED}))
    assert (error.value.code, bool(error.value.fix)) == ("door.mounted", True)


def test_beside_others_the_log_says_that_it_was_not_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    tables = handed_over(None, json.dumps({"shop.orders": MOUNTED, "shop.users": OURS}))
    with caplog.at_level(logging.WARNING):
        assert list(schema_assertion._comparable(tables)) == ["shop.users"]
    assert "shop.orders: version 3 (aaaaaaaa) was checked before this job. It is not looked at again" in caplog.text
