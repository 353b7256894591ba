"""What somebody could do to a store, on purpose or not: nothing that was acknowledged is lost, and nothing passes that should not."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import (
    AlreadyThereError,
    ConflictError,
    ContractError,
    FormatError,
    IncompatibleSchemaError,
    PolicyError,
    StorageError,
)
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.registry import waivers
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.version_log import Versions
from tests.support.stores import at

SWITCHED_OFF = {"action": "setOption", "key": "schemas.policy", "value": '{"mode": "NONE"}'}


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return SchemaStore(str(tmp_path / "lake"))


@pytest.fixture
def table(store: SchemaStore) -> Table:
    store.create_table("db.t", "a INT, b STRING")
    return store.table("db.t")


# ---------------------------------------------------------------- what was acknowledged


def test_a_long_reason_makes_no_version_that_nobody_can_read(store: SchemaStore, table: Table) -> None:
    table.evolve("ADD COLUMN c INT", override="x" * 20_000_000)
    assert SchemaStore(store.url).table("db.t").latest().number == 1


def test_large_changes_are_not_written_twice_into_one_file(store: SchemaStore, table: Table) -> None:
    table.evolve([{"action": "setOption", "key": "k", "value": "x" * 9_000_000}])
    assert SchemaStore(store.url).table("db.t").latest().number == 1


@pytest.mark.parametrize("act", ["rename", "drop"])
def test_a_change_of_a_table_that_goes_away_meanwhile_is_not_acknowledged(store: SchemaStore, table: Table, act: str) -> None:
    other = SchemaStore(store.url)
    doing = (lambda: other.rename_table("db.t", "db.u")) if act == "rename" else (lambda: other.drop_table("db.t"))
    with at(commit_steps.JUDGED, doing), pytest.raises(ConflictError, match="meanwhile somebody dropped the table") as error:
        table.evolve("ADD COLUMN c INT")
    assert error.value.code == "commit.table-gone"


def test_a_table_that_came_meanwhile_is_not_renamed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = SchemaStore(f"memory://attacks{tmp_path}")
    store.create_table("db.t", "a INT")
    move = store.warehouse.move_folder

    def late(source: str, target: str) -> None:
        store.create_table("db.u", "z STRING")
        move(source, target)

    monkeypatch.setattr(store.warehouse, "move_folder", late)
    with pytest.raises(AlreadyThereError, match=r"there is a table db\.u already"):
        store.rename_table("db.t", "db.u")
    assert [store.table(f"db.{one}").schema().names for one in "tu"] == [("a",), ("z",)]


def test_a_table_that_is_dropped_half_way_gives_no_number_out_again(
    monkeypatch: pytest.MonkeyPatch, store: SchemaStore, table: Table
) -> None:
    table.evolve("ADD COLUMN c INT")

    def refused(_: str) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("shutil.rmtree", refused)
    with pytest.raises(StorageError):
        store.drop_table("db.t")
    assert not store.exists("db.t")
    assert store.tables("db") == ()


def test_what_hangs_on_a_table_is_under_its_new_name_before_the_table_is(
    monkeypatch: pytest.MonkeyPatch, store: SchemaStore, table: Table
) -> None:
    table.register("b STRING", consumer="job")
    seen: list[int] = []
    move = LocalFiles.move_folder

    def watched(self: LocalFiles, source: str, target: str) -> None:
        seen.append(len(store.table("db.u").registered()))
        move(self, source, target)

    monkeypatch.setattr(LocalFiles, "move_folder", watched)
    renamed = store.rename_table("db.t", "db.u", override="agreed with job")
    assert (seen, len(renamed.registered()), len(table.registered())) == ([1], 1, 0)
    with pytest.raises(IncompatibleSchemaError):
        renamed.evolve("DROP COLUMN b")


def test_a_name_on_which_something_hangs_is_not_given_to_a_table_that_has_the_same(store: SchemaStore, table: Table) -> None:
    table.register("b STRING", consumer="job")
    store.table("db.u").register("z STRING", consumer="job", pending=True)
    with pytest.raises(AlreadyThereError, match="something hangs on the name"):
        store.rename_table("db.t", "db.u", override="agreed with job")
    assert [(len(store.table(f"db.{one}").registered()), store.exists(f"db.{one}")) for one in "tu"] == [(1, True), (1, False)]


def test_a_table_beside_its_data_is_not_created_in_the_registry_as_well(store: SchemaStore, table: Table) -> None:
    with pytest.raises(AlreadyThereError, match="already"):
        store.create_table("db.t", "a INT", options={"schemas.table": json.dumps({"location": "/data/x", "format": "parquet"})})
    assert table.latest().number == 0


def test_a_file_that_was_copied_by_hand_with_our_words_is_no_change_done(table: Table) -> None:
    done = table.evolve("ADD COLUMN c INT")
    file = json.loads(Path(done.place).read_text())
    Path(done.place).with_name("schema-2").write_text(json.dumps({**file, "id": 2, "fields": file["fields"][:2]}))
    assert [one.rule for one in table.inspect().findings] == ["VERSION_NOT_SUCCESSOR"]
    assert table.evolve("ADD COLUMN c INT").created
    assert table.schema().names == ("a", "b", "c")


def test_two_who_make_one_branch_of_different_versions_do_not_make_it_together(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    table.evolve("ADD COLUMN c INT")
    listed = Versions.entries
    others = SchemaStore(table.place.files.url).table("db.t")

    def late(self: Versions) -> Any:
        found = listed(self)
        if self.branch == "b" and not found:
            monkeypatch.undo()
            others.create_branch("b", 0)
        return found

    monkeypatch.setattr(Versions, "entries", late)
    with pytest.raises(AlreadyThereError, match="at the same moment"):
        table.create_branch("b")
    assert table.branch("b").numbers() == (0,)


def test_a_key_that_others_have_used_passes_for_no_plan_and_for_no_changes(table: Table) -> None:
    plan = table.plan("ADD COLUMN c INT")
    table.evolve("ADD COLUMN z INT", key="k")
    with pytest.raises(ConflictError, match="is not what the plan says"):
        table.apply(plan, key="k")
    with pytest.raises(ConflictError, match="these were not made"):
        table.evolve("ADD COLUMN c INT", key="k")
    assert table.evolve("ADD COLUMN z INT", key="k").outcome == "already applied"


def test_a_key_still_fits_the_changes_whose_secret_was_not_written_down(table: Table) -> None:
    change = "SET OPTION fs.s3a.secret.key = 'hunter2'"
    assert table.evolve(change, key="k").created
    assert table.evolve(change, key="k").outcome == "already applied"


# ---------------------------------------------------------------- what should not pass


def test_a_policy_is_not_switched_off_by_one_change_for_the_next(table: Table) -> None:
    table.register("b STRING", consumer="job")
    with pytest.raises(IncompatibleSchemaError, match="the policy becomes weaker"):
        table.evolve([SWITCHED_OFF])
    plan = table.plan([SWITCHED_OFF])
    assert plan.verdict is Verdict.BREAK
    assert table.apply(plan, approval="ann").created
    assert table.evolve("DROP COLUMN b").created


def test_a_policy_that_becomes_weaker_with_a_reason_is_recorded(table: Table) -> None:
    assert table.evolve([SWITCHED_OFF], override="INC-1").created
    assert table.history()[0].policy == "override: INC-1"
    assert table.evolve([{"action": "setOption", "key": "schemas.policy", "value": '{"mode": "FULL"}'}]).created


def test_a_policy_that_came_while_others_were_first_counts(store: SchemaStore, table: Table) -> None:
    other = SchemaStore(store.url)

    def act() -> None:
        other.save_policy({"protect": {"data": "block", "jobs": "block", "writers": "warn"}, "against": "all"})
        other.table("db.t").evolve("ADD COLUMN c INT")

    with at(commit_steps.JUDGED, act), pytest.raises(IncompatibleSchemaError):
        table.evolve("DROP COLUMN b")


def test_what_only_a_plan_lets_through_is_recorded_with_the_version(table: Table) -> None:
    table.register("b STRING", consumer="job")
    plan = table.plan("DROP COLUMN b")
    findings = [msgspec.structs.replace(one, verdict=Verdict.OK, waived="until 2999-01-01: fine") for one in plan.report.findings]
    forged = msgspec.structs.replace(plan, report=msgspec.structs.replace(plan.report, findings=tuple(findings)))
    done = table.apply(Plan.from_json(forged.to_json()))
    assert table.history()[0].policy == "the plan accepts FIELD_DROPPED at b until 2999-01-01: fine"
    assert done.notes == (table.history()[0].policy,)


def test_a_plan_brings_nothing_into_the_file_but_what_its_changes_make(table: Table) -> None:
    plan = table.plan("ADD COLUMN c INT")
    forged = msgspec.structs.replace(plan, result=msgspec.structs.replace(plan.result, version=2, unknown=((("mine",), "1"),)))
    done = table.apply(Plan.from_json(forged.to_json()))
    assert "mine" not in Path(done.place).read_text()
    assert done.schema.version == 3


def test_jobs_of_two_teams_with_one_name_are_two(table: Table) -> None:
    table.register("b STRING", consumer="daily", team="one")
    plan = table.plan("DROP COLUMN b")
    table.register("b STRING", consumer="daily", team="two")
    with pytest.raises(IncompatibleSchemaError, match=r"daily \(one\), daily \(two\)"):
        table.apply(plan, approval="ann")
    with pytest.raises(PolicyError, match="which job is meant"):
        table.waive("FIELD_DROPPED", "b", until="2999-01-01", reason="one of them may", consumer="daily")
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("DROP COLUMN b")


def test_a_team_is_judged_by_its_own_contract_whatever_others_call_their_jobs(store: SchemaStore, table: Table) -> None:
    table.register("a INT", consumer="daily", team="one")
    table.register("b STRING", consumer="daily", team="two")
    table.evolve("DROP COLUMN b", override="INC-1")
    verdicts = {
        team: judge(SchemaStore(store.url, team=team), {"db.t": "@registered"}, consumer="daily").verdict for team in ("one", "two")
    }
    assert verdicts == {"one": Verdict.OK, "two": Verdict.BREAK}
    with pytest.raises(ContractError, match="several teams"):
        judge(store, {"db.t": "@registered"}, consumer="daily")


def test_what_was_seen_of_a_table_that_nobody_asks_about_is_a_mistake(store: SchemaStore, table: Table) -> None:
    with pytest.raises(ContractError, match="since speaks of"):
        judge(store, ["db.t"], since={"db.T": table.latest()})


def test_a_waiver_that_a_fast_clock_has_ended_can_be_granted_again(table: Table) -> None:
    about: dict[str, Any] = {"until": "2998-01-01", "reason": "INC-1"}
    table.waive("FIELD_DROPPED", "b", **about)
    assert waivers.active(table.registry, table.id, now=datetime(2999, 1, 1, tzinfo=UTC)).notes
    assert table.waivers() == ()
    table.waive("FIELD_DROPPED", "b", **about)
    assert len(table.waivers()) == 1


def test_versions_whose_data_may_be_on_a_disk_that_is_not_mounted_stay(store: SchemaStore, tmp_path: Path) -> None:
    (tmp_path / "disk" / "t").mkdir(parents=True)
    (tmp_path / "disk" / "t" / "part-0.parquet").write_bytes(b"x")
    store.adopt("db.t", str(tmp_path / "disk" / "t"), "a INT, b STRING")
    table = store.table("db.t")
    table.evolve("ADD COLUMN c INT")
    (tmp_path / "disk").rename(tmp_path / "gone")
    assert table.references().live is None
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("ALTER COLUMN b TYPE INT")


# ---------------------------------------------------------------- where nothing may be written, or read for ever


@pytest.mark.parametrize("name", ["manifest", "metadata"])
def test_a_file_is_no_sign_of_a_paimon_table(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "lake" / "db.db" / "t"
    folder.mkdir(parents=True)
    for one in (name, "0000_part_00.parquet"):
        (folder / one).write_bytes(b"x")
    with pytest.raises(AlreadyThereError, match="holds data"):
        SchemaStore(str(tmp_path / "lake")).create_table("db.t", "a INT")
    assert {one.name for one in folder.iterdir()} == {name, "0000_part_00.parquet"}


@pytest.mark.parametrize("inside", ["dt=1/part-0.parquet", "part-0.parquet"])
def test_a_folder_of_data_is_no_database(tmp_path: Path, inside: str) -> None:
    part = tmp_path / "lake" / "events" / inside
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x")
    with pytest.raises(AlreadyThereError, match="holds data"):
        SchemaStore(str(tmp_path / "lake"), layout="mini-paimon").create_table("events.t", "a INT")
    assert [one for one in (tmp_path / "lake").rglob("*") if one.is_file()] == [part]


@pytest.mark.parametrize("where", ["db.db/t/schema/schema-1", "_schemas/policies/default.yaml"])
def test_a_pipe_keeps_nobody_waiting(store: SchemaStore, table: Table, where: str) -> None:
    path = Path(store.url) / where
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    with pytest.raises(StorageError, match="is no file"):
        table.evolve("ADD COLUMN c INT")


@pytest.mark.usefixtures("table")
def test_a_disk_that_gives_a_few_bytes_at_a_time_gives_all_of_them(store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = "db.db/t/schema/schema-0", os.read
    whole = (Path(store.url) / path).read_bytes()
    monkeypatch.setattr(os, "read", lambda handle, count: read(handle, min(count, 7)))
    assert store.warehouse.read(path) == whole
    with pytest.raises(StorageError, match="is larger than 20 bytes"):
        store.warehouse.read(path, 20)


def test_versions_by_others_are_each_read_once(tmp_path: Path) -> None:
    store = SchemaStore(str(tmp_path / "lake"), layout="mini-paimon")
    folder = Path(store.create_table("db.t", "a INT").place).parent
    first = json.loads((folder / "schema-0").read_text())
    for sidecar in folder.glob(".more-*"):
        sidecar.unlink()
    for number in range(30):
        (folder / f"schema-{number}").write_text(json.dumps({**first, "schemaId": number}))
    fresh = SchemaStore(store.url, layout="mini-paimon")
    assert len(fresh.table("db.t").versions()) == 30
    assert fresh.warehouse.count.snapshot()[1] == 60


# ---------------------------------------------------------------- secrets


def test_a_password_in_a_location_is_refused_and_not_shown(store: SchemaStore) -> None:
    with pytest.raises(FormatError) as error:
        store.adopt("db.t", "s3://key:sesame@bucket/x", "a INT")
    assert "sesame" not in str(error.value)
    assert not Path(store.url).exists()


def test_a_password_in_the_location_of_a_version_is_not_shown(store: SchemaStore) -> None:
    file = Path(store.adopt("db.t", "s3://bucket.example/x", "a INT").place)
    file.write_text(file.read_text().replace("s3://bucket", "s3://key:sesame@bucket"))
    found = store.table("db.t").references()
    assert not found.complete
    assert "sesame" not in str(found)


def test_the_secret_of_an_option_is_in_no_report(store: SchemaStore, table: Table) -> None:
    for value in ("sesame", "sesame2"):
        done = table.evolve([{"action": "setOption", "key": "s3.secret-key", "value": value}])
        assert "sesame" not in "".join(one.message + one.old + one.new for one in done.report.findings)
    assert "sesame" not in json.dumps(judge(store, ["db.t"], since={"db.t": 0}).to_dict())
