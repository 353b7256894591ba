"""The table of Spark's types is complete, and says itself what does not come back."""

import pytest

from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import KINDS, LONGEST, Root
from airflow_provider_schemas.core.types.parsing import parse_type
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.spark_types import leaves
from airflow_provider_schemas.formats.spark_types.leaves import Notation


def atom(text: str) -> AtomicType:
    kind = parse_type(text)
    assert isinstance(kind, AtomicType)
    return kind


def test_every_type_of_ours_has_a_row() -> None:
    assert set(leaves.LEAVES) == {root.name for root in KINDS if root is not Root.OPAQUE} | set(LONGEST.values())


@pytest.mark.parametrize(("ours", "as_json", "as_ddl", "back"), leaves.LOSSY)
def test_a_lossy_type_becomes_what_the_table_says(ours: str, as_json: str, as_ddl: str, back: str) -> None:
    written: list[tuple[Notation, str]] = [("json", as_json), ("ddl", as_ddl)]
    for notation, text in written:
        found = leaves.written(atom(ours), notation)
        assert (found.text, str(leaves.read_leaf(text, notation))) == (text, back)
        assert found.what == leaves.LEAVES[atom(ours).root.name].what
        assert back in found.message


def test_every_kind_of_loss_has_a_row_in_the_table() -> None:
    lossy = {name for name, leaf in leaves.LEAVES.items() if leaf.what}
    named = {atom(ours).root.name for ours, *_ in leaves.LOSSY}
    assert lossy - named == {"CHAR", "VARCHAR"}, "their length is kept beside the type in JSON, and in DDL itself"


@pytest.mark.parametrize(
    ("ours", "as_json", "as_ddl"),
    [
        ("TINYINT", "byte", "TINYINT"),
        ("BIGINT", "long", "BIGINT"),
        ("DECIMAL(10, 2)", "decimal(10,2)", "DECIMAL(10,2)"),
        ("TIMESTAMP(6)", "timestamp_ntz", "TIMESTAMP_NTZ"),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "timestamp", "TIMESTAMP"),
        ("TIME(3)", "time(3)", "TIME(3)"),
        ("VARIANT", "variant", "VARIANT"),
        ("GEOMETRY(EPSG:3857)", "geometry(EPSG:3857)", "GEOMETRY(3857)"),
        ("GEOMETRY(ESRI:102100)", "geometry(ESRI:102100)", "GEOMETRY(102100)"),
        ("GEOGRAPHY(OGC:CRS84, spherical)", "geography(OGC:CRS84, SPHERICAL)", "GEOGRAPHY(4326)"),
    ],
)
def test_a_type_that_spark_has_comes_back_as_itself(ours: str, as_json: str, as_ddl: str) -> None:
    assert leaves.written(atom(ours), "json") == leaves.WrittenLeaf(as_json)
    assert leaves.written(atom(ours), "ddl") == leaves.WrittenLeaf(as_ddl)


@pytest.mark.parametrize("name", [*leaves.REFUSED, "interval day to second", "interval year"])
def test_a_type_that_no_table_holds_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        leaves.named_type(leaves.JSON_NAMES, name, [])
    assert caught.value.fix in leaves.REFUSED.values()


def test_a_coordinate_system_without_a_number_has_no_ddl() -> None:
    with pytest.raises(FormatError, match="coordinate system"):
        leaves.written(atom("GEOMETRY(mine:own)"), "ddl")
    assert leaves.written(atom("GEOMETRY(mine:own)"), "json").text == "geometry(MINE:OWN)"
