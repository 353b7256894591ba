"""Whatever is wrong with a table file is said at once, each fault with its file and line, and in words for whoever wrote it."""

import pickle
from typing import Any

import pytest

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file import TableFile, read

ORDERS = """\
# what people review
table: shop.orders
owner: team-orders
contact: "#orders-oncall"
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: customer_id, type: BIGINT, was: cust_id}
  - name: amount
    type: DECIMAL(12, 2)
    comment: gross, EUR
    default: 0
    unit: EUR
    tags: [money]
  - {name: coupon, type: STRING, deprecated: 2026-12-31, reason: moved to shop.discounts}
  - {name: address, type: "ROW<street STRING, zip_code STRING>", was: {address.zip_code: zip}, alias: {addr: 2026-12-31, place: }}
dropped: [legacy_flag, address.floor]
primary_key: [order_id, dt]
partitioned_by: [dt]
options: {bucket: 4, sequence.field: amount}
location: s3://acme/orders
format: parquet
policy: {protect: [data, jobs], against: all}
"""
FILE = "schemas/shop/orders.yaml"


def faults(text: str | bytes, file: str = "t.yaml") -> list[tuple[str, str]]:
    """The path and the sentence of every fault."""
    with pytest.raises(TableFileError) as caught:
        read(text, file)
    assert all(one.fix for one in caught.value.faults)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults
    return [(one.path, one.message) for one in caught.value.faults]


def of_column(entries: str) -> list[tuple[str, str]]:
    """The faults of a file whose third line is this column."""
    return faults(f"table: a.b\ncolumns:\n  - {{{entries}}}\n")


# ---------------------------------------------------------------- what a file says


def test_every_key_is_read() -> None:
    file = read(ORDERS, FILE)
    assert (file.table, file.owner, file.contact, file.comment) == ("shop.orders", "team-orders", "#orders-oncall", None)
    assert [one.name for one in file.columns] == ["order_id", "customer_id", "amount", "coupon", "address"]
    amount = file.columns[2]
    assert (amount.type, amount.comment, amount.default) == ("DECIMAL(12, 2)", "gross, EUR", "0")
    assert (amount.unit, amount.tags) == ("EUR", ("money",))
    assert (file.columns[3].deprecated, file.columns[3].reason) == ("2026-12-31", "moved to shop.discounts")
    assert file.columns[1].was == {"": ("cust_id",)}
    assert file.columns[4].was == {"address.zip_code": ("zip",)}
    assert file.columns[4].alias == {"addr": "2026-12-31", "place": ""}
    assert [one.name for one in file.dropped] == ["legacy_flag", "address.floor"]
    assert (file.primary_key, file.partitioned_by) == (("order_id", "dt"), ("dt",))
    assert file.options == {"bucket": "4", "sequence.field": "amount"}
    assert (file.location, file.format) == ("s3://acme/orders", "parquet")
    assert isinstance(file.policy, Policy)
    assert file.policy.against == "all"


def test_a_table_file_knows_where_everything_stands() -> None:
    file = read(ORDERS, FILE)
    assert file.place(("columns", 2, "unit")) == Place(FILE, 12, 5)
    assert file.place(("columns", 3, "comment")) == Place(FILE, 14, 5)
    assert file.place(("options", "bucket")) == Place(FILE, 19, 11)
    assert file.place(()) == Place(FILE, 2, 1)
    assert TableFile(table="a.b").place(("table",)) is None


def test_what_is_left_out_is_not_what_is_null() -> None:
    file = read("table: a.b\ncomment: null\ncolumns: [{name: a, type: INT, default: null}]\n")
    assert file.mentions("comment")
    assert not file.mentions("owner")
    assert file.columns[0].mentions("default")
    assert not file.columns[0].mentions("comment")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("no", "no"),
        ("on", "on"),
        ("2026-12-31", "2026-12-31"),
        ("12:30", "12:30"),
        ('"null"', "null"),
        ('"7"', "7"),
        ("größe", "größe"),
    ],
)
def test_words_that_yaml_is_known_to_mistake_are_names(written: str, read_as: str) -> None:
    assert read(f"table: a.b\ncolumns: [{{name: {written}, type: INT}}]\n").columns[0].name == read_as


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("was", "a", {"": ("a",)}),
        ("was", "[a, b]", {"": ("a", "b")}),
        ("alias", "a", {"a": ""}),
        ("alias", "[a, b]", {"a": "", "b": ""}),
        ("alias", "{a: 2026-12-31T09:00Z}", {"a": "2026-12-31T09:00Z"}),
        ("alias", "", None),
        ("deprecated", "true", True),
        ("deprecated", "2026-12-31", "2026-12-31"),
        ("default", "007", "7"),
        ("default", '"007"', "007"),
        ("tags", "pii", ("pii",)),
        ("tags", "[]", ()),
    ],
)
def test_there_are_several_ways_to_write_a_thing(key: str, written: str, value: Any) -> None:
    file = read(f"table: a.b\ncolumns:\n  - name: x\n    type: INT\n    {key}: {written}\n")
    assert getattr(file.columns[0], key) == value


