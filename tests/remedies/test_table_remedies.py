"""What is proposed where a table is not there, or where nobody looked at its data, is followed by command."""

from pathlib import Path

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from tests.remedies.lake import NAME, Lake

NEED = {NAME: "id BIGINT"}


def told(store: SchemaStore) -> list[tuple[str, str]]:
    """What a gate says of the table, and what it proposes."""
    return [(one.rule, one.fix) for one in judge(store, NEED).reports[0].findings]


def test_a_table_that_is_not_there_is_created_or_called_by_its_name(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake", [TableSchema.create("id BIGINT NOT NULL")], {})
    need = {"shop.order": "id BIGINT"}
    (missing,) = judge(lake.store, need).reports[0].findings
    assert missing.rule == "TABLE_MISSING"
    assert missing.fix.startswith("Look at the name with `airflow-schemas ls`; create the table")
    assert NAME in lake.type("ls", "shop").out
    assert told(lake.store) == []
    assert lake.type("create", "shop.order", "id BIGINT NOT NULL").code == 0
    assert judge(lake.store, need).fits


def test_a_description_is_compared_with_its_data(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    (tmp_path / "data").mkdir()
    parquet.write_table(pa.table({"id": pa.array([1], pa.int64())}), tmp_path / "data" / "part-0.parquet")
    blind = SchemaStore(tmp_path / "registry", layout="registry", look=False)
    blind.adopt(NAME, str(tmp_path / "data"), "id BIGINT")
    ((rule, fix),) = told(blind)
    assert rule == "TABLE_NOT_LOOKED_AT"
    assert fix
    assert judge(SchemaStore(tmp_path / "registry", layout="registry"), NEED).reports[0].findings == ()
    assert RULES[rule].fix.startswith("Let the data be looked at")
