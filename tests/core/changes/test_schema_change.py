"""Changes have three forms that say the same: a value, a REST object, a short text."""

import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, parse_changes
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.parse import settled
from airflow_provider_schemas.core.changes.schema_change import REST, Move, MoveType, SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.evolve import APPLY
from airflow_provider_schemas.core.types.atomic import STRING
from airflow_provider_schemas.errors import ChangeError, SchemaError
from tests.support import damaged
from tests.support.tables import one_change, tables

TABLE = TableSchema.create("a INT, b ROW<x INT, y ARRAY<ROW<z INT>>>, c MAP<STRING NOT NULL, INT>")

TEXTS: list[tuple[str, dict[str, Any]]] = [
    (
        "ADD COLUMN address.city STRING COMMENT 'where' AFTER street",
        {
            "action": "addColumn",
            "fieldNames": ["address", "city"],
            "dataType": "STRING",
            "comment": "where",
            "move": {"fieldName": "city", "referenceFieldName": "street", "type": "AFTER"},
        },
    ),
    (
        "ADD COLUMN tags ARRAY<STRING NOT NULL> FIRST",
        {
            "action": "addColumn",
            "fieldNames": ["tags"],
            "dataType": {"type": "ARRAY", "element": "STRING NOT NULL"},
            "move": {"fieldName": "tags", "type": "FIRST"},
        },
    ),
    ("RENAME COLUMN cust_id TO customer_id", {"action": "renameColumn", "fieldNames": ["cust_id"], "newName": "customer_id"}),
    ("DROP COLUMN `x.y`.b", {"action": "dropColumn", "fieldNames": ["x.y", "b"]}),
    (
        "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
        {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "DECIMAL(12, 2)", "keepNullability": True},
    ),
    (
        "ALTER COLUMN amount TYPE INT NULL",
        {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "INT", "keepNullability": False},
    ),
    (
        "ALTER COLUMN amount TYPE INT NOT NULL",
        {"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "INT NOT NULL", "keepNullability": False},
    ),
    ("ALTER COLUMN a SET NOT NULL", {"action": "updateColumnNullability", "fieldNames": ["a"], "newNullability": False}),
    ("ALTER COLUMN a DROP NOT NULL", {"action": "updateColumnNullability", "fieldNames": ["a"], "newNullability": True}),
    ("ALTER COLUMN a COMMENT 'it''s'", {"action": "updateColumnComment", "fieldNames": ["a"], "newComment": "it's"}),
    ("ALTER COLUMN a DROP COMMENT", {"action": "updateColumnComment", "fieldNames": ["a"], "newComment": None}),
    ("ALTER COLUMN a SET DEFAULT 'x, y'", {"action": "updateColumnDefaultValue", "fieldNames": ["a"], "newDefaultValue": "'x, y'"}),
    ("ALTER COLUMN a DROP DEFAULT", {"action": "updateColumnDefaultValue", "fieldNames": ["a"], "newDefaultValue": None}),
    ("ALTER COLUMN a LAST", {"action": "updateColumnPosition", "move": {"fieldName": "a", "type": "LAST"}}),
    (
        "ALTER COLUMN a BEFORE b",
        {"action": "updateColumnPosition", "move": {"fieldName": "a", "referenceFieldName": "b", "type": "BEFORE"}},
    ),
    ("SET OPTION snapshot.time-retained = '1 h'", {"action": "setOption", "key": "snapshot.time-retained", "value": "1 h"}),
    ("UNSET OPTION bucket", {"action": "removeOption", "key": "bucket"}),
    ("SET COMMENT 'orders'", {"action": "updateComment", "comment": "orders"}),
    ("DROP COMMENT", {"action": "updateComment"}),
    ("DROP PRIMARY KEY", {"action": "dropPrimaryKey"}),
]


@pytest.mark.parametrize(("text", "rest"), TEXTS, ids=[text for text, _ in TEXTS])
def test_the_short_text_and_the_rest_object_say_the_same(text: str, rest: dict[str, Any]) -> None:
    (change,) = parse_changes([text])
    assert change.to_json() == rest
    assert parse_changes([rest]) == [change]
    assert short_text(change) == text


def test_every_change_has_all_three_forms_and_is_applied() -> None:
    kinds = {kind for kind in vars(schema_change).values() if isinstance(kind, type) and issubclass(kind, SchemaChange)} - {SchemaChange}
    assert kinds == set(REST) == set(APPLY)
    assert {REST[kind][0] for kind in kinds} == {rest["action"] for _, rest in TEXTS}


@given(one_change(TABLE))
def test_a_change_survives_its_other_forms(change: SchemaChange) -> None:
    change = settled(change)
    assert parse_changes([json.loads(json.dumps(change.to_json()))]) == [change]
    assert parse_changes([short_text(change)]) == [change]
    assert pickle.loads(pickle.dumps(change)) == change


NAMES = st.text(min_size=1, max_size=12).filter(lambda name: all(not "\ud800" <= char <= "\udfff" for char in name))


@given(NAMES, NAMES, st.text(max_size=8).filter(lambda text: text.isprintable()))
def test_any_name_and_text_can_be_said(name: str, other: str, text: str) -> None:
    for change in (
        schema_change.RenameColumn((name, other), other),
        schema_change.AddColumn((name,), STRING, text, Move(name, MoveType.AFTER, other)),
        schema_change.SetOption(name, text),
        schema_change.RemoveOption(name),
        schema_change.UpdateColumnDefaultValue((name,), text),
        schema_change.UpdateComment(text),
    ):
        assert parse_changes([short_text(change)]) == [change]


def test_a_column_may_come_with_its_default() -> None:
    added, default = parse_changes(["add column x int comment 'c' first default 'a, b'"])
    assert (short_text(added), short_text(default)) == ("ADD COLUMN x INT COMMENT 'c' FIRST", "ALTER COLUMN x SET DEFAULT 'a, b'")


def test_values_texts_and_objects_mix() -> None:
    found = parse_changes(
        [schema_change.DropColumn(("a",)), "DROP COLUMN b", {"action": "dropColumn", "fieldNames": ["c"]}, '{"action": "dropPrimaryKey"}']
    )
    assert [type(one).__name__ for one in found] == ["DropColumn", "DropColumn", "DropColumn", "DropPrimaryKey"]


def test_options_may_be_given_as_people_write_them_in_yaml() -> None:
    found = parse_changes([{"action": "setOption", "key": "bucket", "value": 4}, {"action": "setOption", "key": "x", "value": True}])
    assert [one.value for one in found if isinstance(one, schema_change.SetOption)] == ["4", "true"]


def test_all_faults_of_a_list_are_named_with_their_numbers() -> None:
    source: list[Any] = [
        {"action": "addColumn", "fieldNames": [], "dataType": "FOO", "typo": 1},
        5,
        "frobnicate",
        {"action": "explode"},
        {"action": "setOption", "key": "a"},
        {"action": "updateColumnPosition"},
        {"action": "updateColumnPosition", "move": {"fieldName": "a", "type": "AFTER"}},
        {"action": "updateColumnNullability", "fieldNames": ["a"], "newNullability": "yes"},
        "{broken",
    ]
    with pytest.raises(ChangeError) as refused:
        parse_changes(source)
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [
        ("[0].typo", "change.unknown-member"),
        ("[0].fieldNames", "change.member-type"),
        ("[0].dataType", "type.parse.unknown-name"),
        ("[1]", "change.shape"),
        ("[2]", "change.text"),
        ("[3].action", "change.unknown-action"),
        ("[4].value", "change.missing-member"),
        ("[5].move", "change.missing-member"),
        ("[6].move", "change.missing-member"),
        ("[7].newNullability", "change.member-type"),
        ("[8]", "change.shape"),
    ]


@pytest.mark.parametrize("source", ["ADD COLUMN a INT", b"x", {"action": "dropPrimaryKey"}, None, 5])
def test_a_list_is_asked_for(source: Any) -> None:
    with pytest.raises(ChangeError) as refused:
        parse_changes(source)
    assert refused.value.code == "change.not-a-list"


@pytest.mark.parametrize(
    "text",
    [
        "ADD COLUMN",
        "ADD COLUMN a FOO",
        "ADD COLUMN a INT SOMEWHERE",
        "ADD COLUMN a INT FIRST LAST",
        "ADD COLUMN a INT COMMENT 'x' COMMENT 'y'",
        "ALTER COLUMN a",
        "ALTER COLUMN a SET",
        "ALTER COLUMN a.b FIRST",
        "ALTER COLUMN a AFTER",
        "RENAME COLUMN a b",
        "DROP COLUMN a b",
        "DROP PRIMARY",
        "SET OPTION a",
        "UNSET OPTION a = b",
        "SET COMMENT orders",
        "ADD COLUMN `" + "x" * 5_000 + "` INT",
        "ADD COLUMN \ud800 INT",
        "",
    ],
)
def test_a_broken_text_is_refused_with_a_word_of_help(text: str) -> None:
    with pytest.raises(ChangeError) as refused:
        parse_changes([text])
    assert all(fault.fix for fault in refused.value.faults)


def test_a_list_of_more_changes_than_the_limit_is_refused_without_reading_its_end() -> None:
    assert len(parse_changes([schema_change.DropPrimaryKey()] * 100_000)) == 100_000
    taken = 0

    def endless() -> Iterator[SchemaChange]:
        nonlocal taken
        while taken < 200_000:
            taken += 1
            yield schema_change.DropPrimaryKey()

    with pytest.raises(ChangeError) as refused:
        parse_changes(endless())
    assert (refused.value.code, taken) == ("change.too-many", 100_001)


def test_a_list_of_faults_is_told_in_bounded_memory() -> None:
    with pytest.raises(ChangeError) as refused:
        parse_changes(["frobnicate"] * 5_000)
    assert len(refused.value.faults) == 1_000


def test_names_that_no_file_can_hold_are_refused() -> None:
    for name in ("x" * 65_536, "\ud800", ""):
        with pytest.raises(ChangeError):
            parse_changes([{"action": "dropColumn", "fieldNames": [name]}])


@given(st.text() | st.text(alphabet=" `'.,()<>=ADROPSETCLUMNYKEINTab01"))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    try:
        parse_changes([text, f"ALTER COLUMN a {text}", f"ADD COLUMN {text}"])
    except SchemaError:
        return


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["INT", "FIRST", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*(key for _, members in REST.values() for key in members), "fieldName", "type"]), inner, max_size=4
        )
    ),
    max_leaves=6,
)


ACTIONS = st.sampled_from([action for action, _ in REST.values()])
ANY_OBJECT = st.builds(lambda action, members: {"action": action, **members} if isinstance(members, dict) else members, ACTIONS, JSON)
OBJECTS = tables().flatmap(one_change).map(lambda change: settled(change).to_json())


@given(damaged.mostly(damaged.values(OBJECTS, JSON), ANY_OBJECT))
def test_no_object_makes_the_reader_fail_otherwise(source: Any) -> None:
    try:
        (change,) = parse_changes([source])
    except SchemaError:
        return
    assert parse_changes([change.to_json()]) == [change]
