"""All gates with their last verdicts, the broken ones first: counted, searched, and a page at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.paging import page_count, rows_of_page
from airflow_provider_schemas.plugins.common.query import page_number
from airflow_provider_schemas.plugins.gates.gate_row import GateRow, GateState, gate_rows
from airflow_provider_schemas.plugins.verdicts.failed import failed_without_verdict
from airflow_provider_schemas.plugins.verdicts.past import RedSince, red_since
from airflow_provider_schemas.plugins.verdicts.pushed import Gate
from airflow_provider_schemas.plugins.verdicts.read import LastPushed, last_pushed

ROWS = 100
"""So many gates are on a page."""


class GateFilter(Struct, frozen=True):
    """A counter that is a filter as well."""

    name: str
    count: int
    verdict: str = ""
    is_chosen: bool = False


def gates_content(asked: Asked) -> Mapping[str, object]:
    """Return the gates of the DAGs that the user may read."""
    pushed = last_pushed(asked.dag_ids) if asked.dag_ids else LastPushed()
    rows = gate_rows(pushed.values, failed_without_verdict(pushed.values))
    search = asked.query.get("q", "").strip()
    found = [row for row in rows if row.mentions(search.casefold())] if search else rows
    chosen = asked.query.get("verdict", "")
    of_state = [row for row in found if row.state == chosen] if chosen in set(GateState) else found
    pages = page_count(len(of_state), ROWS)
    number = min(page_number(asked.query), pages)
    shown = rows_of_page(of_state, number, ROWS)
    return {
        "filters": _filters(found, chosen),
        "rows": shown,
        "since": _since(shown),
        "search": search,
        "chosen": chosen,
        "number": number,
        "pages": pages,
        "total": len(of_state),
        "all_gates": len(rows),
        "is_cut": pushed.is_cut,
    }


def _filters(rows: Sequence[GateRow], chosen: str) -> list[GateFilter]:
    """Return a counter for each state; what is not known is counted only where there is some."""
    counts = Counter(row.state for row in rows)
    states = [state for state in GateState if counts[state] or state is not GateState.UNKNOWN]
    known = set(states)
    everything = GateFilter("all", len(rows), "", chosen not in known)
    return [everything, *(GateFilter(state.value, counts[state], state.value, state == chosen) for state in states)]


def _since(rows: Sequence[GateRow]) -> Mapping[Gate, RedSince]:
    return red_since(row.gate for row in rows if row.state is GateState.BROKEN)
