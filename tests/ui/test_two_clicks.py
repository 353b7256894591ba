"""Somebody on call who has never seen the product: from a red task to what has changed, in two clicks."""

import re
import time
from typing import TYPE_CHECKING

import pytest

from tests.ui.support.chromium import our_frame, signed_in
from tests.ui.support.pages import NEW, OLD
from tests.ui.support.scene import Scene

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("user", ["viewer", "admin"])
def test_from_a_red_task_to_the_change_in_two_clicks(user: str, stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, user) as context:
        window = context.new_page()
        window.goto(stage.task("daily", "gate"))
        tab = window.get_by_role("link", name="Schema", exact=True).or_(window.get_by_role("tab", name="Schema", exact=True)).first
        tab.wait_for()

        began = time.perf_counter()
        tab.click()
        frame = our_frame(window)
        verdict = frame.locator("main").inner_text()
        first = time.perf_counter() - began
        for words in ("shop.orders", "customer_id", "team-orders", "#orders-oncall", "airflow-schemas waive", "INC-7"):
            assert words in verdict

        frame.get_by_role("link", name=re.compile(f"see the change v{OLD}.*v{NEW}")).click()
        frame.wait_for_url(re.compile("/schemas/diff"))
        change = frame.locator("main").inner_text()
        second = time.perf_counter() - began
        for words in ("cust_id", "customer_id", "coupon", "churn_model"):
            assert words in change
        print(f"\n{user}: the verdict after {first:.1f} s, the change after {second:.1f} s")


def test_from_the_start_page_to_the_verdict_of_the_red_task(stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, "viewer") as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}/")
        window.get_by_role("link", name="Schemas").first.click()
        frame = our_frame(window)
        rows = frame.locator("main tbody tr")
        assert "daily" in rows.first.inner_text() or "ltv" in rows.first.inner_text(), "what is broken stands on top"
        frame.get_by_role("link", name=re.compile("daily")).first.click()
        window.wait_for_url(re.compile("/dags/daily/"))
        assert "customer_id" in our_frame(window).locator("main").inner_text()
