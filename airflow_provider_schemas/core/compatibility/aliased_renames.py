"""A rename whose old name stays as an alias: for whom does the alias work?

It works for jobs that read in a way that resolves it, as their contracts say. Where no contract says so, or one that needs the name
reads in another way, the rename is what it is without an alias.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.read_ways import resolves_aliases
from airflow_provider_schemas.core.contracts.roles import Role
from airflow_provider_schemas.core.difference import UNHEARD_ALIAS, Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.schema.field_lookup import Lookup, looked_through
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import RowType

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract, Need

_ALIASED = "FIELD_RENAMED_ALIASED"


def told_aliases(
    seen: Sequence[Observation], contracts: "Sequence[Contract]", old: Lookup, engines: Sequence[Reader]
) -> tuple[Observation, ...]:
    """The observations; renames whose alias does not work for all who need the name, or is known to work for nobody, as renames."""
    return tuple([_told(one, contracts, old, engines) if one.rule == _ALIASED else one for one in seen])


def _told(seen: Observation, contracts: "Sequence[Contract]", old: Lookup, engines: Sequence[Reader]) -> Observation:
    ways = [_works(contract, need, engines) for contract, need in _needing(seen.id, contracts, old)]
    return seen if ways and all(ways) else replace(seen, rule="FIELD_RENAMED", variant=UNHEARD_ALIAS)


def _works(contract: "Contract", need: "Need", engines: Sequence[Reader]) -> bool:
    return Role.WRITE not in need.role and resolves_aliases(contract.read_with, engines)


def _needing(number: int | None, contracts: "Sequence[Contract]", old: Lookup) -> "Iterator[tuple[Contract, Need]]":
    """The contracts that name the field, by a path or in the type of something around it, or a field inside it."""
    for contract in contracts:
        for need in contract.columns:
            found = old.by_id(need.id) if need.id is not None else old.meant(old.path(need.name))
            if found is None:
                continue
            inside = () if need.kind is None else _named(need.kind, found.field.type, old)
            if number in (*found.ids, *inside):
                yield contract, need


def _named(mine: DataType, theirs: DataType, old: Lookup) -> Iterator[int]:
    """The ids of the fields that a type names, inside lists and values of maps as well."""
    _, mine = looked_through(mine)
    _, theirs = looked_through(theirs)
    if not (isinstance(mine, RowType) and isinstance(theirs, RowType)):
        return
    names = FieldNames(theirs.fields)
    for field in mine.fields:
        there = names.in_any_case(field.name) or old.aliased(theirs.fields, field.name)
        if there is not None:
            yield there.id
            yield from _named(field.type, there.type, old)
