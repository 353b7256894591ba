"""The text of a Parquet file's schema is read into fields, ids and all; what cannot be read is said."""

import pytest

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.spark.files.parquet_schema_text import parse


def _paths(text: str) -> list[list[str]]:
    """The names on the way to each column that is no group, where no name has blanks."""
    found: list[list[str]] = []
    way: list[str] = []
    for line in text.split("\n"):
        if line == "}":
            way.pop()
            continue
        words = line.strip(" ;{").split()
        if line.endswith("{"):
            way.append(words[2])
        else:
            found.append([*way, words[2]])
    return found


def _read(text: str) -> tuple[Field, ...]:
    return parse(f"message m {{\n{text}\n}}\n", _paths(text))


def _types(text: str) -> dict[str, str]:
    return {one.name: str(one.type) for one in _read(text)}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("optional int32 a;", "INT"),
        ("required int64 a = 7;", "BIGINT NOT NULL"),
        ("optional boolean a;", "BOOLEAN"),
        ("optional float a;", "FLOAT"),
        ("optional double a;", "DOUBLE"),
        ("optional int96 a;", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        ("optional binary a;", "BYTES"),
        ("optional binary a (STRING);", "STRING"),
        ("optional binary a (ENUM);", "STRING"),
        ("optional binary a (JSON);", "STRING"),
        ("optional int32 a (INTEGER(8,true));", "TINYINT"),
        ("optional int32 a (INTEGER(16,true));", "SMALLINT"),
        ("optional int32 a (INTEGER(32,true));", "INT"),
        ("optional int32 a (INTEGER(32,false));", "BIGINT"),
        ("optional int64 a (INTEGER(64,false));", "DECIMAL(20, 0)"),
        ("optional int32 a (DATE) = 3;", "DATE"),
        ("optional int32 a (DECIMAL(9,2));", "DECIMAL(9, 2)"),
        ("optional fixed_len_byte_array(16) a (DECIMAL(38,2));", "DECIMAL(38, 2)"),
        ("optional fixed_len_byte_array(5) a;", "BINARY(5)"),
        ("optional int64 a (TIMESTAMP(MICROS,true));", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        ("optional int64 a (TIMESTAMP(MILLIS,false));", "TIMESTAMP(3)"),
        ("optional int64 a (TIMESTAMP(NANOS,false));", "TIMESTAMP(9)"),
        ("optional int64 a (TIME(MICROS,true));", "TIME(6)"),
        ("repeated int32 a;", "ARRAY<INT NOT NULL>"),
        ("optional group a (LIST) {\nrepeated group list {\noptional int32 element;\n}\n}", "ARRAY<INT>"),
        ("optional group a (LIST) {\nrepeated int32 array;\n}", "ARRAY<INT NOT NULL>"),
        ("optional group a (LIST) {\nrepeated group bag {\noptional binary array (STRING);\n}\n}", "ARRAY<STRING>"),
        (
            "optional group a (MAP) {\nrepeated group key_value {\nrequired binary key (STRING);\noptional int64 value;\n}\n}",
            "MAP<STRING NOT NULL, BIGINT>",
        ),
        ("optional group a (VARIANT(1)) {\nrequired binary metadata;\nrequired binary value;\n}", "VARIANT"),
        ("optional group a {\nrequired binary value;\nrequired binary metadata;\n}", "VARIANT"),
        (
            "required group a {\nrequired binary metadata;\noptional binary value;\noptional group typed_value {\noptional int64 b;\n}\n}",
            "VARIANT NOT NULL",
        ),
        (
            "optional group a {\nrequired binary value = 1;\nrequired binary metadata = 2;\n}",
            "ROW<`value` BYTES NOT NULL, `metadata` BYTES NOT NULL>",
        ),
        ("optional group a {\noptional int32 x;\noptional int32 y;\n}", "ROW<`x` INT, `y` INT>"),
    ],
)
def test_a_column_has_the_type_by_which_spark_reads_it(line: str, kind: str) -> None:
    assert _types(line) == {"a": kind}


def test_ids_are_kept_and_fields_without_one_are_below_zero() -> None:
    text = "optional int32 a = 0;\noptional group b = 4 {\noptional int32 c = 9;\noptional int32 d;\n}\noptional int32 e = -1;"
    a, b, e = _read(text)
    inside: tuple[Field, ...] = b.type.fields  # type: ignore[attr-defined]  # it is a ROW
    assert (a.id, b.id, e.id) == (0, 4, -2)
    assert [one.id for one in inside] == [9, -1]


@pytest.mark.parametrize("name", ["a b", "a (x)", "a.b", "ä", "a{", "a;", "group", "", "Price (EUR)", "a (DATE)", "a = 5",
                                  "a;\noptional int32 b"])  # fmt: skip
def test_names_may_hold_what_they_like(name: str) -> None:
    text = f"message m {{\noptional int32 {name};\noptional group g {{\noptional binary x{name} (STRING) = 3;\n}}\n}}\n"
    one, group = parse(text, [[name], ["g", f"x{name}"]])
    assert (one.name, str(one.type), one.id) == (name, "INT", -1)
    assert [(inner.name, str(inner.type), inner.id) for inner in group.type.fields] == [(f"x{name}", "STRING", 3)]  # type: ignore[attr-defined]  # it is a ROW


def test_a_text_that_does_not_have_these_columns_is_no_schema_of_them() -> None:
    for paths in ([], [["b"]], [["a", "b"]]):
        with pytest.raises(FormatError):
            parse("message m {\noptional int32 a;\n}", paths)


@pytest.mark.parametrize(
    "text",
    ["", "message m", "message m {", "message m {\nint32 a;\n}", "message m {\noptional wide a;\n}", "message m {\n}\n}", "nothing {\n}",
     "message m {\noptional int32 a (DECIMAL(99,2));\n}", "message m {\noptional int32 a (TIMESTAMP(DAYS,true));\n}",
     "message m {" + "optional group a {" * 5_000],
)  # fmt: skip
def test_what_is_no_schema_is_said_to_be_none(text: str) -> None:
    with pytest.raises(FormatError):
        parse(text, [["a"] * 5_000])


def test_five_thousand_columns_are_read() -> None:
    lines = "\n".join(f"  optional int64 column_{number} = {number};" for number in range(5_000))
    paths = [[f"column_{number}"] for number in range(5_000)]
    assert len(parse(f"message m {{\n{lines}\n}}", paths)) == len(parse_ddl(", ".join(f"c{number} INT" for number in range(5_000))).fields)  # type: ignore[attr-defined]
