"""Logs as cleaners, compactors and other writers leave them: what is missing is told, and never passed over."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.mounts.delta import read_log
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.mounts.delta.support.logs import Log, added, column, info, metadata, names, numbers, protocol


@pytest.fixture
def log(tmp_path: Path) -> Log:
    log = Log(tmp_path)
    log.create()
    return log


# ---------------------------------------------------------------- what is left of a log


def test_compacted_commits_stand_for_those_that_are_gone(log: Log) -> None:
    log.data(2)
    log.commit(metadata(column("id")))
    log.data()
    log.compact(1, 3, metadata(column("id")), added())
    assert numbers(log.look()) == [0, 3]
    for version in (1, 2, 3):
        log.path(version).unlink()
    look = log.look()
    assert (numbers(look), names(look), look.heads().entries[1].origin) == ([0, 3], ["id"], "")


def test_commits_count_more_than_what_they_were_compacted_into(log: Log) -> None:
    log.commit(metadata(column("a")))
    log.commit(metadata(column("b")))
    log.compact(1, 2, metadata(column("wrong")))
    assert (numbers(log.look()), names(log.look())) == ([0, 1, 2], ["b"])


@pytest.mark.parametrize("missing", [0, 2])
def test_a_commit_that_is_missing_is_told(log: Log, missing: int) -> None:
    log.data(3)
    log.path(missing).unlink()
    with pytest.raises(FormatError) as caught:
        log.look()
    assert (caught.value.code, f"{missing:020d}.json" in str(caught.value)) == ("delta.log-gap", True)


def test_a_commit_that_goes_missing_behind_what_is_known_is_told(log: Log) -> None:
    look = log.look()
    log.data(2)
    log.path(1).unlink()
    with pytest.raises(FormatError) as caught:
        log.look(look)
    assert caught.value.code == "delta.log-gap"


NINE = f"{9:020d}"
OTHERS = (
    "1.json",
    f"{NINE}.json.tmp",
    f".{NINE}.json.crc",
    "_commits",
    f"{NINE}.checkpoint.parquet.tmp",
    f"{NINE}.crc",
    f"{NINE[1:]}.json",
)


def test_files_of_others_in_the_log_are_left_alone(log: Log) -> None:
    for name in OTHERS:
        (log.folder / name).write_text("no JSON: metaData")
    (log.folder / "_staged_commits").mkdir()
    (log.folder / f"{9:020d}.json").mkdir()
    assert log.look().mark.startswith("0 ")


def test_a_log_without_a_schema_is_told(log: Log) -> None:
    log.write(0, protocol(), added())
    with pytest.raises(FormatError) as caught:
        log.look()
    assert caught.value.code == "delta.no-metadata"


def test_a_log_that_is_too_long_is_told_how_to_get_shorter(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_log, "MOST_COMMITS", 5)
    log.data(4)
    look = log.look()
    log.data()
    assert log.look(look).read.state.newest == 5  # a commit more costs nothing
    with pytest.raises(FormatError) as caught:
        log.look()
    assert caught.value.code == "delta.log-too-long"
    assert "OPTIMIZE" in caught.value.fix
    assert "checkpoint" in caught.value.fix
    log.checkpoint(5, protocol(), metadata(column("id")))
    assert log.look().head == 5


# ---------------------------------------------------------------- while others write


class Hooked:
    """Does something before the reads of a mount."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *acts: Any) -> None:
        self.acts = list(acts)
        read_many = LocalFiles.read_many

        def hooked(files: LocalFiles, paths: Any, limit: int = 0) -> Any:
            if self.acts:
                self.acts.pop(0)()
            return read_many(files, paths, limit)

        monkeypatch.setattr(LocalFiles, "read_many", hooked)


