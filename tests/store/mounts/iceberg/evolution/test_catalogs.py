"""A change goes through REST and Glue catalogs as through SQL, in as few requests as it can."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import IcebergMount
from tests.servers.bucket import Bucket
from tests.servers.fixtures import Flawed
from tests.servers.iceberg_glue import iceberg_glue
from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.evolution.support.changed_lake import open_store
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create


def _evolve(folder: Path, catalog: Any, namespace: str, changes: list[str], **options: Any) -> Any:
    store = open_store(folder, IcebergMount(catalog, namespace, evolve=True))
    return store.table("shop.orders").evolve(changes, **options)


def test_a_change_through_rest_is_a_look_a_load_and_a_commit(tmp_path: Path) -> None:
    with iceberg_rest(tmp_path / "rest") as server:
        client = server.client()
        client.create_namespace((NAMESPACE,))
        create(client)
        server.asked.clear()
        done = _evolve(tmp_path, client, NAMESPACE, ["ADD COLUMN a INT"])
        assert [method for method, _ in server.asked] == ["GET", "GET", "POST"]
        assert done.number == 1
        assert [field.name for field in server.behind.load_table((NAMESPACE, "orders")).schema().fields][-1] == "a"


@pytest.mark.parametrize(("lost", "dropped", "commits"), [(1, 0, 1), (0, 1, 2)])
def test_a_lost_answer_of_rest_is_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int, dropped: int, commits: int) -> None:
    with iceberg_rest(tmp_path / "rest") as server:
        client = server.client()
        client.create_namespace((NAMESPACE,))
        create(client)
        server.lost_answers = lost
        server.dropped_commits = dropped
        server.asked.clear()
        done = _evolve(tmp_path, client, NAMESPACE, ["ADD COLUMN a INT"], key="k")
        assert (done.outcome, done.number) == ("created", 1)
        assert [method for method, _ in server.asked].count("POST") == commits


def test_a_stale_change_through_rest_is_refused_by_the_server_and_judged_again(tmp_path: Path) -> None:
    from pyiceberg.types import LongType

    with iceberg_rest(tmp_path / "rest") as server:
        client = server.client()
        client.create_namespace((NAMESPACE,))
        create(client)
        commit_table = client.commit_table

        def overtaken(*arguments: Any) -> Any:
            client.commit_table = commit_table
            with server.behind.load_table((NAMESPACE, "orders")).update_schema() as update:
                update.add_column("salary", LongType())
            with server.behind.load_table((NAMESPACE, "orders")).update_schema() as update:
                update.delete_column("salary")
            return commit_table(*arguments)

        client.commit_table = overtaken
        done = _evolve(tmp_path, client, NAMESPACE, ["ADD COLUMN opt_in INT"])
        metadata = server.behind.load_table((NAMESPACE, "orders")).metadata
    assert done.attempts == 2
    assert [schema.schema_id for schema in metadata.schemas] == [0, 1, 2]
    assert {field.name: field.field_id for field in metadata.schema().fields}["opt_in"] == 5


def test_a_change_through_glue_is_seen_by_everybody(tmp_path: Path, s3_bucket: Bucket, flawed: Flawed) -> None:
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField, StringType

    glue = iceberg_glue(s3_bucket, flawed)
    client = glue.client(watched=False)
    schema = Schema(NestedField(1, "order_id", LongType(), required=True), NestedField(2, "cust", StringType()))
    client.create_table((glue.database, "orders"), schema)
    first = _evolve(tmp_path, client, glue.database, ["RENAME COLUMN cust TO customer"], key="k1")
    second = _evolve(tmp_path, client, glue.database, ["ADD COLUMN a ARRAY<INT>"], key="k2")
    again = _evolve(tmp_path, client, glue.database, ["RENAME COLUMN cust TO customer"], key="k1")
    assert (first.number, second.number, again.number, again.outcome) == (1, 2, 1, "already applied")
    table = client.load_table((glue.database, "orders"))
    assert [field.name for field in table.schema().fields] == ["order_id", "customer", "a"]
