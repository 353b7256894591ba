"""Which columns and fields read_table gives for names and for contracts, without a session: case, aliases, and what is not there."""

from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, TableSchema, evolve
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.reading.selected_columns import select_columns
from airflow_provider_schemas.store.footers.known_fields import KnownFields


def given(schema: TableSchema, contract: Any = None, columns: Any = None) -> list[str]:
    made = None if contract is None else Contract.of(contract)
    fields = select_columns(schema, columns, made, KnownFields(())).given
    return [f"{field.name} {field.type}".replace("`", "") for field in fields]


def refused(schema: TableSchema, contract: Any = None, columns: Any = None) -> list[tuple[str, str]]:
    with pytest.raises(ProjectionError) as caught:
        given(schema, contract, columns)
    return [(fault.code, fault.path) for fault in caught.value.faults]


TABLE = TableSchema.create("id INT, r ROW<a INT, b INT>, m MAP<STRING, ROW<k INT>>, l ARRAY<ROW<s ROW<x INT, y INT>>>")


@pytest.mark.parametrize(
    ("contract", "columns"),
    [
        ("ID INT", ["ID INT"]),
        ("R ROW<A INT, b INT>", ["R ROW<A INT, b INT>"]),
        ("m MAP<STRING, ROW<K BIGINT>>", ["m MAP<STRING, ROW<K BIGINT>>"]),
        ("l ARRAY<ROW<S ROW<Y INT>>>", ["l ARRAY<ROW<S ROW<Y INT>>>"]),
        ({"columns": {"r.A": "INT", "R.b": "INT", "l.S.x": "BIGINT"}}, ["r ROW<A INT, b INT>", "l ARRAY<ROW<S ROW<x BIGINT>>>"]),
    ],
)
def test_names_are_found_in_any_case_at_every_depth_and_come_as_the_contract_spells_them(contract: Any, columns: list[str]) -> None:
    assert given(TABLE, contract) == columns


@pytest.mark.parametrize(
    ("contract", "path"),
    [
        ("r ROW<a INT, c INT>", "r.c"),
        ("m MAP<STRING, ROW<k INT, v INT>>", "m{}.v"),
        ("l ARRAY<ROW<s ROW<x INT, z INT>>>", "l[].s.z"),
    ],
)
def test_a_field_that_the_table_does_not_have_is_told_with_its_path_and_not_left_out(contract: str, path: str) -> None:
    assert refused(TABLE, contract) == [("read.no-column", path)]


def test_a_list_of_names_is_found_in_any_case_as_well() -> None:
    assert given(TABLE, columns=["ID"]) == ["ID INT"]
    assert refused(TABLE, columns=["id", "ID"]) == [("read.column-twice", "ID")]
    assert refused(TABLE, columns=["ID", "ID", "idd"]) == [("read.column-twice", "ID"), ("read.no-column", "idd")]


def test_of_two_columns_that_differ_in_case_only_the_exact_name_is_taken_and_a_third_spelling_is_refused() -> None:
    both = TableSchema.create("ab INT, AB STRING, r ROW<cd INT, CD STRING>")
    assert given(both, columns=["AB", "ab"]) == ["AB STRING", "ab INT"]
    assert given(both, "r ROW<CD STRING>") == ["r ROW<CD STRING>"]
    assert refused(both, columns=["Ab"]) == [("read.no-column", "Ab")]
    assert refused(both, "Ab INT, r ROW<Cd INT>") == [("read.no-column", "Ab")]
    assert refused(both, "r ROW<Cd INT>") == [("read.no-column", "r.Cd")]


@pytest.mark.parametrize(
    ("contract", "path"),
    [("id INT, ID INT", "ID"), ({"columns": ["r.a", "r.A"]}, "r.A"), ("r ROW<a INT, A INT>", "r.A")],
)
def test_a_field_that_is_named_in_two_cases_is_asked_for_twice(contract: Any, path: str) -> None:
    assert refused(TABLE, contract) == [("read.column-twice", path)]


def test_an_alias_of_a_field_is_a_name_inside_a_type_as_it_is_in_a_path() -> None:
    renamed = evolve(TABLE, ["RENAME COLUMN r.a TO z", """SET OPTION schemas.field.2 = '{"alias": {"a": "2999-12-31"}}'"""])
    assert given(renamed, "r ROW<a INT, b INT>") == given(renamed, ["r.a", "r.b"]) == ["r ROW<a INT, b INT>"]
    ended = evolve(TABLE, ["RENAME COLUMN r.a TO z", """SET OPTION schemas.field.2 = '{"alias": {"a": "2020-01-01"}}'"""])
    assert refused(ended, "r ROW<a INT, b INT>") == [("read.no-column", "r.a")]
