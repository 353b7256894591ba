"""Files of the registry are read once for as long as their mark stays, and no more bytes are kept than there is room for."""

from pathlib import Path

from airflow_provider_schemas.plugins.connections.kept_records import KeptRecords
from airflow_provider_schemas.store import SchemaStore

FOLDER = "contracts/shop/orders"


def store_with_a_job(folder: Path) -> SchemaStore:
    folder.mkdir()
    store = SchemaStore(folder)
    store.create_table("shop.orders", "a INT")
    store.table("shop.orders").register("a INT", consumer="daily")
    return store


def read_once(kept: KeptRecords, store: SchemaStore) -> int:
    """Read the contracts as a page does; return how many files were read."""
    judged = store.judging()
    walked = kept.walk(judged.registry, FOLDER)
    before = judged.registry.count.snapshot()
    assert [str(job) for job in judged.table("shop.orders").registered()] == ["daily"]
    walked.keep()
    after = judged.registry.count.snapshot()
    return sum(after) - sum(before)


def test_a_contract_that_was_read_is_not_read_again(tmp_path: Path) -> None:
    store, kept = store_with_a_job(tmp_path / "lake"), KeptRecords()
    first = read_once(kept, store)
    assert read_once(kept, store) < first


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    store, kept = store_with_a_job(tmp_path / "lake"), KeptRecords()
    read_once(kept, store)
    store.drop_table("shop.orders", purge=True, override="made again")
    store.create_table("shop.orders", "a INT, b INT")
    store.table("shop.orders").register("b INT", consumer="daily")
    judged = store.judging()
    kept.walk(judged.registry, FOLDER)
    (job,) = judged.table("shop.orders").registered()
    assert [need.name for need in job.contract.columns] == ["b"]


def test_what_was_not_asked_for_the_longest_time_makes_room() -> None:
    kept = KeptRecords(most_bytes=3_000)
    for number in range(4):
        kept.put(f"contract-{number}", "mark", b"x" * 400)
    assert kept.get("contract-0", "mark") is None
    assert kept.get("contract-3", "mark") == b"x" * 400


def test_without_a_mark_nothing_is_kept() -> None:
    kept = KeptRecords()
    kept.put("contract-0", "", b"x")
    assert kept.get("contract-0", "") is None
