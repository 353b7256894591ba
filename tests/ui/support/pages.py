"""Every page of ours with an address at which it shows something, as somebody on call would open it."""

from collections.abc import Mapping

from tests.ui.support import lakes
from tests.ui.support.site import page

TABLE = "shop.orders"
OLD = 6
NEW = 7
# The pages that ask no storage, by what is asked of Airflow: they show verdicts.
OF_VERDICTS = ("gates", "task", "dag")
OF_TABLES = ("tables", "table", "diff", "columns", "readers", "references")
NAMES = (*OF_VERDICTS, *OF_TABLES)


def addresses(runs: Mapping[str, str], *, conn: str = lakes.LAKE, table: str = TABLE, dag: str = "daily") -> dict[str, str]:
    """Return the address of each page: of one DAG, and of one table of a connection."""
    return {
        "gates": page("gates"),
        "task": page("task", dag_id=dag, run_id=runs[dag], task_id="gate", map_index="{MAP_INDEX}"),
        "dag": page("dag", dag_id=dag),
        "tables": page("tables", conn=conn),
        "table": page("table", conn=conn, t=table),
        "diff": page("diff", conn=conn, t=table, a=OLD, b=NEW),
        "columns": page("columns", conn=conn, t=table),
        "readers": page("readers", conn=conn, t=table),
        "references": page("references", conn=conn, t=table),
    }
