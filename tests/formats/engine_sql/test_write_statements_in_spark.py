"""What Spark's own parser makes of the statements that we hand to it, texts that look like statements among them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import field, row
from airflow_provider_schemas.formats.engine_sql import statements
from tests.formats.engine_sql.test_write_statements import SPARK

TOP = Path(__file__).parents[3]
INT = AtomicType(Root.INTEGER)

# Texts that would end a string, begin a comment, be replaced by a setting, or be read as an escape.
HOSTILE = [
    "",
    "'",
    "''",
    '"',
    "\\",
    "\\'",
    "\\\\'",
    "x'; DROP TABLE db.t; --",
    "x\\'; DROP TABLE db.t; --",
    "${spark.app.name}",
    "\\${x}",
    "\\u0027",
    "\\047",
    "a\n-- b\r\nc\x00\x1b1\u2028",
    "/* x",
    "%_\\%\\_",
    "日本 😀 `",
]


def said(change: SchemaChange) -> str:
    """The one statement for a change."""
    told = statements("cat.my db.t-1", [change])
    assert not told.unsaid
    return told.statements[0]


def cases() -> list[tuple[str, list[Any]]]:
    """Statements, and what Spark must read out of them."""
    table = ["cat", "my db", "t-1"]
    found: list[tuple[str, list[Any]]] = []
    for text in HOSTILE:
        inside = row([field(0, "f", INT, text)])
        found += [
            (said(schema_change.AddColumn(("a", "b`c"), INT, text)), ["AddColumns", table, ["a", "b`c"], "INT", text, None]),
            (said(schema_change.UpdateColumnComment(("a",), text)), ["AlterColumns", table, ["a"], None, None, text, None]),
            (said(schema_change.SetOption(f"k{text}", text)), ["SetTableProperties", table, [f"k{text}", text]]),
            (said(schema_change.RemoveOption(f"k{text}")), ["UnsetTableProperties", table, f"k{text}"]),
            (said(schema_change.UpdateComment(text)), ["SetTableProperties", table, ["comment", text]]),
            (said(schema_change.AddColumn(("a",), inside)), ["AddColumns", table, ["a"], None, None, None]),
        ]
    return found


@pytest.fixture(scope="module")
def answers() -> dict[str, list[Any]]:
    """What Spark has read, by statement."""
    asked = [*(sql for _, sql in SPARK), *(sql for sql, _ in cases())]
    command = [str(TOP / ".venv-paimon/bin/python"), str(Path(__file__).parent / "support" / "spark_parser.py")]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]
    return dict(zip(asked, json.loads(done.stdout.splitlines()[-1]), strict=True))


def test_spark_reads_every_statement(answers: dict[str, list[Any]]) -> None:
    assert [answer for answer in answers.values() if answer[0] == "refused"] == []


def test_spark_reads_the_texts_that_were_meant(answers: dict[str, list[Any]]) -> None:
    for sql, expected in cases():
        answer = list(answers[sql])
        if expected[0] == "AddColumns" and expected[3] is None:
            answer[3] = None  # the type is read below
        assert answer == expected


def test_spark_reads_the_comments_inside_a_type(answers: dict[str, list[Any]]) -> None:
    spelled = {text: answers[said(schema_change.AddColumn(("a",), row([field(0, "f", INT, text)])))][3] for text in HOSTILE}
    for text, kind in spelled.items():
        # Spark writes a comment as a string again, with its backslashes and quotes escaped.
        assert kind == f"STRUCT<f: INT COMMENT '{text.replace(chr(92), chr(92) * 2).replace(chr(39), chr(92) + chr(39))}'>", text


def test_spark_reads_what_the_table_of_examples_says(answers: dict[str, list[Any]]) -> None:
    read = {change: answers[sql] for change, sql in SPARK}
    assert read["ADD COLUMN coupon STRING BEFORE amount"] == ["AddColumns", ["db", "t"], ["coupon"], "STRING", None, "AFTER id"]
    assert read["RENAME COLUMN address.city TO town"] == ["RenameColumn", ["db", "t"], ["address", "city"], "town"]
    assert read["DROP COLUMN address.zip"] == ["DropColumns", ["db", "t"], ["address", "zip"]]
    assert read["ALTER COLUMN tags.element TYPE BIGINT"] == ["AlterColumns", ["db", "t"], ["tags", "element"], "BIGINT", None, None, None]
    assert read["ALTER COLUMN id DROP NOT NULL"] == ["AlterColumns", ["db", "t"], ["id"], None, True, None, None]
    assert read["ALTER COLUMN amount LAST"] == ["AlterColumns", ["db", "t"], ["amount"], None, None, None, "AFTER tags"]
