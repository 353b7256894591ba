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
    path_before,
)
from airflow_provider_schemas.spark.observation.plan_outputs import Columns, Outputs, lateral_plan, main_child
from airflow_provider_schemas.spark.observation.plan_trees import PlanNode
from airflow_provider_schemas.spark.reading.read_alias import TableInFrame, table_of_alias

NeedsBelow = Iterable[tuple[PlanNode, Needs]]
"""The steps below a step, and what is needed of each."""


class SourceUse(Struct, frozen=True):
    """A source of a query, with what is needed of its columns."""

    step: PlanNode
    columns: Columns
    needs: Needs
    read: TableInFrame | None = None
    """The table, if `read_table` made the frame."""


class Lineage:
    """One query, followed down."""

    def __init__(self) -> None:
        self.outputs = Outputs()
        self.sources: list[SourceUse] = []
        self.notes: list[str] = []
        self._common_tables: dict[int, PlanNode] = {}
        self._needs_of_common: dict[int, Needs] = {}

    def follow(self, plan: PlanNode, needs: Needs | None = None) -> Needs:
        """Add the sources of a plan, and return what it needs of the query around it."""
        outer = Needs()
        if needs is None:
            needs = self.all_columns(plan)
        waiting = [(plan, needs)]
        while waiting:
            step, wanted = waiting.pop()
            gathered = Gathered()
            follow_step = _STEPS.get(step.kind, _follow_unknown)
            waiting += follow_step(self, step, wanted, gathered)
            outer.merge(gathered.outer)
        return outer

    def all_columns(self, step: PlanNode) -> Needs:
        """Return that every column is needed that a step gives."""
        return _need_columns(self.outputs.columns_of(step))

    def refer(self, gathered: Gathered, expressions: Iterable[PlanNode], uses: Uses) -> Needs:
        """Return what these expressions need of the step below; subqueries in them are followed."""
        for expression in expressions:
            gathered.add(expression, uses)
        return self.settle(gathered)

    def settle(self, gathered: Gathered) -> Needs:
        """Follow the subqueries, which may need columns of this query too, and return all that was gathered."""
        while gathered.subqueries:
            plan, uses, reads_columns = gathered.subqueries.pop()
            needs = _need_columns(self.outputs.columns_of(plan), uses) if reads_columns else Needs()
            inner = self.follow(plan, needs)
            gathered.needs.merge(inner)
            gathered.outer.merge(inner)
        return gathered.needs

    def add_source(self, step: PlanNode, needs: Needs, read: TableInFrame | None = None) -> None:
        self.sources.append(SourceUse(step, self.outputs.columns_of(step), needs, read))

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def define_common_table(self, number: int, step: PlanNode) -> None:
        self._common_tables[number] = step

    def follow_common_table(self, number: int, wanted: list[dict[Path, Uses]]) -> NeedsBelow:
        """Return the definition of a common table with what all its uses need, if this use needs something that none needed before."""
        step = self._common_tables.get(number)
        if step is None:
            self.note("a WITH of the query could not be found in its plan; what it reads is missing here")
            return []
        needs = Needs()
        for column, paths in zip(self.outputs.columns_of(step), wanted, strict=False):
            needs.add_paths(column.id, paths)
        known = self._needs_of_common.get(number)
        if known is not None and not needs.exceeds(known):
            return []
        self._needs_of_common[number] = needs.merge(known or Needs())
        return [(step, needs)]


def _need_columns(columns: Columns, uses: Uses = SELECT) -> Needs:
    """Return that all of these columns are needed as a whole."""
    needs = Needs()
    for column in columns:
        needs.add(column.id, WHOLE, uses)
    return needs


def _split(lineage: Lineage, step: PlanNode, needs: Needs) -> NeedsBelow:
    """Return for each child what is needed of the columns that it gives."""
    if len(step.children) == 1:
        return [(step.children[0], needs)]
    return [(child, needs.only(_ids(lineage, child))) for child in step.children]


def _ids(lineage: Lineage, step: PlanNode) -> set[int]:
    return {column.id for column in lineage.outputs.columns_of(step)}


# ---------------------------------------------------------------- steps that take columns through

_Step = Callable[[Lineage, PlanNode, Needs, Gathered], NeedsBelow]
"""Follows a step: takes what is needed of it, and returns what is needed of the steps below it."""


