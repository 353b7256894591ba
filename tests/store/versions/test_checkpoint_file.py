"""The file of a checkpoint: what is written is what is read, and what does not belong together is not used."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, Version
from airflow_provider_schemas.core.schema.history import History, Span, State
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.store.storage.files import FileFacts, ListingEntry
from airflow_provider_schemas.store.versions import checkpoint_file
from airflow_provider_schemas.store.versions.facts import VersionFacts


def facts_of(schemas: list[TableSchema]) -> VersionFacts:
    facts = VersionFacts()
    for number, schema in enumerate(schemas):
        text = Provenance(key=f"k{number}", parent_id=number - 1, changes=({"action": str(number)},)).on(
            msgspec.structs.replace(schema, id=number)
        )
        facts.add(Version.read(text.to_json().encode(), number))
    return facts


def states(facts: VersionFacts, number: int) -> list[State]:
    """Return what a column was, as the facts say."""
    return list(History(facts.spans.numbers, lambda: facts.spans, lambda _: ()).column(number))


SCHEMAS = [TableSchema.create(text) for text in ("a INT", "a INT, b ROW<x INT>", "b ROW<x INT>, a BIGINT", "b ROW<x BIGINT>", "a INT")]


@given(st.lists(st.sampled_from(SCHEMAS), min_size=2, max_size=9))
def test_what_is_written_is_what_is_read(schemas: list[TableSchema]) -> None:
    *past, newest = schemas
    facts = facts_of(past)
    data = checkpoint_file.encode(facts, "marks", len(past), newest)
    found = None if data is None else checkpoint_file.decode(data)
    read = None if found is None else found.facts(newest)
    assert read is not None
    for number in range(9):
        assert states(read, number) == states(facts, number)
    plain = [(known.keys, known.changes, known.options, known.keyed, known.highest, known.last, known.mutated) for known in (facts, read)]
    assert plain[0] == plain[1]


@given(st.binary(max_size=200) | st.integers(0, 400).map(lambda at: at.to_bytes(2, "big")))
def test_bytes_that_are_none_tell_nothing(data: bytes) -> None:
    assert checkpoint_file.decode(data) is None


def test_facts_that_do_not_belong_together_are_none() -> None:
    facts = facts_of(SCHEMAS)
    data = checkpoint_file.encode(facts, "marks", 5, SCHEMAS[0])
    assert data is not None
    sound = checkpoint_file.decode(data)
    assert sound is not None
    assert sound.facts(SCHEMAS[0]) is not None
    wrong: list[dict[str, Any]] = [
        {"keys": b"1"},
        {"digest": SCHEMAS[1].digest},
        {"changes": bytes(8)},
        {"numbers": [0, 1, 2, 4, 3]},
        {"number": 3},
        {"since": []},
        {"since": [17]},
        {"ended": [Span(SCHEMAS[0].fields[0], 3, 1)]},
        {"ended": [Span(SCHEMAS[0].fields[0], 3, 9)]},
        {"last": (9, "")},
    ]
    for change in wrong:
        assert msgspec.structs.replace(sound, **change).facts(SCHEMAS[0]) is None


TWICE = msgspec.structs.replace(SCHEMAS[0], fields=(*SCHEMAS[0].fields, msgspec.structs.replace(SCHEMAS[0].fields[0], name="other")))


@pytest.mark.parametrize("past", [SCHEMAS, [*SCHEMAS, TWICE]])
def test_a_schema_that_has_an_id_twice_is_in_no_checkpoint(past: list[TableSchema]) -> None:
    newest = SCHEMAS[0] if past[-1] is TWICE else TWICE
    assert checkpoint_file.encode(facts_of(past), "marks", len(past), newest) is None


def test_what_was_written_of_a_schema_that_has_an_id_twice_is_not_used() -> None:
    data = checkpoint_file.encode(facts_of(SCHEMAS), "marks", 5, SCHEMAS[0])
    found = None if data is None else checkpoint_file.decode(data)
    assert found is not None
    assert msgspec.structs.replace(found, digest=TWICE.digest, since=[*found.since, 0]).facts(TWICE) is None


def test_a_version_without_a_mark_is_in_no_checkpoint() -> None:
    marked, unmarked = (ListingEntry("schema-0", folder=False, facts=FileFacts(mark)) for mark in ("1-2", ""))
    assert checkpoint_file.sign_of_marks([marked, unmarked]) == ""
    assert checkpoint_file.sign_of_marks([marked, marked]) != checkpoint_file.sign_of_marks([marked]) != ""
    assert checkpoint_file.encode(facts_of(SCHEMAS), "", 5, SCHEMAS[0]) is None
