"""`create` with a location: the columns are compared with the data, unless a reason says why not."""

import json
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # the file of this test is made by it
import pyarrow.parquet as pq  # noqa: TID253  # likewise

from tests.support.command_line import fine, typed


def test_columns_that_the_data_contradict_are_refused_and_a_reason_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"order_id": [1], "cust_id": ["x"]}), tmp_path / "data/part-0.parquet")
    made = ["create", "shop.o", "order_id BIGINT, cust_id BIGINT, foo BIGINT", "--location", str(tmp_path / "data")]
    store = ["--store", str(tmp_path / "lake")]
    done = typed(*made, *store)
    assert done.code != 0
    for word in ("cust_id is described as BIGINT", "has STRING", "foo", "--unchecked"):
        assert word in done.err + done.out
    fine(*made, "--unchecked", "INC-7", *store)
    assert "unchecked: INC-7" in fine("log", "shop.o", *store)
    said = json.loads(typed("check", "shop.o", "--contract", "cust_id BIGINT", "--format", "json", *store).out)
    text = json.dumps(said)
    assert '"judged_by": "footer (1 of 1)"' in text
    assert "EXPECT_TYPE_MISMATCH" in text
