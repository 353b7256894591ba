"""How hypothesis searches: the same examples on every run, or fresh ones by the thousand for `make fuzz`.

A test run is a verdict on a commit, so it must not depend on luck: what fails in CI fails on every desk, and what passes stays green.
Looking for new counterexamples is a job of its own; what it finds becomes an `@example` of the test.

The storages and the sessions of Spark that a test can ask for are made here known, too: tests/servers/fixtures.py and spark_sessions.py.

Airflow makes a folder in the home of whoever imports it, unless it is told of another: no test touches that of the person who runs it.
"""

import os
import tempfile

from hypothesis import HealthCheck, settings

from tests.servers.fixtures import (  # noqa: F401  # pytest finds fixtures here by their names
    azure_bucket,
    azure_server,
    bucket,
    dishonest_gcs_bucket,
    dishonest_gcs_server,
    flawed,
    gcs_bucket,
    gcs_server,
    hasty,
    s3_bucket,
    s3_server,
)
from tests.servers.spark_sessions import classic_spark, connect_server, connect_spark  # noqa: F401  # likewise

pytest_plugins = ["tests.plugins.laws"]

_HOME = tempfile.TemporaryDirectory(prefix="airflow-home-")
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
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
