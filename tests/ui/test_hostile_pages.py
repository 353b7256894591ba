"""Texts that try to be markup, in a real browser: nothing runs, nothing is loaded, and the policy has nothing to refuse."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.cases.hostile_names import HOSTILE_NAMES
from tests.ui.support import crowd, hostile_lake, lakes
from tests.ui.support.chromium import our_frame, signed_in
from tests.ui.support.observer import Observer
from tests.ui.support.scene import Scene
from tests.ui.support.site import page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# What the texts of the corpus would make, if one of them were taken for markup.
PLANTED = (
    "main script, main img, main iframe, main svg:not(svg *), base, main meta, main link, "
    "[onmouseover], [onerror], [onload], a[href^='javascript' i], a[href^='data' i]"
)
# Addresses outside of this Airflow, as the browser itself reads them.
OUTSIDE = """Array.from(document.querySelectorAll('a[href], form'), element => element.href || element.action)
    .filter(address => new URL(address, location).origin !== location.origin)"""


class Watched:
    """A window, and what its browser notices."""

    def __init__(self, window: "Page", site_url: str) -> None:
        self.window = window
        self.observer = Observer(window, site_url)

    def visit(self, address: str) -> str:
        """Open an address, move over everything, and return what is shown; nothing may have been noticed."""
        self.window.goto(address)
        said = self.window.locator("main").inner_text()
        self.window.mouse.move(200, 200)
        assert self.observer.taken() == [], address
        self.holds_nothing_planted()
        return said

    def holds_nothing_planted(self) -> None:
        """Look for what the texts would make, and for addresses that lead away."""
        assert self.window.locator(PLANTED).count() == 0, self.window.url
        assert self.window.evaluate(OUTSIDE) == [], self.window.url


@pytest.fixture
def watched(second: Scene, browser: "Browser") -> Iterator[Watched]:
    with signed_in(browser, second.site, "admin") as context:
        yield Watched(context.new_page(), second.site.url)


def task_address(second: Scene, name: str) -> str:
    """Return the address of the verdict of a hostile text."""
    number = list(HOSTILE_NAMES).index(name) + 1
    query = {"dag_id": crowd.HOSTILE_DAG, "run_id": second.runs[f"hostile: {name}"], "task_id": f"gate_{number}"}
    return f"{second.site.url}{page('task', **query)}"


def test_a_verdict_of_hostile_texts_is_shown_as_text(watched: Watched, second: Scene) -> None:
    shown = {name: watched.visit(task_address(second, name)) for name in HOSTILE_NAMES}
    assert "<script>alert(1)</script>" in shown["script"]
    assert "<img src=x onerror=alert(1)>" in shown["image"]
    assert "{{7*7}}" in shown["template"]
    assert "\u202e" not in shown["right to left"]


def test_lists_of_hostile_verdicts_are_shown_as_text(watched: Watched, second: Scene) -> None:
    listed = watched.visit(f"{second.site.url}{page('gates', q=crowd.HOSTILE_DAG)}")
    assert crowd.HOSTILE_DAG in listed
    assert crowd.HOSTILE_DAG in watched.visit(f"{second.site.url}{page('dag', dag_id=crowd.HOSTILE_DAG)}")


@pytest.mark.parametrize("path", ["tables", "table", "diff", "columns", "readers", "references"])
def test_a_table_of_hostile_texts_is_shown_as_text(path: str, watched: Watched, second: Scene) -> None:
    query = {"conn": lakes.HOSTILE, "t": hostile_lake.TABLE}
    pair = {"a": 0, "b": 60, "all": 1} if path == "diff" else {}
    said = watched.visit(f"{second.site.url}{page(path, **query, **pair)}")
    assert hostile_lake.TABLE.rpartition(".")[2] in said
    if path in ("table", "diff", "columns"):
        assert "<script>alert(1)</script>" in said


@pytest.mark.parametrize("path", ["gates", "task", "dag", "tables", "table", "diff", "columns", "readers", "references", "nowhere"])
def test_a_hostile_address_is_shown_as_text_or_not_at_all(path: str, watched: Watched, second: Scene) -> None:
    # A page that is not there is no error of the page.
    watched.window.route("**/favicon.ico", lambda route: route.abort())
    names = ("q", "conn", "t", "a", "b", "column", "verdict", "page", "dag_id", "run_id", "task_id", "map_index", "branch")
    for name in ("script", "double quote", "template", "address of script", "right to left"):
        text = HOSTILE_NAMES[name]
        watched.window.goto(f"{second.site.url}{page(path, **dict.fromkeys(names, text))}")
        noticed = [line for line in watched.observer.taken() if "Failed to load resource" not in line]
        assert noticed == []
        watched.holds_nothing_planted()
        watched.window.goto(f"{second.site.url}{page(path, q=text, conn=lakes.LAKE, t=text, dag_id=text)}")
        watched.holds_nothing_planted()


def test_the_browser_would_notice_a_script_an_image_and_a_handler(watched: Watched, second: Scene) -> None:
    watched.window.goto(f"{second.site.url}{page('gates')}")
    watched.window.evaluate("""() => {
        const main = document.querySelector('main');
        main.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x.png" onerror="alert(1)">');
        const script = document.createElement('script');
        script.textContent = 'alert(1)';
        main.append(script);
    }""")
    watched.window.wait_for_timeout(300)
    noticed = "\n".join(watched.observer.taken())
    assert "img-src" in noticed
    assert "script-src" in noticed
    assert "dialog" not in noticed, "the policy of the page has refused the script"
    assert watched.window.locator(PLANTED).count() > 0


def test_inside_airflow_a_hostile_run_is_shown_as_text(second: Scene, browser: "Browser") -> None:
    with signed_in(browser, second.site, "admin") as context:
        window = context.new_page()
        observer = Observer(window, second.site.url)
        # Airflow mirrors the path of our document from the root of the host, prefix included.
        window.goto(f"{second.site.url}/plugin/schemas{second.site.prefix}/schemas/gates?q={crowd.HOSTILE_DAG}")
        frame = our_frame(window)
        assert crowd.HOSTILE_DAG in frame.locator("main").inner_text()
        assert frame.locator(PLANTED).count() == 0
        assert [line for line in observer.taken() if line.startswith(("dialog", "popup", "request"))] == []
