"""What was seen, under a policy: findings with answers, victims, verdict, fix."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.compatibility.broken_contracts import Victims, top
from airflow_provider_schemas.core.compatibility.fixes import fix_text, fixing_changes
from airflow_provider_schemas.core.compatibility.old_data import Hit, hits, stops, unheld
from airflow_provider_schemas.core.contracts.check_contract import called
from airflow_provider_schemas.core.contracts.contract import Accepts, Contract
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import PROVABLE, Ruling
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Verdict, at_most, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import SchemaError

# Rules of fields that were not there, so that no reader has had to hold them.
_NEW_FIELDS = frozenset({"FIELD_ADDED_NULLABLE", "FIELD_ADDED_WRITE_DEFAULT", "FIELD_ADDED_REQUIRED", "FIELD_READDED"})


class Case(Struct, frozen=True):
    """What a judge has to know besides the policy."""

    old: TableSchema
    new: TableSchema
    seen: tuple[Observation, ...]
    files: tuple[TableSchema, ...]
    contracts: Sequence[Contract]
    evidence: Sequence[Evidence]
    sound: bool = True
    """Whether the new schema is valid, so that changes can be applied to it."""


class _About(NamedTuple):
    """Who answers for the table."""

    owner: str
    contact: str


class Judge:
    """Makes findings of what was seen."""

    def __init__(self, case: Case, policy: Policy, now: datetime) -> None:
        self.case, self.policy, self.now = case, policy, now
        self.readers: tuple[Reader, ...] = policy.profiles
        self.victims = Victims(case.old, case.new, case.contracts, case.seen, now=now, engines=self.readers)
        self.about = _about(case.new)
        self.ruling = Ruling(policy, now)
        self.evidence: dict[str, list[Evidence]] = {}
        for one in case.evidence:
            self.evidence.setdefault(one.path, []).append(one)
        self.used = set[Evidence]()
        self.helpless: dict[str, None] = {}

    def findings(self) -> Iterator[Finding]:
        for number, seen in enumerate(self.case.seen):
            lacks = self.victims.of.get(number, [])
            consumers = tuple({one.name: one for lack in reversed(lacks) for one in lack.consumers}.values())[::-1]
            writes = any(lack.writers is Verdict.BREAK for lack in lacks)
            yield from self._of(seen, consumers, writes)
            yield from self._unrepresentable(seen)
        for lack in self.victims.unexplained:
            yield self.ruling.ruled(lack, called(lack))

    def notes(self) -> Iterator[str]:
        """What is no finding and has to be said."""
        yield from self.ruling.notes()
        yield from self.helpless
        known = {path for seen in self.case.seen for path in seen.paths} if self.case.evidence else set()
        for one in self.case.evidence:
            if one.path not in known:
                yield f"the evidence for {one.path} speaks of nothing that changes"
            elif one not in self.used:
                proof = " and ".join(said for said in (one.null_proof, one.type_proof) if said)
                yield f"the evidence for {one.path} proves nothing that is asked here: {proof}"

    # ------------------------------------------------------------ one observation

    def _of(self, seen: Observation, consumers: tuple[Consumer, ...], writes: bool) -> Iterator[Finding]:
        found = list(hits(seen, self.case.old, self.case.files, self.readers))
        mine = [hit for hit in found if _is_own(hit, seen)]
        rule, proof, proven = self._rule(seen, consumers, mine)
        own = RULES[rule].answers(seen.variant)
        found, mine = (found, mine) if rule == seen.rule else ([], [])
        shown = next((hit.rule for hit in mine if hit.old == seen.old), mine[0].rule) if mine else rule
        own = RULES[shown].answers(seen.variant) if shown != rule else own
        data = [hit.answers for hit in mine] if rule == seen.rule else [own]
        by_id, by_name = _data(own, data)
        answers = Answers(by_id, by_name, own.jobs, own.writers)
        versions = tuple(sorted({number for hit in mine for number in hit.versions} - ({self.case.old.id} if len(mine) == 1 else set())))
        gaps = "; ".join(hit.gaps for hit in mine if hit.gaps)
        finding = self._finding(shown, seen, answers, consumers, writes, gaps=gaps, proof=proof, proven=proven)
        yield msgspec.structs.replace(finding, versions=versions)
        for hit in found:
            if hit not in mine and worst((hit.answers.data_by_id, hit.answers.data_by_name)) is not Verdict.OK:
                yield self._earlier(hit, seen)

    def _rule(self, seen: Observation, consumers: tuple[Consumer, ...], mine: Sequence[Hit]) -> tuple[str, str, bool]:
        """The rule, what proves it bearable, and whether anything does."""
        if seen.rule == "NULLABILITY_TIGHTENED":
            proof = self._proof(seen, lambda one: one.not_null)
            return (seen.rule, "", False) if proof is None else ("NULLABILITY_TIGHTENED_PROVEN", proof.null_proof, True)
        if seen.rule in PROVABLE:
            proof = self._type_proof(seen, [seen.before, *(parse_any(hit.old) for hit in mine if hit.old != seen.old)])
            return seen.rule, "" if proof is None else proof.type_proof, proof is not None
        if seen.rule == "FIELD_DROPPED" and not consumers and self._unread(seen):
            return "FIELD_DROPPED_UNREAD", "", False
        return seen.rule, "", False

    def _proof(self, seen: Observation, proves: Callable[[Evidence], bool]) -> Evidence | None:
        """The evidence that proves it, if there is any."""
        there = (one for path in seen.paths for one in self.evidence.get(path, ()))
        found = next((one for one in there if one.is_about(seen.id) and proves(one)), None)
        self.used.update([found] if found is not None else [])
        return found

    def _type_proof(self, seen: Observation, types: Sequence[Any]) -> Evidence | None:
        """The evidence that all values fit the new type; a reader that stops at an old type stops whatever the values are."""
        if not isinstance(seen.after, DataType):
            return None
        found = self._proof(seen, lambda one: one.covers(seen.after))
        stuck = [(one.name, before) for before in types for one in self.readers if stops(one, before, seen.after)]
        if found is None or not stuck:
            return found
        for reader, before in stuck:
            said = f"does not help {reader}, which reads no file of {before} as {seen.new}, whatever the values are"
            self.helpless[f"the evidence for {found.path} {said}: write the files anew first"] = None
        return None

    def _unread(self, seen: Observation) -> bool:
        """Whether no contract reads what was dropped."""
        if not self.policy.registry_complete or seen.id in self._read:
            return False
        return len(seen.where.steps) > 1 or all(top(seen.path) not in one.names for one in self.case.contracts)

    @cached_property
    def _read(self) -> frozenset[int]:
        """The fields that contracts read, by id; one that takes a whole struct, of whatever type, reads every field of it."""
        ids, whole = set[int](), set[int]()
        old = self.victims.old
        for need in (need for contract in self.case.contracts for need in contract.columns):
            found = old.by_id(need.id) if need.id is not None else old.called(old.path(need.name))
            ids.update(found.ids if found else ())
            if found and found.field.id not in whole and (need.kind is None or need.accepts is Accepts.ANY):
                whole.add(found.field.id)
                ids.update(all_ids([found.field]))
        return frozenset(ids)

    def _earlier(self, hit: Hit, seen: Observation) -> Finding:
        """What the change means for files older than the last schema's: for data only."""
        answers = Answers(hit.answers.data_by_id, hit.answers.data_by_name)
        at = Observation(
            rule=hit.rule, where=seen.where, path=seen.path, id=seen.id, old=hit.old, new=seen.new, before=seen.before, after=seen.after
        )
        proven = hit.rule in PROVABLE and self._type_proof(seen, [parse_any(hit.old)]) is not None
        finding = self._finding(hit.rule, at, answers, (), False, gaps=hit.gaps, proven=proven)
        of = f"Files of schema {', '.join(map(str, hit.versions))} hold {hit.old}."
        return msgspec.structs.replace(finding, versions=hit.versions, message=f"{finding.message} {of}")

    def _unrepresentable(self, seen: Observation) -> Iterator[Finding]:
        kind = seen.after.type if isinstance(seen.after, Field) and seen.rule in _NEW_FIELDS else seen.after
        if not isinstance(kind, DataType) or seen.rule in ("KEY_FIELD_RETYPED", "PARTITION_FIELD_RETYPED"):
            return  # the new type of a key is seen at the column too
        for reader in self.readers:
            missing = None if reader.name == "paimon" else unheld(kind, reader)
            held_before = not (isinstance(seen.before, DataType) and unheld(seen.before, reader))
            if missing is not None and held_before:
                words = {**seen.words, "reader": reader.name}
                at = Observation(rule="TYPE_UNREPRESENTABLE", where=seen.where, path=seen.path, id=seen.id, new=str(missing), words=words)
                yield self._finding(at.rule, at, RULES[at.rule].answers(), (), False)

    # ------------------------------------------------------------ a finding

    def _finding(
        self,
        rule: str,
        seen: Observation,
        answers: Answers,
        consumers: tuple[Consumer, ...],
        writes: bool,
        *,
        gaps: str = "",
        proof: str = "",
        proven: bool = False,
    ) -> Finding:
        row = RULES[rule]
        words = {
            "path": seen.path,
            "old": seen.old,
            "new": seen.new,
            "id": seen.id,
            "until": "",
            "gaps": gaps or "a listed reader",
            "what": "the comment of",
            **seen.words,
        }
        words |= {"proof": proof, "contracts": _counted(len(self.case.contracts))}
        message = row.says.format_map(words)
        if gaps and "{gaps}" not in row.says:
            message = f"{message} {gaps[0].upper()}{gaps[1:]}."
        if proven and "{proof}" not in row.says:
            message = f"{message} {proof[:1].upper()}{proof[1:]}." if proof else message
        if proven and rule in PROVABLE:
            answers = msgspec.structs.replace(
                answers, data_by_id=at_most(Verdict.WARN, answers.data_by_id), data_by_name=at_most(Verdict.WARN, answers.data_by_name)
            )
        finding = Finding(
            rule,
            seen.path,
            message,
            fix_text(rule, seen, self.case.new),
            changes=fixing_changes(seen, self.case.new) if self.case.sound and rule in (seen.rule, "TYPE_WIDENED_ENGINE_GAP") else (),
            id=seen.id,
            old=seen.old,
            new=seen.new,
            verdicts=answers,
            data=worst(answers.data_by_id if one.by == "id" else answers.data_by_name for one in self.readers),
            jobs=self.ruling.jobs(answers.jobs, consumers),
            writers=Verdict.BREAK if writes else answers.writers,
            consumers=consumers,
            owner=self.about.owner,
            contact=self.about.contact,
            proven=proven,
        )
        return self.ruling.ruled(finding, seen.paths)


