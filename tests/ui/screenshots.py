"""Make the pictures of the documentation: each page by itself, and the tabs in Airflow, light and dark.

usage: python -m tests.ui.screenshots [FOLDER]
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers.process import TOP
from tests.ui.support import lakes
from tests.ui.support.chromium import chromium, our_frame, signed_in
from tests.ui.support.pages import addresses
from tests.ui.support.palette import with_palette
from tests.ui.support.scene import Scene
from tests.ui.support.staging import staged

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = TOP / "docs/how-to/pictures"
SCHEMES = ("light", "dark")
_SIZE = {"width": 1000, "height": 700}
_IN_AIRFLOW = {"width": 1280, "height": 800}
_TALLEST = 900
_SETTLE = 1_500
# Nobody reads of the other warehouses of the tests.
_SHOWN = {"AIRFLOW__SCHEMAS__UI_CONNECTIONS": lakes.LAKE}


def take_all(stage: Scene, browser: "Browser", folder: Path) -> None:
    """Take every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    blank = browser.new_page()
    for scheme in SCHEMES:
        for name, png in [*_by_themselves(stage, browser, scheme), *_in_airflow(stage, browser, scheme)]:
            file = folder / f"{name}-{scheme}.png"
            file.write_bytes(with_palette(blank, png))
            print(f"{file} {file.stat().st_size / 1000:.0f} kB")


def _by_themselves(stage: Scene, browser: "Browser", scheme: str) -> list[tuple[str, bytes]]:
    with signed_in(browser, stage.site, "viewer", viewport=_SIZE, color_scheme=scheme) as context:
        window = context.new_page()
        return [(name, _picture(window, f"{stage.site.url}{address}")) for name, address in addresses(stage.runs).items()]


def _picture(window: "Page", address: str) -> bytes:
    window.goto(address, wait_until="networkidle")
    height = min(int(window.evaluate("Math.ceil(document.querySelector('main').getBoundingClientRect().bottom) + 24")), _TALLEST)
    return window.screenshot(clip={"x": 0, "y": 0, "width": _SIZE["width"], "height": height}, full_page=True)


def _in_airflow(stage: Scene, browser: "Browser", scheme: str) -> list[tuple[str, bytes]]:
    views = {
        "airflow-gates": f"{stage.site.url}/plugin/schemas",
        "airflow-task": f"{stage.task('daily', 'gate')}/plugin/schemas_task",
    }
    with signed_in(browser, stage.site, "viewer", viewport=_IN_AIRFLOW, color_scheme=scheme) as context:
        context.add_init_script(f"localStorage.setItem('theme', '{scheme}')")
        window = context.new_page()
        return [(name, _in_frame(window, address)) for name, address in views.items()]


def _in_frame(window: "Page", address: str) -> bytes:
    window.goto(address)
    our_frame(window)
    window.wait_for_timeout(_SETTLE)
    return window.screenshot()


def main(folder: Path) -> None:
    """Start an Airflow, take the pictures, and end it."""
    home = Path(tempfile.mkdtemp())
    try:
        with staged(home, **_SHOWN) as stage, chromium() as browser:
            take_all(stage, browser, folder)
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
