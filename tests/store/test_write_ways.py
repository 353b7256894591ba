"""A table that a job writes is judged by what the job's writer does, whoever asks: a judgement, a registered contract, a change."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.store import SchemaStore, judge


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    store = SchemaStore(tmp_path, actor="ana")
    store.create_table("raw.orders", "id BIGINT, amount INT")
    return store


@pytest.mark.parametrize(
    ("writer", "says"),
    [("", "Spark assigns it"), ("deltalake", "deltalake writes another value"), ("pyiceberg", "pyiceberg refuses to write it")],
)
def test_a_judgement_of_what_a_job_writes_asks_its_writer(store: SchemaStore, writer: str, says: str) -> None:
    need = {"columns": {"amount": "DOUBLE"}, "write_with": writer}
    judgement = judge(store, writes={"raw.orders": need}, consumer="loader")
    assert not judgement.fits
    (finding,) = judgement.tables[0].report.findings
    assert says in finding.message


def test_a_pair_that_only_one_writer_takes_fits_for_this_one_only(store: SchemaStore) -> None:
    store.create_table("raw.sums", "total DOUBLE")
    need = {"columns": {"total": "INT"}}
    fits = {
        writer: judge(store, writes={"raw.sums": {**need, "write_with": writer}}, consumer="loader").fits
        for writer in ("", "deltalake", "pyiceberg")
    }
    assert fits == {"": True, "deltalake": True, "pyiceberg": False}


def test_a_change_is_stopped_by_the_registered_contract_of_a_writer(store: SchemaStore) -> None:
    table = store.table("raw.orders")
    for writer in ("deltalake", "pyiceberg"):
        table.register({"columns": [{"name": "amount", "type": "INT", "role": "write"}], "write_with": writer}, consumer=f"by_{writer}")
    with pytest.raises(IncompatibleSchemaError) as caught:
        table.evolve("ALTER COLUMN amount TYPE DOUBLE")
    (finding,) = caught.value.report.findings
    (consumer,) = finding.consumers
    assert consumer.name == "by_pyiceberg"
    assert "pyiceberg refuses to write it" in consumer.message
