"""The jobs: what each does in Spark, how its contract is written, and how it means what it gets."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

from airflow_provider_schemas.core.types.nested import Field
from tests.truth.values import Reading, columns, quoted, rows_sql, spark_type

Fields = tuple[Field, ...]
_numbers = count(1)
BY_PATHS = "reader, by paths"


class Job(NamedTuple):
    """One kind of job."""

    name: str
    writes: bool
    shape: str
    run: Callable[[Any, Fields, Fields, str], Any]
    """The session, the fields that the job means, those of the table, and the format of the files -> the frame that comes out."""
    by_position: bool = False
    extra: bool = False
    """Whether fields that the job does not know do it no harm."""
    own_schema: bool = False
    says_how: bool = False
    """Whether the contract says which engine reads the files."""
    paths: bool = False

    @property
    def kind(self) -> str:
        """The kind of contract, as the page groups them."""
        if self.own_schema:
            return "own schema"
        side = "writer" if self.writes else "reader"
        return f"{side}, {'by paths' if self.paths else self.shape}"

    @property
    def reading(self) -> Reading:
        """How the outcome is compared."""
        return Reading(self.by_position, self.extra or self.own_schema, self.writes)

    @property
    def more_columns(self) -> bool:
        """Whether columns that the job does not name do it no harm."""
        return self.shape == "open" and not self.writes


def _named(mine: Fields) -> str:
    return ", ".join(quoted(one.name) for one in mine)


def _target(session: Any, fields: Fields, form: str) -> str:
    name = f"truth_{next(_numbers)}"
    session.sql(f"CREATE TABLE {name} ({columns(fields, table=True)}) USING {form}")
    return name


def _nothing(session: Any, fields: Fields) -> Any:
    nulls = ", ".join(f"CAST(NULL AS {spark_type(one.type)}) AS {quoted(one.name)}" for one in fields)
    return session.sql(f"SELECT {nulls} WHERE false")


# ---------------------------------------------------------------- readers


def _select(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    return session.sql(f"SELECT {_named(mine)} FROM ({rows_sql(theirs)})")


def _select_paths(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    paths = ", ".join(f"{path_sql(one.name)} AS {quoted(one.name)}" for one in mine)
    return session.sql(f"SELECT {paths} FROM ({rows_sql(theirs)})")


def path_sql(name: str) -> str:
    """A path as SQL writes it."""
    return ".".join(quoted(step) for step in name.split("."))


def _cast(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    kinds = ", ".join(f"{quoted(one.name)}: {spark_type(one.type)}" for one in mine)
    return session.sql(f"SELECT row.* FROM (SELECT CAST(struct(*) AS STRUCT<{kinds}>) AS row FROM ({rows_sql(theirs)}))")


def _moved(select: str, way: str) -> Callable[[Any, Fields, Fields, str], Any]:
    """Write what a query of the table returns into a table of the job."""

    def run(session: Any, mine: Fields, theirs: Fields, form: str) -> Any:
        target = _target(session, mine, form)
        names = _named(mine) if select == "names" else "*"
        _written(session, f"SELECT {names} FROM ({rows_sql(theirs)})", target, way, form)
        return session.table(target)

    return run


def _written(session: Any, query: str, target: str, way: str, form: str) -> None:
    if way == "insertInto":
        session.sql(query).write.insertInto(target)
    elif way == "saveAsTable":
        session.sql(query).write.mode("append").format(form).saveAsTable(target)
    else:
        session.sql(f"INSERT INTO {target} {way} {query}")


def _union_by_name(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    return _nothing(session, mine).unionByName(session.sql(rows_sql(theirs)))


def _union_by_name_of_table(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    return session.sql(rows_sql(theirs)).unionByName(_nothing(session, mine))


def _union_of_selected(session: Any, mine: Fields, theirs: Fields, form: str) -> Any:
    return _nothing(session, mine).unionByName(_select(session, mine, theirs, form))


def _union(session: Any, mine: Fields, theirs: Fields, _form: str) -> Any:
    return _nothing(session, mine).union(session.sql(rows_sql(theirs)))


def _own_schema(vectorized: str) -> Callable[[Any, Fields, Fields, str], Any]:
    """Read files with a schema of the job's own."""

    def run(session: Any, mine: Fields, theirs: Fields, form: str) -> Any:
        folder = f"{session.conf.get('spark.sql.warehouse.dir')}/files_{next(_numbers)}"
        session.sql(rows_sql(theirs)).write.format(form).save(folder)
        session.conf.set(f"spark.sql.{form}.enableVectorizedReader", vectorized)
        return session.read.schema(columns(mine)).format(form).load(folder)

    return run


# ---------------------------------------------------------------- writers


def _writer(way: str) -> Callable[[Any, Fields, Fields, str], Any]:
    """Write the job's rows into the table."""

    def run(session: Any, mine: Fields, theirs: Fields, form: str) -> Any:
        target = _target(session, theirs, form)
        _written(session, rows_sql(mine), target, way, form)
        return session.table(target)

    return run


JOBS: tuple[Job, ...] = (
    Job("SELECT names", False, "open", _select, extra=True),
    Job("SELECT paths", False, "open", _select_paths, extra=True, paths=True),
    Job("INSERT BY NAME SELECT names", False, "open", _moved("names", "BY NAME")),
    Job("select, then unionByName", False, "open", _union_of_selected),
    Job("INSERT BY NAME SELECT *", False, "closed", _moved("*", "BY NAME")),
    Job("saveAsTable of SELECT *", False, "closed", _moved("*", "saveAsTable")),
    Job("unionByName", False, "closed", _union_by_name),
    Job("unionByName, the table first", False, "closed", _union_by_name_of_table),
    Job("INSERT SELECT *", False, "positional", _moved("*", ""), by_position=True),
    Job("insertInto of SELECT *", False, "positional", _moved("*", "insertInto"), by_position=True),
    Job("union", False, "positional", _union, by_position=True),
    Job("CAST of the row", False, "positional", _cast, by_position=True),
    Job("read.schema, vectorized", False, "open", _own_schema("true"), own_schema=True),
    Job("read.schema, row by row", False, "open", _own_schema("false"), own_schema=True),
    Job("read.schema, vectorized, read_with", False, "open", _own_schema("true"), own_schema=True, says_how=True),
    Job("read.schema, row by row, read_with", False, "open", _own_schema("false"), own_schema=True, says_how=True),
    Job("INSERT BY NAME", True, "open", _writer("BY NAME")),
    Job("saveAsTable", True, "closed", _writer("saveAsTable")),
    Job("INSERT", True, "positional", _writer(""), by_position=True),
    Job("insertInto", True, "positional", _writer("insertInto"), by_position=True),
)
KINDS: Mapping[str, list[Job]] = {kind: [job for job in JOBS if job.kind == kind] for kind in dict.fromkeys(job.kind for job in JOBS)}
