"""A finding under a policy: what it weighs, what overrides it, and who has accepted it until when."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from airflow_provider_schemas.core.policies.levels import Level
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import SEVERITY, Consumer, Finding, Report, Verdict, at_most, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PolicyError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Waiver

# What evidence over all live files makes bearable: the rule stays, and only warns.
PROVABLE = frozenset({"TYPE_NARROWED", "DECIMAL_DIGITS_REDUCED", "LENGTH_TIGHTENED"})

NOT_LOOKED_AT = "TABLE_NOT_LOOKED_AT"

_OVERRIDES = {"ok": Verdict.OK, "warn": Verdict.WARN, "block": Verdict.BREAK}


def moment(now: object) -> datetime:
    """The moment at which something is judged; the present, unless one is given."""
    if now is None:
        return datetime.now(UTC)
    if not isinstance(now, datetime):
        raise PolicyError("now is no time.", code="policy.bad-value", path="now", fix="Pass a datetime with a zone.")
    return now if now.tzinfo else now.replace(tzinfo=UTC)


class Ruling:
    """Gives findings the verdict of one policy, and remembers what has to be said besides."""

    def __init__(self, policy: Judging, now: datetime) -> None:
        self.policy, self.now = policy, now
        self.ended: dict[str, None] = {}
        self._known: dict[tuple[object, ...], Verdict] = {}

    def notes(self) -> Iterator[str]:
        """What is no finding and has to be said."""
        yield from self.ended
        if self.policy.override:
            yield f"judged under a weaker policy than the table's own: {self.policy.override}"
        if not self.policy.enforced(self.now):
            yield f"the policy only warns until {self.policy.enforce_from}"
        for rule, level in self.policy.rules.items():
            if level != "block" and RULES[rule].letters == "!!!!":
                yield f"the policy sets {rule} to {level}, and what is invalid stays invalid"

    def ruled(self, finding: Finding, paths: Sequence[str]) -> Finding:
        """The finding with the verdict of the policy."""
        if not finding.consumers and not self.policy.exceptions:
            return msgspec.structs.replace(finding, verdict=self._verdict_for_nobody(finding), waived="")
        concerned = {"", *(one.name for one in finding.consumers)}
        waivers = [one for one in self._waivers(finding.rule, paths) if one.consumer in concerned]
        spared = {one.name for one in finding.consumers if self._spared(one, waivers, paths)}
        verdict = self._verdict(finding, tuple(one for one in finding.consumers if one.name not in spared))
        if any(not one.consumer for one in waivers) or not self.policy.enforced(self.now):
            verdict = at_most(Verdict.WARN, verdict)
        of_jobs = [waiver for one in finding.consumers for waiver in self._of_job(one, paths)]
        said = dict.fromkeys(map(str, [*waivers, *of_jobs]))
        return msgspec.structs.replace(finding, verdict=verdict, waived="; ".join(said))

    def _verdict_for_nobody(self, finding: Finding) -> Verdict:
        """The verdict on what breaks no registered reader and nobody has accepted: the same for all that answer alike."""
        key = (finding.rule, finding.verdicts.jobs, finding.data, finding.jobs, finding.writers, finding.proven)
        verdict = self._known.get(key)
        if verdict is None:
            verdict = self._verdict(finding, ())
            verdict = verdict if self.policy.enforced(self.now) else at_most(Verdict.WARN, verdict)
            self._known[key] = verdict
        return verdict

    def _waivers(self, rule: str, paths: Sequence[str]) -> "list[Waiver]":
        found = []
        for one in self.policy.waivers(rule, paths):
            if one.ended(self.now):
                self.ended[f"the exception for {one.rule} at {one.path} has ended ({one})"] = None
            else:
                found.append(one)
        return found

    def _of_job(self, consumer: Consumer, paths: Sequence[str]) -> "list[Waiver]":
        """The exceptions for what the job lacks, which is a rule of its own."""
        return [one for one in self._waivers(consumer.rule, paths) if one.consumer in ("", consumer.name)] if consumer.rule else []

    def _spared(self, consumer: Consumer, waivers: "Sequence[Waiver]", paths: Sequence[str]) -> bool:
        accepted = self.policy.rules.get(consumer.rule) in ("ok", "warn")
        return accepted or any(one.consumer == consumer.name for one in waivers) or bool(self._of_job(consumer, paths))

    # ------------------------------------------------------------ weighing

    def _verdict(self, finding: Finding, consumers: tuple[Consumer, ...]) -> Verdict:
        verdict = worst(self._weighed(finding, consumers))
        level = self.policy.rules.get(finding.rule)
        if verdict is not Verdict.INVALID and level is not None:
            return _OVERRIDES[level]
        if finding.rule == NOT_LOOKED_AT:
            return Verdict.BREAK if self.policy.descriptions == "block" else Verdict.WARN
        return at_most(Verdict.WARN, verdict) if finding.proven and finding.rule in PROVABLE and not consumers else verdict

    def _weighed(self, finding: Finding, consumers: tuple[Consumer, ...]) -> Iterator[Verdict]:
        protect = self.policy.protect
        jobs = finding.jobs if consumers or not finding.consumers else self.jobs(finding.verdicts.jobs, ())
        if finding.rule.startswith("EXPECT_") and not consumers:
            jobs = at_most(Verdict.WARN, jobs)  # nobody else lacks it
        for level, answer in ((protect.data, finding.data), (protect.jobs, jobs), (protect.writers, finding.writers)):
            if level is Level.BLOCK or (level is Level.CONTRACTS and consumers):
                yield answer
            elif level is Level.OFF:
                yield answer if answer is Verdict.INVALID else Verdict.OK
            else:
                yield at_most(Verdict.WARN, answer)

    def jobs(self, by_rule: Verdict, consumers: tuple[Consumer, ...]) -> Verdict:
        """Where all jobs are registered, their contracts decide; elsewhere any of the others may break."""
        if by_rule is Verdict.INVALID:
            return by_rule
        if consumers:
            return Verdict.BREAK
        return Verdict.OK if self.policy.registry_complete else by_rule


# ---------------------------------------------------------------- several policies

# Rules that say the same of one place, more or less strictly: which of them speaks depends on readers, versions and registry.
_ONE_MATTER: Mapping[str, str] = {
    **dict.fromkeys(("TYPE_WIDENED", "TIMESTAMP_PRECISION_RAISED", "LENGTH_RELAXED"), "TYPE_WIDENED_ENGINE_GAP"),
    **dict.fromkeys(("FIELD_ADDED_NULLABLE", "FIELD_ADDED_WRITE_DEFAULT"), "FIELD_READDED"),
    "FIELD_DROPPED_UNREAD": "FIELD_DROPPED",
    "FIELD_RENAMED_ALIASED": "FIELD_RENAMED",
}


def strictest(reports: Sequence[Report]) -> Report:
    """One report out of several about the same step: of each finding the worst."""
    if len(reports) == 1:
        return reports[0]
    found: dict[tuple[str, str, str], Finding] = {}
    for one in (finding for report in reports for finding in report.findings):
        matter = _ONE_MATTER.get(one.rule, one.rule)
        key = (matter, one.path, "" if matter == "FIELD_READDED" else one.old)
        found[key] = _joined(found[key], one) if key in found else one
    notes = tuple(dict.fromkeys(note for report in reports for note in report.notes))
    return msgspec.structs.replace(reports[0], findings=tuple(found.values()), notes=notes)


def _joined(one: Finding, other: Finding) -> Finding:
    """The worse of two findings about one thing, with the worse answer to each question."""
    worse = max(one, other, key=lambda finding: tuple(SEVERITY[said] for said in (finding.verdict, *_answered(finding))))
    data, jobs, writers = map(worst, zip(_answered(one), _answered(other), strict=True))
    return msgspec.structs.replace(worse, data=data, jobs=jobs, writers=writers)


def _answered(finding: Finding) -> tuple[Verdict, Verdict, Verdict]:
    return finding.data, finding.jobs, finding.writers
