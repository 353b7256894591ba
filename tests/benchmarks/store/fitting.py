"""Do five tables fit a job? What a gate asks before each run."""

from pathlib import Path

from airflow_provider_schemas.store import judge
from tests.benchmarks.contest import OURS
from tests.benchmarks.inputs import SHAPES, Input
from tests.benchmarks.store import bare, scenes
from tests.benchmarks.store.subject import ALL, Prepared, Subject, opened

_NEEDED = 10


def _contracts(columns: int) -> dict[str, str]:
    """Of each table, the first columns as they are."""
    fields = Input(SHAPES[0], columns).schema.fields[:_NEEDED]
    return dict.fromkeys((f"db.t{number}" for number in range(5)), ", ".join(f"{one.name} {one.type}" for one in fields))


def _judged(folder: Path, columns: int) -> Prepared:
    needs = _contracts(columns)
    return Prepared(lambda: judge(opened(folder), needs))


def _judged_again(folder: Path, columns: int) -> Prepared:
    needs, store = _contracts(columns), opened(folder)
    judge(store, needs)
    return Prepared(lambda: judge(store, needs))


def _bare_five(folder: Path, _: int) -> Prepared:
    at = [str(folder / f"db.db/t{number}/schema") for number in range(5)]
    return Prepared(lambda: [bare.read(bare.newest(one)) for one in at])


SUBJECT = Subject(
    "Do five tables fit a job",
    "columns each",
    (100, 1_000),
    scenes.five,
    {
        "judge, first": {OURS: _judged, ALL: _bare_five},
        "judge, again": {OURS: _judged_again, ALL: _bare_five},
    },
)
