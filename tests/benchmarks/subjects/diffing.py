"""The difference of two schemas, and of two schema files."""

from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, diff
from tests.benchmarks.contest import OURS, Call, Maker, Op, Subject
from tests.benchmarks.inputs import Batch, Input
from tests.benchmarks.subjects import limits

BY_ID = "limit: by id, plain Python"
FILES = "limit: msgspec, by id"


def _after(one: Input, batch: Batch | None) -> TableSchema:
    return TableSchema.from_json(one.file) if batch is None else one.after(batch)


def _ours(batch: Batch | None) -> Maker:
    def maker(one: Input) -> Call:
        old, new = one.schema, _after(one, batch)
        return lambda: diff(replace(old), replace(new))  # copies, because a schema remembers its digest

    return maker


def _by_id(batch: Batch | None) -> Maker:
    def maker(one: Input) -> Call:
        old, new = limits.decode(one.file), limits.decode(_after(one, batch).to_json())
        return lambda: limits.differences(old, new)

    return maker


def _files(one: Input) -> Call:
    old, new = one.file, one.after(Batch.WIDEN).to_json().encode()
    return lambda: diff(TableSchema.from_json(old), TableSchema.from_json(new))


def _files_by_id(one: Input) -> Call:
    old, new = one.file, one.after(Batch.WIDEN).to_json().encode()
    return lambda: limits.differences(limits.decode(old), limits.decode(new))


SUBJECT = Subject(
    "The difference of two schemas",
    {
        Op.DIFF_EQUAL: {OURS: _ours(None), BY_ID: _by_id(None)},
        Op.DIFF_1: {OURS: _ours(Batch.WIDEN), BY_ID: _by_id(Batch.WIDEN)},
        Op.DIFF_100: {OURS: _ours(Batch.MIXED_100), BY_ID: _by_id(Batch.MIXED_100)},
        Op.DIFF_FILES: {OURS: _files, FILES: _files_by_id},
    },
)
