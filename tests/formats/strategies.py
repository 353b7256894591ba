"""Schemas to convert: every type, nested, with the names and texts that break quoting."""

from hypothesis import strategies as st

from airflow_provider_schemas.core import types
from airflow_provider_schemas.core.ids import FieldIds, highest_id
from airflow_provider_schemas.core.kinds import KINDS, MAX_LENGTH, Root
from airflow_provider_schemas.core.schema import Options, TableSchema
from airflow_provider_schemas.core.types import AtomicType, DataType, Field

AWKWARD = ["select", "x y", "日本", "a`b", "a.b", "it's", "comment", "-", "\\", "q\nz", "😀", "a:b", "NOT", "--", "/*", '"q"', "A"]
names = st.one_of(st.sampled_from([*"abcd", *AWKWARD]), st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)).filter(str.strip)
texts = st.sampled_from(["", *AWKWARD, "''", "\\'", "\\n", "\t", "%_", "\x00"]) | st.text(st.characters(codec="utf-8"), max_size=12)
EXPRESSIONS = ["5", "'x, y'", "NULL", "a > 3", "'it''s'", "NOT true", "1 IS NOT NULL", "x[1]"]
NO_EXPRESSIONS = ["", " 5", "5, b INT", "'", "(1", "x)", "/* c */ 5", "5 --c"]
defaults = st.sampled_from([*EXPRESSIONS, *NO_EXPRESSIONS])
_LENGTHS = st.sampled_from([1, 20, MAX_LENGTH])


@st.composite
def atoms(draw: st.DrawFn) -> AtomicType:
    """A type without parts, with any parameters."""
    root = draw(st.sampled_from(list(KINDS)))
    limits = KINDS[root].limits
    values: dict[str, object] = {name: draw(st.integers(limit.least, min(limit.most, 38))) for name, limit in limits.items()}
    if "length" in limits:
        values["length"] = draw(_LENGTHS)
    if "scale" in limits:
        values["scale"] = draw(st.integers(0, int(str(values["precision"]))))
    if root in (Root.GEOMETRY, Root.GEOGRAPHY):
        values["crs"] = draw(st.sampled_from(["OGC:CRS84", "EPSG:3857", "SRID:0", "epsg:4326"]))
    return types.atomic(root, draw(st.booleans()), **values)


def _around(inner: st.SearchStrategy[DataType]) -> st.SearchStrategy[DataType]:
    kinds: list[st.SearchStrategy[DataType]] = [
        inner.map(types.array),
        inner.map(types.multiset),
        st.tuples(inner, inner).map(lambda parts: types.map_of(*parts)),
        st.integers(1, 9).map(lambda length: types.vector(types.atomic(Root.FLOAT), length)),
        fields(inner, 0).map(types.row),
    ]
    return st.tuples(st.one_of(kinds), st.booleans()).map(lambda pair: pair[0].with_nullable(pair[1]))


def fields(kinds: st.SearchStrategy[DataType], least: int) -> st.SearchStrategy[list[Field]]:
    """Fields of these types, all with the id 0."""
    one = st.builds(types.field, st.just(0), names, kinds, st.none() | texts, st.none() | defaults)
    return st.lists(one, min_size=least, max_size=4, unique_by=lambda field: field.name)


any_type: st.SearchStrategy[DataType] = st.recursive(atoms(), _around, max_leaves=6)


@st.composite
def schemas(draw: st.DrawFn, kinds: st.SearchStrategy[DataType] = any_type) -> TableSchema:
    """A schema with ids as Java gives them, or as a later version of a table has them."""
    whole = types.row(draw(fields(kinds, 1)))
    numbered = FieldIds(draw(st.sampled_from([-1, 6]))).assigned(whole)
    assert isinstance(numbered, types.RowType)
    columns = numbered.fields
    extra = draw(st.sampled_from([0, 0, 3]))
    keys = draw(st.sampled_from([(), (), (columns[0].name,)]))
    options = draw(st.sampled_from([{}, {}, {"bucket": "1"}]))
    comment = draw(st.none() | texts)
    highest = highest_id(columns) + extra
    return TableSchema(columns, highest, primary_keys=keys, options=Options(options), comment=comment)
