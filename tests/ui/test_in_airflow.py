"""The pages inside Airflow's own: tabs, the theme, addresses that come back, links that load nothing anew, and a prefix."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.ui.support.chromium import our_frame, signed_in
from tests.ui.support.scene import Scene
from tests.ui.support.site import page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

TASK_TAB = "plugin/schemas_task"
NAV = "/plugin/schemas"
# Airflow mirrors the whole path of our document behind that of its own page.
DEEP = f"{NAV}/schemas"
# A mark on the window that a reload takes away.
LEAVE_MARK = "window.mark = 'still the same document'"
READ_MARK = "window.mark"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def window(stage: Scene, browser: "Browser") -> "Iterator[Page]":
    """A window of a viewer."""
    with signed_in(browser, stage.site, "viewer") as context:
        yield context.new_page()


def verdict_of(window: "Page", address: str) -> str:
    """Return what our tab on a task says."""
    window.goto(f"{address}/{TASK_TAB}")
    return our_frame(window).locator("main").inner_text()


def brightness(frame: "Frame") -> float:
    """Return how bright the background of our document is, from 0 to 1."""
    color = frame.evaluate("""() => {
        const context = document.createElement('canvas').getContext('2d');
        context.fillStyle = getComputedStyle(document.body).backgroundColor;
        context.fillRect(0, 0, 1, 1);
        return Array.from(context.getImageData(0, 0, 1, 1).data);
    }""")
    return float(sum(color[:3])) / 3 / 255


def test_a_mapped_task_shows_the_verdict_of_its_own_index(window: "Page", stage: Scene) -> None:
    fits, breaks = (verdict_of(window, stage.task("ltv", "load", index)) for index in (0, 1))
    assert "shop.users" in fits
    assert "shop.orders" not in fits
    assert "customer_id" in breaks


def test_a_guard_and_a_gate_that_fits_show_their_verdicts(window: "Page", stage: Scene) -> None:
    assert "shop.items" in verdict_of(window, stage.task("weekly", "report"))
    assert "shop.users" in verdict_of(window, stage.task("green", "gate"))


def test_a_waiver_is_told_with_its_reason(window: "Page", stage: Scene) -> None:
    assert "INC-9" in verdict_of(window, stage.task("waived", "gate"))


def test_a_task_that_has_no_verdict_says_so_in_a_sentence(window: "Page", stage: Scene) -> None:
    said = verdict_of(window, stage.task("green", "job"))
    assert "verdict" in said.lower()
    assert len(said) < 600


def test_a_dag_shows_the_tables_that_it_reads_and_writes(window: "Page", stage: Scene) -> None:
    said = {}
    for dag in ("daily", "evolve_shop"):
        window.goto(f"{stage.site.url}/dags/{dag}/plugin/schemas_dag")
        said[dag] = our_frame(window).locator("main").inner_text()
    for table in ("shop.orders", "shop.users", "shop.items"):
        assert table in said["daily"]
    assert "shop.orders" in said["evolve_shop"]


def test_our_document_follows_the_theme_while_it_is_open(window: "Page", stage: Scene) -> None:
    window.goto(f"{stage.site.url}{NAV}")
    frame = our_frame(window)
    for theme, dark in (("dark", True), ("light", False), ("dark", True)):
        window.evaluate(f"document.documentElement.classList.toggle('dark', {str(dark).lower()})")
        window.wait_for_timeout(200)
        assert (brightness(frame) < 0.4) is dark, theme


def test_a_pasted_address_a_reload_and_back_come_to_the_same_page(window: "Page", stage: Scene) -> None:
    deep = f"{stage.site.url}{DEEP}/diff?conn=lake&t=shop.orders&a=6&b=7"
    window.goto(deep)
    assert "customer_id" in our_frame(window).locator("main").inner_text()
    window.reload()
    frame = our_frame(window)
    assert "customer_id" in frame.locator("main").inner_text()
    frame.get_by_role("link", name="Gates", exact=True).click()
    frame.wait_for_url(re.compile("/schemas/gates"))
    window.wait_for_url(re.compile(f"{DEEP}/gates"))
    window.go_back()
    window.wait_for_url(re.compile(f"{DEEP}/diff"))
    window.wait_for_timeout(500)
    assert "customer_id" in our_frame(window).locator("main").inner_text()


def test_a_link_into_airflow_loads_nothing_anew_and_back_returns(window: "Page", stage: Scene) -> None:
    window.goto(f"{stage.site.url}{NAV}")
    frame = our_frame(window)
    window.evaluate(LEAVE_MARK)
    frame.locator("a[data-airflow]", has_text="daily").first.click()
    window.wait_for_url(re.compile("/dags/daily/"))
    our_frame(window)
    assert window.evaluate(READ_MARK) == "still the same document"
    window.go_back()
    window.wait_for_url(re.compile(NAV))
    assert "daily" in our_frame(window).locator("main").inner_text()


def test_a_command_is_copied_by_its_button(stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, "viewer", permissions=["clipboard-read", "clipboard-write"]) as context:
        window = context.new_page()
        window.goto(f"{stage.task('daily', 'gate')}/{TASK_TAB}")
        button = our_frame(window).locator("button.copy").first
        wanted = button.get_attribute("data-copy")
        button.click()
        window.wait_for_timeout(200)
        assert wanted is not None
        assert wanted.startswith("airflow-schemas ")
        assert window.evaluate("navigator.clipboard.readText()") == wanted
        assert "Copied" in button.inner_text()


def test_all_links_hold_below_a_prefix(second: Scene, browser: "Browser") -> None:
    with signed_in(browser, second.site, "viewer") as context:
        window = context.new_page()
        window.goto(f"{second.task('daily', 'gate')}/{TASK_TAB}")
        frame = our_frame(window)
        frame.get_by_role("link", name=re.compile("see the change")).first.click()
        frame.wait_for_url(re.compile("/af/schemas/diff"))
        frame.get_by_role("link", name="Gates", exact=True).click()
        frame.wait_for_url(re.compile("/af/schemas/gates"))
        frame.goto(f"{second.site.url}{page('gates', q='daily')}")
        frame.locator("a[data-airflow]", has_text="daily").first.click()
        window.wait_for_url(re.compile("/af/dags/daily/"))
        assert "customer_id" in our_frame(window).locator("main").inner_text()
