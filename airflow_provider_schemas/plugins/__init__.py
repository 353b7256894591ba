"""The page in Airflow's UI: a plugin of data only, and an application that is built at its first request."""
