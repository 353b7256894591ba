"""What people are told of a gate that broke and of a table that changed, and over which notifiers."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import BaseNotifier

from airflow_provider_schemas.notifications import SchemaNotifier
from airflow_provider_schemas.notifications.messages import message_of

BREAKS: dict[str, Any] = {
    "consumer": "reports.daily",
    "verdict": "break",
    "fits": False,
    "outcome": "fail",
    "tables": {
        "shop.users": {"version": 7, "verdict": "ok", "fits": True, "findings": [], "notes": []},
        "shop.orders": {
            "version": 42,
            "verdict": "break",
            "fits": False,
            "owner": "team-orders",
            "contact": "#orders-oncall",
            "findings": [
                {
                    "rule": "EXPECT_FIELD_RENAMED",
                    "path": "cust_id",
                    "verdict": "break",
                    "message": "cust_id is now customer_id.",
                    "fix": "Use customer_id instead of cust_id in the job.",
                    "waived": "",
                },
                {"rule": "EXPECT_EXTRA_FIELD", "path": "x", "verdict": "warn", "message": "x is not expected.", "fix": "", "waived": ""},
            ],
            "more": 3,
            "changed": {"at": "2026-11-18 01:12 UTC", "by": "ana", "run": "evolve/r/t", "approval": "raj"},
        },
    },
}
CHANGED: dict[str, Any] = {
    "table": "shop.orders",
    "version": 42,
    "previous": 41,
    "outcome": "created",
    "verdict": "break",
    "changes": ["RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING"],
    "approval": "raj",
    "notes": [],
}


class Kept(BaseNotifier):
    """A notifier with a template, that keeps what it would send."""

    template_fields = ("text",)

    def __init__(self, text: str, sent: list[str]) -> None:
        super().__init__()
        self.text, self.sent = text, sent

    def notify(self, context: Any) -> None:
        del context
        self.sent.append(self.text)


def told(context: Any, said: Any, key: str = "schema_verdict", **about: Any) -> list[Any]:
    """The messages that a notifier hands on after a task that said this."""
    ran, messages = context(**about), list[Any]()
    ran["ti"].xcom_push(key, said)
    SchemaNotifier(messages.append, only=["breaks", "warns", "fits", "changes"])(ran)
    return messages


# ---------------------------------------------------------------- messages


def test_a_gate_that_broke_says_what_who_and_what_to_do(context: Any) -> None:
    (message,) = told(context, BREAKS, log_url="http://localhost:8080/x")
    assert message["kind"] == "breaks"
    assert message["title"] == "shop.orders v42 breaks reports.daily: cust_id is now customer_id (+4 more)"
    assert message["text"].splitlines() == [
        message["title"],
        "  shop.orders v42 breaks, changed at 2026-11-18 01:12 UTC by ana in evolve/r/t approved by raj; owner team-orders, #orders-oncall",
        "    ✖ cust_id is now customer_id. EXPECT_FIELD_RENAMED",
        "      Use customer_id instead of cust_id in the job.",
        "    ! x is not expected. EXPECT_EXTRA_FIELD",
        "    and 3 more",
        "  task reports.daily of sales, run manual__2026-03-01",
        "  log: http://localhost:8080/x",
    ]
    assert message["owners"] == ["team-orders", "#orders-oncall"]
    assert message["tables"] == BREAKS["tables"]
    assert message["run"] == "reports/manual__2026-03-01/daily"


def test_a_change_says_from_which_version_to_which(context: Any) -> None:
    (message,) = told(context, CHANGED | {"more_changes": 3}, "schema_change")
    assert message["kind"] == "changes"
    assert message["text"].splitlines()[:5] == [
        "shop.orders v41 -> v42, 5 changes",
        "  RENAME COLUMN cust_id TO customer_id",
        "  ADD COLUMN coupon STRING",
        "  and 3 more",
        "  approved by raj",
    ]


def test_the_commit_of_a_change_is_told_short(context: Any) -> None:
    sha = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    (message,) = told(context, CHANGED | {"commit": sha}, "schema_change")
    assert "  commit 1a2b3c4d5e6f" in message["text"].splitlines()
    table = BREAKS["tables"]["shop.orders"]
    changed = table | {"changed": table["changed"] | {"commit": sha}}
    (verdict,) = told(context, BREAKS | {"tables": {"shop.orders": changed}})
    assert "approved by raj commit 1a2b3c4d5e6f;" in verdict["text"]


def test_a_new_table_was_created(context: Any) -> None:
    (message,) = told(context, CHANGED | {"version": 0, "previous": None, "changes": []}, "schema_change")
    assert message["title"] == "shop.orders v0, created"


def test_a_table_that_is_not_there_breaks_its_job(context: Any) -> None:
    finding = {"rule": "EXPECT_FIELD_MISSING", "path": "table", "verdict": "break", "message": "there is no schema of a.b.", "fix": ""}
    missing = {"verdict": "break", "fits": False, "findings": [finding], "notes": []}
    (message,) = told(context, BREAKS | {"tables": {"a.b": missing}})
    assert message["title"] == "a.b breaks reports.daily: there is no schema of a.b"


@pytest.mark.parametrize("said", [CHANGED | {"outcome": "unchanged"}, CHANGED | {"outcome": "already applied"}, {"plan": "x"}, [1], "x"])
def test_where_nothing_was_written_nothing_is_told(context: Any, said: Any) -> None:
    assert told(context, said, "schema_change") == []


@pytest.mark.parametrize(
    "said",
    [
        {"tables": {"a.b": {}}, "verdict": "nonsense"},
        {"tables": {}, "verdict": "ok"},
        {"tables": {"a.b": {"findings": ["x", {}], "changed": 3, "verdict": None}}, "verdict": None},
        {"table": "a.b", "outcome": "created", "changes": None, "notes": None},
    ],
)
def test_a_verdict_of_another_release_is_told_as_far_as_it_goes(context: Any, said: Any) -> None:
    message = message_of(said, context())
    assert message is not None
    assert message["text"]


# ---------------------------------------------------------------- what is told


def test_what_fits_is_told_to_those_who_ask_for_it(context: Any) -> None:
    fits = BREAKS | {"verdict": "ok", "fits": True, "tables": {"shop.users": BREAKS["tables"]["shop.users"]}}
    assert [one["title"] for one in told(context, fits)] == ["shop.users fits reports.daily"]
    messages: list[Any] = []
    ran = context()
    ran["ti"].xcom_push("schema_verdict", fits)
    SchemaNotifier(messages.append)(ran)
    assert messages == []


def test_a_task_that_failed_for_other_reasons_is_left_to_other_notifiers(context: Any) -> None:
    messages: list[Any] = []
    SchemaNotifier(messages.append)(context())
    assert messages == []


def test_a_kind_that_does_not_exist_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="'break' is no kind of message"):
        SchemaNotifier(only="break")


def test_without_anybody_to_send_to_the_log_has_it(context: Any) -> None:
    ran = context()
    ran["ti"].xcom_push("schema_verdict", BREAKS)
    notifier = SchemaNotifier()
    said: list[str] = []
    notifier._log = type("Log", (), {"warning": lambda _, form, text: said.append(form % text)})()
    notifier(ran)
    assert said[0].startswith("shop.orders v42 breaks reports.daily")


# ---------------------------------------------------------------- notifiers


def test_any_notifier_may_write_its_own_text_again_and_again(context: Any) -> None:
    sent: list[str] = []
    notifier = SchemaNotifier([Kept("{{ dag.dag_id }}: {{ schema_message.title }}", sent), Kept("{{ schema_message.kind }}", sent)])
    for said in (BREAKS, BREAKS | {"consumer": "other.job"}):
        ran = context()
        ran["ti"].xcom_push("schema_verdict", said)
        notifier(ran)
    title = "shop.orders v42 breaks {}: cust_id is now customer_id (+4 more)"
    assert sent == [f"reports: {title.format('reports.daily')}", "breaks", f"reports: {title.format('other.job')}", "breaks"]


def test_what_people_write_into_a_schema_is_no_template(context: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    evil = "{{ dag.dag_id }}{% for x in [1] %}{{ conn.lake.password }}{% endfor %}"
    finding = BREAKS["tables"]["shop.orders"]["findings"][0] | {"message": evil, "path": evil}
    said = BREAKS | {"tables": {evil: BREAKS["tables"]["shop.orders"] | {"findings": [finding]}}}
    sent: list[str] = []
    ran = context()
    ran["ti"].xcom_push("schema_verdict", said)
    SchemaNotifier(Kept("{{ schema_message.text }}", sent))(ran)
    assert evil in sent[0]


def test_what_people_write_is_no_markup(context: Any) -> None:
    evil = "<script>alert(1)</script> [x](http://evil) **b** @here\x1b[31m"
    finding = BREAKS["tables"]["shop.orders"]["findings"][0] | {"message": evil}
    said = BREAKS | {"tables": {"a.b": BREAKS["tables"]["shop.orders"] | {"findings": [finding]}}}
    (message,) = told(context, said)
    assert "<script>" not in message["html"]
    assert "<script>" not in message["markdown"].replace("\\<script", "")
    assert message["markdown"].count("[x](http://evil)") == message["markdown"].count("`[x](http://evil)`") == 2
    assert "\x1b" not in message["text"] + message["markdown"] + message["html"]


# ---------------------------------------------------------------- a DAG that ran

DAG = """
from airflow.sdk import DAG, BaseNotifier
from airflow_provider_schemas.notifications import SchemaNotifier
from airflow_provider_schemas.operators.create import SchemaCreateOperator
from airflow_provider_schemas.operators.evolve import SchemaEvolveOperator
from airflow_provider_schemas.operators.gate import SchemaGateOperator

