"""Addresses of the storage are left out of versions and of sentences, and nothing else is."""

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.plugins.tables.hidden_addresses import HIDDEN, text_without_paths, without_addresses

ADDRESSES = st.sampled_from(["s3://bucket/x", "/data/x", "~/x", "abfss://c@a/x", "C:\\data", "file:/x", "hdfs://n:1/x"])
VALUES = st.sampled_from(["4", "orc", "a,b", "true", "deduplicate", "10 min"])


@given(address=ADDRESSES, value=VALUES, location=ADDRESSES, owner=VALUES)
def test_an_option_that_is_an_address_is_hidden_and_others_stay(address: str, value: str, location: str, owner: str) -> None:
    about = json.dumps({"location": location, "owner": owner})
    options = {"external.path": address, "my.option": value, "schemas.table": about}
    shown = without_addresses(Version(1, "d", TableSchema.create("a INT", options=options))).schema
    assert shown.options["external.path"] == HIDDEN
    assert shown.options["my.option"] == value
    assert dict(shown.table_attributes) == {"owner": owner}


def test_a_version_without_addresses_stays_as_it_is() -> None:
    version = Version(1, "d", TableSchema.create("a INT", options={"my.option": "4"}))
    assert without_addresses(version) == version


def test_attributes_that_cannot_be_read_are_left_out() -> None:
    schema = replace(TableSchema.create("a INT"), options=Options({"schemas.table": "{", "my.option": "4"}))
    assert dict(without_addresses(Version(1, "d", schema)).schema.options) == {"my.option": "4"}


@given(path=st.from_regex(r"[a-z0-9.]{1,9}(/[a-z0-9.=-]{1,9}){1,4}", fullmatch=True))
def test_no_part_of_a_path_stays_in_a_sentence(path: str) -> None:
    shown = text_without_paths(f"files in {path} (nobody knows which version)")
    assert shown == f"files in {HIDDEN} (nobody knows which version)"
