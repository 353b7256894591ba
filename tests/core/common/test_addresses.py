"""An address is shown without its user part and its query, wherever in a text it stands."""

import pytest

from airflow_provider_schemas.core.common.secrets import without_credentials, without_passwords
from airflow_provider_schemas.core.common.text import shown

SHOWN = {
    "https://h/x.yaml?X-Amz-Credential=AKIA/2026/us&X-Amz-Signature=beef": "https://h/x.yaml?****",
    "https://h/x?a": "https://h/x?****",
    "https://h:8080?mail=a@b": "https://h:8080?****",
    "https://token@h/x": "https://****@h/x",
    "https://h:8080/p/@scope/x": "https://h:8080/p/@scope/x",
    "https://h/x?a='b'&sig=beef": "https://h/x?****",
    "https://h/x?next=https://u:p@b/c&t=beef end": "https://h/x?**** end",
    "https://h/#access_token=beef": "https://h/#access_token=****",
    "(see https://h/x?z=1).": "(see https://h/x?****).",
    "is it https://h/x? Yes": "is it https://h/x? Yes",
    '{"a": "http://h?y=1", "b": "c=1"}': '{"a": "http://h?****", "b": "c=1"}',
    "http://a/x,http://u:p@b/c": "http://a/x,http://****@b/c",
    "s3://key:se/cret@bucket/x?versionId=3": "s3://****@bucket/x?****",
    "s3://u:p?x@bucket/y": "s3://****@bucket/y",
    "s3://u:p@ss@bucket/y": "s3://****@bucket/y",
    "s3://bucket/dt=2026-01-0?/x": "s3://bucket/dt=2026-01-0?/x",
    "s3://bucket/a:b@c": "s3://bucket/a:b@c",
    "ssh://git@host/x": "ssh://****@host/x",
    "abfss://container@account.dfs/x": "abfss://container@account.dfs/x",
    "abfss://u:p@account.dfs/x": "abfss://****@account.dfs/x",
    "jdbc:sqlserver://h;user=x;password=hunter2;a=b": "jdbc:sqlserver://h;user=x;password=****;a=b",
}


@pytest.mark.parametrize("text", SHOWN)
def test_an_address_loses_its_user_part_and_its_query(text: str) -> None:
    assert without_credentials(text) == SHOWN[text]
    assert without_credentials(SHOWN[text]) == SHOWN[text]


@pytest.mark.parametrize("text", [text for text in SHOWN if " " not in text and '"' not in text and "'" not in text])
def test_a_value_in_a_message_is_shown_so_as_well(text: str) -> None:
    assert shown(text) == repr(SHOWN[text])
    assert shown([text]) == repr([SHOWN[text]])


@pytest.mark.parametrize("address", ["hdfs://ann@namenode:8020/x", "s3://bucket/x?versionId=3", "abfss://container@account.dfs/x"])
def test_what_a_program_needs_to_open_an_address_is_no_password(address: str) -> None:
    assert without_passwords(address) == address


@pytest.mark.parametrize("part", ["://", "://a:", "://a?", '://a?"', "&a=", "a"])
def test_a_long_text_takes_no_long_time(part: str) -> None:
    assert "beef" not in without_credentials(f"https://u:beef@h/{part * 50_000}")
