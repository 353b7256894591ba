"""A checkpoint that is missing, damaged, forged or stale: whatever becomes of it, the answer is the same."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions import checkpoint_file
from tests.store.support.checkpointed import (
    FIRST,
    again,
    grown,
    kept,
    name_of,
    named,
    reads,
    store,
    table,
    used,
    version_file,
    without_moment,
)


def missing(path: Path, _: bytes) -> None:
    path.unlink()


def damaged(path: Path, data: bytes) -> None:
    path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])


def cut(path: Path, data: bytes) -> None:
    path.write_bytes(data[: len(data) // 2])


def forged(path: Path, data: bytes) -> None:
    """What somebody writes who wants keys, names and ids to be forgotten."""
    said = checkpoint_file.decode(data)
    assert said is not None
    nothing = bytes(len(said.keys))
    path.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(said, keys=nothing, changes=nothing, ended=[], options=[], highest=0)))


def stale(path: Path, data: bytes) -> None:
    """The other one, which lies beside it."""
    others = [other for other in path.parent.iterdir() if other != path]
    path.write_bytes(others[0].read_bytes() if others else data[1:])


WAYS: Mapping[str, Callable[[Path, bytes], None]] = {
    "missing": missing,
    "damaged": damaged,
    "cut": cut,
    "forged": forged,
    "stale": stale,
}
CHANGES = (
    "ADD COLUMN c INT",
    "ADD COLUMN c STRING",
    "DROP COLUMN c",
    "RENAME COLUMN a TO c",
    "RENAME COLUMN c TO a",
    "ALTER COLUMN a TYPE BIGINT",
    "ALTER COLUMN a TYPE STRING",
    "ALTER COLUMN r.x TYPE BIGINT",
    "DROP COLUMN r.y",
    "ADD COLUMN r.y STRING",
    "SET OPTION my.option = 1",
    "UNSET OPTION my.option",
    "ALTER COLUMN b SET NOT NULL",
    "ALTER COLUMN b DROP NOT NULL",
)
NAMES = ("id", "a", "b", "c", "r")


def wished(text: str) -> Callable[[Table], Any]:
    """What somebody wants of a table, by a text that a failing example can show."""
    word, _, rest = text.partition(" ")
    calls: dict[str, Callable[[Table], Any]] = {
        "evolve": lambda found: found.evolve(rest),
        "again": lambda found: found.evolve("ADD COLUMN new INT", key=f"key {rest}"),
        "override": lambda found: found.evolve(rest, override="because"),
        "batch": lambda found: found.evolve([rest, "ALTER COLUMN id COMMENT 'the key'"]),
        "restore": lambda found: found.restore(int(rest), override="because"),
        "plan": lambda found: found.plan(rest).to_json(),
        "create": lambda found: store(Path(found.place.files.url)).create_table("shop.orders", rest),
        "target": lambda found: found.evolve(target=TableSchema.create(rest), override="because"),
    }
    return calls[word]


def said_of(folder: Path, wish: str) -> Any:
    """What comes of a wish: the answer, the bytes that were written but for their moment, and the reason of a refusal."""
    before = {path.name for path in version_file(folder, 0).parent.iterdir()}
    try:
        found = wished(wish)(table(folder))
    except SchemaError as error:
        return type(error), str(error)
    if isinstance(found, str):
        return without_moment(json.loads(found))
    written = [path for path in version_file(folder, 0).parent.iterdir() if path.name not in before]
    content = [without_moment(json.loads(path.read_bytes())) for path in written]
    for path in written:
        path.unlink()
    return found.number, found.outcome, found.report, found.notes, content


WISHES = st.one_of(
    st.sampled_from(["evolve", "override", "batch", "plan"]).flatmap(
        lambda word: st.sampled_from(CHANGES).map(lambda text: f"{word} {text}")
    ),
    st.integers(0, 12).map(lambda number: f"again {number}"),
    st.integers(0, 12).map(lambda number: f"restore {number}"),
    st.sampled_from(
        [f"create {FIRST}", f"create {FIRST}, c INT", "create nothing INT", f"target {FIRST}, c INT", "target id BIGINT NOT NULL"]
    ),
)


@example(["ADD COLUMN c INT", "DROP COLUMN c", *CHANGES[5:8], *CHANGES[5:8]], "evolve ADD COLUMN c STRING")
@example(["RENAME COLUMN a TO c", *CHANGES[4:11]], "evolve RENAME COLUMN c TO a")
@example([*CHANGES[5:7], *CHANGES], "again 2")
@given(st.lists(st.sampled_from(CHANGES), min_size=9, max_size=14), WISHES)
def test_a_commit_says_and_writes_the_same_whatever_becomes_of_the_checkpoint(past: list[str], wish: str) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        store(folder).create_table("shop.orders", FIRST)
        for number, text in enumerate([*past, *(f"SET OPTION filler = {number}" for number in range(6))]):
            try:
                table(folder).evolve(text, key=f"key {number}", override="because")
            except SchemaError:
                continue
        path = used(folder)
        files = {path: path.read_bytes() for path in kept(folder)}
        assert reads(folder, lambda found: found.plan("SET OPTION other = 1")) <= 6
        told = said_of(folder, wish)
        for spoil in WAYS.values():
            for other in kept(folder):
                other.unlink()
            for there, data in files.items():
                there.write_bytes(data)
            spoil(path, files[path])
            assert said_of(folder, wish) == told
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("way", WAYS)
def test_what_no_checkpoint_tells_is_read_and_the_next_one_tells_it(tmp_path: Path, way: str) -> None:
    grown(tmp_path, 30)
    cheap = reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT"))
    for path in kept(tmp_path):
        WAYS[way](path, path.read_bytes())
        if way == "stale":
            path.write_bytes(b"")
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT")) >= 30
    table(tmp_path).evolve("ADD COLUMN c INT")
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN d INT")) <= cheap
    assert len(kept(tmp_path)) <= 4


def with_an_earlier_one(folder: Path) -> Path:
    """The checkpoint of a table that has the one before it as well, and whose newest version is the first that names it."""
    grown(folder, 13)
    for number in range(13, 60):
        again(table(folder), number)
        if named(folder) != named(folder, number - 1) and named(folder, number - 1) in {name_of(path) for path in kept(folder)}:
            return used(folder)
    raise AssertionError("one of twelve has another file than the one before it")


@pytest.mark.parametrize("way", WAYS)
def test_where_the_newest_checkpoint_tells_nothing_the_one_before_it_does(tmp_path: Path, way: str) -> None:
    """Its writer was killed between the version and the checkpoint, or wrote late over a newer one."""
    path = with_an_earlier_one(tmp_path)
    data = path.read_bytes()
    WAYS[way](path, data)
    if way == "stale":
        path.write_bytes(data[1:])
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT")) <= 10


def test_an_old_version_that_somebody_wrote_over_is_judged_as_it_is(tmp_path: Path) -> None:
    grown(tmp_path, 30)
    path = version_file(tmp_path, 5)
    value = json.loads(path.read_bytes())
    value["fields"].append({"id": 90, "name": "theirs", "type": "INT"})
    path.write_text(json.dumps(value | {"highestFieldId": 90}))
    found = table(tmp_path).plan("ADD COLUMN theirs INT")
    assert [finding.rule for finding in found.report.findings] == ["FIELD_READDED"]
    assert any("does not hold together" in note for note in found.report.notes)
    assert found.result.highest_field_id == 91


@pytest.mark.parametrize("later", range(4))
def test_the_version_whose_past_it_is_may_be_written_over_as_well(tmp_path: Path, later: int) -> None:
    """Columns that it still has are kept by their place in it."""
    grown(tmp_path, 12 + later)
    path = used(tmp_path)
    said = checkpoint_file.decode(path.read_bytes())
    assert said is not None
    there = version_file(tmp_path, said.number)
    there.write_bytes(there.read_bytes().replace(b'"BIGINT NOT NULL"', b'"INT NOT NULL"'))
    found = table(tmp_path).plan("ALTER COLUMN id TYPE DOUBLE").to_json()
    path.unlink()
    assert without_moment(json.loads(table(tmp_path).plan("ALTER COLUMN id TYPE DOUBLE").to_json())) == without_moment(json.loads(found))


def test_a_version_that_was_put_back_counts(tmp_path: Path) -> None:
    grown(tmp_path, 12)
    data = version_file(tmp_path, 2).read_bytes()
    version_file(tmp_path, 2).unlink()
    for number in range(12, 20):
        table(tmp_path).evolve(f"ALTER COLUMN a COMMENT 'v{number}'")
    with pytest.raises(SchemaError):
        table(tmp_path).restore_plan(2)
    version_file(tmp_path, 2).write_bytes(data)
    assert again(table(tmp_path), 2).number == 2
    assert table(tmp_path).restore_plan(2).base is not None


def test_a_version_that_expired_is_forgotten(tmp_path: Path) -> None:
    grown(tmp_path, 20)
    for number in range(3, 9):
        version_file(tmp_path, number).unlink()
    assert again(table(tmp_path), 5).number == 20
    assert again(table(tmp_path), 12).number == 12


def theirs(folder: Path, number: int) -> None:
    """A version by an outside writer, with a column of its own."""
    value = json.loads(version_file(folder, number - 1).read_bytes())
    value.pop("schemas", None)
    value["fields"].append({"id": 60 + number, "name": f"theirs_{number}", "type": "INT"})
    version_file(folder, number).write_text(json.dumps(value | {"id": number, "highestFieldId": 60 + number}))


@pytest.mark.parametrize(("versions", "all_are_read"), [(1, False), (3, False), (4, True)])
def test_behind_a_few_versions_of_an_outside_writer_what_came_after_the_checkpoint_is_read(
    tmp_path: Path, versions: int, *, all_are_read: bool
) -> None:
    grown(tmp_path, 20)
    for number in range(20, 20 + versions):
        theirs(tmp_path, number)
    count = reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT"))
    assert (count >= 20) == all_are_read
    assert count <= (30 if all_are_read else 10)
    table(tmp_path).evolve("DROP COLUMN theirs_20", override="why not")
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN theirs_20 INT")) <= 10
    assert [finding.rule for finding in table(tmp_path).plan("ADD COLUMN theirs_20 INT").report.findings] == ["FIELD_READDED"]


@pytest.mark.parametrize("name", ["../../../secret", "0" * 63, "G" * 64, "a" * 64, ""])
def test_a_name_that_is_none_names_nothing(tmp_path: Path, name: str) -> None:
    grown(tmp_path, 12)
    head = table(tmp_path).latest()
    past = head.provenance
    assert past is not None
    schema = msgspec.structs.replace(past, checkpoint=name).on(head.schema)
    version_file(tmp_path, 11).write_text(schema.to_json())
    assert again(table(tmp_path), 5).number == 5


def test_only_the_version_whose_past_it_is_may_name_it_first(tmp_path: Path) -> None:
    """A checkpoint of another table, whose name somebody has put into the newest version, says nothing of this one."""
    grown(tmp_path / "one", 12)
    grown(tmp_path / "other", 12)
    path = used(tmp_path / "other")
    there = kept(tmp_path / "one")[0].parent / path.name
    there.write_bytes(path.read_bytes())
    head = table(tmp_path / "one").latest()
    assert head.provenance is not None
    schema = msgspec.structs.replace(head.provenance, checkpoint=named(tmp_path / "other")).on(head.schema)
    version_file(tmp_path / "one", 11).write_text(schema.to_json())
    before = table(tmp_path / "one").plan("ADD COLUMN c INT").to_json()
    for other in kept(tmp_path / "one"):
        other.unlink()
    assert without_moment(json.loads(table(tmp_path / "one").plan("ADD COLUMN c INT").to_json())) == without_moment(json.loads(before))
    there.write_bytes(path.read_bytes())
    assert reads(tmp_path / "one", lambda found: found.plan("ADD COLUMN c INT")) >= 11


def test_an_old_version_is_read_again_though_its_time_was_put_back(tmp_path: Path) -> None:
    grown(tmp_path, 6)
    file = version_file(tmp_path, 1)
    about, data = file.stat(), file.read_bytes()
    file.write_bytes(data.replace(b'"b"', b'"q"'))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert file.stat().st_size == about.st_size
    assert {finding.rule for finding in table(tmp_path).plan("ADD COLUMN q STRING").report.findings} == {"FIELD_READDED"}
