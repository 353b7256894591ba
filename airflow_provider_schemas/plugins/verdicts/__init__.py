"""Verdicts out of the XComs of Airflow's database.

What is here, in reading order:

    models      Airflow's models of XComs and tasks, and a session: no public interface of Airflow
    pushed      what a task has pushed
    read        the last values of tasks, and what their tasks are
    past        since when a gate is red
    failed      later runs of a task that failed without a verdict
"""
