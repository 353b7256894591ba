"""What is counted, as it leaves the process towards statsd."""

import socket
from collections.abc import Iterator
from inspect import signature
from typing import Any

import pytest
from airflow.sdk._shared.observability.metrics import stats as shared
from airflow.sdk._shared.observability.metrics.statsd_logger import SafeStatsdLogger
from airflow.sdk.observability.stats import Stats

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.tasks.output import metrics

VERSION = Version(0, "0" * 64, TableSchema.create("x INT"))


class Client:
    """What the statsd logger of Airflow hands its counts to, as one packet each."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address, self.socket = address, socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def incr(self, name: str, count: int, rate: float) -> None:
        self.socket.sendto(f"airflow.{name}:{count}|c@{rate:g}".encode(), self.address)


class Counts:
    def __init__(self, server: socket.socket) -> None:
        self.server = server

    def read(self, number: int) -> list[str]:
        return [self.server.recv(4096).decode() for _ in range(number)]


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(5)
        client: Any = Client(server.getsockname())
        logger: Any = SafeStatsdLogger(client, influxdb_tags_enabled=True, statsd_influxdb_enabled=True)
        for one in ("_factory", "_backend"):
            monkeypatch.setattr(shared, one, None, raising=False)
        # Airflow 3.3 asks besides whether counts go out under older names, too.
        more = {"export_legacy_names": False} if "export_legacy_names" in signature(Stats.initialize).parameters else {}
        Stats.initialize(factory=lambda: logger, **more)
        yield Counts(server)
        client.socket.close()


def answer(table: str, verdict: Verdict, **more: Any) -> TableAnswer:
    found = () if verdict is Verdict.OK else (Finding("FIELD_DROPPED", "x", "x is gone.", verdict=verdict),)
    return TableAnswer(table=table, report=Report(found), **more)


def test_a_gate_counts_every_table_once(counts: Counts) -> None:
    tables = (
        answer("shop.orders", Verdict.OK),
        answer("shop.users", Verdict.BREAK),
        answer("clicks.web", Verdict.WARN),
        answer("shop.orders", Verdict.BREAK, writes=True),
    )
    metrics.count_verdicts(Judgement(tables=tables))
    assert counts.read(4) == [
        "airflow.schemas.gate.breaks,table=shop.orders:1|c@1",
        "airflow.schemas.gate.breaks,table=shop.users:1|c@1",
        "airflow.schemas.gate.fits,table=clicks.web:1|c@1",
        "airflow.schemas.gate.warns,table=clicks.web:1|c@1",
    ]


def test_a_version_that_was_written_is_counted_and_nothing_else(counts: Counts) -> None:
    metrics.count_change(Committed(table="shop.users", version=VERSION, outcome=CommitOutcome.UNCHANGED))
    metrics.count_change(Committed(table="shop.users", version=VERSION, outcome=CommitOutcome.APPLIED))
    metrics.count_change(Committed(table="shop.orders", version=VERSION))
    assert counts.read(1) == ["airflow.schemas.changes,table=shop.orders:1|c@1"]


@pytest.mark.parametrize(
    ("table", "tag"),
    [("шоп.o", "___.o"), ("a.b c,d=e\n", "a.b_c_d_e_"), ("x." + "y" * 500, "x." + "y" * 148)],
)
def test_a_name_that_statsd_cannot_take_is_counted_under_one_that_it_can(counts: Counts, table: str, tag: str) -> None:
    metrics.count_change(Committed(table=table, version=VERSION))
    assert counts.read(1) == [f"airflow.schemas.changes,table={tag}:1|c@1"]


def test_a_client_that_fails_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def broken(*words: Any, **about: Any) -> None:
        asked.append((words, about))
        raise OSError("no route to host")

    monkeypatch.setattr(Stats, "incr", broken)
    metrics.count_verdicts(Judgement(tables=(answer("a.b", Verdict.OK),)))
    assert asked == [(("schemas.gate.fits",), {"tags": {"table": "a.b"}})]
