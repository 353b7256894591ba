"""What a gate leaves in XCom: the log says nothing else, it is never too large, and what is left out never looks like a table that fits."""

import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.bases.xcom import BaseXCom
from airflow.sdk.serde import deserialize
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.render.verdict.verdict_log import log_block, log_lines
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.output.failure_report import FailureReport, log_values
from airflow_provider_schemas.tasks.output.xcom_limit import MAX_BYTES, joined_texts, size, within_limit
from tests.render.support.earlier_verdict import EARLIER

NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"
ORDERS = b"""
table: shop.orders
owner: team-orders
contact: '#orders'
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
"""


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", table_file.read(ORDERS, "orders.yaml"))
    made.create_table("shop.users", "user_id BIGINT NOT NULL")
    return made


def renamed(store: SchemaStore) -> None:
    store.table("shop.orders").evolve("RENAME COLUMN cust_id TO customer_id", override="INC-7 of the shop")


def logged(context: Any, caplog: pytest.LogCaptureFixture, **said: Any) -> tuple[str, dict[str, Any]]:
    """What a gate says at the end of its log, and what it leaves in XCom."""
    past = said.pop("past", None)
    gate = SchemaGateOperator(task_id="gate", conn_id="lake", **said)
    stand_in: dict[str, Any] = {"xcom_pull": lambda **_: past, "get_previous_ti": lambda **_: None}
    stand_in["get_task_states"] = lambda task_ids, run_ids=(), **_: {run: dict.fromkeys(task_ids, "success") for run in run_ids}
    about = context(gate, **stand_in)
    caplog.clear()
    with caplog.at_level(logging.INFO, "airflow.task.schemas"):
        try:
            gate.execute(about)
        except Exception:  # noqa: BLE001  # every end of a task leaves its words
            for callbacks in (gate.on_failure_callback, gate.on_skipped_callback):
                for callback in callbacks or ():
                    callback(about)
    lines = [record.getMessage() for record in caplog.records if record.name == "airflow.task.schemas"]
    return "\n".join(line for line in lines if line != "::endgroup::"), about["ti"].pushed["schema_verdict"]


def stored(value: dict[str, Any]) -> Any:
    """What XCom gives back: a database may put the keys into another order, and a serializer knows plain values alone."""
    sorted_by_the_database = json.loads(json.dumps(BaseXCom.serialize_value(value), sort_keys=True))
    return deserialize(sorted_by_the_database)


CORPUS: dict[str, dict[str, Any]] = {
    "fits": {"reads": {"shop.orders": ["order_id"], "shop.users": None}},
    "one breaks": {"reads": {"shop.orders": NEEDS}},
    "read and written": {"reads": {"shop.orders": NEEDS}, "writes": {"shop.orders": NEEDS}},
    "one breaks, one fits": {"reads": {"shop.orders": NEEDS, "shop.users": "user_id BIGINT"}},
    "skips": {"reads": {"shop.orders": ["nope", "gone"]}, "on_incompatible": "skip"},
    "warns": {"reads": {"shop.orders": NEEDS}, "on_incompatible": "warn"},
    "not there": {"reads": {"shop.order": ["a"], "nowhere.at_all": ["b"]}},
    "not there, and tolerated": {"reads": {"shop.order": ["a"], "shop.users": ["user_id"]}, "on_missing": "warn"},
    "many columns": {"reads": {"shop.orders": [f"gone{number}" for number in range(300)]}},
    "many tables": {"reads": {f"far.t{number}": ["a"] for number in range(60)}},
    "a policy of the task": {"reads": {"shop.orders": NEEDS}, "policy": {"rules": {"EXPECT_FIELD_RENAMED": "block"}}},
}


@pytest.mark.parametrize("said", CORPUS.values(), ids=CORPUS)
def test_the_log_can_be_printed_from_what_is_in_xcom(
    context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture, said: dict[str, Any]
) -> None:
    renamed(store)
    log, pushed = logged(context, caplog, **said)
    assert log_block(stored(pushed)) == log
    assert size(pushed) <= MAX_BYTES


