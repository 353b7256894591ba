"""The tables that a hook reads, for the lineage of tasks that people write themselves."""

from typing import Any

from airflow.sdk import get_current_context
from airflow.sdk.lineage import get_hook_lineage_collector

SCHEME = "schemas"


def report_input(hook: Any, alias: str, table: str, branch: str) -> None:
    """Report a table as an input of the running task; nothing where no task runs, as in the triggerer, which would only collect it."""
    try:
        get_current_context()
    except RuntimeError:
        return
    asset = {"warehouse_alias": alias, "table": table, "branch": branch}
    get_hook_lineage_collector().add_input_asset(hook, scheme=SCHEME, asset_kwargs=asset)
