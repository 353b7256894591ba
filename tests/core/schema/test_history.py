"""What a history tells of a column is what a walk over all of its schemas finds."""

from collections.abc import Callable, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, check, evolve
from airflow_provider_schemas.core.schema.history import History, Spans, newest_first, spans_of
from airflow_provider_schemas.core.types.nested import Field
from tests.core.support.check_inputs import table_of, under, versions
from tests.support.growth import calls

TEXTS = ("a INT, b STRING", "a BIGINT, b STRING", "b STRING, a INT", "c INT", "a INT", "a INT, b STRING, c INT", "b INT, c INT")


@st.composite
def pasts(draw: st.DrawFn) -> list[TableSchema]:
    """Schemas in which columns come, go and return, with numbers that leave some out."""
    made = draw(st.one_of(versions(2, 8), st.lists(st.sampled_from([TableSchema.create(text) for text in TEXTS]), min_size=2, max_size=9)))
    numbers = sorted(draw(st.lists(st.integers(0, 30), min_size=len(made), max_size=len(made), unique=True)))
    return [msgspec.structs.replace(schema, id=number) for schema, number in zip(made, numbers, strict=True)]


def known(schemas: Sequence[TableSchema], number: int) -> dict[int, Field]:
    """The column of an id, in each schema that has it."""
    return {schema.id: column for schema in schemas if (column := schema.column(number)) is not None}


def told(history: History, number: int) -> dict[int, Field]:
    return {at: state.field for state in history.column(number) for at in state.numbers}


@given(pasts(), st.data())
def test_a_column_is_told_as_each_schema_has_it(schemas: list[TableSchema], data: st.DataObject) -> None:
    counted = data.draw(st.none() | st.sets(st.sampled_from([schema.id for schema in schemas])))
    history = History.of(data.draw(st.permutations(schemas))).only(counted)
    counting = [schema for schema in schemas if counted is None or schema.id in counted]
    assert list(history.numbers) == [schema.id for schema in counting]
    for number in {column.id for schema in schemas for column in schema.fields}:
        assert told(history, number) == known(counting, number)
        firsts = [state.numbers[0] for state in history.column(number)]
        assert firsts == sorted(firsts)


@given(pasts())
def test_a_name_is_told_from_the_newest_schema_that_has_it(schemas: list[TableSchema]) -> None:
    history = History.of(schemas)
    for name in {column.name for schema in schemas for column in schema.fields}:
        newest = next(schema for schema in reversed(schemas) if schema.field(name) is not None)
        state = newest_first(history.named(name))[0]
        assert (state.field, state.numbers[-1]) == (newest.field(name), newest.id)
    assert history.named("nobody") == ()


@given(pasts(), st.data())
def test_schemas_are_found_by_the_names_that_they_have_and_lack(schemas: list[TableSchema], data: st.DataObject) -> None:
    names = sorted({column.name for schema in schemas for column in schema.fields})
    wanted = data.draw(st.lists(st.sampled_from([*names, "nobody"]), max_size=2) if names else st.just([]))
    unwanted = data.draw(st.lists(st.sampled_from(names), max_size=1) if names else st.just([]))
    found = [schema.id for schema in schemas if all(map(schema.field, wanted)) and not any(schema.field(name) for name in unwanted)]
    assert list(History.of(schemas).having(wanted, unwanted)) == found


@given(pasts(), st.data())
def test_a_history_that_was_written_down_goes_on_as_it_was(schemas: list[TableSchema], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(schemas) - 1))
    before = Spans()
    for schema in schemas[:cut]:
        before.add(schema)
    newest = tuple(column for column, _ in before.going.values())
    after = Spans.restored([*before.numbers], [*before.ended], {**before.going}, newest)
    for schema in schemas[cut:]:
        after.add(schema)
    history = History(after.numbers, lambda: after, lambda _: ())
    for number in {column.id for schema in schemas for column in schema.fields}:
        assert told(history, number) == known(schemas, number)


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=3, unique=True), min_size=1, max_size=6), st.data())
def test_every_column_of_an_id_that_an_outside_writer_gave_twice_is_told(past: list[list[str]], data: st.DataObject) -> None:
    """Columns of four names with two ids: each schema may have several of one id, in any order."""
    made = {name: msgspec.structs.replace(TableSchema.create(f"{name} INT").fields[0], id=number % 2) for number, name in enumerate("abcd")}
    blank = TableSchema.create("a INT")
    schemas = [msgspec.structs.replace(blank, id=at, fields=tuple(made[name] for name in names)) for at, names in enumerate(past)]
    history = History.of(schemas[: data.draw(st.integers(1, len(schemas)))])
    for name, field in made.items():
        numbers = tuple(at for at in history.numbers if name in past[at])
        assert [state.numbers for state in history.column(field.id) if state.field == field] == ([numbers] if numbers else [])
        assert [state.numbers for state in history.named(name)] == ([numbers] if numbers else [])
        assert history.having([name]) == numbers


