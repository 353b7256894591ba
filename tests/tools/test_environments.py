"""Environments are made, grow and fail as `make` promises: real scripts, real pip, wheels from a folder, and no network."""

import os
import signal
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.support.environments import Place, executable
from tools.environments import lists, state
from tools.environments.state import Change, State


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# ---------------------------------------------------------------- growing


def test_an_environment_grows_by_the_lists_that_are_asked_for(place: Place) -> None:
    assert "Making" in place.make("small")
    assert place.installed() == {"alpha-1.0"}
    assert "Adding" in place.make("big")
    assert place.installed() == {"alpha-1.0", "beta-1.0"}


def test_a_smaller_list_changes_nothing_and_the_second_call_starts_no_python(place: Place) -> None:
    place.make("big")
    assert place.make("small") == ""
    assert place.make("small", PYTHON="/nowhere/python") == ""
    assert place.make("big", PYTHON="/nowhere/python") == ""
    assert len(place.calls.read_text().splitlines()) == 1


def test_a_changed_pin_updates_all_that_the_environment_has_grown_to(place: Place) -> None:
    place.make("big")
    place.pins.write_text("alpha==2.0\nbeta==1.0\n")
    assert "changed" in place.make("small")
    assert place.installed() == {"alpha-2.0", "beta-1.0"}


def test_what_nothing_names_any_more_is_gone_afterwards(place: Place) -> None:
    place.make("big")
    (place.folder / "big.txt").write_text("-r small.txt\n")
    place.pins.write_text("alpha==1.0\n")
    assert "Making" in place.make("big")
    assert place.installed() == {"alpha-1.0"}


def test_an_environment_that_was_interrupted_is_made_anew(place: Place) -> None:
    place.make("big", ends=1, UV_SAYS="error: dns error: no name\nos error 28")
    place.make("big")
    (place.venv / "made-from").unlink()
    (place.venv / "half-of-something").touch()
    assert "Making" in place.make("big")
    assert not (place.venv / "half-of-something").exists()


def test_growth_that_fails_before_it_changes_anything_leaves_what_was_there(place: Place) -> None:
    place.make("small")
    (place.folder / "big.txt").write_text("-r small.txt\nbeta\nmissing\n")
    assert "missing" in place.make("big", ends=1)
    assert place.make("small", PYTHON="/nowhere/python") == ""
    assert place.installed() == {"alpha-1.0"}


def test_an_environment_that_was_moved_or_lost_its_python_is_made_anew(place: Place) -> None:
    place.make("small")
    (place.venv / "bin/python").unlink()
    assert "Making" in place.make("small")
    place.venv.rename(place.folder / "elsewhere")
    place.venv = place.folder / "elsewhere"
    assert "Making" in place.make("small")


def test_two_calls_at_once_make_it_once(place: Place) -> None:
    processes = [place.start("big"), place.start("big")]
    texts = ["".join(process.communicate()) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], texts
    assert sum("Making" in text for text in texts) == 1
    assert place.installed() == {"alpha-1.0", "beta-1.0"}


def test_a_folder_that_is_no_environment_is_left_alone(place: Place) -> None:
    (place.venv / "bin").mkdir(parents=True)
    (place.venv / "thesis.txt").write_text("years of work")
    assert "not a virtual environment" in place.make("small", ends=1)
    assert (place.venv / "thesis.txt").read_text() == "years of work"


def test_a_call_that_is_ended_ends_its_tool(place: Place) -> None:
    executable(place.uv, '#!/bin/sh\n[ "$1" != --version ] || { echo "uv 0.9.9"; exit 0; }\necho $$ >"$CALLS.pid"\nexec sleep 1000\n')
    process = place.start("small")
    pid = place.folder / "calls.pid"
    while not (pid.is_file() and pid.read_text().strip()):
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert not (place.venv / "made-from").exists()


# ---------------------------------------------------------------- which tool


