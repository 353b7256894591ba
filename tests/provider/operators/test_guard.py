"""A guard as an author puts it on tasks: where it hooks on, what it asks and pushes, and what it hands to Spark. Without a database."""

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, Asset, BaseOperator, Metadata, TaskGroup, task, task_group
from airflow.sdk.bases.decorator import DecoratedOperator, task_decorator_factory
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException
from airflow.serialization.serialized_objects import DagSerialization
from airflow.triggers.base import StartTriggerArgs

from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, SchemaError, StorageError
from airflow_provider_schemas.operators import SchemaGuard, schema_guard
from airflow_provider_schemas.operators.pre_execute import hooks_on
from airflow_provider_schemas.spark.gate_handover import KEY
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.identifiers import TableName
from tests.provider.conftest import Connect, MakeContext
from tests.provider.operators.support.guarded_tasks import NEEDS, NO_PAST, Begun, bash, run


class Starts(BaseOperator):
    """A task that the scheduler hands to the triggerer at once."""

    start_trigger_args = StartTriggerArgs("airflow.providers.standard.triggers.temporal.TimeDeltaTrigger", "execute_complete")
    start_from_trigger = True

    def execute_complete(self, context: Any, event: Any = None) -> None: ...


class StartsIfTold(Starts):
    """Likewise, where its author says so."""

    start_from_trigger = False

    def __init__(self, *, start_from_trigger: bool = False, **more: Any) -> None:
        super().__init__(**more)
        self.start_from_trigger = start_from_trigger


class StartsDecorated(DecoratedOperator, Starts):
    """Likewise, with a function."""


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    made.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
    return made


# ---------------------------------------------------------------- where it hooks on


def test_it_can_be_given_to_a_task_and_put_on_one(store: SchemaStore) -> None:
    guard = schema_guard("lake", reads=NEEDS)
    given, put = bash(pre_execute=guard), bash()
    assert guard.on(put) is put
    assert hooks_on(given) == hooks_on(put) == (guard,)


def test_it_can_be_put_on_mapped_and_decorated_tasks_and_on_groups() -> None:
    guard = schema_guard("lake", reads=NEEDS)

    @task
    def decorated(x: int = 0) -> int:
        return x

    @task
    def before_its_call() -> None: ...

    with DAG("d") as dag:
        mapped = guard.on(BashOperator.partial(task_id="mapped").expand(bash_command=["a", "b"]))
        guard.on(decorated())
        guard.on(decorated.override(task_id="decorated_mapped").expand(x=[1, 2]))
        guard.on(before_its_call)()

        @task_group
        def inner(x: int) -> None:
            decorated.override(task_id="in_mapped_group")(x)

        @task_group
        def outer() -> None:
            bash("in_group")
            inner.expand(x=[1, 2])

        outer()
        for group in dag.task_group.children.values():
            if group.node_id == "outer":
                guard.on(group)
    assert mapped.task_id == "mapped"
    assert {one.task_id: hooks_on(one) for one in dag.tasks} == dict.fromkeys(
        ["mapped", "decorated", "decorated_mapped", "before_its_call", "outer.in_group", "outer.inner.in_mapped_group"], (guard,)
    )


def test_default_arguments_of_a_dag_put_it_on_all_tasks() -> None:
    guard = schema_guard("lake", reads=NEEDS)
    with DAG("d", default_args={"pre_execute": guard}) as dag:
        bash("a")
        BashOperator.partial(task_id="b").expand(bash_command=["x"])
    assert [hooks_on(one) for one in dag.tasks] == [(guard,), (guard,)]


@pytest.mark.parametrize("nothing", [None, "daily", 3, ["daily"]], ids=str)
def test_what_is_no_task_is_refused_where_the_author_sees_it(nothing: object) -> None:
    with pytest.raises(ContractError, match="is no task") as caught:
        schema_guard("lake", reads=NEEDS).on(nothing)
    assert caught.value.code == "guard.no-task"


def test_a_group_without_tasks_is_refused_where_the_author_sees_it() -> None:
    guard = schema_guard("lake", reads=NEEDS)
    with DAG("d"), TaskGroup("outer") as outer:
        with TaskGroup("inner"), pytest.raises(ContractError, match=r"outer has no tasks yet.*after all its tasks"):
            guard.on(outer)
        made = bash()
        guard.on(outer)
    assert hooks_on(made) == (guard,)


