"""Who wrote a version is told as its file tells it, and nothing is read out of it that does not stand there."""

import pytest
from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, Version
from airflow_provider_schemas.core.blame.origin import Origin, moment_of
from airflow_provider_schemas.core.schema.version import Provenance

TABLE = TableSchema.create("id BIGINT")


def written(number: int = 0, **about: object) -> Version:
    schema = replace(Provenance(**about).on(TABLE), id=number)  # type: ignore[arg-type]  # as a file has it
    return Version.read(schema.to_json().encode(), number)


def test_a_version_names_its_author_run_and_approval() -> None:
    origin = Origin.of(written(3, actor="ana", run="nightly-7", approval="raj", policy="override: INC-7"))
    assert (origin.number, origin.actor, origin.run, origin.approval) == (3, "ana", "nightly-7", "raj")
    assert origin.byline == "by ana (run nightly-7, approved by raj, policy override: INC-7)"
    assert origin.title == "v3"


def test_the_run_of_a_task_of_ours_leads_to_its_dag_run_and_task() -> None:
    origin = Origin.of(written(run="evolve_shop/manual__2026-11-18T01:12:00+00:00/group.evolve[2]"))
    parts = (origin.dag_id, origin.run_id, origin.task_id, origin.map_index)
    assert parts == ("evolve_shop", "manual__2026-11-18T01:12:00+00:00", "group.evolve", 2)


@pytest.mark.parametrize("run", ["github/acme/42", "nightly", "a/b/c", "", "x/manual__/y", "<b>/manual__1/t", "d/manual__1/t[x]"])
def test_a_run_of_another_system_leads_to_no_dag(run: str) -> None:
    origin = Origin.of(written(run=run))
    assert (origin.dag_id, origin.run_id, origin.task_id, origin.map_index) == ("", "", "", -1)


def test_a_version_without_provenance_is_by_an_outside_writer() -> None:
    origin = Origin.of(Version.read(TABLE.to_json().encode(), 0))
    assert (origin.is_outside, origin.byline) == (True, "by an outside writer")


def test_a_provenance_that_nobody_understands_names_nobody() -> None:
    schema = replace(TABLE, unknown=((("schemas-provenance",), "[1]"),))
    file = replace(Provenance(actor="ana").on(TABLE))
    broken = replace(file, unknown=tuple((place, '{"actor": 7}') for place, _ in file.unknown))
    assert Origin.of(Version(0, "d", broken)).is_outside
    assert Origin.of(Version(0, "d", schema)).is_outside


def test_a_moment_that_no_calendar_has_is_none() -> None:
    assert [moment_of(millis) for millis in (None, 0, -1, 2**62)] == [None] * 4
    assert str(moment_of(1)) == "1970-01-01 00:00:00.001000+00:00"


def test_what_may_have_come_in_several_versions_names_nobody() -> None:
    origin = Origin.of(written(6, actor="ana")).since(4)
    assert (origin.title, origin.actor, origin.byline) == ("v4 to v6", "", "by whom is not known")
    assert Origin(4, "dev", through=5, is_gone=True).title == "v4 to v5 (dev)"


def test_the_commit_is_kept_whole_and_told_short() -> None:
    sha = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    origin = Origin.of(written(actor="ana", run="ci-7", revision=sha, commit="the-id-of-an-attempt"))
    assert origin.commit == sha
    assert origin.byline == "by ana (run ci-7, commit 1a2b3c4d5e6f)"
    assert Origin.of(written(actor="ana", commit="the-id-of-an-attempt")).commit == ""
