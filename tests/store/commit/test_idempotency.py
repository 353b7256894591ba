"""A change that holds already is recognised by its effect, whatever made it so."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.store.commit.idempotency import HOLDS, BatchState, Effect, effect
from airflow_provider_schemas.store.commit.touched_paths import TOUCHES, alone
from tests.support import tables


def version(schema: TableSchema, made_by: Sequence[SchemaChange] | None = None) -> Version:
    """The version that a store would hand out; by an outside writer where nobody says what made it."""
    if made_by is not None:
        recorded = json.loads(json.dumps([one.to_json() for one in made_by]))
        schema = Provenance(actor="we", changes=tuple(recorded)).on(schema)
    return Version.read(schema.to_json().encode(), schema.id)


def versions(first: TableSchema, *batches: list[str]) -> list[Version]:
    """The versions that the batches make one after the other, as an outside writer would leave them."""
    schemas = [first]
    for batch in batches:
        schemas.append(evolve(schemas[-1], batch))
    return [version(one) for one in schemas]


def asked(found: list[Version], *texts: str) -> Effect:
    """The effect of the changes on the last of the versions."""
    return effect(parse_changes(list(texts)), found[-1], found[:-1])


ORDERS = TableSchema.create("id INT NOT NULL, amount INT, address ROW<city STRING, zip STRING>, tags ARRAY<INT>", primary_keys=["id"])


# ---------------------------------------------------------------- the tables are complete


def test_every_kind_of_change_has_a_row() -> None:
    known = set(SchemaChange.__subclasses__())
    assert known == set(HOLDS) == set(TOUCHES)


# ---------------------------------------------------------------- what a user sees


DONE = [
    (["ADD COLUMN coupon STRING COMMENT 'c' AFTER id"], "ADD COLUMN coupon STRING COMMENT 'c' FIRST"),
    (["ADD COLUMN coupon STRING DEFAULT x"], "ADD COLUMN coupon STRING DEFAULT x"),
    (["ADD COLUMN address.street STRING"], "ADD COLUMN address.street STRING"),
    (["ADD COLUMN place ROW<x INT, y ROW<z DATE>>"], "ADD COLUMN place ROW<x INT, y ROW<z DATE>>"),
    (["ADD COLUMN photo BYTES COMMENT '__BLOB_FIELD; it'"], "ADD COLUMN photo BYTES COMMENT '__BLOB_FIELD; it'"),
    (["RENAME COLUMN amount TO total"], "RENAME COLUMN amount TO total"),
    (["RENAME COLUMN address.city TO town"], "RENAME COLUMN address.city TO town"),
    (["DROP COLUMN amount"], "DROP COLUMN amount"),
    (["DROP COLUMN address.zip"], "DROP COLUMN address.zip"),
    (["ALTER COLUMN amount TYPE BIGINT"], "ALTER COLUMN amount TYPE BIGINT"),
    (["ALTER COLUMN tags.element TYPE BIGINT"], "ALTER COLUMN tags.element TYPE BIGINT"),
    (["ALTER COLUMN amount COMMENT 'gross'"], "ALTER COLUMN amount COMMENT 'gross'"),
    (["ALTER COLUMN tags.element COMMENT 'some'"], "ALTER COLUMN tags COMMENT 'some'"),
    (["ALTER COLUMN amount SET DEFAULT 5"], "ALTER COLUMN amount SET DEFAULT 5"),
    (["ALTER COLUMN amount FIRST"], "ALTER COLUMN amount FIRST"),
    (["ALTER COLUMN amount FIRST"], "ALTER COLUMN amount BEFORE id"),
    (["ALTER COLUMN id LAST"], "ALTER COLUMN id AFTER tags"),
    (["ALTER COLUMN id LAST"], "ALTER COLUMN id LAST"),
    (["SET OPTION my.option = 1"], "SET OPTION my.option = 1"),
    (["SET OPTION my.option = 1", "UNSET OPTION my.option"], "UNSET OPTION my.option"),
    (["SET COMMENT 'all orders'"], "SET COMMENT 'all orders'"),
    (["SET COMMENT 'all orders'", "DROP COMMENT"], "DROP COMMENT"),
    (["DROP PRIMARY KEY"], "DROP PRIMARY KEY"),
    ([], "ALTER COLUMN amount DROP NOT NULL"),
    ([], "SET OPTION type = TABLE"),
    ([], "SET OPTION primary-key = id"),
]


@pytest.mark.parametrize(("steps", "again"), DONE, ids=[again for _, again in DONE])
def test_what_was_done_holds_also_when_others_went_on(steps: list[str], again: str) -> None:
    found = versions(ORDERS, *([step] for step in steps), ["SET OPTION another = x"])
    assert asked(found, again).state is BatchState.HOLDS


NOT_DONE = [
    "ADD COLUMN coupon STRING",
    "ADD COLUMN amount BIGINT",
    "ADD COLUMN amount INT COMMENT 'another'",
    "ADD COLUMN tags.element INT",
    "ADD COLUMN photo BYTES COMMENT '__BLOB_FILED; misspelled'",
    "ALTER COLUMN amuont TYPE INT",
    "ALTER COLUMN amount.cents TYPE INT",
    "ALTER COLUMN amount SET NOT NULL",
    "ALTER COLUMN amount TYPE INT NOT NULL",
    "ALTER COLUMN amuont SET NOT NULL",
    "ALTER COLUMN amuont DROP COMMENT",
    "ALTER COLUMN amuont DROP DEFAULT",
    "ALTER COLUMN amuont LAST",
    "ALTER COLUMN tags BEFORE tags",
    "SET OPTION primary-key = amount",
    "SET COMMENT 'new'",
]


@pytest.mark.parametrize("text", NOT_DONE)
def test_what_was_never_done_is_fresh(text: str) -> None:
    assert asked([version(ORDERS)], text).state is BatchState.FRESH


@pytest.mark.parametrize(
    "text", ["DROP COLUMN amuont", "DROP COLUMN address.zipp", "RENAME COLUMN amuont TO amount", "UNSET OPTION bukcet"]
)
def test_a_misspelled_name_is_no_job_done(text: str) -> None:
    assert asked(versions(ORDERS, ["SET COMMENT 'x'"]), text).state is BatchState.FRESH


def test_a_table_that_never_had_a_key_has_not_lost_it() -> None:
    assert asked([version(TableSchema.create("a INT"))], "DROP PRIMARY KEY").state is BatchState.FRESH


def test_a_column_of_the_new_name_that_is_another_one_is_no_rename() -> None:
    found = versions(ORDERS, ["DROP COLUMN amount"], ["ADD COLUMN total INT"])
    assert asked(found, "RENAME COLUMN amount TO total").state is BatchState.FRESH


def test_a_batch_that_is_half_done_is_refused_with_both_halves() -> None:
    found = versions(ORDERS, ["ADD COLUMN coupon STRING"])
    half = asked(found, "ADD COLUMN coupon STRING", "DROP COLUMN amount")
    assert (half.state, half.held, half.missing) == (BatchState.PART, ("ADD COLUMN coupon STRING",), ("DROP COLUMN amount",))
    error = half.refusal()
    assert error.code == "change.part-done"
    assert "hold already: ADD COLUMN coupon STRING; these do not: DROP COLUMN amount." in error.message
    assert "Take out what holds" in error.fix
    assert "the key of that attempt" in error.fix


def test_no_secret_stands_in_a_refusal() -> None:
    found = versions(ORDERS, ["SET OPTION fs.password = hunter2"])
    error = asked(found, "SET OPTION fs.password = hunter2", "ADD COLUMN coupon STRING").refusal()
    assert "hunter2" not in str(error)


def test_an_option_that_a_batch_sets_twice_is_judged_by_nobody() -> None:
    found = versions(ORDERS, ["SET OPTION my.option = 1"])
    assert asked(found, "SET OPTION my.option = 1", "SET OPTION my.option = 2").state is BatchState.FRESH


def test_a_batch_that_drops_and_adds_a_column_is_not_made_twice_by_accident() -> None:
    batch = parse_changes(["DROP COLUMN amount", "ADD COLUMN amount STRING"])
    second = evolve(ORDERS, batch)
    head, third = version(second, batch), version(evolve(second, ["SET COMMENT 'x'"]), [])
    assert effect(batch, head, [version(ORDERS)]).state is BatchState.HOLDS
    again = effect(batch, third, [version(ORDERS), head])
    assert again.state is BatchState.PART
    assert "an earlier version was made by these changes" in again.refusal().message


def test_a_head_with_nonsense_for_provenance_is_asked_by_effect() -> None:
    broken = ORDERS.to_json().replace('"version"', '"schemas" : { "changes" : 7 }, "version"', 1)
    head = Version.read(broken.encode(), 0)
    assert effect(parse_changes(["ADD COLUMN coupon STRING"]), head).state is BatchState.FRESH


def test_nothing_to_do_is_done() -> None:
    assert asked([version(ORDERS)]).state is BatchState.HOLDS


def test_thousands_of_changes_of_one_column_take_no_time_to_compare() -> None:
    batch: list[SchemaChange] = [schema_change.UpdateColumnComment(("amount",), str(number)) for number in range(20_000)]
    batch += [schema_change.UpdateColumnType(("address", f"f{number}"), ORDERS.fields[0].type) for number in range(20_000)]
    assert not any(alone([*batch, schema_change.DropColumn(("address",)), schema_change.DropColumn(("amount",))]))


# ---------------------------------------------------------------- laws


@given(st.data())
def test_what_a_batch_made_holds_after_it(data: st.DataObject) -> None:
    schema = data.draw(tables.tables())
    batch = data.draw(tables.batches(schema))
    after = evolve(schema, batch)
    assert effect(batch, version(after, batch), [version(schema)]).state is BatchState.HOLDS


# Changes that leave no trace: nothing shows that they were asked for.
def _traceless(schema: TableSchema, change: SchemaChange) -> str:
    if isinstance(change, schema_change.RemoveOption) and change.key not in schema.options:
        return "the option was never there"
    if isinstance(change, schema_change.DropPrimaryKey) and not schema.primary_keys:
        return "there never was a key"
    return ""


@given(st.data())
def test_what_one_change_made_holds_whoever_made_it(data: st.DataObject) -> None:
    schema = data.draw(tables.tables())
    change = data.draw(tables.one_change(schema))
    after, refusals = attempt(schema, parse_changes([change]))
    assume(not refusals)
    event(type(change).__name__)
    expected = BatchState.FRESH if _traceless(schema, change) else BatchState.HOLDS
    assert effect([change], version(after), [version(schema)]).state is expected


def _repeatable(schema: TableSchema) -> st.SearchStrategy[SchemaChange]:
    """Changes that are not refused where they hold."""
    columns = st.sampled_from([(name,) for name in schema.names])
    return st.one_of(
        st.builds(schema_change.UpdateColumnComment, columns, tables.COMMENTS),
        st.builds(schema_change.UpdateColumnNullability, columns, st.just(True)),
        st.builds(schema_change.UpdateColumnType, columns, st.sampled_from(tables.EVERYDAY), st.just(True)),
        st.builds(schema_change.UpdateComment, tables.COMMENTS),
        st.builds(schema_change.SetOption, st.just("my.option"), st.sampled_from("123")),
    )


@given(st.data())
def test_what_holds_would_change_nothing(data: st.DataObject) -> None:
    """Whether asked of a table that never heard of the batch, or of one that other changes were made to."""
    schema = data.draw(tables.tables())
    batch = data.draw(tables.batches(schema, max_size=3, change=lambda now: _repeatable(now) | tables.one_change(now)))
    history = [version(schema)]
    for _ in range(data.draw(st.integers(0, 2))):
        history.append(version(evolve(history[-1].schema, data.draw(tables.batches(history[-1].schema, max_size=3)))))
    made, refusals = attempt(history[-1].schema, batch)
    if not refusals and data.draw(st.booleans()):
        history.append(version(made))
    head = history.pop()
    outcome = effect(batch, head, history).state
    after, refusals = attempt(head.schema, batch)
    event(f"{outcome}, {'refused' if refusals else 'accepted'}")
    if outcome is BatchState.HOLDS and not refusals:
        assert after.content == head.schema.content


def _moves_and_adds(batch: Sequence[SchemaChange]) -> bool:
    kinds = {type(change) for change in batch}
    return {schema_change.UpdateColumnPosition, schema_change.AddColumn} <= kinds


@given(st.data())
def test_what_was_done_in_steps_is_never_made_again(data: st.DataObject) -> None:
    """The changes of one batch, each by a writer of its own: what leaves a trace holds, unless the batch touches a thing twice."""
    schema = data.draw(tables.tables())
    batch = data.draw(tables.batches(schema, max_size=4, min_size=1))
    history = [version(schema)]
    traces = []
    for change in batch:
        traces.append(not _traceless(history[-1].schema, change))
        after, refusals = attempt(history[-1].schema, [change])
        assume(not refusals)
        history.append(version(after))
    head = history.pop()
    outcome = effect(batch, head, history).state
    event(outcome)
    if all(alone(batch)):
        again, refusals = attempt(head.schema, batch)
        assert outcome is not BatchState.FRESH or refusals or again.content == head.schema.content
        mixed = BatchState.PART if any(traces) else BatchState.FRESH
        if _moves_and_adds(batch):  # a column that was moved to the end is not there any more, once another one was added
            return
        assert outcome is (BatchState.HOLDS if all(traces) else mixed)
