"""Runs a DAG as `dag.test()` does, answers what its tasks ask, and prints what became of it as JSON. Started as a process of its own.

    python answering.py FILE DAG_ID '{"0": ["Reject", "ana"], "1": ["Approve", "raj"], "2": ["Reject", null]}'

The answers are by index: how the option begins, and who gives it. Nobody means that the time was over, as the scheduler has it.
An answer `["clear", "a.yaml"]` puts a.yaml.next in the place of a.yaml while the task waits, clears the run, and then approves whatever
the page shows.
"""

import json
import os
import sys
import threading
import time
from importlib import util
from pathlib import Path
from typing import Any

_PATIENCE = 150.0


def main(file: str, dag_id: str, answers: dict[int, tuple[str, str | None]]) -> None:
    """One run."""
    from airflow import models

    models.import_all_models()  # type: ignore[no-untyped-call]  # Airflow has no types for it
    from airflow.utils.session import create_session

    spec = util.spec_from_file_location("dags_of_test", file)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    dag = next(one for one in vars(module).values() if getattr(one, "dag_id", None) == dag_id and hasattr(one, "test"))
    threading.Thread(target=_answer, args=(dag_id, answers), daemon=True).start()
    threading.Thread(target=_give_up, daemon=True).start()
    run = dag.test()
    with create_session() as session:
        print("TOLD", json.dumps(_told(run, session)), flush=True)
    os._exit(0)  # the thread that answers would hold the process


def _give_up() -> None:
    time.sleep(_PATIENCE)
    print("TOLD", json.dumps({"state": "still waiting"}), flush=True)
    os._exit(3)


def _answer(dag_id: str, answers: dict[int, tuple[str, str | None]]) -> None:
    """Answer until everything is answered: a loop of `dag.test()` may write over an answer, so that it is given again."""
    last: dict[Any, float] = {}
    while True:
        time.sleep(0.3)
        _answer_once(dag_id, answers, last)


def _answer_once(dag_id: str, answers: dict[int, tuple[str, str | None]], last: dict[Any, float]) -> None:
    from airflow.models.taskinstance import TaskInstance
    from airflow.utils.session import create_session
    from sqlalchemy import select

    with create_session() as session:
        waiting = select(TaskInstance).where(TaskInstance.dag_id == dag_id, TaskInstance.state == "awaiting_input")
        for ti in session.scalars(waiting).all():
            if ti.map_index not in answers or time.monotonic() - last.get(ti.id, 0.0) < 2:
                continue
            last[ti.id] = time.monotonic()
            word, by = answers[ti.map_index]
            if word == "clear" and by:
                answers[ti.map_index] = ("Approve", "raj")
                _clear(ti, by, session)
            else:
                _give(ti, word, by, session)


def _clear(ti: Any, file: str, session: Any) -> None:
    from airflow.models.taskinstance import TaskInstance, clear_task_instances
    from sqlalchemy import select

    path = Path(os.environ["AIRFLOW__CORE__DAGS_FOLDER"]) / file
    path.with_name(f"{file}.next").replace(path)
    clear_task_instances(list(session.scalars(select(TaskInstance).where(TaskInstance.run_id == ti.run_id)).all()), session)


def _give(ti: Any, word: str, by: str | None, session: Any) -> None:
    from airflow.models.hitl import HITLDetail, HITLUser
    from airflow.models.trigger import handle_event_submit
    from airflow.sdk.timezone import utcnow
    from airflow.triggers.base import TriggerEvent
    from sqlalchemy import select

    detail = session.scalar(select(HITLDetail).where(HITLDetail.ti_id == ti.id))
    detail.responded_by = HITLUser(id=by, name=by) if by else None
    detail.responded_at = utcnow()
    detail.chosen_options = [one for one in detail.options if one.startswith(word)]
    event = TriggerEvent(detail.as_resume_event_payload(timedout=by is None))  # type: ignore[no-untyped-call]  # Airflow has no types for it
    handle_event_submit(event, task_instance=ti, session=session)


def _told(run: Any, session: Any) -> dict[str, Any]:
    from airflow.models.asset import AssetEvent
    from sqlalchemy import select

    states = {f"{one.task_id}[{one.map_index}]" if one.map_index >= 0 else one.task_id: str(one.state) for one in run.get_task_instances()}
    events = [{"uri": one.uri, **one.extra} for one in session.scalars(select(AssetEvent).order_by(AssetEvent.id)).all()]
    return {"state": str(run.state), "states": states, "events": events, "run_id": run.run_id}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], {int(index): (word, by) for index, (word, by) in json.loads(sys.argv[3]).items()})
