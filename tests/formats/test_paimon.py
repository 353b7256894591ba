"""Paimon's own file is what our model is: it goes through unchanged."""

import json

import pytest
from hypothesis import given

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaFileError
from airflow_provider_schemas.formats import dump, load, paimon
from tests.conformance import real_files
from tests.conformance.real_files import RealFile
from tests.formats.support.strategies import schemas


@given(schemas())
def test_a_schema_survives_its_file(schema: TableSchema) -> None:
    dumped = dump("paimon", schema)
    assert dumped.losses == ()
    assert load("paimon", dumped.text).schema == schema


@pytest.mark.parametrize("file", real_files.read(), ids=lambda file: file.name)
def test_a_file_that_java_wrote_comes_out_as_it_went_in(file: RealFile) -> None:
    loaded = load("paimon", file.text)
    dumped = dump("paimon", loaded.schema)
    assert (loaded.losses, dumped.losses) == ((), ())
    assert json.loads(dumped.text) == json.loads(file.text)
    assert not file.laid_out or dumped.text == file.text


def test_keys_inside_a_field_that_nobody_knows_are_named_when_they_are_left_behind() -> None:
    file = {"version": 3, "id": 0, "fields": [], "highestFieldId": 0, "partitionKeys": [], "primaryKeys": [], "options": {}}
    file |= {"fields": [{"id": 0, "name": "a", "type": "INT", "nullable": True}], "ours": 1}
    dumped = dump("paimon", load("paimon", json.dumps(file)).schema)
    assert [(loss.path, loss.what) for loss in dumped.losses] == [("fields.0.nullable", "unknown key")]
    assert json.loads(dumped.text)["ours"] == 1


def test_no_type_is_lost() -> None:
    assert paimon.LOSSY == ()


def test_a_broken_file_is_refused_as_the_core_refuses_it() -> None:
    with pytest.raises(SchemaFileError):
        load("paimon", "{}")
