"""The table file: what people write about a table in git, read, planned from, and written.

`schemas/<database>/<table>.yaml` says what shall be there. Planning from it adds and changes; what it does not mention
stays, and only what stands under `dropped` goes. Nothing is guessed: where a person has to decide, planning stops and
says with file and line what to write.
"""

from airflow_provider_schemas.formats.table_file.editor_schema import json_schema
from airflow_provider_schemas.formats.table_file.model import Column, Dropped, TableFile
from airflow_provider_schemas.formats.table_file.planning.plan import Planned, changes_of, plan
from airflow_provider_schemas.formats.table_file.planning.type_spelling import spelling_findings
from airflow_provider_schemas.formats.table_file.reader import read
from airflow_provider_schemas.formats.table_file.writer import write

__all__ = ["Column", "Dropped", "Planned", "TableFile", "changes_of", "json_schema", "plan", "read", "spelling_findings", "write"]
