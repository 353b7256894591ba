"""The table file: what people write about a table in git, read, planned from, and written.

`schemas/<database>/<table>.yaml` says what shall be there. Planning from it adds and changes; what it does not mention
stays, and only what stands under `dropped` goes. Nothing is guessed: where a person has to decide, planning stops and
says with file and line what to write.
"""

from airflow_provider_schemas.formats.table_file.model import Column, Dropped, TableFile
from airflow_provider_schemas.formats.table_file.planning import Planned, changes_of, plan
from airflow_provider_schemas.formats.table_file.reading import read
from airflow_provider_schemas.formats.table_file.schema import json_schema
from airflow_provider_schemas.formats.table_file.spelling import spelling_findings
from airflow_provider_schemas.formats.table_file.writing import write

__all__ = ["Column", "Dropped", "Planned", "TableFile", "changes_of", "json_schema", "plan", "read", "spelling_findings", "write"]
