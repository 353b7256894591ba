"""Verdicts out of the XComs of Airflow's database."""
