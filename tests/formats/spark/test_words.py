"""The words of Spark's DDL are told apart as Spark tells them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.spark.words import SparkToken, string_value, tokens


def words(text: str) -> list[tuple[str, str]]:
    found: list[SparkToken] = []
    for token in tokens(text):
        if token.kind == "end":
            break
        found.append(token)
    return [(token.kind, token.text) for token in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a:INT", [("word", "a"), ("mark", ":"), ("word", "INT")]),
        ("`a``b` 1a", [("name", "a`b"), ("word", "1a")]),
        ("a -- c\nb", [("word", "a"), ("word", "b")]),
        ("a -- c \\\nstill c\nb", [("word", "a"), ("word", "b")]),
        ("a /* x /* nested */ y */ b", [("word", "a"), ("word", "b")]),
        ("a /* x", [("word", "a"), ("open", "/*")]),
        ("'a' 'b\\'c' \"d\"", [("string", "'a'"), ("string", "'b\\'c'"), ("string", '"d"')]),
        ("'a\\", [("open", "'")]),
        ("`a", [("open", "`")]),
        (">>", [("mark", ">"), ("mark", ">")]),
    ],
)
def test_a_text_falls_into_words(text: str, found: list[tuple[str, str]]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it's"),
        ("'it\\'s'", "it's"),
        ('"x""y"', 'x"y'),
        ("'x\"\"y'", 'x""y'),
        ("r'a\\n'", "a\\n"),
        ("'a\\tb\\0c\\u00e9\\U0001F600\\101\\%\\_\\q\\Z'", "a\tb\0cé😀A\\%\\_q\x1a"),
        ("'\\1b\\12c\\1234d'", "1b12cS4d"),
        ("'\\u12'", "u12"),
        ("'\\ud83d\\ude00'", "😀"),
    ],
)
def test_a_string_means_what_spark_takes_it_for(text: str, value: str) -> None:
    assert string_value(text) == value


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(SchemaError):
        string_value("'\\ud83d'")


@given(st.text(st.sampled_from("a1 \t\n'\"`\\-/*<>(),:rR"), max_size=30))
def test_words_cover_the_text_in_order(text: str) -> None:
    stop = 0
    for token in tokens(text):
        assert token.start >= stop
        stop = token.stop
        if token.kind == "end":
            break
