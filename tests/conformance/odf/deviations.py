"""The rows of odf.jsonl that we answer differently than the reference implementation, on purpose. Nothing else is excused.

An entry says which inputs it is about, what we answer, which rows of our own file it covers, and where it is explained.
"""

from tests.conformance.harness import Accepted, Deviation
from tests.conformance.odf import arrow, comparison
from tests.conformance.odf.defects import defects
from tests.conformance.rows import Content


def _compared(name: str, ids: set[str], reason: str) -> Deviation:
    """A defect of the reference's comparison, where we answer as the specification has it."""

    def applies(row: Content) -> bool:
        return name in defects(*comparison.schemas(row), frozenset(row["ignore"]))

    return Deviation(name, frozenset({"compare"}), applies, lambda row: Accepted(comparison.specified_answer(row)), frozenset(ids), reason)


_SKIPPED = "Where names or their order differ, the reference does not compare the fields that both have; we always do."
_LENGTH = "Where the items of a list differ, the reference does not see that its fixed length does too; we do."
_MAPS = "To the reference any difference inside a map is another type; we go by the rules of fields in its values."
_PLACES = "To the reference a field moves when its number changes, be it for one that is gone; to us when the order does."

DEVIATIONS: tuple[Deviation, ...] = (
    _compared("common-fields-skipped", {"R106", "R136"}, _SKIPPED),
    _compared("fixed-length-forgotten", {"R125"}, _LENGTH),
    _compared("maps-as-a-whole", {"R123", "R133"}, _MAPS),
    _compared("places-are-numbers", set(), _PLACES),
    *arrow.DEVIATIONS,
)
