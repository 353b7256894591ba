"""How each op of odf.jsonl is answered: one line for each."""

from tests.conformance.harness import Group
from tests.conformance.odf import comparison, ddl, documents

GROUPS = {
    "compare": Group(comparison.answer),
    "parse_ddl": Group(ddl.answer),
    "parse_yaml_schema": Group(documents.schema),
    "parse_yaml_event_manifest": Group(documents.event_manifest),
}

# Ops that nothing of ours answers yet.
PENDING = frozenset({"parse_ddl", "arrow_to_odf", "odf_to_arrow", "compare"}) - GROUPS.keys()
