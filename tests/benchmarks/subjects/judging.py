"""From the bytes of two schema files to a verdict, and from a verdict's parts: schemas that were read, equal digests, many contracts."""

from airflow_provider_schemas.core import Contract, Policy, TableSchema, Version, check
from tests.benchmarks.contest import OURS, Call, Maker, Op, Subject
from tests.benchmarks.inputs import Batch, Input
from tests.benchmarks.subjects import limits

FILES = "limit: msgspec, by id"
CONTRACTS = 1_000
_NEEDED = 20
_POLICY = Policy()


def _files(batch: Batch) -> Maker:
    def maker(one: Input) -> Call:
        old, new = one.file, one.after(batch).to_json().encode()
        return lambda: check(TableSchema.from_json(old), TableSchema.from_json(new), _POLICY)

    return maker


def _limit(batch: Batch) -> Maker:
    def maker(one: Input) -> Call:
        old, new = one.file, one.after(batch).to_json().encode()
        return lambda: limits.differences(limits.decode(old), limits.decode(new))

    return maker


def _read(one: Input) -> Call:
    old, new = one.schema, one.after(Batch.WIDEN)
    return lambda: check(old, new, _POLICY)


def _same(one: Input) -> Call:
    old, new = Version.read(one.file, 0), Version.read(one.file, 0)
    return lambda: check(old, new, _POLICY)


def _contracts(one: Input) -> Call:
    """Jobs that need twenty columns each, spread over the table; some of them the one that changes."""
    old, new = one.schema, one.after(Batch.WIDEN)
    names = old.names
    needs = [[names[(job + step * 7) % len(names)] for step in range(min(_NEEDED, len(names)))] for job in range(CONTRACTS)]
    contracts = [Contract.of(list(dict.fromkeys(need)), name=f"job {job}") for job, need in enumerate(needs)]
    return lambda: check(old, new, _POLICY, contracts=contracts)


SUBJECT = Subject(
    "A verdict on two schemas",
    {
        Op.VERDICT: {OURS: _files(Batch.WIDEN), FILES: _limit(Batch.WIDEN)},
        Op.VERDICT_100: {OURS: _files(Batch.MIXED_100), FILES: _limit(Batch.MIXED_100)},
        Op.CHECK: {OURS: _read},
        Op.CHECK_SAME: {OURS: _same},
        Op.CONTRACTS: {OURS: _contracts},
    },
)
