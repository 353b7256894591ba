"""How many requests a look takes, the first one and one that finds nothing new: exactly, as the servers counted them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from airflow_provider_schemas.store import IcebergMount
from tests.servers.iceberg_rest import IcebergRest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, append

LOAD = ("GET", "/v1/namespaces/shop/tables/orders")


def test_a_rest_catalog_is_asked_for_its_configuration_once_and_for_a_table_once(rested: Lake, rest: IcebergRest) -> None:
    rested.create()
    rest.asked.clear()
    mount = IcebergMount(rest.client, NAMESPACE, name="rest")
    assert rest.asked == []
    look = mount.look("orders")
    assert rest.asked == [("GET", "/v1/config"), LOAD]
    assert mount.count.snapshot() == (2, 0, 0)
    assert mount.look("orders", look) is look
    assert rest.asked[2:] == [LOAD]
    assert mount.count.snapshot() == (3, 0, 0)


def test_nothing_is_sent_where_the_etag_is_known(rested: Lake, rest: IcebergRest) -> None:
    rested.create()
    statuses: list[int] = []
    answer = rest.answer

    def watched(*request: Any) -> Any:
        given = answer(*request)
        statuses.append(given.status)
        return given

    rest.answer = watched  # type: ignore[method-assign,assignment]  # the server asks the object
    look = rested.look()
    assert rested.look(known=look) is look
    rested.change(lambda update: update.rename_column("cust", "customer"))
    assert rested.look(known=look).head == 1
    assert statuses == [200, 304, 200]


def test_without_etags_the_location_tells_that_nothing_changed(rested: Lake, rest: IcebergRest) -> None:
    rest.sends_etags = False
    rested.create()
    look = rested.look()
    assert look.mark.endswith(".metadata.json")
    assert rested.look(known=look) is look


def statements(lake: Lake) -> list[str]:
    """The queries that a SQL catalog makes from now on."""
    import sqlalchemy

    made: list[str] = []

    def watch(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        made.append(statement)

    sqlalchemy.event.listen(lake.writer.engine, "before_cursor_execute", watch)
    return made


def test_a_sql_catalog_takes_a_query_and_a_read_and_then_a_query(sql: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyiceberg.serializers

    sql.create()
    made = statements(sql)

    def parsed(*_: Any, **__: Any) -> Any:
        raise AssertionError("the library read the metadata")

    monkeypatch.setattr(pyiceberg.serializers.FromInputFile, "table_metadata", parsed)
    look = sql.look()
    assert (len(made), sql.mount.count.snapshot()) == (1, (1, 1, 0))
    assert sql.look(known=look) is look
    assert (len(made), sql.mount.count.snapshot()) == (2, (2, 1, 0))


def test_the_catalog_of_the_caller_stays_as_it_is(sql: Lake) -> None:
    sql.create()
    before = dict(sql.writer.properties)
    sql.look()
    assert sql.writer.properties == before
    assert sql.writer.load_table("shop.orders").metadata.current_schema_id == 0


def test_a_folder_takes_a_listing_and_a_read_and_then_a_listing(folder: Lake) -> None:
    folder.create()
    folder.append()
    look = folder.look()
    assert folder.mount.count.snapshot() == (1, 1, 0)
    assert folder.look(known=look) is look
    assert folder.mount.count.snapshot() == (2, 1, 0)


def test_the_past_takes_a_read_for_each_file_of_the_log_once_in_the_life_of_a_mount(lake: Lake) -> None:
    lake.create()
    for _ in range(3):
        lake.append()
    look = lake.look()
    before = lake.mount.count.snapshot()[1]
    assert len(look.heads().entries) == 1
    assert lake.mount.count.snapshot()[1] == before + 3
    look.heads()
    assert lake.mount.count.snapshot()[1] == before + 3
    lake.change(lambda update: update.rename_column("cust", "customer"))
    second = lake.look(known=look)
    asked = lake.mount.count.snapshot()[1]
    assert len(second.heads().entries) == 2
    assert lake.mount.count.snapshot()[1] == asked + 1  # the file that was current a moment ago


def test_live_schemas_take_a_list_a_ref_and_the_beginning_of_each_manifest_once(lake: Lake) -> None:
    lake.create()
    lake.append()
    lake.append()
    look = lake.look()
    before = lake.mount.count.snapshot()[1]
    look.live()
    assert lake.mount.count.snapshot()[1] == before + 3
    lake.append()
    second = lake.look(known=look)
    before = lake.mount.count.snapshot()[1]
    second.live()
    assert lake.mount.count.snapshot()[1] == before + 2


def test_sixty_four_at_once_open_one_catalog(rested: Lake, rest: IcebergRest) -> None:
    for number in range(8):
        rested.create(f"t{number}")
    rest.asked.clear()
    mount = IcebergMount(rest.client, NAMESPACE, name="rest")
    with ThreadPoolExecutor(64) as pool:
        looks = list(pool.map(lambda number: mount.look(f"t{number % 8}"), range(64)))
    assert {look.head for look in looks if look is not None} == {0}
    assert len(looks) == 64
    assert rest.asked.count(("GET", "/v1/config")) == 1


@pytest.mark.parametrize("ask", [lambda look: look.heads(), lambda look: look.live()], ids=["past", "live"])
def test_threads_that_share_a_look_read_each_file_once(sql: Lake, ask: Callable[[Any], Any]) -> None:
    table = sql.create()
    append(table)
    append(table)
    look = sql.look()
    before = sql.mount.count.snapshot()[1]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: ask(look), range(64)))
    assert all(answer == answers[0] for answer in answers)
    assert sql.mount.count.snapshot()[1] - before <= 3
