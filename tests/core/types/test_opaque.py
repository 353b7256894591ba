"""A type of which only the text is known: it is itself, survives files, and is never turned into anything."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, TableSchema, check, check_contract, evolve, parse_ddl, parse_type, validity
from airflow_provider_schemas.core.casts.cast_rules import cast_support, lossless, same_type
from airflow_provider_schemas.core.casts.cast_value import cast_value
from airflow_provider_schemas.core.comparison.type_changes import type_rule
from airflow_provider_schemas.core.policies.policy import MODES
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.atomic import MAX_OPAQUE, atomic, canonical, is_void
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import field
from airflow_provider_schemas.errors import CastError, SchemaError, TypeTextError
from tests.support.strategies import atoms

HOSTILE = ["it's", "''", "a') NOT NULL", "') WITH LOCAL TIME ZONE", "x, 5", "OPAQUE('x')", "\\", "a\nb", "`", "{length}", "😀"]
TEXTS = st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(str.strip)
FOREIGN = {"schemas.table": '{"format": "delta"}'}


@given(text=TEXTS, nullable=st.booleans())
def test_its_text_reads_back_by_every_reader(text: str, nullable: bool) -> None:
    kind = atomic(Root.OPAQUE, nullable, text=text)
    assert canonical(str(kind)) == kind
    assert parse_ddl(str(kind)) == kind
    assert parse_type(kind.to_json()) == kind
    assert parse_ddl(f"ARRAY<{kind}>") == parse_type({"type": "ARRAY", "element": str(kind)})


@given(text=TEXTS)
def test_a_schema_that_holds_it_survives_its_file(text: str) -> None:
    schema = TableSchema.create("a INT, r ROW<b INT>", options=FOREIGN)
    first, second = schema.fields
    holding = msgspec.structs.replace(schema, fields=(first.with_type(atomic(Root.OPAQUE, text=text)), second))
    assert TableSchema.from_json(holding.to_json()) == holding


@pytest.mark.parametrize("text", ["OPAQUE", "OPAQUE()", "OPAQUE('')", "OPAQUE(' ')", "OPAQUE(interval)", "OPAQUE('a', 'b')", "OPAQUE('a'"])
def test_any_other_spelling_is_refused(text: str) -> None:
    for read in (parse_ddl, parse_type, canonical):
        with pytest.raises(TypeTextError):
            read(text)


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(TypeTextError) as refused:
        atomic(Root.OPAQUE, text="x" * (MAX_OPAQUE + 1))
    assert refused.value.code == "type.opaque-too-long"


def test_a_column_may_still_be_called_so() -> None:
    assert parse_ddl("opaque INT, b OPAQUE('x')") == parse_ddl("`opaque` INT, b OPAQUE('x')")


# ---------------------------------------------------------------- casts and comparisons


@given(text=st.sampled_from(["interval", "string collate fr", "unknown"]), other=atoms())
def test_nothing_is_cast_into_it_or_out_of_it(text: str, other: Any) -> None:
    kind = atomic(Root.OPAQUE, text=text)
    for source, target in ((kind, other), (other, kind)):
        if same_type(source, target):
            continue
        support = cast_support(source, target)
        assert not any(support)
        assert type_rule(source, target) == ("VOID_TYPED" if is_void(source) else "TYPE_CHANGED")
        with pytest.raises(CastError):
            cast_value(1, source, target)


def test_it_is_itself() -> None:
    kind = atomic(Root.OPAQUE, text="interval")
    assert lossless(kind, kind)
    assert same_type(kind, kind.with_nullable(False))
    assert not same_type(kind, atomic(Root.OPAQUE, text="INTERVAL"))


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "NONE"])
def test_another_text_stops_every_mode_in_both_directions(mode: str) -> None:
    one = TableSchema.create("id BIGINT, name OPAQUE('string collate de')", options=FOREIGN)
    other = TableSchema.create("id BIGINT, name OPAQUE('string collate en')", options=FOREIGN)
    for before, after in ((one, other), (other, one)):
        report = check(before, msgspec.structs.replace(after, id=1), {"mode": mode})
        assert [finding.rule for finding in report.findings] == ["TYPE_CHANGED"]
        assert report.verdict is Verdict.BREAK


def test_a_void_that_became_a_number_reads_as_that_number_ever_after() -> None:
    options = {"schemas.table": '{"format": "iceberg"}'}
    kinds = ["OPAQUE('unknown')", "INT", "BIGINT"]
    created = [TableSchema.create(f"id BIGINT, note {kind}", options=options) for kind in kinds]
    versions = [msgspec.structs.replace(schema, id=number) for number, schema in enumerate(created)]
    policy = {"readers": ["spark-iceberg"], "against": "all"}
    first = check(versions[0], versions[1], policy)
    assert [(finding.rule, finding.data) for finding in first.findings] == [("VOID_TYPED", Verdict.OK)]
    report = check(versions[1], versions[2], policy, history=versions[:1])
    assert [finding.rule for finding in report.findings if finding.data is not Verdict.OK] == []


# ---------------------------------------------------------------- who may have it


@pytest.mark.parametrize("options", [{}, {"schemas.table": '{"format": "parquet"}'}, {"schemas.table": '{"format": "Paimon"}'}])
def test_a_table_that_paimon_or_we_write_may_not_have_it(options: dict[str, str]) -> None:
    with pytest.raises(SchemaError) as refused:
        TableSchema.create("id BIGINT, wait OPAQUE('interval')", options=options)
    assert [fault.code for fault in refused.value.faults] == ["type.opaque"]
    with pytest.raises(SchemaError):
        evolve(TableSchema.create("id BIGINT", options=options), ["ADD COLUMN waits ARRAY<OPAQUE('interval')>"])


def test_a_table_that_others_keep_may() -> None:
    schema = TableSchema.create("id BIGINT, wait OPAQUE('interval')", options=FOREIGN)
    assert validity(schema).findings == ()


def test_a_contract_can_name_it_and_notices_another_text() -> None:
    schema = TableSchema.create("id BIGINT, wait OPAQUE('interval')", options=FOREIGN)

    def rules(kind: str) -> list[str]:
        contract = Contract.of({"name": "job", "columns": {"wait": kind}})
        return [finding.rule for finding in check_contract(schema, contract).findings]

    assert rules("OPAQUE('interval')") == []
    assert rules("OPAQUE('interval day')") == ["EXPECT_TYPE_MISMATCH"]
    assert rules("BIGINT") == ["EXPECT_TYPE_MISMATCH"]
    assert rules("STRING") == ["EXPECT_TYPE_MISMATCH"]


def test_the_highest_id_is_no_business_of_a_schema_that_others_keep() -> None:
    now = TableSchema.create("id BIGINT", options=FOREIGN)
    after = msgspec.structs.replace(now, id=1, highest_field_id=9)
    assert [finding.rule for finding in check(after, msgspec.structs.replace(now, id=2)).findings] == ["NO_CHANGE"]


def test_a_field_of_a_later_schema_is_no_id_that_was_given_twice() -> None:
    """A table that went back to its first schema has given out more ids than that schema says."""
    now = msgspec.structs.replace(TableSchema.create("id BIGINT, a INT", options=FOREIGN), highest_field_id=9)
    later = msgspec.structs.replace(now, id=3, fields=(*now.fields, field(6, "q", parse_ddl("INT"))))
    assert [finding.rule for finding in check(now, later).findings] == ["FIELD_ADDED_NULLABLE"]
    gone = msgspec.structs.replace(later, id=4, fields=(now.fields[0], later.fields[2]))
    back = msgspec.structs.replace(gone, id=5, fields=(*gone.fields, field(1, "b", parse_ddl("INT"))))
    assert [finding.rule for finding in check(gone, back).findings] == ["FIELD_ID_REUSED"]


# ---------------------------------------------------------------- words of people are no facts


def test_defaults_and_types_that_people_write_into_their_own_tables_excuse_nothing() -> None:
    before = TableSchema.create("id BIGINT NOT NULL")
    grown = TableSchema.create("id BIGINT NOT NULL, quantity INT NOT NULL")
    after = msgspec.structs.replace(grown, id=1, options=Options({"schemas.field.1": '{"initial_default": 1}'}))
    assert "FIELD_ADDED_REQUIRED" in {finding.rule for finding in check(before, after).findings}
    note = TableSchema.create("id BIGINT, note STRING", options={"schemas.field.1": '{"logical": "unknown"}'})
    number = msgspec.structs.replace(TableSchema.create("id BIGINT, note INT"), id=1)
    assert "TYPE_PARSED" in {finding.rule for finding in check(note, number).findings}
