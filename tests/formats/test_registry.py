"""Whatever language a schema comes in, it is read and written through the same two functions."""

from typing import Any

import pytest

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import FORMATS, Loss, dump, load, odf
from airflow_provider_schemas.formats.base import json_value
from airflow_provider_schemas.formats.registry import ODF_FORMATS

TEXTS = {
    "paimon": '{"id":0,"fields":[{"id":0,"name":"a","type":"INT"}],"highestFieldId":0,"partitionKeys":[],"primaryKeys":[],"options":{}}',
    "mini-paimon": '{"schemaId":0,"fields":[{"name":"a","type":"INT","nullable":true}],"primaryKeys":[],"partitionKeys":[]}',
    "iceberg": '{"type":"struct","schema-id":0,"fields":[{"id":0,"name":"a","required":false,"type":"int"}]}',
    "delta": '{"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,"metadata":{}}]}',
    "spark-json": '{"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,"metadata":{}}]}',
    "spark-ddl": "a INT",
    "table-file": "table: a.b\ncolumns: [{name: a, type: INT}]",
    "arrow": '{"fields":[{"name":"a","nullable":true,"type":{"name":"int","bitWidth":32,"isSigned":true},"children":[]}]}',
    "odf-json": '{"fields":[{"name":"a","type":{"kind":"Option","inner":{"kind":"Int32"}}}]}',
    "odf-yaml": "fields: [{name: a, type: {kind: Option, inner: Int32}}]",
}
READ = [name for name in FORMATS if name != "parquet-text"]  # which is written only
TABLES = [name for name in READ if name not in ODF_FORMATS]


@pytest.mark.parametrize("name", TABLES)
def test_every_format_says_the_same_schema_in_its_own_words(name: str) -> None:
    loaded = load(name, TEXTS[name])
    assert loaded.losses == ()
    assert [str(one) for one in loaded.schema.fields] == ["`a` INT"]
    assert load(name, dump(name, loaded.schema).text).schema.digest == loaded.schema.digest


@pytest.mark.parametrize("name", READ)
def test_bytes_are_read_like_text(name: str) -> None:
    wanted = content(load(name, TEXTS[name]).schema)
    assert content(load(name, TEXTS[name].encode()).schema) == wanted
    assert content(load(name, b"\xef\xbb\xbf" + TEXTS[name].encode()).schema) == wanted


def content(schema: Any) -> Any:
    """What it says. Not all formats know when a schema was made, so the time is that of reading."""
    return schema.content if isinstance(schema, TableSchema) else schema


@pytest.mark.parametrize("name", ODF_FORMATS)
def test_a_schema_of_odf_is_read_as_one_and_written_as_any_other(name: str) -> None:
    loaded = load(name, TEXTS[name])
    assert isinstance(loaded.schema, odf.DataSchema)
    assert load(name, dump(name, loaded.schema).text).schema == loaded.schema
    assert [str(one) for one in load("paimon", dump("paimon", loaded.schema).text).schema.fields] == ["`a` INT"]


@pytest.mark.parametrize("name", ODF_FORMATS)
def test_a_table_is_published_as_odf_with_what_that_costs(name: str) -> None:
    dumped = dump(name, TableSchema.create("a INT, m MULTISET<STRING>", primary_keys=["a"]))
    assert [str(one.type.kind) for one in odf.load(dumped.text).schema.fields] == ["Int32", "Option"]
    assert {one.path for one in dumped.losses} == {"", "m"}


def test_the_kinds_of_odf_are_written_for_arrow_as_they_are() -> None:
    schema = odf.load("fields: [{name: a, type: UInt64}]").schema
    assert "REQUIRED INT64 a (INTEGER(64,false));" in dump("parquet-text", schema).text
    assert '"isSigned": false' in dump("arrow", schema).text
    assert dump("arrow", schema).losses == ()


def test_the_text_of_parquet_is_written_and_not_read() -> None:
    assert "OPTIONAL INT32 a;" in dump("parquet-text", TableSchema.create("a INT")).text
    with pytest.raises(FormatError, match="written and not read"):
        load("parquet-text", "message schema { optional int32 a; }")


@pytest.mark.parametrize("name", ["avro", "", "PAIMON", None, 3, ["paimon"]])
def test_an_unknown_format_is_told_which_ones_there_are(name: Any) -> None:
    with pytest.raises(FormatError, match="parquet-text, spark-ddl, spark-json") as caught:
        load(name, "a INT")
    assert caught.value.code == "format.unknown"
    with pytest.raises(FormatError, match="is no format"):
        dump(name, TableSchema((), -1))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("schema", [None, 1, "a INT", {}])
def test_what_is_no_schema_is_written_in_no_format(name: str, schema: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        dump(name, schema)
    assert caught.value.code == "schema.no-schema"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("source", [None, 3, b"\xff\xfe", "\ud800", {}, "", "\x00"])
def test_what_is_no_text_of_the_language_is_refused(name: str, source: Any) -> None:
    with pytest.raises(SchemaError):
        load(name, source)


HOSTILE = {
    "brackets": "[" * 200_000,
    "braces": '{"type":' * 100_000,
    "structs": '{"type":"struct","fields":[{"name":"a","type":' * 5_000,
    "columns": "a STRUCT<" * 50_000,
    "arrays": "a ARRAY<" + "ARRAY<" * 100_000,
    "quotes that never close": "a INT COMMENT '" + "\\'" * 200_000,
    "back-quotes that never close": "`" * 200_001,
    "comments that never close": "/*" * 200_000,
    "comments": "/**/" * 50_000,
    "commas": "," * 200_000,
    "bad columns": "a," * 200_000,
    "many fields": '{"type":"struct","fields":[' + "1," * 200_000 + "1]}",
    "a long number": "a DECIMAL(" + "9" * 100_000 + ")",
    "a long JSON number": '{"schemaId":' + "9" * 100_000 + "}",
    "open brackets in a default": "a INT DEFAULT " + "(" * 200_000,
    "too long": "a" * 17_000_000,
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_refused_before_it_costs_much(name: str, hostile: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load(name, HOSTILE[hostile])
    assert len(str(caught.value)) < 20_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a":1,"a":2}', "json.duplicate-key"),
        ('[{"a":{"b":1,"b":1}}]', "json.duplicate-key"),
        ("NaN", "json.invalid"),
        ("[1,", "json.invalid"),
        ('"\\ud800"', "json.surrogate"),
        ('{"\\ud800":1}', "json.surrogate"),
        ("[" * 100_000, "json.too-deep"),
    ],
)
def test_json_is_read_strictly(text: str, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        json_value(text)
    assert caught.value.code == code


def test_a_loss_reads_as_a_sentence() -> None:
    assert str(Loss("a.b", "length", "it is gone.")) == "a.b: it is gone."
    assert str(Loss("", "ids", "they are gone.")) == "they are gone."
