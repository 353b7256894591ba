"""Steps and changes that laws of judging speak of: to an invalid schema, such as a fix takes back, and of what a contract names."""

from collections.abc import Callable

from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, TableSchema
from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from tests.core.support.check_inputs import Step, foreign, table_of, versions
from tests.support.tables import EVERYDAY, Changing, one_change, paths_of, type_at

# What no table may have. A text is the default of any column, and is no value of most types.
BROKEN: tuple[Callable[[TableSchema], TableSchema], ...] = (
    lambda schema: foreign(schema, (0, {"name": "_ROW_ID"})),
    lambda schema: foreign(schema, (0, {"name": " "})),
    lambda schema: foreign(schema, (len(schema.fields), {"id": schema.fields[0].id, "name": "twice", "type": "INT"})),
    lambda schema: foreign(schema, (0, {"type": "INT", "defaultValue": "'x'"})),
    lambda schema: foreign(schema, primaryKeys=["nobody"]),
    lambda schema: foreign(schema, partitionKeys=["nobody"]),
    lambda schema: foreign(schema, options={"merge-engine": "nonsense"}),
    lambda schema: foreign(schema, options={"schemas.table": "[1]"}),
    lambda schema: foreign(schema, highestFieldId=schema.highest_field_id - 1),
)


@st.composite
def broken_steps(draw: st.DrawFn) -> Step:
    """A step to an invalid schema. No change makes one: it is written as another tool writes it."""
    *history, last = draw(versions(1, 3))
    old = table_of(last, highestFieldId=last.highest_field_id + 3)
    return old, draw(st.sampled_from(BROKEN))(old), history


# ---------------------------------------------------------------- changes that matter to somebody


# A name that no strategy gives, so that the old one is free.
FREE = "free"


def undoable(schema: TableSchema) -> st.SearchStrategy[SchemaChange]:
    """A change that a report can offer to take back: of a name, a type, NOT NULL, a default or an option."""
    paths = st.sampled_from(paths_of(schema))
    columns = st.sampled_from([(name,) for name in schema.names])
    texts = st.sampled_from(["1", "'x'", "2024-01-01"])
    return st.one_of(
        st.builds(schema_change.RenameColumn, paths, st.just(FREE)),
        paths.flatmap(lambda path: wider(schema, path)),
        st.builds(schema_change.UpdateColumnNullability, paths, st.booleans()),
        st.builds(schema_change.UpdateColumnDefaultValue, columns, texts),
        st.builds(schema_change.SetOption, st.just("file.format"), st.sampled_from(["orc", "avro"])),
        st.builds(schema_change.SetOption, st.just("alter-column-null-to-not-null.disabled"), st.just("false")),
        st.builds(schema_change.SetOption, st.just(f"schemas.field.{schema.fields[0].id}"), st.just('{"unit": "USD"}')),
    )


def wider(schema: TableSchema, path: tuple[str, ...]) -> st.SearchStrategy[SchemaChange]:
    """The column with a type that every value fits, where there is one."""
    here = type_at(schema, path)
    targets = [kind for kind in EVERYDAY if lossless(here, kind)]
    return st.builds(schema_change.UpdateColumnType, st.just(path), st.sampled_from(targets or [here]), st.just(True))


def touching(contract: Contract) -> Changing:
    """Changes of the columns that a contract names, and of others."""
    needed = {need.name for need in contract.columns}

    def change(schema: TableSchema) -> st.SearchStrategy[SchemaChange]:
        paths = st.sampled_from([path for path in paths_of(schema) if _contract_name(path) in needed] or paths_of(schema))
        return st.one_of(
            st.builds(schema_change.RenameColumn, paths, st.just(FREE)),
            st.builds(schema_change.UpdateColumnNullability, paths, st.booleans()),
            st.builds(schema_change.UpdateColumnType, paths, st.sampled_from(EVERYDAY), st.booleans()),
            st.builds(schema_change.DropColumn, paths),
            one_change(schema),
        )

    return change


def _contract_name(path: tuple[str, ...]) -> str:
    """The path as a contract writes it: it does not name the elements and values of containers."""
    return ".".join(word for word in path if word not in {"element", "value"})
