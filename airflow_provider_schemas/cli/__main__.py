"""`python -m airflow_provider_schemas.cli` is `airflow-schemas`."""

import sys

from airflow_provider_schemas.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
