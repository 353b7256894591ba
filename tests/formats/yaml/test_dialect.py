"""YAML as Rust's serde takes and writes it: on request, beside the strict reading and the careful writing of ours."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attributes import float_text
from airflow_provider_schemas.formats.yaml import Dialect, read, read_all, reading, serde_style, serde_value, write
from tests.formats.odf.support.strategies import texts, values

SERDE = Dialect(value_of=serde_value, anchors=True, texts=True, repeats=lambda path: "extra" in path)
STYLE = serde_style(float_text)


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with both parsers of PyYAML."""
    if request.param == "Python":
        monkeypatch.setattr(reading, "_LOADER", pyyaml.SafeLoader)


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(text, text) for text in ("yes", "no", "on", "off", "+10:30", "-10:00", "+07:30", "12:30:45", "2020-01-01", "1_000")],
        *[
            (text, text)
            for text in ("017", "-017", "00", "1e999", "0b12", "0x", "0X1F", "1__0", ".", "+", "-", "infinity", "nan", "<<", "=")
        ],
        *[("1e16", 1e16), ("1e-7", 1e-7), (".5", 0.5), ("1.", 1.0), ("-.5", -0.5), ("+1.5E+3", 1500.0), ("01.5", 1.5)],
        *[("0o17", 15), ("0b11", 3), ("0x1F", 31), ("+5", 5), ("-0x1f", -31), ("+0b1", 1), ("-0o7", -7), ("0", 0), ("-0", 0)],
        *[("true", True), ("True", True), ("TRUE", True), ("false", False), ("tRUE", "tRUE")],
        *[("null", None), ("Null", None), ("NULL", None), ("~", None), ("nULL", "nULL")],
        *[(".inf", float("inf")), ("-.Inf", float("-inf")), ("+.INF", float("inf")), (".iNF", ".iNF")],
    ],
)
def test_a_scalar_means_what_serde_says(text: str, value: Any) -> None:
    found = read(f"key: {text}", SERDE).value["key"] if text != "-" else serde_value(text)
    assert (type(found), found) == (type(value), value)


def test_nan_is_a_number() -> None:
    assert [repr(one) for one in read("[.nan, .NaN, .NAN]", SERDE).value] == ["nan"] * 3


def test_a_number_of_hundreds_of_digits_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        read("a: " + "9" * 5_000, SERDE)
    assert caught.value.code == "yaml.number"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x [1, {b: 2}]\nc: *x\n", {"a": [1, {"b": 2}], "c": [1, {"b": 2}]}),
        ("a: &x 5\nb: *x\n", {"a": 5, "b": 5}),
        ("a: &x k\n*x : 1\n", {"a": "k", "k": 1}),
        ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
        ("a: &x [&y 1, *y]\nb: &y 2\nc: *x\nd: *y\n", {"a": [1, 1], "b": 2, "c": [1, 1], "d": 2}),
        ("a: &x {b: &y [1]}\nc: &z [*x, *y]\nd: [*z]\n", {"a": {"b": [1]}, "c": [{"b": [1]}, [1]], "d": [[{"b": [1]}, [1]]]}),
        ("base: &b {x: 1}\na:\n  <<: *b\n", {"base": {"x": 1}, "a": {"<<": {"x": 1}}}),
        ("&all {a: 1}", {"a": 1}),
    ],
)
def test_a_name_stands_for_what_it_names(text: str, value: Any) -> None:
    assert read(text, SERDE).value == value


@pytest.mark.parametrize("text", ["a: *x", "a: &x [*x]", "*x : 1", "a: &x 1\n---\nb: *x"])
def test_a_name_that_names_nothing_yet_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_all(text, SERDE)
    assert caught.value.code == "yaml.alias"


LAUGHS = "a: &a [x, x, x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghijk"))
LONG = f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 1_000)}]\n"
STREAM = "---\na: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n" * 20_000


