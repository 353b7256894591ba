"""What goes wrong in a catalog or a storage is an error of ours that says what to do: never a table that is not there, never a secret."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store import IcebergMount
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble, says_missing
from airflow_provider_schemas.store.storage.errors import passing
from tests.servers.iceberg_rest import Answer, IcebergRest
from tests.servers.process import free_port
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, metadata_files, sql_catalog


def answered(status: int, kind: str = "Whatever") -> Answer:
    return Answer(status, {"error": {"type": kind, "message": "no, with token=abc123", "code": status}})


STATUSES = {
    401: ("storage.credentials", False),
    403: ("storage.forbidden", False),
    419: ("storage.credentials", False),
    429: ("storage.unreachable", True),
    500: ("storage.unreachable", True),
    503: ("storage.unreachable", True),
    400: ("storage.failed", False),
}


@pytest.mark.parametrize("status", STATUSES)
def test_an_answer_that_says_no_is_told_apart(rested: Lake, rest: IcebergRest, status: int) -> None:
    rested.create()
    rest.forged = answered(status)
    with pytest.raises(StorageError) as caught:
        rested.mount.look("orders")
    code, again = STATUSES[status]
    assert (caught.value.code, passing(caught.value)) == (code, again)
    assert caught.value.fix
    assert "abc123" not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404, b"<html>no page</html>"),
        answered(404, "NotFound"),
        Answer(200, b"<html>welcome</html>"),
        Answer(200, {"config": {}}),
        Answer(200, b"[" * 100_000),
        Answer(200, {"metadata": 5}),
        Answer(200, {"metadata": {"format-version": 2}}),
    ],
    ids=["a page is missing", "another 404", "a page", "no metadata", "nested without end", "a number", "no schemas"],
)
def test_what_is_no_answer_of_a_catalog_is_an_error_and_no_missing_table(rested: Lake, rest: IcebergRest, answer: Answer) -> None:
    rested.create()
    rest.forged = answer
    with pytest.raises(SchemaError) as caught:
        rested.mount.look("orders")
    assert not isinstance(caught.value, NotThereError)
    assert caught.value.fix


@pytest.mark.parametrize("kind", ["NoSuchTableException", "NoSuchNamespaceException"])
def test_a_catalog_that_says_that_there_is_no_table_is_believed(rested: Lake, rest: IcebergRest, kind: str) -> None:
    rest.forged = answered(404, kind)
    assert rested.mount.look("orders") is None


def test_a_catalog_that_is_away_is_an_error_that_may_pass() -> None:
    from pyiceberg.catalog.rest import RestCatalog

    port = free_port()
    mount = IcebergMount(lambda: RestCatalog("rest", uri=f"http://ana:secret@127.0.0.1:{port}"), NAMESPACE)
    with pytest.raises(StorageError) as caught:
        mount.look("orders")
    assert passing(caught.value)
    assert "secret" not in str(caught.value)


def test_a_catalog_that_goes_away_is_the_same_with_a_look_and_without(rested: Lake, rest: IcebergRest) -> None:
    rested.create()
    look = rested.look()
    rest.forged = answered(503)
    for known in (look, None):
        with pytest.raises(StorageError):
            rested.mount.look("orders", known)


def test_metadata_that_the_catalog_names_and_nobody_has_are_an_error(sql: Lake) -> None:
    sql.create()
    metadata_files(sql.folder)[-1].unlink()
    with pytest.raises(StorageError) as caught:
        sql.mount.look("orders")
    assert caught.value.code == "mount.metadata-gone"


def test_metadata_that_cannot_be_read_are_an_error(sql: Lake) -> None:
    sql.create()
    metadata_files(sql.folder)[-1].write_bytes(b"{}")
    with pytest.raises(SchemaError) as caught:
        sql.mount.look("orders")
    assert not isinstance(caught.value, NotThereError)


def test_a_namespace_that_is_not_there_is_an_error_and_no_missing_table(rested: Lake, rest: IcebergRest) -> None:
    for catalog in (rested.writer, rest.client()):
        mount = IcebergMount(catalog, "nowhere")
        with pytest.raises(StorageError) as caught:
            mount.look("orders")
        assert caught.value.code == "mount.no-namespace"
        with pytest.raises(NotThereError, match="nowhere"):
            mount.tables()


def test_a_namespace_is_asked_for_until_it_was_there_once(rested: Lake, rest: IcebergRest) -> None:
    for _ in range(3):
        assert rested.mount.look("nothing") is None
    table = "/v1/namespaces/shop/tables/nothing"
    assert [path for _, path in rest.asked[1:]] == [table, "/v1/namespaces/shop", table, table]


def test_who_may_not_look_at_namespaces_is_told_about_tables_all_the_same(sql: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyiceberg.exceptions import ForbiddenError

    def denied(_: Any) -> bool:
        raise ForbiddenError("no")

    monkeypatch.setattr(sql.writer, "namespace_exists", denied)
    assert IcebergMount(sql.writer, NAMESPACE).look("nothing") is None


def test_an_address_with_nothing_behind_it_is_an_error_and_no_missing_table(tmp_path: Path, s3_bucket: Any) -> None:
    for mount in (
        IcebergMount(tmp_path / "nowhere"),
        IcebergMount(tmp_path / "shop" / "metadata" / "v1.metadata.json"),
        IcebergMount(s3_bucket.url("nowhere"), storage_options=s3_bucket.storage_options),
        IcebergMount(s3_bucket.named("no-bucket").url("shop"), storage_options=s3_bucket.storage_options),
    ):
        for ask in (lambda mount=mount: mount.look("shop"), mount.tables):
            with pytest.raises(StorageError) as caught:
                ask()
            assert caught.value.fix


def test_a_database_that_is_no_catalog_is_no_empty_one(tmp_path: Path) -> None:
    import sqlalchemy

    catalog = sql_catalog(tmp_path)
    with catalog.engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP TABLE iceberg_tables"))
    with pytest.raises(StorageError) as caught:
        IcebergMount(catalog, NAMESPACE).look("orders")
    assert caught.value.fix


def test_three_errors_of_one_name_mean_different_things() -> None:
    import sqlalchemy.exc
    from pyiceberg.exceptions import NoSuchIcebergTableError, NoSuchTableError

    assert says_missing(NoSuchTableError("shop.orders"))
    assert not says_missing(sqlalchemy.exc.NoSuchTableError("iceberg_tables"))
    assert not says_missing(NoSuchIcebergTableError("a view of Hive"))
    mapped = {type(error): catalog_trouble(error, where="here", what="t").code for error in (NoSuchIcebergTableError("x"),)}
    assert set(mapped.values()) == {"mount.not-iceberg"}
    assert catalog_trouble(sqlalchemy.exc.NoSuchTableError("x"), where="here", what="t").code == "storage.failed"


def test_a_catalog_that_ends_the_process_is_not_held_up() -> None:
    class Stopping:
        def load_table(self, _: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        IcebergMount(Stopping(), NAMESPACE).look("orders")


def test_any_object_that_loads_tables_is_a_catalog(sql: Lake) -> None:
    class Wrapped:
        name = "wrapped"

        def load_table(self, identifier: Any) -> Any:
            return sql.writer.load_table(identifier)

    sql.create()
    other = Lake(None, IcebergMount(Wrapped(), NAMESPACE), "")
    look = other.look()
    assert (look.head, other.look(known=look) is look, other.mount.look("nothing")) == (0, True, None)


def test_a_request_that_fails_once_is_made_again_by_the_catalog_itself(rested: Lake, rest: IcebergRest) -> None:
    rested.create()
    rested.append()
    rested.change(lambda update: update.rename_column("cust", "customer"))
    usual = rested.look()
    rest.forged, rest.forged_times = answered(500), 1
    again = Lake(None, IcebergMount(rest.client(), NAMESPACE), "").look()
    assert rest.forged_times == 0
    assert (again.head, again.version(1), again.live()) == (usual.head, usual.version(1), usual.live())
    assert again.heads() == usual.heads()
