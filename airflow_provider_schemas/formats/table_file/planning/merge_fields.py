"""A table file's fields laid over those of a table: the fields as they shall be, with the ids of those that are there.

Fields are found by their names, and by their earlier names where the file says so. What the file does not mention
stays. A new field next to one that is not mentioned, which may be the same under another name, is a fault: a person
has to say which.
"""

from collections.abc import Collection, Mapping, Sequence

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.table_file.field_paths import Steps, dotted
from airflow_provider_schemas.formats.table_file.planning.column_order import ordered
from airflow_provider_schemas.formats.table_file.planning.rename_candidates import Pair, Wanted, candidate_faults


class Laying:
    """The fields of a file on their way over those of a table."""

    def __init__(
        self, highest_id: int, earlier: Mapping[Steps, tuple[str, ...]], dropped: Collection[Steps], mentioned: Collection[Steps]
    ) -> None:
        self.ids = FieldIds(highest_id)
        self.earlier = earlier
        self.dropped = dropped
        self.around_dropped = {path[:end] for path in dropped for end in range(1, len(path))}
        self.mentioned = mentioned  # by other entries, such as keys
        self.left_alone: list[str] = []
        self.gone: list[tuple[Steps, Field]] = []
        self.fresh: list[tuple[Steps, Field]] = []
        self.renamed: list[tuple[Steps, str]] = []  # the path now, the name before
        self.not_found: list[tuple[Steps, str]] = []  # new, and said to have had another name that nothing bears; and its entry
        self.faults: list[Fault] = []

    # ------------------------------------------------------------ fields

    def fields(self, old: Sequence[Field], wanted: Sequence[Wanted], path: Steps = ()) -> tuple[Field, ...]:
        """The columns, or the fields of one ROW."""
        pairs = self._paired({one.name: one for one in old}, wanted, path)
        found = {before.id: want for want, before in pairs if before is not None}
        rest = [one for one in old if one.id not in found]
        self.gone += [((*path, one.name), one) for one in rest if (*path, one.name) in self.dropped]
        stay = [one for one in rest if (*path, one.name) not in self.dropped]
        unknown = [one for one in stay if (*path, one.name) not in self.mentioned]
        self.left_alone += [dotted((*path, one.name)) for one in unknown]
        if unknown and len(found) < len(pairs):
            there = [one.with_name(found[one.id].name) if one.id in found else one for one in old if (*path, one.name) not in self.dropped]
            self.faults += candidate_faults(there, {one.name for one in unknown}, pairs, path)
        laid = [self._field(want, before, path) for want, before in pairs]
        kept = [self._kept(one, (*path, one.name)) for one in stay] if self.around_dropped else stay
        all_of_them = {one.id: one for one in (*kept, *laid)}
        order = ordered([one.id for one in old if one.id in all_of_them], [one.id for one in laid], moving=not path)
        return tuple([all_of_them[number] for number in order])

    def _paired(self, there: Mapping[str, Field], wanted: Sequence[Wanted], path: Steps) -> list[Pair]:
        """Each field of the file with the one that it is."""
        names = {one.name for one in wanted}
        taken: set[str] = set()
        pairs: list[Pair] = []
        for want in wanted:
            before = there.get(want.name)
            if before is None and (*path, want.name) in self.earlier:
                before = self._renamed(want, there, (names, taken), path)
                taken |= {before.name} if before else set()
            pairs.append((want, before))
        return pairs

    def _renamed(self, want: Wanted, there: Mapping[str, Field], used: Sequence[Collection[str]], path: Steps) -> Field | None:
        """The field that had another name, if it is there."""
        here = (*path, want.name)
        found = [name for name in self.earlier[here] if name in there and not any(name in names for names in used)]
        if len(found) > 1:
            message = f"{shown(want.name)} cannot have been both {' and '.join(map(shown, found))}: the table has them all."
            fix = "Keep one of them under was, and say what becomes of the others."
            self.faults.append(Fault("table-file.several-earlier", want.entry, message, fix))
        if not found:
            self.not_found.append((here, want.entry))
            return None
        self.renamed.append((here, found[0]))
        return there[found[0]]

    def _field(self, want: Wanted, before: Field | None, path: Steps) -> Field:
        if before is None:
            number = self.ids.next()
            new = nested.field(number, want.name, self.ids.assigned(want.type), want.said.get("description"), want.said.get("default"))
            self.fresh.append(((*path, want.name), new))
            return new
        kind = self._type(before.type, want, (*path, want.name))
        description, default = want.said.get("description", before.description), want.said.get("default", before.default)
        return nested.field(before.id, want.name, kind, description, default)

    def _kept(self, one: Field, path: Steps) -> Field:
        """A field that the file does not mention, but for what it drops inside."""
        return one.with_type(self._without_dropped(one.type, path)) if path in self.around_dropped else one

    # ------------------------------------------------------------ types

    def _without_dropped(self, kind: DataType, path: Steps) -> DataType:
        if not isinstance(kind, RowType):
            return rebuilt(kind, [self._without_dropped(part, (*path, step)) for step, part in children(kind)])
        self.gone += [((*path, one.name), one) for one in kind.fields if (*path, one.name) in self.dropped]
        stay = [one for one in kind.fields if (*path, one.name) not in self.dropped]
        return nested.row([self._kept(one, (*path, one.name)) for one in stay]).with_nullable(kind.nullable)

    def _type(self, old: DataType, want: Wanted, path: Steps) -> DataType:
        """The type as it shall be, with the ids of the fields that are there."""
        new = want.type
        if isinstance(old, RowType) and isinstance(new, RowType):
            inside = [Wanted(one.name, one.type, _said(one), want.entry) for one in new.fields]
            return nested.row(self.fields(old.fields, inside, path)).with_nullable(new.nullable)
        if old.root is new.root and children(new):
            parts = zip(children(old), children(new), strict=True)
            return rebuilt(new, [self._type(mine, want._replace(type=theirs), (*path, step)) for (step, mine), (_, theirs) in parts])
        return old.with_nullable(new.nullable) if same_type(old, new) else self.ids.assigned(new)


def _said(one: Field) -> dict[str, str | None]:
    said = {"description": one.description, "default": one.default}
    return {key: value for key, value in said.items() if value is not None}
