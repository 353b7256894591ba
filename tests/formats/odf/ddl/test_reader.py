"""The DDL of sources: each row of the table of types, names, NOT NULL, and errors for all that the reference refuses or panics at."""

from contextlib import suppress
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.ddl.reader import MAX_DDL, load_ddl
from tests.support import damaged

TYPES = {
    "Option<Bool>": ["BOOL", "BOOLEAN"],
    "Option<Int32>": ["INT", "INTEGER", "SIGNED", "INT32", "INT(11)", "SIGNED INTEGER"],
    "Option<UInt32>": ["INT UNSIGNED", "UINT32", "INTEGER UNSIGNED", "int(10) unsigned", "UNSIGNED", "UNSIGNED INTEGER"],
    "Option<Int64>": ["BIGINT", "BIGINT(20)"],
    "Option<UInt64>": ["BIGINT UNSIGNED"],
    "Option<Float32>": ["FLOAT", "FLOAT(10)", "FLOAT32"],
    "Option<Float64>": ["DOUBLE"],
    "Option<String>": ["STRING", "VARCHAR", "VARCHAR(10)", "TEXT", "TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "string", "VARCHAR(MAX)"],
    "Option<Timestamp>": [
        *("TIMESTAMP", "TIMESTAMP(9)", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP(3) WITHOUT TIME ZONE", "TIMESTAMPTZ", "timestamptz(6)"),
    ],
    "Option<List<Option<Int32>>>": ["ARRAY<INT>", "array < int >"],
    "Option<List<Date>>": ["ARRAY<DATE>"],
    "Option<List<Option<List<Decimal(10, 2)>>>>": ["ARRAY<ARRAY<DECIMAL(10, 2)>>"],
    "Decimal(10, 2)": ["DECIMAL(10,2)", "decimal( 10 , 2 )"],
    "Decimal(10, -2)": ["DECIMAL(10, -2)"],
    "Date": ["DATE"],
}
UNSUPPORTED = {
    "TINYINT": "INT",
    "SMALLINT": "INT",
    "INT4": "INT",
    "INT8": "BIGINT",
    "INT64": "BIGINT",
    "UINT64": "BIGINT UNSIGNED",
    "FLOAT64": "DOUBLE",
    "REAL": "FLOAT",
    "DOUBLE PRECISION": "DOUBLE",
    "DECIMAL": "DECIMAL(p, s)",
    "DECIMAL(10)": "DECIMAL(10, 0)",
    "DEC(10,2)": "DECIMAL(p, s)",
    "NUMERIC": "DECIMAL(p, s)",
    "CHAR": "STRING",
    "BINARY": "Binary",
    "VARBINARY": "Binary",
    "BYTEA": "Binary",
    "BLOB": "Binary",
    "TIME": "Time",
    "DATETIME": "TIMESTAMP",
    "INTERVAL": "Duration",
    "UUID": "STRING",
    "JSON": "STRING",
    "STRUCT<x INT>": "Struct",
    "MAP<INT, INT>": "Map",
    "INT[]": "ARRAY<T>",
    "FANCY": "BIGINT",
    '"INT"': "TYPE",
}


def kinds(text: Any, **about: Any) -> list[str]:
    return [type_text(one.type) for one in load_ddl(text, **about).fields]


def refused(text: Any, **about: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        load_ddl(text, **about)
    return caught.value


@pytest.mark.parametrize(("kind", "spelled"), [(kind, one) for kind, some in TYPES.items() for one in some])
def test_each_name_stands_for_its_type(kind: str, spelled: str) -> None:
    assert kinds(f"a {spelled}") == [kind]
    required = kind.removeprefix("Option<")[:-1] if kind.startswith("Option<") else kind
    assert kinds(f"a {spelled} NOT NULL, b {spelled}", reference_compatible=True) == [required, kind]


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(("spelled", "instead"), UNSUPPORTED.items())
def test_other_types_are_refused_with_what_to_write_instead(spelled: str, instead: str, compatible: bool) -> None:
    error = refused(f"b INT, a {spelled}", reference_compatible=compatible)
    assert error.path == "a"
    assert instead in error.fix


@pytest.mark.parametrize(
    "option", ["NULL", "DEFAULT 'x'", "DEFAULT 3", "COMMENT 'x'", "PRIMARY KEY", "UNIQUE", "CHECK (a > 1)", "COLLATE x"]
)
def test_a_column_may_say_nothing_but_not_null(option: str) -> None:
    for text in (f"a STRING {option}", f"a STRING NOT NULL {option}", f"a STRING {option}, b INT"):
        assert refused(text).code == "odf.ddl-syntax"


def test_items_cannot_be_required() -> None:
    error = refused("a ARRAY<STRING NOT NULL>")
    assert "always optional" in error.fix


def test_dates_and_decimals_are_required_as_in_the_reference_unless_one_asks() -> None:
    text = "a DATE, b DECIMAL(5, 1), c ARRAY<DATE>, d DATE NOT NULL"
    assert kinds(text) == ["Date", "Decimal(5, 1)", "Option<List<Date>>", "Date"]
    assert kinds(text, optional_scalars=True) == ["Option<Date>", "Option<Decimal(5, 1)>", "Option<List<Option<Date>>>", "Date"]


# ---------------------------------------------------------------- names


def test_names_keep_their_case_may_be_quoted_and_given_twice() -> None:
    text = 'Name STRING, "a ""b"" c" INT, `x``y` INT, "" INT, _x1 INT, überfluß INT, Name INT'
    assert load_ddl(text).names == ("Name", 'a "b" c', "x`y", "", "_x1", "überfluß", "Name")


RESERVED = ["key", "INDEX", "primary", "unique", "check", "foreign", "constraint"]


@pytest.mark.parametrize("name", RESERVED)
def test_words_that_begin_a_constraint_are_names_before_a_type_and_the_reference_wants_quotes(name: str) -> None:
    assert load_ddl(f"{name} TEXT, b INT").names == (name, "b")
    assert load_ddl(f'"{name}" TEXT', reference_compatible=True).names == (name,)
    assert f'"{name}"' in refused(f"{name} TEXT", reference_compatible=True).fix


@pytest.mark.parametrize("text", ["a INT, PRIMARY KEY (a)", "UNIQUE (a)", "a INT, CONSTRAINT c UNIQUE (a)", "a INT, INDEX (a)"])
def test_constraints_have_no_place(text: str) -> None:
    for compatible in (False, True):
        assert refused(text, reference_compatible=compatible).code == "odf.ddl-syntax"


@pytest.mark.parametrize("text", ["5 INT", "'a' INT", "INT", "a", "a,", "a INT,", ", a INT", "a INT b INT", "a INT)", '"a INT', "a.b INT"])
def test_what_is_no_list_of_columns_is_refused(text: str) -> None:
    for compatible in (False, True):
        assert refused(text, reference_compatible=compatible).code.startswith("odf.ddl")


# ---------------------------------------------------------------- the text


def test_lists_are_joined_and_comments_passed_over() -> None:
    assert load_ddl(["a INT", "b STRING NOT NULL"]) == load_ddl("a INT, b STRING NOT NULL")
    assert load_ddl("a INT, -- the id\n/* and /* a */ name */ b STRING NOT NULL -- end") == load_ddl("a INT, b STRING NOT NULL")
    assert load_ddl("") == load_ddl([]) == load_ddl(" \n", reference_compatible=True)
    assert load_ddl("").fields == ()


def test_statements_that_follow_are_passed_over_only_as_the_reference_does() -> None:
    text = "a INT); DROP TABLE x; --"
    assert load_ddl(text, reference_compatible=True).names == ("a",)
    assert refused(text).code == "odf.ddl-syntax"
    assert load_ddl("a INT) --", reference_compatible=True).names == ("a",)
    assert refused("a INT) --").code == "odf.ddl-syntax"


def test_all_faults_are_told_at_once() -> None:
    error = refused("a TINYINT, b INT NULL, c STRUCT<x INT, y INT>, d BIGINT")
    assert [(one.path, one.code) for one in error.faults] == [("a", "odf.ddl-type"), ("b", "odf.ddl-syntax"), ("c", "odf.ddl-type")]


def test_limits() -> None:
    assert refused("a " + "ARRAY<" * 500 + "INT" + ">" * 500).code == "odf.too-deep"
    assert refused("x" * (MAX_DDL + 1)).code == "format.too-large"
    assert refused(f"a DECIMAL({2**32}, 2)").code == "odf.ddl-syntax"
    assert refused(f"a VARCHAR({'9' * 5000})").code == "odf.ddl-syntax"
    assert refused("a INT, \ud800 INT").code == "json.surrogate"


@pytest.mark.parametrize("source", [5, None, [3], [["a INT"]], {"a": "INT"}])
def test_what_is_no_text_is_told(source: Any) -> None:
    assert refused(source).code == "format.wrong-type"


WORDS = st.sampled_from([
    *("a", "b", '"q"', "`w`", "'s'", "INT", "ARRAY", "DECIMAL", "DATE", "NOT", "NULL", "key", "UNSIGNED", "TIMESTAMP", "WITH", "TIME"),
    *("ZONE", "(", ")", "<", ">", ",", "10", ";", "--", "/*", "*/", '"', "\n", "é", "\x00", "²", "DOUBLE", "PRECISION", "-"),
])  # fmt: skip


@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=40), st.booleans())
def test_any_text_is_read_or_refused(text: str, compatible: bool) -> None:
    with suppress(FormatError):
        load_ddl(text, reference_compatible=compatible)


COLUMN_TYPES = st.sampled_from([*chain.from_iterable(TYPES.values())])
COLUMNS = st.builds(lambda name, kind: f"{name} {kind}", st.sampled_from(["a", '"q"', "`w`", "é"]), COLUMN_TYPES)
TABLES = st.lists(COLUMNS, min_size=1, max_size=4).map(", ".join)


@given(damaged.mostly(damaged.texts(TABLES, WORDS), st.lists(WORDS, max_size=12).map(" ".join)))
def test_what_the_reference_reads_we_read_alike_but_for_statements_that_follow(text: str) -> None:
    try:
        theirs = load_ddl(text, reference_compatible=True)
    except FormatError:
        return
    if ";" not in text and "--" not in text:  # a bracket in the text may close the list for it, and hide the rest
        assert load_ddl(text) == theirs
