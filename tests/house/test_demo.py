"""The demo and the story run to their ends, and show what they announce."""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_the_demo_runs_a_dag_again_and_ends_with_a_job_that_does_not_start() -> None:
    told = subprocess.run([sys.executable, "-m", "tools.demo"], cwd=TOP, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, ""), told.stdout + told.stderr
    for line in (
        "version 0 -> 1",
        "already applied as version 1",
        "1 of 1 registered reader: schemas_quickstart.gate",
        "EXPECT_FIELD_RENAMED  cust_id is now customer_id",
        "report  did not run",
        "sh build/demo/ui.sh",
    ):
        assert line in told.stdout


def test_the_story_shows_a_breaking_edit_with_its_victim_and_the_way_out() -> None:
    told = subprocess.run([sys.executable, "-m", "tools.story"], cwd=TOP, capture_output=True, text=True, check=False)
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