@pytest.mark.parametrize("text", [LAUGHS, LONG, STREAM], ids=["billion laughs", "a long text", "many documents"])
def test_names_do_not_make_a_document_grow_without_end(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_all(text, SERDE)
    assert caught.value.code == "yaml.too-large"


def test_tags_are_refused() -> None:
    with pytest.raises(FormatError) as caught:
        read("a: !!str 5\nb: !x y", SERDE)
    assert [fault.code for fault in caught.value.faults] == ["yaml.tag"] * 2


def test_a_key_may_stand_twice_where_that_is_asked_for() -> None:
    assert read("extra: {a: 1, a: {b: 1, b: 2}}", SERDE).value == {"extra": {"a": {"b": 2}}}
    with pytest.raises(FormatError) as caught:
        read("a: 1\nextra: {}\na: 2", SERDE)
    assert caught.value.code == "yaml.duplicate-key"


def test_the_text_of_what_is_no_text_is_handed_out() -> None:
    document = read("a: 0x1F\nb: '5'\nc: [~, x, &n 1.50, *n]\n5: {true: z}\nd:\n", SERDE)
    assert document.texts == {("a",): "0x1F", ("c", 0): "~", ("c", 2): "1.50", ("c", 3): "1.50", ("d",): ""}
    assert document.odd_keys == {("5",), ("5", "true")}


def test_the_strict_reading_hands_out_no_texts() -> None:
    document = read("a: 5\n5: a")
    assert not document.texts
    assert not document.odd_keys


def test_a_stream_has_its_documents_in_order() -> None:
    assert [one.value for one in read_all("a: 1\n---\n- b\n---\n...\n")] == [{"a": 1}, ["b"], None]
    assert read_all("") == ()
    with pytest.raises(FormatError) as caught:
        read_all("a: 1\na: 2\n---\nb: 1\nb: 2\n")
    assert [fault.message[:6] for fault in caught.value.faults] == ["line 2", "line 5"]


# ---------------------------------------------------------------- writing


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[
            (text, text)
            for text in ("yes", "no", "on", "off", "+10:30", "-10:00", "12:30:45", "2020-01-01", "1_000", "1e999", "a#b", "a:b")
        ],
        *[(text, text) for text in ("it's", 'a "b"', "-a", "?a", ":a", "<<", "=", "~a", "日本 😀", "-?", "a, b", "a{b}", "x*", "x" * 300)],
        *[(text, f"'{text}'") for text in ("true", "null", "~", "", "5", "1.5", "0x1F", "0b1", ".inf", "017", "+5", "Null", "1e16")],
        *[
            (text, f"'{text}'")
            for text in ("@a", "#a", "- a", "-", "%a", "[a", "*a", "{a", "!a", "&a", "|", ">", "`a", '"a', ",a", "?", ": a")
        ],
        *[(text, f"'{text}'") for text in ("a ", " a", "a: b", "a #b", "a:", "---", "--- a", "...")],
        ("'a", "'''a'"),
        ("a\tb", '"a\\tb"'),
        ("a\rb\x00\x7f\x85\u2028\ufeff", '"a\\rb\\0\\x7F\\N\\L\\uFEFF"'),
        ("a\nb", "|-\n  a\n  b"),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\n\nb\n\n", "|+\n  a\n\n  b\n"),
        (" a\nb", "|2-\n   a\n  b"),
        ("a \nb", '"a \\nb"'),
        ("a\tb\nc", '"a\\tb\\nc"'),
        (1.0, "1.0"),
        (1e16, "1e16"),
        (1e-7, "1e-7"),
        (0.00001, "0.00001"),
        ([], "[]"),
        ({}, "{}"),
        ({"a": [{"b": 1, "c": [2]}, [3, [4]]]}, "a:\n- b: 1\n  c:\n  - 2\n- - 3\n  - - 4"),
        ({"a": {"b": "x\ny"}}, "a:\n  b: |-\n    x\n    y"),
        ({"a": ["x\ny"]}, "a:\n- |-\n  x\n  y"),
        ({"5": None, "": True, "a\tb": []}, "'5': null\n'': true\n\"a\\tb\": []"),
        ({"k" * 129: {"a": 1}}, f"? {'k' * 129}\n: a: 1"),
        ({"a\nb": [1]}, "? |-\n  a\n  b\n: - 1"),
    ],
)
def test_text_is_quoted_only_where_serde_would_misread_it(value: Any, text: str) -> None:
    assert write(value, STYLE) == f"{text}\n"


@given(values)
def test_what_is_written_reads_back_as_the_same_value(value: Any) -> None:
    back = read(write({"a": value}, STYLE), SERDE).value
    assert json.dumps(back) == json.dumps({"a": value})


def test_deep_values_are_refused() -> None:
    value: Any = 1
    for _ in range(1_000):
        value = [value]
    with pytest.raises(FormatError) as caught:
        write(value, STYLE)
    assert caught.value.code == "yaml.too-deep"


# serde writes through libyaml, translated to Rust. PyYAML's emitter in C is libyaml, so it must write the same.

libyaml = pytest.mark.skipif(not hasattr(pyyaml, "CDumper"), reason="this PyYAML was built without libyaml")


def _events(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield pyyaml.MappingStartEvent(None, None, True, flow_style=False)
        for entry in value.items():
            for one in entry:
                yield from _events(one)
        yield pyyaml.MappingEndEvent()
    elif isinstance(value, list):
        yield pyyaml.SequenceStartEvent(None, None, True, flow_style=False)
        for one in value:
            yield from _events(one)
        yield pyyaml.SequenceEndEvent()
    else:
        text = value if isinstance(value, str) else float_text(value) if isinstance(value, float) else json.dumps(value)
        yield pyyaml.ScalarEvent(None, None, (True, True), text, style=_asked_for(value))


def _asked_for(value: Any) -> str:
    """The style that serde asks libyaml for."""
    if not isinstance(value, str):
        return ""
    if "\n" in value:
        return "|"
    try:
        return "" if serde_value(value) == value and not re.fullmatch("[-+]?0[0-9]+", value) else "'"
    except ValueError:
        return "'"


# libyaml in C escapes what is beyond the first plane, and its translation does not; the odd line ends we escape.
_OTHERWISE = re.compile("[\x85\u2028\u2029\U00010000-\U0010ffff]")


def _plain(value: Any) -> Any:
    return json.loads(_OTHERWISE.sub("x", json.dumps(value, ensure_ascii=False)))


@libyaml
@given(st.dictionaries(texts, values, min_size=1, max_size=3).map(_plain))
def test_libyaml_writes_the_same_bytes(value: Any) -> None:
    events = [
        pyyaml.StreamStartEvent(),
        pyyaml.DocumentStartEvent(explicit=False),
        *_events(value),
        pyyaml.DocumentEndEvent(explicit=False),
    ]
    assert write(value, STYLE) == pyyaml.emit(events, Dumper=pyyaml.CDumper, allow_unicode=True, width=2**30)