# ---------------------------------------------------------------- what is wrong with a file


def test_every_fault_is_told_at_once_in_the_order_of_the_lines() -> None:
    text = """\
table: orders
onwer: me
columns:
  - {name: a, type: BIGNT, comment: 7}
  - {name: 5, type: INT, typo: 1}
  - {type: INT, accepts: {FIELD_RENAMD: why}}
  - {name: a, type: INT, was: c, reason: old}
  - {name: c, type: INT}
dropped: [c, c]
options: {bucket: 1.5}
policy: {protect: {jobs: blok}}
"""
    assert [path for path, _ in faults(text, FILE)] == [
        f"{FILE}:{place}"
        for place in (
            "1 table",
            "2 onwer",
            "4 columns[0].type",
            "4 columns[0].comment",
            "5 columns[1].name",
            "5 columns[1].typo",
            "6 columns[2].name",
            "6 columns[2].accepts.until",
            "6 columns[2].accepts.FIELD_RENAMD",
            "7 columns[3].name",
            "7 columns[3].was",
            "7 columns[3].reason",
            "9 dropped[1]",
            "9 dropped[0]",
            "9 dropped[1]",
            "10 options.bucket",
            "11 policy.protect.jobs",
        )
    ]


def test_a_text_without_a_file_is_told_by_its_lines() -> None:
    assert [path for path, _ in faults("table: a.b\ncolumns:\n  - {name: a}\n", "")] == ["line 3 columns[0].type"]