def test_uv_gets_what_pip_is_set_to_as_variables_that_nobody_else_sees(place: Place) -> None:
    config = place.folder / "pip.conf"
    config.write_text("[global]\nextra-index-url =\n    https://ana:secret@index.example/simple\n    https://other.example/simple\n")
    place.make("small", PIP_CONFIG_FILE=str(config))
    assert "secret" not in place.calls.read_text() + (place.folder / "env.log").read_text()
    assert "UV_INDEX=https://ana:secret@index.example/simple https://other.example/simple" in (place.folder / "calls.env").read_text()


def test_where_uv_fails_pip_installs_the_same_pins_and_says_why(place: Place) -> None:
    text = place.make("big", UV_SAYS="error: unexpected argument '--python'")
    assert "uv 0.9.9 failed at" in text
    assert "unexpected argument '--python'): pip is tried" in text
    assert "distributions by pip" in text
    assert {"alpha-1.0", "beta-1.0"} <= place.installed()


def test_where_uv_cannot_be_had_pip_installs_and_says_why(place: Place) -> None:
    place.uv.unlink()
    text = place.make("small")
    assert "uv is not on the PATH" in text
    assert "found no version that fits the pins of uv" in text
    assert "alpha-1.0" in place.installed()


def test_pins_that_no_index_has_end_it_without_another_try(place: Place) -> None:
    place.pins.write_text("alpha==7.0\nbeta==1.0\n")
    text = place.make("small", ends=1)
    assert "found no version that fits the pins" in text
    assert str(place.folder / "env.log") in text
    assert "pip is tried" not in text


def test_an_index_that_cannot_be_reached_is_one_sentence_without_its_password(place: Place) -> None:
    place.uv.unlink()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        index = f"http://ana:secret@127.0.0.1:{closed.getsockname()[1]}/simple"
        text = place.make("small", ends=1, PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL=index, PIP_RETRIES="1")
    assert "could not download uv from http://127.0.0.1:" in text
    assert "PIP_INDEX_URL" in text
    assert "HTTPS_PROXY" in text
    assert "secret" not in text + (place.folder / "env.log").read_text()


@pytest.mark.parametrize("name", ["python3", "python3.10"])
def test_an_old_python_is_named_at_once(place: Place, name: str) -> None:
    tools = place.folder / "tools"
    executable(tools / name, '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.10.13"\n')
    for tool in ("sh", "cat", "cksum", "tr", "dirname", "grep"):
        (tools / tool).symlink_to(next(path for path in (Path("/bin") / tool, Path("/usr/bin") / tool) if path.exists()))
    text = place.make("small", ends=1, PATH=str(tools), PYTHON="" if name == "python3" else name)
    assert text.startswith("Python 3.11 or newer is needed, and ")
    assert f"Python 3.10.13 ({name})" in text
    assert not place.venv.exists()


# ---------------------------------------------------------------- what a call changes

BEFORE = State("/env", "bare", ("small.txt",), ("alpha", "beta"), "1", "1")


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (BEFORE, BEFORE, Change.NOTHING),
        (None, BEFORE, Change.MAKE),
        (BEFORE, replace(BEFORE, folder="/other"), Change.MAKE),
        (BEFORE, replace(BEFORE, mode="editable"), Change.MAKE),
        (BEFORE, replace(BEFORE, names=("alpha",)), Change.MAKE),
        (BEFORE, replace(BEFORE, lists=("big.txt",), contents="2"), Change.GROW),
        (BEFORE, replace(BEFORE, names=("alpha", "beta", "gamma"), contents="2"), Change.UPDATE),
        (BEFORE, replace(BEFORE, project="2"), Change.PROJECT),
    ],
)
def test_a_call_changes_no_more_than_it_must(before: State | None, after: State, change: Change) -> None:
    assert state.change(before, after, works=True) is change
    assert state.change(before, after, works=False) is Change.MAKE


def test_of_lists_that_include_each_other_the_widest_stays(tmp_path: Path) -> None:
    for name, text in (("a.txt", "x\n"), ("b.txt", "-r a.txt\ny\n"), ("c.txt", "z\n")):
        (tmp_path / name).write_text(text)
    assert [path.name for path in lists.widest([tmp_path / name for name in ("a.txt", "b.txt", "c.txt", "b.txt")])] == ["b.txt", "c.txt"]
