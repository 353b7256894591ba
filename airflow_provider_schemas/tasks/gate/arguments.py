"""What a task asks of its tables, as an author writes it and as it comes out of templates."""

from typing import Any, Literal

from msgspec import Struct

from airflow_provider_schemas.hooks.defaults import DEFAULT

Outcome = Literal["fits", "warn", "skip", "fail"]
OUTCOMES: tuple[Outcome, ...] = ("fail", "skip", "warn")
"""What may become of a task whose tables do not fit, the worst first."""

VERDICT = "schema_verdict"
"""The key of the XCom with the verdict."""
NOT_SAID = "(not said)"
"""What reads and writes are where the author says nothing. None, or an empty list, is what a template or a task has come to, and an
error: so this is a text, which stays what it is when it is rendered, serialised, or shown, and is the name of no table."""


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked. Nothing of it is read yet."""

    conn_id: Any = DEFAULT
    reads: Any = NOT_SAID
    writes: Any = NOT_SAID
    branch: Any = None
    version: Any = None
    on_incompatible: Any = "fail"
    on_missing: Any = "fail"
    policy: Any = None
    register: Any = True
