"""What was seen, under a policy: findings with answers, broken readers, verdict, fix."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange
from airflow_provider_schemas.core.compatibility.aliased_renames import told_aliases
from airflow_provider_schemas.core.compatibility.broken_contracts import Victims, top
from airflow_provider_schemas.core.compatibility.fixes import (
    can_be_kept,
    fix_of_mending,
    fix_text,
    fixing_changes,
    keeping_changes,
    keeps,
    why_of_keeping,
)
from airflow_provider_schemas.core.compatibility.mended_contracts import Mended
from airflow_provider_schemas.core.compatibility.old_data import Hit, Written, hits, lost_versions, stops, unheld
from airflow_provider_schemas.core.compatibility.repairs import hidden, mends
from airflow_provider_schemas.core.compatibility.returns import fix_of, is_told, message_of, restored, returns, why_of
from airflow_provider_schemas.core.contracts.lack import called
from airflow_provider_schemas.core.contracts.read_ways import resolves_aliases
from airflow_provider_schemas.core.contracts.roles import Accepts
from airflow_provider_schemas.core.difference import RENAMING, RETURNED, Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import PROVABLE, Ruling
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Verdict, at_most, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence

# Rules of fields that were not there, so that no reader has had to hold them.
_NEW_FIELDS = frozenset({"FIELD_ADDED_NULLABLE", "FIELD_ADDED_WRITE_DEFAULT", "FIELD_ADDED_REQUIRED", "FIELD_READDED"})


class Case(Struct, frozen=True):
    """What a judge has to know besides the policy."""

    old: TableSchema
    new: TableSchema
    seen: tuple[Observation, ...]
    files: Written
    contracts: "Sequence[Contract]"
    evidence: "Sequence[Evidence]"
    history: History
    """All earlier schemas."""
    past: History
    """Those of them that files may have been written with, whichever of them count."""
    sound: bool = True
    """Whether the new schema is valid, so that changes can be applied to it."""


class _About(NamedTuple):
    """Who answers for the table."""

    owner: str
    contact: str


class Judge:
    """Makes findings of what was seen."""

    def __init__(self, case: Case, policy: Judging, now: datetime) -> None:
        self.policy, self.now = policy, now
        self.readers: tuple[Reader, ...] = policy.profiles
        self.case = msgspec.structs.replace(case, seen=told_aliases(case.seen, case.contracts, Lookup(case.old), self.readers))
        self.victims = Victims(case.old, case.new, case.contracts, self.case.seen, now=now, engines=self.readers)
        self.mended = Mended(self.victims.old, self.victims.new, self.victims.fitting, self.case.seen, now=now, engines=self.readers)
        self.about = _about(case.new)
        self.ruling = Ruling(policy, now)
        self.evidence: dict[str, list[Evidence]] = {}
        for one in case.evidence:
            self.evidence.setdefault(one.path, []).append(one)
        self.used: set[Evidence] = set()
        self.helpless: dict[str, None] = {}
        self._known_hits: dict[tuple[Any, ...], list[Hit]] = {}
        self._ways = {one.by for one in self.readers}
        self._contracts = _counted(len(case.contracts))
        # Paimon holds every type, and whoever says nothing reads with Paimon.
        self._particular = [one for one in self.readers if one.name != "paimon"]

    def findings(self) -> Iterator[Finding]:
        for number, seen in enumerate(self.case.seen):
            lacks = self.victims.of.get(number, ())
            consumers = tuple({one.name: one for lack in reversed(lacks) for one in lack.consumers}.values())[::-1] if lacks else ()
            writes = any(lack.writers is Verdict.BREAK for lack in lacks)
            for finding in self._of(seen, consumers, writes):
                yield self._mending(finding, seen, number)
            if self._particular:
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
        found = self._hits(seen)
        mine = [hit for hit in found if _is_own(hit, seen)] if found else []
        rule, proof, proven = self._rule(seen, consumers, mine)
        own = RULES[rule].answers(seen.variant)
        found, mine = (found, mine) if rule == seen.rule else ([], [])
        shown = next((hit.rule for hit in mine if hit.old == seen.old), mine[0].rule) if mine else rule
        own = RULES[shown].answers(seen.variant) if shown != rule else own
        data = [hit.answers for hit in mine] if rule == seen.rule else [own]
        by_id, by_name = _data(own, data)
        answers = Answers(by_id, by_name, own.jobs, own.writers)
        versions = _versions(mine, self.case.old.id)
        gaps = "; ".join([hit.gaps for hit in mine if hit.gaps])
        finding = self._finding(shown, seen, answers, consumers, writes, versions=versions, gaps=gaps, proof=proof, proven=proven)
        yield self._returning(finding, seen, found)
        for hit in found if len(found) > len(mine) else ():
            if hit not in mine and worst((hit.answers.data_by_id, hit.answers.data_by_name)) is not Verdict.OK:
                yield self._earlier(hit, seen)

    def _hits(self, seen: Observation) -> list[Hit]:
        """What it means for old files; where only files of the old schema count, the same for all columns of these types."""
        files = self.case.files
        only_old = not files.past.numbers and files.old is self.case.old and seen.variant != RETURNED
        if not only_old or not isinstance(seen.before, AtomicType):
            return list(hits(seen, files, self.readers))
        key = (seen.rule, seen.variant, seen.where.column is None, seen.before, seen.after)
        found = self._known_hits.get(key)
        if found is None:
            found = self._known_hits[key] = list(hits(seen, files, self.readers))
        return found

    def _returning(self, finding: Finding, seen: Observation, found: Sequence[Hit]) -> Finding:
        """The finding; where the field only gets back what it had, it says which files that concerns, and proposes no way round."""
        case = self.case
        if finding.verdict is Verdict.INVALID or not returns(seen, case.history):
            return finding
        again, lost = restored(seen, case.past, self.readers), lost_versions(seen, found, case.files, self.readers)
        mended = self._repairs(seen, found)
        keeping = finding.changes if keeps(finding) else ()
        said = {} if keeping else {"fix": fix_of(seen, again, lost, breaks=bool(finding.consumers), mended=mended) or finding.fix}
        returned = msgspec.structs.replace(
            finding,
            message=message_of(seen, finding.message, again, lost, case.files),
            why=finding.why or why_of(seen),
            restores=again,
            changes=keeping,
            data=at_most(Verdict.WARN, finding.data) if mended else finding.data,
            **said,
        )
        return self.ruling.ruled(returned, seen.paths)

    def _repairs(self, seen: Observation, found: Sequence[Hit]) -> bool:
        """Whether the field gets back what it had, and at least as many versions that count with it as go."""
        files = self.case.files
        return is_told(seen, self.case.history) and mends(seen, files, self.readers, lost_versions(seen, found, files, self.readers))

    def _serves(self, finding: Finding, seen: Observation) -> bool:
        """Whether what comes back outweighs what goes: as much of it, or a name that the registered readers need, which is no other's."""
        if seen.rule in RENAMING and finding.restores:
            return not hidden(seen, self.case.files)
        return self._repairs(seen, self._hits(seen))

    def _mending(self, finding: Finding, seen: Observation, number: int) -> Finding:
        """The finding; one that gives registered readers what they lack, and takes nothing from others, breaks no reader and no writer."""
        mended = tuple(self.mended.of.get(number, ()))
        if not mended or finding.rule != seen.rule:
            return finding
        found = msgspec.structs.replace(finding, mends=mended)
        if finding.consumers or finding.verdict is Verdict.INVALID:
            return found
        softer = msgspec.structs.replace(
            found,
            fix=found.fix if is_told(seen, self.case.history) else fix_of_mending(seen),
            changes=(),
            data=at_most(Verdict.WARN, found.data) if self._serves(found, seen) else found.data,
            jobs=at_most(Verdict.WARN, found.jobs),
            writers=at_most(Verdict.WARN, found.writers),
        )
        return self.ruling.ruled(softer, seen.paths)

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

    def _proof(self, seen: Observation, proves: "Callable[[Evidence], bool]") -> "Evidence | None":
        """The evidence that proves it, if there is any."""
        there = (one for path in seen.paths for one in self.evidence.get(path, ()))
        found = next((one for one in there if one.is_about(seen.id) and proves(one)), None)
        self.used.update([found] if found is not None else [])
        return found

    def _type_proof(self, seen: Observation, types: Sequence[Any]) -> "Evidence | None":
        """The evidence that all values fit the new type; an engine that stops at an old type stops whatever the values are."""
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
        for reader in self._particular:
            missing = unheld(kind, reader)
            held_before = not (isinstance(seen.before, DataType) and unheld(seen.before, reader))
            if missing is not None and held_before:
                words = {**seen.words, "engine": reader.name}
                at = Observation(rule="TYPE_UNREPRESENTABLE", where=seen.where, path=seen.path, id=seen.id, new=str(missing), words=words)
                yield self._finding(at.rule, at, RULES[at.rule].answers(), (), False)

    def _changes(self, rule: str, seen: Observation, way: str) -> tuple[SchemaChange, ...]:
        """What would take the finding away, where it can be done; a name that another field keeps as an alias is not given away."""
        if not self.case.sound or rule not in (seen.rule, "TYPE_WIDENED_ENGINE_GAP"):
            return ()
        if way:
            return keeping_changes(seen, self.case.new, self.now)
        changes = fixing_changes(seen, self.case.new)
        names = [change.new_name for change in changes if isinstance(change, RenameColumn)]
        taken = seen.id is not None and any(self.victims.new.is_kept_elsewhere(name, seen.id) for name in names)
        return () if taken else changes

    def _way(self, consumers: tuple[Consumer, ...]) -> str:
        """The way in which all of these jobs read, if it is one for which an alias works."""
        if not consumers:
            return ""
        ways = {contract.read_with for contract in self.case.contracts if contract.name in {one.name for one in consumers}}
        return next(iter(ways)) if len(ways) == 1 and all(resolves_aliases(one, self.readers) for one in ways) else ""

    # ------------------------------------------------------------ a finding

    def _finding(
        self,
        rule: str,
        seen: Observation,
        answers: Answers,
        consumers: tuple[Consumer, ...],
        writes: bool,
        *,
        versions: tuple[int, ...] = (),
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
            "gaps": gaps or "a listed engine",
            "what": "the comment of",
            **seen.words,
            "proof": proof,
            "contracts": self._contracts,
        }
        message = row.says.format_map(words)
        if gaps and "{gaps}" not in row.says:
            message = f"{message} {gaps[0].upper()}{gaps[1:]}."
        if proven and "{proof}" not in row.says:
            message = f"{message} {proof[:1].upper()}{proof[1:]}." if proof else message
        if proven and rule in PROVABLE:
            answers = msgspec.structs.replace(
                answers, data_by_id=at_most(Verdict.WARN, answers.data_by_id), data_by_name=at_most(Verdict.WARN, answers.data_by_name)
            )
        way = self._way(consumers) if rule == seen.rule and not writes and can_be_kept(seen, self.case.new) else ""
        finding = Finding(
            rule,
            seen.path,
            message,
            fix_text(rule, seen, self.case.new, way, again=returns(seen, self.case.history)),
            changes=self._changes(rule, seen, way),
            why=why_of_keeping(way) if way else "",
            id=seen.id,
            old=seen.old,
            new=seen.new,
            verdicts=answers,
            data=worst([answers.data_by_id if way == "id" else answers.data_by_name for way in self._ways]),
            jobs=self.ruling.jobs(answers.jobs, consumers),
            writers=Verdict.BREAK if writes else answers.writers,
            consumers=consumers,
            owner=self.about.owner,
            contact=self.about.contact,
            versions=versions,
            proven=proven,
        )
        return self.ruling.ruled(finding, seen.paths if consumers or self.policy.exceptions else ())


