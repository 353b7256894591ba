"""The schemas that a table had before, by column: as what each column was known, and in which of them.

Thousands of versions hold few different columns, so whoever asks what a column was pays for these, and not for every version.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import compress, count
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
    """What a column was, and the numbers of the schemas in which it was that, lowest first."""

    field: Field
    numbers: tuple[int, ...]


class Spans:
    """The spans of a growing history. Schemas are added in their order."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.ended: list[Span] = []
        self.going: dict[int, tuple[Field, int]] = {}
        """By id, the columns of the newest schema, and since which number each is what it is."""
        self.beside: dict[Field, int] = {}
        """The same of those whose id another column in the newest schema has as well: an outside writer may give an id twice."""
        self._newest: tuple[Field, ...] = ()

    @classmethod
    def restored(cls, numbers: list[int], ended: list[Span], going: dict[int, tuple[Field, int]], newest: tuple[Field, ...]) -> "Spans":
        """Return spans that were written down; newest are the columns of those that go on, in their order."""
        found = cls()
        found.numbers, found.ended, found.going, found._newest = numbers, ended, going, newest
        return found

    def copy(self) -> "Spans":
        """Return the same spans, to which more schemas can be added."""
        found = Spans()
        found.numbers, found.ended, found.going, found._newest = [*self.numbers], [*self.ended], {**self.going}, self._newest
        found.beside = {**self.beside}
        return found

    def add(self, schema: TableSchema) -> None:
        """Add the next schema."""
        if schema.fields != self._newest:
            self._go_on(schema)
        self.numbers.append(schema.id)

    def _go_on(self, schema: TableSchema) -> None:
        gone, fresh = self._changed(schema.fields)
        there = {column.id: column for column in fresh}
        for number in dict.fromkeys([*(column.id for column in gone), *there]):
            known, now = self.going.get(number), there.get(number)
            if known is not None and known[0] == now:
                continue
            if known is not None:
                del self.going[number]
                self.ended.append(Span(known[0], known[1], self.numbers[-1]))
            if now is not None:
                self.going[number] = (now, schema.id)
        if self.beside or len(self.going) != len(schema.fields):
            self._go_on_beside(schema)
        self._newest = schema.fields

    def _go_on_beside(self, schema: TableSchema) -> None:
        beside = {column: schema.id for column in schema.fields if self.going[column.id][0] != column}
        self.ended += [Span(column, first, self.numbers[-1]) for column, first in self.beside.items() if column not in beside]
        self.beside = {**beside, **{column: first for column, first in self.beside.items() if column in beside}}

    def _changed(self, fields: tuple[Field, ...]) -> tuple[Sequence[Field], Sequence[Field]]:
        """Return the columns that may have ended, and those that may have begun: all of them where an id was there twice."""
        if len(self._newest) == len(self.going):
            return _different(self._newest, fields)
        return [column for column, _ in self.going.values()], fields

    def of_going(self, number: int) -> list[Span]:
        """Return the span of a column that the newest schema has; several where it has the id more than once."""
        known = self.going.get(number)
        found = [] if known is None else [known]
        found += [one for one in self.beside.items() if one[0].id == number] if self.beside else []
        return [Span(column, first, self.numbers[-1]) for column, first in found]


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
    """The schemas before one, as whoever judges the next step asks for them. A value: what it tells never changes."""

    def __init__(
        self,
        numbers: Sequence[int],
        spans: Callable[[], Spans],
        load: Callable[[Sequence[int]], Iterable[TableSchema]],
        counted: frozenset[int] | None = None,
    ) -> None:
        """Numbers are those of all schemas, lowest first. Spans and load are asked when they are needed; load reads schemas by number.

        Counted are the schemas that count; None is all of them.
        """
        self._all, self._find, self._load, self._counted = numbers, spans, load, counted
        self._states: dict[int, tuple[State, ...]] = {}
        self._ranges_told: dict[tuple[int, int], tuple[int, ...]] = {}

    @classmethod
    def of(cls, schemas: Iterable[TableSchema], before: int | None = None) -> Self:
        """Return the history of these schemas, in any order, each number once; of those before a number, if one is given."""
        found = {schema.id: schema for schema in schemas if before is None or schema.id < before}
        numbers = sorted(found)
        return cls(numbers, lambda: spans_of(found[number] for number in numbers), lambda wanted: (found[number] for number in wanted))

    # ------------------------------------------------------------ which schemas

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the schemas that count, lowest first."""
        return tuple(self._all) if self._counted is None else tuple([number for number in self._all if number in self._counted])

    def only(self, numbers: Collection[int] | None) -> "History":
        """Return the history in which these schemas alone count; all of them for None."""
        return self if numbers is None else History(self._all, lambda: self._spans, self._load, frozenset(numbers))

    def before(self, number: int) -> "History":
        """Return the history before a number."""
        return self if not self._all or self._all[-1] < number else self.only([earlier for earlier in self._all if earlier < number])

    def schemas(self, numbers: Sequence[int]) -> Iterable[TableSchema]:
        """Read schemas by their numbers, in this order."""
        return self._load(numbers)

    # ------------------------------------------------------------ columns

    @cached_property
    def _spans(self) -> Spans:
        return self._find()

    @cached_property
    def _ended(self) -> Mapping[int, list[Span]]:
        found: dict[int, list[Span]] = defaultdict(list)
        for span in self._spans.ended:
            found[span.field.id].append(span)
        return found

    def _spans_of(self, number: int) -> list[Span]:
        return [*self._ended.get(number, ()), *self._spans.of_going(number)]

    @cached_property
    def _ended_by_name(self) -> Mapping[str, dict[int, None]]:
        found: dict[str, dict[int, None]] = {}
        for span in self._spans.ended:
            column = span[0]
            if column.name in found:
                found[column.name][column.id] = None
            else:
                found[column.name] = {column.id: None}
        return found

    @cached_property
    def _going_by_name(self) -> Mapping[str, int]:
        """The ids of columns that go on, by name; of several columns with one name, the last."""
        return {column.name: column.id for column, _ in self._spans.going.values()}

    @cached_property
    def _going_beside(self) -> Sequence[Field]:
        """The columns that go on and are not found by their name alone: an outside writer may give a name or an id twice."""
        going = self._spans.going
        names = self._going_by_name
        twice = [column for column, _ in going.values() if names[column.name] != column.id] if len(names) < len(going) else []
        return [*twice, *self._spans.beside]

    def _ids_of(self, name: str) -> Iterable[int]:
        """Return the ids of the columns that bore a name."""
        going = {self._going_by_name[name]: None} if name in self._going_by_name else {}
        beside = {column.id: None for column in self._going_beside if column.name == name}
        return {**self._ended_by_name.get(name, {}), **going, **beside}

    def column(self, number: int) -> tuple[State, ...]:
        """Return what the column with this id was, from the earliest on."""
        if not self._all:
            return ()
        if number not in self._states:
            self._states[number] = tuple(self._stated(self._spans_of(number)))
        return self._states[number]

    def _stated(self, spans: Iterable[Span]) -> list[State]:
        together: dict[Field, list[Span]] = defaultdict(list)
        for span in spans:
            together[span.field].append(span)
        states = [State(field, self._within(spans)) for field, spans in together.items()]
        return sorted([state for state in states if state.numbers], key=lambda state: state.numbers[0])

    def _within(self, spans: Iterable[Span]) -> tuple[int, ...]:
        """Return the numbers of the schemas in which a column was the same."""
        ranges = [self._counted_between(span.first, span.last) for span in sorted(spans, key=_first)]
        return reduce(add, ranges)

    def _counted_between(self, first: int, last: int) -> tuple[int, ...]:
        """Return the numbers of schemas that count, from one to another. Most columns came and went with others."""
        found = self._ranges_told.get((first, last))
        if found is None:
            numbers = self.numbers
            found = self._ranges_told[first, last] = numbers[bisect_left(numbers, first) : bisect_left(numbers, last + 1)]
        return found

    def named(self, name: str) -> tuple[State, ...]:
        """Return what the columns of this name were, from the earliest on."""
        if not self._all:
            return ()
        states = (state for number in self._ids_of(name) for state in self.column(number))
        return tuple(sorted([state for state in states if state.field.name == name], key=lambda state: state.numbers[0]))

    def having(self, names: Iterable[str], lacking: Iterable[str] = ()) -> tuple[int, ...]:
        """Return the numbers of the schemas that have columns of all these names, and of none of the others, lowest first."""
        ranges = [(self._all[0], self._all[-1])] if self._all else []
        for name in names:
            ranges = _common(ranges, self._ranges(name))
        without = {number for name in lacking for first, last in self._ranges(name) for number in self._between(first, last)}
        found = {number for first, last in ranges for number in self._between(first, last)}
        return tuple(sorted(number for number in found - without if self._counted is None or number in self._counted))

    def _ranges(self, name: str) -> list[tuple[int, int]]:
        spans = (span for number in self._ids_of(name) for span in self._spans_of(number))
        return sorted((span.first, span.last) for span in spans if span.field.name == name)

    def _between(self, first: int, last: int) -> Sequence[int]:
        return self._all[bisect_left(self._all, first) : bisect_left(self._all, last + 1)]

    def states(self) -> Iterator[State]:
        """Return what all columns were."""
        for number in {**self._ended, **self._spans.going}:
            yield from self.column(number)


def _common(some: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return what two lists of ranges have in common. Both are sorted."""
    found: list[tuple[int, int]] = []
    start = 0
    for first, last in some:
        while start < len(others) and others[start][1] < first:
            start += 1
        for other_first, other_last in others[start:]:
            if other_first > last:
                break
            found.append((max(first, other_first), min(last, other_last)))
    return found


def newest_first(states: Iterable[State]) -> list[State]:
    """Return the states in the order in which a walk back from the newest schema meets them."""
    return sorted(states, key=lambda state: state.numbers[-1], reverse=True)
