"""Answers that are lost, late or false, before and after the server did its work, while others commit: nobody is told what is not so.

CHAOS_SEED repeats what was left to chance in a run.
"""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from airflow_provider_schemas.errors import IncompatibleSchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.storage import commit_steps, exclusive_create
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.chaos.support.history import Answer, Recorder, recorded
from tests.chaos.support.invariants import broken, written
from tests.chaos.support.linearizable import violations
from tests.chaos.support.writers import SEED, answered
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault, Proxy, faulty
from tests.support.stores import at

# What an exclusive create looks like to the server, and the reading of what was created.
WRITE = {"s3": ("PUT", "schema-"), "azure": ("PUT", "schema-"), "gcs": ("POST", "ifGenerationMatch=0")}
READ = {"s3": ("GET", r"schema-1$"), "azure": ("GET", r"schema-1$"), "gcs": ("GET", r"schema-1\?")}
LIST = ("GET", "prefix=")

BEFORE = [(Fault.DROP_BEFORE, 0), *((Fault.ANSWER_BEFORE, status) for status in (409, 412, 500, 503))]
AFTER = [(Fault.DROP_AFTER, 0), *((Fault.ANSWER_AFTER, status) for status in (409, 412, 500, 503))]
each_fault = pytest.mark.parametrize(("fault", "status"), BEFORE + AFTER, ids=lambda value: getattr(value, "name", str(value)))


class Line(NamedTuple):
    """Two ways to a server, one of them through a proxy: opened once, since a client of S3 is made in a quarter of a second."""

    direct: Any
    behind: Any
    proxy: Proxy


class Scene(NamedTuple):
    """A table in an object store with one version, seen directly and through a proxy."""

    bucket: Bucket
    line: Line

    @property
    def kind(self) -> str:
        return self.bucket.storage.kind

    @property
    def proxy(self) -> Proxy:
        return self.line.proxy

    def store(self, folder: str = "lake") -> SchemaStore:
        """A store, as he sees it whose answers are lost."""
        return SchemaStore(self.bucket.url(folder), fs=self.line.behind, layout="paimon")

    def flawed(self) -> Table:
        """Its table."""
        return self.store().table("db.t")

    def table(self) -> Table:
        """The table, as anybody else sees it."""
        return SchemaStore(self.bucket.url("lake"), fs=self.line.direct, layout="paimon").table("db.t")

    def fail_writes(self, fault: Fault, status: int, times: int = 1) -> None:
        self.proxy.fail(*WRITE[self.kind], fault, status=status or 500, times=times)

    def fail_reads(self, status: int = 503) -> None:
        self.proxy.always(*READ[self.kind], Fault.ANSWER_BEFORE, status=status)


def client(bucket: Bucket) -> Any:
    """A filesystem as a store opens it for itself."""
    files = open_files(bucket.url(), storage_options=bucket.storage_options)
    assert isinstance(files, RemoteFiles)
    return files.fs


@pytest.fixture(scope="module")
def lines() -> Iterator[Callable[[Bucket], Line]]:
    known: dict[str, Line] = {}
    with ExitStack() as open_ones:

        def line(bucket: Bucket) -> Line:
            if bucket.storage.kind not in known:
                proxy = open_ones.enter_context(faulty(bucket.port))
                known[bucket.storage.kind] = Line(client(bucket), client(bucket.through(proxy.port)), proxy)
            return known[bucket.storage.kind]

        yield line


