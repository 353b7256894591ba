"""A table is asked what its options and types give reason to ask; what is left out would have found nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.table_options import CHOICES, FLAGS, NUMBERS
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.validation.checklist import Check, Checklist
from airflow_provider_schemas.core.validation.facts import Facts
from airflow_provider_schemas.core.validation.validity import CHECKS, COMMIT_CHECKS, CREATION_CHECKS, DOUBTS
from airflow_provider_schemas.errors import SchemaError
from tests.core.support.broken_tables import CASES, LABELS, Case, Table
from tests.support.tables import tables

ALL = Checklist((*CHECKS, *COMMIT_CHECKS, *CREATION_CHECKS, *DOUBTS))
PLAIN = "k INT NOT NULL, name STRING, at TIMESTAMP(6)"


def asked(columns: str, options: dict[str, str], keys: str = "") -> int:
    return len(ALL.asked(Facts(Table(columns, options, keys).created())))


@pytest.mark.parametrize(
    ("columns", "options", "most"),
    [
        (PLAIN, {}, 10),
        (PLAIN, {"my.option": "x", "write-buffer-size": "1 mb"}, 10),
        (PLAIN, {"file.format": "parquet"}, 14),
        (PLAIN, {"bucket": "2", "bucket-key": "k"}, 15),
        (f"{PLAIN}, place GEOMETRY", {}, 15),
    ],
)
def test_a_table_is_asked_few_of_the_checks(columns: str, options: dict[str, str], most: int) -> None:
    assert asked(columns, options) <= most
    assert len(ALL.checks) > 80


def silent(check: Check, facts: Facts) -> bool:
    try:
        return not list(check(facts))
    except SchemaError:
        return True


def left_out(facts: Facts) -> list[Check]:
    there = {id(check) for check in ALL.asked(facts)}
    return [check for check in ALL.checks if id(check) not in there]


def stored(case: Table) -> TableSchema:
    """A table of plain columns with the options and keys of the case, as a file may hold it, valid or not."""
    fields = TableSchema.create("k INT, v STRING, m MAP<STRING, INT>, p STRING").fields
    return TableSchema(fields, 100, tuple(case.partitions.split()), tuple(case.keys.split()), Options(case.options))


@pytest.mark.parametrize("case", CASES, ids=LABELS)
def test_what_a_broken_table_is_not_asked_would_find_nothing(case: Case) -> None:
    facts = Facts(stored(case.broken))
    assert [check for check in left_out(facts) if not silent(check, facts)] == []


KEYS = sorted({*FLAGS, *NUMBERS, *CHOICES, "sequence.field", "rowkind.field", "vector-field", "fields.a.ignore-retract", "fieldsx"})
VALUES = st.sampled_from(["true", "false", "1", "-2", "a", "", "a,b", "lookup", "first-row", "partial-update", "aggregation", "avro"])


@given(tables(), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
def test_what_no_table_is_asked_would_find_nothing(schema: TableSchema, options: dict[str, str]) -> None:
    facts = Facts(TableSchema(schema.fields, schema.highest_field_id, schema.partition_keys, schema.primary_keys, Options(options)))
    assert [check for check in left_out(facts) if not silent(check, facts)] == []
