"""What is proposed where files in git are gone, or name another table, is followed by command and by file."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import commands, fine, typed
from tests.support.git_repositories import (
    DAILY,
    ORDERS,
    GitRepository,
    about,
    repo,  # noqa: F401  # pytest finds fixtures here by their names
)

FILE = "schemas/orders.yaml"
JOB = "schemas/daily.yaml"


@pytest.fixture
def lake(repo: GitRepository, tmp_path: Path) -> str:  # noqa: F811  # the fixture
    """A repository and a store that have shop.orders, which daily reads."""
    place = str(tmp_path / "lake")
    repo.branch("main")
    repo.commit({"schemas/shop/orders.yaml": None, FILE: ORDERS, JOB: DAILY})
    fine("create", FILE, "--store", place)
    fine("contract", "register", JOB, "--store", place)
    repo.branch("change")
    return place


def found(lake: str) -> list[dict[str, Any]]:
    """The findings of the line."""
    done = typed("check", "schemas", "--git=main", "--store", lake, "--format=json")
    return [finding for report in done.json["reports"] for finding in report["findings"]]


def told(lake: str) -> list[str]:
    return [finding["rule"] for finding in found(lake)]


def test_a_deleted_table_file_comes_back_or_its_readers_go(repo: GitRepository, lake: str) -> None:  # noqa: F811
    repo.commit({FILE: None})
    (finding,) = found(lake)
    assert (finding["rule"], finding["verdict"]) == ("TABLE_FILE_DELETED", "break")
    repo.commit({FILE: ORDERS})
    assert told(lake) == []
    repo.commit({FILE: None, JOB: None})
    (command,) = commands(finding["fix"]["text"])
    assert typed(*command, "--store", lake).code == 0
    verdicts = {finding["rule"]: finding["verdict"] for finding in found(lake)}
    assert verdicts == {"TABLE_FILE_DELETED": "warn", "CONTRACT_FILE_DELETED": "warn"}


def test_a_file_that_names_another_table_gets_its_name_back_or_a_file_beside_it(repo: GitRepository, lake: str) -> None:  # noqa: F811
    repo.commit({FILE: about("shop.sales")})
    assert told(lake) == ["TABLE_NAME_CHANGED"]
    repo.commit({FILE: ORDERS})
    assert told(lake) == []
    repo.commit({"schemas/sales.yaml": about("shop.sales")})
    assert told(lake) == []


def test_a_deleted_contract_is_taken_away_or_comes_back(repo: GitRepository, lake: str) -> None:  # noqa: F811
    repo.commit({JOB: None})
    (finding,) = found(lake)
    assert finding["rule"] == "CONTRACT_FILE_DELETED"
    (command,) = commands(finding["fix"]["text"])
    assert typed(*command, "--store", lake).code == 0
    (finding,) = found(lake)
    assert "has registered nothing about shop.orders" in finding["message"]
    repo.commit({JOB: DAILY})
    assert told(lake) == []
