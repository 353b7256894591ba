"""An audit remembers which files are sound, and says the same with what it remembers as without: missing, stale, damaged or forged."""

import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import set_attributes
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.spark import audit, summarize
from airflow_provider_schemas.spark.auditing import executor, facts, table
from airflow_provider_schemas.spark.auditing.data_access import Reach
from airflow_provider_schemas.spark.auditing.discovery import find_targets
from airflow_provider_schemas.spark.auditing.executor import recall
from airflow_provider_schemas.spark.auditing.facts import Fact, FactCache, facts_folder
from airflow_provider_schemas.spark.auditing.read_versions import read_newest
from airflow_provider_schemas.spark.auditing.registry import list_registry
from airflow_provider_schemas.spark.auditing.table import Scope, TableAudit, audit_table
from airflow_provider_schemas.spark.auditing.table_prints import print_schemas
from airflow_provider_schemas.store import SchemaStore
from tests.spark.support import auditing

NAME = "shop.orders"
HERE = Reach(disk=True, plain_paths=True)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was just written may be remembered: nothing writes it again within one tick of the clock, but where a test says so."""
    monkeypatch.setattr(facts, "SETTLED", -60.0)


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table(NAME, "id BIGINT NOT NULL, note STRING")
    made.table(NAME).evolve("ADD COLUMN more STRING")
    return made


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


class Auditor:
    """One audit after the other, with one cache."""

    def __init__(self, store: SchemaStore, cache: Path, reach: Reach | None = None) -> None:
        self.store, self.cache, self.reach = store, cache, reach
        self.read: list[str] = []

    def __call__(self) -> dict[str, TableAudit]:
        """The answers; `read` has the names of the tables that were read for them."""
        memory, known = FactCache(self.cache, self.store), list_registry(self.store.registry)[0]
        scope = Scope(known, reach=self.reach, remembers=True)
        answers: dict[str, TableAudit] = {}
        self.read = []
        for target in find_targets(self.store, "*", "*").tables:
            found = recall(self.store, target, scope, memory.facts)
            if found is None:
                self.read.append(str(target.name))
                found = audit_table(self.store, target, scope)
            answers[str(target.name)] = found
        memory.remember({name: answer.fact for name, answer in answers.items()})
        return answers


@pytest.fixture
def auditor(store: SchemaStore, cache: Path) -> Auditor:
    return Auditor(store, cache)


def without_facts(answers: dict[str, TableAudit]) -> dict[str, TableAudit]:
    return {name: answer._replace(fact=None) for name, answer in answers.items()}


def schema(store: SchemaStore, number: int) -> Path:
    return Path(store.url) / "shop.db/orders/schema" / f"schema-{number}"


def file_of(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


# ---------------------------------------------------------------- what is remembered


def test_a_table_whose_files_are_as_they_were_is_not_read_again(auditor: Auditor) -> None:
    first = auditor()
    assert auditor.read == [NAME]
    assert without_facts(auditor()) == without_facts(first)
    assert auditor.read == []


def test_what_is_wrong_is_never_remembered(auditor: Auditor, store: SchemaStore) -> None:
    text = schema(store, 0).read_text().replace('"note"', '"noted"')
    schema(store, 0).write_text(text)
    first = auditor()
    assert first[NAME].rows
    assert auditor() == first
    assert auditor.read == [NAME]


@pytest.mark.parametrize("times_stay", [True, False])
def test_a_file_that_was_written_over_in_place_is_read_whatever_time_it_shows(
    auditor: Auditor, store: SchemaStore, *, times_stay: bool
) -> None:
    auditor()
    path, about = schema(store, 0), schema(store, 0).stat()
    with path.open("r+b") as file:
        data = file.read()
        file.seek(0)
        file.write(data.replace(b'"note"', b'"nota"'))
    if times_stay:
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_ino) == (about.st_size, about.st_ino)
    assert {row.rule for row in auditor()[NAME].rows} >= {"SCHEMA_FILE_MUTATED"}


def test_a_new_version_one_that_went_and_one_that_returns_are_seen(auditor: Auditor, store: SchemaStore, tmp_path: Path) -> None:
    auditor()
    store.table(NAME).evolve("ADD COLUMN again STRING")
    assert auditor()[NAME].versions == 3
    shutil.move(schema(store, 0), tmp_path / "schema-0")
    assert auditor()[NAME].versions == 2
    shutil.move(tmp_path / "schema-0", schema(store, 0))
    assert auditor()[NAME].versions == 3
    assert auditor.read == [NAME]


def test_a_file_of_this_moment_is_not_remembered(auditor: Auditor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "SETTLED", 3.0)
    auditor()
    auditor()
    assert auditor.read == [NAME]


def test_a_file_is_no_older_because_the_audit_took_long(auditor: Auditor, monkeypatch: pytest.MonkeyPatch) -> None:
    def an_hour_later(*about: Any) -> Any:
        there = time.time() + 3600
        monkeypatch.setattr(time, "time", lambda: there)
        return read_newest(*about)

    monkeypatch.setattr(facts, "SETTLED", 60.0)
    with monkeypatch.context() as patched:
        patched.setattr(table, "read_newest", an_hour_later)
        auditor()
    auditor()
    assert auditor.read == [NAME]


# ---------------------------------------------------------------- what a registry says counts each time


def contract(store: SchemaStore) -> None:
    store.table(NAME).register(Contract.of("id BIGINT", name="report", table=NAME), team="bi")


def waiver(store: SchemaStore) -> None:
    store.table(NAME).waive("TYPE_NARROWED", until=datetime.now(UTC) + timedelta(days=1), reason="a test")


def policy(store: SchemaStore) -> None:
    store.save_policy({"mode": "full"}, name="default", override="a test")


@pytest.mark.parametrize("speak", [contract, waiver, policy])
def test_a_table_of_which_the_registry_speaks_is_read_each_time(auditor: Auditor, store: SchemaStore, speak: Any) -> None:
    auditor()
    speak(store)
    auditor()
    assert auditor.read == [NAME]
    auditor()
    assert auditor.read == [NAME]


def test_an_alias_that_may_end_is_looked_at_each_time(auditor: Auditor, store: SchemaStore) -> None:
    store.table(NAME).evolve(set_attributes(1, {"alias": {"noted": "2126-01-01"}}), override="a test")
    auditor()
    auditor()
    assert auditor.read == [NAME]


def test_a_type_that_became_wider_is_remembered_and_one_that_became_narrower_is_not(auditor: Auditor, store: SchemaStore) -> None:
    store.create_table("shop.wide", "id BIGINT, amount INT")
    store.table("shop.wide").evolve("ALTER COLUMN amount TYPE BIGINT")
    store.create_table("shop.narrow", "id BIGINT, amount BIGINT")
    change = {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "INT"}
    store.table("shop.narrow").evolve([change], override="a test")
    auditor()
    auditor()
    assert auditor.read == ["shop.narrow"]


# ---------------------------------------------------------------- what became of the cache


def spoiled(data: bytes) -> Iterator[bytes]:
    yield b""
    yield data[:10]
    yield data[:-1]
    yield data[:40] + bytes([data[40] ^ 1]) + data[41:]
    yield data[:-1] + bytes([data[-1] ^ 1])
    yield data + b"x"


def test_a_damaged_cache_is_none(auditor: Auditor, cache: Path) -> None:
    first = auditor()
    data = file_of(cache).read_bytes()
    for content in spoiled(data):
        file_of(cache).write_bytes(content)
        assert without_facts(auditor()) == without_facts(first)
        assert auditor.read == [NAME], content
    assert file_of(cache).read_bytes() == data


def forged(auditor: Auditor, cache: Path) -> None:
    """A cache that says of a broken table that it is sound, as somebody else may leave it there."""
    auditor()
    path = schema(auditor.store, 0)
    path.write_text("{")
    memory = FactCache(cache, auditor.store)
    (target,) = find_targets(auditor.store, "*", "*").tables
    there = print_schemas(auditor.store, target)
    assert there is not None
    memory.remember({NAME: Fact(there.digest, 2)})
    assert not auditor()[NAME].rows  # who may write as the user may lie to the user
    memory.remember({NAME: Fact(there.digest, 2)})


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_have_written_is_not_believed(auditor: Auditor, cache: Path, mode: int) -> None:
    forged(auditor, cache)
    file_of(cache).chmod(mode)
    assert auditor()[NAME].rows


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_believed(auditor: Auditor, cache: Path, mode: int) -> None:
    forged(auditor, cache)
    before = file_of(cache).read_bytes()
    cache.chmod(mode)
    assert auditor()[NAME].rows
    assert file_of(cache).read_bytes() == before


def test_a_file_of_another_user_is_not_believed(auditor: Auditor, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forged(auditor, cache)
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert auditor()[NAME].rows


def test_a_link_is_not_followed(auditor: Auditor, cache: Path, tmp_path: Path) -> None:
    forged(auditor, cache)
    place = file_of(cache)
    shutil.move(place, tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert auditor()[NAME].rows
    shutil.move(cache, tmp_path / "real")
    cache.symlink_to(tmp_path / "real")
    assert auditor()[NAME].rows


def test_what_another_store_or_other_code_left_is_not_believed(
    auditor: Auditor, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditor()
    shutil.copytree(auditor.store.url, tmp_path / "copy")
    other = Auditor(SchemaStore(tmp_path / "copy"), cache)
    shutil.copy(file_of(cache), cache / FactCache(cache, other.store)._name)
    other()
    assert other.read == [NAME]
    monkeypatch.setattr(facts, "our_code", lambda: b"another version")
    auditor()
    assert auditor.read == [NAME]


def test_only_the_user_may_read_and_write_what_is_kept(auditor: Auditor, cache: Path) -> None:
    auditor()
    assert (cache.stat().st_mode & 0o777, file_of(cache).stat().st_mode & 0o777) == (0o700, 0o600)


def test_without_a_place_to_write_an_audit_goes_on(auditor: Auditor, cache: Path) -> None:
    cache.write_text("a file, and no folder")
    assert auditor()[NAME].versions == 2


def test_a_cache_is_where_it_was_said_in_the_users_folder_or_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert facts_folder(True) == tmp_path / "airflow-provider-schemas"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert facts_folder(True) == tmp_path / "home/.cache/airflow-provider-schemas"
    assert facts_folder(tmp_path / "here") == tmp_path / "here"
    assert facts_folder(False) is None


# ---------------------------------------------------------------- data


def described(tmp_path: Path) -> tuple[Auditor, Path]:
    from tests.spark.auditing.test_data_access import write

    store = SchemaStore(tmp_path / "registry", layout="registry")
    folder = tmp_path / "orders"
    store.adopt(NAME, str(folder), "id BIGINT, note STRING")
    write(folder / "dt=1" / "a.parquet")
    return Auditor(store, tmp_path / "cache", HERE), folder


def test_data_that_are_as_they_were_are_not_read_again(tmp_path: Path) -> None:
    auditor, folder = described(tmp_path)
    first = auditor()
    before = first[NAME].data
    assert before is not None
    assert before.files == 1
    assert without_facts(auditor()) == without_facts(first)
    assert auditor.read == []
    shutil.copy(folder / "dt=1/a.parquet", folder / "dt=1/b.parquet")
    seen = auditor()[NAME].data
    assert seen is not None
    assert seen.files == 2


def test_a_file_of_data_that_is_written_over_is_read(tmp_path: Path) -> None:
    auditor, folder = described(tmp_path)
    auditor()
    path = folder / "dt=1/a.parquet"
    path.write_bytes(b"x" * path.stat().st_size)
    assert auditor()[NAME].data is None  # which leaves it to Spark


def test_what_was_remembered_without_data_says_nothing_of_data(tmp_path: Path) -> None:
    auditor, _ = described(tmp_path)
    with_data, auditor.reach = auditor.reach, None
    auditor()
    auditor()
    assert auditor.read == []
    auditor.reach = with_data
    auditor()
    assert auditor.read == [NAME]
    auditor()
    assert auditor.read == []


def test_a_folder_that_a_paimon_table_names_says_nothing_of_the_files_that_manifests_name(tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "t.yaml"
    folder.mkdir()
    file.write_text(f"table: {NAME}\nformat: paimon\nlocation: {folder}\ncolumns:\n  - {{name: id, type: BIGINT}}\n")
    store = SchemaStore(tmp_path / "lake")
    store.create_table(NAME, file)
    snapshots = Path(store.url) / "shop.db/orders/snapshot"
    snapshots.mkdir()
    auditor = Auditor(store, tmp_path / "cache", HERE)
    auditor()
    (snapshots / "LATEST").write_text("1")
    (snapshots / "snapshot-1").write_text("{")
    assert auditor()[NAME].data is None  # which leaves it to Spark
    assert auditor.read == [NAME]


# ---------------------------------------------------------------- the whole


def test_a_second_audit_finds_the_same_and_reads_what_is_not_sound(
    classic_spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = auditing.made(tmp_path / "lake")
    first = audit(classic_spark, store, cache=tmp_path / "cache")
    read = []

    def seen(store: SchemaStore, target: Any, **more: Any) -> TableAudit:
        read.append(str(target.name))
        return audit_table(store, target, **more)

    monkeypatch.setattr(executor, "audit_table", seen)
    for data in (True, False, False):
        read.clear()
        again = audit(classic_spark, store, data=data, cache=tmp_path / "cache")
        assert sorted(again.collect()) == sorted(first.collect())
        assert str(summarize(again)) == str(summarize(first))
    assert not set(auditing.SOUND) & set(read)
    assert len(read) == 8
    audit(classic_spark, store, data=False, cache=False)
    assert set(auditing.SOUND) <= set(read)
