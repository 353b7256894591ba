"""One finding about an observation: its sentence, its fix and changes, its verdicts, and whom it breaks."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange
from airflow_provider_schemas.core.compatibility.broken_contracts import NOBODY, BrokenReaders
from airflow_provider_schemas.core.compatibility.fixes import can_be_kept, fix_text, fixing_changes, keeping_changes, why_of_keeping
from airflow_provider_schemas.core.compatibility.returns import brings_back
from airflow_provider_schemas.core.contracts.read_ways import resolves_aliases
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.severity import PROVABLE, Ruling
from airflow_provider_schemas.core.report import Answers, Finding, Verdict, at_most, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class Assessment(Struct, frozen=True):
    """What one rule says of an observation, before it is put into a sentence."""

    rule: str
    answers: Answers
    broken: BrokenReaders = NOBODY
    versions: tuple[int, ...] = ()
    gaps: str = ""
    """What engines make of old files."""
    proof: str = ""
    """What evidence says, as a clause of a sentence."""
    proven: bool = False


class FindingComposer:
    """Makes findings about one step, under one policy."""

    def __init__(
        self,
        new: TableSchema,
        lookup: Lookup,
        contracts: "Sequence[Contract]",
        history: History,
        *,
        ruling: Ruling,
        readers: Sequence[Reader],
        now: datetime,
        sound: bool,
    ) -> None:
        self._new = new
        self._lookup = lookup
        self._contracts = contracts
        self._history = history
        self._ruling = ruling
        self._readers = readers
        self._now = now
        self._sound = sound
        self._by_id_or_name = {reader.by for reader in readers}
        self._contract_count = "1 contract" if len(contracts) == 1 else f"{len(contracts)} contracts"
        self._owner = _table_attribute(new, "owner")
        self._contact = _table_attribute(new, "contact")

    def compose(self, observation: Observation, assessment: Assessment) -> Finding:
        """Return the finding, with the verdict of the policy.

        `verdicts` is what the rule answers to each question, of any table; `data`, `jobs` and `writers` are the same answers for the
        readers and contracts of this table; `verdict` is what the policy makes of these three. `MilderFindings` may change the three,
        and then has the finding ruled again: nothing but `Ruling.ruled` may set its verdict and `waived`.
        """
        rule = assessment.rule
        consumers = assessment.broken.consumers
        rule_answers = self._rule_answers(assessment)
        way = self._alias_way(observation, assessment)
        unruled = Finding(
            rule,
            observation.path,
            self._message(observation, assessment),
            fix_text(rule, observation, self._new, way, again=brings_back(observation, self._history)),
            changes=self._changes(rule, observation, way),
            why=why_of_keeping(way) if way else "",
            id=observation.id,
            old=observation.old,
            new=observation.new,
            verdicts=rule_answers,
            data=worst([rule_answers.data(by) for by in self._by_id_or_name]),
            # Not yet the weight that the policy gives it: where jobs are registered, their contracts answer instead of the rule.
            jobs=self._ruling.jobs(rule_answers.jobs, consumers),
            writers=Verdict.BREAK if assessment.broken.writes else rule_answers.writers,
            consumers=consumers,
            owner=self._owner,
            contact=self._contact,
            versions=assessment.versions,
            proven=assessment.proven,
        )
        if consumers or self._ruling.policy.exceptions:
            return self._ruling.ruled(unruled, observation.paths)
        return self._ruling.ruled(unruled, ())  # only exceptions and contracts ask for paths

    def _message(self, observation: Observation, assessment: Assessment) -> str:
        """Return the sentence of the rule, and what engines and evidence say where the sentence leaves that out."""
        sentence = RULES[assessment.rule].says
        gaps = assessment.gaps
        proof = assessment.proof
        words = {
            "path": observation.path,
            "old": observation.old,
            "new": observation.new,
            "id": observation.id,
            "until": "",
            "gaps": gaps or "a listed engine",
            "what": "the comment of",
            **observation.words,
            "proof": proof,
            "contracts": self._contract_count,
        }
        message = sentence.format_map(words)
        if gaps and "{gaps}" not in sentence:
            message = f"{message} {gaps[0].upper()}{gaps[1:]}."
        if proof and assessment.proven and "{proof}" not in sentence:
            message = f"{message} {proof[0].upper()}{proof[1:]}."
        return message

    def _rule_answers(self, assessment: Assessment) -> Answers:
        """Return the answers of the rule; evidence makes those about data warn at most."""
        answers = assessment.answers
        if not assessment.proven or assessment.rule not in PROVABLE:
            return answers
        return msgspec.structs.replace(
            answers, data_by_id=at_most(Verdict.WARN, answers.data_by_id), data_by_name=at_most(Verdict.WARN, answers.data_by_name)
        )

    def _changes(self, rule: str, observation: Observation, way: str) -> tuple[SchemaChange, ...]:
        """Return what would take the finding away, where it can be done; a name that another field keeps as an alias is not given away."""
        if not self._sound or rule not in (observation.rule, "TYPE_WIDENED_ENGINE_GAP"):
            return ()
        if way:
            return keeping_changes(observation, self._new, self._now)
        changes = fixing_changes(observation, self._new)
        if observation.id is not None and any(self._takes_alias(change, observation.id) for change in changes):
            return ()
        return changes

    def _takes_alias(self, change: SchemaChange, field_id: int) -> bool:
        return isinstance(change, RenameColumn) and self._lookup.is_kept_elsewhere(change.new_name, field_id)

    def _alias_way(self, observation: Observation, assessment: Assessment) -> str:
        """Return the way in which all broken jobs read, if an alias would work for it; empty otherwise."""
        broken = assessment.broken
        if not broken.consumers or broken.writes or assessment.rule != observation.rule or not can_be_kept(observation, self._new):
            return ""
        names = {consumer.name for consumer in broken.consumers}
        ways = {contract.read_with for contract in self._contracts if contract.name in names}
        if len(ways) != 1:
            return ""
        way = ways.pop()
        if resolves_aliases(way, self._readers):
            return way
        return ""


def _table_attribute(schema: TableSchema, key: str) -> str:
    """Return an attribute of the table that is a text; empty where there is none, or where attributes cannot be read."""
    try:
        value = schema.table_attributes.get(key)
    except SchemaError:
        return ""
    if isinstance(value, str):
        return value
    return ""
