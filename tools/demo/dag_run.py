"""Run the DAG once: show each task while it runs and when it ends, and compare Airflow's record with what was announced."""

from collections.abc import Mapping
from pathlib import Path

from tools.dag_log import DagTestLog, TaskLog
from tools.demo import database
from tools.demo.airflow_session import AirflowSession
from tools.demo.demo_error import DemoError
from tools.demo.folder import DAG, Folder
from tools.demo.screen import Screen
from tools.demo.streaming import Line

TASKS = {
    "create": "makes the table shop.orders",
    "check": "says what a change would do, and to which jobs; writes nothing",
    "widen": "makes the change: one more column, and a wider amount",
    "gate": "checks that the table fits the job, and registers what the job needs",
    "report": "runs the job: starts Spark on this machine and adds up the orders",
}
GREEN = dict.fromkeys(TASKS, "success")
STOPPED = GREEN | {"gate": "failed", "report": "upstream_failed"}
_ERROR_LINES = 8


class DagRun:
    """One `airflow dags test`."""

    def __init__(self, folder: Folder, screen: Screen, number: int) -> None:
        self.log = folder.path / f"run-{number}.txt"
        self.output = DagTestLog()
        self._folder = folder
        self._screen = screen
        self._number = number
        self._errors: list[str] = []

    def run(self, session: AirflowSession, expected: Mapping[str, str]) -> None:
        """Run the DAG; fail unless each task ends in the state that is expected."""
        self._screen.command(f"airflow dags test {DAG}")
        self._screen.progress.begin("Airflow reads the DAG and makes a run of it")
        code = session.run(["dags", "test", DAG], self.log, self._read)
        self._screen.progress.end()
        recorded = database.last_run(self._folder.home, DAG)
        self._show_the_rest(recorded)
        self._compare(recorded, expected, code)

    def lines(self, task: str) -> list[str]:
        """Return what a task wrote."""
        return next((found.lines for found in self.output.tasks if found.task == task), [])

    def _read(self, line: Line) -> None:
        if line.error:
            self._errors.append(line.text)
        elif task := self.output.feed(line.text):
            self._show(task)

    def _show(self, task: TaskLog) -> None:
        if not task.ended:
            self._screen.progress.begin(f"{task.task}: {TASKS.get(task.task, 'runs')}")
            return
        seconds = self._screen.progress.end()
        recorded = database.last_run(self._folder.home, DAG)
        state = recorded.tasks.get(task.task, "not recorded") if recorded else "not recorded"
        self._screen.result(state == "success", task.task, f"{state}, {seconds:.1f} s")
        self._screen.lines([self._folder.shown(line) for line in task.lines])
        self._screen.progress.begin("Airflow looks for the next task")

    def _show_the_rest(self, recorded: database.Run | None) -> None:
        ran = {task.task for task in self.output.tasks}
        for task, state in (recorded.tasks if recorded else {}).items():
            if task not in ran:
                self._screen.result(False, task, f"{state}: it did not run")

    def _compare(self, recorded: database.Run | None, expected: Mapping[str, str], code: int) -> None:
        state = "success" if set(expected.values()) == {"success"} else "failed"
        if recorded is None or recorded.number != self._number:
            raise self._failure(f"Airflow recorded no run {self._number} of the DAG, and ended with exit code {code}.")
        found = recorded.tasks
        wrong = [f"{task} is {found.get(task)} and not {want}" for task, want in expected.items() if found.get(task) != want]
        if wrong:
            raise self._failure(f"Airflow's database says: {', '.join(wrong)}.")
        if recorded.state != state or bool(code) != (state == "failed"):
            raise self._failure(f"Airflow recorded the run as {recorded.state}, not {state}, and ended with exit code {code}.")
        self._screen.paragraph(f"Airflow has recorded run {self._number} as {state}. All its output: {self._name(self.log)}", "    ")

    def _failure(self, reason: str) -> DemoError:
        tracebacks = [line for task in self.output.tasks for line in task.error[:_ERROR_LINES]]
        errors = [line for line in self._errors if line.strip()]
        return DemoError(reason, lines=[*tracebacks, *errors[-_ERROR_LINES:]], log=self.log)

    def _name(self, file: Path) -> str:
        return f"{self._folder.name}/{file.name}"
