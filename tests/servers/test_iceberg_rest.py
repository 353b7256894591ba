"""The REST catalog of the tests does what a test tells it to."""

from pathlib import Path

import pytest

from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, ORDERS, create


def test_a_lost_answer_is_one_whose_commit_was_made(tmp_path: Path) -> None:
    from pyiceberg.exceptions import CommitStateUnknownException

    with iceberg_rest(tmp_path) as rest:
        client = rest.client()
        client.create_namespace(NAMESPACE)
        table = create(client)
        rest.lost_answers = 1
        with pytest.raises(CommitStateUnknownException), table.update_schema() as update:
            update.rename_column("cust", "customer")
        assert [field.name for field in client.load_table(ORDERS).schema().fields][1] == "customer"


def test_a_commit_of_who_comes_second_is_refused(tmp_path: Path) -> None:
    from pyiceberg.exceptions import CommitFailedException

    with iceberg_rest(tmp_path) as rest:
        client = rest.client()
        client.create_namespace(NAMESPACE)
        first, second = create(client), client.load_table(ORDERS)
        with first.update_schema() as update:
            update.rename_column("cust", "customer")
        with pytest.raises(CommitFailedException), second.update_schema() as update:
            update.rename_column("cust", "buyer")
        client.drop_table(ORDERS)
        assert client.list_tables(NAMESPACE) == []
