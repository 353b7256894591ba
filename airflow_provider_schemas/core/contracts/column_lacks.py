"""What one column of a schema does not give a job that needs it: its name first, then its type, then its role."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange, UpdateColumnNullability
from airflow_provider_schemas.core.contracts.compare_types import AccessMode, TypeLocation, unfit_types
from airflow_provider_schemas.core.contracts.field_match import case_variant, same_name, twice
from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.contracts.read_ways import READ_TABLE
from airflow_provider_schemas.core.contracts.roles import Accepts, Role, Shape
from airflow_provider_schemas.core.engines.engine_types import EngineTypes
from airflow_provider_schemas.core.schema.field_lookup import LocatedField, Lookup, Path
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract, Need

RENAMED = "EXPECT_FIELD_RENAMED"
_MISMATCH = "EXPECT_TYPE_MISMATCH"
# What a job does that goes by position and names no column.
_SILENT_ROLES = frozenset({Role.SELECT, Role.WRITE})


class ContractCase(NamedTuple):
    """A contract and the schema that it is judged against."""

    there: Lookup
    seen: Lookup | None
    """The schema that the job was written for, if anybody knows it."""
    contract: "Contract"
    engines: tuple[str, ...]
    """The engines that may read the files with a schema of the job."""
    now: datetime | None
    aliased: bool
    """Whether a job that reads as the contract says finds a column under an alias."""
    first_needs: "dict[int, Need]"
    """The first need of the contract for each field of the table."""
    seen_types: tuple[EngineTypes, ...] = ()
    """The columns as the engines see them whose types are not those of the table."""


def column_lacks(case: ContractCase, need: "Need") -> Iterator[Lack]:
    """Yield what a job needs of one column and the schema does not give."""
    path = case.there.path(need.name, case.seen)
    by_position = case.contract.shape is Shape.POSITIONAL and len(path) == 1 and _SILENT_ROLES.issuperset(need.role)
    meant, same_named = find_meant(case.there, path, name=need.name, number=need.id, seen=case.seen)
    if meant is not None:
        first = case.first_needs.setdefault(meant.field.id, need)
        if first is not need and (by_position or same_name(first.name, need.name)):
            yield twice(need.name, first.name)
            return
    if meant is None:
        meant, lack = _without_field(case, need, path, same_named)
        yield lack
    elif meant.path != path and not by_position:
        yield _renamed(case, need, meant, path, valid=_is_alias(case, need, meant, path))
    if meant is None:
        return
    if case.contract.read_with != READ_TABLE and not by_position:
        yield from _ambiguous_names(case.there, need, meant)
    yield from _type_lacks(case, need, meant)
    yield from _role_lacks(case.there.schema, need, meant)


# ---------------------------------------------------------------- names


def find_meant(
    there: Lookup, path: Path, *, name: str, number: int | None, seen: Lookup | None
) -> tuple[LocatedField | None, LocatedField | None]:
    """Return the field that a job means by a name or an id, and the one that has the name now, in any case."""
    same_named = there.by_name(path) or there.in_any_case(path)
    meant = _meant_id(seen, name, number) if there.has_ids else None
    if meant is None or (same_named and same_named.field.id == meant):
        return same_named, same_named
    return there.by_id(meant), same_named


def _meant_id(seen: Lookup | None, name: str, number: int | None) -> int | None:
    """Return the id that the job is pinned to, or that of the field that had the name in the schema that the job was written for."""
    if number is not None or seen is None:
        return number
    path = seen.path(name)
    known = seen.called(path) or seen.in_any_case(path)
    if known is None:
        return None
    return known.field.id


def _without_field(case: ContractCase, need: "Need", path: Path, same_named: LocatedField | None) -> tuple[LocatedField | None, Lack]:
    """Return the field that keeps the name as an alias, if there is one, and what is wrong with the name."""
    if same_named is not None:
        meant = _meant_id(case.seen, need.name, need.id)
        number = same_named.field.id
        return None, Lack("EXPECT_STALE_PIN", need.name, str(meant), str(number), number)
    kept = case.there.called(path, case.now)
    if kept is None:
        return None, Lack("EXPECT_FIELD_MISSING", need.name)
    return kept, _renamed(case, need, kept, path, valid=_finds_aliases(case, need))


def _finds_aliases(case: ContractCase, need: "Need") -> bool:
    return case.aliased and Role.WRITE not in need.role


def _is_alias(case: ContractCase, need: "Need", meant: LocatedField, path: Path) -> bool:
    """Return whether the job finds the field under the old name, which the field keeps as an alias."""
    if not _finds_aliases(case, need) or case.there.by_name(path) is not None:
        return False
    kept = case.there.called(path, case.now)
    return kept is not None and kept.field.id == meant.field.id


def _renamed(case: ContractCase, need: "Need", meant: LocatedField, path: Path, *, valid: bool) -> Lack:
    """Return that the field has a new name; the old one may be valid as an alias, or in other letters."""
    there = case.there
    new = ".".join(meant.path)
    number = meant.field.id
    if valid:
        until = there.alias_of(number).get(path[-1], "")
        because = "and stays as an alias"
        if until:
            because = f"{because} until {until}"
        fix = f"Use {new} instead of {need.name} in the job before the alias ends."
        return Lack(RENAMED, need.name, need.name, new, number, "alias", because=because, fix=fix)
    differs_in_case = new.lower() == ".".join(path).lower() and there.by_name(path) is None
    variant = case_variant(differs_in_case)
    return Lack(RENAMED, need.name, need.name, new, number, variant, _rename_back(there, meant, path))


def _rename_back(there: Lookup, meant: LocatedField, path: Path) -> tuple[SchemaChange, ...]:
    """Return the change that gives the field its old name, where that name is free and no folder carries the new one."""
    *above, name = path
    if meant.path[:-1] != tuple(above) or there.by_name(path) is not None or there.is_kept_elsewhere(name, meant.field.id):
        return ()
    if len(meant.path) == 1 and meant.path[0] in there.schema.partition_keys:
        return ()
    return (RenameColumn(meant.change_path, name),)


def _ambiguous_names(there: Lookup, need: "Need", meant: LocatedField) -> Iterator[Lack]:
    """Yield that Spark refuses the name, since another on the way to the field differs from it in case only."""
    names = there.ambiguous(meant)
    if names:
        spelled = " and ".join(names)
        because = f"{need.name} is ambiguous: {spelled} differ in case only, and Spark finds neither by name"
        fix = f"Rename one of {spelled}; or read with read_table, which goes by the exact name, and say so by read_with: read_table."
        yield Lack("EXPECT_FIELD_MISSING", need.name, id=meant.field.id, because=because, fix=fix)


# ---------------------------------------------------------------- types


def _type_lacks(case: ContractCase, need: "Need", meant: LocatedField) -> Iterator[Lack]:
    """Yield NULLs that the job or the table does not take, then what does not fit in the type: for reading first, then for writing."""
    theirs = meant.field.type
    number = meant.field.id
    writes = Role.WRITE in need.role
    reads = not writes or len(need.role) > 1  # a second role makes a writer a reader too
    if reads and meant.nullable and not need.nullable:
        yield Lack("EXPECT_MAY_BE_NULL", need.name, id=number)
    if writes and not theirs.nullable and need.nullable and need.type is not None:
        yield Lack("EXPECT_MAY_BE_NULL", need.name, id=number, changes=_loosened(case.there.schema, meant))
    unread = _unread(case, need, meant)
    if unread is not None:
        yield unread
    elif need.kind is not None and need.accepts is not Accepts.ANY:
        yield from _unfit(case, need, meant, reads=reads)


def _unread(case: ContractCase, need: "Need", meant: LocatedField) -> Lack | None:
    """Return that the engine of the job cannot read a column; None if it can."""
    for types in case.seen_types:
        kind = types.unread(meant.field)
        if kind is not None:
            text = str(kind.with_nullable(True))
            because = f"{types.engine} cannot read {need.name}, which is {text}"
            fix = "Have the table's owner give the column a type that the engine has; or leave the column out of the job."
            return Lack(_MISMATCH, need.name, new=text, id=meant.field.id, because=because, fix=fix)
    return None


def _unfit(case: ContractCase, need: "Need", meant: LocatedField, *, reads: bool) -> Iterator[Lack]:
    """Yield what of the type does not fit: as the first engine sees it for which something does not."""
    if not case.seen_types:
        yield from _unfit_as(case, need, meant, meant.field.type, reads=reads)
    for types in case.seen_types:
        theirs = types.of(meant.field)
        lacks = _unfit_as(case, need, meant, theirs, reads=reads)
        if lacks:
            yield from (_as_seen(lack, types.engine, differs=theirs != meant.field.type) for lack in lacks)
            return


def _as_seen(lack: Lack, engine: str, *, differs: bool) -> Lack:
    """Return the lack with the name of the engine, where the engine sees another type than the table has."""
    if not differs or lack.rule != _MISMATCH:
        return lack
    return lack._replace(because=f"{lack.path} is {lack.new} as {engine} reads it, and the job means {lack.old}")


def _unfit_as(case: ContractCase, need: "Need", meant: LocatedField, theirs: DataType, *, reads: bool) -> list[Lack]:
    if need.kind is None:
        return []
    number = meant.field.id
    before = _type_before(case, need, number)
    where = TypeLocation(need.name, number, meant.change_path)
    misread: list[Lack] = []
    if reads:
        misread += unfit_types(need.kind, theirs, before, _access(case, need, writes=False), where)
    if Role.WRITE in need.role and not misread:
        misread += unfit_types(need.kind, theirs, before, _access(case, need, writes=True), where)
    return misread


def _type_before(case: ContractCase, need: "Need", number: int) -> DataType | None:
    """Return the type that the job knew, with the ids of the fields inside that it means; None where nobody knows."""
    if case.seen is not None:
        before = case.seen.by_id(number)
        if before is not None:
            return before.field.type
    return need.meant if case.there.has_ids else None


def _loosened(schema: TableSchema, meant: LocatedField) -> tuple[SchemaChange, ...]:
    if len(meant.path) > 1 or meant.path[0] in schema.primary_keys:
        return ()
    return (UpdateColumnNullability(meant.path, True),)


def _access(case: ContractCase, need: "Need", *, writes: bool) -> AccessMode:
    """Return how the job takes values of a column, when it reads or when it writes."""
    contract = case.contract
    # read_table(contract=) gives exactly the parts that a type names; a closed contract says that the job takes all there is.
    in_parts = contract.read_with == READ_TABLE and case.aliased and contract.shape is Shape.OPEN
    own_schema = bool(contract.read_with and case.engines) or in_parts
    return AccessMode(
        writes=writes,
        exact=need.accepts is Accepts.EXACT,
        by_position=contract.shape is Shape.POSITIONAL,
        whole=writes or not own_schema,
        # unionByName does not look into maps; INSERT BY NAME and saveAsTable do.
        names_in_maps=writes,
        engines=case.engines,
        alias=lambda fields, name: case.there.aliased(fields, name, case.now),
        aliased=case.aliased and not writes,
        writer=contract.write_with if writes else "",
    )


# ---------------------------------------------------------------- roles


def _role_lacks(schema: TableSchema, need: "Need", meant: LocatedField) -> Iterator[Lack]:
    name = meant.path[0]
    if Role.KEY in need.role and name not in schema.primary_keys:
        yield Lack("EXPECT_KEY_CHANGED", need.name, need.name, ", ".join(schema.primary_keys), meant.field.id)
    if Role.PARTITION in need.role and name not in schema.partition_keys:
        yield Lack("EXPECT_PARTITION_MISSING", need.name, id=meant.field.id)
