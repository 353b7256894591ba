"""The versions of a table: who wrote them, what changed, and what cannot be read."""

from msgspec.structs import replace

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.pictures.timeline_rows import TimelineRow, timeline_rows
from airflow_provider_schemas.render.version_entries import entries
from tests.render.html.support.html_tables import ReadHtml
from tests.render.support import story


def rows(*versions: Version) -> list[TimelineRow]:
    return timeline_rows(entries(versions))


def test_the_newest_version_stands_first_with_what_changed() -> None:
    newest, outside, first = rows(*story.versions())
    assert (newest.name, newest.number, newest.before) == ("v42", 42, 41)
    assert newest.changes[0] == "DROP COLUMN legacy_flag"
    assert (outside.is_outside, newest.is_outside) == (True, False)
    assert first.changes == ("the earliest version here, with 5 columns",)


def test_a_version_that_says_who_wrote_it_in_a_way_nobody_understands_is_marked() -> None:
    schema = replace(story.FIRST, unknown=(((PROVENANCE,), '{"actor": 7}'),))
    row = rows(Version.read(schema.to_json().encode(), 3))[0]
    assert row.is_unreadable
    assert "who wrote it cannot be read" in ReadHtml(fragment([Version.read(schema.to_json().encode(), 3)])).text


def test_a_restored_version_names_the_one_that_came_back() -> None:
    restored = story.version(story.FIRST, 43, "2026-11-19T08:00Z", Provenance(actor="raj", restored=40))
    assert rows(restored)[0].is_restored
    assert "v40 restored" in ReadHtml(fragment([restored])).text


def test_the_run_of_a_dag_is_told_as_dag_and_run() -> None:
    origin = Provenance(actor="ana", run="evolve_shop/scheduled__2026-11-18T01:00:00+00:00/evolve")
    text = " ".join(ReadHtml(fragment([story.version(story.FIRST, 43, "2026-11-19T08:00Z", origin)])).text.split())
    assert "DAG evolve_shop run scheduled__2026-11-18T01:00:00+00:00" in text


def test_origins_that_are_given_tell_who_wrote_a_table_that_others_keep() -> None:
    log = entries([replace(version, table_id="t-1", schema=replace(version.schema, time_millis=0)) for version in story.versions()[:2]])
    assert [row.origin for row in timeline_rows(log)] == [None, None]
    given = [Origin(41, says="Spark 4.1", is_outside=True), Origin(40, actor="ana")]
    assert [row.origin for row in timeline_rows(log, given)] == given


def test_no_version_is_a_sentence() -> None:
    assert "No version is known." in ReadHtml(fragment([])).text
