"""The table file: what people write about a table in git, read, planned from, and written.

`schemas/<database>/<table>.yaml` says what shall be there. Planning from it adds and changes; what it does not mention
stays, and only what stands under `dropped` goes. Nothing is guessed: where a person has to decide, planning stops and
says with file and line what to write.
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
    "spelling_findings": "planning.type_spelling",
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
    from airflow_provider_schemas.formats.table_file.planning.type_spelling import spelling_findings as spelling_findings
    from airflow_provider_schemas.formats.table_file.reader import read as read
    from airflow_provider_schemas.formats.table_file.writer import write as write
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
