"""The pages opened by themselves: on a phone, by the keyboard alone, signed out, and in the eyes of axe."""

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.process import TOP
from tests.ui.support.chromium import PHONE, signed_in
from tests.ui.support.pages import NAMES, addresses
from tests.ui.support.scene import Scene
from tests.ui.support.site import ANONYMOUS, page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SERIOUS = ("serious", "critical")
# What stands on what has the focus; nothing if nothing has it.
FOCUSED = """(() => {
    const focused = document.activeElement;
    if (focused === document.body) return '';
    return focused.textContent.trim() || focused.getAttribute('aria-label') || focused.name;
})()"""
OUTLINE = """(() => {
    const style = getComputedStyle(document.activeElement);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
})()"""
REACHABLE = ", ".join(f"{kind}:visible" for kind in ("a[href]", "button", "select", "input:not([type=hidden])", "summary"))


@pytest.fixture(scope="session")
def axe() -> str:
    """The program of axe, which a page is given to run."""
    home = TOP / "build/axe"
    subprocess.run([TOP / "tools/axe.sh", sys.prefix, home], check=True, capture_output=True)
    return (home / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def faults(window: "Page", axe: str) -> list[str]:
    """Return what axe finds that keeps somebody out."""
    window.evaluate(axe)
    found: dict[str, Any] = window.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {json.dumps(fault['nodes'][0]['html'])} {fault['nodes'][0]['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(scheme: str, stage: Scene, browser: "Browser", axe: str) -> None:
    # With the policy of our pages in force nobody could inject axe, which is what the policy is for.
    with signed_in(browser, stage.site, "admin", bypass_csp=True, color_scheme=scheme) as context:
        window = context.new_page()
        found = {}
        for name, address in (addresses(stage.runs) | {"nowhere": page("nowhere")}).items():
            window.goto(f"{stage.site.url}{address}")
            found[name] = faults(window, axe)
        assert {name: list_of for name, list_of in found.items() if list_of} == {}


def test_axe_would_find_something(stage: Scene, browser: "Browser", axe: str) -> None:
    with signed_in(browser, stage.site, "admin", bypass_csp=True) as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}{page('gates')}")
        window.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=x><button></button>')")
        assert len(faults(window, axe)) == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_shows_the_page_without_scrolling_sideways(name: str, stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, "viewer", viewport=PHONE) as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}{addresses(stage.runs)[name]}")
        assert window.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert window.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 13


@pytest.mark.parametrize("name", ["gates", "task", "diff"])
def test_every_link_and_button_is_reached_by_the_keyboard_and_shows_that_it_is(name: str, stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, "viewer") as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}{addresses(stage.runs)[name]}")
        wanted = window.locator(REACHABLE).count()
        seen = []
        for _ in range(wanted):
            window.keyboard.press("Tab")
            seen.append(window.evaluate(FOCUSED))
            assert window.evaluate(OUTLINE), f"nobody sees that {seen[-1]!r} has the focus"
        assert wanted > 2
        assert "" not in seen[:-1]


def test_the_keyboard_alone_leads_from_the_verdict_to_the_change(stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, "viewer") as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}{addresses(stage.runs)['task']}")
        for _ in range(30):
            window.keyboard.press("Tab")
            if "see the change" in window.evaluate(FOCUSED):
                break
        window.keyboard.press("Enter")
        window.wait_for_url("**/schemas/diff**")
        assert "customer_id" in window.locator("main").inner_text()


def test_whoever_is_signed_out_signs_in_and_comes_back_to_the_page(stage: Scene, browser: "Browser") -> None:
    with signed_in(browser, stage.site, ANONYMOUS) as context:
        window = context.new_page()
        window.goto(f"{stage.site.url}{page('table', conn='lake', t='shop.orders')}")
        window.get_by_role("link", name="Sign in").click()
        window.locator("input[name=username]").fill("viewer")
        window.locator("input[name=password]").fill("viewer")
        window.get_by_role("button", name="Sign in").click()
        window.wait_for_url("**/schemas/table**")
        assert "order_id" in window.locator("main").inner_text()
