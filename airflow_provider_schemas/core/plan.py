"""A plan: what is to become of a table, on which version it was made, and the report about it.

An approval approves a plan, and applying it is refused when the table has moved on since. It holds changes;
where no changes lead to the target, the result itself decides. Its digest names it everywhere.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named
from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.compatibility.check import check, check_new
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.evolution.evolve import evolve
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import VERDICT_WORDS, Finding, Place, Report, Verdict
from airflow_provider_schemas.core.report_json import counts, report_dict, report_of
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import PlanError, SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.evidence import Evidence

_SHOWN_CHANGES = 50


class Base(Struct, frozen=True):
    """The version that a plan was made on: its number, the digest of its file, and its branch."""

    number: int
    digest: str
    branch: str = "main"

    @classmethod
    def of(cls, version: Version) -> Self:
        return cls(version.number, version.digest, version.branch)

    def __str__(self) -> str:
        text = f"version {self.number} ({self.digest[:8]})"
        if self.branch == "main":
            return text
        return f"{text} of branch {self.branch}"


class Plan(ShortRepr, Struct, frozen=True, kw_only=True, dict=True):
    """What is to become of a table."""

    table: str = ""
    base: Base | None = None
    """None where the table is to be created."""
    changes: tuple[SchemaChange, ...] = ()
    """What leads from the base to the result; empty where changes cannot express it, and where nothing is to be done."""
    result: TableSchema
    report: Report = Report()
    left_alone: tuple[str, ...] = ()
    """Columns that the table has and the table file does not mention: they stay."""
    unchanged: bool = False

    @classmethod
    def of(
        cls,
        base: Version | None,
        target: TableSchema | Iterable[SchemaChange | Mapping[str, Any] | str],
        *,
        policy: Judging | None = None,
        history: History | Iterable[TableSchema | Version] = (),
        contracts: "Iterable[Contract | Any]" = (),
        evidence: "Iterable[Evidence | Mapping[str, Any]]" = (),
        live: Collection[int] | None = None,
        has_snapshots: bool = False,
        table: str = "",
        places: Mapping[str, Place] | None = None,
        left_alone: Iterable[str] = (),
        now: datetime | None = None,
    ) -> Self:
        """Return the plan that makes the target, a schema or changes, of the base; or of nothing."""
        if base is not None and not isinstance(base, Version):
            fix = "Pass a Version, as Version.read gives, or None to create the table."
            raise PlanError(f"a {type(base).__name__} is no version.", code="plan.no-version", fix=fix)
        changes, result = _changes_and_result(base, target, has_snapshots)
        unchanged = base is not None and base.schema.content == result.content
        if base is None:
            report = check_new(result, policy, contracts=contracts, table=table, now=now)
        else:
            report = check(base, result, policy, history=history, contracts=contracts, evidence=evidence, live=live, table=table, now=now)
            # Where nothing changes, no version follows.
            report = msgspec.structs.replace(report, new=base.number if unchanged else base.number + 1)
        if places:
            report = msgspec.structs.replace(report, findings=tuple(_placed(finding, places) for finding in report.findings))
        known = None if base is None else Base.of(base)
        return cls(
            table=table, base=known, changes=changes, result=result, report=report, left_alone=tuple(left_alone), unchanged=unchanged
        )

    def _short_text(self) -> str:
        base = "a new table" if self.base is None else f"on v{self.base.number}"
        return f"{named(self.table, 'of a table without a name')}: {joined(base, self._effect_text(), VERDICT_WORDS[self.verdict])}"

    def _effect_text(self) -> str:
        if self.unchanged:
            return "nothing to do"
        if self.changes:
            return counted(len(self.changes), "change")
        return f"the whole schema of {counted(len(self.result.fields), 'column')}"

    # ------------------------------------------------------------ asking

    @property
    def verdict(self) -> Verdict:
        return self.report.verdict

    @property
    def expressed(self) -> bool:
        """Return whether the changes lead to the result; if not, the result itself is to be committed."""
        return bool(self.changes) or self.unchanged

    @property
    def counts(self) -> dict[str, int]:
        """Return how many findings have which verdict."""
        return counts(self.report)

    @cached_property
    def digest(self) -> str:
        """Return the sha256 of what an approval approves: what the plan does to which version, and what that breaks for whom.

        It is the same wherever and whenever the plan is made, also out of a file at another path and by a release with other words:
        places, sentences and times are not in it, nor are the bytes of the base, which say who wrote it under which key.
        """
        base = None if self.base is None else [self.base.number, self.base.branch]
        return _sha256(
            ["2", self.table, base, self._change_dicts(), self._timeless_result(), _judgement(self.report), self.left_alone, self.unchanged]
        )

    @cached_property
    def seal(self) -> str:
        """Return the sha256 of all that the plan says, but for the time of its result: a stored plan that was touched has another."""
        report = report_dict(self.report)
        return _sha256(
            [
                self.table,
                self._base(),
                self._change_dicts(),
                self._timeless_result(),
                report,
                self.left_alone,
                self.unchanged,
            ]
        )

    def _change_dicts(self) -> list[dict[str, Any]]:
        return [change.to_json() for change in self.changes]

    def _timeless_result(self) -> str:
        return msgspec.structs.replace(self.result, time_millis=0).to_json()

    # ------------------------------------------------------------ applying

    def apply(self, head: Version | None) -> TableSchema:
        """Return the schema to commit next, if the head is still the version that the plan was made on."""
        if head is not None and not isinstance(head, Version):
            fix = "Pass a Version, as Version.read gives, or None where there is none."
            raise PlanError(f"a {type(head).__name__} is no version.", code="plan.no-version", fix=fix)
        there = None if head is None else Base.of(head)
        if there != self.base:
            nothing = "no version at all"
            message = f"the plan was made on {self.base or nothing}, and the newest is {there or nothing}."
            raise PlanError(message, code="plan.base-moved", path=self.table, fix="Make the plan again, and have it approved again.")
        if self.verdict is Verdict.INVALID:
            raise PlanError.of(self.report.faults())
        return self.result

    # ------------------------------------------------------------ the wire

    def _base(self) -> dict[str, Any] | None:
        return None if self.base is None else msgspec.structs.asdict(self.base)

    def summary(self) -> dict[str, Any]:
        """Return the plan in few words and without secrets, where there is little room; its digest finds the whole."""
        return {
            "table": self.table,
            "digest": self.digest,
            "base": self._base(),
            "changes": [masked_change(change).to_json() for change in self.changes[:_SHOWN_CHANGES]],
            "more_changes": max(0, len(self.changes) - _SHOWN_CHANGES),
            "expressed": self.expressed,
            "result_digest": self.result.digest,
            "verdict": self.verdict.value,
            "counts": self.counts,
        }

    def to_json(self) -> str:
        """Return the whole plan as JSON."""
        whole = {
            "table": self.table,
            "digest": self.digest,
            **({} if self.digest == self.seal else {"seal": self.seal}),
            "base": self._base(),
            "changes": self._change_dicts(),
            "expressed": self.expressed,
            "result_digest": self.result.digest,
            "verdict": self.verdict.value,
            "counts": self.counts,
            "unchanged": self.unchanged,
            "left_alone": list(self.left_alone),
            "result": json.loads(self.result.to_json()),
            "report": report_dict(self.report),
        }
        return json.dumps(whole, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, data: str | bytes) -> Self:
        """Read a plan from JSON; refuse one whose digest does not agree with what it says."""
        value = _read(data)
        unknown = sorted(value.keys() - _MEMBERS)
        if unknown:
            raise PlanError.of(_unreadable(key).faults[0] for key in unknown)
        try:
            plan = cls._of(value)
        except PlanError:
            raise
        except SchemaError as error:
            raise PlanError.of(
                fault._replace(code="plan.unreadable", fix=fault.fix or "Make the plan again.") for fault in error.faults
            ) from None
        if "seal" not in value:  # made by a release whose digest was the seal
            plan.__dict__["digest"] = plan.seal
        written = (value.get("digest"), value.get("seal", plan.seal), value.get("report"))
        if written != (plan.digest, plan.seal, report_dict(plan.report)):
            raise PlanError("the plan was changed after it was made.", code="plan.tampered", path=plan.table, fix="Make the plan again.")
        return plan

    @classmethod
    def _of(cls, value: Mapping[str, Any]) -> Self:
        base = value.get("base")
        return cls(
            table=_text(value, "table"),
            base=None if base is None else _converted(base),
            changes=tuple(parse_changes(_list(value, "changes"))),
            result=TableSchema.from_json(json.dumps(value.get("result"))),
            report=report_of(value.get("report")),
            left_alone=tuple(map(str, _list(value, "left_alone"))),
            unchanged=value.get("unchanged") is True,
        )


def _changes_and_result(base: Version | None, target: Any, has_snapshots: bool) -> tuple[tuple[SchemaChange, ...], TableSchema]:
    """Return the changes, and the schema that they, or the target itself, make."""
    if not isinstance(target, TableSchema):
        if base is None:
            fix = "Pass a TableSchema, as TableSchema.create gives."
            raise PlanError("changes alone make no table.", code="plan.no-base", fix=fix)
        changes = tuple(parse_changes(target))
        # A copy: compared with itself, a schema has nothing to report, not even that nothing changes.
        if not changes:
            return (), msgspec.structs.replace(base.schema)
        after = evolve(base.schema, changes, has_snapshots=has_snapshots)
        # The same object where it can be: it remembers what was found out about it.
        if after.id != base.number + 1:
            after = msgspec.structs.replace(after, id=base.number + 1)
        return changes, after
    if base is None:
        return (), target
    steps = diff(base.schema, target)
    changes = () if steps.remainder else steps.changes
    return changes, msgspec.structs.replace(target, id=base.number + 1)


def _judgement(report: Report) -> list[Any]:
    """Return what a report decides, without its sentences."""
    return [report.table, report.old, report.new, report.verdict.value, sorted(map(_outcome, report.findings), key=json.dumps)]


def _outcome(finding: Finding) -> list[Any]:
    answers = (*msgspec.structs.astuple(finding.verdicts), finding.data, finding.jobs, finding.writers)
    return [
        finding.rule,
        finding.path,
        finding.id,
        finding.old,
        finding.new,
        [verdict.value for verdict in (finding.verdict, *answers)],
        sorted([consumer.name, consumer.rule] for consumer in finding.consumers),
        finding.versions,
        finding.proven,
        finding.waived,
        finding.fault,
    ]


def _sha256(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _placed(finding: Finding, places: Mapping[str, Place]) -> Finding:
    """Return the finding with the nearest place that is known: that of its path, of its new name, of its column, of the table."""
    column = finding.path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0]
    for path in (finding.path, finding.new, column, word(column), ""):
        if path in places:
            return msgspec.structs.replace(finding, place=places[path])
    return finding


# ---------------------------------------------------------------- reading

_MEMBERS = frozenset("table digest seal base changes expressed result_digest verdict counts unchanged left_alone result report".split())


def _read(data: str | bytes) -> dict[str, Any]:
    text = data
    if isinstance(data, bytes):
        text = data.decode("utf-8", "replace")
    if not isinstance(text, str):
        raise PlanError(f"a {type(data).__name__} is no JSON.", code="plan.unreadable", fix="Pass what to_json gave.")
    document = read_json(text)
    if document.faults or not isinstance(document.value, dict):
        raise PlanError("this is no JSON of a plan.", code="plan.unreadable", fix="Pass what to_json gave.")
    return document.value


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key, "")
    if not isinstance(text, str):
        raise _unreadable(key)
    return text


def _list(value: Mapping[str, Any], key: str) -> list[Any]:
    values = value.get(key, [])
    if not isinstance(values, list):
        raise _unreadable(key)
    return values


def _converted(value: object) -> Base:
    try:
        return msgspec.convert(value, Base)
    except (msgspec.ValidationError, RecursionError):
        raise _unreadable("base") from None


def _unreadable(key: str) -> PlanError:
    return PlanError(f"{key!r} cannot be read.", code="plan.unreadable", path=key, fix="Make the plan again.")
