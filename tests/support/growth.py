"""Count what work does, in calls of functions: the same number on every machine, so that growth can be judged without a clock."""

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Return how many functions the work calls, those of libraries in C included."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event.endswith("call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