def test_columns_that_go_on_under_a_name_that_was_given_twice_are_all_told() -> None:
    once = TableSchema.create("a INT, b INT")
    twice = msgspec.structs.replace(once, fields=tuple(msgspec.structs.replace(column, name="a") for column in once.fields))
    assert {state.field.id for state in History.of([twice]).named("a")} == {0, 1}
    assert History.of([twice]).having(["a"]) == (0,)


def test_a_name_that_shared_its_id_counts_as_one_that_was_there() -> None:
    first = TableSchema.create("a INT, c INT, k INT")
    twice = msgspec.structs.replace(first, fields=tuple(msgspec.structs.replace(one, id=int(one.name != "k")) for one in first.fields))
    old = msgspec.structs.replace(twice, id=1, fields=twice.fields[2:], highest_field_id=9)
    found = check(old, evolve(old, ["ADD COLUMN a INT"]), under(against="all"), history=[twice])
    assert [one.rule for one in found.findings] == ["FIELD_READDED"]


def test_an_id_that_an_outside_writer_gave_twice_is_the_last_one() -> None:
    once = table_of(TableSchema.create("a INT, b INT"), id=0)
    fields = (*once.fields, msgspec.structs.replace(once.fields[0], name="again"))
    twice = msgspec.structs.replace(once, fields=fields, id=1)
    schemas = [once, twice, msgspec.structs.replace(once, id=2), msgspec.structs.replace(twice, id=3)]
    assert told(History.of(schemas), 0) == known(schemas, 0)
    assert told(History.of(schemas), 1) == known(schemas, 1)


@pytest.mark.parametrize("change", ["ADD COLUMN z STRING", "ALTER COLUMN b TYPE STRING"])
def test_a_history_is_judged_as_the_schemas_that_it_is_made_of(change: str) -> None:
    first = TableSchema.create("a INT, b INT, z INT")
    past = [first, evolve(first, ["DROP COLUMN z"])]
    old = evolve(past[-1], ["ALTER COLUMN b TYPE BIGINT"])
    new = evolve(old, [change])
    judged = check(old, new, under(against="all"), history=past)
    assert check(old, new, under(against="all"), history=History.of([*past, old])) == judged
    assert check(old, new, under(against="all")) != judged


KINDS = {
    "added": [f"ADD COLUMN z{number} INT" for number in range(100)],
    "dropped": [f"DROP COLUMN c{number}" for number in range(100)],
    "retyped": [f"ALTER COLUMN c{number} TYPE BIGINT" for number in range(100)],
    "renamed": [f"RENAME COLUMN c{number} TO z{number}" for number in range(100)],
    "commented": [f"ALTER COLUMN c{number} COMMENT 'new'" for number in range(100)],
    "relaxed": [f"ALTER COLUMN r{number} DROP NOT NULL" for number in range(100)],
}
WIDE = TableSchema.create(", ".join(f"c{number} INT, r{number} INT NOT NULL" for number in range(100)))


def judging(length: int, changes: Sequence[str]) -> Callable[[], object]:
    """A judgement against so many versions that differ in their number alone, after one that has filled what is remembered for good."""
    schemas = [msgspec.structs.replace(WIDE, id=number) for number in range(length)]
    old, spans = schemas[-1], spans_of(schemas[:-1])
    new, numbers = evolve(old, changes), range(length - 1)

    def judge() -> object:
        return check(old, new, under(against="all"), history=History(numbers, lambda: spans, lambda _: ()))

    judge()
    return judge


@pytest.mark.parametrize("count", [1, 10, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_changes_are_judged_by_what_columns_were_and_not_by_each_version(kind: str, count: int) -> None:
    assert len({calls(judging(length, KINDS[kind][:count])) for length in (100, 1_000, 5_000)}) == 1
