"""How each op of odf.jsonl is answered: one line for each."""

from tests.conformance.harness import Group
from tests.conformance.odf import arrow, comparison, ddl, documents

GROUPS = {
    "arrow_to_odf": Group(arrow.arrow_to_odf, lambda _, value: arrow.settled(value)),
    "odf_to_arrow": Group(arrow.odf_to_arrow),
    "compare": Group(comparison.answer),
    "parse_ddl": Group(ddl.answer),
    "parse_yaml_schema": Group(documents.schema),
    "parse_yaml_event_manifest": Group(documents.event_manifest),
}
