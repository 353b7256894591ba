"""The order in which one step is judged under one policy: from observations to findings.

For each observation: what it means for old files, whom it breaks, which rule speaks, the finding, what makes the finding milder, and
findings about files older than the last schema and about engines that cannot hold the new type.
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
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas, Hit, hits
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
    contracts: "Sequence[Contract]"
    evidence: "Sequence[Evidence]"
    history: History
    """All earlier schemas."""
    past: History
    """Those of them that files may have been written with, whichever of them count."""
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
        self._milder = MilderFindings(case.history, case.past, case.files, readers, self._ruling)
        self._only_last_schema = not case.files.past.numbers and case.files.old is case.old
        self._known_hits: dict[tuple[Any, ...], list[Hit]] = {}

    def findings(self) -> Iterator[Finding]:
        """Yield the findings in the order of the observations; then what contracts lack that no observation explains."""
        for number, observation in enumerate(self._observations):
            old_data = self._hits(observation)
            mended = self._mended.consumers(number)
            for finding in self._judge(observation, old_data, self._broken.broken(number)):
                yield self._milder.after_mending(finding, observation, old_data, mended)
            if self._selective_readers:
                yield from self._unrepresentable(observation)
        for lack in self._broken.unexplained:
            yield self._ruling.ruled(lack, called(lack))

    def notes(self) -> Iterator[str]:
        """Yield what has to be said besides findings: of the policy, and of evidence that did not help."""
        yield from self._ruling.notes()
        yield from self._proofs.notes(self._observations)

    # ------------------------------------------------------------ one observation

    def _judge(self, observation: Observation, found_hits: Sequence[Hit], broken: BrokenReaders) -> Iterator[Finding]:
        """Yield the finding about an observation, and those about files older than the last schema."""
        own_hits = [hit for hit in found_hits if _is_own(hit, observation)]
        applied = self._applied_rule(observation, own_hits, broken.consumers)
        if applied.rule != observation.rule:  # another rule says itself what becomes of data
            own_hits = []
            found_hits = ()
        finding = self._composer.compose(observation, self._assess(observation, applied, own_hits, broken))
        yield self._milder.after_return(finding, observation, found_hits)
        if len(found_hits) > len(own_hits):
            yield from self._about_older_files(observation, found_hits)

    def _hits(self, observation: Observation) -> list[Hit]:
        """Return what the observation means for old files; where only files of the last schema count, it is remembered by types."""
        if not self._only_last_schema or observation.variant == RETURNED or not isinstance(observation.before, AtomicType):
            return list(hits(observation, self._case.files, self._readers))
        key = (observation.rule, observation.variant, observation.where.column is None, observation.before, observation.after)
        known = self._known_hits.get(key)
        if known is None:
            known = self._known_hits[key] = list(hits(observation, self._case.files, self._readers))
        return known

    def _applied_rule(self, observation: Observation, own_hits: Sequence[Hit], consumers: tuple[Consumer, ...]) -> _AppliedRule:
        """Return the rule that speaks: evidence may prove a change safe, and complete contracts that nobody reads a field."""
        rule = observation.rule
        if rule == "NULLABILITY_TIGHTENED":
            proof = self._proofs.of_not_null(observation)
            if proof is not None:
                return _AppliedRule("NULLABILITY_TIGHTENED_PROVEN", proof.null_proof, proven=True)
        elif rule in PROVABLE:
            earlier_types = (parse_any(hit.old) for hit in own_hits if hit.old != observation.old)
            proof = self._proofs.of_type(observation, observation.before, earlier_types)
            if proof is not None:
                return _AppliedRule(rule, proof.type_proof, proven=True)
        elif rule == "FIELD_DROPPED" and not consumers and self._registry_complete and not self._read_fields.include(observation):
            return _AppliedRule("FIELD_DROPPED_UNREAD")
        return _AppliedRule(rule)

    def _assess(self, observation: Observation, applied: _AppliedRule, own_hits: Sequence[Hit], broken: BrokenReaders) -> Assessment:
        """Return what the rule says: of data what the hits say, of jobs and writers what the rule itself says."""
        rule = _rule_of_hits(own_hits, observation) if own_hits else applied.rule
        answers = RULES[rule].answers(observation.variant)
        if applied.rule == observation.rule:
            answers = _with_data_of_hits(answers, own_hits)
        return Assessment(
            rule,
            answers,
            broken,
            versions=_versions(own_hits, self._case.old.id),
            gaps="; ".join([hit.gaps for hit in own_hits if hit.gaps]),
            proof=applied.proof,
            proven=applied.proven,
        )

    # ------------------------------------------------------------ files older than the last schema

    def _about_older_files(self, observation: Observation, found_hits: Sequence[Hit]) -> Iterator[Finding]:
        """Yield what the change means for files older than the last schema: for data only."""
        for hit in found_hits:
            if not _is_own(hit, observation) and worst((hit.answers.data_by_id, hit.answers.data_by_name)) is not Verdict.OK:
                yield self._about_hit(hit, observation)

    def _about_hit(self, hit: Hit, observation: Observation) -> Finding:
        answers = Answers(hit.answers.data_by_id, hit.answers.data_by_name)
        older = Observation(
            rule=hit.rule,
            where=observation.where,
            path=observation.path,
            id=observation.id,
            old=hit.old,
            new=observation.new,
            before=observation.before,
            after=observation.after,
        )
        proven = hit.rule in PROVABLE and self._proofs.of_type(observation, parse_any(hit.old)) is not None
        finding = self._composer.compose(older, Assessment(hit.rule, answers, gaps=hit.gaps, proven=proven))
        contents = f"Files of schema {', '.join(map(str, hit.versions))} hold {hit.old}."
        return msgspec.structs.replace(finding, versions=hit.versions, message=f"{finding.message} {contents}")

    # ------------------------------------------------------------ engines that cannot hold the type

    def _unrepresentable(self, observation: Observation) -> Iterator[Finding]:
        for missing in newly_unrepresentable(observation, self._selective_readers):
            yield self._composer.compose(missing, Assessment(missing.rule, RULES[missing.rule].answers()))


def _is_own(hit: Hit, observation: Observation) -> bool:
    """Return whether the hit is about what the step itself does, and not about what an earlier type makes of it."""
    return hit.old == observation.old or hit.rule == observation.rule


def _rule_of_hits(own_hits: Sequence[Hit], observation: Observation) -> str:
    """Return the rule that a finding shows: that of the last schema's files, where these are among the hits."""
    return next((hit.rule for hit in own_hits if hit.old == observation.old), own_hits[0].rule)


def _with_data_of_hits(own: Answers, found_hits: Sequence[Hit]) -> Answers:
    """Return the answers of a rule, those about data taken from the hits; what is invalid stays so."""
    if own.data_by_id is Verdict.INVALID:
        return own
    if len(found_hits) == 1:
        data = found_hits[0].answers
        return Answers(data.data_by_id, data.data_by_name, own.jobs, own.writers)
    by_id = worst([hit.answers.data_by_id for hit in found_hits])
    by_name = worst([hit.answers.data_by_name for hit in found_hits])
    return Answers(by_id, by_name, own.jobs, own.writers)


def _versions(found_hits: Sequence[Hit], newest: int) -> tuple[int, ...]:
    """Return the versions that hits are about, lowest first. A single hit does not name the newest version, which it always concerns."""
    if len(found_hits) != 1:
        numbers = set[int]()
        for hit in found_hits:
            numbers.update(hit.versions)
        return tuple(sorted(numbers))
    versions = found_hits[0].versions
    place = bisect_left(versions, newest)
    if place < len(versions) and versions[place] == newest:
        return versions[:place] + versions[place + 1 :]
    return versions
