"""Whether a change landed whose answer was lost is found out, or said to be unknown; then nothing is tried again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import OutcomeUnknownError, StorageError
from airflow_provider_schemas.store import IcebergMount
from airflow_provider_schemas.store.mounts.iceberg.evolution import settle
from tests.store.mounts.iceberg.evolution.support.changed_lake import ChangedLake, lose, open_store
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, append, metadata_files

ADD = ["ADD COLUMN a INT"]


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChangedLake:
    monkeypatch.setattr(settle, "_PAUSES", (0.0, 0.01))
    return ChangedLake(tmp_path)


def _other(lake: ChangedLake) -> Any:
    """The same table through a store of somebody else."""
    return open_store(lake.folder, IcebergMount(lake.catalog, NAMESPACE, evolve=True), actor="bob").table("shop.orders")


def _then_lose(*acts: Callable[[], object]) -> Callable[[], None]:
    def after() -> None:
        for act in acts:
            act()
        lose()

    return after


def _error(kind: type[Exception]) -> Callable[[], None]:
    def fail() -> None:
        raise kind("the connection was lost")

    return fail


@pytest.mark.parametrize("kind", [ConnectionError, TimeoutError, OSError, RuntimeError])
def test_a_change_that_landed_is_found_whatever_the_client_raises(lake: ChangedLake, kind: type[Exception]) -> None:
    lake.faulty.after.append(_error(kind))
    done = lake.table.evolve(ADD)
    assert (done.outcome, done.number, len(lake.faulty.sent)) == ("created", 1, 1)


def test_a_change_that_landed_is_found_behind_rows_and_behind_changes_of_others(lake: ChangedLake) -> None:
    lake.faulty.after.append(
        _then_lose(
            lambda: append(lake.peer),
            lambda: lake.peer_changes(lambda update: update.rename_column("cust", "customer")),
            lambda: append(lake.peer),
        )
    )
    done = lake.table.evolve(ADD)
    assert (done.number, len(lake.faulty.sent)) == (1, 1)
    assert list(lake.columns()) == ["order_id", "customer", "amount", "a"]


def test_a_change_that_landed_is_found_behind_a_later_change_of_ours(lake: ChangedLake) -> None:
    lake.faulty.after.append(_then_lose(lambda: _other(lake).evolve(["ADD COLUMN b INT"])))
    done = lake.table.evolve(ADD)
    assert (done.number, list(done.schema.names)) == (1, ["order_id", "cust", "amount", "a"])
    assert len(lake.faulty.sent) == 1


def test_a_change_that_landed_is_found_in_the_log_where_its_note_was_overwritten(lake: ChangedLake) -> None:
    def overwrite() -> None:
        with lake.peer.transaction() as transaction:
            transaction.set_properties({"schemas.last": "{}", "schemas.commits": "[]"})

    lake.faulty.after.append(_then_lose(overwrite, lambda: append(lake.peer)))
    done = lake.table.evolve(ADD)
    assert (done.number, len(lake.faulty.sent)) == (1, 1)


def test_an_answer_lost_before_the_change_is_made_leads_to_another_try(lake: ChangedLake) -> None:
    lake.faulty.before.append(lose)
    done = lake.table.evolve(ADD)
    assert (done.number, len(lake.faulty.sent), lake.columns()["a"]) == (1, 2, 4)


def test_a_change_that_was_overtaken_before_it_was_made_is_judged_again(lake: ChangedLake) -> None:
    def overtaken() -> None:
        lake.peer_changes(lambda update: update.rename_column("cust", "customer"))
        lose()

    lake.faulty.before.append(overtaken)
    done = lake.table.evolve(ADD)
    assert (done.number, list(lake.columns())) == (2, ["order_id", "customer", "amount", "a"])


def test_a_request_that_lands_after_all_while_it_is_sent_again_lands_once(lake: ChangedLake) -> None:
    """The gateway gives up, and delivers the request when the next one is on its way."""

    def deliver_first() -> None:
        table = lake.catalog.load_table((NAMESPACE, "orders"))
        lake.catalog.commit_table(table, *lake.faulty.sent[0])

    lake.faulty.before += [lose, deliver_first]
    done = lake.table.evolve(ADD)
    assert (done.outcome, done.number) == ("created", 1)
    assert lake.columns() == {"order_id": 1, "cust": 2, "amount": 3, "a": 4}
    assert [schema.schema_id for schema in lake.peer.metadata.schemas] == [0, 1]


def test_a_catalog_that_never_answers_leaves_it_unclear_and_says_what_to_look_at(lake: ChangedLake) -> None:
    lake.faulty.before += [lose] * 9
    with pytest.raises(StorageError) as error:
        lake.table.evolve(ADD)
    assert (error.value.code, len(lake.faulty.sent)) == ("storage.unclear", 3)
    assert "schemas.commits" in error.value.fix
    assert not isinstance(error.value, OutcomeUnknownError)  # a task may try it again
    lake.faulty.before.clear()
    assert lake.table.evolve(ADD).created


def test_a_log_that_was_cut_leaves_it_unknown_and_nothing_is_tried_again(lake: ChangedLake) -> None:
    def cut() -> None:
        with lake.peer.transaction() as transaction:
            transaction.set_properties({"write.metadata.previous-versions-max": "1", "schemas.commits": "[]", "schemas.last": "{}"})
        append(lake.peer)
        append(lake.peer)

    lake.faulty.after.append(_then_lose(cut))
    with pytest.raises(OutcomeUnknownError) as error:
        lake.table.evolve(ADD)
    assert (error.value.code, len(lake.faulty.sent)) == ("storage.unclear", 1)


def test_a_metadata_file_that_cannot_be_read_leaves_it_unknown(lake: ChangedLake) -> None:
    def spoil() -> None:
        lake.peer_changes(lambda update: update.rename_column("cust", "customer"))
        append(lake.peer)
        folder = lake.peer.metadata.location.removeprefix("file://")
        metadata_files(str(Path(folder).parent))[-2].write_bytes(b"{}")
        lose()

    lake.faulty.before.append(spoil)
    with pytest.raises(OutcomeUnknownError) as error:
        lake.table.evolve(ADD)
    assert (error.value.code, len(lake.faulty.sent)) == ("storage.unclear", 1)


def test_a_catalog_that_is_gone_after_the_change_leaves_it_unknown(lake: ChangedLake) -> None:
    def gone() -> None:
        lake.faulty.loads += [_error(ConnectionError)] * 5
        lose()

    lake.faulty.after.append(gone)
    with pytest.raises(OutcomeUnknownError) as error:
        lake.table.evolve(ADD, key="k")
    assert (error.value.code, len(lake.faulty.sent)) == ("storage.unclear", 1)
    lake.faulty.loads.clear()
    assert lake.table.evolve(ADD, key="k").outcome == "already applied"


def test_a_table_replaced_while_the_answer_was_lost_leaves_it_unknown(lake: ChangedLake) -> None:
    from tests.store.mounts.iceberg.support.lakes import create

    def replaced() -> None:
        lake.catalog.drop_table((NAMESPACE, "orders"))
        create(lake.catalog)
        lose()

    lake.faulty.after.append(replaced)
    with pytest.raises(OutcomeUnknownError) as error:
        lake.table.evolve(ADD)
    assert (error.value.code, len(lake.faulty.sent)) == ("storage.unclear", 1)


def test_a_refusal_of_the_catalog_is_an_error_at_once(lake: ChangedLake) -> None:
    from pyiceberg.exceptions import ForbiddenError

    lake.faulty.before.append(_error(ForbiddenError))
    with pytest.raises(StorageError):
        lake.table.evolve(ADD)
    assert len(lake.faulty.sent) == 1
