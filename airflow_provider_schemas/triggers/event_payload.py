"""A version as plain and few values: what events, XComs and the lines of a log say of it."""

from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.history import Entry

_SHOWN = 20
LONGEST = 500
# What the library says of a table without a version: that is waited for, and no error.
_NO_TABLE = "table.not-there"


def is_no_table(error: NotThereError) -> bool:
    """Whether the table itself is not there, and not only a version or a contract of it."""
    return error.code == _NO_TABLE


def news(table: Table, version: Version, before: Version | None, previous: int | None) -> dict[str, Any]:
    """What somebody is told of a version who has seen the one before."""
    entry = Entry(version, before)
    return {
        "table": table.name,
        "branch": table.branch_name,
        "version": version.number,
        "previous": previous,
        "digest": version.digest,
        "changes": [short(one) for one in entry.changes[:_SHOWN]],
        "by": short(entry.actor),
        "run": short(entry.run),
    }


def short(text: str) -> str:
    """The text on one line, without secrets, and not too long: files are anybody's."""
    found = without_credentials(clean(text))
    return found if len(found) <= LONGEST else f"{found[: LONGEST - 3]}..."


def where_from(version: Version) -> str:
    """When it was made, and by whom: `09:15 UTC by ana, run ...`."""
    entry = Entry(version)
    when = f"{entry.when:%Y-%m-%d %H:%M} UTC" if entry.when else "at an unknown time"
    return short(f"{when} by {entry.actor or 'an outside writer'}" + (f", run {entry.run}" if entry.run else ""))


def whom_to_ask(version: Version) -> str:
    """The owner of the table and how to reach them, as its schema says; empty if it does not."""
    about = version.schema.table_attributes
    said = [str(about[key]) for key in ("owner", "contact") if about.get(key)]
    return short(f"Owner {', '.join(said)}.") if said else ""


def there(table: Table, number: int) -> Version | None:
    """A version, if it is there still."""
    try:
        return table.version(number)
    except NotThereError:
        return None


def called(table: Table) -> str:
    """The name of a table, with its branch if that is not the main one."""
    return table.name if table.branch_name == "main" else f"{table.name} ({table.branch_name})"
