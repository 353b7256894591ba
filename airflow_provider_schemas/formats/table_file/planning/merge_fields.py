"""The fields of a table file merged with those of a table: the wanted fields, with the ids of the existing ones.

Fields are matched by their names, and by the earlier names that the file has for them. Fields that the file does not
mention stay. A new field next to one that is not mentioned, which may be the same under another name, is a fault: a
person has to decide.
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
from airflow_provider_schemas.formats.table_file.planning.rename_candidates import ListedField, Pair, candidate_faults


class FieldMerge:
    """Merges the fields of a file with those of a table, and collects what happens to each of them."""

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
        self.renamed: list[tuple[Steps, str]] = []  # the new path, the earlier name
        self.not_found: list[tuple[Steps, str]] = []  # new fields with an earlier name that no field has; and their entries
        self.faults: list[Fault] = []

    # ------------------------------------------------------------ fields

    def fields(self, old: Sequence[Field], listed: Sequence[ListedField], path: Steps = ()) -> tuple[Field, ...]:
        """Merge the columns, or the fields of one ROW."""
        pairs = self._pair({field.name: field for field in old}, listed, path)
        names = {before.id: field.name for field, before in pairs if before is not None}
        stay = self._remove_dropped([field for field in old if field.id not in names], path)
        unknown = {field.name for field in stay if (*path, field.name) not in self.mentioned}
        self.left_alone += [dotted((*path, field.name)) for field in stay if field.name in unknown]
        if unknown and len(names) < len(pairs):
            remaining = [field for field in old if (*path, field.name) not in self.dropped]
            existing = [field.with_name(names[field.id]) if field.id in names else field for field in remaining]
            self.faults += candidate_faults(existing, unknown, pairs, path)
        merged = [self._merged(field, before, path) for field, before in pairs]
        if self.around_dropped:
            stay = [self._kept(field, (*path, field.name)) for field in stay]
        by_id = {field.id: field for field in (*stay, *merged)}
        order = ordered([field.id for field in old if field.id in by_id], [field.id for field in merged], moving=not path)
        return tuple([by_id[number] for number in order])

    def _remove_dropped(self, fields: Sequence[Field], path: Steps) -> list[Field]:
        """Return the fields that the file does not drop, and record those that it drops."""
        stay: list[Field] = []
        for field in fields:
            if (*path, field.name) in self.dropped:
                self.gone.append(((*path, field.name), field))
            else:
                stay.append(field)
        return stay

    def _pair(self, existing: Mapping[str, Field], listed: Sequence[ListedField], path: Steps) -> list[Pair]:
        """Return each field of the file with the existing field that it is."""
        names = {field.name for field in listed}
        taken: set[str] = set()
        pairs: list[Pair] = []
        for field in listed:
            before = existing.get(field.name)
            if before is None and (*path, field.name) in self.earlier:
                before = self._find_renamed(field, existing, (names, taken), path)
                if before is not None:
                    taken.add(before.name)
            pairs.append((field, before))
        return pairs

    def _find_renamed(
        self, field: ListedField, existing: Mapping[str, Field], used: Sequence[Collection[str]], path: Steps
    ) -> Field | None:
        """Return the existing field that has an earlier name of this one."""
        here = (*path, field.name)
        earlier = [name for name in self.earlier[here] if name in existing and not any(name in names for names in used)]
        if len(earlier) > 1:
            message = f"{shown(field.name)} cannot have been both {' and '.join(map(shown, earlier))}: the table has them all."
            fix = "Keep one of them under was, and say what becomes of the others."
            self.faults.append(Fault("table-file.several-earlier", field.entry, message, fix))
        if not earlier:
            self.not_found.append((here, field.entry))
            return None
        self.renamed.append((here, earlier[0]))
        return existing[earlier[0]]

    def _merged(self, field: ListedField, before: Field | None, path: Steps) -> Field:
        """Return the wanted field: a new one, or the existing one with what the file changes."""
        if before is None:
            number = self.ids.next()
            kind = self.ids.assigned(field.type)
            new = nested.field(number, field.name, kind, field.texts.get("description"), field.texts.get("default"))
            self.fresh.append(((*path, field.name), new))
            return new
        kind = self._type(before.type, field, (*path, field.name))
        description = field.texts.get("description", before.description)
        default = field.texts.get("default", before.default)
        return nested.field(before.id, field.name, kind, description, default)

    def _kept(self, field: Field, path: Steps) -> Field:
        """Return a field that the file does not mention, without the fields inside that it drops."""
        if path not in self.around_dropped:
            return field
        return field.with_type(self._without_dropped(field.type, path))

    # ------------------------------------------------------------ types

    def _without_dropped(self, kind: DataType, path: Steps) -> DataType:
        if not isinstance(kind, RowType):
            return rebuilt(kind, [self._without_dropped(part, (*path, step)) for step, part in children(kind)])
        stay = self._remove_dropped(kind.fields, path)
        return nested.row([self._kept(field, (*path, field.name)) for field in stay]).with_nullable(kind.nullable)

    def _type(self, old: DataType, field: ListedField, path: Steps) -> DataType:
        """Return the wanted type, with the ids of the existing fields inside."""
        new = field.type
        if isinstance(old, RowType) and isinstance(new, RowType):
            inside = [ListedField(part.name, part.type, _texts(part), field.entry) for part in new.fields]
            return nested.row(self.fields(old.fields, inside, path)).with_nullable(new.nullable)
        if old.root is new.root and children(new):
            parts: list[DataType] = []
            for (step, before), (_, after) in zip(children(old), children(new), strict=True):
                parts.append(self._type(before, field._replace(type=after), (*path, step)))
            return rebuilt(new, parts)
        if same_type(old, new):
            return old.with_nullable(new.nullable)
        return self.ids.assigned(new)


def _texts(field: Field) -> dict[str, str | None]:
    """Return the description and the default of a field, where it has them."""
    texts = {"description": field.description, "default": field.default}
    return {key: value for key, value in texts.items() if value is not None}
