"""What is passed where a schema is wanted and is none: every function says so, and what to pass instead."""

from collections.abc import Callable
from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats import dump, load, odf
from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.types import List, Option

NOON = BlockTime.parse("2020-01-01T12:00:00Z")
EMPTY = odf.DataSchema(())
TAKE_A_SCHEMA: dict[str, Callable[[Any], Any]] = {
    "strip_encoding": odf.strip_encoding,
    "to_arrow": odf.to_arrow,
    "parquet": odf.parquet,
    "parquet_json": odf.parquet_json,
    "arrow_json": odf.arrow_json,
    "arrow_text": odf.arrow_text,
    "to_table": odf.to_table,
    "key_warnings": odf.key_warnings,
    "check_system_columns": odf.check_system_columns,
    "with_system_columns": odf.with_system_columns,
    "compare": lambda value: odf.compare(EMPTY, value),
    "is_superset_of": lambda value: odf.is_superset_of(value, EMPTY),
    "may_follow": lambda value: odf.may_follow(EMPTY, value),
}
every_function = pytest.mark.parametrize("function", TAKE_A_SCHEMA.values(), ids=TAKE_A_SCHEMA)


@every_function
@pytest.mark.parametrize("value", [None, 5, "fields: []", {"fields": []}, load("odf-yaml", "fields: []")], ids=type)
def test_what_is_no_schema_is_refused(function: Callable[[Any], Any], value: object) -> None:
    with pytest.raises(FormatError) as refused:
        function(value)
    assert (refused.value.code, bool(refused.value.fix)) == ("odf.not-a-schema", True)


@every_function
@pytest.mark.parametrize(
    ("fields", "path"),
    [([], "fields"), ((5,), "fields[0]"), ((odf.DataField("a", odf.type_of("Int8")), odf.DataField("b", "Int8")), "fields[1]")],  # type: ignore[arg-type]
)
def test_fields_that_are_none_are_named(function: Callable[[Any], Any], fields: Any, path: str) -> None:
    with pytest.raises(FormatError) as refused:
        function(odf.DataSchema(fields))
    assert (refused.value.code, refused.value.path) == ("odf.not-a-schema", path)


@pytest.mark.parametrize("language", ["odf-yaml", "odf-json"])
def test_a_schema_whose_fields_are_none_is_not_written(language: str) -> None:
    with pytest.raises(FormatError, match="DataField"):
        dump(language, odf.DataSchema((5,)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "path"),
    [
        (lambda: odf.read_chain(None), ""),  # type: ignore[arg-type]
        (lambda: odf.report(None), ""),  # type: ignore[arg-type]
        (lambda: odf.report([5]), ""),  # type: ignore[list-item]
        (lambda: odf.write_block(None, system_time=NOON, sequence_number=0), "event"),  # type: ignore[arg-type]
        (lambda: odf.write_block(SetDataSchema(EMPTY), system_time="noon", sequence_number=0), "system_time"),  # type: ignore[arg-type]
        (lambda: odf.to_arrow(EMPTY, 5), "settings"),  # type: ignore[arg-type]
        (lambda: odf.to_arrow(EMPTY, odf.ArrowSettings(date="Day")), "settings.date"),  # type: ignore[arg-type]
        (
            lambda: odf.write_block(SetDataSchema(EMPTY), system_time=NOON, sequence_number=1, prev_block_hash="f1620"),  # type: ignore[arg-type]
            "prev_block_hash",
        ),
    ],
    ids=["chain", "report", "differences", "event", "time", "settings", "date", "hash"],
)
def test_other_arguments_of_another_sort_are_refused(call: Callable[[], object], path: str) -> None:
    with pytest.raises(FormatError) as refused:
        call()
    assert (refused.value.code, refused.value.path or "") == ("format.wrong-type", path)


@pytest.mark.parametrize("number", ["0", 1.0, True, -1, 2**64])
def test_a_number_of_a_block_is_whole_and_fits(number: Any) -> None:
    with pytest.raises(FormatError) as refused:
        odf.write_block(SetDataSchema(EMPTY), system_time=NOON, sequence_number=number)
    assert refused.value.path == "sequence_number"


def test_only_ascii_digits_are_numbers_of_the_ddl() -> None:
    with pytest.raises(FormatError):
        odf.load_ddl("a DECIMAL(１０, 2)")


@pytest.mark.parametrize("function", [odf.check_system_columns, odf.with_system_columns])
@pytest.mark.parametrize("value", [{"offsetColumn": "o"}, ("a", "b", "c", "d"), "offset"], ids=type)
def test_a_vocabulary_is_a_vocabulary(function: Callable[..., Any], value: object) -> None:
    with pytest.raises(FormatError, match=r"Vocabulary\.of"):
        function(EMPTY, value)


@pytest.mark.parametrize("kind", ["SetVocab", "setVocab", "setvocab"])
def test_a_whole_set_vocab_event_is_a_vocabulary(kind: str) -> None:
    assert odf.Vocabulary.of({"kind": kind, "offsetColumn": "number"}).offset == "number"


@pytest.mark.parametrize("event", [None, 5, "SetVocab", {"kind": "SetInfo"}, {"kind": "SETVOCAB"}, {"kind": None}], ids=str)
def test_another_event_is_no_vocabulary(event: Any) -> None:
    with pytest.raises(FormatError) as refused:
        odf.Vocabulary.of(event)
    assert refused.value.code == "odf.vocabulary"


@pytest.mark.parametrize("value", [None, 5, b"2020-01-01T12:00:00Z"])
def test_a_time_is_text(value: Any) -> None:
    with pytest.raises(FormatError, match="is no time"):
        BlockTime.parse(value)


@pytest.mark.parametrize("make", [List, Option])
@pytest.mark.parametrize("reference_compatible", [True, False])
def test_types_made_by_hand_may_be_too_deep(make: Callable[[odf.DataType], odf.DataType], reference_compatible: bool) -> None:
    kind = odf.type_of("Int8")
    for _ in range(50_000):
        kind = make(kind)
    deep = odf.DataSchema((odf.DataField("a", kind),))
    if make is Option or not reference_compatible:
        with pytest.raises(FormatError, match="too deep"):
            odf.strip_encoding(deep, reference_compatible=reference_compatible)
    with pytest.raises(FormatError, match="too deep"):
        deep.normalize()
