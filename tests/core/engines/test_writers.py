"""What writers do with values of another type: as it was measured, and laws that hold for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.engines.measurements import Outcome
from airflow_provider_schemas.core.engines.write_measurements import LACKED_BY, MEASURED
from airflow_provider_schemas.core.engines.writers import WRITERS, describe, outcome
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.parsing import parse_ddl
from tests.support.strategies import atoms

# The type of the values and that of the column; deltalake, pyiceberg.
SHEET = """
INT > BIGINT                           | exact       | exact
BIGINT > INT                           | error       | refused
INT > DOUBLE                           | exact       | refused
BIGINT > DOUBLE                        | approximate | refused
DOUBLE > INT                           | wrong       | refused
DOUBLE > FLOAT                         | wrong       | refused
FLOAT > DOUBLE                         | exact       | exact
DECIMAL(10, 2) > DECIMAL(12, 4)        | exact       | exact
DECIMAL(12, 4) > DECIMAL(10, 2)        | refused     | refused
DECIMAL(10, 2) > DECIMAL(20, 0)        | refused     | error
DECIMAL(10, 2) > INT                   | wrong       | refused
DECIMAL(9, 0) > INT                    | exact       | refused
INT > DECIMAL(10, 2)                   | error       | refused
INT > BOOLEAN                          | wrong       | refused
INT > STRING                           | exact       | refused
STRING > INT                           | error       | refused
STRING > DATE                          | wrong       | refused
STRING > BYTES                         | exact       | exact
BYTES > STRING                         | error       | error
TIMESTAMP(6) > DATE                    | wrong       | refused
DATE > TIMESTAMP(6)                    | exact       | refused
TIMESTAMP(9) > TIMESTAMP(6)            | wrong       | refused
TIMESTAMP(3) > TIMESTAMP(6)            | exact       | exact
TIMESTAMP(6) > TIMESTAMP_LTZ(6)        | shifted     | refused
TIMESTAMP_LTZ(6) > TIMESTAMP(6)        | shifted     | refused
INT > DATE                             | wrong       | refused
INT > TINYINT                          | error       | absent
VARCHAR(5) > STRING                    | exact       | exact
STRING > VARCHAR(5)                    | unknown     | unknown
TIMESTAMP(6) > TIMESTAMP(9)            | unknown     | unknown
VARIANT > VARIANT                      | unknown     | unknown
BINARY(16) > BINARY(16)                | unknown     | unknown
"""
CELLS = [[cell.strip() for cell in line.split("|")] for line in SHEET.strip().splitlines()]


@pytest.mark.parametrize("cells", CELLS, ids=[cells[0] for cells in CELLS])
def test_a_writer_does_what_was_measured(cells: list[str]) -> None:
    source, target = map(parse_ddl, cells[0].split(" > "))
    assert isinstance(source, AtomicType)
    assert isinstance(target, AtomicType)
    assert [str(outcome(writer, source, target)) for writer in ("deltalake", "pyiceberg")] == cells[1:]


def test_each_outcome_is_the_end_of_a_sentence() -> None:
    assert len({describe(one) for one in Outcome}) == len(Outcome)


@given(st.sampled_from(WRITERS), atoms(), atoms())
def test_nothing_is_said_of_types_that_were_not_written(writer: str, source: AtomicType, target: AtomicType) -> None:
    is_measured = {source.root, target.root} <= MEASURED
    seen = outcome(writer, source, target)
    assert is_measured or seen in {Outcome.UNKNOWN, Outcome.ABSENT}
    assert (seen is Outcome.ABSENT) == (target.root in LACKED_BY[writer])


@given(st.sampled_from(WRITERS), atoms(*sorted(MEASURED)), st.booleans(), st.booleans())
def test_whether_null_is_allowed_does_not_matter(writer: str, kind: AtomicType, one: bool, other: bool) -> None:
    assert outcome(writer, kind.with_nullable(one), kind.with_nullable(other)) is outcome(writer, kind, kind)