def test_a_guard_that_was_not_called_says_how_it_is_written(context: MakeContext) -> None:
    with pytest.raises(SchemaError, match=r'pre_execute=schema_guard\("lake"') as told:
        run(bash(pre_execute=schema_guard), context)
    assert isinstance(told.value, AirflowFailException)


def test_a_hook_that_is_there_stays_and_comes_first(store: SchemaStore, context: MakeContext) -> None:
    heard: list[str] = []
    operator = bash(pre_execute=lambda context: heard.append(str(sorted(context["ti"].pushed))))
    schema_guard("lake", reads=NEEDS).on(operator)
    assert "schema_verdict" in run(operator, context)["ti"].pushed
    assert heard == ["[]"]


def test_a_hook_that_skips_the_task_spares_it_the_question(store: SchemaStore, context: MakeContext) -> None:
    def skip(context: Any) -> None:
        raise AirflowSkipException

    operator = schema_guard("lake", reads=["shop.nope"]).on(bash(pre_execute=skip))
    with pytest.raises(AirflowSkipException):
        run(operator, context)


def test_a_hook_that_yields_metadata_goes_on_doing_so(store: SchemaStore, context: MakeContext) -> None:
    from inspect import isgeneratorfunction

    from airflow.sdk import Asset

    def yields(context: Any) -> Iterator[Metadata]:
        yield Metadata(Asset("a"), {"x": 1})

    operator = schema_guard("lake", reads=NEEDS).on(bash(pre_execute=yields))
    schema_guard("lake", reads=NEEDS).on(operator)
    assert isgeneratorfunction(operator._pre_execute_hook)
    made = context(operator, **NO_PAST)
    assert [one.extra for one in operator._pre_execute_hook(made)] == [{"x": 1}]
    assert "schema_verdict" in made["ti"].pushed


def test_put_on_twice_it_asks_once(store: SchemaStore, context: MakeContext) -> None:
    operator = schema_guard("lake", reads=NEEDS).on(schema_guard("lake", reads=dict(NEEDS)).on(bash()))
    assert len(hooks_on(operator)) == 1
    hidden = schema_guard("lake", reads=NEEDS)  # as task.run_if hides a hook in a function

    def combined(made: Any) -> None:
        hidden(made)
        hidden(made)

    operator._pre_execute_hook = combined
    pushed: list[str] = []
    run(operator, context, xcom_push=lambda key, value: pushed.append(key))
    assert pushed == ["schema_verdict"]


def test_it_can_be_pickled_copied_and_serialized(store: SchemaStore) -> None:
    guard = schema_guard("lake", reads=NEEDS)
    operator = guard.on(bash(pre_execute=print))
    assert pickle.loads(pickle.dumps(guard)) == guard == copy.deepcopy(guard)
    assert pickle.loads(pickle.dumps(operator._pre_execute_hook)) == operator._pre_execute_hook == copy.deepcopy(operator)._pre_execute_hook

    def serialized() -> Any:
        with DAG("d", schedule=None) as dag:
            guard.on(bash("a"))
            guard.on(BashOperator.partial(task_id="b").expand(bash_command=["x"]))
            guard.on(bash("c", pre_execute=print))
        return DagSerialization.to_dict(dag)["dag"]["tasks"]

    assert json.dumps(serialized(), default=repr) == json.dumps(serialized(), default=repr)  # else each parse is a new version of the DAG


# ---------------------------------------------------------------- what it asks


def test_it_speaks_for_the_task_that_it_guards(store: SchemaStore, context: MakeContext) -> None:
    made = run(schema_guard("lake", reads=NEEDS).on(bash()), context)
    said = made["ti"].pushed["schema_verdict"]
    assert (said["consumer"], said["outcome"], said["tables"]["shop.orders"]["version"]) == ("reports.daily", "fits", 0)
    assert [one.name for one in store.table("shop.orders").contracts()] == ["reports.daily"]


def test_templates_are_rendered_in_names_of_tables_too(store: SchemaStore, context: MakeContext) -> None:
    guard = schema_guard("{{ ds and 'lake' }}", reads={"{{ 'shop' }}.users": ["{{ 'country' }}"]}, on_missing="{{ 'warn' }}")
    said = run(guard.on(bash()), context)["ti"].pushed["schema_verdict"]
    assert list(said["tables"]) == ["shop.users"]
    assert guard.asked.conn_id == "{{ ds and 'lake' }}"  # frozen: another run renders it anew


