"""The verdict of a gate as releases before the log was printed from it left it in XCom."""

from typing import Any

EARLIER: dict[str, Any] = {
    "store": "s3://acme-lake/paimon",
    "registry": "0c1f",
    "conn_id": "lake",
    "consumer": "daily.gate",
    "verdict": "break",
    "fits": False,
    "outcome": "fail",
    "lists": 3,
    "gets": 1,
    "puts": 0,
    "millis": 61,
    "run": "scheduled__2026-11-18T06:00:00+00:00",
    "map_index": -1,
    "at": "2026-11-18T06:00:03.120+00:00",
    "bundle": "",
    "after": "",
    "notes": ["a note"],
    "tables": {
        "shop.orders": {
            "conn_id": "lake",
            "version": 42,
            "digest": "9f3c",
            "branch": "main",
            "place": "s3://acme-lake/x",
            "layout": "paimon",
            "changed": {"by": "ana", "run": "", "approval": "", "at": "2026-11-18 01:12 UTC"},
            "verdict": "break",
            "fits": False,
            "judged_by": "schema files",
            "at": "2026-11-18T06:00:03Z",
            "findings": [
                {"rule": "FIELD_RENAMED", "verdict": "break", "path": "a", "message": "a is now b.", "fix": "Use b.", "waived": ""}
            ],
            "more": 3,
            "notes": ["version 41 did fit"],
            "seen": {"version": 42, "digest": "9f3c"},
            "before": {"version": 41, "digest": "16ae"},
        }
    },
    "spark": "{}",
}
