"""The list of gates: the broken ones first, counted, searched, paged, and since when they are red."""

import copy
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from airflow_provider_schemas.plugins.gates.gate_list import ROWS
from airflow_provider_schemas.plugins.verdicts import read
from tests.provider.plugins.support.database import Database

Verdicts = dict[str, dict[str, Any]]


def names(browser: TestClient, query: str = "") -> list[str]:
    """The names of the gates on a page, in their order."""
    answer = browser.get(f"/schemas/gates{query}")
    assert answer.status_code == 200, answer.text
    return re.findall(r'<th scope="row">(?:<a [^>]*>)?([^<]*)<', answer.text)


def counters(browser: TestClient, query: str = "") -> str:
    """The counters as they are read: all 3, broken 1, ..."""
    found = re.findall(r"<li><a [^>]*>([^<]*)</a></li>", browser.get(f"/schemas/gates{query}").text)
    return ", ".join(found)


@pytest.fixture
def warned(verdicts: Verdicts) -> dict[str, Any]:
    return changed(verdicts["fits"], "warn")


@pytest.fixture
def waived(verdicts: Verdicts) -> dict[str, Any]:
    made = changed(verdicts["breaks"], "warn", fits=True)
    table = made["tables"]["shop.orders"]
    table |= {"verdict": "warn", "fits": True}
    table["findings"][0]["waived"] = "until 2026-04-01 for daily.gate: INC-7 (ana)"
    return made


def changed(verdict: dict[str, Any], word: str, *, fits: bool = True) -> dict[str, Any]:
    """The verdict with another word for the whole."""
    made = copy.deepcopy(verdict)
    made |= {"verdict": word, "fits": fits}
    return made


def test_no_gate_yet_says_how_to_make_one(database: Database, viewer: TestClient) -> None:
    text = viewer.get("/schemas/gates").text
    assert "SchemaGateOperator(" in text
    assert "<table" not in text


