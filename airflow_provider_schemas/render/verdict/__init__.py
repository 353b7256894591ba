"""The verdict of a gate as it lies in XCom, read and printed: from its plain values alone, without the store and without Airflow.

What is here:

    entries          the plain values as typed ones
    finding_entry    a finding as plain values, and back as all forms show it
    verdict_log      the lines of the log
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "log_block": "verdict_log",
    "log_lines": "verdict_log",
    "read_verdict": "entries",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.render.verdict.entries import read_verdict as read_verdict
    from airflow_provider_schemas.render.verdict.verdict_log import log_block as log_block
    from airflow_provider_schemas.render.verdict.verdict_log import log_lines as log_lines
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
