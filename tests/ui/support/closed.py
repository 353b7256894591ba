"""The DAG that the second server closes, by a name that needs no Airflow to be read."""

CLOSED_DAG = "payroll"
