"""The parts of the demo: what it reads of Airflow's output, how it shows that it is alive, and how it fails and ends."""

import io
import os
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tools.dag_log import DagTestLog, TaskLog
from tools.demo import database
from tools.demo.airflow_session import AirflowSession
from tools.demo.dag_run import GREEN, STOPPED, DagRun
from tools.demo.demo_error import DemoError
from tools.demo.folder import DAG_FILE, Folder
from tools.demo.job_change import rename_in_job
from tools.demo.progress import Progress
from tools.demo.screen import Screen, screen
from tools.demo.streaming import Line
from tools.demo.wrapping import wrapped

TOP = Path(__file__).parents[2]
OUTPUT = """\
2026-03-01T09:55:51.0Z [info     ] Created dag run.               [airflow.models.dagrun] dagrun=<DagRun daily>
2026-03-01T09:55:51.1Z [info     ] [DAG TEST] starting task_id=widen map_index=-1 [airflow.sdk.definitions.dag] loc=dag.py:1501
2026-03-01T09:55:51.2Z [info     ] Task started                   [airflow.api_fastapi.execution_api] hostname=vm
2026-03-01T09:55:51.3Z [info     ] ::group::Words                 [airflow.task.schemas] loc=log_footer.py:16
2026-03-01T09:55:51.3Z [info     ] version 0 -> 1
  ~ amount [airflow.task.operators.airflow_provider_schemas.operators.evolve.SchemaEvolveOperator] loc=run_change.py:132
printed by the task
2026-03-01T09:55:51.4Z [info     ] [DAG TEST] end task task_id=widen map_index=-1 [airflow.sdk.definitions.dag] loc=dag.py:1563
2026-03-01T09:55:52.1Z [info     ] [DAG TEST] starting task_id=gate map_index=-1 [airflow.sdk.definitions.dag] loc=dag.py:1501
2026-03-01T09:55:52.2Z [error    ] Task failed with exception     [task] loc=task_runner.py:1639
Traceback (most recent call last):
  File "gate.py", line 75, in execute
ValueError: does not fit
  in two lines
2026-03-01T09:55:52.3Z [error    ] ✖ breaks                       [airflow.task.schemas] loc=log_footer.py:16
2026-03-01T09:55:52.4Z [info     ] [DAG TEST] end task task_id=gate map_index=-1 [airflow.sdk.definitions.dag] loc=dag.py:1563
printed by nobody
"""


class TestTheLogOfADagTest:
    def test_tasks_start_and_end_with_the_lines_that_say_so(self) -> None:
        log = DagTestLog()
        changed = [(task.task, task.ended) for line in OUTPUT.splitlines() if (task := log.feed(line))]
        assert changed == [("widen", False), ("widen", True), ("gate", False), ("gate", True)]

    def test_a_task_has_our_lines_and_printed_ones_and_none_of_the_machinery(self) -> None:
        widen, gate = self.tasks()
        assert widen.lines == ["version 0 -> 1", "  ~ amount", "printed by the task"]
        assert gate.lines == ["✖ breaks"]

    def test_an_exception_is_known_by_its_message(self) -> None:
        widen, gate = self.tasks()
        assert widen.error == []
        assert gate.error == ["ValueError: does not fit", "  in two lines"]

    def test_a_message_that_was_cut_off_is_nobodys_and_swallows_none_behind_it(self) -> None:
        log = DagTestLog()
        log.feed("2026-03-01T09:55:51.1Z [info     ] [DAG TEST] starting task_id=gate map_index=-1 [airflow.sdk] loc=dag.py:1501")
        log.feed("2026-03-01T09:55:51.2Z [info     ] cut off")
        log.feed("2026-03-01T09:55:51.2Z [info     ] v1 fits [airflow.task.schemas] loc=log_footer.py:16")
        ended = log.feed("2026-03-01T09:55:51.3Z [info     ] [DAG TEST] end task task_id=gate map_index=-1 [airflow.sdk] loc=dag.py:1")
        assert ended == TaskLog("gate", ["v1 fits"], ended=True)

    @staticmethod
    def tasks() -> list[TaskLog]:
        log = DagTestLog()
        for line in OUTPUT.splitlines():
            log.feed(line)
        return log.tasks


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TestProgress:
    def test_a_terminal_gets_one_line_that_is_written_anew_each_second_and_taken_away(self) -> None:
        assert self.shown(terminal=True, seconds=2) == "\r\x1b[K  ... Spark starts  0 s\r\x1b[K  ... Spark starts  1 s\r\x1b[K"

    def test_a_pipe_gets_a_line_every_ten_seconds(self) -> None:
        assert self.shown(terminal=False, seconds=25) == "  ... Spark starts  10 s\n  ... Spark starts  20 s\n"

    def test_a_narrow_terminal_gets_a_line_that_fits(self) -> None:
        lines = self.shown(terminal=True, seconds=3, width=16).replace("\x1b[K", "").split("\r")
        assert max(map(len, lines)) == 15

    def test_nothing_is_shown_while_nothing_is_waited_for(self) -> None:
        clock, out = Clock(), io.StringIO()
        progress = Progress(out, terminal=True, width=100, clock=clock)
        clock.now += 60
        progress.tick()
        assert out.getvalue() == ""

    @staticmethod
    def shown(*, terminal: bool, seconds: int, width: int = 100) -> str:
        clock, out = Clock(), io.StringIO()
        progress = Progress(out, terminal=terminal, width=width, clock=clock)
        progress.begin("Spark starts")
        for _ in range(seconds * 4 - 1):
            clock.now += 0.25
            progress.tick()
        clock.now = 100.0 + seconds
        assert progress.end() == seconds
        return out.getvalue()


