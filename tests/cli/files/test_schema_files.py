"""Commands on files, without any store: what a file is, what it says, and what a step between two of them breaks."""

import gzip
import json
import shlex
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.files.schema_files import kind_of
from airflow_provider_schemas.core import Plan, TableSchema, evolve
from tests.support.command_line import ORDERS, SCHEMA_FILE, fine, typed

TABLE_FILE = """\
table: shop.orders
owner: team-orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: customer_id, type: BIGINT, was: cust_id}
  - {name: coupon, type: STRING}
"""
JOB = """\
job: daily_report
owner: team-bi
reads:
  shop.orders: order_id BIGINT NOT NULL, cust_id BIGINT
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two versions, a table file and the file of a job."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)
    later = evolve(ORDERS, ["RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING"])
    Path("schema-0").write_text(ORDERS.to_json(), "utf-8")
    Path("schema-1").write_text(later.to_json(), "utf-8")
    Path("orders.yaml").write_text(TABLE_FILE, "utf-8")
    Path("job.yaml").write_text(JOB, "utf-8")
    Path("orders.sql").write_text("order_id BIGINT NOT NULL, cust_id BIGINT;\n", "utf-8")
    return tmp_path


# ---------------------------------------------------------------- show


def test_show_tells_columns_ids_keys_and_options_without_secrets() -> None:
    shown = fine("show", "schema-0")
    assert shown.splitlines()[0] == "schema-0  3 columns · highest field id 2"
    assert "  1   cust_id   BIGINT" in shown
    assert "primary key order_id" in shown
    assert "hunter2" not in shown
    assert "fs.s3a.secret.key  ****" in shown


def test_show_gives_machines_the_schema_file_without_secrets() -> None:
    done = typed("show", "schema-0", "--format", "json")
    assert done.json["options"] == {"bucket": "4", "fs.s3a.secret.key": "****"}
    assert TableSchema.from_json(done.out).fields == ORDERS.fields


def test_show_is_markdown_for_a_comment() -> None:
    assert "| 0 | order_id | BIGINT NOT NULL |  |" in fine("show", "schema-0", "--format", "markdown").splitlines()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("schema-3", b"{}", "paimon"),
        ("t.json", b'\xef\xbb\xbf {"fields": []}', "paimon"),
        ("t.json", b'{"schemaId": 1, "fields": []}', "mini-paimon"),
        ("t", b'{"type": "struct", "fields": []}', "spark"),
        ("t", b'{"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": true, "metadata": {}}]}', "spark"),
        ("t", b'{"type": "struct", "fields": [{"id": 1, "name": "a", "type": "long", "required": true}]}', "iceberg"),
        ("t.json", b'{"type": "struct", "schema-id": 0, "fields": []}', "iceberg"),
        ("t", b'{"type": "struct", "fields": [{"name": "a", "type": "long", "metadata": {"delta.columnMapping.id": 1}}]}', "delta"),
        ("t", b'{"metaData": {"schemaString": "{}"}}', "delta"),
        ("t", b'{"schemaString": "{}"}', "delta"),
        ("00000000000000000000.json", b'{"commitInfo": {}}\n{"metaData": {}}\n', "delta"),
        ("v1.metadata.json", b'{"format-version": 2, "last-column-id": 1}', "iceberg"),
        ("v1.gz.metadata.json", b"\x1f\x8b\x08\x00", "iceberg"),
        ("plan.json", b'{"left_alone": [], "base": null}', "plan"),
        ("t.yaml", b"{}", "table-file"),
        ("t.YML", b"", "table-file"),
        ("-", b"table: a.b", "table-file"),
        ("-", b"a INT", "ddl"),
        ("t.sql", b"{", "ddl"),
        ("t.json", b"\x00\xff", "paimon"),
        ("t.json", b"[" * 100_000, "paimon"),
    ],
)
def test_the_language_of_a_file_is_told_by_name_and_content(name: str, data: bytes, kind: str) -> None:
    assert kind_of(data, name) == kind


def test_a_schema_comes_from_standard_input_too() -> None:
    assert fine("show", "-", stdin=ORDERS.to_json().encode()).startswith("standard input  3 columns")
    assert fine("show", "-", stdin=b"a INT, b STRING").startswith("standard input  2 columns")
    assert fine("show", "-", stdin=TABLE_FILE.encode()).startswith("standard input  3 columns")


def test_a_mini_paimon_file_and_a_struct_type_of_spark_are_read() -> None:
    mini = '{"schemaId": 4, "fields": [{"name": "a", "type": "INT", "nullable": true}], "primaryKeys": [], "partitionKeys": []}'
    spark = '{"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": true, "metadata": {}}]}'
    assert "a       INT" in fine("show", "-", stdin=mini.encode())
    assert "a       BIGINT" in fine("show", "-", stdin=spark.encode())


def test_a_commit_of_delta_is_read() -> None:
    schema = '{"type":"struct","fields":[{"name":"a","type":"void","nullable":true,"metadata":{}}]}'
    commit = "\n".join(['{"commitInfo":{}}', json.dumps({"metaData": {"schemaString": schema}})])
    assert fine("convert", "-", "--to", "delta", stdin=commit.encode()) == schema + "\n"


def test_a_schema_and_a_table_of_iceberg_are_read_with_their_ids() -> None:
    schema = '{"type": "struct", "schema-id": 1, "fields": [{"id": 3, "name": "a", "required": true, "type": "long"}]}'
    table = f'{{"format-version": 2, "location": "s3://t", "last-column-id": 9, "schemas": [{schema}], "current-schema-id": 1}}'
    for text in (schema, table, gzip.compress(table.encode())):
        data = text if isinstance(text, bytes) else text.encode()
        assert "3   a       BIGINT NOT NULL" in fine("show", "-", stdin=data)
    assert fine("convert", "-", "--to", "iceberg", stdin=schema.encode()).replace(" ", "") == schema.replace(" ", "") + "\n"


# ---------------------------------------------------------------- log, diff


def test_log_tells_the_history_in_a_few_schema_files() -> None:
    shown = fine("log", "schema-1", "schema-0")
    assert [line.split()[0] for line in shown.splitlines() if line.startswith("v")] == ["v1", "v0"]
    assert "      RENAME COLUMN cust_id TO customer_id\n      ADD COLUMN coupon STRING" in shown
    assert "v0" not in fine("log", "schema-1", "schema-0", "-n", "1")
    assert [one["number"] for one in typed("log", "schema-0", "schema-1", "--format=json").json["versions"]] == [1, 0]
    assert fine("log", "schema-0", "--since", "2999-01-01") == "the table  no versions since then\n"


def test_diff_tells_the_changes() -> None:
    assert fine("diff", "schema-0", "schema-1").splitlines() == [
        "schema-0 -> schema-1  2 changes",
        "      0  order_id     BIGINT NOT NULL",
        "  ~   1  cust_id      BIGINT           renamed",
        "  ->     customer_id  BIGINT",
        "      2  amount       DECIMAL(10, 2)",
        "  +   3  coupon       STRING           added",
        "",
        "  RENAME COLUMN cust_id TO customer_id",
        "  ADD COLUMN coupon STRING",
    ]
    assert fine("diff", "schema-0", "schema-0") == "schema-0 -> schema-0  no difference\n"
    assert [one["change"]["action"] for one in typed("diff", "schema-0", "schema-1", "--format=json").json["changes"]] == [
        "renameColumn",
        "addColumn",
    ]


def test_diff_with_a_table_file_leaves_alone_what_it_does_not_mention() -> None:
    shown = fine("diff", "schema-0", "orders.yaml")
    assert "RENAME COLUMN cust_id TO customer_id" in shown
    assert "not in the file, left alone: amount" in shown


def test_diff_goes_by_name_where_ids_mean_nothing() -> None:
    assert "DROP COLUMN amount" in fine("diff", "schema-0", "orders.sql")
    assert "RENAME" not in fine("diff", "schema-0", "schema-1", "--by-name")


# ---------------------------------------------------------------- check


def test_check_tells_what_a_step_breaks_and_ends_with_1() -> None:
    Path("full.yaml").write_text("mode: FULL\n", "utf-8")
    done = typed("check", "schema-0", "schema-1", "--policy", "full.yaml")
    assert done.code == 1
    assert "✖ FIELD_RENAMED  cust_id -> customer_id" in done.out
    assert done.err == ""


def test_check_ends_with_0_for_warnings_unless_it_is_strict() -> None:
    Path("lenient.yaml").write_text("protect: {jobs: warn}\n", "utf-8")
    assert typed("check", "schema-0", "schema-1", "--policy", "lenient.yaml").code == 0
    assert typed("check", "schema-0", "schema-1", "--policy", "lenient.yaml", "--strict").code == 1
    assert typed("check", "schema-0", "schema-0", "--strict").code == 0


def test_check_gives_machines_the_report() -> None:
    found = typed("check", "schema-0", "schema-1", "--format", "json").json["reports"][0]
    assert (found["verdict"], found["fits"]) == ("break", False)
    assert found["findings"][0]["rule"] == "FIELD_RENAMED"


def test_check_answers_whether_a_file_fits_a_job() -> None:
    assert typed("check", "schema-0", "--contract", "job.yaml").code == 0
    done = typed("check", "schema-1", "--contract", "job.yaml")
    assert done.code == 1
    assert "job daily_report (team-bi)" in done.out
    assert typed("check", "schema-0", "--contract", "order_id BIGINT").code == 0
    assert typed("check", "schema-0", "--contract", "nothing INT").code == 1


def test_check_judges_table_files_by_themselves_where_it_is_told_to_and_all_their_faults_at_once() -> None:
    assert "shop.orders" in fine("check", "orders.yaml", "--alone")
    Path("wrong.yaml").write_text("table: a.b\ncolumns: [{name: x, type: NOPE}]\n", "utf-8")
    Path("worse.yaml").write_text("table: a.c\ncolumns: []\n", "utf-8")
    done = typed("check", "wrong.yaml", "orders.yaml", "worse.yaml")
    assert done.code == 2
    assert "wrong.yaml" in done.err


# ---------------------------------------------------------------- plan


def test_plan_tells_what_changes_would_do_and_writes_a_file() -> None:
    out = typed("plan", "schema-0", "ADD COLUMN coupon STRING", "--rename", "cust_id:customer_id", "-o", "plan.json").out
    assert "v0 -> v1, 2 changes, needs approval (1 break)" in out
    plan = Plan.from_json(Path("plan.json").read_text("utf-8"))
    assert plan.result.names == ("order_id", "customer_id", "amount", "coupon")


def test_changes_in_short_are_done_in_the_order_in_which_they_stand() -> None:
    line = ["--drop", "amount", "--add", "amount DOUBLE", "--type", "amount=DECIMAL(10, 2)", "--rename=amount:total"]
    done = typed("plan", "schema-0", *line, "--format=json")
    made = done.json["reports"][0]["plan"]
    assert [one["action"] for one in made["changes"]] == [
        "dropColumn",
        "addColumn",
        "updateColumnType",
        "renameColumn",
    ]


def test_an_alias_keeps_the_old_name_until_it_ends() -> None:
    out = typed("plan", "schema-0", "--alias", "cust_id:customer_id", "--until", "2999-12-31").out
    assert "FIELD_RENAMED " in out
    assert "the alias works only for those that say read_with: read_table" in " ".join(out.split())


def test_plan_from_a_table_file_on_a_schema_file() -> None:
    done = typed("plan", "orders.yaml", "--base", "schema-0")
    assert done.out.startswith("compared orders.yaml with schema-0\n")
    assert "shop.orders  v0 -> v1" in done.out
    assert "not in the file, left alone: amount" in done.out
    assert "shop.orders  new, 3 columns" in fine("plan", "orders.yaml", "--alone")


def test_plan_prints_the_statements_of_an_engine() -> None:
    Path("more.yaml").write_text("table: shop.orders\ncolumns: [{name: coupon, type: STRING}]\n", "utf-8")
    out = fine("plan", "more.yaml", "--base", "schema-0", "--sql", "spark")
    assert out.splitlines()[-1].startswith("ALTER TABLE")
    made = typed("plan", "more.yaml", "--base", "schema-0", "--sql", "flink", "--format=json").json["reports"][0]
    assert "coupon" in made["statements"][0]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("show", "TABLE|FILE is missing. Write: airflow-schemas show shop.orders."),
        ("nonsense", "there is no command 'nonsense'"),
        ("show schema-0 --no-such-option", "there is no option --no-such-option"),
        ("show schema-0 --width 3", "from 20 to 10000"),
        ("show schema-0 --storage-option nonsense", "KEY=VALUE"),
        ("show no-such-file", "it is no name of a table"),
        ("show shop.orders", "no store is named"),
        ("show ./nothing.json", "there is no file"),
        ("show .", "is a folder"),
        ("diff schema-0", "cannot be compared"),
        ("diff schema-0 schema-0 schema-0", "cannot be compared"),
        ("check", "nothing to check"),
        ("check schema-0 schema-1 orders.sql", "no pair"),
        ("check schema-0 --for daily", "a table of a store"),
        ("check --contract job.yaml", "no store is named"),
        ("check schema-0 --policy job.yaml", "job.yaml"),
        ("plan schema-0", "nothing to change"),
        ("plan orders.yaml --add x", "says itself what changes"),
        ("plan schema-0 --rename x", "OLD:NEW"),
        ("plan schema-0 --alias a:b", "needs an end"),
        ("plan schema-0 --add x --until 3d", "there is none"),
        ("plan schema-0 --drop nothing", "no such column"),
        ("plan schema-0 --drop amount -o no/such/folder.json", "cannot be written"),
        ("plan schema-0 --drop amount --save", "no store is named"),
        ("plan schema-0 --drop amount --sql spark", "name of a table"),
        ("log orders.sql", "no version of a table"),
        ("log schema-0 --since never", "is no time"),
        ("ls", "none is named"),
        ("apply plan.json", "none is named"),
        ("create a.b 'x INT'", "none is named"),
        ("expire a.b", "no store is named"),
    ],
)
def test_a_line_that_makes_no_sense_ends_with_2_and_says_what_to_do(line: str, says: str) -> None:
    done = typed(*shlex.split(line))
    assert done.code == 2
    assert says in done.err.replace("\n", " ")
    assert "Traceback" not in done.err


def test_a_refusal_is_json_for_machines() -> None:
    done = typed("show", "nothing.json", "--format", "json")
    assert (done.code, done.err) == (2, "")
    assert set(done.json["error"]) == {"code", "path", "message", "fix", "faults"}
    assert done.json["error"]["code"] == "cli.no-file"


def test_a_file_that_cannot_be_read_says_what_it_was_read_as() -> None:
    Path("t.json").write_text('{"fields": 3}', "utf-8")
    assert "t.json, read as a schema file of Paimon" in typed("show", "t.json").err
    plan = typed("plan", "schema-0", "--drop", "amount", "--format=json").out
    Path("plan.json").write_text(plan, "utf-8")
    assert "this is a plan" in typed("show", "plan.json").err


# ---------------------------------------------------------------- what stands in files


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff\xfe{", b"{" * 5_000, b'{"fields":', b"[]", b"null", b"1" * 10_000, b"a" * 100_000])
@pytest.mark.parametrize("name", ["t.json", "t.yaml", "t.sql", "t.bin", "schema-9"])
def test_no_content_of_a_file_makes_a_traceback(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    for line in (["show", f"./{name}"], ["check", "schema-0", f"./{name}"], ["plan", f"./{name}", "ADD COLUMN x INT"]):
        done = typed(*line)
        assert done.code == 2, done
        assert done.err.startswith("airflow-schemas: ")


def test_names_in_a_file_do_nothing_to_a_terminal() -> None:
    evil = "a\x1b[2J\u202e\nb"
    made = json.loads(ORDERS.to_json())
    made["fields"][1]["name"] = evil
    made["comment"] = evil
    made["options"] = {"note": evil, "url": "s3://user:hunter2@bucket/x?token=hunter3"}
    Path("evil.json").write_text(json.dumps(made), "utf-8")
    for line in (["show", "evil.json"], ["diff", "schema-0", "evil.json"], ["check", "schema-0", "evil.json"], ["log", "evil.json"]):
        for form in ("text", "markdown", "json"):
            done = typed(*line, "--format", form)
            assert not {"\x1b", "\u202e"} & set(done.out + done.err), (line, form)
            assert "hunter" not in done.out + done.err


def test_colours_are_for_terminals() -> None:
    assert "\x1b" not in typed("check", "schema-0", "schema-1", "--no-color").out
    assert "\x1b" not in typed("check", "schema-0", "schema-1").out


def test_the_example_reads_as_the_documentation_says() -> None:
    assert "6 columns · highest field id 9" in fine("show", SCHEMA_FILE)
