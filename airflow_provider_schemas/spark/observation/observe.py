"""Which columns of which table the queries of a job really read: reader contracts, made from Spark's own plans.

    for table, contract in observe(report, totals, name="daily_report", owner="team-bi").items():
        store.table(table).register(contract)

Spark's analysed plan says it: joins, unions, subqueries, views and fields inside columns are followed down to the
tables. Where a step of the plan is not known, every column that reaches it counts as read, and a note says so.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.contracts.contract import Contract, Shape
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame
from airflow_provider_schemas.spark.observation.needs import Used, needs
from airflow_provider_schemas.spark.observation.plan_lineage import Found, Lineage
from airflow_provider_schemas.spark.observation.plan_needs import SELECT, WHOLE
from airflow_provider_schemas.spark.observation.plan_trees import plan_of
from airflow_provider_schemas.spark.observation.sources import Source, analysed, described, leaves, source_of
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
        self.notes, self.unnamed = notes, unnamed


def observe(*frames: "DataFrame", name: str = "", owner: str = "", contact: str = "", names: Mapping[str, str] | None = None) -> Observed:
    """What the queries behind these frames read: a contract a table, ready to be registered under the name of a job.

    Names say which table lies in a folder, or is called otherwise in the catalog: `{"s3://lake/orders": "shop.orders"}`.
    Nothing is run. A session of Spark Connect keeps its plans on the server, so it is refused there.
    """
    if not frames:
        raise SparkError("no frame was given.", code="spark.no-frame", path="df", fix="Pass the frames that the job writes or shows.")
    tables: dict[str, _Table] = {}
    notes: list[str] = []
    for frame in frames:
        needs_classic(session_of_frame(frame), "observe", _BY_HAND)
        check_frame(frame)
        _follow(frame, dict(names or {}), tables, notes)
    about = Contract(name=name, owner=owner, contact=contact)
    contracts = {key: one.contract(notes, about) for key, one in sorted(_told_apart(tables).items())}
    unnamed = tuple(sorted(one.source.name for one in tables.values() if not one.source.is_table))
    notes += [f"{one} is no table that is known by a name; say which it is with names=" for one in unnamed]
    return Observed(contracts, tuple(dict.fromkeys(notes)), unnamed)


def _follow(frame: "DataFrame", names: Mapping[str, str], tables: "dict[str, _Table]", notes: list[str]) -> None:
    plan = analysed(frame)
    lineage = Lineage()
    lineage.follow(plan_of(described(plan)))
    there = leaves(plan) if any(one.read is None for one in lineage.found) else {}
    for one in lineage.found:
        source = source_of(one, there, names)
        tables.setdefault(f"{source.catalog}.{source.name}", _Table(source)).take(source, one)
    notes += lineage.notes


class _Table:
    """One table, as all queries together use it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.used: Used = {}
        self.whole = False

    def take(self, source: Source, found: Found) -> None:
        """Add what one place of a query needs of it."""
        taken = {one.name for one in found.columns if found.needs.get(one.id, {}).get(WHOLE, frozenset()) >= SELECT}
        self.whole |= len(source.all) > 1 and taken.issuperset(source.all)
        for column in found.columns:
            if column.name in source.columns:
                mine = self.used.setdefault(column.name, {})
                for path, uses in found.needs.get(column.id, {}).items():
                    mine[path] = mine.get(path, frozenset()) | uses

    def contract(self, notes: list[str], about: Contract) -> Contract:
        name = self.source.name
        if self.whole:
            notes.append(
                f"every column of {name} is taken along, as SELECT * does: the contract is closed, and a new column does not fit it"
            )
        columns = tuple(needs(self.source, self.used))
        shape = Shape.CLOSED if self.whole else Shape.OPEN
        return about.model_copy(update={"table": name if self.source.is_table else "", "columns": columns, "shape": shape})


def _told_apart(tables: "dict[str, _Table]") -> "dict[str, _Table]":
    """By the table's name; where several catalogs have a table of one name, that of the catalog stands before it."""
    answer: dict[str, _Table] = {}
    names = [one.source.name for one in tables.values()]
    for one in tables.values():
        twice = names.count(one.source.name) > 1 and one.source.catalog
        answer[f"{one.source.catalog}.{one.source.name}" if twice else one.source.name] = one
    return answer
