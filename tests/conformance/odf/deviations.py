"""The rows of odf.jsonl that we answer differently than the reference implementation, on purpose. Nothing else is excused.

An entry says which inputs it is about, what we answer, which rows of our own file it covers, and where it is explained.
"""

from tests.conformance.harness import Deviation

DEVIATIONS: tuple[Deviation, ...] = ()
