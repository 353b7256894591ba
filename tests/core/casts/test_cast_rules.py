"""Which type may become which: Paimon's matrix as it was observed, and our own order of what loses nothing."""

import pickle
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.cast_rules import MATRIX, cast_support, lossless, same_type
from airflow_provider_schemas.core.casts.cast_value import cast_value
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, array, fold, multiset, rebuilt, row
from airflow_provider_schemas.core.types.nested import field as field_of
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.errors import CastError
from tests.support.strategies import atoms, types, values_of

SAMPLES = [
    *("CHAR(5)", "VARCHAR(5)", "STRING", "BOOLEAN", "BINARY(5)", "VARBINARY(5)", "BYTES", "DECIMAL(10, 2)", "TINYINT", "SMALLINT"),
    *("INT", "BIGINT", "FLOAT", "DOUBLE", "DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP(3) WITH LOCAL TIME ZONE", "VARIANT", "BLOB"),
    *("GEOMETRY", "GEOGRAPHY", "ARRAY<INT>", "VECTOR<FLOAT, 3>", "MULTISET<INT>", "MAP<INT, INT>", "ROW<x INT>"),
]
# What Java Paimon answered for the samples, both ways in the order above: I implicit, E explicit only; + a converter.
OBSERVED = """
I+ I+ I+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ .. .. .. .. .+ .. .. .+ .+
E+ I+ I+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ .. .. .. .. .+ .. .. .+ .+
E+ I+ I+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ E+ .. .. .. .. .+ .. .. .+ .+
E+ E+ E+ I- .. .. .. E+ E+ E+ E+ E+ E+ E+ .. .. .. .. .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. I+ I+ I+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. E+ I+ I+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. E+ I+ I+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. .. .. .. I+ E+ E+ E+ E+ I+ I+ .. .. E- E- .. .. .. .. .. .. .. .. ..
E+ E+ E+ E+ .. .. .. I+ I+ I+ I+ I+ I+ I+ .. .. E- E- .. .. .. .. .. .. .. .. ..
E+ E+ E+ E+ .. .. .. I+ E+ I+ I+ I+ I+ I+ .. .. E- E- .. .. .. .. .. .. .. .. ..
E+ E+ E+ E+ .. .. .. I+ E+ E+ I+ I+ I+ I+ .. .. E+ E+ .. .. .. .. .. .. .. .. ..
E+ E+ E+ E+ .. .. .. I+ E+ E+ E+ I+ I+ I+ .. .. E+ E+ .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. .. .. .. I+ E+ E+ E+ E+ I+ I+ .. .. E- E- .. .. .. .. .. .. .. .. ..
E+ E+ E+ .. .. .. .. I+ E+ E+ E+ E+ E+ I+ .. .. E- E- .. .. .. .. .. .. .. .. ..
E- E- E+ .. .. .. .. .. .. .. .. .. .. .. I- .. E+ E+ .. .. .. .. .. .. .. .. ..
E- E- E+ .. .. .. .. .. .. .. .. .. .. .. .. I- E+ E+ .. .. .. .. .. .. .. .. ..
E- E- E+ .. .. .. .. E- E- E- E+ E+ E- E- I+ I+ I+ I+ .. .. .. .. .. .. .. .. ..
E- E- E+ .. .. .. .. E- E- E- E+ E+ E- E- E+ E+ I+ I+ .. .. .. .. .. .. .. .. ..
E- E- E- .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. .. .. .. .. .. ..
E- E- E- .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. .. .. .. ..
.. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. .. .. ..
E+ E+ E+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. .. ..
E- E- E- .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. .. ..
E- E- E- .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- .. ..
E+ E+ E+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I- ..
E+ E+ E+ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. I-
"""
CELLS = [
    (source, target, cell)
    for source, line in zip(SAMPLES, OBSERVED.strip().splitlines(), strict=True)
    for target, cell in zip(SAMPLES, line.split(), strict=True)
]


def parsed(text: str) -> DataType:
    kind = parse_ddl(text)
    assert isinstance(kind, DataType)
    return kind


