"""Versions that may go: nobody needs them, and both clocks say that they were superseded long ago. All others stay, and it is said why."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.errors import ConflictError, PolicyError, SchemaFileError, StorageError
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.paimon import manifest_cache
from airflow_provider_schemas.store.retention.expiry import Expiry, expire
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.storage.files import FileFacts
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.support.paimon.made_by_pypaimon import Copy, interpreter

NOW = 1_800_000_000.0
DAY = 86_400.0


@pytest.fixture(autouse=True)
def forgetful() -> None:
    manifest_cache.forget()


class Shelf:
    """A table of versions that were written at given days before now, by both clocks."""

    def __init__(self, folder: Path, days: Mapping[int, float], layout: Layout = Layout.PAIMON) -> None:
        self.path, self.layout = folder / "t" / "schema", layout
        self.files = LocalFiles(folder)
        self.own: dict[int, float | None] = {}
        self.path.mkdir(parents=True)
        for number, age in days.items():
            (self.path / f"schema-{number}").write_text(f"version {number}")
            self.at(number, age, age)

    def at(self, number: int, own: float | None, storage: float) -> None:
        self.own[number] = None if own is None else NOW - own * DAY
        os.utime(self.path / f"schema-{number}", (NOW, NOW - storage * DAY))

    def there(self) -> list[str]:
        return sorted(path.name for path in self.path.iterdir())

    def run(self, references: References | None = None, *, dry_run: bool = True, days: float = 30, **options: Any) -> Expiry:
        known = references or self.known()
        given: dict[str, Any] = {"layout": self.layout, "now": NOW, "own_time": self.own.get, **options}
        return expire(self.files, "t", known, older_than=timedelta(days=days), dry_run=dry_run, **given)

    def known(self, held: Mapping[int, tuple[str, ...]] | None = None, **about: Any) -> References:
        return References("db.t", "main", tuple(sorted(self.own)), held or {}, **about)


def why(found: Expiry) -> dict[int, str]:
    return {one.number: "; ".join(one.why) for one in found.kept}


def test_what_nobody_needs_and_was_superseded_long_ago_goes_the_oldest_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200, 3: 100})
    assert shelf.run().deleted == (0, 1, 2)
    assert shelf.there() == ["schema-0", "schema-1", "schema-2", "schema-3"]  # a dry run
    deleted: list[str] = []
    shelf.files.delete = deleted.append  # type: ignore[method-assign, assignment]  # to see in which order
    assert shelf.run(dry_run=False).deleted == (0, 1, 2)
    assert deleted == ["t/schema/schema-0", "t/schema/schema-1", "t/schema/schema-2"]


def test_a_dry_run_is_the_default_and_tells_the_same(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 3})
    known = shelf.known({0: ("snapshot 1",)})
    dry = expire(shelf.files, "t", known, layout=shelf.layout, now=NOW, own_time=shelf.own.get)
    wet = shelf.run(known, dry_run=False)
    assert dry.dry_run
    assert (dry.deleted, dry.kept) == (wet.deleted, wet.kept)


def test_every_version_that_stays_says_why(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200, 3: 3})
    found = shelf.run(shelf.known({0: ("snapshot 12", "tag v1"), 3: ("snapshot 40",)}))
    assert found.deleted == (1,)
    assert why(found) == {0: "snapshot 12; tag v1", 2: "superseded only 3 days ago by version 3", 3: "newest version"}
    assert str(found).splitlines() == [
        "version 1 would go",
        "version 0 stays: snapshot 12; tag v1",
        "version 2 stays: superseded only 3 days ago by version 3",
        "version 3 stays: newest version",
    ]


@pytest.mark.parametrize(
    ("own", "storage", "reason"),
    [
        (400, 3, "superseded only 3 days ago by version 1"),
        (3, 400, "superseded only 3 days ago by version 1"),
        (0.05, 400, "superseded only 1 hour ago by version 1"),
        (0.01, 400, "superseded only 14 minutes ago by version 1"),
        (0, 400, "superseded only a moment ago by version 1"),
        (-5, 400, "version 1 bears a time that has not come yet"),
        (400, -5, "version 1 bears a time that has not come yet"),
        (None, 400, "nobody knows when version 1 superseded it"),
        (NOW / DAY, 400, "nobody knows when version 1 superseded it"),  # zero: no time was written
    ],
)
def test_both_clocks_must_say_that_it_is_old(tmp_path: Path, own: float | None, storage: float, reason: str) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 400})
    shelf.at(1, own, storage)
    assert why(shelf.run())[0] == reason


def test_a_storage_that_tells_no_time_keeps_all(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300})
    plain = shelf.files.list
    shelf.files.list = lambda folder: [replace(one, facts=FileFacts(one.mark, one.size)) for one in plain(folder)]  # type: ignore[method-assign]
    assert shelf.run().deleted == ()


def test_a_successor_that_cannot_be_read_keeps_the_version_before_it(tmp_path: Path) -> None:
    def unreadable(number: int) -> float:
        raise SchemaFileError(f"schema-{number} is no JSON.")

    assert why(Shelf(tmp_path, {0: 400, 1: 300}).run(own_time=unreadable))[0] == "nobody knows when version 1 superseded it"


def test_only_versions_that_nobody_holds_are_asked_for_their_successor(tmp_path: Path) -> None:
    asked: list[int] = []
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200})
    shelf.run(shelf.known({0: ("snapshot 1",)}), own_time=asked.append)
    assert asked == [2]


def test_exactly_as_old_as_asked_is_too_young(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 31, 1: 30})
    assert shelf.run(days=30).deleted == ()
    assert shelf.run(days=29).deleted == (0,)


def test_the_newest_never_goes_whatever_its_age(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {7: 4_000})
    assert why(shelf.run(dry_run=False, days=0)) == {7: "newest version"}
    assert shelf.there() == ["schema-7"]


def test_gaps_are_no_obstacle(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 5: 300, 9: 200})
    assert shelf.run(dry_run=False).deleted == (0, 5)
    assert shelf.there() == ["schema-9"]


def test_nothing_goes_while_anything_cannot_be_read(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200})
    known = shelf.known(unreadable=tuple(f"snapshot-{n}: it is broken." for n in range(5)))
    found = shelf.run(known, dry_run=False)
    assert found.deleted == ()
    reason = "nobody knows who needs it, because these cannot be read: "
    assert why(found)[0] == reason + "snapshot-0: it is broken. | snapshot-1: it is broken. | snapshot-2: it is broken. and 2 more"
    assert len(shelf.there()) == 3


def test_a_holder_of_everything_keeps_everything(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300})
    assert why(shelf.run(shelf.known(everything=("files in s3://b/t",)), dry_run=False))[0] == "files in s3://b/t"


def test_a_table_that_was_taken_back_meanwhile_is_left_alone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200, 3: 100})
    known = shelf.known()
    (shelf.path / "schema-3").unlink()
    with pytest.raises(ConflictError, match="newest version was 3 and is now 2"):
        shelf.run(known, dry_run=False)
    assert shelf.there() == ["schema-0", "schema-1", "schema-2"]
    shutil.rmtree(shelf.path)
    with pytest.raises(ConflictError, match="is now none"):
        shelf.run(known)


def test_a_table_that_is_taken_back_between_looking_and_deleting_is_left_alone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200})

    def own(number: int) -> float | None:
        (shelf.path / "schema-2").unlink(missing_ok=True)
        return shelf.own[number]

    with pytest.raises(ConflictError):
        shelf.run(dry_run=False, own_time=own)
    assert shelf.there() == ["schema-0", "schema-1"]


def test_a_version_that_came_meanwhile_stays_and_lets_nothing_else_go_earlier(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300})
    known = shelf.known()
    (shelf.path / "schema-2").write_text("new")
    os.utime(shelf.path / "schema-2", (NOW, NOW))
    shelf.own[2] = NOW
    assert why(shelf.run(known)) == {1: "superseded only a moment ago by version 2", 2: "newest version"}


def test_a_deletion_that_fails_says_what_went_before(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200, 3: 100})
    plain = shelf.files.delete

    def refuse(path: str) -> None:
        if path.endswith("schema-1"):
            raise StorageError("access denied.", fix="Ask for access.")
        plain(path)

    shelf.files.delete = refuse  # type: ignore[method-assign]  # a storage that lets one file be
    with pytest.raises(StorageError, match=r"version 1 could not be deleted: access denied. Before it 1 version went: 0."):
        shelf.run(dry_run=False)
    assert shelf.there() == ["schema-1", "schema-2", "schema-3"]


def test_the_sidecar_of_mini_paimon_goes_after_its_version(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300, 2: 200}, Layout.MINI_PAIMON)
    sums = {number: hashlib.sha256((shelf.path / f"schema-{number}").read_bytes()).hexdigest() for number in (0, 1)}
    for digest in sums.values():
        (shelf.path / f".more-{digest}").write_text("{}")
    known = shelf.known({1: ("contract c",)})
    assert shelf.run(known, dry_run=False).deleted == (0,)
    assert shelf.there() == [f".more-{sums[1]}", "schema-1", "schema-2"]


def test_another_branch_is_not_touched(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, {0: 400, 1: 300})
    branch = tmp_path / "t" / "branch" / "branch-b" / "schema"
    shutil.copytree(shelf.path, branch)
    found = shelf.run(References("db.t", "b", (0, 1), {}), dry_run=False)
    assert found.deleted == (0,)
    assert len(shelf.there()) == 2
    assert [path.name for path in branch.iterdir()] == ["schema-1"]


def test_an_age_below_zero_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no age"):
        Shelf(tmp_path, {0: 1}).run(days=-1)


def test_a_thousand_versions_are_listed_seldom(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, dict.fromkeys(range(1_000), 400))
    shelf.run(dry_run=False)
    assert shelf.files.count.lists < 40
    assert shelf.files.count.gets == 0


# ---------------------------------------------------------------- tables of pypaimon


def run_on(table: Copy, branch: str = "main", **options: Any) -> Expiry:
    """As if it were far in the future."""
    known = table.references(branch)

    def own_time(number: int) -> float:
        return float(json.loads((table.path / "schema" / f"schema-{number}").read_text())["timeMillis"]) / 1_000

    return expire(table.files, table.folder, known, layout=Layout.PAIMON, now=4e9, own_time=own_time, **options)


def test_pypaimon_reads_its_table_as_before_when_unneeded_versions_are_gone(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    script = (
        "import sys; from pypaimon import CatalogFactory; t=CatalogFactory.create({'warehouse': sys.argv[1]}).get_table('db.plain');"
        "b=t.new_read_builder(); print(b.new_read().to_arrow(b.new_scan().plan().splits()).to_pylist(), t.schema_manager.latest().id)"
    )

    def read() -> str:
        command = [str(interpreter()), "-c", script, str(tmp_path / "warehouse")]
        return subprocess.check_output(command, text=True, env={**os.environ, "PYTHONPATH": ""})

    before = read()
    found = run_on(table, dry_run=False)
    assert found.deleted == (2,)
    assert table.numbers() == [0, 1, 3, 4]
    assert read() == before
    assert run_on(table, dry_run=False).deleted == ()


def test_nothing_of_a_table_with_a_broken_manifest_goes(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    (table.path / "manifest" / table.snapshot(3)["deltaManifestList"]).write_bytes(b"")
    assert run_on(table, dry_run=False).deleted == ()
    assert table.numbers() == [0, 1, 2, 3, 4]


def test_the_versions_that_a_branch_was_made_of_stay(tmp_path: Path) -> None:
    table = Copy(tmp_path, "branched")
    assert run_on(table, dry_run=False).deleted == ()
    shutil.rmtree(table.path / "branch")
    assert run_on(table, dry_run=False).deleted == (2,)