def test_so_can_that_of_a_waiver_and_of_a_baseline(context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture) -> None:
    _, past = logged(context, caplog, reads=["shop.orders"])
    past["run"] = "scheduled__2026-02-28"
    renamed(store)
    log, pushed = logged(context, caplog, reads=["shop.orders"], past=past)
    table = pushed["tables"]["shop.orders"]
    assert log_block(stored(pushed)) == log
    assert table["from"] == {**past["tables"]["shop.orders"]["seen"], "run": "scheduled__2026-02-28", "at": past["at"]}
    assert table["without_contract"] is True
    assert [step["label"] for step in table["steps"]] == ["fix in the table", "let it through"]
    store.table("shop.orders").waive("EXPECT_FIELD_RENAMED", "cust_id", until="3026-01-01", reason="INC-7", consumer="reports.gate")
    log, pushed = logged(context, caplog, reads={"shop.orders": NEEDS})
    (finding,) = pushed["tables"]["shop.orders"]["findings"]
    assert "\n".join(line for _, line in log_lines(stored(pushed))) == log
    assert ("3026-01-01" in finding["waived"], "INC-7" in finding["waived"]) == (True, True)


def test_it_says_who_what_and_how_as_values(context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture) -> None:
    renamed(store)
    log, pushed = logged(context, caplog, reads={"shop.orders": NEEDS})
    table = pushed["tables"]["shop.orders"]
    (finding,) = table["findings"]
    assert table["override"] == {"by": "ana", "why": "INC-7 of the shop"}
    assert (table["owner"], table["contact"]) == ("team-orders", "#orders")
    assert table["from"] == {"version": 0}
    assert table["policy"]["name"] == "default"
    assert "no policy is written" in table["policy"]["found"]
    assert finding["readers"] == [{"name": "reports.gate", "owner": "sales"}]
    commands = [step["command"] for step in finding["steps"] if step["command"]]
    assert commands == [
        "airflow-schemas evolve --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id'",
        "airflow-schemas waive --conn lake shop.orders EXPECT_FIELD_RENAMED cust_id --for=reports.gate --until=3d --reason=WHY",
    ]
    assert all(command in log for command in [*commands, table["again"]])
    assert pushed["sentence"] == "shop.orders v1 breaks reports.gate: cust_id renamed to customer_id"
    assert pushed["rules"]["EXPECT_FIELD_RENAMED"]["link"] == "docs/rules/EXPECT_FIELD_RENAMED.md"
    assert "more" not in pushed


@pytest.mark.parametrize(("text", "found"), [("odf-additive", "a preset"), ('{"mode": "FULL"}', "option schemas.policy of the table")])
def test_it_names_the_policy_that_decided(
    context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture, text: str, found: str
) -> None:
    store.table("shop.users").evolve([{"action": "setOption", "key": "schemas.policy", "value": text}], override="a test")
    _, pushed = logged(context, caplog, reads={"shop.users": ["nope"]}, on_incompatible="warn")
    assert pushed["tables"]["shop.users"]["policy"]["found"] == found


# ---------------------------------------------------------------- how large it is


HOSTILE = (
    "\U0001f480" * 600,
    "x" * 1_000,
    "\x1b[31m\u202e" * 90,
    "a" * 20 + " \u0301" * 200,
    "s3://user:secret@bucket/x",
    '"}]}\n' * 120,
)


def finding(number: int, verdict: Verdict, text: str, readers: int) -> Finding:
    consumers = tuple(Consumer(f"{text}{place}", text, text, last_seen=text) for place in range(readers))
    rule = list(RULES)[number % len(RULES)]
    return Finding(
        rule, f"c{number}{text}", text, text, verdict, verdicts=Answers(jobs=verdict), consumers=consumers, why=text, waived=text[:5]
    )


def judged(tables: int, findings: int, verdict: Verdict, text: str, readers: int = 1) -> FailureReport:
    """A report on so many tables of a store, with these findings each."""
    of_table = tuple(finding(number, verdict, text, readers) for number in range(findings))
    answers = []
    for number in range(tables):
        report = Report(
            of_table, table=f"shop.t{number}", contracts=3, notes=(text,) * 3, judged_by="schema files", at="2026-11-18T06:00:03Z"
        )
        answers.append(TableAnswer(table=f"shop.t{number}", report=report))
    judgement = Judgement(tables=tuple(answers), consumer="reports.gate", store="s3://lake")
    commands = {answer.table: "airflow-schemas check" for answer in answers}
    return FailureReport(
        judgement=judgement, outcome="fail", conn_id="lake", consumer=judgement.consumer, notes=(text,) * 20, check_commands=commands
    )


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize(("tables", "findings", "readers"), [(1, 1_000, 1), (1, 1, 500), (6, 30, 20), (60, 20, 3)])
def test_hostile_texts_and_many_of_all_stay_below_the_limit(text: str, tables: int, findings: int, readers: int) -> None:
    value = log_values(judged(tables, findings, Verdict.BREAK, text, readers))
    limited = within_limit(value)
    assert size(limited) <= MAX_BYTES
    assert "secret" not in json.dumps(limited)
    assert len(limited["tables"]) == tables
    for entry in limited["tables"].values():
        assert (entry["verdict"], entry["fits"], entry["counts"]) == ("break", False, {"break": findings})
        assert len(entry["findings"]) + entry.get("more", 0) == findings
    block = log_block(stored(limited))
    assert len(block.splitlines()) < 170
    assert not any(char in block for char in "\x1b\u202e")


