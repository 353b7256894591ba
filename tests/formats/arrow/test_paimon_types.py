"""The tables of Paimon's and Arrow's types are complete, and say themselves what does not come back."""

import pytest

from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import KINDS, Root
from airflow_provider_schemas.core.types.parsing import parse_type
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.arrow import paimon_types
from airflow_provider_schemas.formats.arrow.library import LEAVES
from airflow_provider_schemas.formats.arrow.model import LISTS, PLAIN, ArrowKind, ArrowType
from airflow_provider_schemas.formats.arrow.paimon_types import FROM_ARROW, REFUSED, TO_ARROW, leaf_text, read_leaf

CONTAINERS = {*LISTS, ArrowKind.STRUCT, ArrowKind.MAP, ArrowKind.DICTIONARY, ArrowKind.RUN_END_ENCODED}


def atom(text: str) -> AtomicType:
    kind = parse_type(text)
    assert isinstance(kind, AtomicType)
    return kind


def test_every_type_of_ours_has_a_row() -> None:
    assert set(TO_ARROW) == set(KINDS)


def test_every_type_of_arrow_is_taken_or_refused() -> None:
    assert set(FROM_ARROW) | set(REFUSED) | CONTAINERS == set(ArrowKind)
    assert not set(FROM_ARROW) & set(REFUSED)


def test_every_type_of_arrow_without_parameters_is_one_of_pyarrow() -> None:
    with_parameters = {"decimal32", "decimal64", "decimal128", "decimal256", "time32", "time64", "timestamp", "duration", "interval"}
    assert set(LEAVES) == set(ArrowKind) - CONTAINERS - {ArrowKind(one) for one in with_parameters} - {"fixed_size_binary", "union"}


@pytest.mark.parametrize(("ours", "arrow", "back"), paimon_types.LOSSY)
def test_a_lossy_type_becomes_what_the_table_says(ours: str, arrow: str, back: str) -> None:
    found = TO_ARROW[atom(ours).root](atom(ours))
    assert leaf_text(found).replace(", ", " ") == arrow.replace(", ", " ")
    assert str(read_leaf(found).type) == back


def test_every_kind_of_loss_has_a_row_in_the_table() -> None:
    named = {atom(ours).root for ours, *_ in paimon_types.LOSSY}
    assert {*named, Root.MULTISET} == set(paimon_types.WHAT)


@pytest.mark.parametrize(
    ("ours", "arrow"),
    [
        ("BOOLEAN", "bool"),
        ("TINYINT", "int8"),
        ("SMALLINT", "int16"),
        ("INT", "int32"),
        ("BIGINT", "int64"),
        ("FLOAT", "float32"),
        ("DOUBLE", "float64"),
        ("DATE", "date32"),
        ("STRING", "utf8"),
        ("BYTES", "binary"),
        ("BLOB", "large_binary"),
        ("DECIMAL(10, 2)", "decimal128[10, 2]"),
        ("TIME(3)", "time32[ms]"),
        ("TIMESTAMP(0)", "timestamp[s]"),
        ("TIMESTAMP(3)", "timestamp[ms]"),
        ("TIMESTAMP(6)", "timestamp[us]"),
        ("TIMESTAMP(9)", "timestamp[ns]"),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "timestamp[us, UTC]"),
    ],
)
def test_a_type_that_arrow_has_comes_back_as_itself(ours: str, arrow: str) -> None:
    found = TO_ARROW[atom(ours).root](atom(ours))
    assert leaf_text(found) == arrow
    assert read_leaf(found) == (atom(ours), "")


@pytest.mark.parametrize(("arrow", "ours"), [("uint8", "SMALLINT"), ("uint16", "INT"), ("uint32", "BIGINT"), ("uint64", "DECIMAL(20, 0)")])
def test_a_number_without_a_sign_gets_the_smallest_type_that_holds_it(arrow: str, ours: str) -> None:
    assert read_leaf(PLAIN[ArrowKind(arrow)]) == (atom(ours), "type")


@pytest.mark.parametrize("kind", REFUSED)
def test_a_type_that_no_table_holds_is_refused_with_what_to_do(kind: ArrowKind) -> None:
    with pytest.raises(FormatError) as caught:
        read_leaf(PLAIN[kind])
    assert caught.value.fix == REFUSED[kind]


@pytest.mark.parametrize(("precision", "scale"), [(39, 0), (76, 3), (10, -2), (6, 19)])
def test_a_decimal_that_paimon_does_not_have_is_refused(precision: int, scale: int) -> None:
    with pytest.raises(SchemaError, match="out of range"):
        read_leaf(ArrowType(ArrowKind.DECIMAL256, precision=precision, scale=scale))
