"""Types are values: equal when they say the same, hashable, never out of range, and walked by one fold."""

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import _ATOMS, _MEMO_SIZE, BYTES, STRING, AtomicType, DataType, atomic, canonical
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.kinds import KINDS, Root
from airflow_provider_schemas.core.types.nested import RowType, array, children, field, fold, map_of, multiset, rebuilt, row, vector
from airflow_provider_schemas.core.types.parts import parts
from airflow_provider_schemas.errors import TypeTextError
from tests.support import strategies

INT = atomic(Root.INTEGER)
PERSON = row([field(1, "name", STRING), field(2, "tags", array(row([field(3, "tag", INT)])), "what they are", "[]")])


def test_every_kind_has_a_canonical_text_that_reads_back() -> None:
    for root in KINDS:
        parameters: dict[str, Any] = {"text": "it's"} if root is Root.OPAQUE else {}
        kind = atomic(root, **parameters)
        assert canonical(str(kind)) == kind
        assert canonical(f"{kind} NOT NULL") == kind.with_nullable(False)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (STRING, "STRING"),
        (BYTES, "BYTES"),
        (atomic(Root.DECIMAL, precision=10, scale=2), "DECIMAL(10, 2)"),
        (atomic(Root.TIMESTAMP_LTZ, precision=3).with_nullable(False), "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL"),
        (atomic(Root.GEOMETRY, crs="my crs"), "GEOMETRY('my crs')"),
        (atomic(Root.GEOMETRY, crs="it's"), "GEOMETRY('it''s')"),
        (atomic(Root.GEOGRAPHY, crs="4326", algorithm="karney"), "GEOGRAPHY('4326', karney)"),
        (map_of(STRING.with_nullable(False), multiset(INT)).with_nullable(False), "MAP<STRING NOT NULL, MULTISET<INT>> NOT NULL"),
        (vector(atomic(Root.FLOAT), 3), "VECTOR<FLOAT, 3>"),
        (row([]), "ROW<>"),
        (PERSON, "ROW<`name` STRING, `tags` ARRAY<ROW<`tag` INT>> COMMENT 'what they are' DEFAULT []>"),
    ],
)
def test_a_type_prints_as_people_write_it(kind: DataType, text: str) -> None:
    assert str(kind) == text


@pytest.mark.parametrize(
    ("root", "parameters", "code"),
    [
        (Root.CHAR, {"length": 0}, "type.length-out-of-range"),
        (Root.VARBINARY, {"length": 2**31}, "type.length-out-of-range"),
        (Root.DECIMAL, {"precision": 39}, "type.decimal-precision-range"),
        (Root.DECIMAL, {"precision": 5, "scale": 6}, "type.decimal-scale-range"),
        (Root.TIME, {"precision": 10}, "type.time-precision-range"),
        (Root.TIMESTAMP, {"precision": -1}, "type.timestamp-precision-range"),
        (Root.GEOMETRY, {"crs": ""}, "type.crs-empty"),
        (Root.GEOGRAPHY, {"algorithm": "rhumb"}, "type.edge-algorithm"),
    ],
)
def test_a_parameter_out_of_range_is_refused(root: Root, parameters: dict[str, Any], code: str) -> None:
    with pytest.raises(TypeTextError) as refused:
        atomic(root, **parameters)
    assert refused.value.code == code


def test_a_vector_holds_numbers_only() -> None:
    with pytest.raises(TypeTextError, match="VECTOR cannot hold STRING"):
        vector(STRING, 3)
    with pytest.raises(TypeTextError, match="length 0"):
        vector(INT, 0)


def test_a_row_needs_names_that_differ_and_says_all_that_is_wrong() -> None:
    with pytest.raises(TypeTextError) as refused:
        row([field(0, "a", INT), field(1, "a", INT), field(2, " ", INT)])
    assert [fault.code for fault in refused.value.faults] == ["fields.duplicate-name-in-row", "fields.blank-name"]


def test_nullability_is_part_of_a_type() -> None:
    for kind in (INT, PERSON, array(INT), map_of(INT, INT), multiset(INT), vector(INT, 2)):
        strict = kind.with_nullable(False)
        assert strict != kind
        assert not strict.nullable
        assert strict.with_nullable(True) == kind
        assert strict.with_nullable(False) is strict


def test_types_are_hashable_and_survive_pickling() -> None:
    for kind in (INT, PERSON, array(PERSON).with_nullable(False), vector(INT, 2)):
        assert pickle.loads(pickle.dumps(kind)) == kind
        assert len({kind, pickle.loads(pickle.dumps(kind))}) == 1


def test_types_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        INT.nullable = False  # type: ignore[misc]  # the point of the test


def test_the_walk_goes_from_the_parts_to_the_whole() -> None:
    order: list[str] = []
    fold(PERSON, lambda kind, parts: order.append(kind.root.value))
    assert order == ["VARCHAR", "INTEGER", "ROW", "ARRAY", "ROW"]


def test_a_type_is_rebuilt_from_its_parts() -> None:
    for kind in (INT, PERSON, array(PERSON).with_nullable(False), map_of(INT, PERSON), multiset(INT), vector(INT, 2)):
        assert rebuilt(kind, [part for _, part in children(kind)]) == kind


def test_ids_of_nested_fields_are_found() -> None:
    assert all_ids([field(0, "p", array(PERSON))]) == [0, 1, 2, 3]


def test_the_memory_of_types_is_bounded() -> None:
    for length in range(1, 12_000):
        nested.of_wire(f"CHAR({length})")
    assert nested.of_wire("CHAR(7)") == AtomicType(Root.CHAR, length=7)
    assert len(_ATOMS) <= _MEMO_SIZE


@given(st.lists(strategies.types(), max_size=4))
def test_the_parts_of_columns_are_those_that_a_walk_meets(kinds: list[DataType]) -> None:
    columns = [field(number, f"c{number}", kind) for number, kind in enumerate(kinds)]
    met: list[DataType] = []

    def levels(one: DataType, below: list[int]) -> int:
        met.append(one)
        return max(below, default=0) + (not isinstance(one, AtomicType))

    depths = [fold(kind, levels) for kind in kinds]
    found = parts(columns)
    assert found.texts == {str(one) for one in met if isinstance(one, AtomicType)}
    assert found.containers == Counter(one.root for one in met if not isinstance(one, AtomicType))
    assert Counter(found.rows) == Counter(one for one in met if isinstance(one, RowType))
    assert list(found.fields) == [one for row in found.rows for one in row.fields]
    assert found.depth == max(depths, default=0)