def unrepresentable(kind: DataType, path: str, number: int, readers: Sequence[Reader]) -> Iterator[Finding]:
    """What listed readers cannot hold of a column that is there from the start."""
    rule = RULES["TYPE_UNREPRESENTABLE"]
    answers = rule.answers()
    for reader in readers:
        missing = None if reader.name == "paimon" else unheld(kind, reader)
        if missing is not None:
            message = rule.says.format_map({"reader": reader.name, "path": path, "new": str(missing)})
            found = Finding(rule.id, path, message, rule.fix, id=number, new=str(missing), verdicts=answers)
            yield msgspec.structs.replace(found, data=Verdict.INVALID, jobs=Verdict.INVALID, writers=Verdict.INVALID)


def _is_own(hit: Hit, seen: Observation) -> bool:
    """Whether it is what the step itself does, and not what an earlier type makes of it."""
    return hit.old == seen.old or hit.rule == seen.rule


def _data(own: Answers, found: Sequence[Answers]) -> tuple[Verdict, Verdict]:
    if own.data_by_id is Verdict.INVALID:
        return own.data_by_id, own.data_by_name
    return worst(one.data_by_id for one in found), worst(one.data_by_name for one in found)


def _about(schema: TableSchema) -> _About:
    try:
        found = schema.table_attributes
    except SchemaError:
        return _About("", "")
    return _About(*(value if isinstance(value := found.get(key), str) else "" for key in ("owner", "contact")))


def _counted(contracts: int) -> str:
    return "1 contract" if contracts == 1 else f"{contracts} contracts"
