"""Whatever happens between two audits, the second one says what a first one would, with all that it remembers."""

import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.validation import aliases
from airflow_provider_schemas.spark import audit
from airflow_provider_schemas.spark.auditing.facts import FactCache
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.registry import contracts, waivers
from tests.spark.auditing.test_data_access import write
from tests.spark.auditing.test_facts import HERE, NAME, Auditor, at_once, cache, described, file_of, schema, store, without_facts

__all__ = ["at_once", "cache", "store"]

OTHER = "shop.other"
Act = Callable[[SchemaStore], None]


def again(auditor: Auditor, tmp_path: Path) -> dict[str, Any]:
    """What the second audit says, which is what a first one says that remembers nothing."""
    first = Auditor(auditor.store, tmp_path / "no-memory", auditor.reach)
    answers = without_facts(auditor())
    assert answers == without_facts(first())
    shutil.rmtree(tmp_path / "no-memory", ignore_errors=True)
    return answers


@pytest.fixture
def auditor(store: SchemaStore, cache: Path) -> Auditor:
    store.create_table(OTHER, "id BIGINT, amount INT")
    store.table(OTHER).evolve("ADD COLUMN more STRING")
    found = Auditor(store, cache)
    assert not any(answer.rows for answer in found().values())
    found()
    assert found.read == []  # so that what follows would be hidden, if nobody looked
    return found


# ---------------------------------------------------------------- files


def times_of(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_atime_ns, about.st_mtime_ns


def changed(path: Path) -> bytes:
    return path.read_bytes().replace(b'"note"', b'"nota"')


def written_over(store: SchemaStore) -> None:
    path = schema(store, 0)
    times, data = times_of(path), changed(path)
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=times)


def replaced(store: SchemaStore) -> None:
    path = schema(store, 0)
    times = times_of(path)
    fresh = path.with_name("another")
    fresh.write_bytes(changed(path))
    os.utime(fresh, ns=times)
    fresh.replace(path)


def written_through_another_name(store: SchemaStore) -> None:
    path = schema(store, 0)
    times, data = times_of(path), changed(path)
    outside = Path(store.url).parent / "outside"
    outside.hardlink_to(path)
    outside.write_bytes(data)
    os.utime(outside, ns=times)
    outside.unlink()


def made_a_link(store: SchemaStore) -> None:
    path = schema(store, 0)
    outside = Path(store.url).parent / "outside"
    outside.write_bytes(changed(path))
    os.utime(outside, ns=times_of(path))
    path.unlink()
    path.symlink_to(outside)


def made_unreadable(store: SchemaStore) -> None:
    path = schema(store, 0)
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("act", [written_over, replaced, written_through_another_name, made_a_link, made_unreadable])
def test_a_file_that_became_another_one_of_the_same_size_and_time_is_read(auditor: Auditor, tmp_path: Path, act: Act) -> None:
    act(auditor.store)
    answers = again(auditor, tmp_path)
    assert auditor.read == [NAME]
    assert answers[NAME].rows or answers[NAME].versions == 1


def test_tables_that_changed_places_are_read(auditor: Auditor, tmp_path: Path) -> None:
    folders = [Path(auditor.store.url) / "shop.db" / name for name in ("orders", "other")]
    folders[0].rename(tmp_path / "aside")
    folders[1].rename(folders[0])
    (tmp_path / "aside").rename(folders[1])
    again(auditor, tmp_path)
    assert auditor.read == [NAME, OTHER]


def test_a_table_that_is_another_one_of_its_name_is_read(auditor: Auditor, tmp_path: Path) -> None:
    folder = Path(auditor.store.url) / "shop.db/orders"
    shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copy2)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "copy", folder, copy_function=shutil.copy2)
    again(auditor, tmp_path)
    assert auditor.read == [NAME]


def test_a_fact_about_another_table_is_none(auditor: Auditor, tmp_path: Path) -> None:
    memory = FactCache(auditor.cache, auditor.store)
    assert set(memory.facts) == {NAME, OTHER}
    memory.remember({NAME: memory.facts[OTHER], OTHER: memory.facts[NAME]})
    again(auditor, tmp_path)
    assert auditor.read == [NAME, OTHER]


def test_a_memory_of_before_a_change_is_none_after_it(auditor: Auditor, tmp_path: Path) -> None:
    before = file_of(auditor.cache).read_bytes()
    written_over(auditor.store)
    first = again(auditor, tmp_path)
    file_of(auditor.cache).write_bytes(before)
    assert again(auditor, tmp_path) == first
    assert auditor.read == [NAME]


# ---------------------------------------------------------------- what is said of a table


def waived(store: SchemaStore) -> None:
    narrowed(store)
    store.table(OTHER).waive("TYPE_NARROWED", "amount", until="2999-01-01", reason="all of them are small")


def narrowed(store: SchemaStore) -> None:
    (Path(store.url) / "shop.db/other/bucket-0").mkdir()  # data of which nobody says what it was written with
    change = {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "SMALLINT"}
    store.table(OTHER).evolve([change], override="a test")


