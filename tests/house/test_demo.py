"""The demo tells its story to the end, and the story is the one that it announces."""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_the_demo_shows_a_breaking_edit_with_its_victim_and_the_way_out() -> None:
    told = subprocess.run([sys.executable, "-m", "tools.demo"], cwd=TOP, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    for line in (
        "shop.orders  v0 -> v1, 3 changes, needs approval (1 break)",
        "1 of 2 registered readers: daily_report (team-bi, #bi-oncall)",
        "not in the file, left alone: utm_source",
        "PlanError: shop.orders: the plan was made on version 0",
        "TableFileError: 6 faults:",
        "customer_id  BIGINT",
        "created · 0 · exclusive create by hard link, proven",
        "shop.orders v2 breaks daily_report (team-bi, #bi-oncall)",
        "created · 2 · until 2999-12-31: INC-4711, ana",
        "created · 3 · version 1 restored",
        "by ana (run nightly 2026-11-18)",
    ):
        assert line in told.stdout
