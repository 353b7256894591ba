"""The steps of the demo, in order. Each says what it does, does it, and checks that it happened."""

import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tools.airflow_home import BIN
from tools.demo import database, streaming
from tools.demo.airflow_session import AirflowSession
from tools.demo.dag_run import GREEN, STOPPED, TASKS, DagRun
from tools.demo.demo_error import DemoError
from tools.demo.folder import DAG, DAG_FILE, TOP, Folder
from tools.demo.job_change import NEW, OLD, rename_in_job
from tools.demo.screen import Screen

_RENAME = f"RENAME COLUMN {OLD} TO {NEW}"
_BREAKS = 1
_CONTRACT = "reads="
_FIX = "fix in the table"


class Story:
    """The demo, from its first line to its last."""

    def __init__(self, folder: Folder, screen: Screen) -> None:
        self.step = "Start"
        self._folder = folder
        self._screen = screen
        self._session: AirflowSession | None = None
        self._runs = 0

    def tell(self) -> None:
        """Run all steps; end what they started."""
        began = time.monotonic()
        self._announce()
        try:
            self._start_airflow()
            self._first_run()
            self._second_run()
            self._refused()
            stopped = self._stopped()
            self._fix_the_table(stopped)
            self._fix_the_job()
        finally:
            self._end_airflow()
        self._close(time.monotonic() - began)

    # ---------------------------------------------------------------- the steps

    def _announce(self) -> None:
        say = self._screen
        say.title("A schema change, a gate that stops a Spark job, and two ways back")
        say.paragraph(
            f"An Airflow of its own (SQLite, no server) runs the DAG of {DAG_FILE.relative_to(TOP)} five times, with Spark on this machine:"
        )
        for line in (
            "1. it makes a table, changes it, checks that the job fits, and runs the job",
            "2. it runs again: nothing is written twice",
            "3. a change that would break the job is refused",
            "4. somebody forces that change: the gate stops the job before Spark starts",
            "5. the first way back: fix the table; the job runs again",
            "6. the second way back: change the job with the table; the job runs again",
        ):
            say.paragraph(line, "  ")
        say.paragraph(
            f"On an idle machine this takes less than a minute. Everything goes into {self._folder.name}, which is emptied first. "
            "Nothing is downloaded. Ctrl-C stops it."
        )

    def _start_airflow(self) -> None:
        self._title("Airflow starts")
        self._folder.refuse_if_used()
        self._folder.prepare()
        log = self._folder.path / "airflow.txt"
        environment = self._folder.environment()
        self._screen.progress.begin("Airflow is loaded")
        self._session = AirflowSession(environment, self._folder.path, self._screen.progress.tick)
        self._session.start(log)
        self._screen.result(True, "loaded", f"{self._screen.progress.end():.1f} s, one process for all commands of this demo")
        self._make_database(self._session)

    def _make_database(self, session: AirflowSession) -> None:
        empty = database.empty_copy(self._folder.cache)
        target = self._folder.home / "airflow.db"
        if empty.exists():
            database.copy(empty, target)
            self._screen.result(True, "database", "a copy of the empty one that an earlier demo made")
            return
        self._screen.command("airflow db migrate")
        self._screen.progress.begin("Airflow makes its database, the first time only")
        log = self._folder.path / "airflow.txt"
        errors: list[str] = []
        code = session.run(["db", "migrate"], log, lambda line: errors.append(line.text) if line.error else None)
        if code:
            raise DemoError(f"`airflow db migrate` ended with exit code {code}.", lines=errors[-12:], log=log)
        database.copy(target, empty)
        self._screen.result(True, "database", f"made, {self._screen.progress.end():.1f} s")

    def _first_run(self) -> None:
        self._title("1. A table, a change, a gate, and a Spark job behind the gate")
        for task, text in TASKS.items():
            self._screen.paragraph(f"{task:8} {text}", "  ")
        self._screen.paragraph("The first task takes some seconds more: Airflow loads the API that tasks talk to.")
        self._run(GREEN, version=1)

    def _second_run(self) -> None:
        self._title("2. The same DAG again, as after a retry: nothing is written twice")
        self._run(GREEN, version=1)

    def _refused(self) -> None:
        self._title(f"3. Somebody wants to rename {OLD}: refused, because the job needs it")
        self._screen.paragraph("The gate has registered what the job reads. So who changes the table is told first.")
        self._airflow(["schemas", "evolve", "shop.orders", _RENAME, "--conn", "lake"], code=_BREAKS, version=1)

    def _stopped(self) -> DagRun:
        self._title("4. They force it, as any other engine could: the gate stops the job")
        self._airflow(["schemas", "evolve", "--conn", "lake", "shop.orders", _RENAME, "--override", "tonight"], version=2)
        return self._run(STOPPED, version=2)

    def _fix_the_table(self, stopped: DagRun) -> None:
        self._title("5. First way back, in the table: the command that the gate has printed")
        self._own_command(_fix_in_the_table(stopped), version=3)
        self._run(GREEN, version=3)

    def _fix_the_job(self) -> None:
        self._title("6. Second way back, in the job: it changes together with the table")
        self._airflow(["schemas", "evolve", "--conn", "lake", "shop.orders", _RENAME, "--override", "with the job"], version=4)
        lines = rename_in_job(self._folder.dag_file)
        self._screen.paragraph(
            f"{len(lines)} lines of {self._folder.name}/dags/{DAG_FILE.name} now say {NEW}: those of the job, and the contract of the gate:"
        )
        self._screen.lines([line[line.index(_CONTRACT) :] for line in lines if _CONTRACT in line])
        self._run(GREEN, version=4)

    def _close(self, seconds: float) -> None:
        self.step = "Last screen"
        say = self._screen
        name = self._folder.name
        say.title("What you saw")
        say.point("A change", f"shop.orders got a column and a wider type. Each version of its schema is a small file in {name}/lake.")
        say.point(
            "A gate that stopped a Spark job",
            f"{OLD} got another name. Spark alone could read NULL in every row, without an error. "
            "The gate failed before Spark started. It said who changed what, and what to do.",
        )
        say.point(
            "Two ways back to green, both run above",
            "fix the table (step 5), or fix the job (step 6). Where a job can live with a change, "
            "`airflow-schemas waive` lets it through for some days; the gate printed that command, too.",
        )
        say.title("What to type next")
        say.paragraph(f"See the five runs in Airflow's UI, at http://localhost:8080/dags/{DAG} without a password, until Ctrl-C:")
        say.paste(f"sh {self._folder.typed}/ui.sh")
        say.paragraph("Try to break the job yourself, and look at the history of the table:")
        say.paste(f". {self._folder.typed}/env.sh")
        say.paste('airflow-schemas evolve shop.orders "DROP COLUMN amount" --conn lake')
        say.paste("airflow-schemas log shop.orders --conn lake")
        say.paragraph('Guard a task of your own: README.md, "Gate an existing Spark task in five minutes".')
        say.blank()
        say.paragraph(f"It took {seconds:.0f} s. Everything is in {name}: the logs are run-1.txt to run-5.txt. To remove it:")
        say.paste(f"rm -r {self._folder.typed}")

    # ---------------------------------------------------------------- parts of a step

    def _title(self, text: str) -> None:
        self.step = text
        self._screen.title(text)

    def _run(self, expected: Mapping[str, str], *, version: int) -> DagRun:
        self._runs += 1
        run = DagRun(self._folder, self._screen, self._runs)
        run.run(self._airflow_session, expected)
        self._check_version(version)
        return run

    def _airflow(self, arguments: list[str], *, version: int, code: int = 0) -> None:
        """Run an `airflow` command in the process of Airflow."""
        self._begin(["airflow", *arguments])
        lines: list[str] = []
        ended = self._airflow_session.run(arguments, self._log, lambda line: lines.append(line.text))
        self._finish(lines, ended, code, version)

    def _own_command(self, line: str, *, version: int) -> None:
        """Run a command as a process of its own, as the reader would."""
        arguments = shlex.split(line)
        self._begin(arguments)
        process = subprocess.Popen(
            [str(BIN / arguments[0]), *arguments[1:]],
            env=self._folder.environment(),
            cwd=self._folder.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        try:
            lines = [line.text for line in streaming.lines(process, self._screen.progress.tick)]
            ended = process.wait()
        finally:
            streaming.end(process)
        self._finish(lines, ended, 0, version)

    def _begin(self, arguments: list[str]) -> None:
        self._screen.command(" ".join(f'"{argument}"' if " " in argument else argument for argument in arguments))
        self._screen.progress.begin(f"{arguments[0]} works")

    def _finish(self, lines: list[str], ended: int, expected: int, version: int) -> None:
        self._screen.progress.end()
        with self._log.open("a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))
        self._screen.lines([self._folder.shown(line) for line in lines if line.strip()])
        if ended != expected:
            raise DemoError(f"the command {streaming.how_it_ended(ended)}, not with {expected}.", lines=lines[-12:], log=self._log)
        self._check_version(version)

    def _check_version(self, expected: int) -> None:
        found = self._folder.version
        if found != expected:
            raise DemoError(f"shop.orders is at version {found}, not at {expected}.")

    def _end_airflow(self) -> None:
        if self._session:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave processes
            self._session.end()

    @property
    def _airflow_session(self) -> AirflowSession:
        assert self._session is not None
        return self._session

    @property
    def _log(self) -> Path:
        return self._folder.path / "commands.txt"


def _fix_in_the_table(stopped: DagRun) -> str:
    """Return the command that the gate printed: behind its label, or on a line of its own below it."""
    lines = [line.strip() for line in stopped.lines("gate")]
    below = zip(lines, [*lines[1:], ""], strict=True)
    fixes = [line.removeprefix(_FIX).strip() or after for line, after in below if line.startswith(_FIX)]
    if not fixes:
        raise DemoError("the gate printed no line `fix in the table`.", log=stopped.log)
    return fixes[0]
