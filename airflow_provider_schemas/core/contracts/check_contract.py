"""Does a schema give a job what its contract says it needs?

Columns are found by the id that the contract is pinned to, else by name. What the job takes must be a type
into which the table's turns without a loss; what it writes, the other way round.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, UpdateColumnNullability
from airflow_provider_schemas.core.contracts.compare_types import Place, Terms, unfit_types
from airflow_provider_schemas.core.contracts.field_match import out_of_order, same_name, twice
from airflow_provider_schemas.core.contracts.lack import Lack, called
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE, after_rename, resolves_aliases
from airflow_provider_schemas.core.contracts.roles import Accepts, Role, Shape
from airflow_provider_schemas.core.contracts.value_types import own_schema_engines
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.plain_policy import Judging, judging
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES, Rule
from airflow_provider_schemas.core.schema.field_lookup import LocatedField, Lookup, Path
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ContractError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract, Need


def check_contract(
    schema: TableSchema,
    contract: "Contract | object",
    *,
    seen: TableSchema | None = None,
    policy: Judging | Mapping[str, Any] | None = None,
    table: str = "",
    version: int | None = None,
    now: datetime | None = None,
) -> Report:
    """Everything that a job needs and the schema does not give.

    Seen is a schema that the job was written for, if there is one: what had its name there is found again
    by its id, so that a rename is told as one. A policy may except findings, or judge a rule otherwise.
    """
    contract = checked_contract(contract)
    schema = checked_schema(schema)
    before = None if seen is None else checked_schema(seen)
    at = moment(now)
    rules = judging(policy)
    seen_before = None if before is None else Lookup(before)
    found = tuple(unfit(Lookup(schema), contract, seen=seen_before, now=at, engines=rules.profiles))
    ruled = strictest([_ruled(found, Ruling(one, at)) for one in rules.joined()])
    numbers = {"old": None if before is None else before.id, "new": schema.id if version is None else version}
    return msgspec.structs.replace(ruled, table=table or contract.table, **numbers, contracts=1)


def _ruled(found: tuple[Finding, ...], ruling: Ruling) -> Report:
    return Report(tuple(ruling.ruled(one, called(one)) for one in found), notes=tuple(ruling.notes()))


def checked_contract(contract: object) -> "Contract":
    """The contract; or the one in SQL text, names or a mapping."""
    from airflow_provider_schemas.core.contracts.contract import Contract

    if isinstance(contract, Contract):
        return contract
    if contract is None or isinstance(contract, int | float | bytes):
        fix = "Pass a Contract, SQL text, names or a mapping."
        raise ContractError(f"a {type(contract).__name__} is no contract.", code="contract.no-contract", fix=fix)
    return Contract.of(contract)  # type: ignore[arg-type]  # whatever else it is, reading it tells what is wrong


def unfit(
    there: Lookup,
    contract: "Contract",
    *,
    seen: Lookup | None = None,
    names: Collection[str | int | None] | None = None,
    now: datetime | None = None,
    engines: Sequence[Reader] = (),
) -> Iterator[Finding]:
    """What does not fit; of these columns only, if names are given and the contract says nothing of the others.

    Engines are those that read the files of the table: a job may hand them a schema of its own, and they decide whether an
    alias works for a view.
    """
    aliased = resolves_aliases(contract.read_with, engines)
    asked = _Question(there, seen, contract, own_schema_engines(contract.read_with, engines), now, aliased, {})
    for need in contract.columns:
        if names is None or contract.shape is not Shape.OPEN or _is_named(need, names):
            for lack in _lacks(asked, need):
                yield _finding(lack, contract, need)
    for lack in (*_shape(there, contract, seen), *_keys(there.schema, contract)):
        yield _finding(lack, contract, None)


class _Question(NamedTuple):
    """What the columns of a contract are judged with."""

    there: Lookup
    seen: Lookup | None
    contract: "Contract"
    engines: tuple[str, ...]
    """The engines that may read the files with a schema of the job."""
    now: datetime | None
    aliased: bool
    """Whether a job that reads as the contract says finds a column under an alias."""
    first: "dict[int, Need]"
    """What each field of the table was first matched with."""


def _is_named(need: "Need", names: Collection[str | int | None]) -> bool:
    return need.id in names or any(name in names or name.lower() in names for name in (need.name, need.name.split(".", 1)[0]))


# How a reader and a writer are spoken of.
_VERBS = {
    False: {
        "who": "reader",
        "verb": "takes",
        "side": "there, and the reader takes no NULL",
        "does": "takes only the columns that it names",
    },
    True: {
        "who": "writer",
        "verb": "writes",
        "side": "in what the writer writes, and the table takes no NULL",
        "does": "does not write it, though it must not be NULL",
    },
}


def _finding(lack: Lack, contract: "Contract", need: "Need | None") -> Finding:
    rule = RULES[lack.rule]
    writes = contract.writes if need is None else Role.WRITE in need.role
    answers: Answers = rule.answers(lack.variant or ("write" if writes else ""))
    words = {"path": lack.path, "old": lack.old, "new": lack.new, "id": "" if lack.id is None else lack.id, **_VERBS[writes]}
    message, fix = _says(rule, lack).format_map(words), lack.fix or rule.fix.format_map(words)
    why = after_rename(contract.read_with, lack.variant or ("write" if writes else "")) if lack.rule == _RENAMED else ""
    consumer = Consumer(contract.name or "this job", contract.owner, contract.contact, lack.rule, message, contract.last_seen)
    return Finding(
        lack.rule,
        lack.path,
        message,
        fix,
        worst((answers.jobs, answers.writers)),
        changes=lack.changes,
        id=lack.id,
        old=lack.old,
        new=lack.new,
        verdicts=answers,
        jobs=answers.jobs,
        writers=answers.writers,
        consumers=(consumer,),
        why=why,
    )


_RENAMED = "EXPECT_FIELD_RENAMED"
_BECAUSE = {
    _RENAMED: "{path} is now {new} (field id {id}), %s.",
    "EXPECT_FIELD_MISSING": "%s.",
    "EXPECT_EXTRA_FIELD": "{path} is there, and the {who} %s.",
    "EXPECT_TYPE_UNSAFE": "{path} is {new}, and the {who} {verb} {old}: %s.",
}


def _says(rule: Rule, lack: Lack) -> str:
    """The sentence of the rule, or the one that tells more."""
    return _BECAUSE[lack.rule] % _literal(lack.because) if lack.because else rule.says


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


# ---------------------------------------------------------------- one column


def _lacks(asked: _Question, need: "Need") -> Iterator[Lack]:
    there, seen, contract = asked.there, asked.seen, asked.contract
    path, aliased = there.path(need.name, seen), asked.aliased and Role.WRITE not in need.role
    found, named = _meant(there, need, seen, path)
    by_position = contract.shape is Shape.POSITIONAL and len(path) == 1 and _SILENT_ROLES.issuperset(need.role)
    first = need if found is None else asked.first.setdefault(found.field.id, need)
    if first is not need and (by_position or same_name(first.name, need.name)):
        yield twice(need.name, first.name)
        return
    if found is None and named is not None:
        meant = need.id if need.id is not None else _id_seen(seen, need.name)
        yield Lack("EXPECT_STALE_PIN", need.name, str(meant), str(named.field.id), named.field.id)
    elif found is None:
        found = there.called(path, asked.now)
        yield Lack("EXPECT_FIELD_MISSING", need.name) if found is None else _renamed(there, need, found, path, valid=aliased)
    elif found.path != path and not by_position:
        other = None if there.by_name(path) is not None else there.called(path, asked.now)
        yield _renamed(there, need, found, path, valid=aliased and other is not None and other.field.id == found.field.id)
    if found is not None and contract.read_with != READ_TABLE and not by_position:
        yield from _ambiguous(there, need, found)
    if found is not None:
        before = None if seen is None else seen.by_id(found.field.id)
        yield from _types(asked, need, found, need.meant if before is None else before.field.type)
        yield from _roles(there.schema, need, found)


# What a job does that goes by position and names no column.
_SILENT_ROLES = frozenset({Role.SELECT, Role.WRITE})


def _meant(there: Lookup, need: "Need", seen: Lookup | None, path: Path) -> tuple[LocatedField | None, LocatedField | None]:
    """The field that a job means, and whatever bears its name, in any case."""
    named = there.by_name(path) or there.in_any_case(path)
    meant = need.id if need.id is not None else _id_seen(seen, need.name)
    return (named if meant is None or (named and named.field.id == meant) else there.by_id(meant)), named


def _id_seen(seen: Lookup | None, name: str) -> int | None:
    found = None if seen is None else seen.called(seen.path(name)) or seen.in_any_case(seen.path(name))
    return None if found is None else found.field.id


def _text(found: LocatedField) -> str:
    return ".".join(found.path)


def _renamed(there: Lookup, need: "Need", found: LocatedField, path: Path, *, valid: bool) -> Lack:
    """The field under its new name; the old one may be valid as an alias, or in other letters."""
    new = _text(found)
    same = new.lower() == ".".join(path).lower() and there.by_name(path) is None
    variant = "alias" if valid else "case" if same else ""
    *above, last = path
    back = found.path[:-1] == tuple(above) and there.by_name((*above, last)) is None and not _parts_table(there.schema, found)
    if valid:
        until = there.alias_of(found.field.id).get(last, "")
        because = f"and stays as an alias until {until}" if until else "and stays as an alias"
        fix = f"Use {new} instead of {need.name} in the job before the alias ends."
        return Lack(_RENAMED, need.name, need.name, new, found.field.id, variant, because=because, fix=fix)
    back = back and not there.is_kept_elsewhere(last, found.field.id)
    changes = (RenameColumn(found.change_path, last),) if back else ()
    return Lack(_RENAMED, need.name, need.name, new, found.field.id, variant, changes)


def _ambiguous(there: Lookup, need: "Need", found: LocatedField) -> Iterator[Lack]:
    """That Spark refuses the name, since another on the way to the field differs from it in case only."""
    names = there.ambiguous(found)
    if names:
        spelled = " and ".join(names)
        because = f"{need.name} is ambiguous: {spelled} differ in case only, and Spark finds neither by name"
        fix = f"Rename one of {spelled}; or read with read_table, which goes by the exact name, and say so by read_with: read_table."
        yield Lack("EXPECT_FIELD_MISSING", need.name, id=found.field.id, because=because, fix=fix)


def _parts_table(schema: TableSchema, found: LocatedField) -> bool:
    """Whether it is a partition key, whose name is part of the path of every file."""
    return len(found.path) == 1 and found.path[0] in schema.partition_keys


# ---------------------------------------------------------------- types


def _types(asked: _Question, need: "Need", found: LocatedField, before: DataType | None) -> Iterator[Lack]:
    there, writes = found.field.type, Role.WRITE in need.role
    reads = not writes or len(need.role) > 1  # one word more, and it does both
    number = found.field.id
    if reads and found.nullable and not need.nullable:
        yield Lack("EXPECT_MAY_BE_NULL", need.name, id=number, changes=())
    if writes and not there.nullable and need.nullable and need.type is not None:
        loosened = UpdateColumnNullability(found.path, True)
        free = len(found.path) == 1 and found.path[0] not in asked.there.schema.primary_keys
        yield Lack("EXPECT_MAY_BE_NULL", need.name, id=number, changes=(loosened,) if free else ())
    if need.kind is None or need.accepts is Accepts.ANY:
        return
    place = Place(need.name, number, found.change_path)
    misread = list(unfit_types(need.kind, there, before, _terms(asked, need, writes=False), place)) if reads else []
    yield from misread
    if writes and not misread:
        yield from unfit_types(need.kind, there, before, _terms(asked, need, writes=True), place)


def _terms(asked: _Question, need: "Need", *, writes: bool) -> Terms:
    contract = asked.contract
    # read_table(contract=) gives exactly the parts that a type names; a closed contract says that the job takes all there is.
    in_parts = contract.read_with == READ_TABLE and asked.aliased and contract.shape is Shape.OPEN
    own_schema = bool(contract.read_with and asked.engines) or in_parts
    return Terms(
        writes=writes,
        exact=need.accepts is Accepts.EXACT,
        by_position=contract.shape is Shape.POSITIONAL,
        whole=writes or not own_schema,
        # unionByName does not look into maps; INSERT BY NAME and saveAsTable do.
        names_in_maps=writes,
        engines=asked.engines,
        alias=lambda fields, name: asked.there.aliased(fields, name, asked.now),
        aliased=asked.aliased and not writes,
    )


# ---------------------------------------------------------------- shape, keys, roles


def _shape(there: Lookup, contract: "Contract", seen: Lookup | None) -> Iterator[Lack]:
    schema = there.schema
    if contract.shape is Shape.OPEN:
        yield from _required(there, contract, seen) if contract.writes else ()
        return
    columns = _columns(there, contract, seen)
    known = {one.id for one in columns.values() if one is not None} | contract.pins
    extra = [one for one in schema.fields if one.id not in known and not columns.keys() & there.alias_of(one.id).keys()]
    for one in extra:
        yield Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))
    matched = [one for one in columns.values() if one is not None]
    if contract.shape is Shape.POSITIONAL and not extra and len(matched) == len(columns):
        yield from out_of_order("", list(columns), matched, schema.fields)


def _columns(there: Lookup, contract: "Contract", seen: Lookup | None) -> dict[str, Field | None]:
    """The columns that a contract speaks of, each with the one of the table that it means, or that bears its name."""
    columns: dict[str, Field | None] = {}
    for need in contract.columns:
        path = there.path(need.name, seen)
        top = need if len(path) == 1 else type(need)(name=path[0])
        found, named = _meant(there, top, seen, path[:1])
        found = found or named
        columns.setdefault(path[0], None if found is None else found.way[0])
    return columns


def _required(there: Lookup, contract: "Contract", seen: Lookup | None) -> Iterator[Lack]:
    """Columns without which a row cannot be written, and that the job does not send."""
    known = {one.id for one in _columns(there, contract, seen).values() if one is not None}
    for one in there.schema.fields:
        if not one.type.nullable and one.default is None and one.id not in known:
            yield Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))


def _keys(schema: TableSchema, contract: "Contract") -> Iterator[Lack]:
    if contract.primary_key is not None and set(contract.primary_key) != set(schema.primary_keys):
        yield Lack("EXPECT_KEY_CHANGED", "primaryKeys", ", ".join(contract.primary_key), ", ".join(schema.primary_keys))
    for name in contract.partitioned_by or ():
        if name not in schema.partition_keys:
            yield Lack("EXPECT_PARTITION_MISSING", name)


def _roles(schema: TableSchema, need: "Need", found: LocatedField) -> Iterator[Lack]:
    name = found.path[0]
    if Role.KEY in need.role and name not in schema.primary_keys:
        yield Lack("EXPECT_KEY_CHANGED", need.name, need.name, ", ".join(schema.primary_keys), found.field.id)
    if Role.PARTITION in need.role and name not in schema.partition_keys:
        yield Lack("EXPECT_PARTITION_MISSING", need.name, id=found.field.id)
