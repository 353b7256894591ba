"""Airflow as its users reach it: the REST API, with what tests ask of it."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from tests.system.support.waiting import until

Place = tuple[str, int]
"""A task and its map index."""
ENDED = frozenset({"success", "failed", "skipped", "upstream_failed", "removed"})

# A request that meets a writer in SQLite now and then is answered by 500. What says so has changed nothing.
_AGAIN = (0.5, 1.0, 2.0, 4.0)
_LOCKED = '"Database error"'


class RefusedError(AssertionError):
    """An answer that is not 2xx."""


def _refused(request: urllib.request.Request, error: urllib.error.HTTPError) -> RefusedError:
    return RefusedError(f"{request.method} {request.selector}: {error.code} {error.read().decode()[:2000]}")


class Rest:
    """One user of one Airflow."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self.url, self.user, self._password, self._token = url, user, password, ""
        self.said = Path()
        """What this Airflow prints."""

    def as_user(self, user: str, password: str) -> "Rest":
        """Another user of the same Airflow."""
        return Rest(self.url, user, password)

    def ask(self, path: str, body: object = None, *, method: str = "", anonymous: bool = False) -> Any:
        """The answer to a request, as JSON is read."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if not anonymous:
            headers["Authorization"] = f"Bearer {self.token()}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data, headers, method=method or ("GET" if body is None else "POST"))
        for patience in (*_AGAIN, 0.0):
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                refused = _refused(request, error)
                again = request.method == "GET" or _LOCKED in str(refused)
                if error.code < 500 or not again or not patience:
                    raise refused from error
            time.sleep(patience)
        raise AssertionError("the last try answers or raises")

    def token(self) -> str:
        """What the user shows with each request."""
        if not self._token:
            said = self.ask("/auth/token", {"username": self.user, "password": self._password}, anonymous=True)
            self._token = said["access_token"]
        return self._token

    def healthy(self, parts: Collection[str], *, since: float) -> bool:
        """Whether all parts are up, by a heartbeat younger than `since`."""
        try:
            health = self.ask("/api/v2/monitor/health", anonymous=True)
        except (OSError, RefusedError):
            return False
        return all(health[part]["status"] == "healthy" and _fresh(health[part], since) for part in parts)

    def dags(self) -> set[str]:
        """The DAGs that Airflow has read."""
        return {dag["dag_id"] for dag in self.ask("/api/v2/dags?limit=200")["dags"]}

    def import_errors(self) -> list[str]:
        """What Airflow could not read."""
        return [error["stack_trace"] for error in self.ask("/api/v2/importErrors")["import_errors"]]

    def start(self, dag: str, conf: Mapping[str, object] | None = None, *, logical_date: str | None = None) -> "DagRun":
        """A new run of the DAG; without a logical date, as one that an asset starts."""
        made = self.ask(f"/api/v2/dags/{dag}/dagRuns", {"logical_date": logical_date, "conf": dict(conf or {})})
        return DagRun(self, dag, made["dag_run_id"])

    def unpause(self, dag: str) -> None:
        """Let the scheduler make the runs of a DAG that is paused when it is made."""
        self.ask(f"/api/v2/dags/{dag}", {"is_paused": False}, method="PATCH")

    def runs(self, dag: str) -> list["DagRun"]:
        """All runs of the DAG, the oldest first."""
        listed = self.ask(f"/api/v2/dags/{dag}/dagRuns?limit=100&order_by=id")["dag_runs"]
        return [DagRun(self, dag, run["dag_run_id"]) for run in listed]

    def nth_run(self, dag: str, number: int, *, seconds: float = 120) -> "DagRun":
        """The run with this number, counted from 1, once it is there."""
        return until(
            f"{dag} has run {number} times", lambda: self.runs(dag)[number - 1 :], seconds=seconds, tell=lambda: self.tell_runs(dag)
        )[0]

    def announced(self, dag: str) -> list[Any]:
        """The events of the assets that start this DAG, the oldest first."""
        assets = self.ask(f"/api/v2/assets?dag_ids={dag}")["assets"]
        found = [self.ask(f"/api/v2/assets/events?asset_id={asset['id']}&order_by=timestamp") for asset in assets]
        return [event for one in found for event in one["asset_events"]]

    def remembered(self, dag: str) -> list[Any]:
        """What the watchers of the assets that start this DAG have written down."""
        assets = self.ask(f"/api/v2/assets?dag_ids={dag}")["assets"]
        return [one["value"] for asset in assets for one in self.ask(f"/api/v2/assets/{asset['id']}/state-store")["asset_state_store"]]

    def tell_runs(self, dag: str) -> str:
        """What a person needs who looks for a run that is not there."""
        return f"runs of {dag}: {[run.run_id for run in self.runs(dag)]}"


class DagRun:
    """One run of a DAG."""

    def __init__(self, rest: Rest, dag: str, run_id: str) -> None:
        self.rest, self.dag, self.run_id = rest, dag, run_id
        self.path = f"/api/v2/dags/{dag}/dagRuns/{urllib.parse.quote(run_id, safe='')}"

    def state(self) -> str:
        """The state of the run."""
        return str(self.rest.ask(self.path)["state"])

    def tasks(self) -> dict[Place, str]:
        """The state of each task instance."""
        listed = self.rest.ask(f"{self.path}/taskInstances?limit=200")["task_instances"]
        return {(one["task_id"], one["map_index"]): one["state"] for one in listed}

    def ended(self, *, seconds: float = 240) -> dict[Place, str]:
        """The state of each task instance once the run has ended."""
        until(f"{self.dag} ends", lambda: self.state() in {"success", "failed"}, seconds=seconds, tell=self.tell)
        return self.tasks()

    def reaches(self, state: str, task: str, index: int = -1, *, seconds: float = 240) -> None:
        """Wait until the task instance is in this state."""

        def there() -> bool:
            now = self.tasks().get((task, index))
            assert now == state or now not in ENDED, f"{task}[{index}] is {now}, not {state}\n{self.tell()}"
            return now == state

        until(f"{self.dag}.{task} is {state}", there, seconds=seconds, tell=self.tell)

    def waits(self, state: str, task: str, index: int = -1) -> None:
        """Wait until the task instance has gone to sleep in this state, and the scheduler knows that its process has ended.

        Woken before that, Airflow 3.3.2 takes the end of the process for that of the task, and fails it.
        """
        self.reaches(state, task, index)
        words = ("Received executor event", f"task_id='{task}', run_id='{self.run_id}'", f"map_index={index})")

        def noticed() -> bool:
            with self.rest.said.open(encoding="utf-8", errors="replace") as lines:
                return any(all(word in line for word in words) for line in lines)

        until(f"{task} sleeps", noticed, seconds=60, tell=self.tell)

    def xcom(self, task: str, key: str = "return_value", index: int = -1) -> Any:
        """What the task left behind."""
        return self.rest.ask(f"{self.path}/taskInstances/{task}/xcomEntries/{key}?map_index={index}&deserialize=true")["value"]

    def mark(self, task: str, state: str) -> None:
        """Say how the task has ended, as a person does in the UI."""
        self.rest.ask(f"{self.path}/taskInstances/{task}", {"new_state": state}, method="PATCH")

    def clear(self, task: str) -> None:
        """Have the task run again."""
        about = {"dry_run": False, "dag_run_id": self.run_id, "task_ids": [task], "only_failed": False, "reset_dag_runs": True}
        self.rest.ask(f"/api/v2/dags/{self.dag}/clearTaskInstances", about)

    def clear_all(self) -> None:
        """Have the whole run run again."""
        self.rest.ask(f"{self.path}/clear", {"dry_run": False, "only_failed": False})

    def attempts(self, task: str, index: int = -1) -> int:
        """How often the task was tried."""
        listed = self.rest.ask(f"{self.path}/taskInstances?limit=200")["task_instances"]
        return next(int(one["try_number"]) for one in listed if (one["task_id"], one["map_index"]) == (task, index))

    def log(self, task: str, index: int = -1, attempt: int = 1) -> list[str]:
        """The lines of the task's log."""
        said = self.rest.ask(f"{self.path}/taskInstances/{task}/logs/{attempt}?map_index={index}&full_content=true")
        return [text for line in said["content"] for text in _lines(line)]

    def links(self, task: str, index: int = -1) -> dict[str, str | None]:
        """The extra links on the task's page."""
        listed = self.rest.ask(f"{self.path}/taskInstances/{task}/links?map_index={index}")
        return dict(listed["extra_links"])

    def events(self) -> list[dict[str, Any]]:
        """The asset events that started the run."""
        listed: list[dict[str, Any]] = self.rest.ask(f"{self.path}/upstreamAssetEvents")["asset_events"]
        return listed

    def question(self, task: str, index: int = -1) -> dict[str, Any]:
        """What a person is asked."""
        asked: dict[str, Any] = self.rest.ask(f"{self.path}/taskInstances/{task}/{index}/hitlDetails")
        return asked

    def answer(self, task: str, chosen: str, index: int = -1, *, by: Rest | None = None) -> None:
        """A person's answer."""
        path = f"{self.path}/taskInstances/{task}/{index}/hitlDetails"
        (by or self.rest).ask(path, {"chosen_options": [chosen], "params_input": {}}, method="PATCH")

    def tell(self) -> str:
        """What a person needs who looks for what went wrong: the states of all tasks, and the ends of the logs."""
        states = self.tasks()
        logs = [f"---- {task}[{index}] {state}\n" + self._end_of_log(task, index) for (task, index), state in states.items()]
        return "\n".join([f"{self.dag} {self.run_id} {self.state()}: {states}", *logs])

    def _end_of_log(self, task: str, index: int) -> str:
        try:
            return "\n".join(self.log(task, index)[-25:])
        except RefusedError as error:
            return str(error) if HTTPStatus.NOT_FOUND.phrase not in str(error) else "(no log)"


def _lines(said: Any) -> Iterator[str]:
    """What a line of a log shows: the text, and the error that comes with it."""
    yield said if isinstance(said, str) else str(said["event"])
    if not isinstance(said, str):
        yield from (f"{error['exc_type']}: {error['exc_value']}" for error in said.get("error_detail") or ())


def _fresh(part: Mapping[str, Any], since: float) -> bool:
    """Whether a part that has a heartbeat has beaten since then."""
    beats = [datetime.fromisoformat(value).timestamp() for name, value in part.items() if name.startswith("latest_") and value]
    return all(beat >= since for beat in beats)
