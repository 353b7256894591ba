"""`SchemaCreateOperator`: make a table, once. Run again it finds the table and leaves it as it is."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.secret_texts import is_secret
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.core.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, FormatError
from airflow_provider_schemas.formats.table_file import TableFile
from airflow_provider_schemas.store.commit import Committed, Outcome
from airflow_provider_schemas.tasks import plain, telling, wishes
from airflow_provider_schemas.tasks.changing import At, ChangeOperator, Done

_MOST = 10
_WHEN_THERE = ("same", "keep")


class SchemaCreateOperator(ChangeOperator):
    """Make a table of columns, or of a table file.

    A table that is there, and is or once was what is asked for, is nothing to do. Another one is an error that says
    what differs; with `if_exists="keep"` it is left as it is, whatever it is.

    :param table: `db.table`; a table file says it itself
    :param columns: SQL text such as "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", or a list of mappings
    :param target: the path of a table file, from the folder of the DAG file, or its URL; instead of columns
    :param primary_keys: names of columns; with columns only, as are the next three
    :param partition_keys: names of columns
    :param options: options of the table
    :param comment: what the table is for
    :param if_exists: "same" or "keep"
    :param key: names this attempt: one with the same key is done once
    :param conn_id: a connection of the type `schema_store`
    """

    template_fields: Collection[str] = (
        *ChangeOperator.template_fields,
        "columns", "target", "primary_keys", "partition_keys", "options", "comment", "if_exists",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {**ChangeOperator.template_fields_renderers, "columns": "sql", "options": "json"}

    def __init__(
        self,
        *,
        columns: Any = None,
        target: Any = None,
        primary_keys: Any = (),
        partition_keys: Any = (),
        options: Any = None,
        comment: str | None = None,
        if_exists: str = "same",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.columns = columns
        self.target = target
        self.primary_keys = primary_keys
        self.partition_keys = partition_keys
        self.options = options
        self.comment = comment
        self.if_exists = if_exists

    def change(self, here: At) -> Done:
        keep = plain.choice(self.if_exists, "if_exists", _WHEN_THERE, "same") == "keep"
        wanted = self._wanted(here)
        name = plain.text(self.table, "table") or (wanted.table if isinstance(wanted, TableFile) else "")
        if not name:
            raise plain.refused("which table is meant is not said.", "table", "Pass table='db.table'.")
        key = plain.text(self.key, "key") or None
        try:
            return Done(here.store.create_table(name, wanted, key=key, **self.terms(here), **here.about))
        except AlreadyThereError as error:
            if error.code != "table.exists":
                raise
            table = here.table(name, None)
            return self._kept(table.latest(), name) if keep else _differs(error, table.latest(), wanted)

    def _kept(self, head: Version, name: str) -> Done:
        said = f"exists at version {head.number}, and is kept as it is: nothing to do"
        return Done(Committed(table=name, version=head, outcome=Outcome.UNCHANGED, notes=(said,)))

    def _wanted(self, here: At) -> TableSchema | TableFile:
        """What the table shall be: every argument is converted here."""
        named = [plain.is_nothing(self.columns), plain.is_nothing(self.target)]
        if all(named) or not any(named):
            raise plain.refused("pass columns or target, and one of them only.", "columns", "Write the columns, or name a table file.")
        about: dict[str, Any] = {
            "primary_keys": wishes.names_of(self.primary_keys, "primary_keys"),
            "partition_keys": wishes.names_of(self.partition_keys, "partition_keys"),
            "options": wishes.options_of(self.options, "options"),
            "comment": plain.text(self.comment, "comment") or None,
        }
        said = {key: value for key, value in about.items() if value}
        if plain.is_nothing(self.columns):
            return self._file(here, said)
        return TableSchema.create(plain.loaded(self.columns, "columns"), **said)

    def _file(self, here: At, said: Mapping[str, Any]) -> TableFile:
        if said:
            message = f"{', '.join(said)} cannot be given beside a table file, which says so itself."
            raise FormatError(message, code="table.said-twice", path=next(iter(said)), fix="Say it there.")
        return wishes.of_file(self.target, here.run.folder).wanted  # type: ignore[return-value]  # a table file it is


def _differs(error: AlreadyThereError, head: Version, wanted: TableSchema | TableFile) -> Done:
    """The error that says what differs, and with which operator a table is changed."""
    asked = wanted.create() if isinstance(wanted, TableFile) else wanted
    found = list(differences(head.schema, asked))
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    said = f"It differs in {'; '.join(found[:_MOST])}{more}." if found else ""
    fix = "Change it with SchemaEvolveOperator; or pass if_exists='keep' if any definition will do."
    raise AlreadyThereError(f"{error.message} {said}".strip(), code=error.code, path=error.path, fix=fix) from None


def differences(there: TableSchema, asked: TableSchema) -> Iterator[str]:
    """What is asked for and is not there, and the other way round; by names, as people compare."""
    old, new = ({one.name: one for one in schema.fields} for schema in (there, asked))
    yield from (f"{shown(name)}, which is asked for as {one.type} and not there" for name, one in new.items() if name not in old)
    yield from (f"{shown(name)}, which is there and not asked for" for name in old if name not in new)
    for name, one in new.items():
        if name in old and str(old[name].type) != str(one.type):
            yield f"{shown(name)}, which is {old[name].type} and asked for as {one.type}"
        elif name in old and (old[name].description, old[name].default) != (one.description, one.default):
            yield f"the comment or default of {shown(name)}"
    yield from _besides(there, asked)


def _besides(there: TableSchema, asked: TableSchema) -> Iterator[str]:
    if there.names != asked.names and sorted(there.names) == sorted(asked.names):
        yield "the order of the columns"
    pairs = {"the primary key": "primary_keys", "the partition keys": "partition_keys", "the comment": "comment"}
    for words, name in pairs.items():
        if getattr(there, name) != getattr(asked, name):
            yield words
    for key in sorted({*there.options, *asked.options}):
        if there.options.get(key) != asked.options.get(key):
            yield f"the option {telling.short(key)}" + (" (a secret)" if is_secret(key) else "")
