"""A plan: what is to become of a table, on which version it was made, and the report about it.

An approval approves a plan, and applying it is refused when the table has moved on since. It holds changes;
where no changes lead to what is wanted, the result itself decides. Its digest names it everywhere.
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
from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.compatibility.check import check, check_new
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.evolution.evolve import evolve
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.report import Finding, Place, Report, Verdict
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
        return f"version {self.number} ({self.digest[:8]})" + ("" if self.branch == "main" else f" of branch {self.branch}")


class Plan(Struct, frozen=True, kw_only=True, dict=True):
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
        """The plan that makes the target, a schema or changes, of the base; or of nothing."""
        if base is not None and not isinstance(base, Version):
            fix = "Pass a Version, as Version.read gives, or None to create the table."
            raise PlanError(f"a {type(base).__name__} is no version.", code="plan.no-version", fix=fix)
        changes, result = _way(base, target, has_snapshots)
        unchanged = base is not None and base.schema.content == result.content
        if base is None:
            report = check_new(result, policy, contracts=contracts, table=table, now=now)
        else:
            report = check(base, result, policy, history=history, contracts=contracts, evidence=evidence, live=live, table=table, now=now)
            # Where nothing changes, no version follows.
            report = msgspec.structs.replace(report, new=base.number if unchanged else base.number + 1)
        placed = msgspec.structs.replace(report, findings=tuple(_placed(one, places) for one in report.findings)) if places else report
        known = None if base is None else Base.of(base)
        return cls(
            table=table, base=known, changes=changes, result=result, report=placed, left_alone=tuple(left_alone), unchanged=unchanged
        )

    # ------------------------------------------------------------ asking

    @property
    def verdict(self) -> Verdict:
        return self.report.verdict

    @property
    def expressed(self) -> bool:
        """Whether the changes lead to the result; if not, the result itself is what is to be committed."""
        return bool(self.changes) or self.unchanged

    @property
    def counts(self) -> dict[str, int]:
        """How many findings have which verdict."""
        return counts(self.report)

    @cached_property
    def digest(self) -> str:
        """The sha256 of what an approval approves: what the plan does to which version, and what that breaks for whom.

        It is the same wherever and whenever the plan is made, also out of a file at another path and by a release with other words:
        places, sentences and times are not in it, nor are the bytes of the base, which say who wrote it under which key.
        """
        base = None if self.base is None else [self.base.number, self.base.branch]
        changes, result = [one.to_json() for one in self.changes], msgspec.structs.replace(self.result, time_millis=0).to_json()
        return _sha256(["2", self.table, base, changes, result, _judgement(self.report), self.left_alone, self.unchanged])

    @cached_property
    def seal(self) -> str:
        """The sha256 of all that the plan says, but for the time of its result: a stored plan that was touched has another."""
        changes, report = [one.to_json() for one in self.changes], report_dict(self.report)
        result = msgspec.structs.replace(self.result, time_millis=0).to_json()
        return _sha256([self.table, self._base(), changes, result, report, self.left_alone, self.unchanged])

    # ------------------------------------------------------------ applying

    def apply(self, head: Version | None) -> TableSchema:
        """The schema to commit next, if the head is still the version that the plan was made on."""
        if head is not None and not isinstance(head, Version):
            fix = "Pass a Version, as Version.read gives, or None where there is none."
            raise PlanError(f"a {type(head).__name__} is no version.", code="plan.no-version", fix=fix)
        there = None if head is None else Base.of(head)
        if there != self.base:
            was, now = self.base or "no version at all", there or "no version at all"
            message = f"the plan was made on {was}, and the newest is {now}."
            raise PlanError(message, code="plan.base-moved", path=self.table, fix="Make the plan again, and have it approved again.")
        if self.verdict is Verdict.INVALID:
            raise PlanError.of(self.report.faults())
        return self.result

    # ------------------------------------------------------------ the wire

    def _base(self) -> dict[str, Any] | None:
        return None if self.base is None else msgspec.structs.asdict(self.base)

    def summary(self) -> dict[str, Any]:
        """The plan in few words and without secrets, for wherever little fits; its digest finds the whole."""
        return {
            "table": self.table,
            "digest": self.digest,
            "base": self._base(),
            "changes": [masked_change(one).to_json() for one in self.changes[:_SHOWN_CHANGES]],
            "more_changes": max(0, len(self.changes) - _SHOWN_CHANGES),
            "expressed": self.expressed,
            "result_digest": self.result.digest,
            "verdict": self.verdict.value,
            "counts": self.counts,
        }

    def to_json(self) -> str:
        """All of it, as JSON."""
        whole = {
            "table": self.table,
            "digest": self.digest,
            **({} if self.digest == self.seal else {"seal": self.seal}),
            "base": self._base(),
            "changes": [one.to_json() for one in self.changes],
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
        """The plan in JSON; one whose digest does not agree with what it says is refused."""
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
        said = (value.get("digest"), value.get("seal", plan.seal), value.get("report"))
        if said != (plan.digest, plan.seal, report_dict(plan.report)):
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


def _way(base: Version | None, target: Any, has_snapshots: bool) -> tuple[tuple[SchemaChange, ...], TableSchema]:
    """The changes, and what they or the target itself come to."""
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
        return changes, after if after.id == base.number + 1 else msgspec.structs.replace(after, id=base.number + 1)
    if base is None:
        return (), target
    found = diff(base.schema, target)
    return () if found.remainder else found.changes, msgspec.structs.replace(target, id=base.number + 1)


def _judgement(report: Report) -> list[Any]:
    """What a report comes to, without the words that it says it in."""
    return [report.table, report.old, report.new, report.verdict.value, sorted(map(_outcome, report.findings), key=json.dumps)]


def _outcome(one: Finding) -> list[Any]:
    verdicts = [value.value for value in (one.verdict, *msgspec.structs.astuple(one.verdicts), one.data, one.jobs, one.writers)]
    readers = sorted([consumer.name, consumer.rule] for consumer in one.consumers)
    return [one.rule, one.path, one.id, one.old, one.new, verdicts, readers, one.versions, one.proven, one.waived, one.fault]


def _sha256(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _placed(one: Finding, places: Mapping[str, Place]) -> Finding:
    """The finding with the nearest place that is known: that of its path, of its new name, of its column, of the table."""
    column = one.path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0]
    place = next((places[path] for path in (one.path, one.new, column, word(column), "") if path in places), None)
    return one if place is None else msgspec.structs.replace(one, place=place)


# ---------------------------------------------------------------- reading

_MEMBERS = frozenset("table digest seal base changes expressed result_digest verdict counts unchanged left_alone result report".split())


def _read(data: str | bytes) -> dict[str, Any]:
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    if not isinstance(text, str):
        raise PlanError(f"a {type(data).__name__} is no JSON.", code="plan.unreadable", fix="Pass what to_json gave.")
    found = read_json(text)
    if found.faults or not isinstance(found.value, dict):
        raise PlanError("this is no JSON of a plan.", code="plan.unreadable", fix="Pass what to_json gave.")
    return found.value


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    if not isinstance(found, str):
        raise _unreadable(key)
    return found


def _list(value: Mapping[str, Any], key: str) -> list[Any]:
    found = value.get(key, [])
    if not isinstance(found, list):
        raise _unreadable(key)
    return found


def _converted(value: object) -> Base:
    try:
        return msgspec.convert(value, Base)
    except (msgspec.ValidationError, RecursionError):
        raise _unreadable("base") from None


def _unreadable(key: str) -> PlanError:
    return PlanError(f"{key!r} cannot be read.", code="plan.unreadable", path=key, fix="Make the plan again.")
