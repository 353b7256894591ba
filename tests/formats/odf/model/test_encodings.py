"""The attributes about Arrow are read when somebody asks, strictly, in every spelling."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.encodings import (
    BUFFER,
    DATE,
    DECIMAL,
    BufferEncoding,
    BufferKind,
    DateEncoding,
    DateUnit,
    DecimalEncoding,
    Encoding,
    encoding_of,
    with_encoding,
)
from tests.formats.odf.support.strategies import extras

widths = st.integers(0, 2**32 - 1)
encodings: st.SearchStrategy[Encoding] = st.one_of(
    st.builds(BufferEncoding, st.sampled_from(BufferKind), st.none() | widths),
    st.builds(DateEncoding, st.sampled_from(DateUnit)),
    st.builds(DecimalEncoding, widths),
)


@pytest.mark.parametrize(
    ("key", "value", "encoding"),
    [
        (BUFFER, {"kind": "Contiguous"}, BufferEncoding(BufferKind.CONTIGUOUS)),
        (BUFFER, {"kind": "contiguous", "offsetBitWidth": 64}, BufferEncoding(BufferKind.CONTIGUOUS, 64)),
        (BUFFER, {"kind": "view", "offsetBitWidth": None}, BufferEncoding(BufferKind.VIEW)),
        (BUFFER, {"offsetBitWidth": 32, "kind": "View"}, BufferEncoding(BufferKind.VIEW, 32)),
        (BUFFER, {"kind": "RunEnd", "runEndsBitWidth": 32}, BufferEncoding(BufferKind.RUN_END, 32)),
        (BUFFER, {"kind": "runEnd"}, BufferEncoding(BufferKind.RUN_END)),
        (BUFFER, {"kind": "runend"}, BufferEncoding(BufferKind.RUN_END)),
        (DATE, {"unit": "Day"}, DateEncoding(DateUnit.DAY)),
        (DATE, {"unit": "millisecond"}, DateEncoding(DateUnit.MILLISECOND)),
        (DECIMAL, {"bitWidth": 128}, DecimalEncoding(128)),
    ],
)
def test_an_encoding_is_read_in_every_spelling(key: str, value: Any, encoding: Encoding) -> None:
    assert encoding_of(Attributes({key: value, "x.com/other": 1})) == encoding


@pytest.mark.parametrize(
    ("key", "value", "code", "path"),
    [
        (BUFFER, {"kind": "VIEW"}, "odf.unknown-kind", f"{BUFFER}.kind"),
        (BUFFER, {}, "odf.missing-key", f"{BUFFER}.kind"),
        (BUFFER, "View", "odf.wrong-type", BUFFER),
        (BUFFER, {"kind": "View", "runEndsBitWidth": 32}, "odf.unknown-key", f"{BUFFER}.runEndsBitWidth"),
        (BUFFER, {"kind": "RunEnd", "offsetBitWidth": 32}, "odf.unknown-key", f"{BUFFER}.offsetBitWidth"),
        (BUFFER, {"kind": "View", "offsetBitWidth": "32"}, "odf.wrong-type", f"{BUFFER}.offsetBitWidth"),
        (BUFFER, {"kind": "View", "offsetBitWidth": -1}, "odf.number", f"{BUFFER}.offsetBitWidth"),
        (BUFFER, {"kind": "View", "offsetBitWidth": 2**32}, "odf.number", f"{BUFFER}.offsetBitWidth"),
        (DATE, {}, "odf.missing-key", f"{DATE}.unit"),
        (DATE, {"unit": None}, "odf.wrong-type", f"{DATE}.unit"),
        (DATE, {"unit": "Second"}, "odf.unknown-word", f"{DATE}.unit"),
        (DATE, None, "odf.wrong-type", DATE),
        (DECIMAL, {"bitWidth": 64, "bits": 1}, "odf.unknown-key", f"{DECIMAL}.bits"),
        (DECIMAL, {"bitWidth": 64.0}, "odf.wrong-type", f"{DECIMAL}.bitWidth"),
        (DECIMAL, {"bitWidth": True}, "odf.wrong-type", f"{DECIMAL}.bitWidth"),
    ],
)
def test_a_malformed_encoding_is_refused_where_it_is_asked_for(key: str, value: Any, code: str, path: str) -> None:
    extra = Attributes({key: value})
    with pytest.raises(FormatError) as caught:
        encoding_of(extra)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [(code, path)]
    assert caught.value.fix


def test_two_encodings_are_one_too_many() -> None:
    with pytest.raises(FormatError) as caught:
        encoding_of(Attributes({BUFFER: {"kind": "View"}, DATE: {"unit": "Day"}}))
    assert caught.value.code == "odf.encodings"


@pytest.mark.parametrize("extra", [None, Attributes({}), Attributes({"arrow.apache.org/offsetBitWidth": 32}), Attributes({"x": BUFFER})])
def test_a_field_may_say_nothing_about_its_encoding(extra: Attributes | None) -> None:
    assert encoding_of(extra) is None


@given(extras, encodings)
def test_an_encoding_that_is_set_is_the_one_that_is_read(extra: Attributes | None, encoding: Encoding) -> None:
    assert encoding_of(with_encoding(extra, encoding)) == encoding


@given(extras, encodings, encodings)
def test_an_encoding_takes_the_place_of_another_and_leaves_the_rest(extra: Attributes | None, one: Encoding, other: Encoding) -> None:
    assert with_encoding(with_encoding(extra, one), other) == with_encoding(extra, other)
    assert with_encoding(extra, one).without(BUFFER, DATE, DECIMAL) == (extra or Attributes({})).without(BUFFER, DATE, DECIMAL)
