"""A task reads the files that its arguments name in its bundle, in the registry of its connection, and where the configuration says."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import (
    SchemaCreateOperator,
    SchemaEvolveOperator,
    SchemaGateOperator,
    SchemaRestoreOperator,
    SchemaValidateOperator,
    SparkValidateDataOperator,
    schema_guard,
)
from airflow_provider_schemas.operators.decorated import SchemaGateDecoratedOperator
from airflow_provider_schemas.sensors import SchemaContractSensor
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import MakeContext
from tests.provider.operators.support.guarded_tasks import bash
from tests.servers.process import HOST

SECRET = "wJalrXUt"
ALLOWED = "AIRFLOW__SCHEMAS__CONTRACT_URLS"
EVOLVE: dict[str, Any] = {"task_id": "t", "table": "shop.orders", "changes": ["ADD COLUMN b INT"]}


def _guarded(context: dict[str, Any], **asked: Any) -> Any:
    return schema_guard(**asked, conn_id="lake")(context)


DOORS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "gate": ("reads", lambda name: SchemaGateOperator(task_id="t", reads=name)),
    "gate, one table": ("reads.shop.orders", lambda name: SchemaGateOperator(task_id="t", reads={"shop.orders": name})),
    "gate, a path": ("reads.shop.orders", lambda name: SchemaGateOperator(task_id="t", reads={"shop.orders": Path(name)})),
    "gate, written": ("writes.shop.orders", lambda name: SchemaGateOperator(task_id="t", writes={"shop.orders": name})),
    "gate, policy": ("policy", lambda name: SchemaGateOperator(task_id="t", reads=["shop.orders"], policy=name)),
    "gate, as text": ("reads.shop.orders", lambda name: SchemaGateOperator(task_id="t", reads=f"{{'shop.orders': '{name}'}}")),
    "decorator": (
        "reads.shop.orders",
        lambda name: SchemaGateDecoratedOperator(task_id="t", python_callable=lambda: {"shop.orders": name}, op_args=[], op_kwargs={}),
    ),
    "sensor": ("reads.shop.orders", lambda name: SchemaContractSensor(task_id="t", reads={"shop.orders": name}, timeout=1)),
    "sensor, policy": ("policy", lambda name: SchemaContractSensor(task_id="t", reads=["shop.orders"], policy=name, timeout=1)),
    "evolve, target": ("target", lambda name: SchemaEvolveOperator(task_id="t", table="shop.orders", target=name)),
    "evolve, policy": ("policy", lambda name: SchemaEvolveOperator(**EVOLVE, policy=name)),
    "validate, target": ("target", lambda name: SchemaValidateOperator(task_id="t", table="shop.orders", target=name)),
    "validate, policy": ("policy", lambda name: SchemaValidateOperator(**EVOLVE, policy=name)),
    "create, target": ("target", lambda name: SchemaCreateOperator(task_id="t", target=name)),
    "restore, policy": ("policy", lambda name: SchemaRestoreOperator(task_id="t", table="shop.orders", version=0, policy=name)),
    "rows": (
        "contract.shop.orders",
        lambda name: SparkValidateDataOperator(task_id="t", table="shop.orders", contract=name, min_rows=0, path="/x"),
    ),
}


@pytest.fixture
def dags(tmp_path: Path, lake: str, connect: Any) -> Path:
    """The folder of the DAG file, with a way out of it; a warehouse beside it."""
    connect("schema_store_default", host=(tmp_path / lake).as_uri())
    SchemaStore(tmp_path / lake).create_table("shop.orders", "a INT")
    for name in ("dags/sub", "dags-evil", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("dags-evil", "elsewhere"):
        (tmp_path / name / "x.yaml").write_text(f"columns: [a]\n# {SECRET}\n")
    (tmp_path / "dags/x.yaml").write_text("columns: [a]\n")
    (tmp_path / "dags/out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "dags/one.yaml").symlink_to(tmp_path / "elsewhere/x.yaml")
    return tmp_path / "dags"


WAYS_OUT = (
    "../elsewhere/x.yaml",
    "sub/../../elsewhere/x.yaml",
    "{root}/elsewhere/x.yaml",
    "{root}/dags-evil/x.yaml",
    "{root}/dags/../elsewhere/x.yaml",
    "file://{root}/elsewhere/x.yaml",
    "FILE://{root}/elsewhere/x.yaml",
    "File://{root}/dags/../elsewhere/x.yaml",
    "local://{root}/elsewhere/x.yaml",
    "out/x.yaml",
    "one.yaml",
    "{root}/dags/one.yaml",
    "/proc/self/root{root}/elsewhere/x.yaml",
    "memory://elsewhere/x.yaml",
    "s3://bucket/x.yaml",
    "http://127.0.0.1:9/x.yaml",
)


def refused(task: Any, context: MakeContext) -> str:
    with pytest.raises(AirflowFailException) as caught:  # which Airflow does not try again
        task.execute(context(task))
    return str(caught.value)


def answer(task: Any, context: MakeContext) -> str:
    """The verdict, or the error, as text: there is no such bucket, no such server, and no such file in memory."""
    try:
        return str(task.execute(context(task)))
    except SchemaError as error:
        return str(error)


@pytest.mark.parametrize("door", DOORS)
def test_no_argument_leads_out_of_the_bundle(door: str, dags: Path, context: MakeContext) -> None:
    argument, make = DOORS[door]
    told = refused(make("../elsewhere/x.yaml"), context)
    assert f"{argument}: " in told
    assert f"contract_urls = {dags.parent}/elsewhere" in told
    assert SECRET not in told


@pytest.mark.parametrize("way", WAYS_OUT)
def test_no_spelling_leads_out_of_the_bundle(way: str, dags: Path, context: MakeContext) -> None:
    name = way.format(root=dags.parent)
    for argument, task in (
        ("reads.shop.orders", SchemaGateOperator(task_id="t", reads={"shop.orders": name})),
        ("policy", SchemaEvolveOperator(**EVOLVE, policy=name)),
    ):
        told = refused(task, context)
        assert f"{argument}: " in told
        assert "may not read" in told
        assert "contract_urls = " in told


@pytest.mark.parametrize("way", WAYS_OUT)
def test_the_printed_line_allows_it(way: str, dags: Path, context: MakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": way.format(root=dags.parent)})
    monkeypatch.setenv(ALLOWED, refused(task, context).partition("contract_urls = ")[2])
    assert "may not read" not in answer(task, context)


@pytest.mark.usefixtures("dags")
def test_a_guard_asks_as_a_gate_does(context: MakeContext) -> None:
    for name, argument in (("../elsewhere/x.yaml", "reads"), ("one.yaml", "policy")):
        asked = {"reads": ["shop.orders"], argument: name}
        with pytest.raises(AirflowFailException, match="may not read"):
            _guarded(context(bash()), **asked)


@pytest.mark.parametrize(
    "name", ["x.yaml", "./sub/../x.yaml", "{root}/dags/x.yaml", "file://{root}/dags/x.yaml", "FILE://{root}/dags/x.yaml"]
)
def test_what_lies_in_the_bundle_is_read(name: str, dags: Path, context: MakeContext) -> None:
    task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": name.format(root=dags.parent)})
    assert task.execute(context(task))["fits"]


class _Bundle:
    def __init__(self, path: Path) -> None:
        self.path = path


def test_the_bundle_is_wider_than_the_folder_of_the_dag_file(dags: Path, context: MakeContext) -> None:
    task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": "../x.yaml"})
    file = str(dags / "sub/reports.py")
    assert task.execute(context(task, fileloc=file, bundle_instance=_Bundle(dags)))["fits"]
    with pytest.raises(AirflowFailException, match="may not read"):
        task.execute(context(task, fileloc=file))
    found = context(task, fileloc=file)
    found["dag"].relative_fileloc = "sub/reports.py"  # what a DAG knows that was found in its bundle
    assert task.execute(found)["fits"]
    found["dag"].relative_fileloc = "other/reports.py"
    with pytest.raises(AirflowFailException, match="may not read"):
        task.execute(found)


def test_a_bundle_behind_a_link_is_a_bundle(dags: Path, context: MakeContext) -> None:
    (dags.parent / "current").symlink_to(dags)
    task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": "x.yaml"})
    at = dags.parent / "current"
    assert task.execute(context(task, fileloc=str(at / "reports.py"), bundle_instance=_Bundle(at)))["fits"]


def test_what_lies_in_the_registry_of_the_connection_is_read(dags: Path, context: MakeContext, connect: Any) -> None:
    root = dags.parent
    for host, registry, folder in (
        ("lake", "", "lake/_schemas"),
        ("lake1", (root / "reg").as_uri(), "reg"),
        ("lake2", str(root / "r2"), "r2"),
    ):
        SchemaStore(root / host, registry=registry or None).create_table("shop.orders", "a INT")
        connect("other", host=str(root / host), **({"extra": {"registry": registry}} if registry else {}))
        (root / folder / "x.yaml").write_text("columns: [a]\n")
        (root / "lake/x.yaml").write_text("columns: [a]\n")
        task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": f"{root}/{folder}/x.yaml"}, conn_id="other", register=False)
        assert "may not read" not in str(task.execute(context(task)))
        assert "may not read" in refused(
            SchemaGateOperator(task_id="t", reads={"shop.orders": f"{root}/lake/x.yaml"}, conn_id="other"), context
        )
    assert "may not read" in refused(SchemaGateOperator(task_id="t", reads={"shop.orders": f"{root}/reg/x.yaml"}, conn_id="lake"), context)


@pytest.mark.usefixtures("dags")
def test_a_connection_that_is_not_there_opens_nothing(context: MakeContext) -> None:
    told = refused(SchemaGateOperator(task_id="t", reads={"shop.orders": "/etc/x.yaml"}, conn_id="nobody"), context)
    assert "may not read" in told


@pytest.mark.usefixtures("dags")
def test_the_printed_line_keeps_what_is_allowed_already(context: MakeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED, "s3://ana:geheim@acme/contracts,\n relative/folder")
    told = refused(SchemaGateOperator(task_id="t", reads={"shop.orders": "https://acme.org/100%25/x.yaml?X-Amz-Signature=abc"}), context)
    assert "contract_urls = s3://****@acme/contracts, relative/folder, https://acme.org/100%%25/" in told
    assert "ignored: 'relative/folder'" in told
    assert "abc" not in told


# ---------------------------------------------------------------- a web server


class _Handler(BaseHTTPRequestHandler):
    """Gives a contract at /contracts/, and leads out of it at /contracts/leads."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        leads = self.path.startswith("/contracts/leads")
        self.send_response(302 if leads else 200)
        if leads:
            self.send_header("Location", "/inside/x.yaml")
        self.send_header("Content-Length", "12")
        self.end_headers()
        self.wfile.write(b"columns: [a]")

    def log_message(self, *args: Any) -> None:
        del args


