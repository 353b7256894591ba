"""Names and comments from outside stay texts in every picture: no element, no attribute and no address comes of them."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.blame.column_blame import ColumnBlame, ColumnChange, TableBlame
from airflow_provider_schemas.core.blame.column_readers import ColumnReader, ColumnReaders
from airflow_provider_schemas.core.blame.lifelines import Cell, CellState, Lifeline, Lifelines
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.readers_by_version import ReaderRow, ReadersByVersion
from airflow_provider_schemas.core.evolution.diff import Difference
from airflow_provider_schemas.core.report import Consumer, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.nested import field
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.render.html.api import document, fragment
from airflow_provider_schemas.render.html.table_diff import table_diff
from airflow_provider_schemas.render.sanitize import clean
from tests.cases.hostile_names import HARMLESS, HOSTILE_NAMES
from tests.render.html.support.html_tables import ReadHtml

INT = parse_any("INT")


def origin(text: str, number: int = 1) -> Origin:
    moment = datetime(2026, 11, 18, tzinfo=UTC)
    return Origin(number, text, text, moment, text, text, text, text, text, text, text, text, says=text)


def schema(text: str) -> TableSchema:
    columns = (field(0, "a", INT, "before"), field(1, text, INT, text, text))
    return TableSchema(columns, 1, (text,), (text,), Options({text: text}), text)


def diff_of(text: str) -> object:
    old = TableSchema((field(0, f"old {text}", INT), field(1, "b", INT)), 1, options=Options({text: "0"}))
    consumer = Consumer(text, text, text, text, text, text)
    findings = (
        Finding("FIELD_RENAMED", text, text, text, Verdict.BREAK, id=0, consumers=(consumer,), mends=(consumer,), waived=text),
        Finding(text, text, text, verdict=Verdict.WARN, consumers=(consumer,)),
    )
    diff = table_diff(old, schema(text), titles=(text, text), table=text, report=Report(findings, text), notes=[text], all_rows=True)
    return replace(diff, differences=(Difference(text, text),))


def blame_of(text: str) -> object:
    change = ColumnChange(origin(text), (CellState.RETYPED,), text)
    columns = (ColumnBlame(text, 1, text, text, 1, origin(text, 2), (change,)),)
    return TableBlame(text, origin(text), columns, notes=(text,))


def lines_of(text: str) -> object:
    cells = (Cell((CellState.ADDED,), text, text), Cell((CellState.RETYPED,), text, text), *[Cell((CellState.SAME,), text, text)] * 5)
    versions = tuple(origin(text, number) for number in range(7))
    return Lifelines(text, versions, (Lifeline(1, text, cells, 2),), (text,))


def readers_of(text: str) -> object:
    reader = ColumnReader(text, text, text, text, columns=(text,), verdict=Verdict.BREAK, sentence=text, last_seen=text)
    return ColumnReaders(text, text, 1, (reader,), 1, text, text, (text,), (text,))


def matrix_of(text: str) -> object:
    row = ReaderRow(text, text, text, text, (Verdict.OK, None), (text, text), is_stale=True)
    return ReadersByVersion(text, (origin(text, 2), origin(text)), (row,), (text,), (text,))


VALUES: dict[str, Callable[[str], object]] = {
    "diff": diff_of,
    "schema": schema,
    "blame": blame_of,
    "lifelines": lines_of,
    "readers": readers_of,
    "matrix": matrix_of,
}


def shape(html: str) -> list[tuple[str, list[str]]]:
    """The elements of a page, each with the names of its attributes."""
    return [(tag, sorted(attributes)) for tag, attributes in ReadHtml(html).elements]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_text_is_a_text(name: str, value: str) -> None:
    page = document(VALUES[value](HOSTILE_NAMES[name]), title="t")
    expected = shape(document(VALUES[value](HARMLESS), title="t"))
    if clean(HOSTILE_NAMES[name]):
        assert shape(page) == expected
    for element in shape(page):
        assert element in expected
    for _, attributes in ReadHtml(page).elements:
        assert "javascript" not in attributes.get("href", "").lower()
    odd = {char for char in page if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"} and char != "\n"}
    assert odd == set()


@pytest.mark.parametrize("value", VALUES)
def test_no_piece_has_a_handler_or_a_style_of_its_own(value: str) -> None:
    for tag, attributes in ReadHtml(fragment(VALUES[value](HARMLESS))).elements:
        assert not [key for key in attributes if key.startswith("on") or key == "style"], tag
