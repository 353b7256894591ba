"""Stored versions follow each other, are what was recorded, and never go back; where not, a report says so."""

from typing import Any

import pytest

from airflow_provider_schemas.core import Provenance, Report, TableSchema, Version, evolve
from airflow_provider_schemas.core.compatibility.version_chain import rewound, successor, unmutated
from airflow_provider_schemas.core.report import Verdict

TABLE = TableSchema.create("id BIGINT NOT NULL, cust_id BIGINT")


def stored(number: int, schema: TableSchema = TABLE, branch: str = "main") -> Version:
    return Version.read(schema.to_json().encode(), number, branch)


def following(head: Version, number: int = 42, branch: str = "main", **past: Any) -> Version:
    after = evolve(head.schema, ["RENAME COLUMN cust_id TO customer_id"])
    return stored(number, Provenance(**past).on(after) if past else after, branch)


HEAD = stored(41)


def message(report: Report) -> str:
    (finding,) = report.findings
    return finding.message


@pytest.mark.parametrize(
    "past",
    [{}, {"actor": "ana"}, {"parent_id": 41}, {"parent_sha256": HEAD.digest}, {"parent_id": 41, "parent_sha256": HEAD.digest}],
    ids=str,
)
def test_the_next_number_made_of_the_head_is_its_successor(past: dict[str, Any]) -> None:
    report = successor(HEAD, following(HEAD, **past))
    assert report.fits
    assert not report.findings
    assert (report.old, report.new) == (41, 42)


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (following(HEAD, 41), "the next number is 42"),
        (following(HEAD, 43), "the next number is 42"),
        (following(HEAD, 7), "the next number is 42"),
        (following(HEAD, branch="rt"), "it is of branch rt, and the head of main"),
        (following(HEAD, parent_id=40), "it was made of version 40"),
        (
            following(HEAD, parent_id=41, parent_sha256="9f3c" * 16),
            f"it was made of a file 9f3c9f3c9f3c, and the head is {HEAD.digest[:12]}",
        ),
    ],
)
def test_anything_else_is_not_and_the_report_says_why(version: Version, reason: str) -> None:
    report = successor(HEAD, version)
    assert reason in message(report)
    assert report.verdict is Verdict.INVALID
    assert report.faults()[0].code == "rule.version-not-successor"


def test_all_reasons_are_told_at_once() -> None:
    said = message(successor(HEAD, following(HEAD, 44, "rt", parent_id=40, parent_sha256="00")))
    assert said == (
        "version 44 does not follow version 41: it is of branch rt, and the head of main, and the next number is 42, and it was made of "
        f"version 40, and it was made of a file 00, and the head is {HEAD.digest[:12]}."
    )


def test_an_origin_that_cannot_be_read_proves_nothing() -> None:
    schema = TableSchema.from_json(TABLE.to_json().rstrip().removesuffix("}") + ', "schemas": {"parent_id": "41"}}')
    assert "cannot be read" in message(successor(HEAD, stored(42, schema)))


def test_a_file_is_what_was_recorded() -> None:
    assert unmutated(HEAD, HEAD.digest).fits
    report = unmutated(HEAD, "9f3c" * 16)
    assert message(report) == f"the file of version 41 has the digest {HEAD.digest[:12]}, and 9f3c9f3c9f3c was recorded."
    assert report.verdict is Verdict.INVALID


@pytest.mark.parametrize(
    "seen", [HEAD, (41, HEAD.digest), (40, "9f3c"), stored(12)], ids=["itself", "number and digest", "earlier", "long ago"]
)
def test_what_was_seen_before_is_no_news(seen: Version | tuple[int, str]) -> None:
    assert rewound(seen, HEAD).fits
    assert not rewound(seen, HEAD).findings


def test_a_lower_number_is_a_rewind() -> None:
    report = rewound((42, "7c1e"), HEAD)
    assert message(report) == "version 42 was seen, and now 41 is the newest."
    assert report.verdict is Verdict.BREAK
    assert (report.old, report.new) == (42, 41)


def test_the_same_number_with_another_digest_is_a_rewind() -> None:
    said = message(rewound((41, "7c1e"), HEAD))
    assert said == f"version 41 was seen, and now 41 is the newest, with the digest {HEAD.digest[:12]} instead of 7c1e."


def test_a_version_and_its_number_and_digest_say_the_same() -> None:
    later = stored(42)
    assert rewound(later, HEAD) == rewound((later.number, later.digest), HEAD)
