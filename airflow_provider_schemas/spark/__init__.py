"""What runs inside a Spark job: no Airflow, no credentials of ours. A function is imported when asked for, pyspark when it is called.

From the top to the ground:

    evidence/      what live files prove of a tightening: footers first, rows second
    jobs/          files for spark-submit, which the operators start
    inference/     a schema from data, and what the data say for it
    observation/   what queries read, from Spark's plans
    validation/    does data fit: the form first, then every row in one pass; good, bad and conforming rows
    writing/       ids as metadata of columns; files written with them
    auditing/      what is wrong with the tables of a warehouse
    reading/       read_table: the version, the scans, a projection as columns, bad values
    files/         which files there are, and their footers as Spark reads them
    conversions/   each conversion as Spark SQL: a table
    schema_assertion.py   the check at the job's door; gate_handover.py has what a gate handed over
    session.py  struct_types.py  sql.py  progress.py   classic or Connect; our types as Spark's; SQL that no setting reads differently

No module imports pyspark when it is imported. `session.py` knows which kind of session it has. Besides it, only `files/footers.py`,
`evidence/footer_statistics.py` and `observation/sources.py` call the JVM directly, and say so on Spark Connect.
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "assert_schema": "schema_assertion",
    "audit": "auditing.audit",
    "infer": "inference.infer",
    "observe": "observation.observe",
    "prove": "evidence.prove",
    "quarantined": "reading.bad_values",
    "read_table": "reading.read_table",
    "stamp": "writing.stamp",
    "stamp_catalog_table": "writing.stamp",
    "summarize": "auditing.summary",
    "validate": "validation.validate",
    "write_files": "writing.write_files",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.spark.auditing.audit import audit as audit
    from airflow_provider_schemas.spark.auditing.summary import summarize as summarize
    from airflow_provider_schemas.spark.evidence.prove import prove as prove
    from airflow_provider_schemas.spark.inference.infer import infer as infer
    from airflow_provider_schemas.spark.observation.observe import observe as observe
    from airflow_provider_schemas.spark.reading.bad_values import quarantined as quarantined
    from airflow_provider_schemas.spark.reading.read_table import read_table as read_table
    from airflow_provider_schemas.spark.schema_assertion import assert_schema as assert_schema
    from airflow_provider_schemas.spark.validation.validate import validate as validate
    from airflow_provider_schemas.spark.writing.stamp import stamp as stamp
    from airflow_provider_schemas.spark.writing.stamp import stamp_catalog_table as stamp_catalog_table
    from airflow_provider_schemas.spark.writing.write_files import write_files as write_files
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
