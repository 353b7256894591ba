"""Reading a schema file: bytes to a schema."""

import json

from airflow_provider_schemas.core import TableSchema
from tests.benchmarks.contest import OURS, Call, Op, Subject
from tests.benchmarks.inputs import Input
from tests.benchmarks.subjects import limits


def ours(one: Input) -> Call:
    file = one.file
    return lambda: TableSchema.from_json(file)


def untyped(one: Input) -> Call:
    file = one.file
    return lambda: json.loads(file)


MAKERS = {OURS: ours, limits.LIMIT: limits.decoding, "json.loads": untyped}
SUBJECT = Subject("Reading a schema file", {Op.DECODE: MAKERS})
