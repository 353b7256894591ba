"""Validity: every rule of Paimon breaks where it should, and only there."""

from collections.abc import Iterable
from typing import Any

import pytest

from airflow_provider_schemas.core import evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, Wire, array, of_wire
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.core.validation import facts
from airflow_provider_schemas.core.validation.checklist import Checklist, Entry, Requirement
from airflow_provider_schemas.core.validation.merge_engines import FUNCTIONS
from airflow_provider_schemas.core.validation.validity import CHECKS, COMMIT_CHECKS, CREATION_CHECKS, created, require, validity
from airflow_provider_schemas.errors import InvalidSchemaError
from tests.core.support.broken_tables import CASES, EVOLVING, LABELS, Case, Table


def stored(*fields: Field, **more: object) -> TableSchema:
    """A schema as a file may hold it, never asked whether it is valid."""
    return TableSchema(tuple(fields), 10, **more)  # type: ignore[arg-type]  # as the caller says


def rules(schema: TableSchema, **asked: object) -> list[str]:
    return [one.fault for one in validity(schema, **asked).findings]  # type: ignore[arg-type]  # as the caller says


# ---------------------------------------------------------------- one rule at a time


@pytest.mark.parametrize("case", CASES, ids=LABELS)
def test_a_table_that_breaks_the_rule_is_refused_by_its_code_first(case: Case) -> None:
    assert case.broken.codes()[:1] == [case.code]


@pytest.mark.parametrize("case", CASES, ids=LABELS)
def test_its_neighbour_is_not(case: Case) -> None:
    assert case.sound.codes() == []


@pytest.mark.parametrize("case", CASES, ids=LABELS)
def test_every_fault_says_where_it_is_and_what_to_do(case: Case) -> None:
    with pytest.raises(InvalidSchemaError) as error:
        case.broken.created()
    for fault in error.value.faults:
        assert fault.path or fault.code == "fields.blank-name"
        assert fault.message.endswith(".")
        assert fault.fix.endswith(".")
        assert "\n" not in fault.message


def test_every_simple_rule_has_a_case() -> None:
    simple = {one.code for one in _simple((*CHECKS, *COMMIT_CHECKS, *CREATION_CHECKS))}
    assert simple <= {case.code for case in CASES}


def _simple(entries: Iterable[Entry]) -> list[Requirement]:
    return [one for one in Checklist(entries).checks if isinstance(one, Requirement)]


def test_aggregate_functions_take_any_column_that_they_can() -> None:
    for function, roots in FUNCTIONS.items():
        kind = {"BINARY": "BYTES", "ARRAY": "ARRAY<INT>", "MAP": "MAP<INT, INT>"}.get(min(roots).value, min(roots).value)
        kind = "INT" if len(roots) > 10 else kind
        options = {"merge-engine": "aggregation", "fields.v.aggregate-function": function}
        assert Table(f"k INT, v {kind}", options, "k").codes() == [], function


# ---------------------------------------------------------------- all at once


def test_all_faults_are_told_at_once_and_those_of_java_come_first() -> None:
    options = {"bucket": "0", "sequence.field": "z", "merge-engine": "best", "file.format": "lance", "rowkind.field": "y"}
    table = Table("k MAP<INT, INT>, _LEVEL INT, n INT DEFAULT 'x'", options, "k")
    assert table.codes() == [
        "option.bad-value",
        "schema.primary-key-type",
        "bucket.not-positive",
        "sequence.unknown-field",
        "format.unknown",
        "schema.reserved-name",
        "rowkind.unknown-field",
        "default.invalid",
    ]


def test_a_malformed_value_is_told_once_and_what_depends_on_it_is_not_asked() -> None:
    options = {"bucket": "two", "bucket-key": "k", "merge-engine": "best", "changelog-producer": "all", "deletion-vectors.enabled": "on"}
    table = Table("k INT, b BLOB, m MAP<STRING NOT NULL, INT>", {**options, "fields.m.map.storage-layout": "shared-shredding"}, "k")
    assert table.codes() == ["option.bad-value"] * 4


def test_the_message_names_the_option_and_the_choices() -> None:
    with pytest.raises(InvalidSchemaError) as error:
        Table("k INT", {"merge-engine": "zzz"}, "k").created()
    assert str(error.value) == (
        "merge-engine: the value 'zzz' of this option is none of its choices. "
        "Use one of deduplicate, partial-update, aggregation, first-row."
    )


# ---------------------------------------------------------------- what has no neighbour


def test_unknown_options_are_accepted_whatever_they_hold() -> None:
    assert Table("k INT", {"my.option": "", "fiel": "x", "file-index.own.columns": "k", "write-buffer-size": "much"}).codes() == []


def test_a_key_that_only_begins_like_an_option_of_columns_breaks_paimon_and_is_refused() -> None:
    assert Table("k INT", {"fields": "x"}).codes() == ["option.fields-prefix-unknown-field"]
    assert Table("k INT", {"fields.": "x"}).codes() == ["option.fields-prefix-unknown-field"]
    assert Table("k INT", {"fieldset.k": "x"}).codes() == []


