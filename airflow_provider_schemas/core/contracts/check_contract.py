"""Does a schema give a job what its contract says it needs?

Columns are found by the id that the contract is pinned to, else by name. What the job takes must be a type
into which the table's turns without a loss; what it writes, the other way round.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.core.casts.cast_rules import lossless, same_type
from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange, UpdateColumnNullability
from airflow_provider_schemas.core.contracts.contract import Accepts, Contract, Need, Role, Shape
from airflow_provider_schemas.core.contracts.read_ways import resolves_aliases
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.policy import Policy, policy_of
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.field_lookup import Found, Lookup, Path
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType, uncommented
from airflow_provider_schemas.errors import ContractError


def check_contract(
    schema: TableSchema,
    contract: Contract | object,
    *,
    seen: TableSchema | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
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
    rules = policy_of(policy)
    seen_before = None if before is None else Lookup(before)
    found = tuple(unfit(Lookup(schema), contract, seen=seen_before, now=at, engines=rules.profiles))
    ruled = strictest([_ruled(found, Ruling(one, at)) for one in rules.joined()])
    numbers = {"old": None if before is None else before.id, "new": schema.id if version is None else version}
    return msgspec.structs.replace(ruled, table=table or contract.table, **numbers, contracts=1)


def _ruled(found: tuple[Finding, ...], ruling: Ruling) -> Report:
    return Report(tuple(ruling.ruled(one, called(one)) for one in found), notes=tuple(ruling.notes()))


def called(lack: Finding) -> tuple[str, ...]:
    """How an exception may spell the place of what a job lacks."""
    return tuple(dict.fromkeys((lack.path, word(lack.path))))


def checked_contract(contract: object) -> Contract:
    """The contract; or the one in SQL text, names or a mapping."""
    if isinstance(contract, Contract):
        return contract
    if contract is None or isinstance(contract, int | float | bytes):
        fix = "Pass a Contract, SQL text, names or a mapping."
        raise ContractError(f"a {type(contract).__name__} is no contract.", code="contract.no-contract", fix=fix)
    return Contract.of(contract)  # type: ignore[arg-type]  # whatever else it is, reading it tells what is wrong


class _Lack(NamedTuple):
    """Something that a job lacks."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    id: int | None = None
    variant: str = ""
    changes: tuple[SchemaChange, ...] = ()


def unfit(
    there: Lookup,
    contract: Contract,
    *,
    seen: Lookup | None = None,
    names: Collection[str | int | None] | None = None,
    now: datetime | None = None,
    engines: Sequence[Reader] = (),
) -> Iterator[Finding]:
    """What does not fit; of these columns only, if names are given and the contract says nothing of the others.

    Engines are those that read the files of the table: they decide whether an alias works for a view.
    """
    aliased = resolves_aliases(contract.read_with, engines)
    for need in contract.columns:
        if (
            names is None
            or need.id in names
            or need.name in names
            or need.name.split(".", 1)[0] in names
            or contract.shape is not Shape.OPEN
        ):
            for lack in _lacks(there, need, seen, now, aliased=aliased and Role.WRITE not in need.role):
                yield _finding(lack, contract, need)
    for lack in (*_shape(there, contract, seen), *_keys(there.schema, contract)):
        yield _finding(lack, contract, None)


# How a job that reads and one that writes are spoken of.
_VERBS = {
    False: {"verb": "takes", "side": "there, and the job takes no NULL", "does": "takes only the columns that it names"},
    True: {
        "verb": "writes",
        "side": "in what the job writes, and the table takes no NULL",
        "does": "does not write it, though it must not be NULL",
    },
}


def _finding(lack: _Lack, contract: Contract, need: Need | None) -> Finding:
    rule = RULES[lack.rule]
    writes = contract.writes if need is None else Role.WRITE in need.role
    answers: Answers = rule.answers(lack.variant or ("write" if writes else ""))
    words = {"path": lack.path, "old": lack.old, "new": lack.new, "id": "" if lack.id is None else lack.id, **_VERBS[writes]}
    message, fix = rule.says.format_map(words), rule.fix.format_map(words)
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
    )


# ---------------------------------------------------------------- one column


