"""What the rules about contracts propose to a reader or writer: its contract once it has followed, for the first case of the rule."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Mended(NamedTuple):
    """A sentence, and what the reader or writer needs once it has done what the sentence says."""

    says: str
    contract: Mapping[str, Any]


def _reader(columns: Any, **more: Any) -> dict[str, Any]:
    return {"name": "daily_report", "columns": columns, **more}


OF_CONTRACTS: Mapping[str, Mended] = {
    "EXPECT_FIELD_MISSING": Mended("Take it out of the job", _reader("id BIGINT")),
    "EXPECT_FIELD_RENAMED": Mended("Use customer_id instead of cust_id", _reader([{"name": "customer_id", "id": 1, "type": "BIGINT"}])),
    "EXPECT_TYPE_UNSAFE": Mended("Let the reader use BIGINT.", _reader("quantity BIGINT")),
    "EXPECT_TYPE_MISMATCH": Mended("Let the reader use STRING.", _reader("day STRING")),
    "EXPECT_MAY_BE_NULL": Mended("Handle NULL in the job", _reader("amount DOUBLE")),
    "EXPECT_EXTRA_FIELD": Mended("Name the columns in the job.", _reader("id BIGINT NOT NULL", shape="open")),
    "EXPECT_ORDER": Mended("Go BY NAME in the job.", _reader(["gross", "net"], shape="open")),
    "EXPECT_KEY_CHANGED": Mended("Use the key of the table in the job.", _reader(["id"], primary_key=["id", "line"])),
    "EXPECT_PARTITION_MISSING": Mended("Take the partition keys of the table in the job.", _reader(["id"], partitioned_by=[])),
    "EXPECT_STALE_PIN": Mended("pin the contract again", _reader([{"name": "email", "id": 5}])),
}
