"""Verdicts out of the XComs of Airflow's database.

What is here, in reading order:

    read        the one module that reads the model of XComs, which is no public interface of Airflow
    gate        a verdict as the list of gates shows it
"""
