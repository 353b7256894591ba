"""What a commit to a table of many versions asks of a storage that is far away, by a process that knows nothing yet."""

from collections.abc import Iterator

from tests.benchmarks.verdicts import Verdict
from tests.servers.slow_s3 import Asked, Far
from tests.support.long_tables import long_table, open_long_table

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, " + ", ".join(f"c{number} STRING" for number in range(18))
MOST_REQUESTS = 20
MOST_MEGABYTES = 20
# Every fourth commit was a dearer one once.
_COMMITS = 5


def measured(far: Far, versions: int, settings: dict[str, float], *, requests: bool) -> Iterator[Verdict]:
    """Commit a few times to a table of so many versions, print the dearest, and say whether it keeps to the goals."""
    bucket = far.bucket()
    long_table(bucket, COLUMNS, versions)
    found: list[Asked] = []
    for number in range(_COMMITS):
        with far.watched(**settings) as asked:
            assert open_long_table(bucket).evolve(f"ADD COLUMN more_{number} STRING").created
        found.append(asked)
    asked = max(found, key=lambda one: one.requests)
    seconds = min(one.seconds for one in found)
    print(f"{f'a commit at {versions:,} versions':28}{1:8,}{asked.requests:10,}{asked.waits:8}{seconds:9.2f}", flush=True)
    if requests:
        print(asked.told())
    pages = sum("/schema/" in call.prefix for call in asked.calls)
    figures = f"{asked.requests}, of which {pages} are the pages of one listing"
    yield Verdict(f"a commit at {versions:,} versions asks at most {MOST_REQUESTS} requests", asked.requests <= MOST_REQUESTS, figures)
    megabytes = asked.bytes / 1e6
    text = f"a commit at {versions:,} versions moves at most {MOST_MEGABYTES} MB"
    yield Verdict(text, megabytes <= MOST_MEGABYTES, f"{megabytes:.2f} MB")