def test_two_templates_that_come_out_as_one_table_are_a_contradiction(store: SchemaStore, context: MakeContext) -> None:
    needs = {"{{ 'shop.orders' }}": "order_id BIGINT", "shop.{{ 'orders' }}": "nope BIGINT"}
    with pytest.raises(AirflowFailException, match=r"comes out as 'shop\.orders', which stands there already"):
        run(schema_guard("lake", reads=needs).on(bash()), context)
    same = dict.fromkeys(needs, "order_id BIGINT")
    assert run(schema_guard("lake", reads=same).on(bash()), context)["ti"].pushed["schema_verdict"]["fits"]


@pytest.mark.parametrize("one", ["reads", "writes"])
def test_what_another_task_left_empty_is_a_mistake_also_beside_other_tables(store: SchemaStore, context: MakeContext, one: str) -> None:
    class Nothing:
        def resolve(self, context: Any) -> None: ...

    other = {"reads": "writes", "writes": "reads"}[one]
    operator = schema_guard("lake", **cast("Any", {one: Nothing(), other: NEEDS})).on(bash())
    with pytest.raises(AirflowFailException, match=f"{one}: no table is named"):
        run(operator, context)


def test_a_table_may_be_named_in_two_parts(store: SchemaStore, context: MakeContext) -> None:
    for reads in (TableName("shop", "orders"), [TableName("shop", "orders")], {TableName("shop", "orders"): None}):
        assert list(run(schema_guard("lake", reads=reads).on(bash()), context)["ti"].pushed["schema_verdict"]["tables"]) == ["shop.orders"]


def test_a_table_is_not_taken_for_a_file_of_the_operator(store: SchemaStore, context: MakeContext) -> None:
    store.create_table("shop.sh", "id INT")
    operator = schema_guard("lake", reads=["shop.sh", "{{ 'shop' }}.sh"]).on(bash())
    assert ".sh" in operator.template_ext
    assert list(run(operator, context)["ti"].pushed["schema_verdict"]["tables"]) == ["shop.sh"]


def test_values_of_other_tasks_are_resolved(store: SchemaStore, context: MakeContext) -> None:
    class Later:
        def resolve(self, context: Any) -> Any:
            return ["shop.users"]

    said = run(schema_guard("lake", reads=Later()).on(bash()), context)["ti"].pushed["schema_verdict"]
    assert list(said["tables"]) == ["shop.users"]


@pytest.mark.parametrize(
    ("outcome", "kind"), [("fail", IncompatibleSchemaError), ("skip", AirflowSkipException), ("warn", None)], ids=["fail", "skip", "warn"]
)
def test_what_does_not_fit_ends_the_task_as_it_is_told(
    store: SchemaStore, context: MakeContext, outcome: str, kind: type[Exception] | None
) -> None:
    operator = schema_guard("lake", reads={"shop.orders": ["nope"]}, on_incompatible=outcome).on(bash())
    made = context(operator, **NO_PAST)
    if kind is None:
        operator._pre_execute_hook(made)
    else:
        with pytest.raises(kind, match="nope is missing") as caught:
            operator._pre_execute_hook(made)
        assert isinstance(caught.value, AirflowFailException) == (outcome == "fail")
    assert made["ti"].pushed["schema_verdict"]["outcome"] == outcome


def test_a_storage_that_does_not_answer_is_worth_another_try_and_a_mistake_is_none(connect: Connect, context: MakeContext) -> None:
    connect("away", host="http://127.0.0.1:9/lake")
    with pytest.raises(StorageError) as caught:
        run(schema_guard("away", reads=NEEDS).on(bash()), context)
    assert not isinstance(caught.value, AirflowFailException)
    connect("lake", host="/nowhere")
    for guard in (schema_guard("lake"), schema_guard("lake", reads={"shop.orders": "no sql at all ("}), schema_guard("lake", reads=["x"])):
        with pytest.raises(SchemaError) as wrong:
            run(guard.on(bash()), context)
        assert isinstance(wrong.value, AirflowFailException)


# ---------------------------------------------------------------- once a try


@pytest.mark.parametrize("begun", [Begun("execute_complete"), Begun("__fail__")], ids=["resumed", "failed"])
def test_nothing_is_asked_where_a_try_goes_on(store: SchemaStore, context: MakeContext, begun: Begun) -> None:
    operator = schema_guard("lake", reads=["shop.nope"]).on(bash())
    assert run(operator, context, _ti_context_from_server=begun)["ti"].pushed == {}


