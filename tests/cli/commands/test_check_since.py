"""`check --since`: what breaks whoever saw a version, as a gate without a contract judges."""

from pathlib import Path

import pytest

from tests.support.command_line import fine, typed


@pytest.fixture
def store(tmp_path: Path) -> list[str]:
    found = ["--store", str(tmp_path)]
    fine("create", "a.b", "x INT, y INT", *found)
    fine("evolve", "a.b", "--rename", "y:z", *found)
    return found


def test_what_came_since_breaks_whoever_reads_by_name(store: list[str]) -> None:
    done = typed("check", "a.b", "--since", "0", *store)
    assert (done.code, done.err) == (1, "")
    assert "✖ FIELD_RENAMED  y -> z" in done.out
    compared, verdict, rests = fine("check", "a.b", "--since", "1", "--width", "300", *store).splitlines()
    assert compared.startswith("compared a.b version 1 of ")
    assert verdict == "✔ fits   a.b v1"
    assert rests.startswith("  judged by schema files, 20")


def test_nobody_who_saw_a_name_between_is_told_to_undo_the_rename_back(store: list[str]) -> None:
    fine("evolve", "a.b", "--rename", "z:y", *store)
    done = typed("check", "a.b", "--since", "1", *store)
    said = " ".join(done.out.split())
    assert (done.code, done.err) == (1, "")
    assert "z is called y again" in said
    assert "use y" in said
    assert "undo it" not in said
    assert "RENAME COLUMN" not in said


def test_what_is_waived_for_a_job_holds_for_that_job_alone(store: list[str]) -> None:
    fine("waive", "a.b", "FIELD_RENAMED", "y", "--for", "dag.task", "--until", "3d", "--reason", "INC-1", *store)
    assert typed("check", "a.b", "--since", "0", "--for", "dag.task", *store).code == 0
    assert typed("check", "a.b", "--since", "0", *store).code == 1


def test_a_digest_that_is_not_there_any_more_is_told(store: list[str]) -> None:
    done = typed("check", "a.b", "--since", f"0:{'0' * 64}", *store)
    assert "version 0 was seen and is not there any more" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["a.b", "--since", "x"], "'x' is no number"),
        (["a.b", "--since", "0:abc"], "write N, or N and the 64 letters of a digest"),
        (["a.b:0", "--since", "0"], "--since asks about the newest version of a table."),
        (["a.b", "--since", "0", "--contract", "x INT"], "--since is for a job without a contract"),
        (["--since", "0"], "there is nothing to check."),
    ],
)
def test_what_cannot_be_asked_is_refused(store: list[str], words: list[str], says: str) -> None:
    done = typed("check", *words, *store)
    assert done.code == 2
    assert says in done.err