@pytest.fixture
def web() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    server = ThreadingHTTPServer((HOST, 0), type("Handler", (_Handler,), {"asked": asked}))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{HOST}:{server.server_address[1]}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.usefixtures("dags")
def test_a_server_is_not_asked_before_it_is_allowed(
    web: tuple[str, list[str]], context: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, asked = web
    task: Any = SchemaGateOperator(task_id="t", reads={"shop.orders": f"{url}/contracts/x.yaml"})
    for allowed in ("", f"{url}/contract", f"{url}/contracts-old", f"{url}0/contracts", url.replace("http", "https")):
        monkeypatch.setenv(ALLOWED, allowed)
        assert "may not read" in refused(task, context)
    assert asked == []
    monkeypatch.setenv(ALLOWED, f"{url}/contracts")
    assert task.execute(context(task))["fits"]
    assert asked == ["/contracts/x.yaml"]


@pytest.mark.parametrize(
    "way", ["../inside/x.yaml", "%2e%2e/inside/x.yaml", "%2E%2E%2Finside/x.yaml", "..%2finside/x.yaml", "..;/inside/x.yaml"]
)
@pytest.mark.usefixtures("dags")
def test_no_spelling_leads_to_another_folder_of_a_server(
    way: str, web: tuple[str, list[str]], context: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, asked = web
    monkeypatch.setenv(ALLOWED, f"{url}/contracts")
    told = refused(SchemaGateOperator(task_id="t", reads={"shop.orders": f"{url}/contracts/{way}"}), context)
    assert "Write a plain address" in told
    assert asked == []


@pytest.mark.usefixtures("dags")
def test_a_server_that_leads_elsewhere_is_not_followed(
    web: tuple[str, list[str]], context: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, asked = web
    monkeypatch.setenv(ALLOWED, f"{url}/contracts")
    for scheme in ("http", "HTTP"):
        address = f"{scheme}{url.removeprefix('http')}/contracts/leads/x.yaml"
        told = refused(SchemaGateOperator(task_id="t", reads={"shop.orders": address}), context)
        assert "leads elsewhere" in told
        assert "reads.shop.orders: " in told
    assert "/inside/x.yaml" not in asked