def test_after_a_pause_it_is_asked_again_for_the_verdict_alone(store: SchemaStore, context: MakeContext) -> None:
    operator = schema_guard("lake", reads={"shop.orders": ["nope"], "shop.nope": None}).on(bash())
    begun = Begun(task_reschedule_count=2, xcom_keys_to_clear=["schema_verdict"])
    assert run(operator, context, _ti_context_from_server=begun)["ti"].pushed["schema_verdict"]["outcome"] == "warn"


def test_a_storage_that_does_not_answer_after_a_pause_stops_nothing(connect: Connect, context: MakeContext) -> None:
    connect("away", conn_type="schema_store", host="http://127.0.0.1:9/lake")
    operator = schema_guard("away", reads=NEEDS).on(bash())
    begun = Begun(task_reschedule_count=2, xcom_keys_to_clear=["schema_verdict"])
    assert run(operator, context, _ti_context_from_server=begun)["ti"].pushed == {}


def test_a_try_whose_start_was_put_off_was_not_asked_yet(store: SchemaStore, context: MakeContext) -> None:
    operator = schema_guard("lake", reads=["shop.nope"]).on(bash())
    with pytest.raises(IncompatibleSchemaError):
        run(operator, context, _ti_context_from_server=Begun(task_reschedule_count=1))


def test_a_try_that_begins_is_asked(store: SchemaStore, context: MakeContext) -> None:
    operator = schema_guard("lake", reads=["shop.nope"]).on(bash())
    for number in (1, 2):
        with pytest.raises(IncompatibleSchemaError):
            run(operator, context, _ti_context_from_server=Begun(), try_number=number)


def test_a_task_that_began_on_the_triggerer_is_not_green_where_nobody_asked(store: SchemaStore, context: MakeContext) -> None:
    operator = Starts(task_id="starts", pre_execute=schema_guard("lake", reads=["shop.nope"]))
    with pytest.raises(SchemaError, match="starts begins on the triggerer") as caught:
        run(operator, context, _ti_context_from_server=Begun("execute_complete"))
    assert isinstance(caught.value, AirflowFailException)  # no further try
    assert "SchemaGateOperator" in caught.value.fix


def test_a_guard_that_only_warns_says_that_nobody_asked(store: SchemaStore, context: MakeContext, caplog: pytest.LogCaptureFixture) -> None:
    guard = SchemaGuard(schema_guard("lake", reads=["shop.nope"]).asked, on_trouble="warn")
    run(Starts(task_id="starts", pre_execute=guard), context, _ti_context_from_server=Begun("execute_complete"))
    assert "begins on the triggerer" in caplog.text


def test_a_task_that_was_asked_in_a_worker_after_all_goes_on(store: SchemaStore, context: MakeContext) -> None:
    operator = Starts(task_id="starts", pre_execute=schema_guard("lake", reads=NEEDS))
    run(operator, context)
    run(operator, context, _ti_context_from_server=Begun("execute_complete"))


# ---------------------------------------------------------------- several guards


def test_several_guards_leave_one_verdict_about_all_their_tables(store: SchemaStore, context: MakeContext) -> None:
    operator: Any = SparkSubmitOperator(task_id="daily", application="job.py")
    for guard in (schema_guard("lake", reads=NEEDS), schema_guard("lake", reads={"shop.users": ["nope"]}, on_incompatible="warn")):
        guard.on(operator)
    said = run(operator, context)["ti"].pushed["schema_verdict"]
    assert (list(said["tables"]), said["fits"], said["verdict"], said["outcome"]) == (["shop.orders", "shop.users"], False, "break", "warn")
    assert list(json.loads(said["spark"])) == list(json.loads(operator.conf[KEY])) == ["shop.orders", "shop.users"]
    assert all("seen" in one for one in [said["tables"]["shop.orders"]])


def test_the_first_guard_that_stops_the_task_does_not_hide_what_the_others_saw(store: SchemaStore, context: MakeContext) -> None:
    operator = bash()
    for guard in (schema_guard("lake", reads=NEEDS), schema_guard("lake", reads={"shop.users": ["nope"]})):
        guard.on(operator)
    made = context(operator, **NO_PAST)
    with pytest.raises(IncompatibleSchemaError):
        operator._pre_execute_hook(made)
    said = made["ti"].pushed["schema_verdict"]
    assert (list(said["tables"]), said["outcome"]) == (["shop.orders", "shop.users"], "fail")


