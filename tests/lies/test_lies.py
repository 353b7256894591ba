"""What the page says of plain Spark and of `read_table` is what comes out when it is run again."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.lies.cases import SHAPES, TYPES, Case
from tests.lies.page import PAGE, page, right
from tests.lies.probes import PROBES
from tests.lies.record import Record, key, read

_RUN = """
import sys, tempfile
from pathlib import Path
from tests.lies import record
with tempfile.TemporaryDirectory() as folder:
    record.write(record.gathered(Path(folder)), Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def recorded() -> Record:
    return read()


def test_a_run_comes_out_as_it_is_written_down(recorded: Record, tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    done = subprocess.run([".venv-paimon/bin/python", "-c", _RUN, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(file.read_text("utf-8")) == recorded._asdict()


def test_the_page_is_made_of_what_is_written_down(recorded: Record) -> None:
    assert PAGE.read_text("utf-8") == page(recorded)


@pytest.mark.parametrize("case", [*TYPES, *SHAPES], ids=key)
def test_checked_reading_tells_the_truth_or_stops(case: Case, recorded: Record) -> None:
    assert right(recorded.answers[key(case)]["checked"], case)


def test_plain_spark_is_asked_what_it_gets_wrong(recorded: Record) -> None:
    wrong = [case.title for case in (*TYPES, *SHAPES) if not right(recorded.answers[key(case)]["vectorized"], case)]
    assert len(wrong) > len(SHAPES)
    assert all(recorded.answers[probe.title]["checked"] for probe in PROBES)