def test_attributes_of_fields_are_no_options_of_columns() -> None:
    assert Table("k INT", {"schemas.field.0": "{}", "schemas.field.77": '{"a": [1]}', "schemas.policy": "text"}).codes() == []


@pytest.mark.parametrize("buckets", ["1", "2", "16"])
@pytest.mark.parametrize("kind", [parse_ddl("ARRAY<INT>"), parse_ddl("MAP<INT, INT>"), RowType((Field(2, "x", "INT"),))], ids=str)
def test_no_nested_column_fills_buckets_however_many_there_are(buckets: str, kind: Any) -> None:
    fields = (Field(0, "a", "INT"), Field(1, "n", kind))
    assert rules(stored(*fields, options=Options({"bucket": buckets, "bucket-key": "n"}))) == ["bucket.key-nested-type"]
    assert rules(stored(*fields, options=Options({"bucket": buckets, "bucket-key": "a"}))) == []


def test_tables_of_the_first_format_keep_their_single_bucket_without_a_key() -> None:
    old = stored(Field(0, "a", "INT"), options=Options({"bucket": "1"}), version=1)
    assert rules(old) == []
    assert rules(stored(Field(0, "a", "INT"), options=Options({"bucket": "1"}))) == ["bucket.key-required"]
    assert rules(stored(Field(0, "a", "INT"), options=Options({"bucket": "2"}), version=1)) == ["bucket.key-required"]


def test_ids_must_be_unique_over_the_whole_tree() -> None:
    inner = RowType((Field(1, "x", "INT"), Field(1, "y", "INT")))
    assert rules(stored(Field(0, "a", array(inner)))) == ["fields.duplicate-id"]
    assert (
        rules(stored(Field(0, "a", "INT"), Field(0, "b", "INT"), Field(1, "c", "INT"), Field(1, "d", "INT"))) == ["fields.duplicate-id"] * 2
    )
    assert rules(stored(Field(0, "a", inner), Field(2, "b", "INT")))[:1] == ["fields.duplicate-id"]


def test_a_stored_primary_key_column_that_may_be_null_is_told_and_the_next_version_heals_it() -> None:
    table = stored(Field(0, "a", "INT"), primary_keys=("a",))
    assert rules(table) == ["schema.primary-key-nullable"]
    assert rules(evolve(table, ["ADD COLUMN b INT"])) == []
    assert rules(stored(Field(0, "a", "INT"), primary_keys=("a",), options=Options({"primary-key.nullable": "true"}))) == []


def test_branches_are_asked_for_only_where_they_are_known() -> None:
    table = stored(Field(0, "a", "INT"), options=Options({"scan.fallback-branch": "b"}))
    assert rules(table) == []
    assert rules(table, branches=["b"]) == []
    assert rules(table, branches=["main"]) == ["fallback-branch.missing"]
    assert rules(table, branches=["main"], dynamic=True) == []


def test_options_of_one_job_are_not_asked_what_a_commit_is() -> None:
    table = stored(Field(0, "a", "INT", None, "x"), options=Options({"bucket": "0"}))
    assert rules(table) == ["bucket.not-positive", "default.invalid"]
    assert rules(table, dynamic=True) == ["bucket.not-positive"]


def test_a_type_that_nobody_can_read_is_a_finding_and_no_error() -> None:
    broken = stored(
        Field(0, "a", "NOTHING"), Field(1, "b", array(of_wire("INT"))), primary_keys=("a",), options=Options({"file.format": "orc"})
    )
    assert rules(broken) == ["type.syntax"]


def test_a_valid_schema_has_an_empty_report_and_passes() -> None:
    table = Table("k INT, v STRING", {}, "k").created()
    assert validity(table).verdict is Verdict.OK
    require(table)


def test_require_names_every_fault() -> None:
    with pytest.raises(InvalidSchemaError) as error:
        require(stored(Field(0, "_LEVEL", "INT"), options=Options({"bucket": "0"})))
    assert [fault.code for fault in error.value.faults] == ["bucket.not-positive", "schema.reserved-name"]


def test_blobs_lie_beside_the_data_files_so_their_format_is_not_asked() -> None:
    columns = "k INT, b BLOB, d BLOB"
    assert Table(columns, {**EVOLVING, "file.format": "json"}).codes() == []
    assert Table(columns, {**EVOLVING, "file.format": "json", "blob-descriptor-field": "d"}).codes() == ["format.unsupported-type"]
    assert Table("k INT, e VECTOR<FLOAT, 2>", {**EVOLVING, "file.format": "orc", "vector.file.format": "lance"}).codes() == []


def test_descriptors_may_be_listed_under_their_old_key() -> None:
    options = {"blob.stored-descriptor-fields": "b", "merge-engine": "aggregation"}
    assert Table("k INT, b BLOB", options, "k").codes() == []


def test_the_columns_of_a_wide_table_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = created(", ".join(f"c{number} DECIMAL(10, 2)" for number in range(1_000)), (), (), {}, None)
    read: list[Wire] = []

    def noted(text: Wire) -> DataType:
        read.append(text)
        return of_wire(text)

    monkeypatch.setattr(facts, "of_wire", noted)
    assert validity(wide).findings == ()
    assert read in ([], ["DECIMAL(10, 2)"])  # types that were met before are not read again
