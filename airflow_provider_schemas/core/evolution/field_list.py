"""The fields of a draft: the columns of a table, or the fields of one ROW, in order, found by name and by id."""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.field_paths import row_within, with_fields
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ChangeError

# So few fields that are gone are taken out of the order one by one.
_FEW = 10


class FieldList:
    """Fields that changes edit, in order, found at once by name and by id: the columns of a table, or the fields of one ROW.

    Each has a slot, which outlives its name: files may claim ids that are taken. The ROW that a field holds, itself or in
    ARRAYs and MAPs, may be open: its fields are then such a list, and are put back when somebody asks for the whole field.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self._slots = list(fields)
        self._order = list(range(len(fields)))
        self._names = dict(zip([field.name for field in fields], self._order, strict=True))
        self._ids = dict(zip([field.id for field in fields], self._order, strict=True))
        self._gone: set[int] = set()  # still in the order
        self._open: dict[int, FieldList] = {}

    @property
    def ambiguous(self) -> bool:
        """Return whether two of the fields have one name or id."""
        return not len(self._ids) == len(self._names) == len(self._order)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields, in order."""
        for slot in list(self._open):
            self._close(slot)
        return tuple([self._slots[slot] for slot in self._settled()])

    @property
    def names(self) -> list[str]:
        """Return the names of the fields, in order."""
        return [self._slots[slot].name for slot in self._settled()]

    def __len__(self) -> int:
        return len(self._order) - len(self._gone)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def named(self, name: str) -> Field | None:
        """Return the field of this name. If its ROW is open, what changed inside that is not in it yet."""
        if name not in self._names:
            return None
        return self._slots[self._names[name]]

    def field(self, name: str) -> Field:
        """Return the field of a name that is known to be there, as `named` does."""
        return self._slots[self._names[name]]

    def whole(self, name: str) -> Field | None:
        """Return the field of this name, with all that changed inside it."""
        if name not in self._names:
            return None
        return self._close(self._names[name])

    def opened(self, name: str) -> "FieldList | None":
        """Return the fields of the ROW that the field of this name holds, to be changed."""
        slot = self._names[name]
        if slot not in self._open:
            row = row_within(self._slots[slot].type)
            if row is None:
                return None
            self._open[slot] = FieldList(row.fields)
        return self._open[slot]

    def _close(self, slot: int) -> Field:
        """Put the ROW back into its field."""
        inside = self._open.pop(slot, None)
        if inside is not None:
            field = self._slots[slot]
            self._slots[slot] = field.with_type(with_fields(field.type, inside.fields))
        return self._slots[slot]

    def find(self, number: int) -> Field | None:
        """Return the field of this id, with all that changed inside it."""
        if number not in self._ids:
            return None
        return self._close(self._ids[number])

    def place_of(self, name: str) -> int | None:
        """Return where the field of this name stands."""
        if name not in self._names:
            return None
        return self._settled().index(self._names[name])

    def put(self, before: Field, after: Field) -> None:
        """Put a field of the same id in the place of one that is there; a ROW that is open stays so."""
        slot = self._names.pop(before.name)
        self._names[after.name] = slot
        self._slots[slot] = after

    def insert(self, field: Field, place: int | None) -> None:
        """Add a field at this place, or at the end."""
        if field.id in self._ids:
            message = f"the new field would have the id {field.id}, which is taken."
            raise ChangeError(message, code="fields.duplicate-id", path=field.name, fix="Correct the highestFieldId of the file.")
        slot = len(self._slots)
        self._slots.append(field)
        self._names[field.name] = slot
        self._ids[field.id] = slot
        if place is None:
            self._order.append(slot)
        else:
            self._settled().insert(place, slot)

    def remove(self, field: Field) -> None:
        """Take a field out."""
        slot = self._names.pop(field.name)
        self._gone.add(slot)
        self._open.pop(slot, None)
        if self._ids.get(field.id) == slot:
            del self._ids[field.id]

    def move(self, field: Field, place: int) -> None:
        """Put a field at this place among the others."""
        slot = self._names[field.name]
        self._settled().remove(slot)
        self._order.insert(place, slot)

    def _settled(self) -> list[int]:
        """Return the order without the fields that are gone, which leave it together: finding one takes a look through the others."""
        if len(self._gone) > _FEW:
            self._order = [slot for slot in self._order if slot not in self._gone]
        else:
            for slot in self._gone:
                self._order.remove(slot)
        self._gone.clear()
        return self._order
