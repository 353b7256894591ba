"""What an author wants of a table, out of the arguments of a task: changes, a table file, or a whole schema."""

import hashlib
import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate, matched_by_name
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, TableFileError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit.evaluate import Wanted, read_changes
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import SCHEMA_FILE, TABLE_FILE, check_json, opened_as
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file
from airflow_provider_schemas.tasks.task_run import Run

_YAML = (".yaml", ".yml")
_SHOWN = 16
_MOST_CANDIDATES = 10


class Wish(Struct, frozen=True):
    """What is wanted, and the text that tells it from every other wish."""

    wanted: Wanted
    text: str
    by_name: bool = False

    @property
    def table(self) -> str:
        """The table, if the wish names it."""
        return self.wanted.table if isinstance(self.wanted, TableFile) else ""

    def key(self, run: Run, task_id: str = "") -> str:
        """The name of this wish of a task: the same in every run, so that none does again what another did."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{run.dag_id}.{task_id or run.task_id}:{digest[:_SHOWN]}"


def of_changes(value: Any) -> Wish:
    """Short texts, REST objects, or a list of them; one alone, or the text of a list out of Jinja."""
    changes = read_changes(template_values.loaded(value, "changes"))
    if not changes:
        raise ChangeError("there is nothing to change.", code="change.none", path="changes", fix="Write ['ADD COLUMN coupon STRING'].")
    return Wish(changes, json.dumps([one.to_json() for one in changes], sort_keys=True, ensure_ascii=False))


def of_file(value: Any, folder: Path | FilePlaces | None) -> Wish:
    """A table file: its path from the folder of the DAG file, its URL, or itself."""
    if isinstance(value, TableFile):
        return Wish(value, value.to_json())
    name = str(value).strip() if isinstance(value, str | PathLike) else ""
    if not is_file(name) or not name.lower().endswith(_YAML):
        fix = "Name a table file such as schemas/shop/orders.yaml, from the folder of the DAG file; a whole schema goes to validate."
        raise TableFileError(
            f"{shown(without_credentials(name) or value)} is no path of a table file.", code="table-file.no-path", path="target", fix=fix
        )
    data = JobFiles(folder, "target").data(name)
    opened_as(TABLE_FILE, data, without_credentials(name))
    return Wish(table_file.read(data, without_credentials(name)), data.decode("utf-8", "replace"))


def of_target(value: Any, folder: Path | FilePlaces | None) -> Wish:
    """A table file; or a whole schema: SQL text or columns, which are matched by name, or a schema file, whose ids count."""
    said = template_values.loaded(value, "target")
    if isinstance(said, TableFile) or (isinstance(said, str | PathLike) and str(said).strip().lower().endswith(_YAML)):
        return of_file(said, folder)
    if isinstance(said, TableSchema):
        return Wish(said, said.to_json())
    if is_file(said):
        name = str(said).strip()
        data = JobFiles(folder, "target").data(name)
        check_json(SCHEMA_FILE, data, without_credentials(name))
        return Wish(TableSchema.from_json(data), data.decode("utf-8", "replace"))
    made = TableSchema.create(said)
    return Wish(made, made.to_json(), by_name=True)


def on(wish: Wish, head: Version | None) -> tuple[Wanted, tuple[str, ...]]:
    """What is wanted of this version, and what a person may have to say of it. Columns without ids are those of the same names."""
    if not wish.by_name or head is None or not isinstance(wish.wanted, TableSchema):
        return wish.wanted, ()
    found, candidates = matched_by_name(head.schema, wish.wanted)
    wanted = msgspec.structs.replace(head.schema, fields=found.fields, highest_field_id=found.highest_field_id)
    return wanted, tuple(_maybe(one) for one in candidates[:_MOST_CANDIDATES])


def _maybe(one: RenameCandidate) -> str:
    return f"{one.new} may be {one.old} renamed ({', '.join(one.reasons)}): a table file says so with was, and keeps the values"


# ---------------------------------------------------------------- what goes with columns


def names_of(value: Any, argument: str) -> tuple[str, ...]:
    """Names of columns: a list, or one text with commas between them."""
    said = template_values.loaded(value, argument)
    if not template_values.is_said(said, argument):
        return ()
    names = said.split(",") if isinstance(said, str) else said
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(one, str) for one in names):
        raise template_values.refused(f"{shown(said)} is no list of names.", argument, "Pass ['order_id', 'dt'].")
    return tuple(one.strip() for one in names if one.strip())


def options_of(value: Any, argument: str) -> dict[str, str]:
    """Options, whose values are texts whatever they were written as."""
    said = template_values.loaded(value, argument)
    if not template_values.is_said(said, argument):
        return {}
    if not isinstance(said, Mapping):
        raise template_values.refused(f"{shown(said)} is no mapping.", argument, "Pass {'bucket': '4'}.")
    strange = [f"{shown(one)} for {shown(key)}" for key, one in said.items() if not isinstance(one, str | int | float)]
    if strange:
        raise template_values.refused(
            f"{', '.join(strange[:3])} is no value of an option.", argument, "Pass text, a number, or True or False."
        )
    return {str(key): str(one).lower() if isinstance(one, bool) else str(one) for key, one in said.items()}


# ---------------------------------------------------------------- the arguments of a task


def of(changes: Any, target: Any, folder: Path | FilePlaces | None, *, whole: bool = False) -> Wish:
    """The wish in two arguments, of which one says something. Whole is for whoever takes a whole schema as target."""
    said = [template_values.is_said(changes, "changes"), template_values.is_said(target, "target")]
    if all(said) or not any(said):
        raise template_values.refused(
            "pass changes or a target, and one of them only.", "changes", "Write ['ADD COLUMN coupon STRING'], or name a table file."
        )
    if said[0]:
        return of_changes(changes)
    return of_target(target, folder) if whole else of_file(target, folder)


def table_of(value: Any, wish: Wish | None) -> str:
    """The table, as the task or its table file says."""
    named = template_values.text(value, "table") or (wish.table if wish else "")
    if not named:
        raise template_values.refused("which table is meant is not said.", "table", "Pass table='db.table'.")
    return named
