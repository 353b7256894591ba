"""A rename whose old name stays as an alias: for whom does the alias work?

It works for jobs that read in a way that resolves it, as their contracts say. Where no contract says so, or one that needs the name
reads in another way, the rename is judged as one without an alias.
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


def judge_aliases(
    observations: Sequence[Observation], contracts: "Sequence[Contract]", old: Lookup, readers: Sequence[Reader]
) -> tuple[Observation, ...]:
    """Return the observations; a rename whose alias does not work for all jobs that need the name becomes a plain rename."""
    return tuple(
        [
            _judge_alias(observation, contracts, old, readers) if observation.rule == _ALIASED else observation
            for observation in observations
        ]
    )


def _judge_alias(observation: Observation, contracts: "Sequence[Contract]", old: Lookup, readers: Sequence[Reader]) -> Observation:
    works = [_alias_works(contract, need, readers) for contract, need in _needs_of_field(observation.id, contracts, old)]
    if works and all(works):
        return observation
    return replace(observation, rule="FIELD_RENAMED", variant=UNHEARD_ALIAS)


def _alias_works(contract: "Contract", need: "Need", readers: Sequence[Reader]) -> bool:
    return Role.WRITE not in need.role and resolves_aliases(contract.read_with, readers)


def _needs_of_field(field_id: int | None, contracts: "Sequence[Contract]", old: Lookup) -> "Iterator[tuple[Contract, Need]]":
    """Yield the needs that name a field: by a path, in the type of something around it, or by a field inside it."""
    for contract in contracts:
        for need in contract.columns:
            target = old.by_id(need.id) if need.id is not None else old.meant(old.path(need.name))
            if target is None:
                continue
            if field_id in (*target.ids, *_named_ids(need.kind, target.field.type, old)):
                yield contract, need


def _named_ids(mine: DataType | None, theirs: DataType, old: Lookup) -> Iterator[int]:
    """Yield the ids of the fields that a type names, inside lists and values of maps as well."""
    if mine is None:
        return
    _, mine = looked_through(mine)
    _, theirs = looked_through(theirs)
    if not (isinstance(mine, RowType) and isinstance(theirs, RowType)):
        return
    names = FieldNames(theirs.fields)
    for field in mine.fields:
        target = names.in_any_case(field.name) or old.aliased(theirs.fields, field.name)
        if target is not None:
            yield target.id
            yield from _named_ids(field.type, target.type, old)