def _lacks(there: Lookup, need: Need, seen: Lookup | None, now: datetime | None, *, aliased: bool) -> Iterator[_Lack]:
    path = there.path(need.name, seen)
    named = there.by_name(path)
    meant = need.id if need.id is not None else _id_seen(seen, need.name)
    found = named if meant is None or (named and named.field.id == meant) else there.by_id(meant)
    if found is None and named is not None:
        yield _Lack("EXPECT_STALE_PIN", need.name, str(meant), str(named.field.id), named.field.id)
    elif found is None:
        found = there.called(path, now)
        yield _Lack("EXPECT_FIELD_MISSING", need.name) if found is None else _renamed(there, need, found, path, valid=aliased)
    elif found.path != path:
        other = None if named is not None else there.called(path, now)
        yield _renamed(there, need, found, path, valid=aliased and other is not None and other.field.id == found.field.id)
    if found is not None:
        yield from _types(there.schema, found, need)
        yield from _roles(there.schema, need, found)


def _id_seen(seen: Lookup | None, name: str) -> int | None:
    found = None if seen is None else seen.called(seen.path(name))
    return None if found is None else found.field.id


def _text(found: Found) -> str:
    return ".".join(found.path)


def _renamed(there: Lookup, need: Need, found: Found, path: Path, *, valid: bool) -> _Lack:
    """The field under its new name; the old one may be valid as an alias, or in other letters."""
    new = _text(found)
    same = new.lower() == ".".join(path).lower() and there.by_name(path) is None
    variant = "alias" if valid else "case" if same else ""
    *above, last = path
    back = found.path[:-1] == tuple(above) and there.by_name((*above, last)) is None and not _parts_table(there.schema, found)
    changes = (RenameColumn(found.change_path, last),) if back else ()
    return _Lack("EXPECT_FIELD_RENAMED", need.name, need.name, new, found.field.id, variant, changes)


def _parts_table(schema: TableSchema, found: Found) -> bool:
    """Whether it is a partition key, whose name is part of the path of every file."""
    return len(found.path) == 1 and found.path[0] in schema.partition_keys


# ---------------------------------------------------------------- types


def _types(schema: TableSchema, found: Found, need: Need) -> Iterator[_Lack]:
    there, writes = found.field.type, Role.WRITE in need.role
    reads = not writes or len(need.role) > 1  # one word more, and it does both
    number = found.field.id
    if reads and there.nullable and not need.nullable:
        yield _Lack("EXPECT_MAY_BE_NULL", need.name, id=number, changes=())
    if writes and not there.nullable and need.nullable and need.type is not None:
        loosened = UpdateColumnNullability(found.path, True)
        free = len(found.path) == 1 and found.path[0] not in schema.primary_keys
        yield _Lack("EXPECT_MAY_BE_NULL", need.name, id=number, changes=(loosened,) if free else ())
    if need.kind is None or need.accepts is Accepts.ANY:
        return
    wanted = need.kind
    misread = list(_misfits(there, wanted, need, need.name, number)) if reads else []
    yield from misread
    if writes and not misread:
        yield from _misfits(wanted, there, need, need.name, number, flip=True)


def _misfits(source: DataType, target: DataType, need: Need, path: str, number: int, *, flip: bool = False) -> Iterator[_Lack]:
    """Where a value of the source is no value of the target; structs by the names of their fields, NOT NULL inside them too."""
    if isinstance(source, RowType) and isinstance(target, RowType):
        yield from _surplus(source, target, need, path, flip=flip)
        there = {one.name: one for one in source.fields}
        for one in target.fields:
            mine = there.get(one.name)
            if mine is None:
                # A field that a job does not send is NULL.
                if not flip or not one.type.nullable:
                    yield _Lack("EXPECT_FIELD_MISSING", f"{path}.{one.name}")
                continue
            if mine.type.nullable and not one.type.nullable:
                yield _Lack("EXPECT_MAY_BE_NULL", f"{path}.{one.name}", id=mine.id)
            yield from _misfits(mine.type, one.type, need, f"{path}.{one.name}", mine.id, flip=flip)
    elif isinstance(source, ArrayType) and isinstance(target, ArrayType):
        yield from _part(source.element, target.element, need, f"{path}[]", number, flip=flip)
    elif isinstance(source, MapType) and isinstance(target, MapType) and same_type(_said(source.key), _said(target.key)):
        yield from _part(source.value, target.value, need, f"{path}{{}}", number, flip=flip)
    elif not _fits(source, target, need):
        rule = "EXPECT_TYPE_UNSAFE" if need.accepts is Accepts.LOSSLESS and assignable(source, target) else "EXPECT_TYPE_MISMATCH"
        old, new = (source, target) if flip else (target, source)
        yield _Lack(rule, path, str(old.with_nullable(True)), str(new.with_nullable(True)), number)


