"""The command line, `airflow-schemas`: one file a command. It knows the store; Airflow is loaded for `--conn` and `airflow schemas` alone."""
