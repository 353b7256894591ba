"""Keys: lists and options become one, key columns become NOT NULL, and every fault is told."""

from collections.abc import Mapping

import pytest

from airflow_provider_schemas.core.schema.key_lists import Keyed, normalised
from airflow_provider_schemas.core.types.parsing import parse_columns

COLUMNS = parse_columns("k INT, p STRING, v BIGINT NOT NULL, r ROW<x INT>")


def types_of(keyed: Keyed) -> list[str]:
    return [str(one.type) for one in keyed.fields]


def codes(partition: str, primary: str, options: Mapping[str, str]) -> list[str]:
    return [fault.code for fault in normalised(COLUMNS, partition.split(), primary.split(), options)[1]]


def test_nothing_changes_without_keys() -> None:
    keyed, faults = normalised(COLUMNS, (), (), {"a": "b"})
    assert keyed == Keyed(COLUMNS, (), (), {"a": "b"})
    assert faults == []


def test_the_columns_of_the_primary_key_become_not_null_and_the_others_stay() -> None:
    keyed, faults = normalised(COLUMNS, ["p"], ["k", "r"], {})
    assert types_of(keyed) == ["INT NOT NULL", "STRING", "BIGINT NOT NULL", "ROW<`x` INT> NOT NULL"]
    assert (keyed.partition_keys, keyed.primary_keys, faults) == (("p",), ("k", "r"), [])


def test_or_nullable_where_the_table_says_so() -> None:
    keyed, faults = normalised(COLUMNS, (), ["k", "v"], {"primary-key.nullable": "true"})
    assert types_of(keyed)[:3] == ["INT", "STRING", "BIGINT"]
    assert faults == []


def test_options_move_into_the_lists() -> None:
    keyed, faults = normalised(COLUMNS, (), (), {"primary-key": " k , p,, ", "partition": "p", "bucket": "2"})
    assert (keyed.partition_keys, keyed.primary_keys, keyed.options, faults) == (("p",), ("k", "p"), {"bucket": "2"}, [])


def test_an_empty_option_is_no_key() -> None:
    keyed, faults = normalised(COLUMNS, (), (), {"primary-key": " ", "partition": ""})
    assert (keyed.partition_keys, keyed.primary_keys, keyed.options, faults) == ((), (), {}, [])


@pytest.mark.parametrize(
    ("partition", "primary", "options", "expected"),
    [
        ("", "k", {"primary-key": "k"}, ["schema.primary-key-twice"]),
        ("p", "", {"partition": ""}, ["schema.partition-key-twice"]),
        ("z p z", "k k", {}, ["schema.partition-key-duplicate", "schema.partition-key-not-a-column", "schema.primary-key-duplicate"]),
        ("", "K", {}, ["schema.primary-key-not-a-column"]),
        ("", "", {"primary-key": "k,r.x"}, ["schema.primary-key-not-a-column"]),
        ("", "", {"primary-key.nullable": "TRUE"}, ["schema.pk-nullable-without-pk"]),
        ("", "", {"primary-key.nullable": "maybe"}, []),
    ],
)
def test_every_fault_of_the_lists_is_told(partition: str, primary: str, options: dict[str, str], expected: list[str]) -> None:
    assert codes(partition, primary, options) == expected


def test_columns_that_bear_one_name_are_told_each_and_case_matters() -> None:
    columns = parse_columns("a INT, A INT, b INT")
    doubled = (*columns, columns[0], columns[2], columns[2])
    _, faults = normalised(doubled, (), (), {})
    assert [(fault.code, fault.path) for fault in faults] == [("schema.duplicate-column", "a"), ("schema.duplicate-column", "b")]


def test_the_arguments_stay_as_they_are() -> None:
    options = {"primary-key": "k"}
    normalised(COLUMNS, (), (), options)
    assert options == {"primary-key": "k"}
    assert str(COLUMNS[0].type) == "INT"
