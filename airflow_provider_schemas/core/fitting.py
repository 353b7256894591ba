"""Does a schema give a job what its contract says it needs?

Columns are found by the id that the contract is pinned to, else by name. What the job takes must be a type
into which the table's turns without a loss; what it writes, the other way round.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from airflow_provider_schemas.core.atoms import AtomicType, DataType
from airflow_provider_schemas.core.casts import lossless, same_type
from airflow_provider_schemas.core.changes import RenameColumn, SchemaChange, UpdateColumnNullability
from airflow_provider_schemas.core.contract import Accepts, Contract, Need, Role, Shape
from airflow_provider_schemas.core.field_attributes import aliases
from airflow_provider_schemas.core.ids import numbered
from airflow_provider_schemas.core.kinds import Root
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.ruling import Ruling, moment
from airflow_provider_schemas.core.schema import TableSchema, checked_schema
from airflow_provider_schemas.core.types import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import ContractError


def check_contract(
    schema: TableSchema,
    contract: Contract | object,
    *,
    seen: TableSchema | None = None,
    policy: Policy | None = None,
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
    ruling = Ruling(policy or Policy(), at)
    findings = tuple(ruling.ruled(one, (one.path,)) for one in unfit(schema, contract, seen=before, now=at))
    numbers = {"old": None if before is None else before.id, "new": schema.id if version is None else version}
    return Report(findings, table or contract.table, **numbers, contracts=1, notes=tuple(ruling.notes()))


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
    schema: TableSchema,
    contract: Contract,
    *,
    seen: TableSchema | None = None,
    names: Collection[str | int | None] | None = None,
    now: datetime | None = None,
) -> Iterator[Finding]:
    """What does not fit; of these columns only, if names are given and the contract says nothing of the others."""
    for need in contract.columns:
        if (
            names is None
            or need.id in names
            or need.name in names
            or need.name.split(".", 1)[0] in names
            or contract.shape is not Shape.OPEN
        ):
            for lack in _lacks(schema, need, seen, now):
                yield _finding(lack, contract, need)
    for lack in (*_shape(schema, contract, seen), *_keys(schema, contract)):
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


class _Found(NamedTuple):
    """The field that a job means, and where it is now."""

    field: Field
    path: tuple[str, ...]


def _lacks(schema: TableSchema, need: Need, seen: TableSchema | None, now: datetime | None) -> Iterator[_Lack]:
    path = _path(schema, need.name, seen)
    named = _by_name(schema, path)
    meant = need.id if need.id is not None else _id_seen(seen, need.name)
    found = named if meant is None or (named and named.field.id == meant) else _by_id(schema, meant)
    if found is None and named is not None:
        yield _Lack("EXPECT_STALE_PIN", need.name, str(meant), str(named.field.id), named.field.id)
    elif found is None:
        found = _by_alias(schema, need.name, now)
        here = None if found is None else _Lack("EXPECT_FIELD_RENAMED", need.name, need.name, found.field.name, found.field.id, "alias")
        yield here or _Lack("EXPECT_FIELD_MISSING", need.name)
    elif found.path != path:
        yield _renamed(schema, need, found, path, valid=named is None and need.name in aliases(schema, found.field.id, now))
    if found is not None:
        yield from _types(schema, found, need)
        yield from _roles(schema, need, found)


def _path(schema: TableSchema, name: str, seen: TableSchema | None = None) -> tuple[str, ...]:
    """The steps of a name: a column may have a dot in its own name, or may have had."""
    whole = "." not in name or schema.field(name) is not None or (seen is not None and seen.field(name) is not None)
    return (name,) if whole else tuple(name.split("."))


def _by_name(schema: TableSchema, path: tuple[str, ...]) -> _Found | None:
    found = schema.field(path[0])
    for step in path[1:]:
        found = _inner(found.type).get(step) if found is not None else None
    return None if found is None else _Found(found, path)


def _inner(kind: DataType) -> Mapping[str, Field]:
    """The fields inside a type, looking through lists and map values."""
    while isinstance(kind, ArrayType | MapType):
        kind = kind.element if isinstance(kind, ArrayType) else kind.value
    return {one.name: one for one in kind.fields} if isinstance(kind, RowType) else {}


def _id_seen(seen: TableSchema | None, name: str) -> int | None:
    found = None if seen is None else _by_name(seen, _path(seen, name)) or _by_alias(seen, name)
    return None if found is None else found.field.id


def _by_id(schema: TableSchema, number: int) -> _Found | None:
    found = schema.column(number)
    if found is not None:
        return _Found(found, (found.name,))
    return next((place for one in schema.fields if type(one.wire) is not str and (place := _within(one, number, (one.name,)))), None)


def _within(field: Field, number: int, path: tuple[str, ...]) -> _Found | None:
    for one in _inner(field.type).values():
        if one.id == number:
            return _Found(one, (*path, one.name))
        if type(one.wire) is not str and (found := _within(one, number, (*path, one.name))):
            return found
    return None


def _by_alias(schema: TableSchema, name: str, now: datetime | None = None) -> _Found | None:
    """The column whose earlier name, kept as an alias, the job uses."""
    columns = schema.fields if schema.options else ()
    return next((_Found(one, (one.name,)) for one in columns if name in aliases(schema, one.id, now)), None)


def _renamed(schema: TableSchema, need: Need, found: _Found, path: tuple[str, ...], *, valid: bool) -> _Lack:
    """The field under its new name; the old one may be valid as an alias, or in other letters."""
    new = ".".join(found.path)
    same = new.lower() == ".".join(path).lower() and _by_name(schema, path) is None
    variant = "alias" if valid else "case" if same else ""
    *above, last = path
    back = found.path[:-1] == tuple(above) and _by_name(schema, (*found.path[:-1], last)) is None
    changes = (RenameColumn(found.path, last),) if back else ()
    return _Lack("EXPECT_FIELD_RENAMED", need.name, need.name, new, found.field.id, variant, changes)


# ---------------------------------------------------------------- types


def _types(schema: TableSchema, found: _Found, need: Need) -> Iterator[_Lack]:
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
    elif isinstance(source, MapType) and isinstance(target, MapType) and same_type(numbered(source.key), numbered(target.key)):
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
        return same_type(numbered(source), numbered(target))
    return lossless(numbered(source).with_nullable(True), numbered(target).with_nullable(True))


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


def _shape(schema: TableSchema, contract: Contract, seen: TableSchema | None) -> Iterator[_Lack]:
    if contract.shape is Shape.OPEN:
        yield from _required(schema, contract) if contract.writes else ()
        return
    mine = [_path(schema, one.name, seen)[0] for one in contract.columns]
    named, pinned = frozenset(mine), contract.pins
    extra = [
        one
        for one in schema.fields
        if one.name not in named and one.id not in pinned and _seen_as(seen, one.id) not in named and not _is_alias(schema, one.id, named)
    ]
    for one in extra:
        yield _Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))
    if contract.shape is Shape.POSITIONAL and not extra:
        for mine_name, one in zip(mine, schema.fields, strict=False):
            if one.name != mine_name and schema.field(mine_name) is not None:
                yield _Lack("EXPECT_ORDER", one.name, mine_name, one.name, one.id)


def _seen_as(seen: TableSchema | None, number: int) -> str | None:
    found = None if seen is None else seen.column(number)
    return None if found is None else found.name


def _is_alias(schema: TableSchema, number: int, names: Collection[str]) -> bool:
    return bool(schema.options) and not aliases(schema, number).keys().isdisjoint(names)


def _required(schema: TableSchema, contract: Contract) -> Iterator[_Lack]:
    """Columns without which a row cannot be written, and that the job does not send."""
    known = {_path(schema, one.name)[0] for one in contract.columns}
    for one in schema.fields:
        if not one.type.nullable and one.default is None and one.name not in known:
            yield _Lack("EXPECT_EXTRA_FIELD", one.name, id=one.id, new=str(one.type))


def _keys(schema: TableSchema, contract: Contract) -> Iterator[_Lack]:
    if contract.primary_key is not None and set(contract.primary_key) != set(schema.primary_keys):
        yield _Lack("EXPECT_KEY_CHANGED", "primaryKeys", ", ".join(contract.primary_key), ", ".join(schema.primary_keys))
    for name in contract.partitioned_by or ():
        if name not in schema.partition_keys:
            yield _Lack("EXPECT_PARTITION_MISSING", name)


def _roles(schema: TableSchema, need: Need, found: _Found) -> Iterator[_Lack]:
    name = found.path[0]
    if Role.KEY in need.role and name not in schema.primary_keys:
        yield _Lack("EXPECT_KEY_CHANGED", need.name, need.name, ", ".join(schema.primary_keys), found.field.id)
    if Role.PARTITION in need.role and name not in schema.partition_keys:
        yield _Lack("EXPECT_PARTITION_MISSING", need.name, id=found.field.id)
