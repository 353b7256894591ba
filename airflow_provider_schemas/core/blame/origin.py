"""The version in which something came about, and what is known of who wrote it."""

from datetime import datetime

from msgspec import Struct


class Origin(Struct, frozen=True, omit_defaults=True):
    """A version, by what people ask of it: when, who, which run, who approved."""

    number: int
    branch: str = "main"
    digest: str = ""
    written: datetime | None = None
    """The moment in UTC; None where the file or the catalog does not tell."""
    actor: str = ""
    run: str = ""
    """The run of a DAG, as the version names it."""
    dag_id: str = ""
    run_id: str = ""
    task_id: str = ""
    approval: str = ""
    policy: str = ""
    commit: str = ""
    """The commit of git or of the table's own format, where one is recorded."""
    restored: int | None = None
    """The version whose columns this one brought back."""
    is_outside: bool = False
    """Whether another tool wrote the version, so that nobody is named."""