OWN_KEY = "a table file has a key of its own for this option."


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("table: a.b\ntable: a.c\n", "t.yaml:2 table", "the key stands on line 1 already."),
        ("table: a.b\ncolumns:\n\t- name: a\n", "t.yaml:3", "this is no YAML: found character that cannot start any token."),
        ("table: &x a.b\n", "t.yaml:1 table", "&x names a place for reuse."),
        ("table: !x a.b\n", "t.yaml:1 table", "'!x' is a tag."),
        ("table: a.b\ncolumns: [\n", "t.yaml:3", "this is no YAML: did not find expected node content."),
        ("", "t.yaml:1", "the file is empty."),
        ("[a]", "t.yaml:1", "a list is no table file."),
        ("owner: me", "t.yaml:1 table", "this key is missing."),
        ("table: orders", "t.yaml:1 table", "'orders' is no name of a table."),
        ("table: shop./etc/passwd", "t.yaml:1 table", "'shop./etc/passwd' is no name of a table."),
        ("table: shop..orders", "t.yaml:1 table", "'shop..orders' is no name of a table."),
        ("table: 5", "t.yaml:1 table", "5 is no name."),
        ("table: a.b\nowner: [me]", "t.yaml:2 owner", "a list is no text."),
        ("table: a.b\ncolumns:", "t.yaml:2 columns", "null does not fit here."),
        ("table: a.b\ncolumns: {a: INT}", "t.yaml:2 columns", "a dict does not fit here."),
        ("table: a.b\ncolumns: [a]", "t.yaml:2 columns[0]", "'a' does not fit here."),
        ("table: a.b\nprimary_key: a", "t.yaml:2 primary_key", "'a' does not fit here."),
        ("table: a.b\nprimary_key:", "t.yaml:2 primary_key", "null does not fit here."),
        ("table: a.b\nprimary_key: [1]", "t.yaml:2 primary_key[0]", "1 is no name."),
        ("table: a.b\nprimary_key: [a, a]", "t.yaml:2 primary_key[1]", "'a' is in the primary key already."),
        ("table: a.b\npartitioned_by: [a, a]", "t.yaml:2 partitioned_by[1]", "'a' is a partition key already."),
        ("table: a.b\ndropped: [1]", "t.yaml:2 dropped[0]", "1 is no name."),
        ("table: a.b\ndropped: [{name: a, x: 1}]", "t.yaml:2 dropped[0].x", "nobody knows the key 'x'."),
        ("table: a.b\noptions: [a]", "t.yaml:2 options", "a list holds no options."),
        ("table: a.b\noptions: {a.b: 1.10}", "t.yaml:2 options.a.b", "1.1 is no text."),
        ("table: a.b\noptions:\n  primary-key: a\n", "t.yaml:3 options.primary-key", OWN_KEY),
        ("table: a.b\noptions: {schemas.field.3: x}", "t.yaml:2 options.schemas.field.3", OWN_KEY),
        ("table: a.b\npolicy: [a]", "t.yaml:2 policy", "a list is no policy."),
        ("table: a.b\npolicy: {agianst: all}", "t.yaml:2 policy.agianst", "nobody knows the key 'agianst'."),
        ("table: a.b\npolicy: {rules: {NO_RULE: ok}}", "t.yaml:2 policy.rules.NO_RULE", "there is no rule 'NO_RULE'."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told_with_its_line(text: str, path: str, message: str) -> None:
    assert faults(text) == [(path, message)]


@pytest.mark.parametrize(
    ("entries", "key", "message"),
    [
        ("type: INT", "name", "this key is missing."),
        ("name: a", "type", "this key is missing."),
        ("name: null, type: INT", "name", "null is no name."),
        ("name: '', type: INT", "name", "'' is no name."),
        ("name: true, type: INT", "name", "true is no name."),
        ("name: 1e3, type: INT", "name", "1000.0 is no name."),
        ("name: a, type: 5", "type", "5 is no type."),
        ("name: a, type: null", "type", "null is no type."),
        ("name: a, type: INT, nulable: true", "nulable", "nobody knows the key 'nulable'."),
        ("name: a, type: INT, coment: x", "coment", "nobody knows the key 'coment'."),
        ("name: a, type: INT, was: 5", "was", "5 is no name."),
        ("name: a, type: INT, was: []", "was", "a list is no name."),
        ("name: a, type: INT, was: [b, 5]", "was[1]", "5 is no name."),
        ("name: a, type: INT, was: a", "was", "'a' is said to be an earlier name, and it is a column of the list."),
        ("name: a, type: INT, was: {a.b: c}", "was.a.b", "'a.b' is no field inside the column."),
        ("name: a, type: INT, default: 1.5", "default", "1.5 is no text."),
        ("name: a, type: INT, default: true", "default", "the default true stands there without quotes."),
        ("name: a, type: STRING, default: 007", "default", "the default 7 stands there without quotes."),
        ("name: a, type: INT, deprecated: tomorrow", "deprecated", "'tomorrow' is no date."),
        ("name: a, type: INT, deprecated: 2026", "deprecated", "2026 is no date."),
        ("name: a, type: INT, reason: x", "reason", "a reason is given, and the column is not deprecated."),
        ("name: a, type: INT, reason: x, deprecated: null", "reason", "a reason is given, and the column is not deprecated."),
        ("name: a, type: INT, alias: {b: soon}", "alias.b", "'soon' is no date."),
        ("name: a, type: INT, alias: a", "alias", "'a' is said to be an alias, and it is a column of the list."),
        ("name: a, type: INT, tags: {a: b}", "tags", "a mapping is no name."),
        ("name: a, type: INT, accepts: FIELD_RENAMED", "accepts", "'FIELD_RENAMED' accepts nothing."),
        ("name: a, type: INT, accepts: {until: 2026-12-31}", "accepts", "no rule is named here."),
        ("name: a, type: INT, accepts: {FIELD_RENAMED: why}", "accepts.until", "what is accepted needs an end."),
        ("name: a, type: INT, accepts: {FIELD_RENAMED: why, until: soon}", "accepts.until", "'soon' is no date."),
        ("name: a, type: INT, accepts: {FIELD_RENAMED: , until: 2026-12-31}", "accepts.FIELD_RENAMED", "null is no reason."),
        ("name: a, type: INT, accepts: {FIELD_RENAMD: x, until: 2026-12-31}", "accepts.FIELD_RENAMD", "there is no rule 'FIELD_RENAMD'."),
        ("name: a, type: INT, accepts: {T09: x, until: 2026-12-31}", "accepts.T09", "there is no rule 'T09'."),
        ("name: a, type: INT, accepts: {FIELD_RENAMED: x, until: 2026-12-31, by: 5}", "accepts.by", "5 is no text."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_column_is_told_with_its_line(entries: str, key: str, message: str) -> None:
    assert of_column(entries) == [(f"t.yaml:3 columns[0].{key}", message)]


AMONG = "is dropped, and it stands among the columns."


@pytest.mark.parametrize(
    ("rest", "path", "message"),
    [
        (
            "  - {name: b, type: INT, was: z}\n  - {name: c, type: INT, was: [y, z]}",
            "6 columns[2].was[1]",
            "'z' is the earlier name of a column already.",
        ),
        (
            "  - {name: b, type: INT, alias: z}\n  - {name: c, type: INT, alias: z}",
            "6 columns[2].alias",
            "'z' is the other name of a column already.",
        ),
        ("  - {name: b, type: INT, alias: a}", "5 columns[1].alias", "'a' is said to be an alias, and it is a column of the list."),
        ("dropped: [x, a]", "5 dropped[1]", f"'a' {AMONG}"),
        ("dropped: ['`a`']", "5 dropped[0]", f"'a' {AMONG}"),
        ("dropped: [a]\nprimary_key: [a]", "5 dropped[0]", f"'a' {AMONG}"),
        ("  - {name: b, type: INT, was: z}\ndropped: [z]", "6 dropped[0]", "'z' is dropped, and it is the earlier name of a column."),
        ("  - {name: b, type: 'ROW<c INT>'}\ndropped: [b.c]", "6 dropped[0]", f"'b.c' {AMONG}"),
        ("  - {name: b, type: 'ARRAY<ROW<c INT>>'}\ndropped: ['b[].c']", "6 dropped[0]", f"'b[].c' {AMONG}"),
        ("  - {name: b, type: 'MAP<INT, ROW<c INT>>'}\ndropped: ['b{}.c']", "6 dropped[0]", f"'b{{}}.c' {AMONG}"),
        ("dropped: [z]\nprimary_key: [z]", "6 primary_key[0]", "'z' stands in primary_key, and it is dropped."),
        (
            "  - {name: b, type: INT, was: z}\npartitioned_by: [z]",
            "6 partitioned_by[0]",
            "'z' stands in partitioned_by, and it is the earlier name of a column.",
        ),
    ],
)
def test_entries_that_contradict_each_other_are_told(rest: str, path: str, message: str) -> None:
    assert faults(f"table: a.b\n\ncolumns:\n  - {{name: a, type: INT}}\n{rest}\n") == [(f"t.yaml:{path}", message)]


def test_a_type_that_cannot_be_read_shows_where() -> None:
    (path, message), *rest = of_column("name: a, type: 'ROW<x INT, y BIGNT>'")
    assert (path, rest) == ("t.yaml:3 columns[0].type.y", [])
    assert "found 'BIGNT' at character 14" in message


def test_advice_names_what_was_meant() -> None:
    with pytest.raises(TableFileError) as caught:
        read("table: a.b\nonwer: me\ncolumns: [{name: a, tpye: INT, type: INT, accepts: {FIELD_RENAMD: x, until: 2026-12-31}}]")
    assert [one.fix for one in caught.value.faults] == ["Did you mean 'owner'?", "Did you mean 'FIELD_RENAMED'?", "Did you mean 'type'?"]


@pytest.mark.parametrize("source", [None, 5, b"\xff", "\ud800", "table: \x07", "[" * 5_000, "a: " + "b\n" * 10, "{}", "a", "1"])
def test_nothing_else_escapes(source: Any) -> None:
    with pytest.raises(TableFileError):
        read(source)


@pytest.mark.parametrize(
    "value",
    [
        {"columns": 5},
        {"columns": [5]},
        {"columns": [{5: 6}]},
        {"columns": [{"name": [], "type": {}, "was": {5: []}, "alias": [[]], "accepts": {5: 6}, "default": [], "tags": 5, "reason": 5}]},
        {"dropped": [[]]},
        {"options": {5: {}}},
        {"primary_key": {}},
        {"table": ["a"]},
        {5: 6},
    ],
)
def test_values_of_any_shape_raise_a_table_file_error(value: dict[Any, Any]) -> None:
    with pytest.raises(TableFileError):
        TableFile.read({"table": "a.b", **value})


def test_thousands_of_faults_are_told_without_end() -> None:
    text = "table: a.b\ncolumns:\n" + "".join(f"  - {{name: c{number}, tipe: INT}}\n" for number in range(5_000))
    assert len(faults(text)) <= 2_000


def test_a_table_of_ten_thousand_columns_is_read() -> None:
    columns = (f"  - {{name: c{number}, type: BIGINT, was: w{number}, alias: a{number}}}\n" for number in range(10_000))
    file = read("table: a.b\ncolumns:\n" + "".join(columns), FILE)
    assert file.columns[-1].was == {"": ("w9999",)}
    assert file.place(("columns", 9_999)) == Place(FILE, 10_002, 5)


def test_a_table_file_error_is_one_of_ours() -> None:
    with pytest.raises(SchemaError):
        read("")
    with pytest.raises(ValueError, match="table"):
        read("")


# ---------------------------------------------------------------- what YAML makes of it without quotes


@pytest.mark.parametrize(
    "kind",
    ["DECIMAL(12, 2)", "ROW<a INT, b STRING>", "MAP<STRING, ROW<a DECIMAL(10, 2), b INT>> NOT NULL"],
)
def test_a_type_that_ends_at_a_comma_says_to_quote_it(kind: str) -> None:
    with pytest.raises(TableFileError) as caught:
        read(f"table: a.b\ncolumns:\n  - {{name: x, type: {kind}, comment: c}}\n", "t.yaml")
    (fault,) = caught.value.faults
    assert fault.path == "t.yaml:3 columns[0].type"
    assert f'type: "{kind}"' in fault.fix
    assert read(f'table: a.b\ncolumns:\n  - {{name: x, type: "{kind}", comment: c}}\n').columns[0].type == kind


def test_a_type_with_an_open_bracket_and_no_rest_is_told_as_it_is() -> None:
    (kind, *_) = of_column("name: a, type: DECIMAL(12")
    assert kind[1].startswith("cannot read 'DECIMAL(12'")
    (kind, key) = of_column("name: a, type: DECIMAL(12, other: 5")
    assert (kind[1][:11], key[1]) == ("cannot read", "nobody knows the key 'other'.")


def test_the_other_faults_of_such_a_column_are_told_too() -> None:
    assert [path for path, _ in of_column("name: 5, type: DECIMAL(12, 2), x: 1")] == [
        "t.yaml:3 columns[0].type",
        "t.yaml:3 columns[0].name",
        "t.yaml:3 columns[0].x",
    ]


@pytest.mark.parametrize("line", ["contact: #orders-oncall", '"contact" :  #orders-oncall'])
def test_a_channel_without_quotes_is_no_contact_that_is_taken_away(line: str) -> None:
    for text in (f"table: a.b\n{line}\n", f"table: a.b\r\n{line}\r\n".encode()):
        with pytest.raises(TableFileError) as caught:
            read(text, "t.yaml")
        (fault,) = caught.value.faults
        assert fault.path == "t.yaml:2 contact"
        assert 'contact: "#orders-oncall"' in fault.fix


@pytest.mark.parametrize("line", ["contact: null", "contact:", "contact:  # nobody yet", "contact: null #team"])
def test_a_contact_is_taken_away_on_purpose(line: str) -> None:
    assert read(f"table: a.b\n{line}\n").mentions("contact")


def test_a_hidden_contact_is_told_with_everything_else() -> None:
    assert [path for path, _ in faults("table: a.b\ncontact: #x\nonwer: me")] == ["t.yaml:3 onwer", "t.yaml:2 contact"]


@pytest.mark.parametrize(
    ("text", "message"), [("", "the file is empty."), ("# c\n", "the file is empty."), ("x", "the file holds a single value.")]
)
def test_a_file_without_keys_is_told_in_plain_words(text: str, message: str) -> None:
    assert faults(text) == [("t.yaml:1", message)]


def test_the_name_of_a_file_cannot_speak_to_a_terminal() -> None:
    for text in ("", "table: 5", "a: b: c", b"\xff"):
        with pytest.raises(TableFileError) as caught:
            read(text, "a\x1b[31m\n.yaml")
        assert str(caught.value).isprintable()
        assert caught.value.path.startswith("a\\x1b[31m\\n.yaml")


@pytest.mark.parametrize("key", ["items", "`items`"])
def test_an_earlier_name_in_a_mapping_counts_as_one(key: str) -> None:
    text = f"table: a.b\ncolumns:\n  - {{name: items, type: INT, was: {{'{key}': lines}}}}\n  - {{name: lines, type: INT}}\n"
    assert read(text.rsplit("  - ", 1)[0]).columns[0].earlier_names == ("lines",)
    assert faults(text) == [(f"t.yaml:3 columns[0].was.{key}", "'lines' is said to be an earlier name, and it is a column of the list.")]
