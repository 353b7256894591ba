"""Does a schema give a job what its contract says it needs?

Columns are found by the id that the contract is pinned to, else by name. What the job takes must be a type
into which the table's turns without a loss; what it writes, the other way round.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from airflow_provider_schemas.core.contracts.column_lacks import RENAMED, ContractCase, column_lacks
from airflow_provider_schemas.core.contracts.lack import Lack, called
from airflow_provider_schemas.core.contracts.read_ways import after_rename, resolves_aliases
from airflow_provider_schemas.core.contracts.roles import Role, Shape
from airflow_provider_schemas.core.contracts.table_lacks import key_lacks, shape_lacks
from airflow_provider_schemas.core.contracts.value_types import own_schema_engines
from airflow_provider_schemas.core.engines.engine_types import EngineTypes, typing_engines
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.given_policy import judging
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Consumer, Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES, Rule
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.errors import ContractError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract, Need


def check_contract(
    schema: TableSchema,
    contract: "Contract | object",
    *,
    seen: TableSchema | None = None,
    policy: Judging | Mapping[str, Any] | None = None,
    table: str = "",
    version: int | None = None,
    now: datetime | None = None,
) -> Report:
    """Report everything that a job needs and the schema does not give.

    Seen is a schema that the job was written for, if there is one: what had its name there is found again
    by its id, so that a rename is reported as one. A policy may except findings, or judge a rule otherwise.
    """
    contract = checked_contract(contract)
    schema = checked_schema(schema)
    before = None if seen is None else Lookup(checked_schema(seen))
    if version is None:
        version = schema.id
    at = moment(now)
    whole_policy = judging(policy)
    lacks = tuple(unfit(Lookup(schema), contract, seen=before, now=at, engines=whole_policy.profiles))
    report = strictest([_ruled(lacks, Ruling(single_policy, at)) for single_policy in whole_policy.joined()])
    return msgspec.structs.replace(
        report,
        table=table or contract.table,
        old=None if before is None else before.schema.id,
        new=version,
        contracts=1,
        notes=(*report.notes, *_engine_notes(schema, contract, whole_policy.profiles)),
    )


def _engine_notes(schema: TableSchema, contract: "Contract", engines: Sequence[Reader]) -> Iterator[str]:
    """Yield which columns may keep an engine from the whole table, though a job does not name them."""
    named = {need.name.partition(".")[0].lower() for need in contract.columns}  # a finding speaks of these
    for engine in typing_engines(contract.read_with, engines):
        for column, kind in EngineTypes(engine, schema).unread_columns():
            if column.lower() in named:
                continue
            yield (
                f"{column} is {kind}: by its source, {engine} refuses a table with such a column, whether a job names it or not; "
                "that was not run here"
            )


def _ruled(lacks: tuple[Finding, ...], ruling: Ruling) -> Report:
    return Report(tuple(ruling.ruled(lack, called(lack)) for lack in lacks), notes=tuple(ruling.notes()))


def checked_contract(contract: object) -> "Contract":
    """Return the contract; or the one in SQL text, names or a mapping."""
    from airflow_provider_schemas.core.contracts.contract import Contract

    if isinstance(contract, Contract):
        return contract
    if contract is None or isinstance(contract, int | float | bytes):
        fix = "Pass a Contract, SQL text, names or a mapping."
        raise ContractError(f"a {type(contract).__name__} is no contract.", code="contract.no-contract", fix=fix)
    return Contract.of(contract)  # type: ignore[arg-type]  # whatever else it is, reading it tells what is wrong


def unfit(
    there: Lookup,
    contract: "Contract",
    *,
    seen: Lookup | None = None,
    names: Collection[str | int | None] | None = None,
    now: datetime | None = None,
    engines: Sequence[Reader] = (),
) -> Iterator[Finding]:
    """Yield what does not fit; of these columns only, if names are given and the contract says nothing of the others.

    Engines are those that read the files of the table: a job may hand them a schema of its own, and they decide whether an
    alias works for a view.
    """
    case = ContractCase(
        there,
        seen,
        contract,
        own_schema_engines(contract.read_with, engines),
        now,
        aliased=resolves_aliases(contract.read_with, engines),
        first_needs={},
        seen_types=tuple(EngineTypes(engine, there.schema) for engine in typing_engines(contract.read_with, engines)),
    )
    for need in contract.columns:
        if names is None or contract.shape is not Shape.OPEN or _is_named(need, names):
            for lack in column_lacks(case, need):
                yield _finding(lack, contract, need)
    for lack in (*shape_lacks(there, contract, seen), *key_lacks(there.schema, contract)):
        yield _finding(lack, contract, None)


def _is_named(need: "Need", names: Collection[str | int | None]) -> bool:
    if need.id in names:
        return True
    column = need.name.split(".", 1)[0]
    return any(name in names or name.lower() in names for name in (need.name, column))


# ---------------------------------------------------------------- findings

# How sentences speak of a reader, and of a writer.
_READER = {
    "who": "reader",
    "verb": "takes",
    "side": "there, and the reader takes no NULL",
    "does": "takes only the columns that it names",
}
_WRITER = {
    "who": "writer",
    "verb": "writes",
    "side": "in what the writer writes, and the table takes no NULL",
    "does": "does not write it, though it must not be NULL",
}
# The sentences that tell the reason of a lack, where the sentence of the rule does not.
_BECAUSE = {
    RENAMED: "{path} is now {new} (field id {id}), %s.",
    "EXPECT_FIELD_MISSING": "%s.",
    "EXPECT_EXTRA_FIELD": "{path} is there, and the {who} %s.",
    "EXPECT_TYPE_UNSAFE": "{path} is {new}, and the {who} {verb} {old}: %s.",
    "EXPECT_TYPE_MISMATCH": "%s.",
}


def _finding(lack: Lack, contract: "Contract", need: "Need | None") -> Finding:
    """Return the finding about a lack; need is the column that it is about, None for the table."""
    rule = RULES[lack.rule]
    writes = contract.writes if need is None else Role.WRITE in need.role
    variant = lack.variant or ("write" if writes else "")
    answers = rule.answers(variant)
    number = "" if lack.id is None else lack.id
    reader = _WRITER if writes else _READER
    words = {"path": lack.path, "old": lack.old, "new": lack.new, "id": number, **reader}
    message = _sentence(rule, lack).format_map(words)
    consumer = Consumer(contract.name or "this job", contract.owner, contract.contact, lack.rule, message, contract.last_seen)
    return Finding(
        lack.rule,
        lack.path,
        message,
        lack.fix or rule.fix.format_map(words),
        worst((answers.jobs, answers.writers)),
        changes=lack.changes,
        id=lack.id,
        old=lack.old,
        new=lack.new,
        verdicts=answers,
        jobs=answers.jobs,
        writers=answers.writers,
        consumers=(consumer,),
        why=after_rename(contract.read_with, variant) if lack.rule == RENAMED else "",
    )


def _sentence(rule: Rule, lack: Lack) -> str:
    """Return the sentence of the rule, or the one that tells the reason."""
    if not lack.because:
        return rule.says
    reason = lack.because.replace("{", "{{").replace("}", "}}")
    return _BECAUSE[lack.rule] % reason
