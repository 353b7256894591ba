"""The arguments of a gate, as an author writes them. Files of DAGs import this, so nothing is read here."""

from typing import Any, Literal

from msgspec import Struct

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.not_said import NOT_SAID

Outcome = Literal["fits", "warn", "skip", "fail"]
OUTCOMES: tuple[Outcome, ...] = ("fail", "skip", "warn")
"""What may become of a task whose tables do not fit, the worst first."""

VERDICT = "schema_verdict"
"""The key of the XCom with the verdict."""


class GateArguments(Struct, frozen=True, kw_only=True):
    """The arguments of a gate or a guard: templates, or what came out of them."""

    conn_id: Any = DEFAULT
    reads: Any = NOT_SAID
    writes: Any = NOT_SAID
    branch: Any = NOT_SAID
    version: Any = NOT_SAID
    on_incompatible: Any = "fail"
    on_missing: Any = "fail"
    policy: Any = NOT_SAID
    register: Any = True