def later(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    """Let the registry think that it is a thousand years from now."""
    monkeypatch.setattr(module, "at", lambda _: datetime(3026, 1, 1, tzinfo=UTC))


def test_a_waiver_that_ended_between_two_audits_lets_nothing_through(
    auditor: Auditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waived(auditor.store)
    before = again(auditor, tmp_path)
    assert {row.verdict for row in before[OTHER].rows} == {"warn"}
    later(monkeypatch, waivers)
    after = again(auditor, tmp_path)
    assert {row.verdict for row in after[OTHER].rows} == {"break"}


def test_a_waiver_that_was_taken_away_lets_nothing_through(auditor: Auditor, tmp_path: Path) -> None:
    waived(auditor.store)
    again(auditor, tmp_path)
    for folder in Path(auditor.store.url).rglob("waivers"):
        shutil.rmtree(folder)
    assert {row.verdict for row in again(auditor, tmp_path)[OTHER].rows} == {"break"}


def test_a_contract_that_came_changed_and_grew_old_counts_as_it_is(
    auditor: Auditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = auditor.store.table(OTHER)
    table.register(Contract.of("id BIGINT", name="report", table=OTHER), team="bi")
    assert again(auditor, tmp_path)[OTHER].rows == ()
    table.register(Contract.of("id BIGINT, amount INT", name="report", table=OTHER), team="bi")
    table.evolve("DROP COLUMN amount", override="a test")
    assert {row.rule for row in again(auditor, tmp_path)[OTHER].rows} == {"EXPECT_FIELD_MISSING"}
    later(monkeypatch, contracts)
    assert again(auditor, tmp_path)[OTHER].rows == ()  # nobody has seen the job for a thousand years


def test_a_policy_that_came_changed_and_went_counts_as_it_is(auditor: Auditor, tmp_path: Path) -> None:
    store = auditor.store
    store.create_table("shop.small", "id TINYINT, at TIMESTAMP(9)")
    again(auditor, tmp_path)
    again(auditor, tmp_path)
    assert auditor.read == []
    store.save_policy({"readers": ["spark-4-parquet"]}, name="default", override="a test")
    with_spark = again(auditor, tmp_path)
    assert {row.rule for row in with_spark["shop.small"].rows} == {"TYPE_UNREPRESENTABLE"}
    store.save_policy({"readers": ["paimon"]}, name="default", override="a test")
    assert again(auditor, tmp_path)["shop.small"].rows == ()
    store.save_policy({"readers": ["spark-4-parquet"]}, name="default", override="a test")
    assert again(auditor, tmp_path) == with_spark


def test_an_alias_that_ended_between_two_audits_counts_no_more(auditor: Auditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An alias that works is refused beside a column of its name, and one that ended is not."""
    path = schema(auditor.store, 1)
    ends = {"schemas.field.1": '{"alias": {"id": "2126-01-01"}}'}
    content = {**json.loads(path.read_text()), "options": ends}
    path.write_text(json.dumps(content))
    assert again(auditor, tmp_path)[NAME].rows
    monkeypatch.setattr(aliases, "datetime", Later)
    assert again(auditor, tmp_path)[NAME].rows == ()
    monkeypatch.undo()
    assert again(auditor, tmp_path)[NAME].rows


class Later(datetime):
    """A clock that is a thousand years ahead."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return datetime(3026, 1, 1, tzinfo=tz)


# ---------------------------------------------------------------- data


def test_data_files_that_changed_behind_the_same_size_and_time_are_read(tmp_path: Path) -> None:
    auditor, folder = described(tmp_path)
    auditor()
    path = folder / "dt=1/a.parquet"
    times = times_of(path)
    path.write_bytes(b"x" * path.stat().st_size)
    os.utime(path, ns=times)
    assert again(auditor, tmp_path)[NAME].data is None  # which leaves it to Spark
    assert auditor.read == [NAME]


@pytest.mark.parametrize("place", ["dt=2/b.parquet", "b.parquet", "dt=1/deeper=1/b.parquet", "_delta_log/0.json"])
def test_data_files_that_came_anywhere_are_seen(tmp_path: Path, place: str) -> None:
    auditor, folder = described(tmp_path)
    auditor()
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "dt=1/a.parquet", folder / place)
    again(auditor, tmp_path)
    assert auditor.read == [NAME]


@pytest.mark.parametrize("below", ["data", "dt=1", "2026/11/18"])
def test_a_folder_that_a_format_of_tables_keeps_by_now_is_no_folder_of_plain_files(tmp_path: Path, below: str) -> None:
    store = SchemaStore(tmp_path / "registry", layout="registry")
    folder = tmp_path / "lake" / below
    store.adopt(NAME, str(folder), "id BIGINT, note STRING")
    write(folder / "a.parquet")
    auditor = Auditor(store, tmp_path / "cache", HERE)
    assert auditor()[NAME].data is not None
    assert again(auditor, tmp_path)[NAME].data is not None
    (tmp_path / "lake/_delta_log").mkdir()
    assert again(auditor, tmp_path)[NAME].data is None  # which leaves it to Spark
    assert auditor.read == [NAME]


def test_a_folder_that_is_another_one_by_a_link_is_read(tmp_path: Path) -> None:
    auditor, folder = described(tmp_path)
    auditor()
    shutil.move(folder, tmp_path / "first")
    shutil.copytree(tmp_path / "first", tmp_path / "second", copy_function=shutil.copy2)
    folder.symlink_to(tmp_path / "first")
    again(auditor, tmp_path)
    folder.unlink()
    folder.symlink_to(tmp_path / "second")
    again(auditor, tmp_path)
    assert auditor.read == [NAME]


# ---------------------------------------------------------------- the whole


def test_a_second_audit_in_spark_says_what_a_first_would_after_every_change(classic_spark: Any, store: SchemaStore, cache: Path) -> None:
    def rows(memory: Any) -> list[Any]:
        return sorted(audit(classic_spark, store, cache=memory).collect())

    assert rows(cache) == []
    for act in (written_over, lambda store: store.save_policy({"mode": "full"}, name="default", override="a test")):
        act(store)
        found = rows(cache)
        assert found
        assert found == rows(memory=False) == rows(cache)
