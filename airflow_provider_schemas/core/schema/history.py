"""The schemas that a table had before, by column: what each column was, and in which of them.

Thousands of versions hold few different columns, so a question about a column costs as much as these, and not as every version.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, compress, count
from operator import add, attrgetter, ne
from typing import Final, NamedTuple, Self

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field


class Span(NamedTuple):
    """A column that was the same in neighbouring schemas: the numbers of the first and of the last of them."""

    field: Field
    first: int
    last: int


class State(NamedTuple):
    """A column as it was, and the numbers of the schemas in which it was so, lowest first."""

    field: Field
    numbers: tuple[int, ...]


class Spans:
    """The spans of a growing history. Schemas are added in their order."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.ended: list[Span] = []
        self.going: dict[int, tuple[Field, int]] = {}
        """By id, the columns of the newest schema, each with the first number since which it is the same."""
        self.beside: dict[Field, int] = {}
        """The columns whose id another column of the newest schema has as well, likewise: an outside writer may give an id twice."""
        self._newest: tuple[Field, ...] = ()

    @classmethod
    def restored(cls, numbers: list[int], ended: list[Span], going: dict[int, tuple[Field, int]], newest: tuple[Field, ...]) -> "Spans":
        """Return spans that were stored; newest are the columns of those that go on, in their order."""
        spans = cls()
        spans.numbers = numbers
        spans.ended = ended
        spans.going = going
        spans._newest = newest
        return spans

    def copy(self) -> "Spans":
        """Return the same spans, to which more schemas can be added."""
        spans = self.restored([*self.numbers], [*self.ended], {**self.going}, self._newest)
        spans.beside = {**self.beside}
        return spans

    def add(self, schema: TableSchema) -> None:
        """Add the next schema."""
        if schema.fields != self._newest:
            self._go_on(schema)
        self.numbers.append(schema.id)

    def _go_on(self, schema: TableSchema) -> None:
        """End the spans of columns that changed or went, and begin those of columns that changed or came."""
        gone, fresh = self._changed(schema.fields)
        new = {column.id: column for column in fresh}
        for number in dict.fromkeys([*(column.id for column in gone), *new]):
            self._go_on_with(number, new.get(number), schema.id)
        if self.beside or len(self.going) != len(schema.fields):
            self._go_on_beside(schema)
        self._newest = schema.fields

    def _go_on_with(self, number: int, new: Field | None, schema_id: int) -> None:
        if number in self.going:
            old, first = self.going[number]
            if old == new:
                return
            del self.going[number]
            self.ended.append(Span(old, first, self.numbers[-1]))
        if new is not None:
            self.going[number] = (new, schema_id)

    def _go_on_beside(self, schema: TableSchema) -> None:
        beside = {column: schema.id for column in schema.fields if self.going[column.id][0] != column}
        for column, first in self.beside.items():
            if column in beside:
                beside[column] = first
            else:
                self.ended.append(Span(column, first, self.numbers[-1]))
        self.beside = beside

    def _changed(self, fields: tuple[Field, ...]) -> tuple[Sequence[Field], Sequence[Field]]:
        """Return the columns that may have ended, and those that may have begun: all of them where an id occurred twice."""
        if len(self._newest) == len(self.going):
            return _different(self._newest, fields)
        return [column for column, _ in self.going.values()], fields

    def of_going(self, number: int) -> list[Span]:
        """Return the span of a column that the newest schema has; several where it has the id more than once."""
        spans: list[Span] = []
        if number in self.going:
            spans.append(Span(*self.going[number], self.numbers[-1]))
        for column, first in self.beside.items():
            if column.id == number:
                spans.append(Span(column, first, self.numbers[-1]))
        return spans


_first: Final = attrgetter("first")


