"""Plans that wait: each lies whole in the registry under its digest, so that an approval and a message need the digest only.

The file holds the plan, who made it and when. A plan is checked when it is loaded: one that was changed, or that lies under another
name than its own, is refused.
"""

import json
import re
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from pydantic import Field

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import NotThereError, PlanError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import joined, plans_folder
from airflow_provider_schemas.store.registry.json_records import Record, Unreadable, bytes_of, decoded, encoded, first, object_in, stamp
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Files

_END = ".json"
_WHOLE = 64
_LEAST = 4
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PREFIX = re.compile(r"[0-9a-f]{1,64}")


class PlanRecord(Record):
    """A plan in its file."""

    refusal: ClassVar[type[SchemaError]] = PlanError
    noun: ClassVar = "plan"

    run: str = ""
    plan: dict[str, object] = Field(repr=False)


class Saved(Struct, frozen=True):
    """A plan as the registry has it."""

    plan: Plan
    by: str = ""
    at: str = ""
    run: str = ""

    @property
    def digest(self) -> str:
        return self.plan.digest


def checked(value: object) -> Plan:
    """Return the plan; raise PlanError for any other value."""
    if isinstance(value, Plan):
        return value
    fix = "Pass what `plan` gave, or what `saved_plan` finds by its digest."
    raise PlanError(f"a {type(value).__name__} is no plan.", code="plan.no-plan", path="plan", fix=fix)


def save(files: Files, name: TableName, plan: Plan, *, actor: str = "", run: str = "", now: datetime | None = None) -> str:
    """Put a plan into the registry, and return its digest. A plan that lies there already stays, unless its base is gone."""
    if plan.table not in ("", str(name)):
        raise _of_another_table(plan, name)
    path = plan_path(name, plan.digest)
    try:
        if _read(files, name, plan.digest).plan.base == plan.base:
            return plan.digest
    except SchemaError:  # it is not there, or is no plan any more
        pass
    record = PlanRecord(by=actor, run=run, at=stamp(now), plan=json.loads(plan.to_json()))
    files.put(path, encoded(record))
    return plan.digest


def load(files: Files, name: TableName, digest: str) -> Plan:
    """Return the plan of this digest; its beginning is enough where it is that of one plan only."""
    return saved(files, name, digest).plan


def saved(files: Files, name: TableName, digest: str) -> Saved:
    """Return the plan of this digest, with who made it."""
    return _read(files, name, _whole_digest(files, name, digest))


def digests(files: Files, name: TableName) -> tuple[str, ...]:
    """Return the digests of all plans for a table, the newest first."""
    entries = [entry for entry in files.list(plans_folder(name)) if not entry.folder and entry.name.endswith(_END)]
    entries.sort(key=lambda entry: (entry.modified or 0.0, entry.name), reverse=True)
    names = [entry.name.removesuffix(_END) for entry in entries]
    return tuple(name for name in names if _DIGEST.fullmatch(name))


def listed(files: Files, name: TableName) -> tuple[tuple[Saved, ...], tuple[Unreadable, ...]]:
    """Return all plans for a table, and those that cannot be read. `Plan.summary` shows one without secrets."""
    paths = {plan_path(name, digest): digest for digest in digests(files, name)}
    readable: list[Saved] = []
    unreadable: list[Unreadable] = []
    for path, data in files.read_many(paths, MAX_BYTES).items():
        try:
            readable.append(_decode(bytes_of(data), path, name, paths[path]))
        except SchemaError as error:
            unreadable.append(Unreadable(path, error))
    return tuple(readable), tuple(unreadable)


def plan_path(name: TableName, digest: str) -> str:
    """Return where a plan lies."""
    return joined(plans_folder(name), f"{digest}{_END}")


# ---------------------------------------------------------------- finding and reading


def _whole_digest(files: Files, name: TableName, digest: object) -> str:
    """Return the digest that begins like this."""
    if not isinstance(digest, str) or not _PREFIX.fullmatch(digest) or len(digest) < _LEAST:
        fix = f"Pass the digest of a plan, or its first {_LEAST} characters or more."
        raise PlanError(f"{shown(digest)} is no digest of a plan.", code="plan.no-digest", path=str(name), fix=fix)
    if len(digest) == _WHOLE and files.exists(plan_path(name, digest)):
        return digest
    known = digests(files, name)
    fitting = [candidate for candidate in known if candidate.startswith(digest)]
    if len(fitting) == 1:
        return fitting[0]
    some = first(candidate[:12] for candidate in (fitting or known))
    if fitting:
        message = f"{len(fitting)} plans for {name} begin with {digest}: {some}."
        raise PlanError(message, code="plan.ambiguous", path=str(name), fix="Pass more of the digest.")
    others = "there is none at all"
    if known:
        others = f"there are {some}"
    message = f"there is no plan {digest[:12]} for {name}; {others}."
    raise NotThereError(message, code="plan.not-there", path=str(name), fix="Make the plan again, or name one that is there.")


def _read(files: Files, name: TableName, digest: str) -> Saved:
    path = plan_path(name, digest)
    return _decode(files.read(path, MAX_BYTES), path, name, digest)


def _decode(data: bytes, path: str, name: TableName, digest: str) -> Saved:
    """Return the plan in a file; PlanError if it is not the one of this name and table."""
    value = object_in(data, path, PlanError)
    if "plan" not in value and "result" in value:  # a bare plan, which somebody put there by hand
        record = None
        plan = Plan.from_json(json.dumps(value, ensure_ascii=False))
    else:
        record = decoded(PlanRecord, data, path)
        plan = Plan.from_json(json.dumps(record.plan, ensure_ascii=False))
    if plan.digest != digest:
        message = "the plan in this file is another one than its name says."
        raise PlanError(message, code="plan.tampered", path=path, fix="Make the plan again.")
    if plan.table not in ("", str(name)):
        raise _of_another_table(plan, name)
    if record is None:
        return Saved(plan)
    return Saved(plan, record.by, record.at, record.run)


def _of_another_table(plan: Plan, name: TableName) -> PlanError:
    fix = f"Name {plan.table}, or make a plan for {name}."
    return PlanError(f"the plan is for {plan.table}, and not for {name}.", code="plan.other-table", path=str(name), fix=fix)
