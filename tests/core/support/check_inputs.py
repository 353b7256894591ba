"""What judging is tested with: short ways to write tables, policies and contracts, and strategies that draw them.

Drawn are versions of one table, policies, contracts, evidence, live versions, and other names for every field.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, Policy, Report, TableSchema, Version, check, evolve
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.contracts.contract import Accepts, Need, Role, Shape, needs_of
from airflow_provider_schemas.core.engines.readers import READERS
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.policies.policy import Against, Level, Waiver
from airflow_provider_schemas.core.report import SEVERITY, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, fold, rebuilt, row
from airflow_provider_schemas.core.types.nested import field as field_of
from tests.support.tables import EVERYDAY, batches, tables

LEVELS = st.sampled_from(list(Level))
SHAPES = st.sampled_from(list(Shape))
ROLES = st.sampled_from([(Role.SELECT,), (Role.FILTER, Role.JOIN), (Role.WRITE,), (Role.SELECT, Role.WRITE)])
# What breaks careless sentences, paths and splits. No comma: options list columns by it.
HOSTILE = st.text(alphabet=".`{}[]%\n\"'$0a b", min_size=1, max_size=8).filter(lambda name: name.strip() != "")


# ---------------------------------------------------------------- written short


A = TableSchema.create("a INT, b INT")
DROPPED = evolve(A, ["DROP COLUMN b"])
STRUCT = TableSchema.create("a INT, r ROW<x INT, y INT>")


def under(**values: Any) -> Policy:
    """A policy, written as people write it."""
    return Policy(**values)


def needing(**values: Any) -> Contract:
    """A contract, written as people write it."""
    return Contract(**values)


def job(columns: Any, **about: Any) -> Contract:
    return Contract.of({"columns": columns}, name="job", **about)


def foreign(schema: TableSchema, *changed: tuple[int, dict[str, Any]], **members: Any) -> TableSchema:
    """The next schema as another tool writes it: columns by place with other members, one more than there are for a new one."""
    file = json.loads(schema.to_json())
    for place, one in changed:
        if place == len(file["fields"]):
            file["fields"].append(one)
        file["fields"][place] |= one
    highest = max([file["highestFieldId"], *(one["id"] for one in file["fields"])])
    return TableSchema.from_json(json.dumps(file | {"id": schema.id + 1, "highestFieldId": highest} | members))


def line(first: str, *batches_of_changes: list[str]) -> list[TableSchema]:
    """A table and what became of it."""
    found = [TableSchema.create(first, options={"alter-column-null-to-not-null.disabled": "false"})]
    for batch in batches_of_changes:
        found.append(evolve(found[-1], batch))
    return found


def version(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


def judged_against(word: str, schemas: list[TableSchema], **more: Any) -> Report:
    *history, old, new = schemas
    return check(old, new, under(against=word, **more), history=history)


def rules_of(report: Report) -> list[str]:
    return [one.rule for one in report.findings]


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, calls: list[int]) -> None:
    """Count how often a function is called from now on."""
    real = getattr(owner, name)

    def call(*given_: Any, **named: Any) -> Any:
        calls[0] += 1
        return real(*given_, **named)

    monkeypatch.setattr(owner, name, call)


def severity(verdict: Verdict) -> int:
    return SEVERITY[verdict]


# ---------------------------------------------------------------- versions


@st.composite
def versions(draw: st.DrawFn, least: int = 2, most: int = 4, table: st.SearchStrategy[TableSchema] | None = None) -> list[TableSchema]:
    """A table and what became of it, oldest first."""
    found = [draw(tables() if table is None else table)]
    for _ in range(draw(st.integers(least, most)) - 1):
        found.append(evolve(found[-1], draw(batches(found[-1], max_size=3))))
    return found


Step = tuple[TableSchema, TableSchema, list[TableSchema]]


def steps(least: int = 2, most: int = 4) -> st.SearchStrategy[Step]:
    """The last step of a table, and the versions before it: old, new, history."""
    return versions(least, most).map(lambda found: (found[-2], found[-1], found[:-2]))


def batch_of(draw: st.DrawFn, schema: TableSchema, make: Callable[[st.DrawFn, TableSchema, int], SchemaChange]) -> list[SchemaChange]:
    """Changes of one kind, each numbered, drawn for what the ones before it have made."""
    batch: list[SchemaChange] = []
    for number in range(draw(st.integers(1, 4))):
        batch.append(make(draw, evolve(schema, batch), number))
    return batch


# ---------------------------------------------------------------- policies


@st.composite
def policies(draw: st.DrawFn, /, **fixed: Any) -> Policy:
    """Any policy."""
    levels = {name: draw(LEVELS) for name in ("data", "jobs", "writers")}
    rules = draw(st.dictionaries(st.sampled_from(sorted(RULES)), st.sampled_from(["ok", "warn", "block"]), max_size=4))
    values = {
        "protect": levels,
        "against": draw(st.sampled_from(list(Against))),
        "readers": draw(st.lists(st.sampled_from(sorted(READERS)), min_size=1, max_size=3)),
        "rules": rules,
        "enforce_from": draw(st.none() | st.sampled_from(["2020-01-01", "2999-12-31"])),
        "registry_complete": draw(st.booleans()),
    }
    return Policy(**{**values, **fixed})


def waivers(report: Report) -> st.SearchStrategy[list[Waiver]]:
    """Exceptions for some of the findings of a report, some of which have ended."""
    places = [(one.rule, one.path or "*") for one in report.findings] or [("FIELD_DROPPED", "*")]
    jobs = sorted({one.name for one in report.consumers}) or ["nobody"]
    one = st.builds(
        lambda place, until, everywhere, consumer: Waiver(
            rule=place[0], path="*" if everywhere else place[1], until=until, reason="known", consumer=consumer
        ),
        st.sampled_from(places),
        st.sampled_from(["2020-01-01", "2999-12-31"]),
        st.booleans(),
        st.sampled_from(["", *jobs]),
    )
    return st.lists(one, max_size=3)


def evidence_for(report: Report) -> st.SearchStrategy[list[Evidence]]:
    """Evidence about some of the places of a report."""
    places = [(one.path, one.new) for one in report.findings if one.path] or [("a", "INT")]
    found = st.builds(
        lambda place, not_null: Evidence(
            path=place[0], not_null=not_null or _type_text(place[1]) is None, fits=_type_text(place[1]), files=3
        ),
        st.sampled_from(places),
        st.booleans(),
    )
    return st.lists(found, max_size=3)


def _type_text(text: str) -> str | None:
    try:
        Evidence(path="a", fits=text)
    except ValueError:
        return None
    return text


# ---------------------------------------------------------------- contracts


@st.composite
def contracts_for(draw: st.DrawFn, schema: TableSchema, name: str = "job") -> Contract:
    """A contract about some columns of a table, and fields inside them; with the types they have, or others."""
    wanted = draw(st.lists(st.sampled_from(needs_inside(schema)), min_size=1, max_size=4, unique_by=lambda one: one.name))
    columns = tuple(_keyed(schema, draw(_varied(one)), draw(st.booleans())) for one in wanted)
    keys = draw(st.sampled_from([None, schema.primary_keys]))
    parts = draw(st.sampled_from([None, schema.partition_keys]))
    return Contract(name=name, columns=columns, shape=draw(SHAPES), primary_key=keys, partitioned_by=parts)


def _keyed(schema: TableSchema, need: Need, wanted: bool) -> Need:
    """The need of a job that also relies on the column being a key, if it is one."""
    roles = ((Role.KEY, schema.primary_keys), (Role.PARTITION, schema.partition_keys))
    more = tuple(role for role, names in roles if wanted and need.name in names)
    return Need(**{**need.model_dump(), "role": (*need.role, *more)})


@st.composite
def _varied(draw: st.DrawFn, need: Need) -> Need:
    other = draw(st.sampled_from([need.type, need.type, None, str(draw(st.sampled_from(EVERYDAY)))]))
    update = {
        "id": draw(st.sampled_from([None, need.id])),
        "type": other,
        "accepts": draw(st.sampled_from(list(Accepts))),
        "nullable": draw(st.booleans()),
        "role": draw(ROLES),
    }
    return Need(**{**need.model_dump(), **update})


def needs_inside(schema: TableSchema) -> list[Need]:
    """Every column as a contract names it, and every field inside that can be named."""
    pinned = needs_of(schema, pin=True)
    inner = [one for column in schema.fields for one in _named_inside(column.name, column.type)]
    return [*pinned, *inner] if not any("." in column.name for column in schema.fields) else list(pinned)


def _named_inside(path: str, kind: DataType) -> Iterator[Need]:
    while isinstance(kind, ArrayType | MapType):
        kind = kind.element if isinstance(kind, ArrayType) else kind.value
    if isinstance(kind, RowType):
        for one in kind.fields:
            if "." not in one.name:
                yield Need(name=f"{path}.{one.name}", id=one.id, type=str(one.type), nullable=one.type.nullable)
                yield from _named_inside(f"{path}.{one.name}", one.type)


def whole_contract(schema: TableSchema, *, pin: bool, shape: Shape, accepts: Accepts, role: Sequence[Role], **about: Any) -> Contract:
    """The contract of a schema whose every column is needed, in one of its manners."""
    needs = [Need(**{**one.model_dump(), "accepts": accepts, "role": tuple(role)}) for one in needs_of(schema, pin=pin)]
    return Contract(columns=tuple(needs), shape=shape, **about)


@st.composite
def fitting_contracts(draw: st.DrawFn, schema: TableSchema) -> Contract:
    """A contract that the schema fits: all its columns, as they are."""
    about = {"primary_key": schema.primary_keys, "partitioned_by": schema.partition_keys}
    pin, shape, accepts, role = draw(st.booleans()), draw(SHAPES), draw(st.sampled_from(list(Accepts))), draw(ROLES)
    return whole_contract(schema, pin=pin, shape=shape, accepts=accepts, role=role, name="job", **about)


# ---------------------------------------------------------------- other names, other ids


def all_names(*schemas: TableSchema) -> list[str]:
    """Every name of a field at any depth, each once."""
    found: dict[str, None] = {}

    def visit(part: DataType, inner: list[DataType]) -> DataType:
        if isinstance(part, RowType):
            found.update(dict.fromkeys(one.name for one in part.fields))
        return part

    for schema in schemas:
        found.update(dict.fromkeys(schema.names))
        for one in schema.fields:
            fold(one.type, visit)
    return list(found)


def rebuilt_schema(schema: TableSchema, change: Callable[[Field], Field]) -> TableSchema:
    """The schema with every field changed, at any depth."""

    def visit(part: DataType, inner: list[DataType]) -> DataType:
        whole = rebuilt(part, inner)
        return row(change(one) for one in whole.fields).with_nullable(whole.nullable) if isinstance(whole, RowType) else whole

    def column(one: Field) -> Field:
        return change(field_of(one.id, one.name, fold(one.type, visit), one.description, one.default))

    return msgspec.structs.replace(schema, fields=tuple(map(column, schema.fields)))


def renamed(schema: TableSchema, names: Mapping[str, str]) -> TableSchema:
    """The schema with other names for its fields, and in the keys and options that name them."""
    found = rebuilt_schema(schema, lambda one: one.with_name(names[one.name]))
    return msgspec.structs.replace(
        found,
        partition_keys=renamed_list(schema.partition_keys, names),
        primary_keys=renamed_list(schema.primary_keys, names),
        options=Options(renamed_options(schema.options, names)),
    )


def renamed_contract(contract: Contract, names: Mapping[str, str]) -> Contract:
    """The contract with other names for the columns. The names inside the types that it accepts are renamed too."""
    columns = []
    for one in contract.columns:
        name = ".".join(names[step] for step in one.name.split("."))
        columns.append(Need(**{**one.model_dump(), "name": name}))
    keys = None if contract.primary_key is None else renamed_list(contract.primary_key, names)
    parts = None if contract.partitioned_by is None else renamed_list(contract.partitioned_by, names)
    return Contract(**{**contract.model_dump(), "columns": tuple(columns), "primary_key": keys, "partitioned_by": parts})


def shuffled(schema: TableSchema) -> TableSchema:
    """The schema as a tool without ids would give it: other ids, that mean nothing."""
    return rebuilt_schema(schema, lambda one: field_of(schema.highest_field_id - one.id, one.name, one.type, one.description, one.default))


def plain(schema: TableSchema) -> TableSchema:
    """The schema without options, keys and comment: its fields alone."""
    return msgspec.structs.replace(schema, options=Options(), partition_keys=(), primary_keys=(), comment=None)


# ---------------------------------------------------------------- looking at reports


def by_id(report: Report) -> Counter[tuple[Any, ...]]:
    """What a report says to readers by id, without any name."""
    return Counter(
        (one.rule, one.id, one.verdict, one.verdicts.data_by_id, one.jobs, one.writers, len(one.consumers)) for one in report.findings
    )


def by_path(report: Report) -> Counter[tuple[Any, ...]]:
    """What a report says, without any id."""
    return Counter((one.rule, one.path, one.verdict, one.verdicts) for one in report.findings)


def data_of(report: Report) -> Verdict:
    return worst(one.data for one in report.findings)


def jobs_of(report: Report) -> Verdict:
    return worst(one.jobs for one in report.findings)


def table_of(schema: TableSchema, **changed: Any) -> TableSchema:
    """The schema as another tool might have written it."""
    return TableSchema.from_json(json.dumps(json.loads(schema.to_json()) | changed))


# ---------------------------------------------------------------- reports of anything


@st.composite
def anything(draw: st.DrawFn) -> Report:
    """The report of any step, under any policy, with contracts, evidence and live versions."""
    old, new, history = draw(steps())
    if draw(st.booleans()):
        names = all_names(old, new, *history)
        wild = draw(st.lists(HOSTILE, min_size=len(names), max_size=len(names), unique_by=lambda name: name.lower()))
        others = dict(zip(names, wild, strict=True))
        old, new, history = renamed(old, others), renamed(new, others), [renamed(one, others) for one in history]
    policy = draw(policies())
    contracts = [draw(contracts_for(one)) for one in (old, new)]
    first = check(old, new, policy, history=history, contracts=contracts)
    policy = under(**{**policy.model_dump(), "exceptions": [one.model_dump() for one in draw(waivers(first))]})
    live = draw(st.none() | st.sets(st.integers(0, 4)))
    return check(old, new, policy, history=history, contracts=contracts, evidence=draw(evidence_for(first)), live=live, table="db.t")
