"""The order in which one step is judged under one policy: from observations to findings.

`Judge.findings` shows it. For each observation: what it means for old files, whom it breaks and mends, which rule speaks, the finding,
what makes the finding milder, and findings about files older than the last schema and about engines that cannot hold the new type.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.compatibility.aliased_renames import judge_aliases
from airflow_provider_schemas.core.compatibility.broken_contracts import BrokenContracts, BrokenReaders
from airflow_provider_schemas.core.compatibility.findings import Assessment, FindingComposer
from airflow_provider_schemas.core.compatibility.mended_contracts import MendedContracts
from airflow_provider_schemas.core.compatibility.milder_findings import MilderFindings
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas, OldDataEffect, old_data_effects
from airflow_provider_schemas.core.compatibility.proofs import Proofs
from airflow_provider_schemas.core.compatibility.read_fields import ReadFields
from airflow_provider_schemas.core.compatibility.unrepresentable import newly_unrepresentable, selective
from airflow_provider_schemas.core.contracts.lack import called
from airflow_provider_schemas.core.difference import RETURNED, Observation
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import PROVABLE, Ruling
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.parsing import parse_any

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence


class Case(Struct, frozen=True):
    """One step, and what is known besides the policy."""

    old: TableSchema
    new: TableSchema
    observations: tuple[Observation, ...]
    files: FileSchemas
    """The schemas whose files the policy wants to stay readable: the old one alone, those in use, or all."""
    contracts: "Sequence[Contract]"
    evidence: "Sequence[Evidence]"
    history: History
    """All earlier schemas: they say whose an id was, and what a field was before."""
    live_history: History
    """Those of them that are in use; all, if that is unknown. The policy need not count them: `files` is what it counts."""
    sound: bool = True
    """Whether the new schema is valid, so that changes can be applied to it."""


class _AppliedRule(NamedTuple):
    """The rule that speaks of an observation, and what evidence proves."""

    rule: str
    proof: str = ""
    proven: bool = False


class Judge:
    """Judges the observations of one step under one policy."""

    def __init__(self, case: Case, policy: Judging, now: datetime) -> None:
        readers = policy.profiles
        contracts = case.contracts
        old = Lookup(case.old)
        new = Lookup(case.new)
        self._case = case
        self._registry_complete = policy.registry_complete
        self._readers = readers
        self._selective_readers = selective(readers)
        self._observations = judge_aliases(case.observations, contracts, old, readers)
        self._broken = BrokenContracts(old, new, contracts, self._observations, now=now, readers=readers)
        self._mended = MendedContracts(old, new, self._broken.fitting, self._observations, now=now, readers=readers)
        self._read_fields = ReadFields(old, contracts)
        self._proofs = Proofs(case.evidence, readers)
        self._ruling = Ruling(policy, now)
        self._composer = FindingComposer(
            case.new, new, contracts, case.history, ruling=self._ruling, readers=readers, now=now, sound=case.sound
        )
        self._milder = MilderFindings(case.history, case.live_history, case.files, readers, self._ruling)
        self._only_last_schema = not case.files.counted_history.numbers and case.files.old is case.old
        self._known_effects: dict[tuple[Any, ...], list[OldDataEffect]] = {}

    def findings(self) -> Iterator[Finding]:
        """Yield the findings in the order of the observations; then what contracts lack that no observation explains."""
        for index, observation in enumerate(self._observations):
            effects = self._old_data_effects(observation)
            mended = self._mended.consumers_mended_by(index)
            for finding in self._compose_findings(observation, effects, self._broken.readers_broken_by(index)):
                yield self._milder.after_mending(finding, observation, effects, mended)
            if self._selective_readers:
                yield from self._unrepresentable(observation)
        for lack in self._broken.unexplained:
            yield self._ruling.ruled(lack, called(lack))

    def notes(self) -> Iterator[str]:
        """Yield what has to be said besides findings: of the policy, and of evidence that did not help."""
        yield from self._ruling.notes()
        yield from self._proofs.notes(self._observations)

    # ------------------------------------------------------------ one observation

    def _compose_findings(self, observation: Observation, effects: Sequence[OldDataEffect], broken: BrokenReaders) -> Iterator[Finding]:
        """Yield the finding about an observation, and those about files older than the last schema."""
        own_effects = [effect for effect in effects if _is_own(effect, observation)]
        applied = self._applied_rule(observation, own_effects, broken.consumers)
        if applied.rule != observation.rule:  # another rule says itself what becomes of data
            own_effects = []
            effects = ()
        finding = self._composer.compose(observation, self._assess(observation, applied, own_effects, broken))
        yield self._milder.after_return(finding, observation, effects)
        if len(effects) > len(own_effects):
            yield from self._about_older_files(observation, effects)

    def _old_data_effects(self, observation: Observation) -> list[OldDataEffect]:
        """Return what the observation means for old files; where only files of the last schema count, it is remembered by types."""
        if not self._only_last_schema or observation.variant == RETURNED or not isinstance(observation.before, AtomicType):
            return list(old_data_effects(observation, self._case.files, self._readers))
        key = (observation.rule, observation.variant, observation.where.column is None, observation.before, observation.after)
        known = self._known_effects.get(key)
        if known is None:
            known = self._known_effects[key] = list(old_data_effects(observation, self._case.files, self._readers))
        return known

    def _applied_rule(
        self, observation: Observation, own_effects: Sequence[OldDataEffect], consumers: tuple[Consumer, ...]
    ) -> _AppliedRule:
        """Return the rule that speaks: evidence may prove a change safe, and complete contracts that nobody reads a field."""
        rule = observation.rule
        if rule == "NULLABILITY_TIGHTENED":
            proof = self._proofs.of_not_null(observation)
            if proof is not None:
                return _AppliedRule("NULLABILITY_TIGHTENED_PROVEN", proof.null_proof, proven=True)
        elif rule in PROVABLE:
            earlier_types = (parse_any(effect.old) for effect in own_effects if effect.old != observation.old)
            proof = self._proofs.of_type(observation, observation.before, earlier_types)
            if proof is not None:
                return _AppliedRule(rule, proof.type_proof, proven=True)
        elif rule == "FIELD_DROPPED" and not consumers and self._registry_complete and not self._read_fields.include(observation):
            return _AppliedRule("FIELD_DROPPED_UNREAD")
        return _AppliedRule(rule)

    def _assess(
        self, observation: Observation, applied: _AppliedRule, own_effects: Sequence[OldDataEffect], broken: BrokenReaders
    ) -> Assessment:
        """Return what the rule says: of data what the effects say, of jobs and writers what the rule itself says."""
        rule = _rule_of_effects(own_effects, observation) if own_effects else applied.rule
        answers = RULES[rule].answers(observation.variant)
        if applied.rule == observation.rule:
            answers = _with_data_of_effects(answers, own_effects)
        return Assessment(
            rule,
            answers,
            broken,
            versions=_versions(own_effects, self._case.old.id),
            gaps="; ".join([effect.gaps for effect in own_effects if effect.gaps]),
            proof=applied.proof,
            proven=applied.proven,
        )

    # ------------------------------------------------------------ files older than the last schema

    def _about_older_files(self, observation: Observation, effects: Sequence[OldDataEffect]) -> Iterator[Finding]:
        """Yield what the change means for files older than the last schema: for data only."""
        for effect in effects:
            if not _is_own(effect, observation) and worst((effect.answers.data_by_id, effect.answers.data_by_name)) is not Verdict.OK:
                yield self._about_effect(effect, observation)

    def _about_effect(self, effect: OldDataEffect, observation: Observation) -> Finding:
        answers = Answers(effect.answers.data_by_id, effect.answers.data_by_name)
        older = Observation(
            rule=effect.rule,
            where=observation.where,
            path=observation.path,
            id=observation.id,
            old=effect.old,
            new=observation.new,
            before=observation.before,
            after=observation.after,
        )
        proven = effect.rule in PROVABLE and self._proofs.of_type(observation, parse_any(effect.old)) is not None
        finding = self._composer.compose(older, Assessment(effect.rule, answers, gaps=effect.gaps, proven=proven))
        contents = f"Files of schema {', '.join(map(str, effect.versions))} hold {effect.old}."
        return msgspec.structs.replace(finding, versions=effect.versions, message=f"{finding.message} {contents}")

    # ------------------------------------------------------------ engines that cannot hold the type

    def _unrepresentable(self, observation: Observation) -> Iterator[Finding]:
        for missing in newly_unrepresentable(observation, self._selective_readers):
            yield self._composer.compose(missing, Assessment(missing.rule, RULES[missing.rule].answers()))


def _is_own(effect: OldDataEffect, observation: Observation) -> bool:
    """Return whether the effect is about what the step itself does, and not about what an earlier type makes of it."""
    return effect.old == observation.old or effect.rule == observation.rule


def _rule_of_effects(own_effects: Sequence[OldDataEffect], observation: Observation) -> str:
    """Return the rule that a finding shows: that of the last schema's files, where these are among the effects."""
    return next((effect.rule for effect in own_effects if effect.old == observation.old), own_effects[0].rule)


def _with_data_of_effects(own: Answers, effects: Sequence[OldDataEffect]) -> Answers:
    """Return the answers of a rule, those about data taken from the effects; what is invalid stays so."""
    if own.data_by_id is Verdict.INVALID:
        return own
    if len(effects) == 1:
        data = effects[0].answers
        return Answers(data.data_by_id, data.data_by_name, own.jobs, own.writers)
    by_id = worst([effect.answers.data_by_id for effect in effects])
    by_name = worst([effect.answers.data_by_name for effect in effects])
    return Answers(by_id, by_name, own.jobs, own.writers)


def _versions(effects: Sequence[OldDataEffect], newest: int) -> tuple[int, ...]:
    """Return the versions that effects are about, lowest first; of a single effect without the newest version, which it always concerns."""
    if len(effects) != 1:
        numbers = set[int]()
        for effect in effects:
            numbers.update(effect.versions)
        return tuple(sorted(numbers))
    versions = effects[0].versions
    place = bisect_left(versions, newest)
    if place < len(versions) and versions[place] == newest:
        return versions[:place] + versions[place + 1 :]
    return versions
