"""ODF on the command line: documents, blocks and chains are shown, compared, checked and converted."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.files.schema_files import kind_of
from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.formats import dump, odf
from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from tests.support.command_line import ORDERS, fine, typed

SYSTEM = """\
  - {name: offset, type: Int64}
  - {name: op, type: Int32}
  - {name: system_time, type: Timestamp}
  - {name: event_time, type: Timestamp}
"""
OLD = f"""\
kind: SetDataSchema
schema:
  fields:
{SYSTEM}  - name: city
    type: {{kind: Option, inner: String}}
    extra: {{opendatafabric.org/description: where it was}}
  - {{name: population, type: UInt64}}
"""
OPTIONAL = f"{OLD}  - {{name: code, type: {{kind: Option, inner: String}}}}\n"
REQUIRED = f"{OLD}  - {{name: code, type: String}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)
    for name, text in (("old.yaml", OLD), ("optional.yaml", OPTIONAL), ("required.yaml", REQUIRED)):
        Path(name).write_text(text, "utf-8")
    return tmp_path


def chain(place: Path, *texts: str) -> Path:
    """A dataset as kamu lays it out, with a block for each schema."""
    (place / "blocks").mkdir(parents=True)
    (place / "refs").mkdir()
    before = None
    for number, text in enumerate(texts):
        moment = BlockTime.of(datetime(2026, 11, 1 + number, tzinfo=UTC))
        block = odf.write_block(SetDataSchema(odf.load(text).schema), system_time=moment, sequence_number=number, prev_block_hash=before)
        before = block.hash
        (place / "blocks" / str(before)).write_bytes(block.raw)
    (place / "refs" / "head").write_text(str(before), "utf-8")
    return place


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.yaml", "fields:\n- {name: a, type: Int8}\n", "odf"),
        ("a.yaml", "kind: DatasetSnapshot\nversion: 1\ncontent: {}\n", "odf"),
        ("a.yaml", "- kind: SetDataSchema\n", "odf"),
        ("a.yaml", "table: a.b\nowner: x\n", "table-file"),
        ("a.json", '{"fields": [{"name": "a", "type": "Int8"}]}', "odf"),
        ("a.json", '{"kind": "SetDataSchema", "schema": {"fields": []}}', "odf"),
        ("a.json", dump("arrow", ORDERS).text, "arrow"),
        ("a.json", ORDERS.to_json(), "paimon"),
        ("a.json", "{}", "paimon"),
        ("-", "fields:\n- {name: a, type: Int8}\n", "odf"),
        ("-", "order_id BIGINT", "ddl"),
    ],
)
def test_the_language_of_a_file_is_told(name: str, text: str, kind: str) -> None:
    assert kind_of(text.encode(), name) == kind


def test_show_tells_fields_types_and_attributes() -> None:
    shown = fine("show", "old.yaml")
    assert shown.splitlines()[0] == "old.yaml  6 fields · ODF, event"
    assert "  city         Option<String>  where it was" in shown
    said = json.loads(fine("show", "old.yaml", "--format", "json"))
    assert said["schema"]["fields"][5] == {"name": "population", "type": {"kind": "UInt64"}}


def test_a_chain_shows_who_set_which_schema_and_the_one_that_holds() -> None:
    chain(Path("lake/cities"), OLD, OPTIONAL)
    shown = fine("show", "lake/cities", "--width", "200")
    assert shown.splitlines()[0] == "lake/cities  7 fields · ODF, a chain of 2 blocks"
    assert "block 1, 2026-11-02T00:00:00Z, f1620" in shown
    assert fine("show", "lake/cities/blocks", "--width", "200").splitlines()[1:] == shown.splitlines()[1:]


def test_a_block_by_itself_is_shown() -> None:
    (first,) = (chain(Path("lake"), OLD) / "blocks").iterdir()
    assert fine("show", str(first), "--width", "200").splitlines()[0].endswith("6 fields · ODF, MetadataBlock")


def test_diff_names_rules_and_paths() -> None:
    assert fine("diff", "old.yaml", "required.yaml").splitlines() == [
        "old.yaml -> required.yaml  1 difference",
        "  FIELD_ADDED_REQUIRED  code  String",
    ]
    assert fine("diff", "old.yaml", "old.yaml") == "old.yaml -> old.yaml  no difference\n"


def test_diff_of_a_chain_is_its_last_step() -> None:
    chain(Path("lake"), OLD, OPTIONAL)
    assert "FIELD_ADDED_NULLABLE  code" in fine("diff", "./lake", "--width", "300")
    chain(Path("one"), OLD)
    assert "sets one schema only" in typed("diff", "./one").err


def test_check_says_what_may_follow() -> None:
    assert fine("check", "old.yaml", "optional.yaml").splitlines()[1].startswith("✔ fits")
    done = typed("check", "old.yaml", "required.yaml")
    assert (done.code, done.err) == (1, "")
    assert "FIELD_ADDED_REQUIRED  code" in done.out
    assert "Make it an Option." in done.out


def test_check_of_a_chain_asks_each_step_and_the_one_that_is_to_come() -> None:
    chain(Path("lake"), OLD, OPTIONAL)
    assert typed("check", "./lake").code == 0
    assert typed("check", "./lake", "optional.yaml").code == 1  # nothing would change, and then no event is written
    assert "NO_CHANGE" in typed("check", "./lake", "optional.yaml").out


def test_a_policy_judges_in_place_of_the_rules_of_chains() -> None:
    Path("policy.yaml").write_text("mode: NONE\n", "utf-8")
    assert typed("check", "old.yaml", "required.yaml", "--policy", "policy.yaml").code == 0


def test_odf_is_compared_with_a_table_by_name() -> None:
    Path("schema-0").write_text(ORDERS.to_json(), "utf-8")
    assert "DROP COLUMN" in fine("diff", "schema-0", "old.yaml")


# ---------------------------------------------------------------- convert


def test_a_converted_schema_is_for_another_program_and_its_losses_are_told_beside() -> None:
    done = typed("convert", "old.yaml", "--to", "spark-ddl")
    assert done.code == 0
    assert "`city` STRING COMMENT 'where it was'" in done.out
    assert "spark-ddl does not hold all of old.yaml" in done.err
    assert typed("convert", "old.yaml", "--to", "spark-ddl", "--strict").code == 1
    assert typed("convert", "old.yaml", "--to", "spark-ddl", "--quiet").err == ""


def test_odf_comes_back_from_a_table_as_it_was() -> None:
    assert typed("convert", "old.yaml", "--to", "paimon", "-o", "schema-0").code == 0
    assert TableSchema.from_json(Path("schema-0").read_text("utf-8")).fields[5].type.root.value == "DECIMAL"
    assert odf.load(fine("convert", "schema-0", "--to", "odf-yaml")).schema == odf.load(OLD).schema


def test_a_table_is_created_from_a_document_and_published_again() -> None:
    assert fine("create", "geo.cities", "./old.yaml", "--store", "lake").startswith("geo.cities  created, version 0, 6 columns")
    assert odf.load(fine("convert", "geo.cities", "--to", "odf-yaml", "--store", "lake")).schema == odf.load(OLD).schema


def test_a_language_can_be_named_where_it_cannot_be_told() -> None:
    text = b"order_id BIGINT COMMENT 'the id'"
    assert odf.load(fine("convert", "-", "--from", "spark-ddl", "--to", "odf-json", stdin=text)).schema.names == ("order_id",)
    assert typed("convert", "old.yaml", "--from", "paimon", "--to", "arrow").code == 2


def test_secrets_are_written_into_files_only() -> None:
    Path("schema-0").write_text(ORDERS.to_json(), "utf-8")
    done = typed("convert", "schema-0", "--to", "paimon")
    assert (done.code, done.out) == (2, "")
    assert "fs.s3a.secret.key" in done.err
    assert "hunter2" not in done.err
    assert typed("convert", "schema-0", "--to", "paimon", "-o", "copy").code == 0
    assert "hunter2" in Path("copy").read_text("utf-8")


def test_machines_get_text_and_losses() -> None:
    said = json.loads(fine("convert", "old.yaml", "--to", "paimon", "--format", "json"))
    assert said["format"] == "paimon"
    assert {one["path"] for one in said["losses"]} == {"population"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: SetInfo\ndescription: x\n", "no schema is in there"),
        ("fields:\n- {name: a, type: Strin}\n", "String"),
        ("fields: 1\n", "fields"),
    ],
)
def test_what_is_wrong_with_a_document_is_told_with_its_file(text: str, message: str) -> None:
    Path("bad.yaml").write_text(text, "utf-8")
    done = typed("show", "bad.yaml")
    assert done.code == 2
    assert message in done.err


def test_a_folder_that_is_no_chain_is_a_folder() -> None:
    Path("empty").mkdir()
    assert "is a folder" in typed("show", "./empty").err


def test_a_folder_that_may_not_be_listed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("closed").mkdir()

    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert "is a folder" in typed("show", "./closed").err


# ---------------------------------------------------------------- manifests of kamu

SNAPSHOT = """\
kind: DatasetSnapshot
version: 1
content:
  name: org.acme.cities
  kind: Root
  metadata:
    - kind: AddPushSource
      sourceName: default
      read:
        kind: NdJson
        {schema}
      merge: {{kind: Append}}
