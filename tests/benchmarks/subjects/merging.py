"""Merging the schema of incoming data, met by name, into that of a table."""

from msgspec.structs import replace

from airflow_provider_schemas.core import merge
from tests.benchmarks.contest import OURS, Call, Op, Subject
from tests.benchmarks.inputs import Batch, Input


def _ours(one: Input) -> Call:
    schema, incoming = one.schema, one.after(Batch.INCOMING)
    return lambda: merge(replace(schema), replace(incoming))


SUBJECT = Subject("Merging an incoming schema", {Op.MERGE: {OURS: _ours}})