def _surplus(source: RowType, target: RowType, need: Need, path: str, *, flip: bool) -> Iterator[_Lack]:
    """Fields that come along unasked: the table has none of what a job writes, or a job that is exact meets more."""
    taken = {one.name for one in target.fields}
    for one in source.fields:
        if one.name not in taken and flip:
            yield _Lack("EXPECT_FIELD_MISSING", f"{path}.{one.name}")
        elif one.name not in taken and need.accepts is Accepts.EXACT:
            yield _Lack("EXPECT_EXTRA_FIELD", f"{path}.{one.name}", id=one.id, new=str(one.type))


def _part(source: DataType, target: DataType, need: Need, path: str, number: int, *, flip: bool) -> Iterator[_Lack]:
    if source.nullable and not target.nullable:
        yield _Lack("EXPECT_MAY_BE_NULL", path, id=number)
    yield from _misfits(source, target, need, path, number, flip=flip)


def _fits(source: DataType, target: DataType, need: Need) -> bool:
    if need.accepts is Accepts.EXACT:
        return same_type(_said(source), _said(target))
    return lossless(_said(source).with_nullable(True), _said(target).with_nullable(True))


def _said(kind: DataType) -> DataType:
    """The type as a contract can say it: without ids, comments and defaults of fields."""
    return numbered(uncommented(kind, defaults=False))


def assignable(source: DataType, target: DataType) -> bool:
    """Whether Spark stores the one as the other without being asked: its ANSI rules of assignment."""
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return False
    to_text = target.root is Root.VARCHAR
    same = source.root is target.root
    return same or to_text or {source.root, target.root} <= _NUMBERS or {source.root, target.root} <= _TIMES


_NUMBERS = frozenset({Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL})
_TIMES = frozenset({Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ})


# ---------------------------------------------------------------- shape, keys, roles


def _shape(there: Lookup, contract: Contract, seen: Lookup | None) -> Iterator[_Lack]:
    schema = there.schema
    if contract.shape is Shape.OPEN:
        yield from _required(there, contract) if contract.writes else ()
        return
    mine = [there.path(one.name, seen)[0] for one in contract.columns]
    named, pinned = frozenset[str | None](mine), contract.pins
    extra = [
        one for one in schema.fields if not {one.name, _seen_as(seen, one.id), *there.alias_of(one.id)} & named and one.id not in pinned
    ]
    for one in extra:
        yield _Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))
    if contract.shape is Shape.POSITIONAL and not extra:
        for mine_name, one in zip(mine, schema.fields, strict=False):
            if one.name != mine_name and schema.field(mine_name) is not None:
                yield _Lack("EXPECT_ORDER", one.name, mine_name, one.name, one.id)


def _seen_as(seen: Lookup | None, number: int) -> str | None:
    found = None if seen is None else seen.schema.column(number)
    return None if found is None else found.name


def _required(there: Lookup, contract: Contract) -> Iterator[_Lack]:
    """Columns without which a row cannot be written, and that the job does not send."""
    known = {there.path(one.name)[0] for one in contract.columns}
    for one in there.schema.fields:
        if not one.type.nullable and one.default is None and one.name not in known:
            yield _Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))


def _keys(schema: TableSchema, contract: Contract) -> Iterator[_Lack]:
    if contract.primary_key is not None and set(contract.primary_key) != set(schema.primary_keys):
        yield _Lack("EXPECT_KEY_CHANGED", "primaryKeys", ", ".join(contract.primary_key), ", ".join(schema.primary_keys))
    for name in contract.partitioned_by or ():
        if name not in schema.partition_keys:
            yield _Lack("EXPECT_PARTITION_MISSING", name)


def _roles(schema: TableSchema, need: Need, found: Found) -> Iterator[_Lack]:
    name = found.path[0]
    if Role.KEY in need.role and name not in schema.primary_keys:
        yield _Lack("EXPECT_KEY_CHANGED", need.name, need.name, ", ".join(schema.primary_keys), found.field.id)
    if Role.PARTITION in need.role and name not in schema.partition_keys:
        yield _Lack("EXPECT_PARTITION_MISSING", need.name, id=found.field.id)