def unrepresentable(kind: DataType, path: str, number: int, readers: Sequence[Reader]) -> Iterator[Finding]:
    """What listed engines cannot hold of a column that is there from the start."""
    rule = RULES["TYPE_UNREPRESENTABLE"]
    answers = rule.answers()
    for reader in readers:
        missing = None if reader.name == "paimon" else unheld(kind, reader)
        if missing is not None:
            message = rule.says.format_map({"engine": reader.name, "path": path, "new": str(missing)})
            found = Finding(rule.id, path, message, rule.fix, id=number, new=str(missing), verdicts=answers)
            yield msgspec.structs.replace(found, data=Verdict.INVALID, jobs=Verdict.INVALID, writers=Verdict.INVALID)


def _versions(hits: Sequence[Hit], newest: int) -> tuple[int, ...]:
    """Return the versions that hits are about, lowest first. Where it is one hit, the newest version goes without saying."""
    if len(hits) != 1:
        return tuple(sorted({number for hit in hits for number in hit.versions}))
    numbers = hits[0].versions
    place = bisect_left(numbers, newest)
    return numbers[:place] + numbers[place + 1 :] if place < len(numbers) and numbers[place] == newest else numbers


def _is_own(hit: Hit, seen: Observation) -> bool:
    """Whether it is what the step itself does, and not what an earlier type makes of it."""
    return hit.old == seen.old or hit.rule == seen.rule


def _data(own: Answers, found: Sequence[Answers]) -> tuple[Verdict, Verdict]:
    if own.data_by_id is Verdict.INVALID:
        return own.data_by_id, own.data_by_name
    if len(found) == 1:
        return found[0].data_by_id, found[0].data_by_name
    return worst([one.data_by_id for one in found]), worst([one.data_by_name for one in found])


def _about(schema: TableSchema) -> _About:
    try:
        found = schema.table_attributes
    except SchemaError:
        return _About("", "")
    return _About(*(value if isinstance(value := found.get(key), str) else "" for key in ("owner", "contact")))


def _counted(contracts: int) -> str:
    return "1 contract" if contracts == 1 else f"{contracts} contracts"
