"""Tables whose texts try to be markup: columns, comments, actors, reasons, jobs, owners and waivers, as far as a store takes them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.cases.hostile_names import HOSTILE_NAMES

TABLE = "web.pages"
# Of five places for each text; a store refuses blank ones, and halves of letters.
ENOUGH = 250
_TOMORROW = timedelta(days=1)


def fill(folder: Path) -> int:
    """Write each text into each place that takes it, and return how many places took one."""
    folder.mkdir(parents=True, exist_ok=True)
    store = SchemaStore(folder, actor="ana")
    store.create_table(TABLE, "page_id BIGINT NOT NULL, renamed STRING")
    taken = sum(_write(folder, number, text) for number, text in enumerate(HOSTILE_NAMES.values()))
    store.table(TABLE).evolve("ADD COLUMN last STRING")
    return taken


def _write(folder: Path, number: int, text: str) -> int:
    short = text[:150]
    quoted = short.replace("`", "``")
    table = SchemaStore(folder, actor="ana").table(TABLE)
    until = datetime.now(UTC) + _TOMORROW
    attempts: list[Callable[[], object]] = [
        lambda: SchemaStore(folder, actor=short).table(TABLE).evolve([f"ADD COLUMN `{quoted}` STRING"], override=short or "x"),
        lambda: table.evolve([{"action": "updateColumnComment", "fieldNames": ["page_id"], "newComment": short}]),
        lambda: table.register(["page_id"], consumer=f"job_{number}", owner=short, contact=short),
        lambda: table.register([short], consumer=f"reader_{number}", owner=short, contact=short),
        lambda: table.waive("EXPECT_FIELD_RENAMED", short, until=until, reason=short, by=short),
    ]
    return sum(map(_took, attempts))


def _took(attempt: Callable[[], object]) -> bool:
    """Return whether the store took the text: what it refuses, no page shows."""
    try:
        attempt()
    except (SchemaError, ValueError):
        return False
    return True