class TestTheOrder:
    def test_is_by_how_bad_it_is_and_then_the_newest_first(
        self, database: Database, viewer: TestClient, verdicts: Verdicts, warned: Any, waived: Any
    ) -> None:
        values = {"fits": verdicts["fits"], "waived": waived, "warned": warned, "old": verdicts["breaks"], "new": verdicts["missing"]}
        database.push("s3://xcoms/a-reference", task="elsewhere", hours=9)
        for hours, (task, value) in enumerate(values.items()):
            database.push(value, task=task, hours=hours)
        expected = ["new", "old", "elsewhere", "warned", "waived", "fits"]
        assert names(viewer) == [f"daily.{task}" for task in expected]
        assert counters(viewer) == "all 6, broken 2, unknown 1, warned 1, waived 1, ok 1"

    def test_a_verdict_that_cannot_be_read_is_no_green_one(self, database: Database, viewer: TestClient) -> None:
        for task, value in {"a": {"verdict": "ok"}, "b": {"tables": 7}, "c": ["ok"], "d": 3, "e": None, "f": "reference"}.items():
            database.push(value, task=task)
        assert counters(viewer).endswith("unknown 6, warned 0, waived 0, ok 0")
        assert viewer.get("/schemas/gates").text.count("not readable") == 6

    def test_only_the_last_verdict_of_a_gate_counts(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        database.push(verdicts["breaks"], run="run_1", hours=1)
        database.push(verdicts["fits"], run="run_2", hours=2)
        assert counters(viewer) == "all 1, broken 0, warned 0, waived 0, ok 1"


class TestNoGreen:
    """is shown that nothing has earned."""

    @pytest.mark.parametrize(
        ("change", "counted"),
        [
            ({"tables": {}}, "unknown 1, warned 0"),
            ({"tables": {"shop.orders": {}}}, "broken 1, warned 0"),
            ({"tables": {"shop.orders": {"verdict": "ok", "version": 1}}}, "broken 1, warned 0"),
            ({"tables": {"shop.orders": {"verdict": "ok", "fits": True}}}, "broken 1, warned 0"),
            ({"tables": {"shop.orders": {"verdict": "break", "fits": True, "version": 1}}}, "broken 1, warned 0"),
            ({"tables": {"shop.orders": {"verdict": "warn", "fits": True, "version": 1}}}, "broken 0, warned 1"),
        ],
    )
    def test_by_a_whole_that_is_better_than_its_tables(
        self, database: Database, viewer: TestClient, verdicts: Verdicts, change: Any, counted: str
    ) -> None:
        database.push({**verdicts["fits"], **change})
        assert counted in counters(viewer)
        assert counters(viewer).endswith("ok 0")
        task = viewer.get("/schemas/task?dag_id=daily&run_id=run_1&task_id=gate").text
        assert 'class="headline verdict-ok"' not in task

    def test_by_a_waiver_beside_a_warning(self, database: Database, viewer: TestClient, waived: Any) -> None:
        findings = waived["tables"]["shop.orders"]["findings"]
        findings.append({**findings[0], "verdict": "warn", "waived": ""})
        database.push(waived)
        assert "warned 1, waived 0" in counters(viewer)

    @pytest.mark.parametrize("state", ["failed", "up_for_retry"])
    def test_by_a_verdict_before_a_run_that_could_not_look(
        self, database: Database, viewer: TestClient, verdicts: Verdicts, state: str
    ) -> None:
        database.push(verdicts["fits"], run="run_1", hours=1)
        database.task(run="run_2", state=state, hours=2)
        assert counters(viewer).startswith("all 1, broken 0, unknown 1")
        assert "failed at 2026-03-01 08:00 UTC without a verdict. The last verdict: fits." in viewer.get("/schemas/gates").text
        dag = viewer.get("/schemas/dag?dag_id=daily").text
        assert dag.count(">not known</span>") == 2
        assert ">fits</span>" not in dag

    def test_is_taken_away_by_a_run_that_looked_or_came_before(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        database.task(run="run_1", state="failed", hours=1)
        # The task itself failed after its guard had found that all fits.
        database.task(run="run_2", state="failed", hours=3)
        database.push(verdicts["fits"], run="run_2", hours=2)
        database.task(run="run_3", task="other", state="failed", hours=4)
        assert counters(viewer).endswith("ok 1")


def test_what_is_cut_off_is_said_though_former_indexes_are_left_out(
    database: Database, viewer: TestClient, verdicts: Verdicts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "MAX_GATES", 3)
    database.push(verdicts["breaks"], dag="forgotten", hours=0)
    for index in range(2):
        database.push(verdicts["fits"], run="run_1", task="load", index=index, hours=1)
    database.push(verdicts["fits"], run="run_2", task="load", index=0, hours=2)
    database.push(verdicts["fits"], run="run_2", task="gate", hours=3)
    assert names(viewer) == ["daily.gate", "daily.load[0]"]
    assert "newest verdicts were looked at" in viewer.get("/schemas/gates").text
    database.push(verdicts["fits"], dag="forgotten", hours=9)
    monkeypatch.setattr(read, "MAX_GATES", 4)
    assert "newest verdicts were looked at" not in viewer.get("/schemas/gates").text


class TestARow:
    def test_leads_to_the_tab_of_its_task_and_to_the_two_versions(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        database.push(verdicts["breaks"], run="manual__2026-03-01T06:00:00+00:00")
        text = viewer.get("/schemas/gates").text
        run = "manual__2026-03-01T06%3A00%3A00%2B00%3A00"
        assert f'<a data-airflow href="../dags/daily/runs/{run}/tasks/gate/plugin/schemas_task">daily.gate</a>' in text
        assert '<a href="diff?conn=lake&amp;t=shop.orders&amp;a=0&amp;b=1">v0 → v1</a>' in text

    def test_of_a_mapped_task_names_its_index(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        for index in range(3):
            database.push(verdicts["fits"], task="load", index=index, hours=index)
        assert names(viewer) == ["daily.load[2]", "daily.load[1]", "daily.load[0]"]

    def test_of_an_index_that_the_newest_run_has_no_more_is_left_out(
        self, database: Database, viewer: TestClient, verdicts: Verdicts
    ) -> None:
        for index in range(4):
            database.push(verdicts["breaks"], run="run_1", task="load", index=index)
        database.push(verdicts["fits"], run="run_2", task="load", index=0, hours=2)
        # The second index of the newest run is still at work: until then its last verdict holds.
        database.task(run="run_2", task="load", index=1, state="running")
        assert names(viewer) == ["daily.load[1]", "daily.load[0]"]

    def test_says_since_when_and_for_how_many_runs_it_is_red(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        for hours, name in enumerate(["breaks", "fits", "breaks", "missing", "breaks"]):
            database.push(verdicts[name], run=f"run_{hours}", hours=hours)
        text = viewer.get("/schemas/gates").text
        assert "red for 3 runs," in text
        assert '2026-03-01T08:00:00+00:00">2026-03-01 08:00</time></div>' in text.partition("red for")[2]

    def test_that_is_not_red_says_nothing_of_it(self, database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
        database.push(verdicts["breaks"], run="run_1", hours=1)
        database.push(verdicts["fits"], run="run_2", hours=2)
        assert "red for" not in viewer.get("/schemas/gates").text


class TestTheSearch:
    @pytest.fixture(autouse=True)
    def gates(self, database: Database, verdicts: Verdicts) -> None:
        database.push(verdicts["breaks"], dag="daily", task="gate")
        database.push(verdicts["fits"], dag="ltv", task="load")

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?q=LTV", ["ltv.load"]),
            ("?q=shop.ORD", ["daily.gate", "ltv.load"]),
            ("?q=nothing", []),
            ("?verdict=broken", ["daily.gate"]),
            ("?verdict=ok", ["ltv.load"]),
            ("?verdict=ok&q=daily", []),
            ("?verdict=nonsense", ["daily.gate", "ltv.load"]),
            ("?page=nonsense", ["daily.gate", "ltv.load"]),
            ("?page=99", ["daily.gate", "ltv.load"]),
        ],
    )
    def test_is_over_gates_and_tables_beside_the_filter(self, viewer: TestClient, query: str, found: list[str]) -> None:
        assert names(viewer, query) == found

    def test_that_finds_nothing_says_so_and_leads_back(self, viewer: TestClient) -> None:
        text = viewer.get("/schemas/gates?q=%3Cb%3Enothing").text
        assert "&lt;b&gt;nothing" in text
        assert '<a href="gates">Show all gates</a>' in text


def test_four_hundred_gates_are_paged_and_small(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    values = [(verdicts["breaks"], 40), (verdicts["fits"], 360)]
    for value, number in values:
        for place in range(number):
            database.push(value, dag=f"dag_{place}", task=f"gate_{value['verdict']}")
    answer = viewer.get("/schemas/gates")
    assert len(answer.content) <= 150_000
    pages = [names(viewer, f"?page={number}") for number in range(1, 400 // ROWS + 1)]
    assert [len(page) for page in pages] == [ROWS] * 4
    assert len({name for page in pages for name in page}) == 400
    assert all(name.endswith("break") for name in pages[0][:40])
    assert counters(viewer, "?page=3").startswith("all 400, broken 40")
