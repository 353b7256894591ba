"""The command line, `airflow-schemas`: one file a command. It knows the store; only `--conn` and `airflow schemas` load Airflow."""
