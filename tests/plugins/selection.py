"""Choose which tests run: `--suite quick` (the default), `rest` (all that quick leaves out) or `whole` (both).

A test gets its markers from the table of folders, from the servers and sessions it asks for, and from pypaimon where it reads
pypaimon's tables. The quick suite leaves out what carries a marker of `BEYOND_QUICK`, unless the test is named by its id or a marker
is named with `-m`. The rest also repeats the property tests, with more examples.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from tests.plugins.folders import MARKERS, SMOKE, STORIES
from tests.plugins.reach import reaches_pypaimon

BEYOND_QUICK = frozenset({"azure", "gcs", "pypaimon", "slow"})
DESCRIPTIONS = {
    "airflow": "needs an Airflow",
    "azure": "needs azurite, which its fixture installs with npm",
    "gcs": "needs gcsfs and a server of Google Cloud Storage",
    "law": "is a property test, whose examples hypothesis makes",
    "pypaimon": "needs the environment .venv-paimon (make paimon)",
    "slow": "is left to make test-all",
    "smoke": "shows in seconds that the Spark part works",
    "spark": "needs a Spark, and so Java",
}
# A fixture of a server or a session, and the markers of every test that asks for it.
FIXTURES = {
    "azure_server": "azure",
    "gcs_server": "gcs",
    "dishonest_gcs_server": "gcs",
    "classic_spark": "slow spark",
    "connect_server": "slow spark",
    "pypaimon": "pypaimon",
    "airflow_database": "airflow slow",
}
# A test with such a parameter asks for a server, or for a library that the quick suite does not install.
PARAMETERS = {"azure": "azure", "az": "azure", "abfs": "azure", "abfss": "azure", "gcs": "gcs", "gs": "gcs"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the choice of the suite."""
    parser.addoption("--suite", choices=("quick", "rest", "whole"), default="quick", help="which tests to run (default: quick)")


def pytest_configure(config: pytest.Config) -> None:
    """Describe the markers."""
    for name, description in DESCRIPTIONS.items():
        config.addinivalue_line("markers", f"{name}: {description}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test, and keep those of the chosen suite."""
    for item in items:
        for name in markers(item):
            item.add_marker(name)
    wanted = named_with_m(config.option.markexpr)
    ids = named_by_id(config)
    kept = [item for item in items if item.nodeid.startswith(ids) or belongs(item, config.option.suite, wanted)]
    if len(kept) < len(items):
        config.stash[LEFT_OUT] = len(items) - len(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


LEFT_OUT = pytest.StashKey[int]()


def pytest_report_collectionfinish(config: pytest.Config) -> str | None:
    """Say how many tests the suite leaves out, and how to run them."""
    left_out = config.stash.get(LEFT_OUT, 0)
    if not left_out:
        return None
    return f"suite {chosen(config)}: {left_out} tests are left out; --suite whole runs every test"


def chosen(config: pytest.Config) -> str:
    """Return the suite that decides how many examples laws take; a test that is named by its id takes as many as in the whole."""
    suite: str = "whole" if named_by_id(config) else config.option.suite
    return suite


def named_by_id(config: pytest.Config) -> tuple[str, ...]:
    """Return the beginnings of the ids that the command line names."""
    found = []
    for argument in config.args:
        path, marks, rest = argument.partition("::")
        if marks:
            absolute = (config.invocation_params.dir / path).resolve()
            found.append(f"{absolute.relative_to(config.rootpath).as_posix()}::{rest}")
    return tuple(found)


def named_with_m(expression: str) -> frozenset[str]:
    """Return the markers that an expression asks for, without those that it excludes."""
    words = re.findall(r"\w+", expression)
    excluded = {word for before, word in pairwise(words) if before == "not"}
    return frozenset(words) & {*DESCRIPTIONS, "system"} - excluded


def belongs(item: pytest.Item, suite: str, wanted: frozenset[str] = frozenset()) -> bool:
    """Tell whether a test is in a suite. What carries a marker that is asked for is in the quick suite as well."""
    names = {marker.name for marker in item.iter_markers()}
    beyond = bool(names & BEYOND_QUICK)
    if suite == "quick":
        return not beyond or bool(names & wanted)
    return suite == "whole" or beyond or "law" in names


def markers(item: pytest.Item) -> set[str]:
    """Return the markers of a test."""
    path = item.path.relative_to(item.config.rootpath).as_posix()
    found = by_folder(path) | by_fixtures(item)
    if is_law(item):
        found.add("law")
    if reaches_pypaimon(item):
        found.add("pypaimon")
    if f"{path}::{item.name}" in SMOKE:
        return (found | {"smoke"}) - {"slow"}
    return found - {"slow"} if path in STORIES else found


def by_folder(path: str) -> set[str]:
    """Return the markers that the table gives to a file."""
    names = (names for folder, names in MARKERS.items() if path.startswith(folder))
    return set(" ".join(names).split())


def by_fixtures(item: pytest.Item) -> set[str]:
    """Return the markers of the servers and sessions that a test asks for."""
    fixtures: Iterable[str] = getattr(item, "fixturenames", ())
    found = " ".join(FIXTURES.get(name, "") for name in fixtures)
    callspec = getattr(item, "callspec", None)
    parameters: dict[str, Any] = callspec.params if callspec else {}
    words = [value for value in parameters.values() if isinstance(value, str)]
    return set(found.split()) | {PARAMETERS[word] for word in words if word in PARAMETERS}


def is_law(item: pytest.Item) -> bool:
    """Tell whether hypothesis makes the examples of a test."""
    return hasattr(getattr(item, "obj", None), "hypothesis")
