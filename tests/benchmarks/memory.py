"""The memory that a parsed schema keeps, measured in a fresh process for each library.

What is counted is what Python allocates while the file is parsed and its types are looked at, and still
holds afterwards. The bytes of the file do not count.
"""

import gc
import json
import subprocess
import sys
import tracemalloc

from airflow_provider_schemas.core import TableSchema
from tests.benchmarks.contest import Case, Contestant, Maker, Op
from tests.benchmarks.inputs import SHAPES, Input
from tests.benchmarks.peers.installed import peer
from tests.benchmarks.subjects import reading


def kept(peers: list[Contestant], sizes: list[int]) -> dict[Case, int]:
    """Bytes by library, shape and number of columns."""
    found = {}
    for who in (*reading.MAKERS, *(one.name for one in peers if Op.DECODE in one.makers)):
        command = [sys.executable, "-m", __name__, who, *map(str, sizes)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        found.update({Case(Op.MEMORY, shape, who, size): count for shape, size, count in json.loads(answer)})
    return found


def _maker(who: str) -> Maker:
    return reading.MAKERS.get(who) or peer(who).makers[Op.DECODE]


def _bytes(maker: Maker, one: Input) -> int:
    parse = maker(one)
    gc.collect()
    tracemalloc.start()
    schema = parse()
    if isinstance(schema, TableSchema):
        for column in schema.fields:
            _ = column.type
    gc.collect()
    count = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return count


def main(who: str, *sizes: str) -> None:
    """Print the bytes that one library keeps, as JSON."""
    maker = _maker(who)
    print(json.dumps([(shape.name, int(size), _bytes(maker, Input(shape, int(size)))) for shape in SHAPES for size in sizes]))


if __name__ == "__main__":
    main(*sys.argv[1:])
