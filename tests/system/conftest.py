"""One Airflow for all tests of the system, with a warehouse in a folder and one on S3; what needs no test to begin is begun at once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.servers.bucket import Storage
from tests.servers.iceberg_rest import iceberg_rest
from tests.system.support import attacks, dags, lakes
from tests.system.support.rest import DagRun, RefusedError, Rest
from tests.system.support.standalone import PASSWORDS, standalone
from tests.system.support.story import Story, fill
from tests.system.support.waiting import until

CONNECTIONS = ("lake", "lake_s3")
ASK = "schema_evolution.ask"
POLICY = Path(__file__).parent / "airflow_local_settings.py"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("airflow")


@pytest.fixture(scope="session")
def warehouses(home: Path, s3_server: Storage) -> tuple[dict[str, SchemaStore], lakes.Connections]:
    """The warehouses as others see them, and as Airflow is told of them."""
    folder, bucket = home / "lake", s3_server.bucket()
    stores = lakes.stores(folder, bucket)
    for store in stores.values():
        lakes.fill(store)
    connections = lakes.connections(folder, bucket)
    lakes.fill_iceberg(home, connections[lakes.ICEBERG])
    return stores, connections


@pytest.fixture(scope="session")
def stores(warehouses: tuple[dict[str, SchemaStore], lakes.Connections]) -> dict[str, SchemaStore]:
    return warehouses[0]


@pytest.fixture(scope="session")
def connections(warehouses: tuple[dict[str, SchemaStore], lakes.Connections]) -> lakes.Connections:
    return warehouses[1]


@pytest.fixture(scope="session")
def story(home: Path) -> Iterator[Story]:
    """The Iceberg tables that a scheduled DAG changes, and their catalogs."""
    with iceberg_rest(home / "story" / "rest") as rest:
        told = Story(home / "story", rest)
        fill(told)
        yield told


@pytest.fixture(scope="session")
def airflow(home: Path, warehouses: tuple[dict[str, SchemaStore], lakes.Connections], story: Story) -> Iterator[Rest]:
    """A running Airflow that has read all DAGs."""
    (home / "config").mkdir()
    shutil.copy(POLICY, home / "config")
    dags.lay_out(home / "dags")
    connections = warehouses[1] | attacks.connections(home / "attacks") | story.connections
    with standalone(home, home / "dags", connections) as rest:
        wanted = dags.names()
        until(
            "all DAGs are read",
            lambda: wanted <= rest.dags() or rest.import_errors(),
            seconds=120,
            tell=lambda: f"missing: {wanted - rest.dags()}",
        )
        assert rest.import_errors() == []
        yield rest


@pytest.fixture(scope="session", autouse=True)
def people(airflow: Rest) -> dict[str, DagRun]:
    """Runs in which people are asked: ana approves, raj rejects, and to the third question nobody says anything. Asked
    before all else, since time must pass."""
    asked = {f"evolve_{conn}": airflow.start(f"evolve_{conn}") for conn in CONNECTIONS}
    ana, raj = (airflow.as_user(name, PASSWORDS[name]) for name in ("ana", "raj"))
    for run in asked.values():
        for index in range(3):
            run.waits("awaiting_input", ASK, index)
        with pytest.raises(RefusedError, match="not a respondent"):
            run.answer(ASK, run.question(ASK, 0)["options"][0], 0, by=airflow)
        run.answer(ASK, run.question(ASK, 0)["options"][0], 0, by=ana)
        run.answer(ASK, "Reject", 1, by=raj)
    return asked


@pytest.fixture(scope="session")
def runs(airflow: Rest, people: dict[str, DagRun]) -> dict[str, DagRun]:
    """Runs that have begun before their tests, so that these wait for less; by the id of the DAG."""
    for conn in CONNECTIONS:
        made = airflow.start(f"change_{conn}", {"table": "gated.broken", "changes": lakes.RENAME})
        assert set(made.ended().values()) == {"success"}
    names = [f"{name}_{conn}" for name in ("gate", "wait") for conn in CONNECTIONS] + ["skip", "fleet", "give_up"]
    return people | {name: airflow.start(name) for name in names}


@pytest.fixture(params=CONNECTIONS)
def conn(request: pytest.FixtureRequest) -> str:
    """Each test with it is run on local storage and on S3."""
    name: str = request.param
    return name
