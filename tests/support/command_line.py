"""What the tests of the command line share: a line that is run in this process, and what came of it."""

import io
import json
import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.core import TableSchema

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SCHEMA_FILE = str(EXAMPLES / "orders/schema-0")
ORDERS = TableSchema.create(
    "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)",
    primary_keys=["order_id"],
    options={"bucket": "4", "fs.s3a.secret.key": "hunter2"},
)


class Done(NamedTuple):
    """What came of a line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def typed(*words: str, stdin: bytes = b"", columns: int = 100) -> Done:
    """Type a line; the text is as wide as so many columns."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", str(columns))
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(words)
    return Done(code, out.getvalue(), err.getvalue())


def fine(*words: str, stdin: bytes = b"") -> str:
    """Type a line that has to end with 0, and say nothing on standard error."""
    done = typed(*words, stdin=stdin)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def commands(text: str) -> list[list[str]]:
    """The commands of a text, as a shell reads them: each stands whole on a line of its own, or in backticks in an error."""
    found = re.findall(r"^ *(airflow-schemas .+)$|`(airflow-schemas [^`\n]+)`", text, re.MULTILINE)
    return [shlex.split(alone or quoted)[1:] for alone, quoted in found]


Files = Callable[[Mapping[str, str | bytes]], Path]
