"""A log that begins with a checkpoint, of whatever form; and what is there of the time before it."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.store.mounts.delta import log_content
from tests.store.mounts.delta.support.logs import MAPPED, Log, added, column, info, mapped, metadata, names, numbers, protocol, write_rows

WIDE = metadata(column("id"), column("cust", "string"), column("at", "date"))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """A table of six versions: made at 0, wider since 3."""
    log = Log(tmp_path)
    log.create()
    log.data(2)
    log.commit(info("ADD COLUMNS", 1_700_000_000_900), WIDE)
    log.data(2)
    return log


STATE = (protocol(), WIDE, *[added(f"part-{number}") for number in range(20)])


def classic(log: Log) -> None:
    log.checkpoint(4, *STATE)


def without_hint(log: Log) -> None:
    log.checkpoint(4, *STATE, hint=False)


def in_parts(log: Log) -> None:
    log.parts(4, [added("a")], [WIDE, added("b")], [protocol()])


def with_a_row_last(log: Log) -> None:
    write_rows(log.path(4, "checkpoint.parquet"), [*[added(f"part-{number}") for number in range(2_000)], WIDE, protocol()], groups=10)


def second_version(log: Log) -> None:
    log.second_version(4, *STATE)


def second_version_json(log: Log) -> None:
    log.second_version(4, *STATE, suffix="json")


FORMS: list[Any] = [classic, without_hint, in_parts, with_a_row_last, second_version, second_version_json]


@pytest.mark.parametrize("form", FORMS)
def test_a_checkpoint_of_each_form_stands_for_the_commits_before_it(log: Log, form: Any) -> None:
    form(log)
    log.clean(5)
    look = log.look()
    assert (look.head, names(look), look.findings()) == (4, ["id", "cust", "at"], ())
    assert (numbers(look), look.heads().whole) == ([4], False)
    log.commit(metadata(column("id")))
    later = log.look(look)
    assert (later.head, numbers(later), names(later, 4)) == (6, [4, 6], ["id", "cust", "at"])


@pytest.mark.parametrize("form", FORMS)
def test_commits_that_are_left_tell_who_made_the_schema_of_a_checkpoint(log: Log, form: Any) -> None:
    form(log)
    look = log.look()
    heads = look.heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([0, 4], True)
    assert (heads.entries[1].origin, heads.entries[1].moment) == ("ADD COLUMNS", 1_700_000_000_900)
    assert (names(look, 0), names(look, 3)) == (["id", "cust"], ["id", "cust", "at"])


def test_what_is_before_the_checkpoint_is_read_only_when_somebody_asks(log: Log) -> None:
    log.checkpoint(4, *STATE)
    look = log.look()
    assert log.mount.count.snapshot() == (1, 2, 0)
    assert look.numbers == (4,)
    assert look.version(4).number == 4
    assert log.mount.count.snapshot() == (1, 2, 0)
    look.heads()
    assert log.mount.count.snapshot() == (1, 7, 0)
    log.data()
    assert log.look(look).numbers == (0, 4)
    assert log.mount.count.snapshot() == (2, 8, 0)


def test_a_past_that_was_cut_begins_with_the_oldest_checkpoint_that_is_left(log: Log) -> None:
    log.checkpoint(2, protocol(), metadata(column("id"), column("cust", "string")))
    log.checkpoint(5, *STATE)
    log.clean(2)
    look = log.look()
    assert (numbers(look), look.heads().whole, names(look, 2)) == ([2, 5], False, ["id", "cust"])


def test_a_past_of_which_nothing_is_left_hides_nothing_of_today(log: Log) -> None:
    log.checkpoint(4, *STATE)
    log.path(1).write_text("no JSON: metaData")
    look = log.look()
    assert (look.head, numbers(look), look.heads().whole) == (4, [4], False)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" + b"\xff" * 100 + b"PAR1"])
def test_a_checkpoint_that_cannot_be_read_is_passed_over_while_the_commits_are_there(log: Log, content: bytes) -> None:
    path = log.checkpoint(4, *STATE)
    path.write_bytes(content)
    assert (log.look().head, names(log.look())) == (3, ["id", "cust", "at"])
    log.clean(3)
    with pytest.raises(FormatError) as caught:
        log.look()
    assert caught.value.code == "delta.bad-checkpoint"
    log.path(1, "checkpoint.parquet").write_bytes(b"")
    log.checkpoint(2, protocol(), metadata(column("id"), column("cust", "string")))
    assert (log.look().head, log.look().numbers) == (3, (2, 3))


def test_a_checkpoint_without_the_schema_is_none(log: Log) -> None:
    log.checkpoint(4, protocol(), added())
    assert log.look().head == 3


def test_a_checkpoint_of_which_a_part_is_missing_is_none(log: Log) -> None:
    first, *_ = log.parts(4, [added("a")], [WIDE, protocol()])
    assert log.look().read.base == 4
    first.unlink()
    assert log.look().read.base == 0
    assert log.look().head == 3


HINTS = ["", "{}", '{"version": -1}', '{"version": 99}', '{"version": 1' + "0" * 40 + "}", "[" * 100_000, '{"version":"4"}']


@pytest.mark.parametrize("hint", HINTS)
def test_a_hint_is_only_a_hint(log: Log, hint: str) -> None:
    log.checkpoint(4, *STATE)
    (log.folder / "_last_checkpoint").write_text(hint)
    assert (log.look().head, names(log.look())) == (4, ["id", "cust", "at"])


def test_checksums_are_not_asked(log: Log) -> None:
    wrong = {"metadata": metadata(column("wrong"))["metaData"], "protocol": protocol()["protocol"]}
    log.path(5, "crc").write_text(json.dumps(wrong))
    assert names(log.look()) == ["id", "cust", "at"]


def test_a_log_of_a_checkpoint_alone_is_known_again(log: Log) -> None:
    log.checkpoint(5, *STATE)
    log.clean(6)
    look = log.look()
    assert (look.head, log.look(look) is look) == (5, True)
    log.checkpoint(5, protocol(), metadata(column("x")))
    assert names(log.look(look)) == ["x"]


def test_a_large_checkpoint_is_read_in_parts(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log.path(4, "checkpoint.parquet")
    rows = [protocol(), WIDE, *[added(f"part-{number:09d}-{number * 7919:x}") for number in range(60_000)]]
    write_rows(path, rows, groups=6)
    monkeypatch.setattr(log_content, "_WHOLE", 10_000)
    read: list[int] = []
    part = log_content._RangedFile.readinto

    def counted(self: Any, buffer: Any) -> int:
        count = part(self, buffer)
        read.append(count)
        return count

    monkeypatch.setattr(log_content._RangedFile, "readinto", counted)
    assert names(log.look()) == ["id", "cust", "at"]
    assert path.stat().st_size > 500_000
    assert sum(read) < path.stat().st_size / 2


def test_mapping_and_properties_come_out_of_a_checkpoint(log: Log) -> None:
    log.checkpoint(5, protocol(2, 5), metadata(mapped("id", 4, "col-1"), configuration=MAPPED, partitionColumns=["id"]))
    log.clean(6)
    schema = log.look().version(5).schema
    assert ([field.id for field in schema.fields], schema.highest_field_id, schema.partition_keys) == ([4], 9, ("id",))


def test_a_catalog_that_keeps_the_commits_is_found_in_a_checkpoint(log: Log) -> None:
    log.checkpoint(5, protocol(3, 7, "catalogManaged"), WIDE)
    with pytest.raises(FormatError) as caught:
        log.look()
    assert caught.value.code == "delta.catalog-managed"
