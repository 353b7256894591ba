"""The verdict of a policy on a finding: from the answers of its rule, overrides, and exceptions that somebody accepted."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain

import msgspec

from airflow_provider_schemas.core.policies.levels import Level
from airflow_provider_schemas.core.policies.plain_policy import Exemption, Judging
from airflow_provider_schemas.core.report import SEVERITY, Consumer, Finding, Report, Verdict, at_most, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PolicyError

# Rules that evidence over all live files proves safe: they only warn then.
PROVABLE = frozenset({"TYPE_NARROWED", "DECIMAL_DIGITS_REDUCED", "LENGTH_TIGHTENED"})

NOT_LOOKED_AT = "TABLE_NOT_LOOKED_AT"

_OVERRIDES = {"ok": Verdict.OK, "warn": Verdict.WARN, "block": Verdict.BREAK}


def moment(now: object) -> datetime:
    """Return the moment at which something is judged; the present, unless one is given."""
    if now is None:
        return datetime.now(UTC)
    if not isinstance(now, datetime):
        raise PolicyError("now is no time.", code="policy.bad-value", path="now", fix="Pass a datetime with a zone.")
    if now.tzinfo is None:
        return now.replace(tzinfo=UTC)
    return now


class Ruling:
    """Gives findings the verdict of one policy, and remembers the exceptions that have ended."""

    def __init__(self, policy: Judging, now: datetime) -> None:
        self.policy = policy
        self.now = now
        self.ended: dict[str, None] = {}
        self._known: dict[tuple[object, ...], Verdict] = {}

    def notes(self) -> Iterator[str]:
        """Yield what a reader of the report has to know of the policy."""
        yield from self.ended
        if self.policy.override:
            yield f"judged under a weaker policy than the table's own: {self.policy.override}"
        if not self.policy.enforced(self.now):
            yield f"the policy only warns until {self.policy.enforce_from}"
        for rule, level in self.policy.rules.items():
            if level != "block" and RULES[rule].letters == "!!!!":
                yield f"the policy sets {rule} to {level}, and what is invalid stays invalid"

    def ruled(self, finding: Finding, paths: Sequence[str]) -> Finding:
        """Return the finding with the verdict of the policy. Paths are all spellings of its path that an exception may use."""
        if not finding.consumers and not self.policy.exceptions:
            return msgspec.structs.replace(finding, verdict=self._verdict_for_nobody(finding), waived="")
        concerned = {"", *(consumer.name for consumer in finding.consumers)}
        waivers = [waiver for waiver in self._waivers(finding.rule, paths) if waiver.consumer in concerned]
        counting = tuple(consumer for consumer in finding.consumers if not self._is_spared(consumer, waivers, paths))
        verdict = self._verdict(finding, counting)
        if any(not waiver.consumer for waiver in waivers) or not self.policy.enforced(self.now):
            verdict = at_most(Verdict.WARN, verdict)
        of_lacks = chain.from_iterable(self._lack_waivers(consumer, paths) for consumer in finding.consumers)
        accepted = dict.fromkeys(map(str, [*waivers, *of_lacks]))
        return msgspec.structs.replace(finding, verdict=verdict, waived="; ".join(accepted))

    def _verdict_for_nobody(self, finding: Finding) -> Verdict:
        """Return the verdict on what breaks no registered reader and nobody has accepted: the same for all with the same answers."""
        key = (finding.rule, finding.verdicts.jobs, finding.data, finding.jobs, finding.writers, finding.proven)
        verdict = self._known.get(key)
        if verdict is None:
            verdict = self._verdict(finding, ())
            if not self.policy.enforced(self.now):
                verdict = at_most(Verdict.WARN, verdict)
            self._known[key] = verdict
        return verdict

    def _waivers(self, rule: str, paths: Sequence[str]) -> list[Exemption]:
        """Return the exceptions of the policy that still count, and note those that have ended."""
        waivers = []
        for waiver in self.policy.waivers(rule, paths):
            if waiver.ended(self.now):
                self.ended[f"the exception for {waiver.rule} at {waiver.path} has ended ({waiver})"] = None
            else:
                waivers.append(waiver)
        return waivers

    def _lack_waivers(self, consumer: Consumer, paths: Sequence[str]) -> list[Exemption]:
        """Return the exceptions for what a job lacks, which is a rule of its own."""
        if not consumer.rule:
            return []
        return [waiver for waiver in self._waivers(consumer.rule, paths) if waiver.consumer in ("", consumer.name)]

    def _is_spared(self, consumer: Consumer, waivers: Sequence[Exemption], paths: Sequence[str]) -> bool:
        """Return whether the policy or an exception accepts that this job breaks."""
        if self.policy.rules.get(consumer.rule) in ("ok", "warn"):
            return True
        return any(waiver.consumer == consumer.name for waiver in waivers) or bool(self._lack_waivers(consumer, paths))

    # ------------------------------------------------------------ weighing

    def _verdict(self, finding: Finding, consumers: tuple[Consumer, ...]) -> Verdict:
        verdict = worst(self._weighed(finding, consumers))
        level = self.policy.rules.get(finding.rule)
        if verdict is not Verdict.INVALID and level is not None:
            return _OVERRIDES[level]
        if finding.rule == NOT_LOOKED_AT:
            return Verdict.BREAK if self.policy.descriptions == "block" else Verdict.WARN
        if finding.proven and finding.rule in PROVABLE and not consumers:
            return at_most(Verdict.WARN, verdict)
        return verdict

    def _weighed(self, finding: Finding, consumers: tuple[Consumer, ...]) -> Iterator[Verdict]:
        """Yield each answer as bad as the policy lets it be."""
        protect = self.policy.protect
        jobs = finding.jobs
        if finding.consumers and not consumers:
            jobs = self.jobs(finding.verdicts.jobs, ())
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
        """Return the answer for jobs: where all are registered, their contracts decide; elsewhere any of the others may break."""
        if by_rule is Verdict.INVALID:
            return by_rule
        if consumers:
            return Verdict.BREAK
        if self.policy.registry_complete:
            return Verdict.OK
        return by_rule


# ---------------------------------------------------------------- several policies

# Rules about one matter, more or less strict: which of them applies depends on readers, versions and registry.
_ONE_MATTER: Mapping[str, str] = {
    **dict.fromkeys(("TYPE_WIDENED", "TIMESTAMP_PRECISION_RAISED", "LENGTH_RELAXED"), "TYPE_WIDENED_ENGINE_GAP"),
    **dict.fromkeys(("FIELD_ADDED_NULLABLE", "FIELD_ADDED_DEFAULTED", "FIELD_ADDED_WRITE_DEFAULT"), "FIELD_READDED"),
    "FIELD_DROPPED_UNREAD": "FIELD_DROPPED",
    "FIELD_RENAMED_ALIASED": "FIELD_RENAMED",
}


def strictest(reports: Sequence[Report]) -> Report:
    """Return one report out of several about the same step: of each finding the worst."""
    if len(reports) == 1:
        return reports[0]
    findings: dict[tuple[str, str, str], Finding] = {}
    notes: dict[str, None] = {}
    for report in reports:
        notes |= dict.fromkeys(report.notes)
        for finding in report.findings:
            key = _matter(finding)
            findings[key] = _joined(findings[key], finding) if key in findings else finding
    return msgspec.structs.replace(reports[0], findings=tuple(findings.values()), notes=tuple(notes))


def _matter(finding: Finding) -> tuple[str, str, str]:
    """Return what a finding is about: findings of one matter are the same one under several policies."""
    rule = _ONE_MATTER.get(finding.rule, finding.rule)
    old = finding.old
    if rule == "FIELD_READDED":
        old = ""
    return rule, finding.path, old


def _joined(left: Finding, right: Finding) -> Finding:
    """Return the worse of two findings about one matter, with the worse answer to each question."""
    worse = max(left, right, key=_severity)
    data, jobs, writers = map(worst, zip(_answered(left), _answered(right), strict=True))
    return msgspec.structs.replace(worse, data=data, jobs=jobs, writers=writers)


def _severity(finding: Finding) -> tuple[int, ...]:
    return tuple(SEVERITY[verdict] for verdict in (finding.verdict, *_answered(finding)))


def _answered(finding: Finding) -> tuple[Verdict, Verdict, Verdict]:
    return finding.data, finding.jobs, finding.writers
