"""What an author wants of a table, out of the arguments of a task: changes, a table file, or a whole schema."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, TableFileError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit.evaluate import Wanted, read_changes
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import SCHEMA_FILE, TABLE_FILE, check_json, open_as
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

_YAML = (".yaml", ".yml")
_DIGEST_LENGTH = 16
_MAX_CANDIDATES = 10


class ChangeRequest(Struct, frozen=True):
    """What is wanted, and the text that tells it from every other request."""

    wanted: Wanted
    text: str
    by_name: bool = False

    @property
    def table(self) -> str:
        """Return the table, if the request names it."""
        if isinstance(self.wanted, TableFile):
            return self.wanted.table
        return ""

    def key(self, run: Run, task_id: str = "") -> str:
        """Return the name of this request of a task: the same in every run, so that none does again what another did."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{run.dag_id}.{task_id or run.task_id}:{digest[:_DIGEST_LENGTH]}"


def read_change_list(value: Value) -> ChangeRequest:
    """Read short texts, REST objects, or a list of them; one alone, or the text of a list out of Jinja."""
    changes = read_changes(template_values.parse_value(value, "changes"))
    if not changes:
        raise ChangeError("there is nothing to change.", code="change.none", path="changes", fix="Write ['ADD COLUMN coupon STRING'].")
    return ChangeRequest(changes, json.dumps([change.to_json() for change in changes], sort_keys=True, ensure_ascii=False))


def read_table_file(value: Value, folder: Path | FilePlaces | None) -> ChangeRequest:
    """Read a table file: its path from the folder of the DAG file, its URL, or itself."""
    if isinstance(value, TableFile):
        return ChangeRequest(value, value.to_json())
    name = str(value).strip() if isinstance(value, str | PathLike) else ""
    if not is_file(name) or not name.lower().endswith(_YAML):
        fix = "Name a table file such as schemas/shop/orders.yaml, from the folder of the DAG file; a whole schema goes to validate."
        message = f"{shown(without_credentials(name) or value)} is no path of a table file."
        raise TableFileError(message, code="table-file.no-path", path="target", fix=fix)
    data = JobFiles(folder, "target").read_bytes(name)
    label = without_credentials(name)
    open_as(TABLE_FILE, data, label)
    return ChangeRequest(table_file.read(data, label), data.decode("utf-8", "replace"))


def read_target(value: Value, folder: Path | FilePlaces | None) -> ChangeRequest:
    """Read a table file; or a whole schema: SQL text or columns, which are matched by name, or a schema file, whose ids count."""
    target = template_values.parse_value(value, "target")
    is_yaml = isinstance(target, str | PathLike) and str(target).strip().lower().endswith(_YAML)
    if is_yaml or isinstance(target, TableFile):
        return read_table_file(target, folder)
    if isinstance(target, TableSchema):
        return ChangeRequest(target, target.to_json())
    if is_file(target):
        name = str(target).strip()
        data = JobFiles(folder, "target").read_bytes(name)
        check_json(SCHEMA_FILE, data, without_credentials(name))
        return ChangeRequest(TableSchema.from_json(data), data.decode("utf-8", "replace"))
    schema = TableSchema.create(target)
    return ChangeRequest(schema, schema.to_json(), by_name=True)


def target_for(request: ChangeRequest, head: Version | None) -> tuple[Wanted, tuple[str, ...]]:
    """Return what is wanted of this version, and notes for a person. Columns without ids are those of the same names."""
    if not request.by_name or head is None or not isinstance(request.wanted, TableSchema):
        return request.wanted, ()
    matched, candidates = matched_by_name(head.schema, request.wanted)
    wanted = msgspec.structs.replace(head.schema, fields=matched.fields, highest_field_id=matched.highest_field_id)
    notes = (rename_note(candidate.old, candidate.new, candidate.reasons) for candidate in candidates[:_MAX_CANDIDATES])
    return wanted, tuple(notes)


def rename_note(old: str, new: str, reasons: Iterable[str]) -> str:
    """Say that a column may be a renamed one."""
    return f"{new} may be {old} renamed ({', '.join(reasons)}): a table file says so with was, and keeps the values"


# ---------------------------------------------------------------- what goes with columns


def read_names(value: Value, argument: str) -> tuple[str, ...]:
    """Read names of columns: a list, or one text with commas between them."""
    given = template_values.parse_value(value, argument)
    if not template_values.is_given(given, argument):
        return ()
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in names):
        raise template_values.argument_error(f"{shown(given)} is no list of names.", argument, "Pass ['order_id', 'dt'].")
    return tuple(name.strip() for name in names if name.strip())


def read_options(value: Value, argument: str) -> dict[str, str]:
    """Read options, whose values become texts."""
    options = template_values.parse_value(value, argument)
    if not template_values.is_given(options, argument):
        return {}
    if not isinstance(options, Mapping):
        raise template_values.argument_error(f"{shown(options)} is no mapping.", argument, "Pass {'bucket': '4'}.")
    wrong = [f"{shown(option)} for {shown(key)}" for key, option in options.items() if not isinstance(option, str | int | float)]
    if wrong:
        message = f"{', '.join(wrong[:3])} is no value of an option."
        raise template_values.argument_error(message, argument, "Pass text, a number, or True or False.")
    return {str(key): _option_text(option) for key, option in options.items()}


def _option_text(option: str | float) -> str:
    if isinstance(option, bool):
        return str(option).lower()
    return str(option)


# ---------------------------------------------------------------- the arguments of a task


def read_request(changes: Value, target: Value, folder: Path | FilePlaces | None, *, whole: bool = False) -> ChangeRequest:
    """Read the one of two arguments that is given. Whole lets the target be a whole schema, too."""
    has_changes = template_values.is_given(changes, "changes")
    has_target = template_values.is_given(target, "target")
    if has_changes == has_target:
        fix = "Write ['ADD COLUMN coupon STRING'], or name a table file."
        raise template_values.argument_error("pass changes or a target, and one of them only.", "changes", fix)
    if has_changes:
        return read_change_list(changes)
    if whole:
        return read_target(target, folder)
    return read_table_file(target, folder)


def read_table_name(value: Value, request: ChangeRequest | None) -> str:
    """Return the table that the task or its table file names."""
    name = template_values.read_text(value, "table")
    if not name and request is not None:
        name = request.table
    if not name:
        raise template_values.argument_error("which table is meant is not said.", "table", "Pass table='db.table'.")
    return name