class TestPaimonsMatrix:
    def test_no_kind_of_type_is_without_answers_of_java_and_a_row_of_its_own(self) -> None:
        assert {parsed(sample).root for sample in SAMPLES} == set(Root) - {Root.OPAQUE}  # which Java does not have
        assert {source for source, _ in MATRIX} == set(Root)

    def test_every_kind_of_type_loses_nothing_to_itself(self) -> None:
        kinds = map(parsed, [*SAMPLES, "OPAQUE('interval')"])
        assert {kind.root for kind in kinds if lossless(kind, kind)} == set(Root)

    def test_every_pair_is_answered_as_java_did(self) -> None:
        answers = {(source, target): cast_support(parsed(source), parsed(target)) for source, target, _ in CELLS}
        marks = {
            pair: ("I" if found.implicit else "E" if found.explicit else ".") + (("-" if found.explicit else ".", "+")[found.convertible])
            for pair, found in answers.items()
        }
        assert marks == {(source, target): cell for source, target, cell in CELLS}

    def test_alter_takes_what_may_be_cast_and_has_a_converter(self) -> None:
        alterable = {(source, target) for source, target, _ in CELLS if cast_support(parsed(source), parsed(target)).alterable}
        assert alterable == {(source, target) for source, target, cell in CELLS if cell in ("I+", "E+")}

    @pytest.mark.parametrize(
        ("source", "target"), [("DECIMAL(10, 2)", "DECIMAL(5, 1)"), ("STRING", "VARCHAR(4)"), ("TIMESTAMP(6)", "TIMESTAMP(3)")]
    )
    def test_shortening_counts_as_implicit(self, source: str, target: str) -> None:
        assert cast_support(parsed(source), parsed(target)).implicit

    @pytest.mark.parametrize("source", ["DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP(3) WITH LOCAL TIME ZONE"])
    def test_times_have_a_converter_to_the_exact_type_string_only(self, source: str) -> None:
        found = {
            target: cast_support(parsed(source), parsed(target)) for target in ("STRING", "STRING NOT NULL", "VARCHAR(30)", "CHAR(30)")
        }
        assert {target for target, support in found.items() if support.convertible} == {"STRING"}
        assert {target for target, support in found.items() if support.explicit} == set(found)

    def test_nullable_to_not_null_is_explicit_at_most(self) -> None:
        tight = cast_support(parsed("INT"), parsed("INT NOT NULL"))
        assert (tight.implicit, tight.explicit, tight.compatible) == (False, True, True)
        assert cast_support(parsed("INT NOT NULL"), parsed("INT")).implicit
        assert cast_support(parsed("INT NOT NULL"), parsed("BIGINT NOT NULL")).implicit

    def test_a_vector_may_become_any_other(self) -> None:
        assert cast_support(parsed("VECTOR<FLOAT, 5>"), parsed("VECTOR<INT, 3>"))[:2] == (True, True)

    @pytest.mark.parametrize(
        ("source", "target"),
        [
            ("ARRAY<INT>", "ARRAY<BIGINT>"),
            ("MAP<INT, INT>", "MAP<INT, BIGINT>"),
            ("MULTISET<INT>", "MULTISET<BIGINT>"),
            ("ROW<x INT>", "ROW<x BIGINT>"),
            ("ARRAY<INT>", "ARRAY<INT NOT NULL>"),
            ("GEOMETRY('EPSG:4326')", "GEOMETRY"),
        ],
    )
    def test_other_containers_and_coordinates_are_cast_only_when_equal(self, source: str, target: str) -> None:
        found = cast_support(parsed(source), parsed(target))
        assert (found.implicit, found.explicit, found.compatible, found.alterable) == (False, False, False, False)

    @pytest.mark.parametrize("group", [["CHAR(5)", "VARCHAR(7)", "STRING"], ["BINARY(5)", "BYTES"], ["INT", "DATE", "TIME(3)", "TIME(6)"]])
    def test_compatible_types_share_a_physical_form(self, group: list[str]) -> None:
        assert {text for text in {*SAMPLES, *group} for one in group if cast_support(parsed(one), parsed(text)).compatible} == {
            text for text in {*SAMPLES, *group} if parsed(text).root in {parsed(one).root for one in group}
        }

    def test_decimals_are_compatible_only_when_equal(self) -> None:
        assert not cast_support(parsed("DECIMAL(10, 2)"), parsed("DECIMAL(12, 2)")).compatible
        assert cast_support(parsed("DECIMAL(10, 2)"), parsed("DECIMAL(10, 2) NOT NULL")).compatible
        assert cast_support(parsed("TIMESTAMP(3)"), parsed("TIMESTAMP(6)")).compatible

    @given(types(), types())
    def test_implicit_is_explicit_and_alter_needs_a_converter(self, source: DataType, target: DataType) -> None:
        found = cast_support(source, target)
        assert found.explicit or not found.implicit
        assert found.alterable == (found.explicit and found.convertible)

    @given(types())
    def test_every_type_may_become_itself(self, kind: DataType) -> None:
        assert cast_support(kind, kind)[:3] == (True, True, True)


