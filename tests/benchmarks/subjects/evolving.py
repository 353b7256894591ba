"""Evolving: a schema and a batch of changes to the next schema, without a commit."""

from msgspec.structs import replace

from airflow_provider_schemas.core import evolve, validity
from tests.benchmarks.contest import OURS, Call, Maker, Op, Subject
from tests.benchmarks.inputs import Batch, Input

BATCHES = {
    Op.ADD: Batch.ADD,
    Op.RENAME: Batch.RENAME,
    Op.WIDEN: Batch.WIDEN,
    Op.ADD_100: Batch.ADD_100,
    Op.MIXED_100: Batch.MIXED_100,
}


def _evolving(batch: Batch) -> Maker:
    def maker(one: Input) -> Call:
        schema, changes = one.schema, one.changes(batch)
        return lambda: evolve(replace(schema), changes)  # a copy, because a schema remembers its columns by name and id

    return maker


def _validity(one: Input) -> Call:
    schema = one.schema
    return lambda: validity(replace(schema))


_TITLE = "Evolving without a commit (ours with validity, which pypaimon leaves to the commit)"
_MAKERS = {op: _evolving(batch) for op, batch in BATCHES.items()} | {Op.VALIDITY: _validity}
SUBJECT = Subject(_TITLE, {op: {OURS: maker} for op, maker in _MAKERS.items()})
