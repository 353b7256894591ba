"""`SchemaEvolveOperator`: a change is made once, whoever asks for it again."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.api.datamodels._generated import AssetEventResponse, AssetResponse
from airflow.sdk.exceptions import AirflowFailException
from airflow.sdk.execution_time import task_runner
from airflow.sdk.execution_time.comms import AssetEventsResult

from airflow_provider_schemas.errors import ConflictError
from airflow_provider_schemas.operators import SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from tests.provider.operators.support.evolve_task import COUPON, head, operator, run
from tests.provider.operators.support.store_with_table import COLUMNS, LONG_AGO, TOMORROW, Context, aged, announced, store_in, table_file

pytestmark = pytest.mark.usefixtures("lake")


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return store_in(tmp_path)


# ---------------------------------------------------------------- changes


def test_changes_make_a_version_that_says_who_made_it(context: Context, store: SchemaStore) -> None:
    made = operator(changes=COUPON)
    here = context(made)
    told = made.execute(here)
    assert (told["outcome"], told["version"], told["previous"], told["verdict"]) == ("created", 1, 0, "warn")
    assert told["changes"] == ["ADD COLUMN coupon STRING", "ALTER COLUMN amount TYPE DECIMAL(12, 2)"]
    assert here["ti"].pushed["schema_change"] == told
    event = announced(here)[0]
    assert event.extra == {key: told[key] for key in ("table", "branch", "version", "previous", "digest", "changes")}
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert past.run == "reports/manual__2026-03-01/widen"
    assert (past.key or "").startswith("reports.widen:"), "and not the run"


def test_the_version_records_the_version_of_the_bundle_as_its_commit(context: Context, store: SchemaStore) -> None:
    sha = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    made = operator(changes=COUPON)
    here = context(made, bundle_instance=SimpleNamespace(version=sha))
    assert made.execute(here)["commit"] == sha
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert past.revision == sha


@pytest.mark.parametrize("version", [None, "", 7, "two words", "\u202ecba", "x" * 1_000])
def test_a_bundle_without_a_version_or_with_a_strange_one_leaves_the_commit_unknown(
    context: Context, store: SchemaStore, version: object
) -> None:
    made = operator(changes=COUPON)
    here = context(made, bundle_instance=SimpleNamespace(version=version))
    told = made.execute(here)
    assert told["outcome"] == "created"
    assert "commit" not in told
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert past.revision is None


def test_a_second_run_finds_what_the_first_has_done(context: Context, store: SchemaStore) -> None:
    run(context, changes=COUPON)
    made = operator(changes=COUPON)
    here = context(made, run_id="r2")
    told = made.execute(here)
    assert (told["outcome"], told["version"]) == ("already applied", 1)
    assert told["notes"] == ["already applied as version 1 (run reports/r1/widen, sales)"]
    assert announced(here) == []
    assert made.changed_by_run == "reports/r1/widen"
    assert head(store) == 1


@pytest.mark.parametrize(
    "spelled",
    [
        json.dumps(COUPON),
        str(COUPON),
        [
            {"action": "addColumn", "fieldNames": ["coupon"], "dataType": "STRING"},
            {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "DECIMAL(12, 2)", "keepNullability": True},
        ],
        ["add column coupon string", "alter column amount type decimal(12,2)"],
    ],
)
def test_the_same_changes_in_another_spelling_are_the_same(spelled: Any, context: Context, store: SchemaStore) -> None:
    run(context, changes=COUPON)
    assert run(context, "r2", changes=spelled)["outcome"] == "already applied"
    assert head(store) == 1


def test_what_a_later_version_undid_is_not_done_again(context: Context, store: SchemaStore) -> None:
    run(context, changes="ADD COLUMN coupon STRING")
    store.table("shop.orders").evolve("DROP COLUMN coupon")
    told = run(context, "r2", changes="ADD COLUMN coupon STRING")
    assert (told["outcome"], told["version"], head(store)) == ("already applied", 1, 2)
    assert "a later version undid it" in told["notes"][1]
    assert "key=" in told["notes"][1]


@pytest.mark.parametrize("about", [{"clear_number": 1}, {"run_type": "backfill"}], ids=str)
@pytest.mark.parametrize("said", [{}, {"key": "coupons"}], ids=str)
def test_where_versions_have_expired_an_old_run_does_not_do_again_what_may_have_been_undone(
    about: dict[str, Any], said: dict[str, Any], context: Context, store: SchemaStore
) -> None:
    table = store.table("shop.orders")
    run(context, changes="ADD COLUMN coupon STRING", **said)
    table.evolve("DROP COLUMN coupon", override="it is not needed")
    table.evolve("ADD COLUMN z INT")
    table.expire(timedelta(0), dry_run=False)
    old = {"run_after": LONG_AGO, **about}
    for make in (run, planned_by):
        with pytest.raises(AirflowFailException, match=r"Older versions have expired.*another key=") as raised:
            make(context, "r1", old, changes="ADD COLUMN coupon STRING", **said)
        assert "this run is of 2020-01-01 00:00 UTC" in str(raised.value)
    assert head(store) == 3
    assert run(context, "r1", old, changes="ADD COLUMN z INT", task_id="other")["outcome"] == "unchanged", "what holds, holds"
    assert run(context, "new", {"run_after": TOMORROW, **about}, changes="ADD COLUMN coupon STRING", **said)["outcome"] == "created"


def planned_by(context: Context, run_id: str, about: dict[str, Any], **said: Any) -> Any:
    made = SchemaValidateOperator(task_id="plan", conn_id="lake", table="shop.orders", save=True, applied_by="widen", **said)
    return made.execute(aged(context(made, run_id=run_id), **about))


def test_where_all_versions_are_there_an_old_run_makes_changes_that_nobody_made(context: Context, store: SchemaStore) -> None:
    assert run(context, about={"run_after": LONG_AGO, "clear_number": 1}, changes=COUPON)["outcome"] == "created"


def test_what_a_later_version_undid_in_part_is_left_as_it_is(context: Context, store: SchemaStore) -> None:
    run(context, changes=["ADD COLUMN a INT", "ADD COLUMN b INT"])
    store.table("shop.orders").evolve("DROP COLUMN b")
    told = run(context, "r2", changes=["ADD COLUMN a INT", "ADD COLUMN b INT"])
    assert (told["outcome"], head(store)) == ("already applied", 2)
    assert "ADD COLUMN b INT" in told["notes"][1]


def test_a_key_of_its_own_does_it_again_on_purpose(context: Context, store: SchemaStore) -> None:
    run(context, changes="ADD COLUMN coupon STRING")
    store.table("shop.orders").evolve("DROP COLUMN coupon")
    assert run(context, "r2", changes="ADD COLUMN coupon STRING", key="again")["outcome"] == "created"
    assert run(context, "r3", changes="ADD COLUMN coupon STRING", key="again")["outcome"] == "already applied"
    assert head(store) == 3


def test_what_somebody_else_has_done_holds(context: Context, store: SchemaStore) -> None:
    store.table("shop.orders").evolve(COUPON, actor="ana", run="by hand")
    told = run(context, changes=COUPON)
    assert (told["outcome"], told["notes"]) == ("unchanged", ["unchanged: these changes are version 1 (run by hand, ana)"])


class Airflow:
    """What a task asks Airflow about the events of an asset, and what it is told."""

    def __init__(self, *events: Any) -> None:
        self.events, self.asked = events, list[Any]()

    def send(self, question: Any) -> Any:
        self.asked.append(question)
        asset = AssetResponse(name=question.name, uri=question.uri, group="asset", extra={})
        now = datetime.now(UTC)
        made = [AssetEventResponse(id=1, timestamp=now, extra=one, asset=asset, created_dagruns=[]) for one in self.events]
        return AssetEventsResult(asset_events=made)


@pytest.fixture
def airflow(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Airflow]:
    """An Airflow that knows these events, by their extra."""

    def make(*events: Any) -> Airflow:
        made = Airflow(*events)
        monkeypatch.setattr(task_runner, "SUPERVISOR_COMMS", made, raising=False)
        return made

    return make


def test_a_lost_answer_is_told_by_whatever_try_of_its_task_finds_the_version(
    context: Context, store: SchemaStore, monkeypatch: pytest.MonkeyPatch, airflow: Callable[..., Airflow]
) -> None:
    def lost(*_: Any, **__: Any) -> None:
        raise ConnectionError("the worker was gone")

    with monkeypatch.context() as broken:
        broken.setattr("airflow_provider_schemas.tasks.change.run_change.summary.change_entry", lost)
        with pytest.raises(ConnectionError):
            run(context, changes=COUPON)
    assert head(store) == 1, "it was written, and nobody was told"
    newest = store.table("shop.orders").latest()
    event, older, replaced = ({"version": number, "digest": digest} for number, digest in ((1, newest.digest), (0, "x"), (1, "x")))
    cases: list[tuple[dict[str, Any], list[Any], list[int]]] = [
        ({"try_number": 2}, [], [1]),
        ({"try_number": 2, "clear_number": 1}, [], [1]),
        ({"try_number": 1, "clear_number": 3}, [older, replaced, {}], [1]),
        ({"try_number": 2}, [older, event], []),
        ({"try_number": 2, "clear_number": 1}, [event], []),
        ({"try_number": 2, "run_id": "r2"}, [], []),
        ({"try_number": 2, "map_index": 0}, [], []),
    ]
    for about, events, told_of in cases:
        there, clear = airflow(*events), about.pop("clear_number", 0)
        made = operator(changes=COUPON)
        here = aged(context(made, **{"run_id": "r1", **about}), clear_number=clear)
        assert made.execute(here)["outcome"] == "already applied"
        assert [one.extra["version"] for one in announced(here)] == told_of, (about, events)
        assert [one.extra["previous"] for one in announced(here)] == [0] * len(told_of)
        assert {one.uri for one in there.asked} <= {"schemas://lake/shop/orders"}
        assert len(there.asked) == ("run_id" not in about and "map_index" not in about), "asked by the writer alone"


def test_where_airflow_cannot_say_whether_it_was_told_it_is_told_again(context: Context, store: SchemaStore, airflow: Any) -> None:
    run(context, changes=COUPON)

    def broken(_: Any) -> Any:
        raise ConnectionError("no answer")

    airflow().send = broken
    made = operator(changes=COUPON)
    here = context(made, run_id="r1", try_number=2)
    made.execute(here)
    assert [one.extra["version"] for one in announced(here)] == [1]


def test_of_two_runs_at_once_one_writes_and_the_other_says_so(context: Context, store: SchemaStore) -> None:
    both = threading.Barrier(2, timeout=20)
    met: set[int] = set()

    def wait(phase: str) -> None:
        if phase == commit_steps.JUDGED and threading.get_ident() not in met:
            met.add(threading.get_ident())
            both.wait()

    made = [operator(changes=COUPON) for _ in range(2)]
    contexts = [context(one, run_id=f"r{number}") for number, one in enumerate(made)]
    commit_steps.listen(wait)
    try:
        with ThreadPoolExecutor(2) as pool:
            told = list(pool.map(lambda one, here: one.execute(here), made, contexts))
    finally:
        commit_steps.listen(None)
    assert sorted(one["outcome"] for one in told) == ["already applied", "created"]
    assert {one["version"] for one in told} == {1}
    assert sum(len(announced(here)) for here in contexts) == 1
    assert head(store) == 1


def test_the_same_task_on_several_tables_has_a_history_for_each(context: Context, store: SchemaStore) -> None:
    store.create_table("shop.users", COLUMNS)
    assert run(context, changes=COUPON)["outcome"] == "created"
    assert run(context, changes=COUPON, table="shop.users")["outcome"] == "created"


def test_a_branch_is_changed_alone(context: Context, store: SchemaStore) -> None:
    store.table("shop.orders").create_branch("audit")
    told = run(context, changes=COUPON, branch="audit")
    assert (told["branch"], told["version"], head(store)) == ("audit", 1, 0)


# ---------------------------------------------------------------- expected versions, policies, breaks


@pytest.mark.parametrize("said", [0, "0", "[0, 'x']"], ids=["number", "text", "list as text"])
def test_an_expected_version_may_come_out_of_jinja(said: Any, context: Context, store: SchemaStore) -> None:
    if said == "[0, 'x']":
        said = str([0, store.table("shop.orders").latest().digest])
    assert run(context, changes=COUPON, expected_version=said)["outcome"] == "created"


def test_a_table_that_moved_on_ends_the_task_at_once(context: Context, store: SchemaStore) -> None:
    told = run(context, changes="ADD COLUMN a INT")
    store.table("shop.orders").evolve("ADD COLUMN b INT")
    with pytest.raises(AirflowFailException, match="was expected at version 1"):
        run(context, changes="ADD COLUMN c INT", expected_version=told)
    assert head(store) == 2


def test_a_break_is_refused_and_names_whom_it_breaks(context: Context, store: SchemaStore) -> None:
    store.table("shop.orders").register("cust_id BIGINT", consumer="daily_report", owner="team-bi")
    made = operator(changes="RENAME COLUMN cust_id TO customer_id")
    here = context(made)
    with pytest.raises(AirflowFailException, match=r"shop.orders v1 breaks daily_report \(team-bi\)"):
        made.execute(here)
    told = here["ti"].pushed["schema_change"]
    assert (told["outcome"], told["verdict"], told["findings"][0]["rule"]) == ("refused", "break", "FIELD_RENAMED")
    assert head(store) == 0
    assert len(made.on_failure_callback) == 1, "the report is said when the task has ended"


def test_an_override_goes_on_and_is_recorded(context: Context, store: SchemaStore) -> None:
    store.table("shop.orders").register("cust_id BIGINT", consumer="daily_report")
    run(context, changes="RENAME COLUMN cust_id TO customer_id", override="INC-4711")
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert past.policy == "override: INC-4711"


def test_a_stricter_policy_may_be_a_file_beside_the_dag(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    table_file(tmp_path, "protect: {data: block, jobs: block, writers: block}\n", "strict.yaml")
    for policy in ("strict.yaml", {"protect": {"jobs": "block"}}, '{"protect": {"jobs": "block"}}'):
        with pytest.raises(AirflowFailException, match="is refused"):
            run(context, changes=COUPON, policy=policy)
    assert head(store) == 0


# ---------------------------------------------------------------- much, and mistakes


def test_ten_thousand_changes_do_not_fill_xcom(context: Context, store: SchemaStore) -> None:
    told = run(context, changes=[f"ADD COLUMN c{number} STRING COMMENT '{'x' * 300}'" for number in range(10_000)])
    assert (len(told["changes"]), told["more_changes"]) == (20, 9_980)
    assert len(json.dumps(told)) < 8_000


def test_secrets_are_not_told(context: Context, store: SchemaStore) -> None:
    told = run(context, changes=["SET OPTION 'fs.s3.secret-key' = 'hunter2'"])
    assert "hunter2" not in json.dumps(told)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "pass changes or a target"),
        ({"changes": "None"}, "changes came out empty"),
        ({"changes": COUPON, "target": "a.yaml"}, "pass changes or a target"),
        ({"changes": []}, "there is nothing to change"),
        ({"changes": ["ADD COLUM x INT"]}, "no change begins so"),
        ({"changes": [{"action": "nope"}]}, "nope"),
        ({"changes": 7}, "7"),
        ({"changes": COUPON, "table": NOT_SAID}, "which table is meant is not said"),
        ({"changes": COUPON, "table": "orders"}, "orders"),
        ({"changes": COUPON, "table": "shop.nope"}, "shop.nope"),
        ({"changes": ["DROP COLUMN nope"]}, "nope"),
        ({"target": "id BIGINT"}, "is no path of a table file"),
        ({"target": "nope.yaml"}, "there is no file"),
        ({"changes": COUPON, "expected_version": "newest"}, "is no number of a version"),
        ({"changes": COUPON, "approval": {"chosen_options": ["Approve"]}}, "an approval is of a plan, and there is none"),
        ({"changes": COUPON, "key": "k" * 5_000}, "5,000 characters"),
        ({"changes": COUPON, "conn_id": "nope"}, "nope"),
    ],
)
def test_a_mistake_ends_the_task_at_once(said: dict[str, Any], words: str, context: Context, store: SchemaStore) -> None:
    with pytest.raises(AirflowFailException) as raised:
        run(context, **said)
    assert words in str(raised.value)
    assert head(store) == 0


def test_others_who_are_always_first_are_tried_again(context: Context, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def contended(*_: Any, **__: Any) -> None:
        raise ConflictError("others were first.", code="commit.contended")

    monkeypatch.setattr("airflow_provider_schemas.store.table_changes.operations.evolve", contended)
    with pytest.raises(ConflictError) as raised:
        run(context, changes=COUPON)
    assert not isinstance(raised.value, AirflowFailException)
