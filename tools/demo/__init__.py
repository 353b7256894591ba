"""The demo: a real Airflow makes a table, changes it, gates a Spark job, stops it, and gets it back to green in two ways.

`python -m tools.demo [FOLDER]` leaves everything in one folder: build/demo, unless another is named.
"""
