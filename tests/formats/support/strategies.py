"""Schemas to convert: every type, nested, with the names and texts that break quoting."""

from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType, atomic
from airflow_provider_schemas.core.types.field_ids import FieldIds, highest_id
from airflow_provider_schemas.core.types.kinds import ALGORITHMS, KINDS, MAX_LENGTH, Root
from airflow_provider_schemas.core.types.nested import Field
from tests.support import strategies

AWKWARD = ["select", "x y", "日本", "a`b", "a.b", "it's", "comment", "-", "\\", "q\nz", "😀", "a:b", "NOT", "--", "/*", '"q"', "A"]
names = st.one_of(st.sampled_from([*"abcd", *AWKWARD]), st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)).filter(str.strip)
texts = st.sampled_from(["", *AWKWARD, "''", "\\'", "\\n", "\t", "%_", "\x00"]) | st.text(st.characters(codec="utf-8"), max_size=12)
EXPRESSIONS = ["5", "'x, y'", "NULL", "a > 3", "'it''s'", "NOT true", "1 IS NOT NULL", "x[1]"]
NO_EXPRESSIONS = ["", " 5", "5, b INT", "'", "(1", "x)", "/* c */ 5", "5 --c"]
defaults = st.sampled_from([*EXPRESSIONS, *NO_EXPRESSIONS])

# Coordinate systems that other languages can name; and a CHAR as long as a STRING, which is none.
_GEO = (Root.GEOMETRY, Root.GEOGRAPHY)
_SYSTEMS = st.sampled_from(["OGC:CRS84", "EPSG:3857", "SRID:0", "epsg:4326"])
atoms: st.SearchStrategy[DataType] = st.one_of(
    strategies.atoms(*(root for root in KINDS if root not in (*_GEO, Root.OPAQUE))),  # no other language has what is opaque
    st.builds(lambda crs, nullable: atomic(Root.GEOMETRY, nullable, crs=crs), _SYSTEMS, st.booleans()),
    st.builds(lambda crs, edges: atomic(Root.GEOGRAPHY, crs=crs, algorithm=edges), _SYSTEMS, st.sampled_from(ALGORITHMS)),
    st.just(atomic(Root.CHAR, length=MAX_LENGTH)),
)


def fields(kinds: st.SearchStrategy[DataType], least: int, most: int = 4) -> st.SearchStrategy[list[Field]]:
    """Fields of these types, all with the id 0."""
    one = st.builds(nested.field, st.just(0), names, kinds, st.none() | texts, st.none() | defaults)
    return st.lists(one, min_size=least, max_size=most, unique_by=lambda field: field.name)


@st.composite
def _around(draw: st.DrawFn, inner: st.SearchStrategy[DataType]) -> DataType:
    kinds: list[st.SearchStrategy[DataType]] = [
        inner.map(nested.array),
        inner.map(nested.multiset),
        st.builds(nested.map_of, inner, inner),
        st.integers(1, 9).map(lambda length: nested.vector(atomic(Root.FLOAT), length)),
        fields(inner, 0).map(nested.row),
    ]
    return draw(st.one_of(kinds)).with_nullable(draw(st.booleans()))


any_type: st.SearchStrategy[DataType] = st.recursive(atoms, _around, max_leaves=6)
_columns = fields(any_type, 1)
# Small enough to be damaged: hypothesis gives up an input that draws too much.
few_columns = fields(atoms | atoms.map(nested.array) | fields(atoms, 0, 2).map(nested.row), 1, 2)


@st.composite
def schemas(draw: st.DrawFn, columns: st.SearchStrategy[list[Field]] = _columns) -> TableSchema:
    """A schema with ids as Java gives them, or as a later version of a table has them."""
    whole = nested.row(draw(columns))
    numbered = FieldIds(draw(st.sampled_from([-1, 6]))).assigned(whole)
    assert isinstance(numbered, nested.RowType)
    named = numbered.fields
    return TableSchema(
        named,
        highest_id(named) + draw(st.sampled_from([0, 0, 3])),
        primary_keys=draw(st.sampled_from([(), (), (named[0].name,)])),
        options=Options(draw(st.sampled_from([{}, {}, {"bucket": "1"}]))),
        comment=draw(st.none() | texts),
    )
