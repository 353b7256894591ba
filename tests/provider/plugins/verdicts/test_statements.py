"""Each statement about verdicts is one that the databases of Airflow understand."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from airflow_provider_schemas.plugins.verdicts import failed, models, past, read
from airflow_provider_schemas.plugins.verdicts.pushed import Pushed

MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
GATE = ("daily", "gate", -1)
PUSHED = [Pushed("daily", run, "gate", -1, MOMENT, {}) for run in ("run_1", "run_2")]
ASKED: dict[str, Callable[[], object]] = {
    "DAGs with verdicts": read.dag_ids_with_verdicts,
    "verdict on a task": lambda: read.task_verdict("daily", "run_1", "gate", 3),
    "last verdicts": lambda: read.last_pushed(["daily", "ltv"]),
    "state of a task": lambda: read.task_state("daily", "run_1", "gate", -1),
    "indexes of runs": lambda: read._indexes_of([("daily", "gate", "run_1")]),
    "past of gates": lambda: past.red_since([GATE]),
    "failed runs": lambda: failed.failed_without_verdict(PUSHED),
}


class Answers:
    """What a database says that has no rows."""

    def all(self) -> list[Any]:
        return []

    def first(self) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class Statements:
    """A session that keeps the statements, and runs none."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def execute(self, statement: Any) -> Answers:
        self.kept.append(statement)
        return Answers()

    def scalars(self, statement: Any) -> Answers:
        return self.execute(statement)

    def scalar(self, statement: Any) -> None:
        self.execute(statement)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    made = Statements()

    @contextmanager
    def reading() -> Iterator[Statements]:
        yield made

    monkeypatch.setattr(models, "reading", reading)
    return made


@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "sqlite"])
@pytest.mark.parametrize("asked", ASKED)
def test_a_statement_compiles_for_each_database(statements: Statements, asked: str, dialect: str) -> None:
    from sqlalchemy.dialects import registry

    made: Any = registry.load(dialect)()
    ASKED[asked]()
    assert statements.kept
    for statement in statements.kept:
        text = str(statement.compile(dialect=made))
        assert text.startswith("SELECT")
        if asked == "past of gates":
            assert {"postgresql": "->>", "mysql": "JSON_EXTRACT", "sqlite": "JSON_EXTRACT"}[dialect] in text
