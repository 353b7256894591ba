"""What a task asks of its tables, as an author writes it and as it comes out of templates."""

from typing import Any, Literal

from msgspec import Struct

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.not_said import NOT_SAID

Outcome = Literal["fits", "warn", "skip", "fail"]
OUTCOMES: tuple[Outcome, ...] = ("fail", "skip", "warn")
"""What may become of a task whose tables do not fit, the worst first."""

VERDICT = "schema_verdict"
"""The key of the XCom with the verdict."""


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked. Nothing of it is read yet."""

    conn_id: Any = DEFAULT
    reads: Any = NOT_SAID
    writes: Any = NOT_SAID
    branch: Any = NOT_SAID
    version: Any = NOT_SAID
    on_incompatible: Any = "fail"
    on_missing: Any = "fail"
    policy: Any = NOT_SAID
    register: Any = True