class TestSameType:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("INT", "INT NOT NULL"),
            ("GEOMETRY('EPSG:1')", "GEOMETRY('epsg:1')"),
            ("ARRAY<GEOGRAPHY>", "ARRAY<GEOGRAPHY('ogc:crs84')> NOT NULL"),
        ],
    )
    def test_the_outer_not_null_and_the_case_of_coordinates_do_not_count(self, one: str, other: str) -> None:
        assert same_type(parsed(one), parsed(other))

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("INT", "BIGINT"),
            ("CHAR(3)", "CHAR(4)"),
            ("ARRAY<INT>", "ARRAY<INT NOT NULL>"),
            ("GEOMETRY('EPSG:1')", "GEOMETRY('EPSG:2')"),
            ("GEOGRAPHY('A', spherical)", "GEOGRAPHY('A', karney)"),
            ("ROW<a INT>", "ROW<b INT>"),
        ],
    )
    def test_everything_else_counts(self, one: str, other: str) -> None:
        assert not same_type(parsed(one), parsed(other))


# Per line: a type, and all those of the samples below that hold each of its values.
LOSSLESS = """
TINYINT: SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL(3,0) DECIMAL(5,0) DECIMAL(5,2) DECIMAL(12,2) DECIMAL(19,0)
SMALLINT: INT BIGINT FLOAT DOUBLE DECIMAL(5,0) DECIMAL(12,2) DECIMAL(19,0)
INT: BIGINT DOUBLE DECIMAL(12,2) DECIMAL(19,0)
BIGINT: DECIMAL(19,0)
FLOAT: DOUBLE
DECIMAL(3,0): DECIMAL(5,0) DECIMAL(5,2) DECIMAL(12,2) DECIMAL(19,0)
DECIMAL(5,0): DECIMAL(12,2) DECIMAL(19,0)
DECIMAL(12,2):
DECIMAL(19,0):
DECIMAL(5,2): DECIMAL(12,2)
DOUBLE:
BOOLEAN:
CHAR(3): VARCHAR(3) VARCHAR(5) STRING
CHAR(4): VARCHAR(5) STRING
VARCHAR(3): VARCHAR(5) STRING
VARCHAR(5): STRING
STRING:
BINARY(3): VARBINARY(3) BYTES
BINARY(4): BYTES
VARBINARY(3): BYTES
BYTES:
DATE: TIMESTAMP(0) TIMESTAMP(3) TIMESTAMP(9)
TIME(0):
TIME(3):
TIMESTAMP(0): TIMESTAMP(3) TIMESTAMP(9)
TIMESTAMP(3): TIMESTAMP(9)
TIMESTAMP(9):
TIMESTAMP_LTZ(3): TIMESTAMP_LTZ(9)
TIMESTAMP_LTZ(9):
VARIANT:
BLOB:
GEOMETRY:
GEOGRAPHY:
ARRAY<INT>: ARRAY<BIGINT>
ARRAY<BIGINT>:
MULTISET<INT>:
MULTISET<BIGINT>:
VECTOR<FLOAT,3>:
VECTOR<DOUBLE,3>:
MAP<INT,INT>: MAP<INT,BIGINT>
MAP<INT,BIGINT>:
MAP<BIGINT,BIGINT>:
"""
WIDER = {line.partition(":")[0]: line.partition(":")[2].split() for line in LOSSLESS.strip().splitlines()}


def fields(*given: tuple[int, str, str]) -> RowType:
    return row(field_of(number, name, parsed(kind)) for number, name, kind in given)


