"""The demo runs to its end in a real Airflow with a real Spark, twice in one folder, and its last lines can be pasted."""

import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from airflow_provider_schemas.cli.main import main as airflow_schemas
from tools.airflow_home import connection

TOP = Path(__file__).parents[2]
GATE = "schemas_quickstart.gate"


class Demo(NamedTuple):
    """A demo that has run to its end, and one before it in the same folder that was interrupted."""

    folder: Path
    interrupted: "subprocess.CompletedProcess[str]"
    output: str

    def next_lines(self) -> list[str]:
        """The commands of the last screen."""
        shown = self.output[self.output.index("---- What to type next") :]
        return [line.strip() for line in shown.splitlines() if line.startswith("    ")]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo") / "a demo"
    command = [sys.executable, "-m", "tools.demo", str(folder)]
    interrupted = interrupt(command, at="✓ create")
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return Demo(folder, interrupted, done.stdout)


def interrupt(command: list[str], at: str) -> "subprocess.CompletedProcess[str]":
    """Send Ctrl-C to the command once it has printed this."""
    printed = []
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout or []:
            printed.append(line)
            if at in line:
                process.send_signal(signal.SIGINT)
        errors = process.stderr.read() if process.stderr else ""
    return subprocess.CompletedProcess(command, process.returncode, "".join(printed), errors)


def test_ctrl_c_ends_the_demo_with_one_line_and_the_exit_code_of_an_interrupt(demo: Demo) -> None:
    assert (demo.interrupted.returncode, demo.interrupted.stderr) == (130, "")
    after = demo.interrupted.stdout.rpartition("✓ create")[2]
    assert "\nThe demo was stopped, and what it had started has ended." in after
    assert "version 0 -> 1" not in after


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not show the environment of a process")
def test_no_process_is_left(demo: Demo) -> None:
    named = str(demo.folder).encode()
    assert [entry for entry in Path("/proc").glob("[0-9]*") if named in environ(entry)] == []


def environ(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""


def test_it_shows_a_change_a_gate_that_stops_the_job_and_two_ways_back(demo: Demo) -> None:
    shown = [
        "version 0 -> 1",
        "already applied as version 1",
        "1 of 1 registered reader: schemas_quickstart.gate",
        "✖ gate     failed",
        "EXPECT_FIELD_RENAMED  cust_id is now customer_id",
        "✖ report   upstream_failed: it did not run",
        '$ airflow-schemas evolve --conn lake shop.orders "RENAME COLUMN customer_id TO cust_id"',
        "shop.orders v3 fits",
        "shop.orders v4 fits",
        "---- What you saw",
        f"Everything is in {demo.folder}",
    ]
    places = [demo.output.find(text) for text in shown]
    assert -1 not in places, shown[places.index(-1)]
    assert places == sorted(places)
    assert demo.output.count("customer 7 has ordered for 15.00") == 4


def test_airflow_itself_has_recorded_what_the_demo_says(demo: Demo) -> None:
    with sqlite3.connect(demo.folder / "airflow" / "airflow.db") as database:
        runs = database.execute("SELECT state FROM dag_run ORDER BY id").fetchall()
        not_green = database.execute("SELECT task_id, state FROM task_instance WHERE state <> 'success' ORDER BY task_id").fetchall()
    database.close()
    assert [state for (state,) in runs] == ["success", "success", "failed", "success", "success"]
    assert not_green == [("gate", "failed"), ("report", "upstream_failed")]


def test_a_pipe_gets_no_colour_no_rewritten_line_and_no_line_wider_than_100_but_commands(demo: Demo) -> None:
    assert "\x1b" not in demo.output
    assert "\r" not in demo.output
    wide = [line for line in demo.output.splitlines() if len(line) > 100 and str(demo.folder) not in line]
    assert [line for line in wide if not re.match(r"(\$| +)\s*airflow(-schemas)? ", line)] == []


def test_the_second_demo_takes_the_database_of_the_first_though_that_was_interrupted(demo: Demo) -> None:
    assert "$ airflow db migrate" in demo.interrupted.stdout
    assert "$ airflow db migrate" not in demo.output


def test_the_lines_of_the_last_screen_can_be_pasted(demo: Demo) -> None:
    ui, *lines, remove = demo.next_lines()
    assert ui == f"sh '{demo.folder}'/ui.sh"
    done = subprocess.run(["sh"], input="\n".join(lines), cwd=TOP, capture_output=True, text=True, check=False)
    assert "✖ FIELD_DROPPED" in done.stdout, done.stdout + done.stderr
    assert f"breaks {GATE}" in done.stderr
    assert "shop.orders  5 versions" in done.stdout
    assert remove == f"rm -r '{demo.folder}'"


def test_the_script_of_the_ui_finds_the_five_runs(demo: Demo) -> None:
    script = (demo.folder / "ui.sh").read_text()
    assert script.endswith("exec airflow standalone\n")
    listed = script.replace("exec airflow standalone", "airflow dags list-runs schemas_quickstart -o plain")
    done = subprocess.run(["sh"], input=listed, cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.count("manual__") == 5, done.stdout + done.stderr


def test_the_command_that_lets_a_change_through_works_as_printed(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_LAKE", connection("schema_store", str(demo.folder / "lake")))
    check = ["check", "--conn", "lake", "shop.orders", f"--for={GATE}"]
    rename = "RENAME COLUMN customer_id TO cust_id"
    assert airflow_schemas(["evolve", "--conn", "lake", "shop.orders", rename, "--override", "test"]) == 0
    assert airflow_schemas(check) == 1
    printed = capsys.readouterr().out
    waive = next(line for line in printed.splitlines() if "airflow-schemas waive" in line).split("airflow-schemas ")[1]
    assert airflow_schemas(shlex.split(waive.replace("WHY", "test"))) == 0
    assert airflow_schemas(check) == 0


def test_the_story_shows_a_breaking_edit_with_its_victim_and_the_way_out() -> None:
    told = subprocess.run([sys.executable, "-m", "tools.story"], cwd=TOP, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    for line in (
        "shop.orders  v0 -> v1, 3 changes, needs approval (1 break)",
        "1 of 2 registered readers: daily_report (team-bi, #bi-oncall)",
        "not in the file, left alone: utm_source",
        "PlanError: shop.orders: the plan was made on version 0",
        "TableFileError: 6 faults:",
        "customer_id  BIGINT",
        "created · 0 · exclusive create by hard link, proven",
        "shop.orders v2 breaks daily_report (team-bi, #bi-oncall)",
        "created · 2 · until 2999-12-31: INC-4711, ana",
        "created · 3 · version 1 restored",
        "by ana (run nightly 2026-11-18)",
    ):
        assert line in told.stdout