class TestTheScreen:
    def test_a_label_keeps_its_column_when_its_text_is_wrapped(self) -> None:
        assert wrapped("what happens      No value changes here.", 40, "  ") == [
            "  what happens      No value changes",
            "                    here.",
        ]

    def test_a_command_is_never_broken(self) -> None:
        command = "airflow-schemas evolve --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id'"
        assert wrapped(f"  fix in the table  {command}", 60) == ["  fix in the table", f"      {command}"]
        assert wrapped(f"  {command}", 60) == [f"  {command}"]

    def test_wide_gaps_go_before_a_line_is_broken(self) -> None:
        assert wrapped("  + coupon  STRING            ADDED  data ok", 36) == ["  + coupon  STRING  ADDED  data ok"]

    @pytest.mark.parametrize(
        ("terminal", "environment", "coloured"),
        [
            (True, {"TERM": "xterm"}, True),
            (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
            (True, {"TERM": "dumb"}, False),
            (False, {"TERM": "xterm"}, False),
        ],
    )
    def test_colours_are_for_terminals_that_want_them(self, terminal: bool, environment: dict[str, str], coloured: bool) -> None:
        out = io.StringIO()
        out.isatty = lambda: terminal  # type: ignore[method-assign]
        shown = screen(out, environment)
        shown.title("Title")
        shown.result(False, "gate", "failed")
        assert ("\x1b[" in out.getvalue()) is coloured
        assert shown.width <= 100


# What the program `airflow` is for these tests.
AIRFLOW = """
import os, signal, subprocess, sys
def main():
    command, *arguments = sys.argv[1:]
    if command == "wait-for":
        print("waiting", flush=True)
        while not os.path.exists(arguments[0]):
            pass
    if command == "echo":
        print(*arguments)
    if command == "fail":
        raise SystemExit("DagRun failed")
    if command == "raise":
        raise ValueError("broken")
    if command == "die":
        print("last words", flush=True)
        os.kill(os.getpid(), 9)
    if command == "start":  # two processes that hold a file open; this one, like Airflow, does not end on SIGTERM
        signal.signal(signal.SIGTERM, lambda *_: None)
        main.opened = open(arguments[0], "w")
        subprocess.Popen([sys.executable, "-c", CHILD, *arguments])

CHILD = "import sys, time; out = open(sys.argv[1], 'w'); print('x', end='', file=out, flush=True); time.sleep(600)"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    package = tmp_path / "path" / "airflow"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(AIRFLOW)
    return {**os.environ, "PYTHONPATH": str(package.parent)}


@pytest.fixture
def session(environment: dict[str, str], tmp_path: Path) -> Iterator[AirflowSession]:
    opened = AirflowSession(environment, tmp_path, lambda: None)
    opened.start(tmp_path / "log.txt")
    yield opened
    opened.end()


class TestASession:
    def test_lines_come_while_the_command_runs(self, session: AirflowSession, tmp_path: Path) -> None:
        file = tmp_path / "go-on"
        seen: list[Line] = []

        def go_on(line: Line) -> None:
            seen.append(line)
            file.touch()

        assert session.run(["wait-for", str(file)], tmp_path / "log.txt", go_on) == 0
        assert Line("waiting", error=False) in seen

    def test_each_command_has_its_exit_code_and_its_own_lines(self, session: AirflowSession, tmp_path: Path) -> None:
        log = tmp_path / "log.txt"
        assert self.run(session, ["echo", "one"], log) == (0, ["one"])
        assert self.run(session, ["fail"], log) == (1, ["DagRun failed"])
        code, lines = self.run(session, ["raise"], log)
        assert (code, lines[-1]) == (1, "ValueError: broken")
        assert self.run(session, ["echo", "two"], log) == (0, ["two"])
        assert "one" in log.read_text()
        assert "ValueError: broken" in log.read_text()

    def test_a_process_that_dies_is_an_error_with_its_last_lines(self, session: AirflowSession, tmp_path: Path) -> None:
        with pytest.raises(DemoError) as caught:
            self.run(session, ["die"], tmp_path / "log.txt")
        assert caught.value.reason == "Airflow's process was ended by SIGKILL."
        assert caught.value.lines[-1] == "last words"
        assert caught.value.log == tmp_path / "log.txt"

    def test_its_end_is_the_end_of_what_it_started(self, session: AirflowSession, tmp_path: Path) -> None:
        with closing(Life(tmp_path / "fifo")) as life:
            self.run(session, ["start", str(life.fifo)], tmp_path / "log.txt")
            assert life.began()
            session.end()
            assert life.ended()

    def test_nothing_survives_a_demo_that_is_killed(self, environment: dict[str, str], tmp_path: Path) -> None:
        code = (
            "import os, pathlib, sys; from tools.demo.airflow_session import AirflowSession; top = pathlib.Path(sys.argv[1]);"
            "session = AirflowSession(os.environ, top, lambda: None); session.start(top / 'log.txt');"
            "session.run(['start', str(top / 'fifo')], top / 'log.txt', lambda line: None); print('started', flush=True); input()"
        )
        with closing(Life(tmp_path / "fifo")) as life:
            line = [sys.executable, "-c", code, str(tmp_path)]
            with subprocess.Popen(line, cwd=TOP, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as demo:
                assert demo.stdout
                assert demo.stdout.readline() == b"started\n"
                assert life.began()
                demo.send_signal(signal.SIGKILL)
            assert life.ended()

    @staticmethod
    def run(session: AirflowSession, arguments: list[str], log: Path) -> tuple[int, list[str]]:
        lines: list[str] = []
        code = session.run(arguments, log, lambda line: lines.append(line.text))
        return code, [line for line in lines if line]


class Life:
    """A FIFO that a process writes to when it has started and holds open until it ends."""

    def __init__(self, fifo: Path) -> None:
        self.fifo = fifo
        os.mkfifo(fifo)
        self._opened = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)

    def began(self) -> bool:
        return self._read() == b"x"

    def ended(self) -> bool:
        return self._read() == b""

    def close(self) -> None:
        os.close(self._opened)

    def _read(self) -> bytes:
        ready, _, _ = select.select([self._opened], [], [], 60)
        return os.read(self._opened, 1) if ready else b"still alive"


class TestTheFolder:
    def test_it_is_emptied_but_for_its_cache(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)
        (tmp_path / "lake" / "half").mkdir(parents=True)
        (tmp_path / "run-1.txt").touch()
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "airflow-1.db").touch()
        folder.prepare()
        assert {entry.name for entry in tmp_path.iterdir()} == {"airflow", "cache", "dags", "env.sh", "spark", "tmp", "ui.sh"}
        assert list(folder.cache.iterdir()) == [tmp_path / "cache" / "airflow-1.db"]
        assert folder.dag_file.read_text() == DAG_FILE.read_text()

    def test_one_demo_at_a_time(self, tmp_path: Path) -> None:
        with Folder(tmp_path).locked(), pytest.raises(DemoError, match="Another demo runs in"), Folder(tmp_path).locked():
            pass
        with Folder(tmp_path).locked():
            pass

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems do not show the environment of a process")
    def test_an_airflow_that_still_runs_from_it_is_named(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)
        folder.refuse_if_used()
        code = [sys.executable, "-c", "print(flush=True); input()"]
        with subprocess.Popen(code, env=folder.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as airflow:
            assert airflow.stdout
            airflow.stdout.readline()
            with pytest.raises(DemoError, match=rf"An Airflow still runs from .* \(process {airflow.pid}\)"):
                folder.refuse_if_used()
            airflow.communicate(b"\n")
        folder.refuse_if_used()

    def test_an_airflow_is_known_by_the_process_that_the_script_of_the_ui_has_written_down(self, tmp_path: Path) -> None:
        folder = Folder(tmp_path)
        code = [sys.executable, "-c", "print(flush=True); input()", "airflow standalone"]
        with subprocess.Popen(code, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as airflow:
            assert airflow.stdout
            airflow.stdout.readline()
            (tmp_path / "ui.pid").write_text(f"{airflow.pid}\n")
            with pytest.raises(DemoError, match=str(airflow.pid)):
                folder.refuse_if_used()
            airflow.communicate(b"\n")
        folder.refuse_if_used()

    def test_the_change_of_the_job_leaves_the_definition_of_the_table(self, tmp_path: Path) -> None:
        file = tmp_path / "quickstart.py"
        file.write_text(DAG_FILE.read_text())
        assert len(rename_in_job(file)) == 5
        left = [line.strip() for line in file.read_text().splitlines() if "cust_id" in line.replace("customer_id", "")]
        assert left[-1] == 'columns="order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)",'
        assert "customer_id BIGINT" in file.read_text()


class FakeSession:
    """Airflow's output and its database, without an Airflow."""

    def __init__(self, home: Path, states: dict[str, str], code: int) -> None:
        self._home = home
        self._states = states
        self._code = code

    def run(self, _: list[str], log: Path, on_line: Callable[[Line], None]) -> int:
        state = "success" if set(self._states.values()) == {"success"} else "failed"
        with closing(sqlite3.connect(self._home / "airflow.db")) as made, made:
            made.execute("CREATE TABLE dag_run (id INTEGER, dag_id TEXT, run_id TEXT, state TEXT)")
            made.execute("CREATE TABLE task_instance (dag_id TEXT, run_id TEXT, task_id TEXT, state TEXT)")
            made.execute("INSERT INTO dag_run VALUES (1, 'schemas_quickstart', 'manual', ?)", [state])
            rows = [("schemas_quickstart", "manual", *item) for item in self._states.items()]
            made.executemany("INSERT INTO task_instance VALUES (?, ?, ?, ?)", rows)
        log.touch()
        for line in OUTPUT.splitlines():
            on_line(Line(line, error=False))
        on_line(Line("Java: not enough memory", error=True))
        return self._code


class TestARunOfTheDag:
    @pytest.mark.parametrize(("states", "code"), [(GREEN, 0), (STOPPED, 1)])
    def test_what_airflow_has_recorded_as_announced_is_shown(self, tmp_path: Path, states: dict[str, str], code: int) -> None:
        shown = self.run(tmp_path, states, states, code)
        assert f"Airflow has recorded run 1 as {'failed' if code else 'success'}." in shown

    def test_a_job_that_ran_although_the_gate_should_stop_it_is_a_failure(self, tmp_path: Path) -> None:
        with pytest.raises(DemoError) as caught:
            self.run(tmp_path, GREEN, STOPPED, 0)
        assert caught.value.reason == (
            "Airflow's database says: gate is success and not failed, report is success and not upstream_failed."
        )

    def test_a_task_that_failed_is_told_with_its_exception_and_the_errors_of_its_programs(self, tmp_path: Path) -> None:
        with pytest.raises(DemoError) as caught:
            self.run(tmp_path, GREEN | {"report": "failed"}, GREEN, 1)
        assert caught.value.lines == ["ValueError: does not fit", "  in two lines", "Java: not enough memory"]
        assert caught.value.log == tmp_path / "run-1.txt"

    def test_an_exit_code_that_contradicts_the_database_is_a_failure(self, tmp_path: Path) -> None:
        with pytest.raises(DemoError, match="ended with exit code 1"):
            self.run(tmp_path, GREEN, GREEN, 1)

    @staticmethod
    def run(folder: Path, states: dict[str, str], expected: dict[str, str], code: int) -> str:
        out = io.StringIO()
        (folder / "airflow").mkdir()
        shown = Screen(out, terminal=False, colour=False, width=100)
        session: Any = FakeSession(folder / "airflow", states, code)
        DagRun(Folder(folder), shown, 1).run(session, expected)
        return out.getvalue()


def test_the_copy_of_a_database_is_whole_or_not_there(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "airflow.db")) as made:
        made.execute("PRAGMA journal_mode = wal")
        made.execute("CREATE TABLE t (n INTEGER)")
        made.execute("INSERT INTO t VALUES (1)")
        made.commit()
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "copy.part").write_bytes(b"left by a demo that was interrupted")
        database.copy(tmp_path / "airflow.db", tmp_path / "cache" / "copy.db")
    with closing(sqlite3.connect(tmp_path / "cache" / "copy.db")) as copied:
        assert copied.execute("SELECT n FROM t").fetchall() == [(1,)]
    assert not (tmp_path / "cache" / "copy.part").exists()
