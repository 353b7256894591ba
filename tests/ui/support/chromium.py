"""Chromium without a screen, and somebody who is signed in to Airflow by the cookie that its own sign-in sets."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.ui.support.site import ANONYMOUS, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

_NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# What a page on a busy machine may take before a test gives up; no test judges speed by it.
PATIENCE = 30_000
# While Airflow goes from one page to another, the frame of the former one is still there for a moment.
_FRAMES = 20


def executable() -> str | None:
    """Return the path of the browser: CHROMIUM, or one that is on the PATH; None if there is neither."""
    found = (shutil.which(name) for name in (os.environ.get("CHROMIUM", ""), *_NAMES) if name)
    return next(filter(None, found), None)


@contextlib.contextmanager
def chromium() -> "Iterator[Browser]":
    """Run one browser while the block runs."""
    from playwright.sync_api import sync_playwright

    # A browser of root has no sandbox; it sees nothing but pages of this machine.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable(), args=arguments)
        yield browser
        browser.close()


def signed_in(browser: "Browser", site: Site, user: str, **settings: Any) -> "BrowserContext":
    """Open a window of a user, or of nobody."""
    context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **settings})
    context.set_default_timeout(PATIENCE)
    if user != ANONYMOUS:
        cookie = {"name": "_token", "value": site.token(user), "url": f"{site.url}/"}
        context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict, whose optional keys are not here
    return context


def our_frame(window: "Page") -> "Frame":
    """Return the frame of our page inside Airflow's, once its document is there. Airflow may put another one in its place meanwhile."""
    from playwright.sync_api import Error

    error: Error | None = None
    for _ in range(_FRAMES):
        element = window.wait_for_selector("iframe", state="attached")
        frame = element.content_frame() if element else None
        try:
            if frame is not None:
                frame.wait_for_selector("main", state="attached")
                return frame
        except Error as gone:
            error = gone
        window.wait_for_timeout(100)
    raise AssertionError("the iframe has no document") from error
