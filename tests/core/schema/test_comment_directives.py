"""Directives: a comment that asks for BLOB or VECTOR is followed, listed, and forgotten with its column."""

import pytest

from airflow_provider_schemas.core.schema.comment_directives import directed, is_blob, is_directive, nested_directives, without_column
from airflow_provider_schemas.core.types.nested import Field, field
from airflow_provider_schemas.core.types.type_grammar import TypeParser
from airflow_provider_schemas.errors import InvalidSchemaError


def column(kind: str, comment: str | None = None, name: str = "c", default: str | None = None) -> Field:
    return field(7, name, TypeParser(kind, nested=True).read_whole_type(), comment, default)


@pytest.mark.parametrize(
    ("kind", "comment", "becomes", "option", "kept"),
    [
        ("BYTES", "__BLOB_FIELD", "BLOB", "blob-field", None),
        ("BINARY(5) NOT NULL", " __BLOB_FIELD ; a photo ", "BLOB NOT NULL", "blob-field", "a photo"),
        ("BLOB", "__BLOB_FIELD;", "BLOB", "blob-field", None),
        ("ARRAY<BYTES NOT NULL> NOT NULL", "__BLOB_FIELD; a; b", "ARRAY<BLOB NOT NULL> NOT NULL", "blob-field", "a; b"),
        ("MAP<STRING, VARBINARY(9)>", "__BLOB_FIELD", "MAP<STRING, BLOB>", "blob-field", None),
        ("VARBINARY(3)", "__BLOB_DESCRIPTOR_FIELD; x", "BLOB", "blob-descriptor-field", "x"),
        ("BYTES", "__BLOB_VIEW_FIELD", "BLOB", "blob-view-field", None),
        ("ARRAY<FLOAT>", "__VECTOR_FIELD;64; emb", "VECTOR<FLOAT, 64>", "vector-field", "emb"),
        ("ARRAY<INT NOT NULL> NOT NULL", "__VECTOR_FIELD; 1 ", "VECTOR<INT NOT NULL, 1> NOT NULL", "vector-field", None),
    ],
)
def test_a_directive_rewrites_the_column_and_lists_it(kind: str, comment: str, becomes: str, option: str, kept: str | None) -> None:
    after, options = directed(column(kind, comment, default="x"), {"a": "b"})
    assert (str(after.type), after.description, after.default) == (becomes, kept, None)
    assert (after.id, after.name, options) == (7, "c", {"a": "b", option: "c"})


@pytest.mark.parametrize(
    ("kind", "comment", "code"),
    [
        ("BYTES", "__BLOB", "directive.unknown"),
        ("BYTES", "__BLOB_FIELDS; x", "directive.unknown"),
        ("BYTES", "__BLOB_FIELD x", "directive.unknown"),
        ("BYTES", "__VECTOR", "directive.unknown"),
        ("STRING", "__BLOB_FIELD", "directive.type"),
        ("ARRAY<ARRAY<BYTES>>", "__BLOB_FIELD", "directive.type"),
        ("MAP<BYTES, INT>", "__BLOB_FIELD", "directive.type"),
        ("ARRAY<BYTES>", "__BLOB_DESCRIPTOR_FIELD", "directive.type"),
        ("MAP<INT, BYTES>", "__BLOB_VIEW_FIELD", "directive.type"),
        ("INT", "__VECTOR_FIELD;3", "directive.type"),
        ("ARRAY<STRING>", "__VECTOR_FIELD;3", "directive.type"),
        ("ARRAY<FLOAT>", "__VECTOR_FIELD", "directive.dimension"),
        ("ARRAY<FLOAT>", "__VECTOR_FIELD;0", "directive.dimension"),
        ("ARRAY<FLOAT>", "__VECTOR_FIELD;-1", "directive.dimension"),
        ("ARRAY<FLOAT>", "__VECTOR_FIELD;²", "directive.dimension"),
        ("ARRAY<FLOAT>", f"__VECTOR_FIELD;{'9' * 5_000}", "directive.dimension"),
        ("ROW<x BYTES COMMENT '__BLOB_FIELD'>", None, "directive.nested"),
        ("ARRAY<MAP<INT, ROW<x BYTES COMMENT ' __VECTOR'>>>", None, "directive.nested"),
    ],
)
def test_a_directive_that_cannot_be_followed_is_refused(kind: str, comment: str | None, code: str) -> None:
    with pytest.raises(InvalidSchemaError) as error:
        directed(column(kind, comment), {})
    assert error.value.code == code
    assert error.value.path.startswith("c")
    assert error.value.fix


