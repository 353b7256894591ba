"""Whatever happens to checkpoints, to the versions that they are about and to the table, a store says what it says without any."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import checkpoints_folder
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions import checkpoint_file
from tests.store.support.backends import Backend
from tests.store.support.checkpointed import FIRST, again, grown, kept, store, table, used, version_file, without_moment

ASKED = (
    "ADD COLUMN c INT",
    "ADD COLUMN gone STRING",
    "ADD COLUMN q STRING",
    "ALTER COLUMN a TYPE BIGINT",
    "RENAME COLUMN a TO gone",
    "DROP COLUMN r.y",
    "SET OPTION my.option = 2",
)


def answers(found: Table) -> list[Any]:
    """What a table says to several changes, to a key that was used, and to a step back."""
    said: list[Any] = []
    calls: list[Callable[[], str]] = [partial(_planned, found, text) for text in ASKED]
    calls.append(lambda: found.restore_plan(3, override="a test").to_json())
    for call in calls:
        try:
            said.append(without_moment(json.loads(call())))
        except SchemaError as error:
            said.append((type(error), str(error)))
    try:
        said.append(str(again(found, 5)))
    except SchemaError as error:
        said.append((type(error), str(error)))
    return said


def _planned(found: Table, text: str) -> str:
    return found.plan(text, override="a test").to_json()


def lived(folder: Path) -> Path:
    """A table with a column and an option that went, and a few versions after that."""
    grown(folder, 9)
    for change in ("ADD COLUMN gone INT", "SET OPTION my.option = 1", "DROP COLUMN gone", "UNSET OPTION my.option"):
        table(folder).evolve(change, override="a test")
    for number in range(13, 19):
        again(table(folder), number)
    return folder


def assert_as_without(folder: Path) -> None:
    """The answers are those that are given where there is no checkpoint."""
    before = {path: path.read_bytes() for path in kept(folder)}
    assert before
    told = answers(table(folder))
    for path in before:
        path.unlink()
    assert answers(table(folder)) == told


# ---------------------------------------------------------------- the checkpoint


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that lives; whoever changes it takes a copy, in which all marks are others."""
    return lived(tmp_path_factory.mktemp("lake"))


def test_a_checkpoint_that_was_cut_anywhere_tells_nothing(living: Path) -> None:
    data = used(living).read_bytes()
    assert checkpoint_file.decode(data) is not None
    assert [
        end for end in {*range(0, len(data), 100), *range(len(data) - 9, len(data))} if checkpoint_file.decode(data[:end]) is not None
    ] == []


@pytest.mark.parametrize("part", range(0, 100, 9))
def test_a_store_says_the_same_by_a_checkpoint_that_was_cut(tmp_path: Path, part: int) -> None:
    path = used(lived(tmp_path))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * part // 100])
    assert_as_without(tmp_path)


def test_the_checkpoint_of_another_table_tells_nothing(tmp_path: Path) -> None:
    lived(tmp_path / "one")
    grown(tmp_path / "other", 18)
    used(tmp_path / "one").write_bytes(used(tmp_path / "other").read_bytes())
    assert_as_without(tmp_path / "one")


def test_the_checkpoint_of_another_branch_tells_nothing(tmp_path: Path) -> None:
    lived(tmp_path)
    branch = table(tmp_path).create_branch("b1")
    for number in range(40, 46):
        again(branch, number)
    [theirs, *_] = kept(tmp_path, "b1")
    used(tmp_path).write_bytes(theirs.read_bytes())
    assert_as_without(tmp_path)


def test_a_checkpoint_with_true_marks_and_false_facts_counts_under_no_name(tmp_path: Path) -> None:
    """Whoever can write to the registry alone may write each file of the folder, and no version names what is in it."""
    said = checkpoint_file.decode(used(lived(tmp_path)).read_bytes())
    assert said is not None
    nothing = bytes(len(said.keys))
    false = msgspec.msgpack.encode(msgspec.structs.replace(said, keys=nothing, changes=nothing, ended=[], options=[], highest=0))
    folder = kept(tmp_path)[0].parent
    for number in range(4):
        (folder / f"{number}.checkpoint").write_bytes(false)
    assert_as_without(tmp_path)