@given(
    st.integers(1, 30),
    st.integers(0, 25),
    st.sampled_from([Verdict.OK, Verdict.WARN, Verdict.BREAK, Verdict.INVALID]),
    st.sampled_from([*HOSTILE, "a", ""]),
    st.integers(0, 15),
)
def test_however_much_there_is_the_verdict_on_each_table_stays(
    tables: int, findings: int, verdict: Verdict, text: str, readers: int
) -> None:
    value = log_values(judged(tables, findings, verdict, text, readers))
    limited = within_limit(value)
    assert size(limited) <= MAX_BYTES
    for name, entry in value["tables"].items():
        kept = limited["tables"][name]
        assert all(kept[key] == entry[key] for key in ("verdict", "fits", "conn_id", "position"))
        assert kept.get("counts") == entry.get("counts")
        assert len(kept["findings"]) + kept.get("more", 0) == findings
    assert within_limit(limited) == limited
    log_block(stored(limited))


def test_the_versions_that_a_later_run_and_a_spark_job_need_are_never_left_out(
    context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(150):
        store.create_table(f"many.t{number}", "a BIGINT, b STRING")
    log, pushed = logged(context, caplog, reads=[f"many.t{number}" for number in range(150)], register=False)
    assert set(json.loads(pushed["spark"])) == set(pushed["tables"])
    assert all(entry["seen"] == {"version": entry["version"], "digest": entry["digest"]} for entry in pushed["tables"].values())
    assert pushed["more"]["facts"] == 130
    assert log_block(stored(pushed)) == log
    assert log.count("judged by schema") == 20


def test_two_verdicts_of_a_guarded_task_are_one_within_the_limit() -> None:
    first = log_values(judged(3, 2, Verdict.OK, "a"))
    second = log_values(judged(50, 20, Verdict.BREAK, HOSTILE[0]))
    joined = within_limit({**second, **joined_texts(first, second), "fits": False, "verdict": "break"})
    assert size(joined) <= MAX_BYTES
    assert joined["next_steps"] == second["next_steps"]
    assert sorted(entry["position"] for entry in joined["tables"].values()) == list(range(50))
    assert "SCHEMA GATE  ✖ breaks" in log_block(joined)


# ---------------------------------------------------------------- earlier releases


def test_a_run_is_judged_against_the_verdict_of_an_earlier_release_as_against_ours(
    context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture
) -> None:
    head = store.table("shop.orders").latest()
    seen = {"version": head.number, "digest": head.digest}
    table = {**EARLIER["tables"]["shop.orders"], "fits": True, "verdict": "ok", "seen": seen, "before": seen}
    past = {**EARLIER, "consumer": "reports.gate", "run": "scheduled__2026-02-28", "outcome": "fits", "tables": {"shop.orders": table}}
    _, asleep = logged(context, caplog, reads=["shop.orders"], past=past)
    assert (asleep["fits"], asleep["verdict"]) == (True, "ok")
    renamed(store)
    _, awake = logged(context, caplog, reads=["shop.orders"], past=past)
    assert (awake["fits"], awake["tables"]["shop.orders"]["before"]) == (False, seen)


KEYS = {"rule", "verdict", "path", "message", "fix", "waived"}


def test_the_keys_of_earlier_releases_stay_with_their_types(context: Any, store: SchemaStore, caplog: pytest.LogCaptureFixture) -> None:
    _, past = logged(context, caplog, reads={"shop.orders": None, "shop.users": None})
    past["run"] = "scheduled__2026-02-28"
    renamed(store)
    _, pushed = logged(context, caplog, reads={"shop.orders": None, "shop.users": None}, past=past)
    table = pushed["tables"]["shop.orders"]
    for value, shape in ((pushed, EARLIER), (table, EARLIER["tables"]["shop.orders"])):
        for key in set(shape) - {"more"}:
            assert type(value[key]) is type(shape[key]), key
    assert table["findings"][0].keys() >= KEYS


def test_the_order_of_the_tables_does_not_hang_on_the_order_of_keys() -> None:
    value = within_limit(log_values(judged(30, 2, Verdict.BREAK, "a")))
    names = list(value["tables"])
    random.Random(7).shuffle(names)
    assert log_block({**value, "tables": {name: value["tables"][name] for name in names}}) == log_block(value)
