"""One thing that a job lacks: where a contract and a schema do not agree, before it becomes a finding."""

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
    """The reason, where the sentence of the rule does not tell it."""
    fix: str = ""
    """What to do, where it is something else than the fix of the rule."""


def called(lack: Finding) -> tuple[str, ...]:
    """Return how an exception may spell the path of what a job lacks."""
    return tuple(dict.fromkeys((lack.path, word(lack.path))))
