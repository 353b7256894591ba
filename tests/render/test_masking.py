"""Options that hold secrets are told of, and their values are not."""

import pytest

from airflow_provider_schemas.core import Diff, TableSchema, evolve
from airflow_provider_schemas.core.common.secrets import is_secret, without_credentials
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.evolution.diff import Difference
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render import json_text, markdown, summary, text, version_entries
from airflow_provider_schemas.render.api import Shown

KEYS = [
    "fs.s3a.access.key",
    "fs.s3a.secret.key",
    "s3.access-key",
    "fs.azure.account.key.acme",
    "jdbc.password",
    "dbPassword",
    "auth_token",
    "security.token",
    "service.credential",
    "apiKey",
    "ssl.key-passphrase",
    "sasl.jaas.config",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_names_a_secret_is_known(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize(
    "key", ["bucket-key", "primary-key", "merge-engine", "sequence.field", "fields.tokens_used.x", "secretary", "keyboard"]
)
def test_other_keys_hold_no_secret(key: str) -> None:
    assert not is_secret(key)


@pytest.mark.parametrize("key", KEYS)
def test_no_form_of_anything_shows_it(key: str) -> None:
    plain = TableSchema.create("a INT, password STRING", options={key: "hunter2-old"})
    later = evolve(plain, [f"SET OPTION '{key}' = 'hunter2-new'", "ALTER COLUMN password TYPE INT"])
    versions = [Version.read(one.to_json().encode(), one.id) for one in (plain, later)]
    values: list[Shown] = [check(plain, later), Plan.of(versions[0], later), Plan.of(None, plain), versions]
    for value in values:
        for shown in (text(value), text(value, verbose=True), markdown(value), markdown(value, verbose=True), json_text(value)):
            assert "hunter2" not in shown
    assert key in text(values[0], width=100, verbose=True)
    assert "hunter2" not in summary(check(plain, later))


def test_that_one_was_set_is_told() -> None:
    plain = TableSchema.create("a INT")
    later = evolve(plain, ["SET OPTION jdbc.password = hunter2"])
    shown = text(check(plain, later), width=100, verbose=True)
    assert "jdbc.password  not set -> ****" in shown


def test_a_difference_that_no_change_says_keeps_the_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Diff((), (Difference("options.jdbc.password", "the changes leave 'hunter2'."),))
    monkeypatch.setattr(version_entries, "diff", lambda old, new: told)
    plain = TableSchema.create("a INT")
    versions = [Version(0, "0", plain), Version(1, "1", plain)]
    assert "options.jdbc.password" in text(versions, width=100)
    assert "hunter2" not in text(versions, width=100) + markdown(versions) + json_text(versions)


def test_a_column_called_password_is_a_column() -> None:
    plain = TableSchema.create("password STRING")
    later = evolve(plain, ["ALTER COLUMN password TYPE INT"])
    assert "STRING -> INT" in text(check(plain, later), width=100)


@pytest.mark.parametrize(
    "address",
    [
        "s3://key:hunter2@bucket/x",
        "jdbc:mysql://user:hunter2@host:3306/db",
        "https://acme.blob/x?sig=hunter2&st=1",
        "https://x/y?a=b&token=hunter2",
        "https://x/y?X-Amz-Signature=hunter2",
    ],
)
def test_no_form_shows_what_an_address_holds(address: str) -> None:
    plain = TableSchema.create("a INT", options={"uri": "s3://bucket/x"})
    changes = [f"SET OPTION uri = '{address}'", f"ALTER COLUMN a COMMENT 'see {address}'"]
    later = evolve(plain, changes)
    versions = [Version.read(one.to_json().encode(), one.id) for one in (plain, later)]
    values: list[Shown] = [check(plain, later), check(later, plain), Plan.of(versions[0], later), Plan.of(None, later), versions]
    for value in values:
        for shown in (text(value, width=200), text(value, verbose=True), markdown(value, verbose=True), json_text(value)):
            assert "hunter2" not in shown
    assert address.partition(":")[0] in text(values[0], width=200, verbose=True)


@pytest.mark.parametrize("address", ["s3://bucket/a@b", "ssh://host/x", "https://x/y", "s3://bucket/dt=2026-01-0?", "user:pass@host"])
def test_an_address_without_a_user_and_a_query_is_shown_as_it_is(address: str) -> None:
    assert without_credentials(address) == address
