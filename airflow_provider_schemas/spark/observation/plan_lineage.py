"""From the result of a query down to the tables: what each step needs of the steps below it.

The table `_STEPS` knows the steps. Of a step that is not in it, or whose expressions Spark did not write down, all that
reaches it counts as read, and a note says so: rather a column too many than one too few.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.spark.observation.plan_needs import (
    FILTER,
    JOIN,
    ONLY_NAMED,
    SELECT,
    WHOLE,
    Gathered,
    Needs,
    Path,
    Uses,
    before,
)
from airflow_provider_schemas.spark.observation.plan_outputs import Columns, Outputs, lateral_plan
from airflow_provider_schemas.spark.observation.plan_trees import Node
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame, table_of_alias

Below = Iterable[tuple[Node, Needs]]


class Found(Struct, frozen=True):
    """A source of a query, with what is needed of its columns."""

    step: Node
    columns: Columns
    needs: Needs
    read: TableInFrame | None = None
    """The table, if `read_table` made the frame."""


class Lineage:
    """One query, followed down."""

    def __init__(self) -> None:
        self.outputs = Outputs()
        self.found: list[Found] = []
        self.notes: list[str] = []
        self._defined: dict[int, Node] = {}
        self._asked: dict[int, Needs] = {}

    def follow(self, plan: Node, needs: Needs | None = None) -> Needs:
        """Note down the sources of a plan; what comes back is what it needs of the query around it."""
        outer = Needs()
        waiting = [(plan, self.all_of(plan) if needs is None else needs)]
        while waiting:
            step, wanted = waiting.pop()
            gathered = Gathered()
            handle = _STEPS.get(step.kind, _unknown)
            waiting += handle(self, step, wanted, gathered)
            outer.merge(gathered.outer)
        return outer

    def all_of(self, step: Node) -> Needs:
        """Every column that a step gives."""
        return needs_of(self.outputs.of(step))

    def refer(self, gathered: Gathered, expressions: Iterable[Node], uses: Uses) -> Needs:
        """What these expressions need of the step below; subqueries in them are followed."""
        for one in expressions:
            gathered.take(one, uses)
        return self.settle(gathered)

    def settle(self, gathered: Gathered) -> Needs:
        """What was gathered so far, once the subqueries are followed, which may need columns of this query too."""
        while gathered.plans:
            plan, uses, looked_at = gathered.plans.pop()
            inner = self.follow(plan, needs_of(self.outputs.of(plan), uses) if looked_at else Needs())
            gathered.needs.merge(inner)
            gathered.outer.merge(inner)
        return gathered.needs

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def define(self, number: int, step: Node) -> None:
        self._defined[number] = step

    def defined(self, number: int, wanted: list[dict[Path, Uses]]) -> Below:
        """The definition of a common table, if this use of it needs something that none has needed before; with what all need."""
        step = self._defined.get(number)
        if step is None:
            self.note("a WITH of the query could not be found in its plan; what it reads is missing here")
            return []
        needs = Needs()
        for column, paths in zip(self.outputs.of(step), wanted, strict=False):
            needs.take(column.id, paths)
        known = self._asked.get(number)
        if known is not None and not needs.beyond(known):
            return []
        self._asked[number] = needs.merge(known or Needs())
        return [(step, needs)]


def needs_of(columns: Columns, uses: Uses = SELECT) -> Needs:
    """All of these columns."""
    needs = Needs()
    for one in columns:
        needs.add(one.id, WHOLE, uses)
    return needs


def _split(lineage: Lineage, step: Node, needs: Needs) -> Below:
    """To each child what it gives."""
    if len(step.children) == 1:
        return [(step.children[0], needs)]
    answer = []
    for child in step.children:
        there = {one.id for one in lineage.outputs.of(child)}
        answer.append((child, Needs({number: paths for number, paths in needs.items() if number in there})))
    return answer


# ---------------------------------------------------------------- steps that take columns through

_Step = Callable[[Lineage, Node, Needs, Gathered], Below]


def _through(uses: Uses) -> _Step:
    """Columns go through; what is said in the step is used so."""

    def step(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
        own = lineage.refer(gathered, node.inner(), uses)
        return _split(lineage, node, Needs().merge(needs).merge(own))

    return step


def _whole(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    """Whole rows are compared, or handed over: every column counts."""
    own = Needs().merge(needs).merge(lineage.refer(gathered, node.inner(), SELECT))
    for child in node.children:
        own.merge(lineage.all_of(child))
    return _split(lineage, node, own)


def _unknown(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    if not node.children and node.listed("output"):
        lineage.found.append(Found(node, lineage.outputs.of(node), needs))
    elif not node.children and not node.kind.endswith("Command"):
        lineage.note(f"what {node.kind} reads is not known, and missing here")
    elif not node.kind.endswith("Command"):
        lineage.note(f"what {node.kind} does with columns is not known; every column that reaches it counts as read")
    return _whole(lineage, node, needs, gathered)


def _source(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    lineage.found.append(Found(node, lineage.outputs.of(node), needs))
    return []


def _nothing(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    return []


def _rows(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    names = ", ".join(one.name for one in lineage.outputs.of(node)[:5])
    lineage.note(f"rows with the columns {names or 'of no name'} were handed in or checkpointed; where they came from is not known")
    return []


def _written(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    """A command that writes what a query gives; the table that it writes to is not read."""
    return [(one, lineage.all_of(one)) for one in node.children]


def _alias(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    identifier = node.fields.get("identifier")
    read = table_of_alias(str(identifier.get("name", ""))) if isinstance(identifier, dict) else None
    if read is None:
        return _split(lineage, node, needs)
    lineage.found.append(Found(node, lineage.outputs.of(node), needs, read))
    return []


# ---------------------------------------------------------------- steps that make columns


def _project(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    listed = node.listed("projectList")
    if listed is None:
        return _unknown(lineage, node, needs, gathered)
    _produced(gathered, listed, needs, named=_chosen(lineage, node, listed, needs))
    return _split(lineage, node, lineage.settle(gathered))


def _produced(gathered: Gathered, listed: list[Node], needs: Needs, *, named: Callable[[Node], bool]) -> None:
    for one in listed:
        wanted = {} if one.id is None else needs.get(one.id, {})
        for path, uses in wanted.items():
            gathered.take(one, uses, path)
        if not wanted and named(one):
            gathered.take(one, ONLY_NAMED)


def _chosen(lineage: Lineage, node: Node, listed: list[Node], needs: Needs) -> Callable[[Node], bool]:
    """Whether an entry that nobody uses was named by the author of the query.

    `SELECT *`, `drop`, `withColumn` and JOIN USING list columns that no author named, and look the same here: most of what
    there is. What is computed, or gets another name, was always named.
    """
    there = len(lineage.outputs.of(node.children[0]))
    few = len(listed) * 2 <= there
    if not few and len(listed) < there:
        _note_listed(lineage, [one.name for one in listed if one.id not in needs and _plain(one)])
    return lambda one: few or not _plain(one)


def _note_listed(lineage: Lineage, unused: list[str]) -> None:
    if unused:
        names = ", ".join(unused[:5]) + (f" and {len(unused) - 5} more" if len(unused) > 5 else "")
        lineage.note(f"listed, not used, and so not part of a contract: {names}; add them if the query names them")


def _plain(one: Node) -> bool:
    """A column as it is, under its own name."""
    name = one.name
    while one.kind in ("Alias", "Cast", "UpCast") and one.children:
        one = one.children[0]
    return one.kind == "AttributeReference" and one.name.lower() == name.lower()


def _aggregate(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    listed, groups = node.listed("aggregateExpressions"), node.listed("groupingExpressions")
    if listed is None or groups is None:
        return _unknown(lineage, node, needs, gathered)
    _produced(gathered, listed, needs, named=lambda one: True)
    return _split(lineage, node, lineage.refer(gathered, groups, SELECT))


def _window(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    listed = node.listed("windowExpressions")
    if listed is None:
        return _unknown(lineage, node, needs, gathered)
    made = {one.id for one in listed}
    _produced(gathered, listed, needs, named=lambda one: True)
    specs = [*(node.listed("partitionSpec") or ()), *(node.listed("orderSpec") or ())]
    own = lineage.refer(gathered, specs, SELECT)
    return _split(lineage, node, own.merge(Needs({number: paths for number, paths in needs.items() if number not in made})))


def _generate(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    made, generator = node.listed("generatorOutput"), node.listed("generator")
    if made is None or not generator:
        return _unknown(lineage, node, needs, gathered)
    numbers = {one.id for one in made}
    parts = _exploded(generator[0], made, needs)
    for one in generator:
        if parts is None:
            gathered.take(one, SELECT)
        for path, uses in (parts or {}).items():
            gathered.take(one.children[0], uses, path)
    rest = Needs({number: paths for number, paths in needs.items() if number not in numbers})
    return _split(lineage, node, Needs().merge(lineage.settle(gathered)).merge(rest))


def _exploded(generator: Node, made: list[Node], needs: Needs) -> dict[Path, Uses] | None:
    """The parts of the elements that are needed; None if the whole list or map is, if only for its length."""
    elements = made[1:] if generator.kind == "PosExplode" else made
    if generator.kind not in ("Explode", "PosExplode") or len(elements) != 1 or elements[0].id is None or not generator.children:
        return None
    parts = needs.get(elements[0].id, {})
    return {path: uses for path, uses in parts.items() if uses != ONLY_NAMED} or None


def _expand(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    """Rows are made several times, for ROLLUP and CUBE; of UNPIVOT Spark writes nothing down."""
    made, projections = node.listed("output"), node.fields.get("projections")
    if made is None or not isinstance(projections, list):
        return _unknown(lineage, node, needs, gathered)
    flat = node.listed("projections") or []
    for place, one in enumerate(flat):
        column = made[place % len(made)]
        for path, uses in needs.get(-1 if column.id is None else column.id, {}).items():
            gathered.take(one, uses, path)
    return _split(lineage, node, lineage.settle(gathered))


# ---------------------------------------------------------------- several queries


def _union(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    """Columns are put below each other by their places, and so are the fields of structs, whatever they are called."""
    united = lineage.outputs.of(node)
    answer = []
    for place, child in enumerate(node.children):
        own = Needs()
        for column, one in zip(lineage.outputs.of(child), united, strict=False):
            for path, uses in needs.get(one.id, {}).items():
                own.add(column.id, before(column.kind, one.kind, path) if place else path, uses)
        answer.append((child, own))
    return answer


def _lateral(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    right = lateral_plan(node)
    if right is None:
        return _unknown(lineage, node, needs, gathered)
    own = lineage.refer(gathered, node.listed("condition") or (), JOIN)
    both = Needs().merge(needs).merge(own)
    there = {one.id for one in lineage.outputs.of(right)}
    outer = lineage.follow(right, Needs({number: paths for number, paths in both.items() if number in there}))
    gathered.outer.merge(outer)
    return [(node.children[0], both.merge(outer))]


def _with(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    place = node.fields.get("plan")
    plan = node.children[place] if isinstance(place, int) else node.children[-1]
    for one in node.children:
        if one is not plan and one.kind == "CTERelationDef":
            lineage.define(one.fields["id"], one)
    return [(plan, needs)]


def _reference(lineage: Lineage, node: Node, needs: Needs, gathered: Gathered) -> Below:
    return lineage.defined(node.fields["cteId"], [needs.get(one.id, {}) for one in lineage.outputs.of(node)])


_STEPS: Final[dict[str, _Step]] = {
    **dict.fromkeys(("LogicalRelation", "HiveTableRelation", "DataSourceV2Relation", "DataSourceV2ScanRelation"), _source),
    **dict.fromkeys(("StreamingRelation", "StreamingRelationV2", "StreamingDataSourceV2Relation"), _source),
    **dict.fromkeys(("LocalRelation", "OneRowRelation", "Range", "EmptyRelation", "UnionLoopRef"), _nothing),
    **dict.fromkeys(("LogicalRDD", "ExternalRDD", "LogicalRDDScan", "InMemoryRelation"), _rows),
    **dict.fromkeys(
        ("Sort", "GlobalLimit", "LocalLimit", "LimitAll", "Offset", "Tail", "Sample", "View", "CTERelationDef"), _through(SELECT)
    ),
    **dict.fromkeys(("PipeOperator", "SQLFunctionNode"), _through(SELECT)),
    **dict.fromkeys(("Repartition", "RepartitionByExpression", "RebalancePartitions", "ResolvedHint"), _through(SELECT)),
    **dict.fromkeys(("Deduplicate", "DeduplicateWithinWatermark", "EventTimeWatermark", "CollectMetrics", "Subquery"), _through(SELECT)),
    **dict.fromkeys(("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic", "InsertIntoStatement"), _written),
    **dict.fromkeys(("Distinct", "Intersect", "Except", "UnionLoop", "CommandResult"), _whole),
    **dict.fromkeys(("MapInPandas", "MapInArrow", "FlatMapGroupsInPandas", "FlatMapGroupsInArrow"), _whole),
    **dict.fromkeys(("Join", "AsOfJoin"), _through(JOIN)),
    "Filter": _through(FILTER),
    "SubqueryAlias": _alias,
    "Project": _project,
    "Aggregate": _aggregate,
    "Window": _window,
    "Generate": _generate,
    "Expand": _expand,
    "Union": _union,
    "SequentialStreamingUnion": _union,
    "LateralJoin": _lateral,
    "WithCTE": _with,
    "CTERelationRef": _reference,
}