class TestLossless:
    def test_these_pairs_lose_nothing_and_no_other_does(self) -> None:
        found = {(one, other) for one in WIDER for other in WIDER if cast_support(parsed(one), parsed(other)).lossless}
        assert found == {(one, other) for one in WIDER for other in [one, *WIDER[one]]}

    @pytest.mark.parametrize(
        ("source", "target", "expected"),
        [
            ("INT NOT NULL", "INT", True),
            ("INT", "INT NOT NULL", False),
            ("INT NOT NULL", "BIGINT NOT NULL", True),
            ("INT", "BIGINT NOT NULL", False),
            ("ARRAY<INT NOT NULL>", "ARRAY<INT>", True),
            ("ARRAY<INT>", "ARRAY<INT NOT NULL>", False),
            ("MAP<INT NOT NULL, INT>", "MAP<INT, INT>", False),
            ("MAP<INT, INT NOT NULL>", "MAP<INT, BIGINT>", True),
            ("MULTISET<INT NOT NULL>", "MULTISET<INT>", False),
            ("GEOMETRY('epsg:1')", "GEOMETRY('EPSG:1')", True),
        ],
    )
    def test_null_may_come_but_not_go(self, source: str, target: str, expected: bool) -> None:
        assert lossless(parsed(source), parsed(target)) is expected

    @pytest.mark.parametrize(
        ("target", "expected"),
        [
            (fields((1, "a", "INT"), (2, "b", "STRING")), True),
            (fields((1, "a", "BIGINT"), (2, "b", "STRING")), True),
            (fields((2, "b", "STRING"), (1, "a", "INT")), False),
            (fields((1, "x", "INT"), (2, "b", "STRING")), False),
            (fields((3, "a", "INT"), (2, "b", "STRING")), False),
            (fields((1, "a", "INT")), False),
            (fields((1, "a", "INT"), (2, "b", "STRING"), (3, "c", "INT")), False),
            (fields((1, "a", "SMALLINT"), (2, "b", "STRING")), False),
        ],
    )
    def test_a_row_keeps_its_fields_in_place(self, target: RowType, expected: bool) -> None:
        assert lossless(fields((1, "a", "INT"), (2, "b", "STRING")), target) is expected

    def test_a_description_is_no_value(self) -> None:
        one, other = row([field_of(1, "a", parsed("INT"), "old")]), row([field_of(1, "a", parsed("INT"), "new", "5")])
        assert lossless(one, other)
        assert lossless(other, one)

    @given(types())
    def test_every_type_loses_nothing_to_itself(self, kind: DataType) -> None:
        assert lossless(kind, kind)

    @given(st.data())
    def test_types_that_lose_nothing_both_ways_are_the_same(self, data: st.DataObject) -> None:
        one = data.draw(types())
        other = data.draw(relatives(one))
        assume(lossless(one, other) and lossless(other, one))
        assert plain(one) == plain(other)

    @given(st.data())
    def test_what_loses_nothing_in_two_steps_loses_nothing_in_one(self, data: st.DataObject) -> None:
        one = data.draw(types(3))
        other = data.draw(relatives(one))
        third = data.draw(relatives(other))
        assume(lossless(one, other) and lossless(other, third))
        assert lossless(one, third)

    @given(st.data())
    def test_every_value_comes_back(self, data: st.DataObject) -> None:
        source = data.draw(types(3))
        target = data.draw(relatives(source))
        assume(lossless(source, target))
        value = data.draw(values_of(source))
        assert repr(cast_value(cast_value(value, source, target), target, source)) == repr(value)

    @given(st.data(), st.sampled_from([(one, other) for one in WIDER for other in WIDER[one]]))
    def test_every_value_of_these_pairs_comes_back(self, data: st.DataObject, pair: tuple[str, str]) -> None:
        source, target = parsed(pair[0]), parsed(pair[1])
        value = data.draw(values_of(source))
        assert repr(cast_value(cast_value(value, source, target), target, source)) == repr(value)


FAMILIES = (
    (Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL),
    (Root.CHAR, Root.VARCHAR),
    (Root.BINARY, Root.VARBINARY),
    (Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ, Root.TIME),
)


def relatives(kind: DataType) -> st.SearchStrategy[DataType]:
    """Types of the same shape whose leaves are of the same family, and are as nullable or more in most cases."""
    return fold(kind, _relative)


def _relative(kind: DataType, parts: list[st.SearchStrategy[DataType]]) -> st.SearchStrategy[DataType]:
    if isinstance(kind, AtomicType):
        family = next((family for family in FAMILIES if kind.root in family), (kind.root,))
        changed = st.just(kind) | atoms(*family)
    elif kind.root is Root.VECTOR:
        changed = st.just(kind)
    else:
        changed = st.tuples(*parts).map(lambda chosen: rebuilt(kind, list(chosen)))
    return st.builds(lambda one, looser: one.with_nullable(kind.nullable or looser), changed, st.booleans())


def plain(kind: DataType) -> DataType:
    """Without what is no part of a value: descriptions, defaults, the case of coordinate systems."""
    return fold(kind, _plain)


def _plain(kind: Any, parts: list[DataType]) -> DataType:
    whole = rebuilt(kind, parts)
    if isinstance(whole, RowType):
        return type(whole)(tuple(Field(one.id, one.name, one.wire) for one in whole.fields))
    if isinstance(whole, AtomicType) and whole.crs is not None:
        return AtomicType(whole.root, whole.nullable, crs=whole.crs.lower(), algorithm=whole.algorithm)
    return whole


class TestBadInput:
    def test_a_text_is_no_type(self) -> None:
        with pytest.raises(CastError, match="parse_type") as caught:
            cast_support("INT", parsed("INT"))  # type: ignore[arg-type]
        assert caught.value.code == "cast.no-type"
        assert pickle.loads(pickle.dumps(caught.value)).code == "cast.no-type"

    @pytest.mark.parametrize("around", [array, multiset])
    def test_a_type_of_endless_depth_is_refused(self, around: Any) -> None:
        kind: DataType = parsed("INT")
        for _ in range(5000):
            kind = around(kind)
        with pytest.raises(CastError) as caught:
            cast_support(kind, kind)
        assert caught.value.code == "type.too-deep"
