"""What a verdict says of who wrote a version, and how its page shows the commit."""

import msgspec

from airflow_provider_schemas.core import TableSchema, Version
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.render.html.api import document
from airflow_provider_schemas.render.verdict.entries import VerdictEntry
from airflow_provider_schemas.tasks.output.xcom_tables import last_change

SHA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"


def written(**about: str) -> Version:
    return Version.read(Provenance(**about).on(TableSchema.create("id BIGINT")).to_json().encode(), 3)  # type: ignore[arg-type]  # its texts


def test_a_verdict_has_the_whole_commit_of_a_version_that_records_one() -> None:
    assert last_change(written(actor="ana", run="ci-7", revision=SHA))["commit"] == SHA


def test_a_verdict_about_a_version_without_a_commit_is_what_it_always_was() -> None:
    assert set(last_change(written(actor="ana", commit="the-id-of-an-attempt"))) == {"by", "at", "run", "approval"}


def test_a_strange_commit_in_a_file_reaches_a_verdict_as_one_short_clean_line() -> None:
    told = last_change(written(revision="\u202e<b>\n" + "x" * 5_000))["commit"]
    assert told.isprintable()
    assert len(told) < 1_000


def test_the_page_of_a_verdict_shows_the_commit_short_and_has_it_whole() -> None:
    table = {"verdict": "break", "fits": False, "version": 3, "changed": {"by": "ana", "at": "2026-11-18 01:12 UTC", "commit": SHA}}
    entry = msgspec.convert({"verdict": "break", "tables": {"shop.orders": table}}, VerdictEntry)
    page = document(entry)
    assert "(commit 1a2b3c4d5e6f)" in page
    assert f'title="commit {SHA}"' in page


def test_a_hostile_commit_in_a_verdict_stays_text() -> None:
    evil = '"><script>alert(1)</script>'
    table = {"verdict": "break", "fits": False, "version": 3, "changed": {"by": "ana", "commit": evil}}
    page = document(msgspec.convert({"verdict": "break", "tables": {"shop.orders": table}}, VerdictEntry))
    assert "<script>alert" not in page