# ---------------------------------------------------------------- the versions


def overwritten(folder: Path) -> None:
    """An old version is another one of the same size, and of the same time."""
    file = version_file(folder, 1)
    about = file.stat()
    file.write_bytes(file.read_bytes().replace(b'"b"', b'"q"'))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert file.stat().st_size == about.st_size


def rolled_back(folder: Path) -> None:
    for number in range(12, 19):
        version_file(folder, number).unlink()


def gapped(folder: Path) -> None:
    for number in (0, 2, 10, 16):
        version_file(folder, number).unlink()


def forwarded(folder: Path) -> None:
    """Versions that somebody else made on a copy come all at once."""
    other = folder.parent / f"{folder.name}-other"
    shutil.copytree(folder, other)
    for number in range(19, 32):
        table(other).evolve(f"ADD COLUMN n{number} INT", key=f"key {number}")
    for number in range(19, 32):
        shutil.copyfile(version_file(other, number), version_file(folder, number))


def replaced(folder: Path) -> None:
    """All versions are those of another table, which has as many."""
    other = folder.parent / f"{folder.name}-other"
    grown(other, 19)
    shutil.rmtree(version_file(folder, 0).parent)
    shutil.copytree(version_file(other, 0).parent, version_file(folder, 0).parent)


def later(folder: Path) -> None:
    """The clock of whoever writes goes wrong by ten years."""
    for number in range(0, 19, 2):
        os.utime(version_file(folder, number), (2_100_000_000, 2_100_000_000))


def swapped(folder: Path) -> None:
    """Two versions have each other's content, but for their numbers."""
    one, two = (json.loads(version_file(folder, number).read_bytes()) for number in (3, 10))
    version_file(folder, 3).write_text(json.dumps(two | {"id": 3}))
    version_file(folder, 10).write_text(json.dumps(one | {"id": 10}))


def copied(folder: Path) -> None:
    """Every version is another file with the same bytes."""
    for number in range(19):
        data = version_file(folder, number).read_bytes()
        version_file(folder, number).unlink()
        version_file(folder, number).write_bytes(data)


