"""Lifelines and blame tell the versions that made a column what it is, and never guess about versions that are gone."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, Version, evolve
from airflow_provider_schemas.core.blame.column_blame import ColumnBlame
from airflow_provider_schemas.core.blame.lifelines import CellState
from airflow_provider_schemas.core.blame.path_fields import FieldKey, PathField, path_fields
from airflow_provider_schemas.core.blame.trace import blame, blame_of, lifelines, lifelines_of
from airflow_provider_schemas.core.blame.version_steps import steps_of
from airflow_provider_schemas.core.changes.schema_change import SetOption
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import ColumnNotFoundError, NotThereError
from tests.core.support.check_inputs import line, version, versions

STORY = line(
    "id BIGINT, cust_id BIGINT, amount DECIMAL(10, 2), address ROW<street STRING, zip INT>",
    ["ADD COLUMN note STRING"],
    ["RENAME COLUMN cust_id TO customer_id", "ALTER COLUMN amount TYPE DECIMAL(12, 2)"],
    ["ALTER COLUMN address.zip TYPE BIGINT", "ALTER COLUMN note COMMENT 'by hand'"],
    ["DROP COLUMN note"],
)


def told(schemas: Sequence[TableSchema]) -> list[Version]:
    return [version(schema) for schema in schemas]


def column(schemas: Sequence[TableSchema], path: str, number: int | None = None) -> ColumnBlame:
    return next(found for found in blame("s.t", told(schemas), number).columns if found.path == path)


def states(schemas: Sequence[TableSchema], path: str) -> list[str]:
    found = next(one for one in lifelines("s.t", told(schemas)).lines if one.path == path)
    return ["+".join(cell.states) for cell in found.cells]


# ---------------------------------------------------------------- examples


def test_each_column_names_the_version_since_which_it_is_as_it_is() -> None:
    since = {found.path: found.since and found.since.number for found in blame("s.t", told(STORY)).columns}
    assert since == {"id": 0, "customer_id": 2, "amount": 2, "address": 0, "address.street": 0, "address.zip": 3}


def test_a_rename_keeps_the_line_and_tells_both_names() -> None:
    assert states(STORY, "customer_id") == ["added", "same", "renamed", "same", "same"]
    (change,) = column(STORY, "customer_id").changes
    assert (change.origin.number, change.states, change.text) == (2, (CellState.RENAMED,), "cust_id -> customer_id")


def test_a_type_tells_both_sides() -> None:
    assert column(STORY, "amount").changes[0].text == "DECIMAL(10, 2) -> DECIMAL(12, 2)"
    assert column(STORY, "address.zip").changes[0].text == "INT -> BIGINT"


def test_a_struct_is_not_changed_by_what_changes_inside_it() -> None:
    assert states(STORY, "address") == ["added", "same", "same", "same", "same"]
    assert column(STORY, "address").type == "ROW"


def test_a_column_that_was_dropped_has_a_line_and_the_versions_after_it_have_none_of_it() -> None:
    assert states(STORY, "note") == ["absent", "added", "same", "comment", "dropped"]


def test_the_blame_of_an_older_version_knows_nothing_of_later_ones() -> None:
    assert [found.path for found in blame("s.t", told(STORY), 1).columns][:3] == ["id", "cust_id", "amount"]
    assert column(STORY, "amount", 1).changes == ()


def test_a_dropped_column_is_found_by_its_name_and_tells_who_dropped_it() -> None:
    found = blame("s.t", told(STORY), column="note")
    (gone,) = found.columns
    assert [(change.origin.number, change.states) for change in gone.changes] == [(4, (CellState.DROPPED,)), (3, (CellState.COMMENT,))]
    assert found.notes == ("v4 has no column note: it was dropped.",)


def test_a_column_is_found_by_the_name_that_it_had() -> None:
    found = blame("s.t", told(STORY), column="cust_id")
    assert [one.path for one in found.columns] == ["customer_id"]
    assert found.notes == ("cust_id is customer_id in v4.",)


def test_a_struct_brings_what_is_inside_it() -> None:
    found = blame("s.t", told(STORY), column="ADDRESS")
    assert [(one.path, one.depth) for one in found.columns] == [("address", 0), ("address.street", 1), ("address.zip", 1)]


@pytest.mark.parametrize(
    ("asked", "advice"),
    [("custmer_id", "'customer_id'"), ("address.zp", "'zip'"), ("adress.zip", "'address'"), ("id.x", "Check the name.")],
)
def test_a_column_that_never_was_is_refused_with_the_names_that_may_be_meant(asked: str, advice: str) -> None:
    with pytest.raises(ColumnNotFoundError) as refused:
        blame("s.t", told(STORY), column=asked)
    assert advice in refused.value.fix


def test_a_restored_version_is_told_as_one() -> None:
    back = replace(Provenance(restored=1).on(STORY[1]), id=5)
    schemas = [*STORY, back]
    assert states(schemas, "note")[-1] == "restored"
    assert states(schemas, "cust_id")[-1] == "restored+renamed"
    assert column(schemas, "cust_id").since == blame("s.t", told(schemas)).version
    assert blame("s.t", told(schemas)).version.restored == 1


def test_a_meaning_that_changes_is_a_change_though_name_and_type_stay() -> None:
    schemas = [TableSchema.create("a BIGINT, b INT")]
    for unit in ("cents", "euro"):
        schemas.append(evolve(schemas[-1], [SetOption("schemas.field.0", f'{{"unit": "{unit}"}}')]))
    assert states(schemas, "a") == ["added", "attributes", "attributes"]
    assert [change.text for change in column(schemas, "a").changes] == ["unit cents -> euro", "unit none -> cents"]
    assert states(schemas, "b") == ["added", "same", "same"]


def test_lists_and_maps_lead_to_what_is_inside_them() -> None:
    table = TableSchema.create("items ARRAY<ROW<sku STRING>>, tags MAP<STRING, ROW<v INT>>, `odd name` ROW<`a.b` INT>")
    found = {one.path: (one.type, one.depth) for one in blame("s.t", [version(table)]).columns}
    assert found == {
        "items": ("ARRAY<ROW>", 0),
        "items[].sku": ("STRING", 1),
        "tags": ("MAP<STRING, ROW>", 0),
        "tags{}.v": ("INT", 1),
        "`odd name`": ("ROW", 0),
        "`odd name`.`a.b`": ("INT", 1),
    }
    for asked in ("items.sku", "items[].sku", "tags.v", "odd name.a.b"):
        assert len(blame("s.t", [version(table)], column=asked).columns) == 1


def test_an_id_that_an_outside_writer_gave_twice_is_two_columns() -> None:
    table = TableSchema.create("a INT, b STRING")
    twice = replace(table, fields=tuple(replace(field, id=0) for field in table.fields))
    assert [(found.path, found.type) for found in blame("s.t", [Version(0, "d", twice)]).columns] == [("a", "INT"), ("b", "STRING")]


# ---------------------------------------------------------------- what is not known


def test_columns_that_are_older_than_the_first_version_name_none() -> None:
    found = blame("s.t", told(STORY[2:]))
    assert {one.path: one.since and one.since.number for one in found.columns} == {
        "id": None, "customer_id": None, "amount": None, "address": None, "address.street": None, "address.zip": 3,
    }  # fmt: skip
    assert (found.oldest, found.notes) == (2, ("Versions before v2 are gone: a column without a version is older than v2.",))


def test_a_change_across_a_gap_names_all_versions_in_which_it_may_have_come_and_nobody() -> None:
    kept = [STORY[0], *STORY[3:]]
    authors = [version(replace(Provenance(actor="ana").on(schema), id=schema.id)) for schema in kept]
    found = blame("s.t", authors)
    amount = next(one for one in found.columns if one.path == "amount")
    assert amount.since is not None
    assert (amount.since.title, amount.since.byline) == ("v1 to v3", "by whom is not known")
    assert "v1 to v2" in found.notes[0]


def test_a_gap_is_one_unknown_cell_of_each_line() -> None:
    drawn = lifelines("s.t", told([STORY[0], *STORY[3:]]))
    assert [origin.title for origin in drawn.versions] == ["v0", "v1 to v2", "v3", "v4"]
    assert {one.cells[1].states for one in drawn.lines} == {(CellState.UNKNOWN,)}


def test_a_version_that_cannot_be_read_is_named_with_its_reason() -> None:
    known = steps_of("s.t", told(STORY[:2]), {2: "this is no JSON"})
    assert lifelines_of(known).versions[-1].is_gone
    assert blame_of(known).version.number == 1
    assert blame_of(known).notes == ("v2 cannot be read: this is no JSON",)


@pytest.mark.parametrize("schemas", [[], STORY[:2]])
def test_a_version_that_is_not_known_is_refused(schemas: list[TableSchema]) -> None:
    with pytest.raises(NotThereError):
        blame("s.t", told(schemas), 9)


def test_no_version_has_no_lines() -> None:
    assert lifelines("s.t", []).lines == ()


# ---------------------------------------------------------------- laws


def own(found: PathField | None) -> tuple[object, ...] | None:
    """What makes a field what it is, but for its place among its neighbours."""
    if found is None:
        return None
    field = found.field
    return (field.name, found.type, field.description, field.default, found.attributes, found.parent)


def first_same(fields: Sequence[dict[FieldKey, PathField]], key: FieldKey) -> int:
    """The first version from which on a field is the same in all later ones: every pair is compared."""
    last = own(fields[-1][key])
    return next(place for place in range(len(fields)) if all(own(later.get(key)) == last for later in fields[place:]))


def without_moves(found: ColumnBlame) -> Iterator[int]:
    for change in found.changes:
        if change.states not in {(CellState.MOVED,), (CellState.RESTORED, CellState.MOVED)}:
            yield change.origin.number
    if found.added is not None:
        yield found.added.number


@given(versions(least=2, most=6))
def test_blame_names_the_first_version_from_which_on_a_column_is_the_same(schemas: list[TableSchema]) -> None:
    fields = [path_fields(schema) for schema in schemas]
    found = blame("s.t", told(schemas))
    assert [one.path for one in found.columns] == [one.path for one in fields[-1].values()]
    for one, key in zip(found.columns, fields[-1], strict=True):
        assert next(without_moves(one)) == schemas[first_same(fields, key)].id


@given(versions(least=2, most=6))
def test_the_last_cell_of_each_lifeline_is_the_head(schemas: list[TableSchema]) -> None:
    drawn = lifelines("s.t", told(schemas))
    head = path_fields(schemas[-1])
    there = [one for one in drawn.lines if one.cells[-1].states not in {(CellState.ABSENT,), (CellState.DROPPED,)}]
    assert [(one.id, one.path, one.cells[-1].name, one.cells[-1].type) for one in there] == [
        (found.field.id, found.path, found.field.name, found.type) for found in head.values()
    ]
    assert {len(one.cells) for one in drawn.lines} <= {len(schemas)}


@given(versions(least=2, most=5))
def test_each_cell_tells_of_its_version_whether_the_column_is_there(schemas: list[TableSchema]) -> None:
    for place, schema in enumerate(schemas):
        ids = {found.field.id for found in path_fields(schema).values()}
        cells = {one.id: one.cells[place] for one in lifelines("s.t", told(schemas)).lines}
        assert {number for number, cell in cells.items() if cell.name} == ids


@given(versions(least=3, most=5), st.data())
def test_a_version_that_is_gone_makes_blame_less_exact_and_never_wrong(schemas: list[TableSchema], data: st.DataObject) -> None:
    lost = data.draw(st.integers(0, len(schemas) - 2))
    exact = blame("s.t", told(schemas)).columns
    vague = blame("s.t", told([schema for schema in schemas if schema.id != lost])).columns
    assert len(exact) == len(vague)
    for one, other in zip(exact, vague, strict=True):
        if other.added is not None and one.added is not None:
            earliest = other.added.number if other.added.earliest is None else other.added.earliest
            assert earliest <= one.added.number <= other.added.number


def test_a_thousand_columns_in_forty_versions_have_a_line_and_a_cell_for_each() -> None:
    wide = TableSchema.create(", ".join(f"c{number} BIGINT" for number in range(1000)))
    schemas = [wide]
    for number in range(39):
        schemas.append(evolve(schemas[-1], [f"RENAME COLUMN c{number} TO r{number}", f"ALTER COLUMN c{900 - number} COMMENT 'x'"]))
    known = told(schemas)
    lines = lifelines("s.t", known).lines
    assert (len(lines), {len(line.cells) for line in lines}) == (1000, {40})
    changed = [one for one in blame("s.t", known).columns if one.changes]
    assert len(changed) == 78


# ---------------------------------------------------------------- names that several columns have, or had


def test_a_path_means_the_field_of_this_path_before_a_column_that_has_a_dot_in_its_name() -> None:
    schemas = [TableSchema.create("`a.b` INT, a ROW<b STRING>")]
    assert [one.type for one in blame("s.t", told(schemas), column="a.b").columns] == ["STRING"]
    assert [one.type for one in blame("s.t", told(schemas), column="`a.b`").columns] == ["INT"]
    assert [one.type for one in blame("s.t", told([TableSchema.create("`a.b` INT")]), column="a.b").columns] == ["INT"]
    gone = [*schemas, replace(schemas[0], id=1, fields=schemas[0].fields[:0])]
    assert [one.type for one in blame("s.t", told(gone), column="a.b").columns] == ["STRING"]


def test_a_column_of_the_name_of_a_dropped_one_is_told_from_it() -> None:
    schemas = line(
        "id BIGINT, amount INT", ["DROP COLUMN amount"], ["ADD COLUMN amount STRING"], ["DROP COLUMN amount"], ["ADD COLUMN amount INT"]
    )
    found = blame("s.t", told(schemas), column="amount")
    (amount,) = found.columns
    assert (amount.added and amount.added.number, amount.changes) == (4, ())
    assert found.notes == (
        "v3 dropped another column amount (id 2), which this one is not.",
        "v1 dropped another column amount (id 1), which this one is not.",
    )
    assert blame("s.t", told(schemas), column="id").notes == ()


def test_an_id_that_an_outside_writer_gave_again_tells_that_the_column_is_another() -> None:
    first = TableSchema.create("id INT, note STRING")
    schemas = [first, evolve(first, ["DROP COLUMN note"]), replace(TableSchema.create("id INT, price DOUBLE"), id=2)]
    assert states(schemas, "price") == ["added", "dropped", "restored+renamed+retyped"]
    assert column(schemas, "price").changes[0].text == "note -> price; STRING -> DOUBLE"
