"""Where names lead: relative addresses, names of ours in the query, nothing that leaves Airflow."""

from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import URL

from airflow_provider_schemas.plugins.application.page_links import PageLinks, sign_in_address
from airflow_provider_schemas.render.html.links import Links
from tests.cases.hostile_names import HOSTILE_NAMES

NAMES = st.one_of(st.text(min_size=1, max_size=20), st.sampled_from([*HOSTILE_NAMES.values()]))
HERE = "https://airflow.example/af/schemas/gates"


def parts(address: str) -> tuple[str, str]:
    """The host and the path that a browser makes of an address on a page."""
    there = urlsplit(urljoin(HERE, address))
    return f"{there.scheme}://{there.netloc}", there.path


@given(NAMES, NAMES, NAMES, st.integers(-1, 5))
def test_no_name_leads_out_of_this_airflow(first: str, second: str, third: str, index: int) -> None:
    links = PageLinks("lake")
    task = (first, second, third, index)
    task = (first, second, third, index)
    ours = [links.table(first, second), links.diff(first, 1, 2, second), links.column(first, second), links.task(*task)]
    theirs = [links.dag(first), links.run(first, second), links.run(*task), links.tab(*task)]
    assert {parts(address)[0] for address in [*ours, *theirs]} == {"https://airflow.example"}
    assert {parts(address)[1] for address in ours} == {f"/af/schemas/{name}" for name in ("table", "diff", "readers", "task")}
    assert all(parts(address)[1].startswith("/af/dags/") for address in theirs if address)


@given(NAMES.filter(lambda name: name.isprintable()))
def test_a_name_arrives_as_it_is(name: str) -> None:
    query = parse_qs(urlsplit(PageLinks().table(name, "lake")).query, keep_blank_values=True)
    assert query == {"conn": ["lake"], "t": [name]}


def test_the_tab_of_a_mapped_task_is_that_of_its_index() -> None:
    links = PageLinks()
    assert links.tab("daily", "run_1", "load", 2) == "../dags/daily/runs/run_1/tasks/load/mapped/2/plugin/schemas_task"
    assert links.tab("daily", "run_1", "load") == "../dags/daily/runs/run_1/tasks/load/plugin/schemas_task"


@pytest.mark.parametrize("name", [".", ".."])
def test_a_name_that_is_a_step_of_a_path_has_no_address(name: str) -> None:
    assert PageLinks().dag(name) == ""
    assert PageLinks().run("daily", name) == ""
    assert PageLinks().tab("daily", "run_1", name) == ""


def test_a_table_without_a_connection_has_no_address() -> None:
    assert PageLinks().table("shop.orders") == ""
    assert PageLinks("lake").table("shop.orders") == "table?conn=lake&t=shop.orders"


def test_every_address_of_a_piece_of_html_is_known_here() -> None:
    asked = {name for name, value in vars(Links).items() if callable(value)}
    assert asked - vars(PageLinks).keys() == {"rule"}


def test_whoever_signs_in_comes_back() -> None:
    address = sign_in_address(URL("https://airflow.example/af/schemas/table?conn=lake&t=a.b"))
    assert parts(address) == ("https://airflow.example", "/af/api/v2/auth/login")
    assert parse_qs(urlsplit(address).query)["next"] == ["/af/schemas/table?conn=lake&t=a.b"]
