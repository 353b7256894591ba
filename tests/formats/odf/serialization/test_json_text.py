"""ODF's JSON is one line, in the order of documents, and read strictly."""

import json

import pytest
from hypothesis import given

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, Binary, DataField, List, Map, Option, Struct, Timestamp
from airflow_provider_schemas.formats.odf.serialization.json_text import dump, load
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from tests.formats.odf.support.strategies import schemas


def test_a_schema_is_one_line_in_the_order_of_documents() -> None:
    inner = Struct((DataField('é"\n', Timestamp(None, "UTC"), Attributes({"b": 1e16, "a": 1.0})),))
    schema = DataSchema((DataField("m", Map(PLAIN[Kind.NULL], Option(List(inner, 2)), True), Attributes({})), DataField("b", Binary())))
    assert dump(schema).text == (
        '{"fields":[{"name":"m","type":{"kind":"Map","keyType":{"kind":"Null"},"valueType":{"kind":"Option","inner":{"kind":"List","itemType":'
        '{"kind":"Struct","fields":[{"name":"é\\"\\n","type":{"kind":"Timestamp","timezone":"UTC"},"extra":{"a":1.0,"b":1e16}}]},"fixedLength":2}},'
        '"keysSorted":true},"extra":{}},{"name":"b","type":{"kind":"Binary"}}]}'
    )


@given(schemas)
def test_what_is_written_reads_back_and_is_json(schema: DataSchema) -> None:
    text = dump(schema).text
    assert load(text).schema == schema
    assert dump(load(text).schema).text == text
    assert json.dumps(json.loads(text)) == json.dumps(of_schema(schema))
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('{"fields":[],"fields":[]}', [("json.duplicate-key", "fields")]),
        ('{"fields":[{"name":"a","name":"b","type":"String"}]}', [("json.duplicate-key", "fields[0].name")]),
        (
            '{"fields":[{"name":"a","type":{"kind":"Option","inner":"x","inner":"y"}}],"fields2":1}',
            [("json.duplicate-key", "fields[0].type.inner"), ("odf.unknown-key", "fields2"), ("odf.unknown-kind", "fields[0].type.inner")],
        ),
        ('{"fields":[],"extra":{},"extra":{}}', [("json.duplicate-key", "extra")]),
        ('{"fields":[{"name":5,"type":"String"}]}', [("odf.wrong-type", "fields[0].name")]),
        ('{"fields":[{"name":"a","type":{"kind":null}}]}', [("odf.wrong-type", "fields[0].type.kind")]),
        ('{"fields":[],"extra":{"a":18446744073709551616}}', [("odf.number", "extra.a")]),
        ('{"fields":[],"extra":{"a":[1e999]}}', [("odf.number", "extra.a[0]")]),
        ('{"fields":[],"extra":{"a":NaN}}', [("json.invalid", "")]),
        ('{"fields":[],"extra":{"a":"\\ud800"}}', [("json.surrogate", "")]),
        ('{"fields":[]', [("json.invalid", "")]),
        ("", [("json.invalid", "")]),
        ("[" * 100_000, [("json.too-deep", "")]),
        ("[]", [("odf.no-schema", "")]),
        ("5", [("odf.wrong-type", "")]),
    ],
)
def test_what_is_no_schema_is_refused(text: str, codes: list[tuple[str, str]]) -> None:
    with pytest.raises(FormatError) as caught:
        load(text)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == codes
    assert all(fault.fix for fault in caught.value.faults)


def test_in_attributes_the_last_of_equal_keys_counts() -> None:
    assert load('{"fields":[],"extra":{"a":1,"a":{"b":1,"b":2}}}').schema.extra == Attributes({"a": {"b": 2}})


def test_envelopes_are_read_from_json_as_well() -> None:
    text = '{"kind":"MetadataEvent","version":1,"content":{"kind":"SetDataSchema","schema":{"fields":[{"name":"a","type":"int64"}]}}}'
    assert load(text).schema == DataSchema((DataField("a", PLAIN[Kind.INT64]),))
