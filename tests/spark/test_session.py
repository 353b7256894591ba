"""The session of a job: which kind it is, what belongs to it, and what it lacks, in words."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.session import (
    check_java,
    checked,
    described,
    functions_of,
    is_connect,
    local_session,
    needs_classic,
    session_of_frame,
)


def test_a_session_of_either_kind_is_known_and_has_its_own_functions(spark: Any) -> None:
    functions = functions_of(spark)
    frame = spark.range(3).select((functions.col("id") + 1).alias("next"))
    assert [row["next"] for row in frame.collect()] == [1, 2, 3]
    assert functions_of(frame) is functions
    assert session_of_frame(frame) is checked(spark) is spark
    assert is_connect(frame) is is_connect(spark) is is_connect(frame["next"])


def test_both_kinds_live_side_by_side(classic_spark: Any, connect_spark: Any) -> None:
    assert (is_connect(classic_spark), is_connect(connect_spark)) == (False, True)
    needs_classic(classic_spark, "observe", "Use a classic session.")
    with pytest.raises(SparkError, match="observe needs a classic session") as caught:
        needs_classic(connect_spark, "observe", "Use a classic session.")
    assert (caught.value.code, caught.value.fix) == ("spark.connect", "Use a classic session.")


def test_jobs_bear_a_description_while_it_lasts(classic_spark: Any, connect_spark: Any) -> None:
    context = classic_spark.sparkContext
    with described(classic_spark, "reading footers"), described(classic_spark, "reading, twice"):
        assert context.getLocalProperty("spark.job.description") == "schemas: reading, twice"
    assert context.getLocalProperty("spark.job.description") is None
    with described(connect_spark, "reading, twice"):
        assert connect_spark.getTags() == {"schemas:-reading-twice"}
    assert connect_spark.getTags() == set()


@pytest.mark.parametrize("what", [None, "spark", 7, SimpleNamespace(read=1, conf=2)])
def test_what_is_no_session_or_no_frame_is_said_to_be_none(what: Any) -> None:
    for asked, code in ((checked, "spark.no-session"), (session_of_frame, "spark.no-frame")):
        with pytest.raises(SparkError) as caught:
            asked(what)
        assert caught.value.code == code


def a_session(version: str, *, stopped: bool = False) -> Any:
    context = SimpleNamespace(_jsc=None if stopped else 1)
    return SimpleNamespace(read=1, conf=1, sql=1, createDataFrame=1, version=version, sparkContext=context)


@pytest.mark.parametrize(("session", "code"), [(a_session("3.5.7"), "spark.version"), (a_session("4.0.0", stopped=True), "spark.stopped")])
def test_an_old_spark_and_a_stopped_session_are_told(session: Any, code: str) -> None:
    with pytest.raises(SparkError) as caught:
        checked(session)
    assert caught.value.code == code
    assert checked(a_session("4.0.0-SNAPSHOT")).version == "4.0.0-SNAPSHOT"


# ---------------------------------------------------------------- Java


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only Java of this machine; there is none yet."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return tmp_path / "java"


def says(java: Path, text: str) -> None:
    java.write_text(f"#!/bin/sh\necho '{text}' >&2\n")
    java.chmod(0o755)


@pytest.mark.usefixtures("java")
def test_a_machine_without_java_is_told_so_before_spark_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SparkError, match="no Java here") as caught:
        check_java()
    assert caught.value.code == "spark.no-java"
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(SparkError, match="no Java in JAVA_HOME"):
        check_java()


def test_an_old_java_is_named_and_one_that_speaks_otherwise_is_left_to_spark(java: Path) -> None:
    for old, number in (('java version "1.8.0_292"', 8), ('openjdk version "11.0.2" 2019', 11)):
        says(java, old)
        with pytest.raises(SparkError, match=f"this is Java {number}") as caught:
            check_java()
        assert caught.value.code == "spark.old-java"
    for fine in ('openjdk version "17.0.19" 2026-04-21', 'openjdk version "25" 2025-09-16', "hello"):
        says(java, fine)
        check_java()


def test_the_session_of_a_job_is_the_one_that_is_there(classic_spark: Any) -> None:
    assert local_session("job") is classic_spark
    assert os.environ.get("SPARK_REMOTE") is None
