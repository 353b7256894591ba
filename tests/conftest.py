"""How hypothesis searches: the same examples on every run, or fresh ones by the thousand for `make fuzz`.

A test run is a verdict on a commit, so it must not depend on luck: what fails in CI fails on every desk, and what passes stays green.
Looking for new counterexamples is a job of its own; what it finds becomes an `@example` of the test.

The storages and the sessions of Spark that a test can ask for are made here known, too: tests/servers/fixtures.py and spark_sessions.py.

What a run does besides is in tests/plugins: it chooses the tests of a suite, counts what files cost and how often laws reach their claim,
and leaves no process behind when it is interrupted.

A CI system names the commit that it runs: a test whose commands would record that commit would write other versions there than on a desk.

Airflow makes a folder in the home of whoever imports it, unless it is told of another: no test touches that of the person who runs it.
"""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from airflow_provider_schemas.cli.git.ci_variables import COMMIT_VARIABLES
from tests.plugins import budgets, interruption, laws, selection
from tests.servers.fixtures import (  # noqa: F401  # pytest finds fixtures here by their names
    azure_bucket,
    azure_server,
    bucket,
    dishonest_gcs_bucket,
    dishonest_gcs_server,
    far,
    flawed,
    gcs_bucket,
    gcs_server,
    hasty,
    s3_bucket,
    s3_server,
)
from tests.servers.spark_sessions import classic_spark, connect_server, connect_spark  # noqa: F401  # likewise

_HOME = tempfile.TemporaryDirectory(prefix="airflow-home-")
for _variable in COMMIT_VARIABLES:
    os.environ.pop(_variable, None)
os.environ |= {"AIRFLOW_HOME": _HOME.name, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=30)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "5000")),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)

PLUGINS = (budgets, interruption, laws, selection)


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register our plugins, early enough for their options."""
    for plugin in PLUGINS:
        pluginmanager.register(plugin, plugin.__name__)


def pytest_configure(config: pytest.Config) -> None:
    """Choose how long hypothesis searches: the quick suite takes fewer examples."""
    usual = "quick" if selection.chosen(config) == "quick" else "steady"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))
