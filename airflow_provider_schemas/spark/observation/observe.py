"""Which columns of which table the queries of a job really read: reader contracts, made from Spark's own plans.

    for table, contract in observe(report, totals, name="daily_report", owner="team-bi").items():
        store.table(table).register(contract)

Spark's analysed plan says it: joins, unions, subqueries, views and fields inside columns are followed down to the
tables. Where a step of the plan is not known, every column that reaches it counts as read, and a note says so.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.contracts.contract import Contract, Shape
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame
from airflow_provider_schemas.spark.observation.needs import Used, make_needs
from airflow_provider_schemas.spark.observation.plan_lineage import Lineage, SourceUse
from airflow_provider_schemas.spark.observation.plan_needs import SELECT, WHOLE
from airflow_provider_schemas.spark.observation.plan_trees import parse_plan
from airflow_provider_schemas.spark.observation.sources import QuerySource, analysed, describe, find_leaves, find_source
from airflow_provider_schemas.spark.session import needs_classic, session_of_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BY_HAND: Final = "Observe the job once in a classic session, or write its contract by hand."


class Observed(dict[str, Contract]):
    """A contract a table, by the table's name, and what could not be told."""

    notes: tuple[str, ...]
    unnamed: tuple[str, ...]
    """The sources among them whose table is not known: a folder, or a query of another database."""

    def __init__(self, contracts: Mapping[str, Contract], notes: tuple[str, ...] = (), unnamed: tuple[str, ...] = ()) -> None:
        super().__init__(contracts)
        self.notes = notes
        self.unnamed = unnamed


def observe(*frames: "DataFrame", name: str = "", owner: str = "", contact: str = "", names: Mapping[str, str] | None = None) -> Observed:
    """Return what the queries behind these frames read: a contract a table, ready to be registered under the name of a job.

    Names say which table lies in a folder, or is called otherwise in the catalog: `{"s3://lake/orders": "shop.orders"}`.
    Nothing is run. A session of Spark Connect keeps its plans on the server, so it is refused there.
    """
    if not frames:
        raise SparkError("no frame was given.", code="spark.no-frame", path="df", fix="Pass the frames that the job writes or shows.")
    tables: dict[str, _TableUse] = {}
    notes: list[str] = []
    for frame in frames:
        needs_classic(session_of_frame(frame), "observe", _BY_HAND)
        check_frame(frame)
        _follow(frame, dict(names or {}), tables, notes)
    template = Contract(name=name, owner=owner, contact=contact)
    contracts = {key: table.contract(notes, template) for key, table in sorted(_name_tables(tables).items())}
    unnamed = tuple(sorted(table.source.name for table in tables.values() if not table.source.is_table))
    notes += [f"{place} is no table that is known by a name; say which it is with names=" for place in unnamed]
    return Observed(contracts, tuple(dict.fromkeys(notes)), unnamed)


def _follow(frame: "DataFrame", names: Mapping[str, str], tables: "dict[str, _TableUse]", notes: list[str]) -> None:
    """Add what one query reads to the tables, and what could not be told to the notes."""
    plan = analysed(frame)
    lineage = Lineage()
    lineage.follow(parse_plan(describe(plan)))
    leaves = {}
    if any(use.read is None for use in lineage.sources):
        leaves = find_leaves(plan)
    for use in lineage.sources:
        source = find_source(use, leaves, names)
        tables.setdefault(f"{source.catalog}.{source.name}", _TableUse(source)).add(source, use)
    notes += lineage.notes


class _TableUse:
    """One table, as all queries together use it."""

    def __init__(self, source: QuerySource) -> None:
        self.source = source
        self.used: Used = {}
        self.whole = False

    def add(self, source: QuerySource, use: SourceUse) -> None:
        """Add what one place of a query needs of the table."""
        taken = {column.name for column in use.columns if use.needs.get(column.id, {}).get(WHOLE, frozenset()) >= SELECT}
        self.whole |= len(source.all) > 1 and taken.issuperset(source.all)
        for column in use.columns:
            if column.name in source.columns:
                known = self.used.setdefault(column.name, {})
                for path, uses in use.needs.get(column.id, {}).items():
                    known[path] = known.get(path, frozenset()) | uses

    def contract(self, notes: list[str], template: Contract) -> Contract:
        """Return the contract about the table, with the names and owners of a template."""
        name = self.source.name
        if self.whole:
            notes.append(
                f"every column of {name} is taken along, as SELECT * does: the contract is closed, and a new column does not fit it"
            )
        columns = tuple(make_needs(self.source, self.used))
        shape = Shape.CLOSED if self.whole else Shape.OPEN
        table = name if self.source.is_table else ""
        return template.model_copy(update={"table": table, "columns": columns, "shape": shape})


def _name_tables(tables: "dict[str, _TableUse]") -> "dict[str, _TableUse]":
    """Return the tables by name; where several catalogs have a table of one name, that of the catalog stands before it."""
    named: dict[str, _TableUse] = {}
    counts = Counter(table.source.name for table in tables.values())
    for table in tables.values():
        source = table.source
        name = source.name
        if counts[name] > 1 and source.catalog:
            name = f"{source.catalog}.{name}"
        named[name] = table
    return named
