"""A commit to a long table asks as often as one to a short table, but for the pages of its one listing: counted on an S3 that pages."""

from collections import Counter

import pytest

from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import Asked, Far
from tests.support.long_tables import long_table, open_long_table

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
# As many pages as ten thousand versions are on S3, which answers a thousand names at once.
VERSIONS = 501
PAGE = 50
PAGES = 11


@pytest.fixture(scope="module")
def lake(far: Far) -> Bucket:
    bucket = far.bucket()
    long_table(bucket, COLUMNS, VERSIONS)
    return bucket


def committed(far: Far, lake: Bucket, change: str, **settings: object) -> Asked:
    """Return what the commit of a change by a new process asks."""
    with far.watched(page=PAGE) as asked:
        assert open_long_table(lake, **settings).evolve(change).created
    return asked


def about(asked: Asked) -> Counter[str]:
    """What is asked, by its kind and the folder that it is about."""
    return Counter(f"{str(call).partition(' ')[0]} {_folder(call.prefix or call.path)}" for call in asked.calls)


def _folder(path: str) -> str:
    for name in ("checkpoints", "registry-id", "contracts", "policies", "waivers", "snapshot", "schema/"):
        if name in path:
            return name.rstrip("/")
    return "root"


def test_a_process_that_knows_nothing_asks_twelve_times_beside_the_pages(far: Far, lake: Bucket) -> None:
    """And the same at each version, whether or not it writes the next checkpoint."""
    found = [committed(far, lake, f"ADD COLUMN c{number} INT") for number in range(6)]
    for asked in found:
        assert about(asked) == {
            "LIST root": 2,
            "GET registry-id": 1,
            "LIST schema": PAGES,
            "GET checkpoints": 1,
            # The newest; whether it is still there before the write and after it; and the new one.
            "GET schema": 4,
            # The newest, to see that it is refused, and the new one.
            "PUT schema": 2,
            "LIST contracts": 1,
            "PUT checkpoints": 1,
        }, asked.told()
    assert {asked.requests for asked in found} == {PAGES + 12}


def test_a_layout_that_is_said_is_not_looked_for(far: Far, lake: Bucket) -> None:
    asked = committed(far, lake, "ADD COLUMN said INT", layout="paimon")
    assert about(asked)["LIST root"] == 0
    assert asked.requests == PAGES + 13, asked.told()


def test_whether_there_are_data_is_asked_where_it_matters(far: Far, lake: Bucket) -> None:
    without, asked = (
        committed(far, lake, "ALTER COLUMN amount COMMENT 'EUR'"),
        committed(far, lake, "ALTER COLUMN amount TYPE DECIMAL(12, 2)"),
    )
    assert about(asked) - about(without) == {"LIST snapshot": 1}


def test_what_a_process_knows_it_does_not_ask_again(far: Far, lake: Bucket) -> None:
    table = open_long_table(lake)
    table.evolve("ADD COLUMN one INT")
    with far.watched(page=PAGE) as asked:
        assert table.evolve("ADD COLUMN two INT").created
    assert about(asked)["LIST schema"] == PAGES, asked.told()
    # It knows the layout, and what a listing of the registry would say: three more of its folders are listed, and one root less.
    assert asked.requests == PAGES + 13, asked.told()
