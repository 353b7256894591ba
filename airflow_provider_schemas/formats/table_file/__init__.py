"""The table file: the description of a table that people keep in git, read, planned from, and written.

`schemas/<database>/<table>.yaml` lists the wanted state. Planning from it adds and changes; what it does not mention
stays, and only what stands under `dropped` is removed. Nothing is guessed: where a person has to decide, planning stops
and reports with file and line what to write.

What is here, in reading order:

    model            a table file that has been read, and its parts
    reader           from the text to the model
    parsing/         the entries of a file, checked one by one
    planning/        from the model to a plan
    writer           from a schema to the text
    field_paths      paths of fields, as people write them
    language         the table file as a format among others
    form             the model of files with faults
    editor_schema    the JSON Schema for editors
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "Column": "model",
    "Dropped": "model",
    "Planned": "planning.plan",
    "TableFile": "model",
    "changes_of": "planning.plan",
    "json_schema": "editor_schema",
    "plan": "planning.plan",
    "read": "reader",
    "spelling_findings": "planning.plan",
    "write": "writer",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.table_file.editor_schema import json_schema as json_schema
    from airflow_provider_schemas.formats.table_file.model import Column as Column
    from airflow_provider_schemas.formats.table_file.model import Dropped as Dropped
    from airflow_provider_schemas.formats.table_file.model import TableFile as TableFile
    from airflow_provider_schemas.formats.table_file.planning.plan import Planned as Planned
    from airflow_provider_schemas.formats.table_file.planning.plan import changes_of as changes_of
    from airflow_provider_schemas.formats.table_file.planning.plan import plan as plan
    from airflow_provider_schemas.formats.table_file.planning.plan import spelling_findings as spelling_findings
    from airflow_provider_schemas.formats.table_file.reader import read as read
    from airflow_provider_schemas.formats.table_file.writer import write as write
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