ATTACKS: Mapping[str, Callable[[Path], None]] = {
    attack.__name__: attack for attack in (overwritten, rolled_back, gapped, forwarded, replaced, later, swapped, copied)
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_whatever_becomes_of_the_versions_a_store_says_what_they_say(tmp_path: Path, attack: str) -> None:
    folder = lived(tmp_path / "lake")
    ATTACKS[attack](folder)
    assert_as_without(folder)


def test_a_table_that_was_dropped_and_made_anew_with_the_same_numbers_is_the_new_one(tmp_path: Path) -> None:
    lived(tmp_path)
    before = {path.name: path.read_bytes() for path in kept(tmp_path)}
    store(tmp_path).drop_table("shop.orders")
    grown(tmp_path, 19)
    for path in kept(tmp_path):  # somebody has put back what a drop takes away
        path.write_bytes(before.get(path.name, b""))
    assert_as_without(tmp_path)


# ---------------------------------------------------------------- storages


def test_on_every_storage_a_version_that_was_written_over_counts_as_it_is(backend: Backend) -> None:
    """By a mark of its storage, with another size or with the same."""
    made = backend.store(layout="paimon")
    made.create_table("shop.orders", FIRST)
    for number in range(1, 9):
        again(made.table("shop.orders"), number)
    folder = checkpoints_folder(TableName("shop", "orders"), "main")
    files = backend.files()
    paths = [path for path, _ in files.walk(f"_schemas/{folder}")]
    assert paths
    path = "shop.db/orders/schema/schema-1"
    data = files.read(path)
    plan = backend.store(layout="paimon").table("shop.orders").plan("ADD COLUMN q STRING")
    assert {finding.rule for finding in plan.report.findings} == {"FIELD_ADDED_NULLABLE"}
    files.put(path, data.replace(b'"b"', b'"q"'))
    told = answers(backend.store(layout="paimon").table("shop.orders"))
    for checkpoint in paths:
        files.delete(checkpoint)
    assert answers(backend.store(layout="paimon").table("shop.orders")) == told
    plan = backend.store(layout="paimon").table("shop.orders").plan("ADD COLUMN q STRING")
    assert {finding.rule for finding in plan.report.findings} == {"FIELD_READDED"}


# ---------------------------------------------------------------- two tables, one of which never has a checkpoint

WORDS = st.one_of(
    st.tuples(
        st.just("evolve"),
        st.sampled_from([*ASKED, "DROP COLUMN c", "DROP COLUMN gone", "RENAME COLUMN gone TO a", "UNSET OPTION my.option"]),
    ),
    st.tuples(st.just("key"), st.integers(0, 6).map(str)),
    st.tuples(st.just("restore"), st.integers(0, 12).map(str)),
    st.tuples(st.just("attack"), st.sampled_from(["expire", "spoil", "mix", "theirs", "back"])),
)


def step(folder: Path, word: str, text: str) -> Any:
    """What comes of a step, as far as it does not hang on its moment."""
    found = table(folder)
    try:
        if word == "evolve":
            done = found.evolve(text, override="a test")
        elif word == "key":
            done = found.evolve("ALTER COLUMN b COMMENT 'k'" if text < "3" else "ADD COLUMN k INT", key=text)
        elif word == "restore":
            done = found.restore(int(text), override="a test")
        else:
            return SPOIL[text](folder)
    except SchemaError as error:
        return type(error), str(error).replace(str(folder), "")
    return done.number, done.outcome, done.report, [note.replace(str(folder), "") for note in done.notes], done.schema.content


def _numbers(folder: Path) -> list[int]:
    return list(table(folder).numbers())


def _expire(folder: Path) -> None:
    for number in _numbers(folder)[1:-1:3]:
        version_file(folder, number).unlink()


def _spoil(folder: Path) -> None:
    for path in kept(folder):
        path.write_bytes(path.read_bytes()[::2])


def _mix(folder: Path) -> None:
    """Each file of a checkpoint holds what another one held."""
    data = [path.read_bytes() for path in kept(folder)]
    for path, other in zip(kept(folder), [*data[1:], *data[:1]], strict=True):
        path.write_bytes(other)


def _theirs(folder: Path) -> None:
    number = _numbers(folder)[-1]
    value = json.loads(version_file(folder, number).read_bytes())
    value.pop("schemas", None)
    value["options"]["theirs"] = str(number)
    version_file(folder, number + 1).write_text(json.dumps(value | {"id": number + 1}))


def _back(folder: Path) -> None:
    numbers = _numbers(folder)
    for number in numbers[max(1, len(numbers) - 3) :]:
        version_file(folder, number).unlink()


SPOIL: Mapping[str, Callable[[Path], None]] = {"expire": _expire, "spoil": _spoil, "mix": _mix, "theirs": _theirs, "back": _back}


def written(folder: Path) -> list[Any]:
    """All versions, without what is another at each moment."""
    found = [without_moment(json.loads(version_file(folder, number).read_bytes())) for number in _numbers(folder)]
    for version in found:
        version.get("schemas", {}).pop("parent_sha256", None)
        version.get("schemas", {}).pop("registry", None)
    return found


@given(st.lists(WORDS, min_size=6, max_size=22))
def test_a_history_with_checkpoints_is_the_one_without(steps: list[tuple[str, str]]) -> None:
    top = Path(tempfile.mkdtemp())
    try:
        folders = top / "with", top / "without"
        for folder in folders:
            grown(folder, 5)
        for word, text in steps:
            for path in kept(folders[1]):
                path.unlink()
            said, without = (step(folder, word, text) for folder in folders)
            assert said == without, (word, text)
        assert written(folders[0]) == written(folders[1])
    finally:
        shutil.rmtree(top)