@pytest.fixture
def empty(bucket: Bucket, lines: Callable[[Bucket], Line], hasty: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A bucket in which there is nothing."""
    monkeypatch.setattr(exclusive_create, "_PAUSE", 0.001)
    line = lines(bucket)
    yield Scene(bucket, line)
    line.proxy.mend()


@pytest.fixture
def scene(empty: Scene) -> Scene:
    """One with a table, which was made through the proxy, so that there the promise is proven."""
    empty.store().create_table("db.t", "id BIGINT, name STRING")
    return empty


def applied_once(table: Table, *columns: str) -> None:
    """Each column came with a version of its own, and no version came otherwise."""
    versions = table.versions()
    assert [one.change for one in written(versions)[1:]] == list(columns)
    assert versions[-1].schema.names == ("id", "name", *columns)
    assert [one.id for one in versions[-1].schema.fields] == list(range(2 + len(columns)))


# ---------------------------------------------------------------- one writer


@each_fault
@pytest.mark.parametrize("times", [1, 3])
def test_a_commit_outlives_a_few_faults(scene: Scene, fault: Fault, status: int, times: int) -> None:
    table = scene.flawed()
    assert table.latest().number == 0
    scene.fail_writes(fault, status, times)
    done = table.evolve(["ADD COLUMN mine STRING"])
    assert (done.outcome, done.number) == ("created", 1)
    applied_once(scene.table(), "mine")


@each_fault
def test_the_first_file_of_a_root_outlives_them_too(empty: Scene, fault: Fault, status: int) -> None:
    for skip in (0, 1):  # the create itself, and the proof
        store = empty.store(f"lake{skip}")
        empty.proxy.fail(*WRITE[empty.kind], fault, status=status or 500, skip=skip)
        done = store.create_table("db.t", "id BIGINT")
        assert (done.outcome, done.number) == ("created", 0)
        assert done.guarantee == "exclusive create by conditional put, proven"
        assert [path for path, _ in store.warehouse.walk("")] == ["_schemas/registry-id.json", "db.db/t/schema/schema-0"]
        empty.proxy.mend()


@each_fault
def test_what_nobody_can_know_is_told_and_asked_again_with_the_same_key(scene: Scene, fault: Fault, status: int) -> None:
    table = scene.flawed()
    assert table.latest().number == 0
    scene.fail_writes(fault, status, times=10_000)
    scene.fail_reads()
    with pytest.raises(StorageError) as unclear:
        table.evolve(["ADD COLUMN mine STRING"], key="run 1")
    assert unclear.value.code == "storage.unclear"
    assert "same key" in unclear.value.fix
    scene.proxy.mend()
    again = table.evolve(["ADD COLUMN mine STRING"], key="run 1")
    assert (again.outcome, again.number) == ("created" if (fault, status) in BEFORE else "already applied", 1)
    applied_once(scene.table(), "mine")


@pytest.mark.parametrize(("fault", "status"), BEFORE[:1] + BEFORE[3:])
def test_a_storage_that_never_takes_a_write_is_told(scene: Scene, fault: Fault, status: int) -> None:
    table = scene.flawed()
    assert table.latest().number == 0
    scene.fail_writes(fault, status, times=10_000)
    with pytest.raises(StorageError):
        table.evolve(["ADD COLUMN mine STRING"])
    applied_once(scene.table())
    scene.proxy.mend()
    assert table.evolve(["ADD COLUMN mine STRING"]).created
    applied_once(scene.table(), "mine")


def test_what_was_acknowledged_counts_even_if_it_cannot_be_read_back(scene: Scene) -> None:
    table = scene.flawed()
    assert table.latest().number == 0
    scene.fail_reads()
    assert table.evolve(["ADD COLUMN mine STRING"]).created
    applied_once(scene.table(), "mine")


@pytest.mark.parametrize("fault", [Fault.DELAY_BEFORE, Fault.DELAY_AFTER])
def test_a_write_that_takes_longer_than_anybody_waits_is_done_once(scene: Scene, fault: Fault) -> None:
    """After the delay the server does what the writer has given up already."""
    # On a busy machine an ordinary request takes a few tenths of a second, and gcsfs asks only once after a time-out.
    patience, delay = 2.0, 3.0
    short: dict[str, dict[str, Any]] = {
        "s3": {"config_kwargs": {"read_timeout": patience, "retries": {"total_max_attempts": 1}}},
        "azure": {"read_timeout": patience},
        "gcs": {"requests_timeout": patience},
    }
    behind = scene.bucket.through(scene.proxy.port)
    table = SchemaStore(behind.url("lake"), storage_options=behind.storage_options | short[scene.kind]).table("db.t")
    assert table.evolve(["ADD COLUMN first STRING"]).number == 1  # the promise is proven with these options too
    scene.proxy.fail(*WRITE[scene.kind], fault, seconds=delay, times=2)
    assert table.evolve(["ADD COLUMN mine STRING"], key="k").number == 2
    assert scene.table().evolve(["ADD COLUMN other STRING"]).number == 3
    applied_once(scene.table(), "first", "mine", "other")


@pytest.mark.parametrize(("fault", "status"), [(Fault.DROP_BEFORE, 0), (Fault.ANSWER_BEFORE, 500), (Fault.ANSWER_BEFORE, 503)])
def test_listings_that_fail_now_and_then_hide_nothing(scene: Scene, fault: Fault, status: int) -> None:
    scene.table().evolve(["ADD COLUMN first STRING"])
    table = scene.flawed()
    for place in range(3):
        scene.proxy.fail(*LIST, fault, status=status or 500, skip=place, times=100)
        with pytest.raises(StorageError) as failed:
            table.evolve([f"ADD COLUMN c{place} STRING"], key=str(place))
        assert failed.value.code == "storage.unreachable"
        scene.proxy.mend()
        table.evolve([f"ADD COLUMN c{place} STRING"], key=str(place))
    applied_once(scene.table(), "first", "c0", "c1", "c2")


# ---------------------------------------------------------------- while others commit


@each_fault
def test_the_faulty_one_never_wins_what_another_has_won(scene: Scene, fault: Fault, status: int) -> None:
    table = scene.flawed()
    assert table.latest().number == 0
    scene.fail_writes(fault, status)
    with at(commit_steps.JUDGED, lambda: scene.table().evolve(["ADD COLUMN other STRING"])):
        done = table.evolve(["ADD COLUMN mine STRING"])
    assert (done.outcome, done.number) == ("created", 2)
    applied_once(scene.table(), "other", "mine")


@pytest.mark.parametrize("writers", [2, 4])
def test_a_writer_with_bad_luck_among_others_loses_nothing(scene: Scene, tmp_path: Path, writers: int) -> None:
    print(f"CHAOS_SEED={SEED}: {writers} writers and an unlucky one on {scene.kind}")
    chance = random.Random(SEED)

    def lucky(number: int) -> None:
        recorder, table = Recorder(tmp_path, f"lucky_{number}"), scene.table()
        for place in range(3):
            column = f"lucky_{number}_{place}"
            answered(recorder, recorder.ask(column), table, column, key=column)

    def unlucky() -> None:
        recorder, table = Recorder(tmp_path, "unlucky"), scene.flawed()
        for place in range(5):
            fault, status = chance.choice(BEFORE + AFTER)
            scene.fail_writes(fault, status, times=chance.choice([1, 2, 5]))
            scene.proxy.fail(
                "GET", r"schema-\d+", Fault.ANSWER_BEFORE, status=503, skip=chance.randrange(3), times=chance.choice([0, 1, 100])
            )
            until_told(recorder, table, f"unlucky_{place}", scene.proxy)

    with ThreadPoolExecutor(writers + 1) as pool:
        for one in [*(pool.submit(lucky, number) for number in range(writers)), pool.submit(unlucky)]:
            one.result()
    operations, table = recorded(tmp_path), scene.table()
    assert broken(table, operations) == []
    assert violations(operations, written(table.versions())) == []
    assert len(table.numbers()) == 1 + 3 * writers + 5


def until_told(recorder: Recorder, table: Table, column: str, proxy: Proxy) -> None:
    """Ask with the same key until the answer is none of doubt."""
    for _ in range(3):
        question = recorder.ask(column)
        try:
            done = table.evolve([f"ADD COLUMN {column} STRING"], key=column, actor=recorder.actor)
        except StorageError as error:
            recorder.answer(question, Answer.UNKNOWN, said=str(error))
            proxy.mend()
            continue
        answer = Answer.CREATED if done.created else Answer.APPLIED
        recorder.answer(question, answer, done.number, done.digest)
        proxy.mend()
        return
    raise AssertionError(f"{column}: no answer")


# ---------------------------------------------------------------- forced interleavings

each_moment = pytest.mark.parametrize("moment", [commit_steps.LISTED, commit_steps.JUDGED])


@each_moment
def test_who_was_overtaken_judges_again(scene: Scene, moment: str) -> None:
    with at(moment, lambda: scene.table().evolve(["ADD COLUMN other STRING"])):
        done = scene.flawed().evolve(["ADD COLUMN mine STRING"])
    assert (done.number, done.attempts) == (2, 2)
    applied_once(scene.table(), "other", "mine")


@each_moment
@pytest.mark.parametrize(("key", "outcome"), [(None, "unchanged"), ("run 1", "already applied")])
def test_a_change_that_the_other_made_is_recognised(scene: Scene, moment: str, key: str | None, outcome: str) -> None:
    with at(moment, lambda: scene.table().evolve(["ADD COLUMN mine STRING"], key=key)):
        done = scene.flawed().evolve(["ADD COLUMN mine STRING"], key=key)
    assert (done.outcome, done.number) == (outcome, 1)
    applied_once(scene.table(), "mine")


@each_moment
def test_a_contract_that_came_with_the_other_is_respected(scene: Scene, moment: str) -> None:
    def other() -> None:
        scene.table().register("name STRING", consumer="daily_report")
        scene.table().evolve(["ADD COLUMN other STRING"])

    with at(moment, other), pytest.raises(IncompatibleSchemaError, match="daily_report"):
        scene.flawed().evolve(["RENAME COLUMN name TO title"])
    applied_once(scene.table(), "other")


def test_a_contract_that_came_too_late_is_reported(scene: Scene) -> None:
    def other() -> None:
        scene.table().register("name STRING", consumer="daily_report")

    with at(commit_steps.JUDGED, other):
        done = scene.flawed().evolve(["RENAME COLUMN name TO title"])
    assert done.created
    assert "daily_report" in str([msgspec.to_builtins(one.findings) for one in done.late])


def test_who_paused_between_the_write_and_the_answer_was_first(scene: Scene) -> None:
    others: list[int] = []
    act: Callable[[], object] = lambda: others.append(scene.table().evolve(["ADD COLUMN other STRING"]).number)  # noqa: E731  # a name for the type
    with at(commit_steps.CREATED, act):
        done = scene.flawed().evolve(["ADD COLUMN mine STRING"])
    assert (done.number, others) == (1, [2])
    applied_once(scene.table(), "mine", "other")


# ---------------------------------------------------------------- what lies beside


MINI_CASES = [(Fault.DROP_BEFORE, True, "created"), (Fault.DROP_BEFORE, False, "created"), (Fault.DROP_AFTER, False, "already applied")]


@pytest.mark.parametrize(("fault", "readable", "outcome"), MINI_CASES)
def test_what_lies_beside_a_version_of_mini_paimon_outlives_a_doubt(empty: Scene, fault: Fault, readable: bool, outcome: str) -> None:
    """The version may turn up later than its writer, and is nothing without it."""
    store = SchemaStore(empty.bucket.url("lake"), fs=empty.line.behind, layout="mini-paimon")
    store.create_table("db.t", "id BIGINT, gone STRING")
    store.table("db.t").evolve(["DROP COLUMN gone"], override="so that the ids have a gap")
    empty.proxy.always(*WRITE[empty.kind], fault)
    if not readable:
        empty.proxy.always("GET", READ[empty.kind][1].replace("1", "2"), Fault.ANSWER_BEFORE, status=503)
    with pytest.raises(StorageError, match="does not say whether"):
        store.table("db.t").evolve(["ADD COLUMN mine STRING"], key="run 1")
    empty.proxy.mend()
    assert sum(".more-" in path for path, _ in store.warehouse.walk("")) == 3
    other = SchemaStore(empty.bucket.url("lake"), fs=empty.line.direct, layout="mini-paimon").table("db.t")
    done = other.evolve(["ADD COLUMN mine STRING"], key="run 1")
    assert (done.outcome, done.number) == (outcome, 2)
    assert {one.name: one.id for one in other.latest().schema.fields} == {"id": 0, "mine": 2}
