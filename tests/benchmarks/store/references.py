"""Who needs which version: a table whose snapshots and manifests name as many versions as there are."""

from functools import partial
from pathlib import Path

from airflow_provider_schemas.store import Table
from airflow_provider_schemas.store.paimon import manifest_cache
from tests.benchmarks.contest import OURS
from tests.benchmarks.store import bare, scenes
from tests.benchmarks.store.scenes import TABLE
from tests.benchmarks.store.subject import ALL, Prepared, Subject, again, table

_ROOMS = ("schema", "snapshot", "manifest")


def _bare_references(folder: Path, _: int) -> Prepared:
    return Prepared(lambda: [bare.everything(str(folder / TABLE / room)) for room in _ROOMS])


def _forget(folder: Path) -> None:
    manifest_cache.forget()
    for path in (folder / "_schemas").rglob("main.json"):
        path.unlink()


def _references(folder: Path, _: int) -> Prepared:
    return Prepared(lambda: table(folder).references(), partial(_forget, folder))


def _of_fastavro(folder: Path, _: int) -> Prepared:
    import fastavro

    at = folder / TABLE / "manifest"

    def call() -> None:
        for name in bare.names(str(at)):
            with (at / name).open("rb") as file:
                list(fastavro.reader(file))

    return Prepared(call)


SUBJECT = Subject(
    "Who needs which version",
    "versions and manifests",
    (100, 1_000),
    scenes.used,
    {
        "references, first": {OURS: _references, ALL: _bare_references, "fastavro, its manifests alone": _of_fastavro},
        "references, again": {OURS: again(Table.references), ALL: _bare_references},
    },
)
