"""Known attributes are read when somebody asks, strictly, and written in canonical form; all others are kept as they are."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import PLAIN, Timestamp
from airflow_provider_schemas.formats.odf.serialization.extended_types import (
    Did,
    ExtendedType,
    MultihashType,
    ObjectLink,
    plain_extended_type,
)
from airflow_provider_schemas.formats.odf.serialization.known_attributes import (
    ARCHETYPE,
    DESCRIPTION,
    LINKED_OBJECTS,
    TYPE,
    Archetype,
    LinkedObjects,
    archetype_of,
    description_of,
    extended_type_of,
    linked_objects_of,
    with_archetype,
    with_description,
    with_extended_type,
    with_linked_objects,
)
from tests.formats.odf.support.strategies import any_type, extras, texts

extended: st.SearchStrategy[ExtendedType] = st.recursive(
    st.just(Did()) | st.just(MultihashType()) | any_type, lambda inner: st.builds(ObjectLink, inner)
)

ACCESSORS: dict[str, Callable[[Attributes | None], Any]] = {
    DESCRIPTION: description_of,
    TYPE: extended_type_of,
    ARCHETYPE: archetype_of,
    LINKED_OBJECTS: linked_objects_of,
}


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        (DESCRIPTION, "words", "words"),
        (DESCRIPTION, "", ""),
        ("opendatafabric.net/description", "words", "words"),
        (TYPE, {"kind": "Did"}, Did()),
        (TYPE, {"kind": "did"}, Did()),
        ("opendatafabric.net/type", {"kind": "multihash"}, MultihashType()),
        (TYPE, {"kind": "ObjectLink", "linkType": {"kind": "Multihash"}}, ObjectLink(MultihashType())),
        (TYPE, {"linkType": {"kind": "objectlink", "linkType": {"kind": "Did"}}, "kind": "objectLink"}, ObjectLink(ObjectLink(Did()))),
        (TYPE, {"kind": "String"}, PLAIN[Kind.STRING]),
        (TYPE, {"kind": "ObjectLink", "linkType": {"kind": "timestamp", "timezone": "UTC"}}, ObjectLink(Timestamp())),
        (ARCHETYPE, "Collection", Archetype.COLLECTION),
        (ARCHETYPE, "collection", Archetype.COLLECTION),
        (ARCHETYPE, "versionedFile", Archetype.VERSIONED_FILE),
        (ARCHETYPE, "versionedfile", Archetype.VERSIONED_FILE),
        (LINKED_OBJECTS, {"numObjectsNaive": 3, "sizeNaive": 2**64 - 1}, LinkedObjects(3, 2**64 - 1)),
    ],
)
def test_an_attribute_is_read_in_every_spelling(key: str, value: Any, found: Any) -> None:
    accessor = ACCESSORS[key.replace(".net", ".org")]
    assert accessor(Attributes({key: value, "x.com/y": 1})) == found


@pytest.mark.parametrize("accessor", ACCESSORS.values())
def test_an_attribute_may_be_absent(accessor: Callable[[Attributes | None], Any]) -> None:
    assert accessor(None) is None
    assert accessor(Attributes({})) is None
    assert accessor(Attributes({"description": "x", "x.com/type": 1})) is None


@pytest.mark.parametrize(
    ("key", "value", "codes"),
    [
        (DESCRIPTION, 5, [("odf.wrong-type", DESCRIPTION)]),
        (DESCRIPTION, None, [("odf.wrong-type", DESCRIPTION)]),
        ("opendatafabric.net/description", [], [("odf.wrong-type", "opendatafabric.net/description")]),
        (TYPE, "Did", [("odf.wrong-type", TYPE)]),
        (TYPE, {"kind": "String", "linkType": 1}, [("odf.unknown-key", f"{TYPE}.linkType")]),
        (TYPE, {"kind": "Did", "method": "key"}, [("odf.unknown-key", f"{TYPE}.method")]),
        (TYPE, {"kind": "DID"}, [("odf.unknown-kind", f"{TYPE}.kind")]),
        (TYPE, {"kind": 5}, [("odf.wrong-type", f"{TYPE}.kind")]),
        (TYPE, {}, [("odf.missing-key", f"{TYPE}.kind")]),
        (TYPE, {"kind": "ObjectLink"}, [("odf.missing-key", f"{TYPE}.linkType")]),
        (TYPE, {"kind": "ObjectLink", "linkType": "Multihash"}, [("odf.wrong-type", f"{TYPE}.linkType")]),
        (
            TYPE,
            {"kind": "ObjectLink", "inner": {"kind": "Did"}},
            [("odf.unknown-key", f"{TYPE}.inner"), ("odf.missing-key", f"{TYPE}.linkType")],
        ),
        (ARCHETYPE, "COLLECTION", [("odf.unknown-word", ARCHETYPE)]),
        (ARCHETYPE, None, [("odf.wrong-type", ARCHETYPE)]),
        (LINKED_OBJECTS, {"numObjectsNaive": 3}, [("odf.missing-key", f"{LINKED_OBJECTS}.sizeNaive")]),
        (
            LINKED_OBJECTS,
            {"numObjectsNaive": -1, "sizeNaive": 1.0},
            [("odf.number", f"{LINKED_OBJECTS}.numObjectsNaive"), ("odf.wrong-type", f"{LINKED_OBJECTS}.sizeNaive")],
        ),
        (LINKED_OBJECTS, {"numObjectsNaive": 1, "sizeNaive": 1, "x": 1}, [("odf.unknown-key", f"{LINKED_OBJECTS}.x")]),
        (LINKED_OBJECTS, [1, 2], [("odf.wrong-type", LINKED_OBJECTS)]),
    ],
)
def test_a_malformed_attribute_is_refused_where_it_is_asked_for(key: str, value: Any, codes: list[tuple[str, str]]) -> None:
    extra = Attributes({key: value})
    with pytest.raises(FormatError) as caught:
        ACCESSORS[key.replace(".net", ".org")](extra)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == codes
    assert all(fault.fix for fault in caught.value.faults)


def test_links_without_end_are_refused() -> None:
    value: Any = {"kind": "Did"}
    kind: ExtendedType = Did()
    for _ in range(80):
        value, kind = {"kind": "ObjectLink", "linkType": value}, ObjectLink(kind)
    for ask in (lambda: extended_type_of(Attributes({TYPE: value})), lambda: plain_extended_type(kind)):
        with pytest.raises(FormatError) as caught:
            ask()
        assert caught.value.code == "odf.too-deep"


def test_of_both_spellings_of_a_key_the_one_of_the_specification_counts_and_is_written() -> None:
    both = Attributes({DESCRIPTION: "org", "opendatafabric.net/description": "net"})
    assert description_of(both) == "org"
    assert with_description(both, "new") == Attributes({DESCRIPTION: "new"})
    assert with_extended_type(Attributes({"opendatafabric.net/type": 1}), Did()) == Attributes({TYPE: {"kind": "Did"}})


@given(extras, texts, extended, st.sampled_from(Archetype), st.integers(0, 2**64 - 1))
def test_what_is_set_is_what_is_read(extra: Attributes | None, text: str, kind: ExtendedType, archetype: Archetype, number: int) -> None:
    linked = LinkedObjects(number, 0)
    found = with_linked_objects(with_archetype(with_extended_type(with_description(extra, text), kind), archetype), linked)
    assert (description_of(found), extended_type_of(found), archetype_of(found), linked_objects_of(found)) == (
        text,
        kind,
        archetype,
        linked,
    )
    assert found.without(*ACCESSORS) == (extra or Attributes({})).without(
        *ACCESSORS, "opendatafabric.net/description", "opendatafabric.net/type"
    )
