"""Sessions of Spark, classic and of Spark Connect; each is started once a run.

Library code runs in this process, with both kinds side by side: `spark`, `classic_spark`, `connect_spark`. What must hold where nothing
of Airflow is installed is asked in a process beside: `ask`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.servers.process import HOST
from tests.support.companion import Companion

Ask = Callable[..., Any]
_HERE = Path(__file__).parent
_MODULE = "tests.spark.support.session_process"
# Spark Connect says so of the pandas it is given, whatever is done with it.
_OF_PANDAS = "ignore:PySpark does not yet fully support pandas:FutureWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Spark says of other libraries is no fault of a test."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(_OF_PANDAS))


@pytest.fixture(scope="session", autouse=True)
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What audits remember goes into a folder of the run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
        yield


# ---------------------------------------------------------------- sessions in this process: tests/servers/spark_sessions.py


@pytest.fixture(params=["classic", "connect"])
def spark(request: pytest.FixtureRequest) -> Any:
    """A session of either kind."""
    return request.getfixturevalue(f"{request.param}_spark")


# ---------------------------------------------------------------- sessions in processes beside


@pytest.fixture(scope="session")
def classic() -> Iterator[Companion]:
    """A session of its own process, as a driver has it, where Airflow is not installed."""
    companion = Companion(".venv-paimon", _MODULE, {"SPARK_LOCAL_IP": HOST, "SCHEMAS_CONNECT": ""})
    yield companion
    companion.end()


@pytest.fixture(scope="session")
def connect(connect_server: str) -> Iterator[Companion]:
    """A session of Spark Connect: the server is a process of its own, too."""
    companion = Companion(".venv", _MODULE, {"SCHEMAS_CONNECT": connect_server})
    yield companion
    companion.end()


@pytest.fixture(params=["classic", "connect"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Evaluates an expression in a session of either kind; what it knows stands in `session_process`. An error of ours is raised."""
    companion: Companion = request.getfixturevalue(request.param)

    def evaluate(expression: str, **values: Any) -> Any:
        answer = companion.ask("evaluate", expression=expression, **values)
        if isinstance(answer, SchemaError):
            raise answer
        return answer

    return evaluate


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


@pytest.fixture
def ours(lake: Path) -> SchemaStore:
    """The same warehouse without Spark, with a table of two versions."""
    store = SchemaStore(lake, actor="ana")
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING", run="evolve_shop/manual__1/widen")
    return store
