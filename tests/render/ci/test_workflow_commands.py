"""GitHub's runner obeys the annotations, and nothing that a user wrote."""

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.report import Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.github import MAX_OF_A_KIND, escape_data, escape_property, github
from airflow_provider_schemas.render.ci.log_text import is_obeyed, json_without_commands, without_commands
from airflow_provider_schemas.render.sanitize import clean
from tests.render.ci.support import workflow_log
from tests.render.ci.support.rich_run import HOSTILE, large_run, rich_run

NAMES = st.sampled_from([HOSTILE, "::error::x", "  ::set-output name=a::b", "a\n::error::b", "##[error]c", "100%0A", "a,line=1::", "plain"])
TEXTS = NAMES | st.text(st.sampled_from(":#[]%,=\n\r 0ADae\u2028\x1b"), max_size=30)


def hostile_run(name: str) -> CheckRun:
    """A run in which all texts are this one."""
    finding = Finding(
        "FIELD_RENAMED", name, name, name, Verdict.BREAK, old=name, new=name, consumers=(Consumer(name, name),), place=Place("a.yaml", 3, 4)
    )
    return CheckRun((Report((finding,), name, notes=(name,)),), (name,), (Fault(name, name, name, name),), (name,))


@given(TEXTS)
def test_every_line_is_an_annotation_but_the_note_and_the_last(name: str) -> None:
    *lines, note, last, end = github(hostile_run(name)).split("\n")
    commands = [workflow_log.read(line) for line in lines]
    assert [command.name if command else "" for command in commands] == ["error", "error"]
    assert note.startswith("note:")
    assert workflow_log.read(note) is None
    assert workflow_log.read(last) is None
    assert not workflow_log.is_old_command(note)
    assert not workflow_log.is_old_command(last)
    assert end == ""


@given(TEXTS)
def test_an_annotation_has_the_properties_that_it_was_given(name: str) -> None:
    found = [workflow_log.read(line) for line in github(hostile_run(name)).splitlines()]
    told = [command for command in found if command and command.properties.get("title", "").startswith("FIELD_RENAMED")]
    assert [{key: command.properties[key] for key in ("file", "line", "col")} for command in told] == [
        {"file": "a.yaml", "line": "3", "col": "4"}
    ]
    assert clean(name) in told[0].message


@given(TEXTS)
def test_an_escaped_text_is_read_as_it_was(text: str) -> None:
    line = f"::error title={escape_property(text)}::{escape_data(text)}"
    assert workflow_log.read(line) == workflow_log.Command("error", {"title": text}, text)
    assert not {"\n", "\r"} & set(line)


@given(st.lists(TEXTS, max_size=4).map("\n".join))
def test_what_else_is_printed_commands_nothing(text: str) -> None:
    for line in without_commands(text).split("\n"):
        assert not line.lstrip().startswith("::")
        assert not workflow_log.is_old_command(line)


def test_json_has_the_same_values_and_no_command() -> None:
    assert json_without_commands('"##[error]a ### b"') == '"#\\u0023[error]a #\\u0023# b"'


def test_only_logs_that_obey_get_other_text() -> None:
    assert is_obeyed({"GITHUB_ACTIONS": "true"})
    assert not is_obeyed({"GITHUB_ACTIONS": "", "HOME": "/"})


def test_the_worst_are_shown_and_one_line_counts_the_others() -> None:
    lines = github(large_run(10, 10)).splitlines()
    commands = [command for command in map(workflow_log.read, lines) if command]
    assert [command.name for command in commands] == [*["error"] * MAX_OF_A_KIND, *["warning"] * MAX_OF_A_KIND, "notice"]
    assert commands[-1].message.startswith("40 errors, 40 warnings more than GitHub shows of one step")


def test_what_was_accepted_is_a_notice_and_what_was_not_judged_an_error() -> None:
    commands = [command for command in map(workflow_log.read, github(rich_run()).splitlines()) if command]
    rules = {(command.properties["title"].partition(" ")[0], command.name) for command in commands}
    assert {("TYPE_NARROWED", "notice"), ("EXPECT_FIELD_MISSING", "notice"), ("FIELD_DROPPED", "error"), ("NOT_JUDGED", "error")} <= rules


def test_places_outside_of_files_name_no_file() -> None:
    commands = [command for command in map(workflow_log.read, github(rich_run()).splitlines()) if command]
    assert [command.properties.get("file") for command in commands if "cannot be reached" in command.message] == [None]


def test_what_is_the_same_against_git_and_a_store_is_annotated_once() -> None:
    finding = Finding("FIELD_DROPPED", "a", "a is gone.", verdict=Verdict.BREAK, place=Place("a.yaml", 3, 4))
    other = Finding("FIELD_DROPPED", "b", "b is gone.", verdict=Verdict.BREAK, place=Place("a.yaml", 3, 4))
    run = CheckRun((Report((finding,), "shop.orders"), Report((finding, other), "shop.orders", old=4, new=5)))
    assert [line.partition(" ")[0] for line in github(run).splitlines()[:-1]] == ["::error", "::error"]
