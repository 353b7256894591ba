"""Two schemas, a policy, and what is known about files and jobs -> what breaks, for whom, why, and what to do.

The comparison sees what differs; the rules say what that means for data, jobs and writers; the policy says
what blocks. Old data is judged against every version that counts, since each of them may lie in files: what
changed in this step must be readable from all of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.comparison.added_and_dropped import came_and_went
from airflow_provider_schemas.core.comparison.fields import Comparison, new_structs
from airflow_provider_schemas.core.comparison.table_properties import means_rows, table_observations
from airflow_provider_schemas.core.compatibility.findings import Case, Judge, unrepresentable
from airflow_provider_schemas.core.compatibility.old_data import Written
from airflow_provider_schemas.core.difference import Observation, word
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.policies.levels import Against
from airflow_provider_schemas.core.policies.plain_policy import Judging, judging
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.validation.case_collisions import collisions
from airflow_provider_schemas.core.validation.validity import table_validity, validity
from airflow_provider_schemas.errors import ContractError, PolicyError, SchemaError, SchemaFileError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence


def check(
    old: TableSchema | Version,
    new: TableSchema | Version,
    policy: Judging | Mapping[str, Any] | None = None,
    *,
    history: History | Iterable[TableSchema | Version] = (),
    contracts: "Iterable[Contract | Any]" = (),
    evidence: "Iterable[Evidence | Mapping[str, Any]]" = (),
    live: Collection[int] | None = None,
    table: str = "",
    by_name: bool = False,
    now: datetime | None = None,
) -> Report:
    """What the step from the old schema to the new one means, under a policy.

    History is the schemas before the old one, in any order. Live is the numbers of those that files, snapshots
    or pinned readers still use; None is unknown, and then all count. Contracts are those of jobs that are
    registered for the table. By name is for schemas whose ids mean nothing.
    """
    before, after = schema_of(old), schema_of(new)
    rules = judging(policy)
    if before is after or _same_file(old, new):
        return Report(table=table, old=_number(old), new=_number(new))
    if by_name:
        after, _ = matched_by_name(before, after)
    step = _Step(
        before,
        after,
        earlier(history if isinstance(history, History) else _listed(history, "history", SchemaFileError), before),
        _asked(contracts, table),
        _found(evidence, table),
        None if live is None else _numbers(live),
    )
    at = moment(now)
    report = strictest([_judged(step, one, at) for one in rules.joined()])
    return msgspec.structs.replace(report, table=table, old=_number(old), new=_number(new))


def check_new(
    schema: TableSchema,
    policy: Judging | Mapping[str, Any] | None = None,
    *,
    contracts: "Iterable[Contract | Any]" = (),
    table: str = "",
    now: datetime | None = None,
) -> Report:
    """What is wrong with the first schema of a table: by itself, for the listed engines, and for readers that wait for it."""
    after = checked_schema(schema)
    rules = judging(policy)
    readers = dict.fromkeys(reader for one in rules.joined() for reader in one.profiles)
    held = [finding for one in after.fields for finding in unrepresentable(one.type, word(one.name), one.id, tuple(readers))]
    asked = _asked(contracts, table)
    lacks = list(_lacks(after, asked, rules, now))
    said = (note for one in rules.joined() for note in Ruling(one, moment(now)).notes())
    findings = (*validity(after).findings, *held, *(finding for report in lacks for finding in report.findings))
    notes = tuple(dict.fromkeys([*said, *(note for report in lacks for note in report.notes)]))
    return Report(findings, table=table, new=after.id, contracts=len(asked), notes=notes)


def _lacks(schema: TableSchema, contracts: "tuple[Contract, ...]", rules: Judging, now: datetime | None) -> Iterator[Report]:
    """What is missing for each of the contracts."""
    if not contracts:
        return
    from airflow_provider_schemas.core.contracts.check_contract import check_contract

    for contract in contracts:
        yield check_contract(schema, contract, policy=rules, now=now)


class _Step(NamedTuple):
    """What is judged, and what is known about it."""

    old: TableSchema
    new: TableSchema
    history: History
    contracts: "tuple[Contract, ...]"
    evidence: "tuple[Evidence, ...]"
    live: frozenset[int] | None


def _listed(values: Any, what: str, refusal: type[SchemaError]) -> Iterable[Any]:
    """The values, if they are several."""
    if not values and isinstance(values, tuple | list):
        return ()
    if _is_single(values) or not isinstance(values, Iterable):
        message = f"{what} is a {type(values).__name__}, and no list."
        raise refusal(message, code=f"{refusal.default_code.split('.')[0]}.no-list", path=what, fix="Put it into a list.")
    return values


def _is_single(values: object) -> bool:
    """Whether it is one value, though it can be iterated."""
    # Where nobody hands in what people write, nothing that reads it is loaded.
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence

    return isinstance(values, str | bytes | Mapping | Contract | Evidence)


def _asked(contracts: Any, table: str) -> "tuple[Contract, ...]":
    """The contracts that are about the table, as far as that is known."""
    said = _listed(contracts, "contracts", ContractError)
    if not said:
        return ()
    from airflow_provider_schemas.core.contracts.check_contract import checked_contract

    found = map(checked_contract, said)
    return tuple(one for one in found if not table or one.table in ("", table))


def _found(evidence: Any, table: str) -> "tuple[Evidence, ...]":
    """The evidence; that of another table is an error, because its author takes it for proof."""
    said = _listed(evidence, "evidence", PolicyError)
    if not said:
        return ()
    from airflow_provider_schemas.core.policies.evidence import Evidence

    found = tuple(Evidence.read(one) for one in said)
    strange = next((one for one in found if table and one.table not in ("", table)), None)
    if strange is not None:
        message = f"the evidence for {strange.path} is about {shown(strange.table)}, and {shown(table)} is judged."
        raise PolicyError(message, code="policy.evidence", path="evidence", fix="Look at the files of this table.")
    return found


def _numbers(live: Any) -> frozenset[int]:
    found = list(_listed(live, "live", PolicyError))
    if not all(isinstance(one, int) for one in found):
        raise PolicyError(
            "live holds what is no number of a schema.", code="policy.bad-value", path="live", fix="Pass whole numbers, or None."
        )
    return frozenset(found)


def schema_of(value: object) -> TableSchema:
    """The schema, or that of a version."""
    return value.schema if isinstance(value, Version) else checked_schema(value)


def _number(value: TableSchema | Version) -> int:
    return value.number if isinstance(value, Version) else value.id


def _same_file(old: object, new: object) -> bool:
    return isinstance(old, Version) and isinstance(new, Version) and old.identity == new.identity


def earlier(history: History | Iterable[TableSchema | Version], old: TableSchema) -> History:
    """The schemas before the old one, each once."""
    return history.before(old.id) if isinstance(history, History) else History.of(map(schema_of, history), old.id)


def _judged(step: _Step, policy: Judging, now: datetime) -> Report:
    old, new = step.old, step.new
    files = _files(step, policy)
    compared = Comparison(old, new, now)
    # What is left then is the highest id, which says nothing about any row.
    seen = list(observations(compared, step.history, files.past)) or [Observation(rule="NO_CHANGE")]
    faults = _new_faults(compared)
    past = step.history.only(step.live)
    about = Case(old, new, tuple(seen), files, step.contracts, step.evidence, step.history, past=past, sound=not faults)
    judge = Judge(about, policy, now)
    findings = (*judge.findings(), *faults)
    return Report(findings, old=old.id, new=new.id, contracts=len(step.contracts), notes=tuple(judge.notes()))


def _files(step: _Step, policy: Judging) -> Written:
    """The schemas under which files may have been written that have to be read."""
    past = step.history.only(()) if policy.against is Against.PREVIOUS else step.history
    counting = step.live if policy.against is Against.LIVE else None
    return Written(past.only(counting), step.old if counting is None or step.old.id in counting else None)


def observations(compared: Comparison, history: History, files: History) -> Iterator[Observation]:
    """Everything that differs, fields first. History says whose an id was; a name returns where files that count have it."""
    yield from compared.seen
    yield from came_and_went(compared, history, files)
    yield from collisions([*compared.named, *new_structs(compared)])
    yield from table_observations(compared)


def _new_faults(compared: Comparison) -> list[Finding]:
    """What makes the new schema invalid, and not the old one already."""
    found = table_validity(compared.new, same_names=compared.same_names)
    if not found:
        return []
    known = {(one.fault, one.path) for one in table_validity(compared.old)}
    return [_of_step(one, compared) for one in found if (one.fault, one.path) not in known]


# Another value of the option, or none, is the next break.
_COLUMN_BACK = "Keep the column that the option names: another value of the option, or none, gives the same files other rows."


def _of_step(fault: Finding, compared: Comparison) -> Finding:
    """Return the fault with what to do about the step that made it: of an option that stayed, the column has gone."""
    stayed = compared.old.options.get(fault.path) == compared.new.options.get(fault.path)
    if fault.rule != "OPTION_DANGLING_FIELD" or not stayed or not means_rows(fault.path):
        return fault
    return msgspec.structs.replace(fault, fix=_COLUMN_BACK)
