"""What Spark 4.3 answered, row by row.

`notation` is `ddl` (`StructType.fromDDL`), `create` (the columns of a CREATE TABLE, read back from the catalog) or `json`
(`DataType.fromJson`); `spark` is the JSON of the schema that came of it, or null with the `error` class; `ours` says where we
differ on purpose.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple


class Fact(NamedTuple):
    """One answer."""

    notation: str
    text: str
    spark: Any
    error: str | None = None
    ours: str | None = None


def facts(*notations: str) -> list[Fact]:
    """The answers for texts of these notations."""
    lines = (Path(__file__).parents[1] / "facts.jsonl").read_text("utf-8").splitlines()
    return [fact for fact in (Fact(**json.loads(line)) for line in lines) if fact.notation in notations]