def test_what_is_committed_while_a_log_is_read_is_seen_by_the_next_look(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    Hooked(monkeypatch, lambda: log.commit(metadata(column("new"))))
    look = log.look()
    assert names(look) == ["id", "cust"]
    assert names(log.look(look)) == ["new"]


def test_commits_that_are_cleaned_away_while_they_are_read_are_looked_for_again(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.data(5)

    def clean() -> None:
        log.checkpoint(4, protocol(), metadata(column("id"), column("cust", "string")))
        log.clean(4)

    Hooked(monkeypatch, clean)
    look = log.look()
    assert (look.head, names(look)) == (4, ["id", "cust"])


def test_a_log_that_moves_all_the_time_is_another_try(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any) -> Any:
        raise NotThereError("gone", path="x", fix="Look again.")

    monkeypatch.setattr(read_log, "read_steps", gone)
    with pytest.raises(StorageError) as caught:
        log.look()
    assert caught.value.code == "delta.log-moves"


def test_a_table_that_is_made_again_between_two_looks_is_read_anew(log: Log) -> None:
    log.data(3)
    look = log.look()
    for file in log.folder.iterdir():
        file.unlink()
    log.next = 0
    log.create(column("x"), id="another")
    log.data(3)
    again = log.look(look)
    assert (again.table_id, names(again), again.mark.partition(" ")[0]) == ("another", ["x"], look.mark.partition(" ")[0])


# ---------------------------------------------------------------- hostile

ARRAY = '{"type":"array","containsNull":true,"elementType":'
HOSTILE = {
    "no JSON": "metaData",
    "no object": '["metaData"]',
    "a number for a metaData": '{"metaData": 7}',
    "no schema": '{"metaData": {"id": "x"}}',
    "a schema that is no text": '{"metaData": {"schemaString": 7}}',
    "deep": '{"metaData": ' + "[" * 100_000,
    "a deep schema": json.dumps({"metaData": {"schemaString": '{"type":"array","elementType":' * 5_000}}),
    "a schema that is no struct": json.dumps({"metaData": {"schemaString": '"long"'}}),
    "no fields": json.dumps({"metaData": {"schemaString": '{"type":"struct","fields":3}'}}),
    "fields that are none": json.dumps({"metaData": {"schemaString": '{"type":"struct","fields":[1,null,{}]}'}}),
    "two names": json.dumps(metadata(column("a"), column("a"))),
    "types that are none": json.dumps(metadata(column("a", 3), column("b", {"type": "array"}), column("c", ""))),
    "metadata that are none": json.dumps(metadata({"name": "a", "type": "long", "nullable": True, "metadata": [1]})),
    "an endless type": json.dumps(metadata(column("a", "x" * 10_000))),
    "many fields": json.dumps(metadata(*[column(f"c{number}") for number in range(100_001)])),
    "bytes": "metaData \x00\x01",
    "protocol of nothing": '{"protocol": []}',
    "partitions of nothing": json.dumps(metadata(column("a"), partitionColumns=7)),
    "nested beyond all": json.dumps(metadata(column("a", json.loads(ARRAY * 200 + '"long"' + "}" * 200)))),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_commit_is_refused_in_our_words(log: Log, hostile: str) -> None:
    log.path(1).write_text(HOSTILE[hostile])
    with pytest.raises(SchemaError) as caught:
        log.look().version(1)
    assert caught.value.fix
    assert len(str(caught.value)) < 20_000


@pytest.mark.parametrize(
    "said",
    [
        {"userName": 3, "operation": None, "timestamp": "x"},
        {"operation": "x" * 100_000, "job": 3, "notebook": [], "timestamp": 10**30},
        {"job": {"jobName": "nightly"}, "operation": "MERGE\nINTO", "inCommitTimestamp": 5, "timestamp": 7},
    ],
)
def test_whatever_a_commit_says_of_itself_is_shown_and_believed_in_nothing(log: Log, said: dict[str, Any]) -> None:
    log.commit({"commitInfo": said}, metadata(column("a")))
    head = log.look().heads().entries[-1]
    assert len(head.origin) <= 200
    if "inCommitTimestamp" in said:
        assert (head.origin, head.moment) == ("nightly, MERGE INTO", 5)


def test_a_commit_that_says_no_moment_has_that_of_its_file(log: Log) -> None:
    log.commit(metadata(column("a")))
    moment = log.look().heads().entries[-1].moment
    assert moment == int(log.path(1).stat().st_mtime * 1000)


def test_a_key_that_hides_behind_an_escape_is_found(log: Log) -> None:
    text = json.dumps(metadata(column("hidden"))).replace("metaData", "meta\\u0044ata")
    log.path(1).write_text(text)
    assert names(log.look()) == ["hidden"]


def test_a_commit_says_who_made_it_as_its_writer_says(log: Log) -> None:
    log.commit(info("RENAME COLUMN", userId="u1", engineInfo="Apache-Spark/4.0"), metadata(column("a")))
    assert log.look().heads().entries[-1].origin == "u1, RENAME COLUMN, Apache-Spark/4.0"
