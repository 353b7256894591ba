"""The form reads what is not plain. Of a file that is plain it says what the reader of plain files says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Policy
from airflow_provider_schemas.errors import TableFileError
from airflow_provider_schemas.formats.table_file import Column, TableFile
from airflow_provider_schemas.formats.table_file.parsing.read_entry import NotPlainError, ReadEntry
from tests.formats.table_file.test_laws import FILES

PLAIN: dict[str, Any] = {
    "table": "shop.orders",
    "owner": None,
    "columns": [
        {"name": "id", "type": "INT NOT NULL", "was": ["a", "b"], "alias": {"x": "2026-12-31", "y": None}, "tags": "pii", "default": 5},
        {"name": "r", "type": "ROW<a INT>", "was": {"r.a": "z"}, "deprecated": True},
    ],
    "dropped": ["k", {"name": "l", "accepts": {"FIELD_DROPPED": "nobody reads it", "until": "2030-01-01"}}],
    "primary_key": ["id"],
    "options": {"bucket": 4, "x": None},
    "policy": {"mode": "FULL"},
}


def outcome(value: Any) -> Any:
    """What is read, or what is wrong with it."""
    try:
        return TableFile.read(value)
    except TableFileError as error:
        return error.faults


def by_the_form(value: Any) -> Any:
    """The same where nothing counts as plain."""

    def refuse(_self: ReadEntry, _values: Any) -> None:
        raise NotPlainError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReadEntry, "_take", refuse)
        return outcome(value)


def test_a_plain_file_needs_no_form_and_is_what_the_form_reads() -> None:
    file = TableFile.plain(PLAIN)
    assert file == by_the_form(PLAIN)
    assert file.policy == Policy.read({"mode": "FULL"})
    assert file.mentions("owner")
    assert not file.mentions("comment")


FAULTY: list[dict[str, Any]] = [
    {},
    {"tabel": "a.b"},
    {"columns": None},
    {"columns": [{"name": "a"}]},
    {"columns": ["a"]},
    {"primary_key": "a"},
]


@given(FILES, st.sampled_from(FAULTY))
def test_both_readers_say_the_same(value: dict[str, Any], more: dict[str, Any]) -> None:
    assert outcome(value | more) == by_the_form(value | more)


@pytest.mark.parametrize("value", [None, [], "x", 7, {1: "a"}, {"table": "a.b", None: 1}, {}], ids=repr)
def test_what_is_no_mapping_of_texts_is_refused_by_the_form(value: Any) -> None:
    assert isinstance(outcome(value), tuple)
    assert outcome(value) == by_the_form(value)


def test_columns_that_were_read_stand_in_another_file_as_they_are() -> None:
    columns = TableFile.read(PLAIN).columns
    assert TableFile(table="a.b", columns=columns).columns == columns
    assert TableFile(table="a.b", columns=iter(columns)).columns == columns
    with pytest.raises(TableFileError, match="no name"):
        TableFile(table="a.b", columns=columns, primary_key=[""])


def test_what_was_read_never_changes() -> None:
    column = Column(name="a", type="INT")
    with pytest.raises(AttributeError, match="never changes"):
        column.name = "b"
    assert repr(column).startswith("Column(name='a', type='INT', comment=None")


def test_as_json_a_file_says_every_key() -> None:
    text = TableFile(table="a.b", columns=[{"name": "a", "type": "INT", "was": "b"}]).to_json()
    assert text.startswith('{"table":"a.b","owner":null,"contact":null,"comment":null,"columns":[{"name":"a","type":"INT","comment":null,')
    assert '"was":{"":["b"]}' in text
