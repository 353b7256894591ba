"""The command line, `airflow-schemas`: one file a command. It knows the store, and neither Airflow nor Spark."""
