"""Say which markers the tests of a folder or a file carry, and which few tests of slow folders the quick suite runs all the same."""

# A path, or the beginning of one, and the markers of the tests below it.
MARKERS = {
    "tests/benchmarks/": "slow",
    "tests/cli/test_airflow_connection.py": "airflow slow",
    "tests/cli/pull_requests/": "slow",
    "tests/chaos/test_races.py": "slow",
    "tests/formats/engine_sql/test_write_statements_in_spark.py": "pypaimon spark",
    "tests/tools/test_demo.py": "airflow spark",
    "tests/tools/test_environment_failures.py": "slow",
    "tests/tools/test_environment_needs.py": "slow",
    "tests/tools/test_environment_settings.py": "slow",
    "tests/tools/test_environments.py": "slow",
    "tests/house/test_interruption.py": "slow",
    "tests/tools/test_mutants.py": "slow",
    "tests/house/test_slim_install.py": "slow",
    "tests/installs/": "airflow slow",
    "tests/interop/": "pypaimon spark",
    "tests/lies/": "pypaimon spark",
    "tests/notebooks/": "slow",
    "tests/provider/": "airflow",
    "tests/provider/cli/test_airflow_plugin.py": "slow",
    "tests/provider/test_example_dags.py": "slow spark",
    "tests/provider/test_imports.py": "slow",
    "tests/render/ci/test_validators.py": "slow",
    "tests/spark/": "slow spark",
    "tests/store/mounts/iceberg/test_duckdb.py": "slow",
    "tests/system/": "airflow slow",
    "tests/truth/": "slow spark",
    "tests/ui/": "airflow slow",
}
# The stories in a real Airflow that the quick suite runs.
STORIES = frozenset({"tests/provider/operators/test_gate_runs.py"})
# The tests of Spark that the quick suite runs: one for each thing that the room does, in one classic session.
SMOKE = frozenset(
    {
        "tests/spark/inference/test_infer.py::test_the_schema_is_ready_to_create[classic]",
        "tests/spark/reading/test_read_table.py::test_every_generation_is_read_as_the_table_is_now[classic]",
        "tests/spark/reading/test_read_table.py::test_what_is_read_bears_its_ids_and_can_be_written_and_read_again[classic]",
        "tests/spark/writing/test_stamp.py::test_ids_survive_the_writer_of_the_job_nested_ones_too[classic]",
        "tests/spark/validation/test_validate.py::test_every_check_counts_its_rows_and_shows_some[classic]",
        "tests/spark/validation/test_validate.py::test_good_rows_fit_and_nothing_is_said_of_them",
        "tests/spark/writing/test_write_files.py::test_files_go_to_the_location_of_the_table_and_nothing_else_does[classic]",
    }
)
