"""What the writer of a job does with values of another type decides whether its contract fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, TableSchema, check_contract
from airflow_provider_schemas.core.contracts.value_types import holds_all, same
from airflow_provider_schemas.core.contracts.write_ways import writer_lack
from airflow_provider_schemas.core.engines.measurements import Outcome
from airflow_provider_schemas.core.engines.writers import WRITERS, outcome
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.errors import ContractError
from tests.support.strategies import atoms


def judged(table: str, written: str, writer: str, **more: object) -> Report:
    need = {"name": "v", "type": written, "role": "write", **more}
    return check_contract(TableSchema.create(f"v {table}"), {"columns": [need], "write_with": writer})


@pytest.mark.parametrize(
    ("writer", "written", "table", "rule", "says"),
    [
        ("deltalake", "DOUBLE", "INT", "EXPECT_TYPE_UNSAFE", "deltalake writes another value, without an error"),
        ("deltalake", "BIGINT", "INT", "EXPECT_TYPE_MISMATCH", "deltalake stops at the first value that does not fit"),
        ("deltalake", "TIMESTAMP(6)", "DATE", "EXPECT_TYPE_UNSAFE", "deltalake writes another value, without an error"),
        ("deltalake", "INT", "STRING", "EXPECT_TYPE_UNSAFE", "deltalake turns it into the other type without a word"),
        ("deltalake", "DECIMAL(12, 4)", "DECIMAL(10, 2)", "EXPECT_TYPE_MISMATCH", "deltalake refuses to write it"),
        ("pyiceberg", "DOUBLE", "INT", "EXPECT_TYPE_MISMATCH", "pyiceberg refuses to write it"),
        ("pyiceberg", "INT", "DOUBLE", "EXPECT_TYPE_MISMATCH", "pyiceberg refuses to write it"),
        ("pyiceberg", "TINYINT", "TINYINT", "EXPECT_TYPE_MISMATCH", "pyiceberg makes no column of the type that the table has"),
        ("pyiceberg", "BIGINT", "ARRAY<BIGINT>", "EXPECT_TYPE_MISMATCH", "v is ARRAY<BIGINT>, and the writer writes BIGINT."),
    ],
)
def test_a_value_that_the_writer_does_not_keep_breaks_by_what_it_does(writer: str, written: str, table: str, rule: str, says: str) -> None:
    (finding,) = judged(table, written, writer).findings
    assert finding.rule == rule
    assert finding.verdict is Verdict.BREAK
    assert says in finding.message


@pytest.mark.parametrize(
    ("writer", "written", "table"),
    [
        ("deltalake", "INT", "INT"),
        ("deltalake", "INT", "BIGINT"),
        ("deltalake", "DECIMAL(10, 2)", "DECIMAL(12, 4)"),
        ("pyiceberg", "INT", "BIGINT"),
        ("pyiceberg", "FLOAT", "DOUBLE"),
        ("pyiceberg", "VARCHAR(5)", "STRING"),
        ("pyiceberg", "ARRAY<INT>", "ARRAY<BIGINT>"),
        ("", "INT", "DOUBLE"),
    ],
)
def test_a_value_that_the_writer_keeps_fits(writer: str, written: str, table: str) -> None:
    assert judged(table, written, writer).findings == ()


@pytest.mark.parametrize("table", ["ARRAY<INT>", "MAP<INT, INT>", "ROW<a INT>"])
def test_parts_of_a_column_are_judged_like_a_column(table: str) -> None:
    written = table.replace("INT>", "DOUBLE>")
    (finding,) = judged(table, written, "deltalake").findings
    assert "deltalake writes another value" in finding.message


def test_a_job_that_takes_its_own_type_only_is_told_of_a_conversion_that_loses_nothing() -> None:
    (finding,) = judged("BIGINT", "INT", "deltalake", accepts="exact").findings
    assert "without a word" in finding.message
    assert judged("BIGINT", "DOUBLE", "deltalake", accepts="any").findings == ()


def test_the_writer_says_nothing_of_what_a_job_reads() -> None:
    schema = TableSchema.create("v INT")
    assert check_contract(schema, {"columns": {"v": "DOUBLE"}, "write_with": "pyiceberg"}).findings == ()


@pytest.mark.parametrize("wrong", ["delta-lake", "spark", "deltalake 1.6", "x" * 10_000])
def test_an_unknown_writer_is_refused_with_those_that_are_known(wrong: str) -> None:
    with pytest.raises(ContractError, match="writer that was measured") as caught:
        Contract.of({"columns": ["a"], "write_with": wrong})
    assert "deltalake" in str(caught.value)


def test_a_writer_has_one_spelling() -> None:
    assert Contract.of({"columns": ["a"], "write_with": " DeltaLake "}).write_with == "deltalake"


@given(st.sampled_from(sorted(WRITERS)), atoms(), atoms(), st.booleans())
def test_what_fits_was_measured_and_loses_nothing(writer: str, source: AtomicType, target: AtomicType, exact: bool) -> None:
    fits = writer_lack(writer, source, target, exact=exact) is None
    is_kept = same(source, target) or (holds_all(source, target) and not exact)
    assert fits is (outcome(writer, source, target) is Outcome.EXACT and is_kept)
