"""What a task asks of its tables, as an author writes it and as it comes out of templates."""

from typing import Any, Literal

from msgspec import Struct

from airflow_provider_schemas.hooks.naming import DEFAULT

Outcome = Literal["fits", "warn", "skip", "fail"]
OUTCOMES: tuple[Outcome, ...] = ("fail", "skip", "warn")
"""What may become of a task whose tables do not fit, the worst first."""


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked. Nothing of it is read yet."""

    conn_id: Any = DEFAULT
    reads: Any = None
    writes: Any = None
    branch: Any = None
    version: Any = None
    on_incompatible: Any = "fail"
    on_missing: Any = "fail"
    policy: Any = None
    register: Any = True
