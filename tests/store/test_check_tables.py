"""Does it fit? One answer about all tables of a job, which gates and commands repeat."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError, NotThereError, PolicyError, RefusedNameError, SchemaError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.registry import baselines, policies
from tests.support.stores import bytes_of, columns, lake, orders


def shop(folder: Path, **said: Any) -> SchemaStore:
    orders(store := lake(folder, **said))
    store.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
    return store


def rules(answer: Any) -> list[tuple[str, str, str]]:
    return [(one["rule"], one["path"], one["verdict"]) for table in answer.to_dict()["tables"].values() for one in table["findings"]]


# ---------------------------------------------------------------- forms


def test_what_is_needed_can_be_said_in_many_forms(tmp_path: Path) -> None:
    store = shop(tmp_path)
    needs: list[Any] = ["order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", ["order_id", "amount"], {"columns": ["order_id"]}, None]
    for need in needs:
        assert judge(store, {"shop.orders": need}).fits, need
    for tables in ("shop.orders", ["shop.orders", "shop.users"], ("shop.orders",), iter(["shop.orders"])):
        assert judge(store, tables).verdict is Verdict.OK


def test_the_answer_is_plain_and_says_what_it_cost(tmp_path: Path) -> None:
    store = shop(tmp_path)
    answer = judge(store, {"shop.orders": "order_id BIGINT", "shop.users": "nope STRING"}, consumer="daily")
    said = json.loads(json.dumps(answer.to_dict()))
    assert (said["consumer"], said["verdict"], said["fits"], list(said["tables"])) == (
        "daily",
        "break",
        False,
        ["shop.orders", "shop.users"],
    )
    assert (said["tables"]["shop.orders"]["version"], said["tables"]["shop.orders"]["fits"]) == (0, True)
    assert said["tables"]["shop.orders"]["digest"] == store.table("shop.orders").latest().digest
    assert rules(answer) == [("EXPECT_FIELD_MISSING", "nope", "break")]
    assert said["tables"]["shop.users"]["findings"][0]["fix"]
    assert (said["lists"], said["gets"]) > (0, 0)


def test_asking_writes_nothing_and_needs_no_right_to_write(tmp_path: Path) -> None:
    shop(tmp_path)
    before = bytes_of(tmp_path)
    assert judge(lake(tmp_path, read_only=True), {"shop.orders": "order_id BIGINT"}).fits
    assert bytes_of(tmp_path) == before


def test_what_is_written_is_judged_as_a_writer(tmp_path: Path) -> None:
    store = shop(tmp_path)
    wide = {"shop.users": "user_id BIGINT NOT NULL, country INT"}
    assert not judge(store, (), wide).fits
    assert judge(store, (), {"shop.users": "user_id BIGINT NOT NULL, country STRING"}).fits
    assert judge(store, writes={"shop.users": ["user_id"]}).tables[0].writes


def test_a_table_that_is_read_and_written_keeps_both_answers(tmp_path: Path) -> None:
    store = shop(tmp_path)
    answer = judge(store, {"shop.users": "nope STRING"}, {"shop.users": "country STRING, user_id BIGINT"})
    said = answer.to_dict()
    assert (said["verdict"], said["tables"]["shop.users"]["verdict"], said["tables"]["shop.users"]["fits"]) == ("break", "break", False)
    assert ("EXPECT_FIELD_MISSING", "nope", "break") in rules(answer)


# ---------------------------------------------------------------- policies, waivers, contracts


def test_a_caller_can_only_be_stricter(tmp_path: Path) -> None:
    store = shop(tmp_path)
    off = {"protect": {"data": "off", "jobs": "off", "writers": "off"}}
    assert not judge(store, {"shop.orders": "nope INT"}, policy=off).fits
    store.table("shop.orders").evolve("RENAME COLUMN cust_id TO customer_id")
    for policy in (None, off):
        assert judge(store, ["shop.orders"], policy=policy, since={"shop.orders": 0}).verdict is Verdict.BREAK


def test_a_waiver_lets_one_job_through_or_all(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    need = {"shop.orders": "nope INT"}
    table.waive("EXPECT_FIELD_MISSING", "nope", until="2999-01-01", reason="INC-1", consumer="daily")
    assert not judge(store, need, consumer="weekly").fits
    answer = judge(store, need, consumer="daily")
    assert answer.fits
    assert "INC-1" in answer.to_dict()["tables"]["shop.orders"]["findings"][0]["waived"]
    table.waive("EXPECT_FIELD_MISSING", until="2999-01-01", reason="INC-2")
    assert judge(store, need, consumer="weekly").fits


def test_a_waiver_that_has_ended_lets_nobody_through_and_is_told(tmp_path: Path) -> None:
    store = shop(tmp_path)
    store.table("shop.orders").waive("EXPECT_FIELD_MISSING", "nope", until=datetime.now(UTC) + timedelta(days=2), reason="INC-1")
    answer = judge(store, {"shop.orders": "nope INT"}, now=datetime.now(UTC) + timedelta(days=9))
    assert not answer.fits
    assert any("INC-1" in note and "ended" in note for note in answer.to_dict()["tables"]["shop.orders"]["notes"])


def test_the_contract_that_a_job_has_registered_is_asked_by_one_word(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    table.register("cust_id BIGINT", consumer="dag.daily")
    assert judge(store, {"shop.orders": "@registered"}, consumer="dag.daily").fits
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="INC")
    answer = judge(store, {"shop.orders": "@registered"}, consumer="dag.daily")
    assert rules(answer) == [("EXPECT_FIELD_RENAMED", "cust_id", "break")]
    with pytest.raises(NotThereError, match="weekly"):
        judge(store, {"shop.orders": "@registered"}, consumer="weekly")


def test_a_policy_that_cannot_be_read_is_an_error_and_no_answer(tmp_path: Path) -> None:
    store = shop(tmp_path)
    policies.save(store.registry, {"against": "all"})
    (tmp_path / "lake/_schemas/policies/default.yaml").write_text("protect: [nonsense]")
    with pytest.raises(PolicyError):
        judge(store, {"shop.orders": "order_id BIGINT"})


# ---------------------------------------------------------------- since


def test_a_table_without_a_contract_is_compared_with_what_was_seen(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    seen = table.latest()
    for since in (seen, 0, (0, seen.digest)):
        assert judge(store, ["shop.orders"], since={"shop.orders": since}).verdict is Verdict.OK
    table.evolve("DROP COLUMN amount")
    answer = judge(store, ["shop.orders"], since={"shop.orders": seen})
    assert [(rule, path) for rule, path, _ in rules(answer)] == [("FIELD_DROPPED", "amount")]
    assert answer.tables[0].report.old == 0


@pytest.mark.parametrize("by_digest", [True, False])
def test_nobody_is_told_that_nothing_came_where_the_version_that_was_seen_expired(tmp_path: Path, by_digest: bool) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    seen = table.latest()
    table.evolve("ADD COLUMN z INT")
    time.sleep(0.01)  # what was superseded in this millisecond is not older than it
    assert table.expire(timedelta(0), dry_run=False).deleted == (seen.number,)
    since = {"shop.orders": (seen.number, seen.digest) if by_digest else seen.number}
    answer = judge(lake(tmp_path), ["shop.orders"], since=since)
    finding = answer.tables[0].report.findings[0]
    assert (answer.verdict, answer.fits) == (Verdict.BREAK, False)
    assert f"version {seen.number} was seen last, and it was expired" in finding.message
    assert f"then version {seen.number + 1} counts" in finding.fix


def test_the_version_by_which_a_task_is_judged_does_not_expire(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    seen = table.latest()
    about = baselines.Baseline(
        at=datetime.now(UTC).isoformat(), run="r", branch="main", seen=baselines.Seen(version=seen.number, digest=seen.digest)
    )
    for consumer in ("dag.task", "_dag.task", "x" * 300):
        baselines.save(store.registry, table.id, "", consumer, about.model_copy(update={"consumer": consumer}))
    baselines.save(
        store.registry, table.id, "", "other", about.model_copy(update={"branch": "side", "seen": baselines.Seen(version=1, digest="x")})
    )
    table.evolve("ADD COLUMN z INT")
    table.evolve("ADD COLUMN y INT")
    assert any("dag.task" in holder for holder in table.references().holders(seen.number))
    time.sleep(0.01)  # as above
    assert table.expire(timedelta(0), dry_run=False).deleted == (1,)
    assert [one.seen for one in baselines.listed(store.registry, table.id, "", "_dag.task")] == [about.seen]
    next(tmp_path.rglob("baselines/**/task.side.json")).write_text("{")
    assert not table.references().complete


def test_a_table_that_went_back_since_is_told(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    table.evolve("ADD COLUMN a INT")
    seen = table.latest()
    (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink()
    answer = judge(store, ["shop.orders"], since={"shop.orders": seen})
    assert rules(answer)[0][0] == "VERSION_REWOUND"
    assert any("not there any more" in note for note in answer.tables[0].report.notes)


def test_nothing_said_is_nothing_judged_and_says_so(tmp_path: Path) -> None:
    answer = judge(shop(tmp_path), ["shop.orders"])
    assert (answer.fits, len(answer.tables[0].report.notes)) == (True, 1)


# ---------------------------------------------------------------- missing


@pytest.mark.parametrize(("meaning", "verdict", "fits"), [("fail", "break", False), ("warn", "warn", True), ("ok", "ok", True)])
def test_what_a_missing_table_means_is_said(tmp_path: Path, meaning: str, verdict: str, fits: bool) -> None:
    answer = judge(shop(tmp_path), {"shop.orders": "order_id BIGINT", "shop.nothing": "a INT"}, on_missing=meaning)
    said = answer.to_dict()["tables"]
    assert (said["shop.nothing"]["verdict"], answer.fits, said["shop.orders"]["fits"]) == (verdict, fits, True)
    assert [one["rule"] for one in said["shop.nothing"]["findings"]] == ["TABLE_MISSING"]
    (finding,) = next(one.report for one in answer.tables if one.report.table == "shop.nothing").findings
    assert {finding.verdicts.data_by_id, finding.verdicts.data_by_name, finding.data} == {Verdict.BREAK}  # nobody looked at any data


@pytest.mark.parametrize("meaning", ["Fail", "", "skip", None, 5, [], {}])
def test_a_meaning_that_nobody_knows_is_no_fit(tmp_path: Path, meaning: str) -> None:
    with pytest.raises(ContractError) as error:
        judge(shop(tmp_path), ["shop.nothing"], on_missing=meaning)
    assert error.value.fix == "There are fail, warn, ok."


def test_a_branch_is_judged_instead(tmp_path: Path) -> None:
    store = shop(tmp_path)
    branch = store.table("shop.orders").create_branch("b1")
    branch.evolve("ADD COLUMN coupon STRING")
    need = {"shop.orders": "coupon STRING"}
    assert (judge(store, need).fits, judge(store, need, branch="b1").fits) == (False, True)
    assert judge(store, need, branch="b1").to_dict()["tables"]["shop.orders"]["branch"] == "b1"
    assert not judge(store, {"shop.orders": "order_id BIGINT"}, branch="b2").fits


# ---------------------------------------------------------------- what is no question


WRONG: list[Any] = [(), {}, [], None, 5, 1.5, b"x", [5], ["nodot"], ["a.b.c"], ["../x.y"], {"shop.orders": 5}, {"shop.orders": "@@"}]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_question_is_told_so(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises((ContractError, RefusedNameError, SchemaError)) as error:
        judge(shop(tmp_path), wrong)
    assert error.value.fix


@pytest.mark.parametrize("since", [5, "x", [], {"shop.orders": "x"}, {"shop.orders": (1,)}, {"shop.orders": 1.5}, {"shop.orders": True}])
def test_what_nobody_can_have_seen_is_told_so(tmp_path: Path, since: Any) -> None:
    for need in (None, "order_id BIGINT"):
        with pytest.raises(SchemaError) as error:
            judge(shop(tmp_path), {"shop.orders": need}, since=since)
        assert error.value.fix


def test_twenty_tables_are_one_answer_and_each_is_asked_for_itself(tmp_path: Path) -> None:
    store = lake(tmp_path, layout="paimon")
    for number in range(20):
        store.create_table(f"shop.t{number}", "a INT, b STRING")
    answer = judge(store, {f"shop.t{number}": "a INT" if number % 2 else "nope INT" for number in range(20)})
    assert [one.fits for one in answer.tables] == [bool(number % 2) for number in range(20)]
    assert columns(store.table("shop.t3")) == {"a": 0, "b": 1}


def test_a_job_that_writes_a_key_needs_it_to_be_one(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    need = {"columns": [{"name": "cust_id", "type": "BIGINT", "role": ["key"]}]}
    found = judge(store, writes={"shop.orders": need}).reports[0]
    assert "EXPECT_KEY_CHANGED" in [one.rule for one in found.findings]


def test_what_a_job_writes_has_to_fit_into_the_table_and_what_it_reads_the_other_way_round(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    wider = {"shop.orders": "order_id BIGINT NOT NULL, amount DECIMAL(12, 2)"}
    assert judge(store, reads=wider).fits
    assert not judge(store, writes=wider).fits


# ---------------------------------------------------------------- an older version


def test_a_job_that_reads_an_older_version_is_judged_on_that_one(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    first = table.latest()
    table.evolve("RENAME COLUMN cust_id TO customer_id")
    needs = {"shop.orders": ["cust_id"]}
    assert not judge(store, needs).fits
    for version in (0, {"shop.orders": 0}):
        answer = judge(store, needs, version=version)
        said = answer.to_dict()["tables"]["shop.orders"]
        assert (answer.fits, said["version"], said["digest"]) == (True, 0, first.digest)
    assert not judge(store, needs, version={"shop.orders": 1}).fits
    assert judge(store, {**needs, "shop.users": ["country"]}, version={"shop.orders": 0}).fits


def test_who_goes_back_to_an_older_version_on_purpose_is_told_of_no_rewound_table(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    table.evolve("ADD COLUMN a INT")
    answer = judge(store, ["shop.orders"], since={"shop.orders": table.latest()}, version=0)
    assert [rule for rule, _, _ in rules(answer)] == ["FIELD_DROPPED"]


def test_a_version_that_is_not_there_is_a_table_that_is_not_there(tmp_path: Path) -> None:
    store = shop(tmp_path)
    answer = judge(store, {"shop.orders": ["order_id"]}, version=7)
    assert (answer.fits, answer.tables[0].version) == (False, None)
    assert "7" in rules(answer)[0][0] + answer.tables[0].report.findings[0].message
    assert judge(store, {"shop.orders": ["order_id"]}, version=7, on_missing="warn").fits


@pytest.mark.parametrize("version", [1, {"shop.nope": 1}, {"shop.orders": -1}, {"shop.orders": "1"}, {"shop.orders": True}])
def test_a_version_that_could_be_of_any_table_or_of_none_is_told_so(tmp_path: Path, version: Any) -> None:
    with pytest.raises(SchemaError):
        judge(shop(tmp_path), ["shop.orders", "shop.users"], version=version)


def test_an_answer_says_where_the_schema_files_lie(tmp_path: Path) -> None:
    store = shop(tmp_path)
    store.table("shop.orders").create_branch("dev")
    for branch, folder in ((None, "shop.db/orders/schema"), ("dev", "shop.db/orders/branch/branch-dev/schema")):
        answer = judge(store, ["shop.orders"], branch=branch).tables[0]
        assert (answer.place, answer.layout) == (str(tmp_path / "lake" / folder), "paimon")
        assert (Path(answer.place) / "schema-0").is_file()


def test_a_waiver_for_one_job_lets_it_through_without_a_contract_too(tmp_path: Path) -> None:
    store = shop(tmp_path)
    table = store.table("shop.orders")
    seen = table.latest()
    table.evolve("DROP COLUMN amount")
    table.waive("FIELD_DROPPED", "amount", until="3026-01-01", reason="INC-1", consumer="daily")
    about: dict[str, Any] = {"since": {"shop.orders": seen}}
    assert judge(store, ["shop.orders"], consumer="daily", **about).fits
    assert not judge(store, ["shop.orders"], consumer="weekly", **about).fits
    assert not judge(store, ["shop.orders"], **about).fits


@pytest.mark.parametrize("nothing", [[], (), {}, {"columns": []}, {"columns": [], "shape": "closed"}])
@pytest.mark.parametrize("argument", ["reads", "writes"])
def test_a_contract_that_needs_nothing_is_a_mistake_and_no_green(tmp_path: Path, argument: str, nothing: Any) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "id INT")
    with pytest.raises(ContractError, match="nothing is needed of this table") as refused:
        judge(store, {"shop.orders": nothing} if argument == "reads" else (), {"shop.orders": nothing} if argument == "writes" else ())
    assert refused.value.code == "contract.empty"


_STRUCTS = {"row": ("ROW<{}>", ["r"]), "array": ("ARRAY<ROW<{}>>", ["r", "element"]), "map": ("MAP<STRING, ROW<{}>>", ["r", "value"])}


@pytest.mark.parametrize("shape", _STRUCTS)
def test_a_registered_struct_means_the_fields_that_it_meant(tmp_path: Path, shape: str) -> None:
    text, path = _STRUCTS[shape]
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", f"id INT, r {text.format('a STRING, b STRING')}")
    table = store.table("shop.orders")
    need = f"r {text.format('a STRING, b STRING')}"
    table.register(need, consumer="daily")

    def judged() -> list[tuple[str, str, str]]:
        return rules(judge(store, {"shop.orders": "@registered"}, consumer="daily"))

    assert judged() == []
    for old, new in (("a", "c"), ("b", "a"), ("c", "b")):  # each name is another field now
        table.evolve({"action": "renameColumn", "fieldNames": [*path, old], "newName": new}, override="x")
    inside = {"row": "r", "array": "r[]", "map": "r{}"}[shape]
    swapped = [("EXPECT_FIELD_RENAMED", f"{inside}.{name}", "break") for name in ("a", "b")]
    assert judged() == swapped
    need = f"r {text.format('b STRING, a STRING')}"
    assert len(table.register(need, consumer="daily", pin_again=True).contract.columns[0].inner) == 2
    assert judged() == []


def test_a_field_of_a_struct_that_was_dropped_and_added_again_is_not_the_one_that_was_meant(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "r ROW<a STRING, b STRING>")
    table = store.table("shop.orders")
    table.register("r ROW<a STRING, b STRING>", consumer="daily")
    table.evolve("DROP COLUMN r.a", override="x")
    table.evolve({"action": "addColumn", "fieldNames": ["r", "a"], "dataType": "STRING"}, override="x")
    assert ("EXPECT_STALE_PIN", "r.a", "break") in rules(judge(store, {"shop.orders": "@registered"}, consumer="daily"))
    assert table.contracts()[0].columns[0].inner == {"r.a": 1, "r.b": 2}


def test_a_contract_of_an_older_release_goes_by_the_names_inside(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "r ROW<a STRING>")
    table = store.table("shop.orders")
    table.register("r ROW<a STRING>", consumer="daily")
    (record,) = tmp_path.rglob("contract-0")
    said = json.loads(record.read_text())
    assert said["pins"].pop("r.a") == 1
    record.write_text(json.dumps(said))
    assert judge(SchemaStore(tmp_path), {"shop.orders": "@registered"}, consumer="daily").fits
    assert table.register("r ROW<a STRING>", consumer="daily").number == 1