def test_two_tables_of_one_name_in_two_stores_are_not_mixed_up(
    store: SchemaStore, connect: Connect, context: MakeContext, tmp_path: Path
) -> None:
    connect("other", host=(tmp_path / "other").as_uri())
    SchemaStore(tmp_path / "other").create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    operator = schema_guard("other", reads=NEEDS).on(schema_guard("lake", reads=NEEDS).on(bash()))
    with pytest.raises(SchemaError) as caught:
        run(operator, context)
    assert caught.value.code == "guard.two-tables"


# ---------------------------------------------------------------- what cannot be guarded


def on_the_triggerer() -> dict[str, Callable[[SchemaGuard], object]]:
    """Ways to put a guard on a task that begins on the triggerer."""

    def of_group(guard: SchemaGuard, *, mapped: bool) -> object:
        @task_group
        def each(x: int) -> None:
            bash()
            guard.on(Starts(task_id="starts"))

        if mapped:
            return each.expand(x=[1, 2])
        with TaskGroup("g") as group:
            bash()
            Starts(task_id="starts")
        return guard.on(group)

    def starts(x: int = 0) -> None: ...

    decorated: Any = task_decorator_factory(starts, decorated_operator_class=StartsDecorated)
    chosen = partial(StartsIfTold, task_id="starts", start_from_trigger=True)
    return {
        "operator": lambda guard: guard.on(Starts(task_id="starts")),
        "argument": lambda guard: guard.on(chosen()),
        "mapped": lambda guard: guard.on(Starts.partial(task_id="starts").expand(doc=["a", "b"])),
        "mapped argument": lambda guard: guard.on(StartsIfTold.partial(task_id="starts", start_from_trigger=True).expand(doc=["a"])),
        "group": lambda guard: of_group(guard, mapped=False),
        "mapped group": lambda guard: of_group(guard, mapped=True),
        "decorated, before its call": lambda guard: guard.on(decorated),
        "decorated": lambda guard: guard.on(decorated()),
        "decorated, mapped": lambda guard: guard.on(decorated.expand(x=[1])),
    }


@pytest.mark.parametrize("way", on_the_triggerer())
def test_a_guard_on_a_task_that_begins_on_the_triggerer_is_refused(way: str) -> None:
    guard = schema_guard("lake", reads=["shop.orders"])
    with DAG("d"), pytest.raises(ContractError, match=r"begins on the triggerer \(start_from_trigger\)") as caught:
        on_the_triggerer()[way](guard)
    assert caught.value.code == "guard.starts-on-triggerer"
    assert caught.value.fix == "Put a SchemaGateOperator in front of it, or pass start_from_trigger=False."


def test_a_task_that_could_begin_on_the_triggerer_and_does_not_is_guarded() -> None:
    guard = schema_guard("lake", reads=["shop.orders"])
    assert hooks_on(guard.on(StartsIfTold(task_id="waits", start_from_trigger=False))) == (guard,)
    with DAG("d"):
        mapped = guard.on(StartsIfTold.partial(task_id="mapped", start_from_trigger=False).expand(doc=["a"]))
    assert hooks_on(mapped) == (guard,)


def test_a_mapped_task_that_no_worker_ever_gets_is_refused() -> None:
    guard = schema_guard("lake", reads=["shop.orders"])
    with DAG("d"), pytest.raises(ContractError, match="start is an EmptyOperator"):
        guard.on(EmptyOperator.partial(task_id="start").expand(doc=["a"]))


def test_the_names_are_there() -> None:
    assert isinstance(schema_guard("lake", reads=NEEDS), SchemaGuard)


def test_a_guard_on_a_task_that_no_worker_ever_gets_is_refused() -> None:
    guard = schema_guard("lake", reads=["shop.orders"])
    with DAG("d"), pytest.raises(ContractError, match="marks as success without executing it"):
        guard.on(EmptyOperator(task_id="start"))
    with DAG("d"):
        kept = EmptyOperator(task_id="start", outlets=[Asset("x://y/z")])
        assert hooks_on(guard.on(kept)) == (guard,)  # an outlet has it executed
        with TaskGroup("g") as group:
            job = BashOperator(task_id="job", bash_command="true")
            EmptyOperator(task_id="end")
        guard.on(group)
    assert hooks_on(job) == (guard,)
