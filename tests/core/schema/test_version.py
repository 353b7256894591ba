"""A version is a schema with an identity and a past: number, digest, branch, and where it comes from."""

import hashlib
import json
import pickle
from typing import Any

import pytest

from airflow_provider_schemas.core import Provenance, TableSchema, Version, evolve
from airflow_provider_schemas.core.changes.schema_change import set_attributes
from airflow_provider_schemas.errors import SchemaFileError

TABLE = TableSchema.create("a INT, b STRING")
PAST = Provenance(key="k1", actor="ana", run="evolve_shop/7", parent_id=0, parent_sha256="9f3c", changes=({"action": "dropPrimaryKey"},))


def with_past(value: Any) -> TableSchema:
    return TableSchema.from_json(json.dumps({**json.loads(TABLE.to_json()), "schemas": value}))


def test_a_version_is_told_by_branch_number_and_digest() -> None:
    data = TABLE.to_json().encode()
    version = Version.read(data, 4)
    assert version.identity == ("main", 4, hashlib.sha256(data).hexdigest())
    assert version.schema == TABLE
    assert Version.read(data, 4, "rt").identity != version.identity
    assert pickle.loads(pickle.dumps(version)) == version


def test_a_version_by_an_outside_writer_has_no_provenance() -> None:
    assert Version.read(TABLE.to_json().encode(), 0).provenance is None


def test_provenance_survives_the_file_and_stands_in_one_key() -> None:
    schema = PAST.on(TABLE)
    text = schema.to_json()
    assert Version.read(text.encode(), 1).provenance == PAST
    assert set(json.loads(text)) - set(json.loads(TABLE.to_json())) == {"schemas"}
    assert "null" not in text


def test_provenance_is_about_one_version_only() -> None:
    schema = PAST.on(TABLE)
    assert schema.digest == TABLE.digest
    assert evolve(schema, ["SET COMMENT 'x'"]).provenance is None
    assert Provenance.of(Provenance(actor="raj").on(schema)) == Provenance(actor="raj")


@pytest.mark.parametrize("value", [5, "x", [], {"parent_id": "seven"}, {"changes": [1]}])
def test_malformed_provenance_is_explained(value: Any) -> None:
    with pytest.raises(SchemaFileError) as refused:
        Provenance.of(with_past(value))
    assert (refused.value.code, refused.value.path) == ("provenance.invalid", "schemas")


def test_only_a_schema_has_provenance_and_takes_it() -> None:
    for call in (lambda: PAST.on(1), lambda: Provenance.of("a INT")):  # type: ignore[arg-type]  # on purpose
        with pytest.raises(SchemaFileError) as refused:
            call()
        assert refused.value.code == "schema.no-schema"


def test_provenance_of_a_later_release_is_read_as_far_as_it_is_known() -> None:
    assert Provenance.of(with_past({"actor": "ana", "mood": "good"})) == Provenance(actor="ana")


def test_attributes_are_set_changed_and_taken_away_like_options() -> None:
    named = evolve(TABLE, [set_attributes(1, {"unit": "EUR", "alias": ["größe"]}), set_attributes(None, {"owner": "ana"})])
    assert dict(named.attributes(1)) == {"unit": "EUR", "alias": ["größe"]}
    assert dict(named.table_attributes) == {"owner": "ana"}
    assert dict(evolve(named, [set_attributes(1, {}), set_attributes(None, {})]).options) == {}


def test_attributes_stay_with_a_renamed_column_and_go_with_a_dropped_one() -> None:
    named = evolve(TABLE, [set_attributes(1, {"unit": "EUR"})])
    assert dict(evolve(named, ["RENAME COLUMN b TO c"]).attributes(1)) == {"unit": "EUR"}
    assert dict(evolve(named, ["DROP COLUMN b"]).options) == {}


def test_a_version_without_a_commit_has_the_bytes_that_it_always_had() -> None:
    assert "revision" not in PAST.on(TABLE).to_json()
    assert PAST.on(TABLE).to_json() == Provenance.of(PAST.on(TABLE)).on(TABLE).to_json()  # type: ignore[union-attr]  # it has one


def test_the_commit_of_a_change_survives_the_file_and_is_not_part_of_the_schema() -> None:
    schema = Provenance(actor="ana", revision="1a2b3c4d5e6f").on(TABLE)
    assert Provenance.of(TableSchema.from_json(schema.to_json())) == Provenance(actor="ana", revision="1a2b3c4d5e6f")
    assert schema.digest == TABLE.digest