def _different(old: tuple[Field, ...], new: tuple[Field, ...]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """Return both without what they have in common at the start and at the end."""
    least = min(len(old), len(new))
    start = next(compress(count(), map(ne, old, new)), least)
    stop = min(next(compress(count(), map(ne, reversed(old), reversed(new))), least), least - start)
    return old[start : len(old) - stop], new[start : len(new) - stop]


def spans_of(schemas: Iterable[TableSchema]) -> Spans:
    """Return the spans of schemas in their order."""
    spans = Spans()
    for schema in schemas:
        spans.add(schema)
    return spans


class History:
    """The schemas before one, for the check of the next change. A value: its answers never change."""

    def __init__(
        self,
        numbers: Sequence[int],
        spans: Callable[[], Spans],
        load: Callable[[Sequence[int]], Iterable[TableSchema]],
        counted: frozenset[int] | None = None,
    ) -> None:
        """Take the numbers of all schemas, lowest first; `spans` and `load`, which reads schemas by number, are called when needed.

        Counted are the numbers of the schemas that count; None counts all of them.
        """
        self._all = numbers
        self._make_spans = spans
        self._load = load
        self._counted = counted
        self._states: dict[int, tuple[State, ...]] = {}
        self._numbers_by_range: dict[tuple[int, int], tuple[int, ...]] = {}

    @classmethod
    def of(cls, schemas: Iterable[TableSchema], before: int | None = None) -> Self:
        """Return the history of these schemas, in any order, each number once; of those before a number, if one is given."""
        by_number = {schema.id: schema for schema in schemas if before is None or schema.id < before}
        numbers = sorted(by_number)

        def load(wanted: Sequence[int]) -> Iterable[TableSchema]:
            return (by_number[number] for number in wanted)

        return cls(numbers, lambda: spans_of(load(numbers)), load)

    # ------------------------------------------------------------ which schemas

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the schemas that count, lowest first."""
        if self._counted is None:
            return tuple(self._all)
        return tuple([number for number in self._all if number in self._counted])

    def only(self, numbers: Collection[int] | None) -> "History":
        """Return the history in which these schemas alone count; all of them for None."""
        if numbers is None:
            return self
        return History(self._all, lambda: self._spans, self._load, frozenset(numbers))

    def before(self, number: int) -> "History":
        """Return the history before a number."""
        if not self._all or self._all[-1] < number:
            return self
        return self.only([earlier for earlier in self._all if earlier < number])

    def schemas(self, numbers: Sequence[int]) -> Iterable[TableSchema]:
        """Read schemas by their numbers, in this order."""
        return self._load(numbers)

    # ------------------------------------------------------------ columns

    @cached_property
    def _spans(self) -> Spans:
        return self._make_spans()

    @cached_property
    def _ended(self) -> Mapping[int, list[Span]]:
        ended: dict[int, list[Span]] = defaultdict(list)
        for span in self._spans.ended:
            ended[span.field.id].append(span)
        return ended

    def _spans_of(self, number: int) -> list[Span]:
        return [*self._ended.get(number, ()), *self._spans.of_going(number)]

    @cached_property
    def _ended_by_name(self) -> Mapping[str, dict[int, None]]:
        ids: dict[str, dict[int, None]] = {}
        for span in self._spans.ended:
            column = span[0]
            if column.name in ids:
                ids[column.name][column.id] = None
            else:
                ids[column.name] = {column.id: None}
        return ids

    @cached_property
    def _going_by_name(self) -> Mapping[str, int]:
        """The ids of columns that go on, by name; of several columns with one name, the last."""
        return {column.name: column.id for column, _ in self._spans.going.values()}

    @cached_property
    def _going_beside(self) -> Sequence[Field]:
        """The columns that go on and are not found by their name alone: an outside writer may give a name or an id twice."""
        going = self._spans.going
        ids = self._going_by_name
        if len(ids) == len(going):
            return [*self._spans.beside]
        repeated = [column for column, _ in going.values() if ids[column.name] != column.id]
        return [*repeated, *self._spans.beside]

    def _ids_of(self, name: str) -> Iterable[int]:
        """Return the ids of the columns that had a name, each once."""
        ids = dict(self._ended_by_name.get(name, {}))
        if name in self._going_by_name:
            ids[self._going_by_name[name]] = None
        for column in self._going_beside:
            if column.name == name:
                ids[column.id] = None
        return ids

    def column(self, number: int) -> tuple[State, ...]:
        """Return what the column with this id was, from the earliest on."""
        if not self._all:
            return ()
        if number not in self._states:
            self._states[number] = tuple(self._join_spans(self._spans_of(number)))
        return self._states[number]

    def _join_spans(self, spans: Iterable[Span]) -> list[State]:
        """Return a state for each form of a column, with the numbers of all of its spans."""
        spans_by_field: dict[Field, list[Span]] = defaultdict(list)
        for span in spans:
            spans_by_field[span.field].append(span)
        states = [State(field, self._numbers_within(same)) for field, same in spans_by_field.items()]
        return sorted([state for state in states if state.numbers], key=_first_number)

    def _numbers_within(self, spans: Iterable[Span]) -> tuple[int, ...]:
        """Return the numbers of the schemas in which a column was the same."""
        ranges = [self._counted_between(span.first, span.last) for span in sorted(spans, key=_first)]
        return reduce(add, ranges)

    def _counted_between(self, first: int, last: int) -> tuple[int, ...]:
        """Return the numbers of schemas that count, from one to another. Remembered: most columns came and went with others."""
        counted = self._numbers_by_range.get((first, last))
        if counted is None:
            numbers = self.numbers
            counted = self._numbers_by_range[first, last] = numbers[bisect_left(numbers, first) : bisect_left(numbers, last + 1)]
        return counted

    def named(self, name: str) -> tuple[State, ...]:
        """Return what the columns of this name were, from the earliest on."""
        if not self._all:
            return ()
        states = chain.from_iterable(map(self.column, self._ids_of(name)))
        return tuple(sorted([state for state in states if state.field.name == name], key=_first_number))

    def having(self, names: Iterable[str], lacking: Iterable[str] = ()) -> tuple[int, ...]:
        """Return the numbers of the schemas that have columns of all these names, and of none of the others, lowest first."""
        if not self._all:
            return ()
        ranges = [(self._all[0], self._all[-1])]
        for name in names:
            ranges = _intersect(ranges, self._ranges(name))
        numbers = self._between(ranges)
        for name in lacking:
            numbers -= self._between(self._ranges(name))
        return tuple(sorted(number for number in numbers if self._counted is None or number in self._counted))

    def _ranges(self, name: str) -> list[tuple[int, int]]:
        spans = chain.from_iterable(map(self._spans_of, self._ids_of(name)))
        return sorted((span.first, span.last) for span in spans if span.field.name == name)

    def _between(self, ranges: Iterable[tuple[int, int]]) -> set[int]:
        numbers: set[int] = set()
        for first, last in ranges:
            numbers.update(self._all[bisect_left(self._all, first) : bisect_left(self._all, last + 1)])
        return numbers

    def states(self) -> Iterator[State]:
        """Return what all columns were."""
        for number in {**self._ended, **self._spans.going}:
            yield from self.column(number)


def _intersect(ranges: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges that two lists of ranges have in common. Both are sorted."""
    common: list[tuple[int, int]] = []
    start = 0
    for first, last in ranges:
        while start < len(others) and others[start][1] < first:
            start += 1
        for other_first, other_last in others[start:]:
            if other_first > last:
                break
            common.append((max(first, other_first), min(last, other_last)))
    return common


def _first_number(state: State) -> int:
    return state.numbers[0]


def newest_first(states: Iterable[State]) -> list[State]:
    """Return the states in the order in which a walk back from the newest schema meets them."""
    return sorted(states, key=lambda state: state.numbers[-1], reverse=True)
