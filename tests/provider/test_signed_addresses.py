"""A presigned URL in an argument: no error of ours, none behind it, and no line of a worker's log shows its signature or its user."""

import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, SchemaValidateOperator
from airflow_provider_schemas.sensors import SchemaContractSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.gate.requirements import read_needs
from tests.provider.conftest import MakeContext
from tests.provider.support.dag_runs import told
from tests.servers.process import HOST

SECRET = "deadbeef"
QUERY = f"X-Amz-Credential=AKIA{SECRET}/20261119/eu-1/s3&X-Amz-Signature={SECRET}&X-Amz-Expires=300"
BODIES = {"list": b"- [a]", "scalar": b"only words", "broken": b"a: [", "keys": b"colums: [a]"}


class _Handler(BaseHTTPRequestHandler):
    """Answers /403/... with 403, and /list/... with 200 and a body that is no contract."""

    def do_GET(self) -> None:
        word = self.path.split("/")[1]
        body = BODIES.get(word, b"no")
        self.send_response(int(word) if word.isdigit() else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815  # so the standard library calls it

    def log_message(self, *args: Any) -> None:
        del args


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    server = ThreadingHTTPServer((HOST, 0), _Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def orders(lake: str, tmp_path: Path, server: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """The connection to a warehouse that has shop.orders, and leave to read from the server."""
    monkeypatch.setenv("AIRFLOW__SCHEMAS__CONTRACT_URLS", f"http://{HOST}:{server}/")
    SchemaStore(tmp_path / "lake").create_table("shop.orders", "a INT")
    return lake


DOORS: dict[str, Callable[[str], Any]] = {
    "gate, a file of a job": lambda url: SchemaGateOperator(task_id="gate", reads=url),
    "gate, a contract": lambda url: SchemaGateOperator(task_id="gate", reads={"shop.orders": url}),
    "gate, as the name of a table": lambda url: SchemaGateOperator(task_id="gate", reads=[url]),
    "gate, what is written": lambda url: SchemaGateOperator(task_id="gate", writes={"shop.orders": url}),
    "sensor": lambda url: SchemaContractSensor(task_id="wait", reads={"shop.orders": url}, timeout=1),
    "evolve, a policy": lambda url: SchemaEvolveOperator(task_id="evolve", table="shop.orders", changes=["ADD COLUMN b INT"], policy=url),
    "evolve, a target": lambda url: SchemaEvolveOperator(task_id="evolve", table="shop.orders", target=url),
    "validate, a target": lambda url: SchemaValidateOperator(task_id="validate", table="shop.orders", target=url),
}
ANSWERS = ["401", "403", "404", "429", "500", "503", *BODIES]


def chain(error: BaseException) -> list[BaseException]:
    """The error and all that stands behind it, whether a traceback shows it or not."""
    links = [error]
    for link in links:
        links += [one for one in (link.__cause__, link.__context__) if one is not None and one not in links]
    return links


def shown(error: BaseException) -> str:
    texts = [f"{link!s} {link!r} {getattr(link, '__notes__', '')}" for link in chain(error)]
    return "\n".join([*traceback.format_exception(error), *texts])


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("door", DOORS)
def test_no_error_of_a_task_shows_it(door: str, answer: str, server: int, context: MakeContext, orders: str) -> None:
    task = DOORS[door](f"http://{HOST}:{server}/{answer}/job.yaml?{QUERY}")
    task.conn_id = orders
    with pytest.raises(Exception) as caught:  # noqa: PT011  # Airflow's own as well
        task.execute(context(task))
    assert [line for line in shown(caught.value).splitlines() if SECRET in line] == []


def test_a_user_without_a_server_is_not_shown_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__SCHEMAS__CONTRACT_URLS", f"http://{HOST}:9/")
    for url in (f"http://ana:{SECRET}@{HOST}:9/x.yaml", f"http://{SECRET}@{HOST}:9/x.yaml?{QUERY}"):
        with pytest.raises(SchemaError) as caught:
            read_needs({"shop.orders": url}, "reads", folder=None)
        assert [line for line in shown(caught.value).splitlines() if SECRET in line] == []


DAGS = """
from datetime import timedelta
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, schema_guard

ABOUT = {"conn_id": "lake", "retries": 1, "retry_delay": timedelta(seconds=0)}
for answer in ("403", "500", "scalar"):
    url = "ADDRESS/" + answer + "/job.yaml?" + "QUERY"
    with DAG(f"signed_{answer}", schedule=None, default_args=ABOUT) as dag:
        SchemaGateOperator(task_id="gate", reads={"shop.orders": url})
        SchemaEvolveOperator(task_id="evolve", table="shop.orders", changes=["ADD COLUMN b INT"], policy=url)

        @task(pre_execute=schema_guard(reads={"shop.orders": url}, conn_id="lake"))
        def job(): print("RAN")
        job()
    globals()[dag.dag_id] = dag
"""
STORY = """
os.environ["AIRFLOW__SCHEMAS__CONTRACT_URLS"] = "ADDRESS/"
store.create_table("shop.orders", "a INT")
for answer in ("403", "500", "scalar"):
    run(f"signed_{answer}", 1)
"""


def test_no_line_of_a_workers_log_shows_it(server: int, airflow_database: Path, tmp_path: Path) -> None:
    dags = DAGS.replace("ADDRESS", f"http://{HOST}:{server}").replace("QUERY", QUERY)
    story = STORY.replace("ADDRESS", f"http://{HOST}:{server}")
    for run in told(tmp_path, airflow_database, story, signed=dags):
        assert set(run.states.values()) <= {"failed", "up_for_retry"}
        assert "job.yaml" in run.log
        assert [line for line in run.log.splitlines() if SECRET in line] == []
