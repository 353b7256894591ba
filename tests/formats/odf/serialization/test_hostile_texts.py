"""Whatever bytes come, the readers of documents answer with a schema or with an error of ours, and soon."""

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization import json_text, yaml_text
from airflow_provider_schemas.formats.odf.serialization.manifests import event_manifest
from tests.formats.odf.support.strategies import schemas

READERS: dict[str, Callable[[str | bytes], Any]] = {"YAML": yaml_text.documents, "JSON": json_text.documents}
LOADERS: dict[str, Callable[[str | bytes], Any]] = {"YAML": yaml_text.load, "JSON": json_text.load}
by_reader = pytest.mark.parametrize("reader", READERS)
_LAUGHS = "".join(f"- &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghijkl"))
_FIELD = "{name: a, type: {kind: Struct, fields: "
HOSTILE: dict[str, Any] = {
    "nothing": b"",
    "no UTF-8": b"\xff\xfe\x00",
    "no text": None,
    "half a pair": "fields: [{name: \ud800, type: String}]",
    "laughs": f"- &a [x, x]\n{_LAUGHS}",
    "shared structs": "fields:\n- {name: a, type: &a String}\n"
    + "".join(
        f"- {{name: {b}, type: &{b} {{kind: Struct, fields: [{', '.join([f'{{name: x, type: *{a}}}'] * 9)}]}}}}\n"
        for a, b in pairwise("abcdefghij")
    ),
    "deep structs": "fields: [" + _FIELD * 5_000,
    "closed deep structs": "fields: [" + (_FIELD + "[") * 90 + "]}}" * 90 + "]",
    "deep attributes": "fields: []\nextra: {a: " + "[" * 5_000,
    "deep JSON": '{"fields":[],"extra":{"a":' + "[" * 5_000 + "]" * 5_000 + "}}",
    "many faults": "fields:\n" + "- {nam: 5, typ: 5}\n" * 20_000,
    "many repeated keys": "{" + ",".join(['"fields":[]'] * 50_000) + "}",
    "many keys": "{" + ",".join(f'"{number}":1' for number in range(50_000)) + "}",
    "a long kind": f'{{"fields":[{{"name":"a","type":"{"Int" * 300_000}"}}]}}',
    "a long number": '{"fields":[],"extra":{"a":' + "9" * 100_000 + "}}",
    "many documents": "---\na: 1\n" * 50_000,
    "many numbers as keys": "extra: {" + ", ".join(f"{number}: 1" for number in range(20_000)) + "}\nkind: SetDataSchema",
}


@by_reader
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_text_is_refused_before_it_costs_much(reader: str, hostile: str) -> None:
    with pytest.raises(FormatError) as caught:
        LOADERS[reader](HOSTILE[hostile])
    assert len(str(caught.value)) < 30_000
    assert len(caught.value.faults) <= 1_001


@by_reader
@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(reader: str, data: bytes) -> None:
    with suppress(FormatError):
        READERS[reader](data)


_PIECES = [
    "fields:",
    "- name: a",
    "  type: ",
    "kind: ",
    "{",
    "}",
    "[",
    "]",
    "extra",
    "Null",
    "5",
    "&a ",
    "*a",
    ".inf",
    "\n",
    "  ",
    "!!x",
    "---\n",
    ",",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_any_scraps_of_a_document_are_read_or_refused(text: str) -> None:
    with suppress(FormatError):
        yaml_text.documents(text)


@st.composite
def broken(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A manifest as YAML, and a schema as JSON, with some bytes changed, lost or more."""
    schema: DataSchema = draw(schemas)
    found = []
    for text in (yaml_text.plain_text(event_manifest(schema)), json_text.dump(schema).text):
        data = bytearray(text.encode())
        for _ in range(draw(st.integers(1, 4))):
            place = draw(st.integers(0, len(data)))
            data[place : place + draw(st.integers(0, 3))] = draw(
                st.binary(max_size=3) | st.sampled_from([b":", b"\n", b"'", b"[", b"&a ", b"*a"])
            )
        found.append(bytes(data))
    return found[0], found[1]


@given(broken())
def test_a_broken_document_is_read_or_refused(texts: tuple[bytes, bytes]) -> None:
    for reader, text in zip(READERS.values(), texts, strict=True):
        with suppress(FormatError):
            reader(text)
