"""What a job lacks: one row of what a contract and a schema do not agree about, before it becomes a finding."""

from typing import NamedTuple

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.report import Finding


class Lack(NamedTuple):
    """Something that a job lacks."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    id: int | None = None
    variant: str = ""
    changes: tuple[SchemaChange, ...] = ()
    because: str = ""
    """The end of the sentence, where it is another one than that of the rule."""
    fix: str = ""
    """What to do, where it is something else than the rule says."""


def called(lack: Finding) -> tuple[str, ...]:
    """How an exception may spell the place of what a job lacks."""
    return tuple(dict.fromkeys((lack.path, word(lack.path))))