class Write(BaseNotifier):
    template_fields = ("text",)
    def __init__(self, text):
        super().__init__()
        self.text = text
    def notify(self, context):
        with open({file!r}, "a") as file:
            file.write(self.text + "\\n")

tell = SchemaNotifier(Write("{{{{ ti.task_id }}}} {{{{ schema_message.kind }}}}: {{{{ schema_message.title }}}}"))

with DAG("notify", schedule=None, default_args=dict(conn_id="lake", on_failure_callback=tell, on_success_callback=tell)):
    create = SchemaCreateOperator(task_id="create", table="shop.orders", columns="order_id BIGINT, cust_id BIGINT")
    again = SchemaCreateOperator(task_id="again", table="shop.orders", columns="order_id BIGINT, cust_id BIGINT")
    rename = SchemaEvolveOperator(task_id="rename", table="shop.orders", changes=["RENAME COLUMN cust_id TO customer_id"])
    fits = SchemaGateOperator(task_id="fits", reads=["shop.orders"])
    needs = ["order_id BIGINT", "cust_id BIGINT"]
    lost = SchemaGateOperator.partial(task_id="lost").expand(reads=[{{"shop.orders": one}} for one in needs])
    create >> again >> rename >> fits >> lost
"""


def test_the_tasks_of_a_real_run_tell_what_they_found_out(airflow_home: Any, tmp_path: Path) -> None:
    file = tmp_path / "told.txt"
    airflow_home.connect("lake", host=(tmp_path / "lake").as_uri())
    (airflow_home.dags / "notify.py").write_text(DAG.format(file=str(file)))
    airflow_home.test_dag("notify", ends=1)
    assert file.read_text().splitlines() == [
        "create changes: shop.orders v0, created",
        "rename changes: shop.orders v0 -> v1, 1 change",
        "lost breaks: shop.orders v1 breaks notify.lost: cust_id is now customer_id (field id 1)",
    ]