@pytest.mark.parametrize("comment", [None, "", "a __BLOB_FIELD", "_BLOB_FIELD", "__blob_field"])
def test_any_other_comment_is_left_alone(comment: str | None) -> None:
    one = column("BYTES", comment, default="x")
    assert not is_directive(comment)
    assert directed(one, {"a": "b"}) == (one, {"a": "b"})


def test_the_path_of_a_nested_directive_leads_to_its_field() -> None:
    found = list(nested_directives(column("ARRAY<ROW<x BYTES COMMENT '__BLOB_FIELD', y INT COMMENT 'fine'>>")))
    assert [fault.path for fault in found] == ["c.element.x"]


def test_columns_are_listed_once_behind_those_that_were_there() -> None:
    _, options = directed(column("BYTES", "__BLOB_FIELD"), {"blob-field": "a, c ,b"})
    assert options["blob-field"] == "a,c,b"


def test_the_old_key_for_descriptors_is_folded_in() -> None:
    _, options = directed(
        column("BYTES", "__BLOB_DESCRIPTOR_FIELD"), {"blob.stored-descriptor-fields": "a,b", "blob-descriptor-field": "b"}
    )
    assert options == {"blob-descriptor-field": "b,a,c"}


LISTED = {
    "blob-field": "a,c,b",
    "blob-descriptor-field": "c",
    "vector-field": "c, d",
    "field.c.vector-dim": "3",
    "fields.c.map.storage-layout": "default",
    "fields.c.map.shared-shredding.max-columns": "3",
    "fields.c.distinct": "true",
}


@pytest.mark.parametrize(
    ("kind", "gone", "left"),
    [
        ("INT", [], {}),
        ("BYTES", [], {}),
        ("BLOB NOT NULL", ["blob-descriptor-field"], {"blob-field": "a,b"}),
        ("ARRAY<BLOB> NOT NULL", ["blob-descriptor-field"], {"blob-field": "a,b"}),
        ("VECTOR<FLOAT, 3>", ["field.c.vector-dim"], {"vector-field": "d"}),
        ("MAP<INT, INT>", ["fields.c.map.storage-layout", "fields.c.map.shared-shredding.max-columns"], {}),
        (
            "MAP<INT, BLOB>",
            ["blob-descriptor-field", "fields.c.map.storage-layout", "fields.c.map.shared-shredding.max-columns"],
            {"blob-field": "a,b"},
        ),
    ],
)
def test_a_dropped_column_leaves_the_lists_that_only_it_needed(kind: str, gone: list[str], left: dict[str, str]) -> None:
    assert without_column(LISTED, column(kind)) == {key: value for key, value in (LISTED | left).items() if key not in gone}


def test_a_column_that_is_listed_nowhere_changes_nothing() -> None:
    assert without_column({"blob-field": " a , b"}, column("BLOB")) == {"blob-field": " a , b"}
    assert without_column({"blob-field": ""}, column("BLOB")) == {"blob-field": ""}


@pytest.mark.parametrize(
    ("kind", "blob"),
    [
        ("BLOB NOT NULL", True),
        ("ARRAY<BLOB>", True),
        ("MAP<INT, BLOB>", True),
        ("MAP<BLOB, INT>", False),
        ("MULTISET<BLOB>", False),
        ("BYTES", False),
    ],
)
def test_blobs_stand_at_the_top_or_one_level_down(kind: str, blob: bool) -> None:
    assert is_blob(column(kind).type) is blob