def _pass_through(uses: Uses) -> _Step:
    """Return what follows a step whose columns come from below as they are, and whose expressions are used so."""

    def step(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
        own = lineage.refer(gathered, node.inner(), uses)
        return _split(lineage, node, Needs().merge(needs).merge(own))

    return step


def _need_everything(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    """Follow a step that compares whole rows, or hands them over: every column counts."""
    own = Needs().merge(needs).merge(lineage.refer(gathered, node.inner(), SELECT))
    for child in node.children:
        own.merge(lineage.all_columns(child))
    return _split(lineage, node, own)


def _follow_unknown(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    if not node.children and node.listed("output"):
        lineage.add_source(node, needs)
    elif node.kind.endswith("Command"):
        pass  # it reads nothing by itself
    elif node.children:
        lineage.note(f"what {node.kind} does with columns is not known; every column that reaches it counts as read")
    else:
        lineage.note(f"what {node.kind} reads is not known, and missing here")
    return _need_everything(lineage, node, needs, gathered)


def _read_source(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    lineage.add_source(node, needs)
    return []


def _read_nothing(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    return []


def _note_rows(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    names = ", ".join(column.name for column in lineage.outputs.columns_of(node)[:5])
    lineage.note(f"rows with the columns {names or 'of no name'} were handed in or checkpointed; where they came from is not known")
    return []


def _follow_written(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    """Follow a command that writes what a query gives; the table that it writes to is not read."""
    return [(child, lineage.all_columns(child)) for child in node.children]


def _follow_alias(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    read = _find_read(node)
    if read is None:
        return _split(lineage, node, needs)
    lineage.add_source(node, needs, read)
    return []


def _find_read(node: PlanNode) -> TableInFrame | None:
    """Return the table of an alias, if `read_table` made the frame."""
    identifier = node.fields.get("identifier")
    if not isinstance(identifier, dict):
        return None
    return table_of_alias(str(identifier.get("name", "")))


# ---------------------------------------------------------------- steps that make columns


def _follow_project(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    columns = node.listed("projectList")
    if columns is None:
        return _follow_unknown(lineage, node, needs, gathered)
    _add_made(gathered, columns, needs, is_named=_name_check(lineage, node, columns, needs))
    return _split(lineage, node, lineage.settle(gathered))


def _add_made(gathered: Gathered, columns: list[PlanNode], needs: Needs, *, is_named: Callable[[PlanNode], bool]) -> None:
    """Add what the columns are made of that a step makes."""
    for column in columns:
        wanted = needs.paths(column.id)
        for path, uses in wanted.items():
            gathered.add(column, uses, path)
        if not wanted and is_named(column):
            gathered.add(column, ONLY_NAMED)


def _name_check(lineage: Lineage, node: PlanNode, columns: list[PlanNode], needs: Needs) -> Callable[[PlanNode], bool]:
    """Return what tells whether a column that nobody uses was named by the author of the query.

    `SELECT *`, `drop`, `withColumn` and JOIN USING list columns that no author named, and look the same here: most of what
    there is. What is computed, or gets another name, was always named.
    """
    available = len(lineage.outputs.columns_of(node.children[0]))
    are_few = len(columns) * 2 <= available
    if not are_few and len(columns) < available:
        _note_unused(lineage, [column.name for column in columns if column.id not in needs and _is_plain(column)])
    return lambda column: are_few or not _is_plain(column)


def _note_unused(lineage: Lineage, unused: list[str]) -> None:
    if not unused:
        return
    names = ", ".join(unused[:5])
    if len(unused) > 5:
        names += f" and {len(unused) - 5} more"
    lineage.note(f"listed, not used, and so not part of a contract: {names}; add them if the query names them")


def _is_plain(column: PlanNode) -> bool:
    """Return whether this is a column as it is, under its own name."""
    source = column
    while source.kind in ("Alias", "Cast", "UpCast") and source.children:
        source = source.children[0]
    return source.kind == "AttributeReference" and source.name.lower() == column.name.lower()


def _is_always_named(column: PlanNode) -> bool:
    return True


def _follow_aggregate(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    columns = node.listed("aggregateExpressions")
    groups = node.listed("groupingExpressions")
    if columns is None or groups is None:
        return _follow_unknown(lineage, node, needs, gathered)
    _add_made(gathered, columns, needs, is_named=_is_always_named)
    return _split(lineage, node, lineage.refer(gathered, groups, SELECT))


def _follow_window(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    columns = node.listed("windowExpressions")
    if columns is None:
        return _follow_unknown(lineage, node, needs, gathered)
    made = {column.id for column in columns}
    _add_made(gathered, columns, needs, is_named=_is_always_named)
    specs = [*(node.listed("partitionSpec") or ()), *(node.listed("orderSpec") or ())]
    own = lineage.refer(gathered, specs, SELECT)
    return _split(lineage, node, own.merge(needs.without(made)))


def _follow_generate(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    columns = node.listed("generatorOutput")
    generators = node.listed("generator")
    if columns is None or not generators:
        return _follow_unknown(lineage, node, needs, gathered)
    parts = _exploded_parts(generators[0], columns, needs)
    for generator in generators:
        if parts is None:
            gathered.add(generator, SELECT)
            continue
        for path, uses in parts.items():
            gathered.add(generator.children[0], uses, path)
    made = {column.id for column in columns}
    return _split(lineage, node, Needs().merge(lineage.settle(gathered)).merge(needs.without(made)))


def _exploded_parts(generator: PlanNode, columns: list[PlanNode], needs: Needs) -> dict[Path, Uses] | None:
    """Return the parts of the elements that are needed; None if the whole list or map is, if only for its length."""
    elements = columns[1:] if generator.kind == "PosExplode" else columns
    if generator.kind not in ("Explode", "PosExplode") or len(elements) != 1 or elements[0].id is None or not generator.children:
        return None
    parts = needs.paths(elements[0].id)
    return {path: uses for path, uses in parts.items() if uses != ONLY_NAMED} or None


def _follow_expand(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    """Follow a step that makes rows several times, for ROLLUP and CUBE; of UNPIVOT Spark writes nothing down."""
    columns = node.listed("output")
    if columns is None or not isinstance(node.fields.get("projections"), list):
        return _follow_unknown(lineage, node, needs, gathered)
    for place, expression in enumerate(node.listed("projections") or ()):
        column = columns[place % len(columns)]
        for path, uses in needs.paths(column.id).items():
            gathered.add(expression, uses, path)
    return _split(lineage, node, lineage.settle(gathered))


# ---------------------------------------------------------------- several queries


def _follow_union(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    """Follow a union, which takes columns by their places, and so the fields of structs, whatever they are called."""
    united = lineage.outputs.columns_of(node)
    below = []
    for number, child in enumerate(node.children):
        own = Needs()
        for column, result in zip(lineage.outputs.columns_of(child), united, strict=False):
            for path, uses in needs.paths(result.id).items():
                own.add(column.id, path_before(column.kind, result.kind, path) if number else path, uses)
        below.append((child, own))
    return below


def _follow_lateral(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    right = lateral_plan(node)
    if right is None:
        return _follow_unknown(lineage, node, needs, gathered)
    own = lineage.refer(gathered, node.listed("condition") or (), JOIN)
    both = Needs().merge(needs).merge(own)
    outer = lineage.follow(right, both.only(_ids(lineage, right)))
    gathered.outer.merge(outer)
    return [(node.children[0], both.merge(outer))]


def _follow_with(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    plan = node.children[main_child(node)]
    for child in node.children:
        if child is not plan and child.kind == "CTERelationDef":
            lineage.define_common_table(child.fields["id"], child)
    return [(plan, needs)]


def _follow_reference(lineage: Lineage, node: PlanNode, needs: Needs, gathered: Gathered) -> NeedsBelow:
    wanted = [needs.paths(column.id) for column in lineage.outputs.columns_of(node)]
    return lineage.follow_common_table(node.fields["cteId"], wanted)


_STEPS: Final[dict[str, _Step]] = {
    **dict.fromkeys(("LogicalRelation", "HiveTableRelation", "DataSourceV2Relation", "DataSourceV2ScanRelation"), _read_source),
    **dict.fromkeys(("StreamingRelation", "StreamingRelationV2", "StreamingDataSourceV2Relation"), _read_source),
    **dict.fromkeys(("LocalRelation", "OneRowRelation", "Range", "EmptyRelation", "UnionLoopRef"), _read_nothing),
    **dict.fromkeys(("LogicalRDD", "ExternalRDD", "LogicalRDDScan", "InMemoryRelation"), _note_rows),
    **dict.fromkeys(
        ("Sort", "GlobalLimit", "LocalLimit", "LimitAll", "Offset", "Tail", "Sample", "View", "CTERelationDef"), _pass_through(SELECT)
    ),
    **dict.fromkeys(("PipeOperator", "SQLFunctionNode"), _pass_through(SELECT)),
    **dict.fromkeys(("Repartition", "RepartitionByExpression", "RebalancePartitions", "ResolvedHint"), _pass_through(SELECT)),
    **dict.fromkeys(
        ("Deduplicate", "DeduplicateWithinWatermark", "EventTimeWatermark", "CollectMetrics", "Subquery"), _pass_through(SELECT)
    ),
    **dict.fromkeys(("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic", "InsertIntoStatement"), _follow_written),
    **dict.fromkeys(("Distinct", "Intersect", "Except", "UnionLoop", "CommandResult"), _need_everything),
    **dict.fromkeys(("MapInPandas", "MapInArrow", "FlatMapGroupsInPandas", "FlatMapGroupsInArrow"), _need_everything),
    **dict.fromkeys(("Join", "AsOfJoin"), _pass_through(JOIN)),
    "Filter": _pass_through(FILTER),
    "SubqueryAlias": _follow_alias,
    "Project": _follow_project,
    "Aggregate": _follow_aggregate,
    "Window": _follow_window,
    "Generate": _follow_generate,
    "Expand": _follow_expand,
    "Union": _follow_union,
    "SequentialStreamingUnion": _follow_union,
    "LateralJoin": _follow_lateral,
    "WithCTE": _follow_with,
    "CTERelationRef": _follow_reference,
}