"""
OF_SOURCE = "schema: {fields: [{name: city, type: {kind: Option, inner: String}}, {name: population, type: UInt64}]}"
AS_DDL = "ddlSchema: [city STRING, population BIGINT NOT NULL]"


def snapshot(name: str, schema: str) -> None:
    Path(name).write_text(SNAPSHOT.format(schema=schema), "utf-8")


@pytest.mark.parametrize(("schema", "key", "number"), [(OF_SOURCE, "schema", "UInt64"), (AS_DDL, "ddlSchema", "Int64")])
def test_the_schema_of_a_source_in_a_manifest_is_shown_and_converted(schema: str, key: str, number: str) -> None:
    snapshot("dataset.yaml", schema)
    out = fine("show", "dataset.yaml")
    assert f"content.metadata[0].read.{key}" in out
    assert "Option<String>" in out
    assert number in out
    assert "system columns" in out
    assert "`city` STRING" in typed("convert", "dataset.yaml", "--to", "spark-ddl").out


def test_manifests_are_checked_and_nobody_is_told_to_add_system_columns() -> None:
    snapshot("before.yaml", OF_SOURCE)
    snapshot("same.yaml", OF_SOURCE)
    snapshot("wider.yaml", OF_SOURCE.replace("]}", ", {name: code, type: {kind: Option, inner: String}}]}", 1))
    snapshot("other.yaml", OF_SOURCE.replace("UInt64", "String"))
    for name in ("same.yaml", "wider.yaml"):
        assert "offset" not in fine("check", "before.yaml", name)
    status, out, _ = typed("check", "before.yaml", "other.yaml")
    assert status == 1
    assert "population" in out
    assert "offset" not in out


def test_a_manifest_is_checked_against_its_chain() -> None:
    chain(Path("cities"), OLD)
    snapshot("same.yaml", OF_SOURCE)
    snapshot("other.yaml", OF_SOURCE.replace("UInt64", "String"))
    fine("check", "cities", "same.yaml")
    assert typed("check", "cities", "other.yaml")[0] == 1


def test_a_mistake_in_the_ddl_of_a_source_is_told_with_its_place() -> None:
    snapshot("dataset.yaml", AS_DDL.replace("BIGINT", "BIGHINT"))
    status, _, said = typed("show", "dataset.yaml")
    assert status == 2
    assert "content.metadata[0].read.ddlSchema: population" in said
