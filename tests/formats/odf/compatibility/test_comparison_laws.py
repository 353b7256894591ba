"""Laws of the comparison of ODF schemas, over schemas with duplicate names, every kind, and edits at any depth."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats.odf.compatibility.comparison import (
    Equivalent,
    Identical,
    NonEquivalent,
    aspects,
    compare,
    is_superset_of,
)
from airflow_provider_schemas.formats.odf.compatibility.differences import differences
from airflow_provider_schemas.formats.odf.compatibility.findings import report
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.kinds import TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType
from tests.conformance.odf import relation
from tests.conformance.odf.defects import defects
from tests.formats.odf.support.changed import ASPECTS, PAIRS, PARTS, RETYPED, SCHEMAS, TRIPLES, Pair
from tests.formats.odf.support.follows import follows
from tests.support import damaged

COMPATIBLE = st.booleans()
_RANK = {Identical: 0, Equivalent: 1, NonEquivalent: 2}


@given(PAIRS, ASPECTS, COMPATIBLE)
def test_identical_is_equal_whatever_is_ignored(pair: Pair, ignore: frozenset[str], compatible: bool) -> None:
    old, new = pair
    identical = isinstance(compare(old, new, ignore=ignore, reference_compatible=compatible), Identical)
    assert identical is (old == new)


@given(SCHEMAS, ASPECTS, COMPATIBLE)
def test_a_schema_is_identical_to_itself_and_holds_itself(schema: DataSchema, ignore: frozenset[str], compatible: bool) -> None:
    assert compare(schema, schema, ignore=ignore, reference_compatible=compatible) == Identical()
    assert is_superset_of(schema, schema, ignore=ignore, reference_compatible=compatible)


@given(SCHEMAS)
def test_defaults_spelled_out_are_no_difference(schema: DataSchema) -> None:
    fields = (*schema.fields, DataField("at", types.Timestamp()))
    spelled = (*schema.fields, DataField("at", types.Timestamp(TimeUnit.MILLISECOND, "UTC")))
    assert compare(DataSchema(fields), DataSchema(spelled)) == Identical()


@given(PAIRS | PARTS, ASPECTS, ASPECTS, COMPATIBLE)
def test_ignoring_more_never_makes_it_stricter(pair: Pair, some: frozenset[str], more: frozenset[str], compatible: bool) -> None:
    old, new = pair
    less = compare(old, new, ignore=some, reference_compatible=compatible)
    found = compare(old, new, ignore=some | more, reference_compatible=compatible)
    assert _RANK[type(found)] <= _RANK[type(less)]
    if is_superset_of(old, new, ignore=some, reference_compatible=compatible):
        assert is_superset_of(old, new, ignore=some | more, reference_compatible=compatible)


@given(TRIPLES, ASPECTS)
def test_holding_is_transitive(schemas: tuple[DataSchema, DataSchema, DataSchema], ignore: frozenset[str]) -> None:
    last, middle, first = schemas
    for one, two, three in ((last, middle, first), (first, middle, last)):
        if is_superset_of(one, two, ignore=ignore) and is_superset_of(two, three, ignore=ignore):
            assert is_superset_of(one, three, ignore=ignore)


@given(PAIRS, ASPECTS)
def test_what_is_equivalent_holds_each_other(pair: Pair, ignore: frozenset[str]) -> None:
    old, new = pair
    if not isinstance(compare(old, new, ignore=ignore), NonEquivalent):
        assert is_superset_of(old, new, ignore=ignore)
        assert is_superset_of(new, old, ignore=ignore)
        assert not isinstance(compare(new, old, ignore=ignore), NonEquivalent)


@given(SCHEMAS, st.data())
def test_a_schema_holds_what_is_left_after_fields_are_dropped(schema: DataSchema, data: st.DataObject) -> None:
    named = tuple(DataField(f"{one.name}{place}", one.type, one.extra) for place, one in enumerate(schema.fields))
    kept = tuple(one for one in named if data.draw(st.booleans()))
    assert is_superset_of(DataSchema(named), DataSchema(kept))


def _inside(*schemas: DataSchema) -> set[DataType]:
    """All types in the schemas, at any depth."""
    found: set[DataType] = set()

    def seen(kind: DataType, parts: Sequence[None]) -> None:
        del parts
        found.add(kind)

    for one in (field for schema in schemas for field in schema.fields):
        types.fold(one.type, seen)
    return found


@given(damaged.mostly(RETYPED, PAIRS))
def test_the_reference_differs_only_at_maps_fixed_lengths_and_where_names_or_their_order_do(pair: Pair) -> None:
    inside = _inside(*pair)
    odd = any(isinstance(one, types.Map) or (isinstance(one, types.List) and one.fixed_length is not None) for one in inside)
    structs = any(isinstance(one, types.Struct) for one in inside)
    if not odd and not structs and pair[0].names == pair[1].names:
        assert differences(*pair) == differences(*pair, reference_compatible=True)


@given(PAIRS)
def test_the_reference_finds_nothing_more_but_maps_and_places(pair: Pair) -> None:
    if not any(isinstance(one, types.Map) for one in _inside(*pair)):
        ours = {(one.rule, one.path) for one in differences(*pair)}
        theirs = {(one.rule, one.path) for one in differences(*pair, reference_compatible=True) if one.rule != "FIELD_REORDERED"}
        assert theirs <= ours


@given(PAIRS)
def test_every_difference_has_a_rule_and_makes_a_finding_with_all_its_words(pair: Pair) -> None:
    for compatible in (False, True):
        found = differences(*pair, reference_compatible=compatible)
        assert {one.rule for one in found} <= set(RULES)
        for one in report(found).findings:
            assert one.message
            assert one.fix
            assert "{old}" not in one.message + one.fix


@given(PAIRS, ASPECTS)
def test_answers_differ_from_those_of_the_reference_only_at_its_known_defects(pair: Pair, ignore: frozenset[str]) -> None:
    answers = [
        (
            type(compare(*pair, ignore=ignore, reference_compatible=compatible)),
            is_superset_of(*pair, ignore=ignore, reference_compatible=compatible),
            follows(differences(*pair, reference_compatible=compatible), aspects(ignore)),
        )
        for compatible in (False, True)
    ]
    if not _twice(*pair) and not defects(*pair, ignore):
        assert answers[0] == answers[1]


def _twice(*schemas: DataSchema) -> bool:
    """Whether a name is given twice anywhere."""
    structs = [one.fields for one in _inside(*schemas) if isinstance(one, types.Struct)]
    return any(len({one.name for one in fields}) < len(fields) for fields in (*structs, *(one.fields for one in schemas)))


@given(PAIRS, ASPECTS)
def test_the_answers_are_those_of_the_specification(pair: Pair, ignore: frozenset[str]) -> None:
    old, new = pair
    assert type(compare(old, new, ignore=ignore)).__name__ == relation.result(old, new, ignore)
    assert is_superset_of(old, new, ignore=ignore) is relation.holds(old, new, ignore)
    assert follows(differences(old, new), aspects(ignore)) is relation.may_follow(old, new, ignore)
